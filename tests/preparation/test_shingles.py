from pyrite.preparation.shingles import likeness, shingles


def test_a_text_shorter_than_a_shingle_is_its_own_shingle():
    """O55."""
    assert likeness(shingles("cat"), shingles("dog")) == 0.0
    assert likeness(shingles("cat"), shingles("Cat!")) == 1.0


def test_texts_without_words_are_alike_to_nothing():
    """O57."""
    assert likeness(shingles("..."), shingles("...")) == 0.0


def test_marks_stay_in_their_word():
    assert shingles("हिन्दी में") == {"हिन्दी में"}
    assert shingles("தமிழ்") == {"தமிழ்"}


def test_each_character_of_an_unspaced_script_is_a_word():
    assert shingles("黄铁矿AB") == {"黄 铁 矿 ab"}
    assert len(shingles("วิทยุ")) == 1
