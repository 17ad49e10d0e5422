from pyrite.reporting.naming import inert, shown_path, shown_systems


def test_what_would_act_unseen_is_spelled_out_and_words_stay() -> None:
    assert inert("a\x00b\x1b[31m\u202egpj\u2066\ud800\ufeff\u200b") == (
        "a⟨U+0000⟩b⟨U+001B⟩[31m⟨U+202E⟩gpj⟨U+2066⟩⟨U+D800⟩⟨U+FEFF⟩⟨U+200B⟩"
    )
    words = "می\u200cخواهم क्\u200dष ไทย 日本 שלום\tand\nmore <b>"
    assert inert(words) == words


def test_only_absolute_paths_are_cut() -> None:
    assert shown_path("rerank:/m/ce,over=(dense:/m/a/b),depth=5") == "rerank:ce,over=(dense:b),depth=5"
    assert shown_path(r"dense:C:\models\mini") == "dense:mini"
    assert shown_path("~/models/mini") == "mini"
    for same in ("dense:org/model", "run:runs/a.trec", "bm25:en,k1=0.9", "https://example.org/a/b", "1/2", "</b>"):
        assert shown_path(same) == same


def test_names_that_would_look_alike_keep_as_much_as_tells_them_apart() -> None:
    names = ["dense:/x/one/model", "dense:/y/one/model", "dense:/x/two/model", "bm25"]
    assert list(shown_systems(names).values()) == ["dense:x/one/model", "dense:y/one/model", "dense:two/model", "bm25"]
    assert list(shown_systems(["dense:model", "dense:/a/model"]).values()) == ["dense:model", "dense:a/model"]


def test_no_two_systems_are_shown_by_one_name() -> None:
    names = ["/m", "m", "//m", "/a/../m", "a/m", "b/m"]
    assert len(set(shown_systems(names).values())) == len(names)
