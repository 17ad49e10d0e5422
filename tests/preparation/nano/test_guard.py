from pyrite.preparation.nano.guard import close_in_score, near_positives

PASSAGE = "pyrite is a brass yellow mineral that is often called the gold of fools"


def test_a_near_copy_of_any_positive_is_guarded_and_another_text_is_not():
    ranked = {"q": {1: PASSAGE.upper() + "!", 2: "calcite is a carbonate mineral", 3: ""}}
    assert near_positives({"q": ["quartz", PASSAGE]}, ranked, near=0.8) == {1}


def test_a_text_near_another_query_s_positive_is_not_guarded_for_this_one():
    assert near_positives({"q1": [PASSAGE]}, {"q2": {1: PASSAGE}}, near=0.8) == frozenset()


def test_two_different_chinese_texts_are_not_alike_and_two_equal_ones_are():
    """O57."""
    ranked = {"q": {1: "今天天气很好我们去公园", 2: "黄铁矿是一种硫化物矿物。"}}
    assert near_positives({"q": ["黄铁矿是一种硫化物矿物"]}, ranked, near=0.9) == {2}


def test_what_scores_as_high_as_the_best_positive_less_the_margin_is_guarded():
    scores = {"q": {1: -2.0, 2: -2.5, 3: -3.5, 4: 0.0}, "unscored": {5: 9.0}}
    assert close_in_score(scores, {"q": [1], "unscored": [8]}, margin=1.0) == {2, 4}


def test_a_known_positive_is_never_guarded_as_a_false_negative():
    assert close_in_score({"q": {1: 3.0, 2: 5.0}}, {"q": [1, 2]}, margin=9.0) == frozenset()
