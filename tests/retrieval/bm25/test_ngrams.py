from pyrite.retrieval.bm25.ngrams import default_size, ngrams


def test_a_word_becomes_all_its_pieces_and_a_short_one_stays_whole() -> None:
    assert ngrams(["pyrite", "of", "gold"], 4) == ["pyri", "yrit", "rite", "of", "gold"]


def test_single_characters_are_pieces_too() -> None:
    assert ngrams(["金色"], 1) == ["金", "色"]


def test_nothing_is_made_of_nothing() -> None:
    assert ngrams([], 2) == []


def test_two_characters_serve_where_words_have_no_spaces_and_four_elsewhere() -> None:
    assert [default_size(language) for language in ("ja", "zh", "th", "ko", "de", "ar")] == [2, 2, 2, 2, 4, 4]
