"""A system of another package is found by its entry point, and measured like ours."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, RecipeError, TextPairs
from pyrite.pipelines import evaluate
from pyrite.retrieval import make_retriever, make_scorer, parse_system
from pyrite.retrieval.own_systems import own_families

SOURCE = """
import numpy as np
from pyrite.retrieval import VectorIndex

class Letters:
    family = "dense"

    def __init__(self, argument, settings):
        self.letters, self.scale = argument, float(settings.get("scale", 1))

    @property
    def name(self):
        return f"letters:{self.letters}"

    def embed(self, texts):
        return self.scale * np.array([[text.count(letter) for letter in self.letters] for text in texts], np.float32)

    def index(self, corpus):
        return VectorIndex(self.name, corpus.ids, self.embed(corpus.contents().to_pylist()), self.embed)

class Lengths:
    def __init__(self, argument, settings):
        self.name = "lengths"

    def score(self, pairs):
        held = np.array([len(text) for text in pairs.corpus.texts.to_pylist()], np.float32)
        return held[pairs.doc_positions]

def nothing(argument, settings):
    return "not a system"
"""
POINTS = """[pyrite.systems]
letters = lettered:Letters
lengths = lettered:Lengths
nothing = lettered:nothing
gone = lettered:gone
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "lettered-1.0.dist-info"
    info.mkdir()
    (tmp_path / "lettered.py").write_text(SOURCE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lettered\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lettered", raising=False)


def test_its_name_is_a_family_that_takes_an_argument_and_settings() -> None:
    assert {"gone", "lengths", "letters", "nothing"} <= set(own_families())
    assert parse_system("letters:ab,scale=2").settings == {"scale": "2"}
    assert make_retriever("letters:ab,scale=2").name == "letters:ab"


def test_it_is_measured_like_any_other() -> None:
    corpus = Corpus.of([Document("d1", "abba"), Document("d2", "cc")])
    asked = Queries.of([Query("q1", "b"), Query("q2", "c")])
    toy = Collection("toy", "", corpus, asked, Qrels.of({"q1": {"d1": 1}, "q2": {"d2": 1}}))
    report = evaluate(toy, ["letters:abc"])
    assert (report.systems[0].family, report.mean("RR@10")) == ("dense", 1.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing:x", "the system 'nothing' of lettered: gives a str, which has no `name` and `index`"),
        ("gone:x", "the system 'gone' of lettered: can't be imported"),
        ("letterz:x", "unknown system 'letterz:x'; accepted: .*letters\\[:\\.\\.\\.\\]"),
    ],
)
def test_one_that_makes_no_system_is_told_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        make_retriever(text)


def test_one_that_scores_pairs_is_a_scorer_by_its_name() -> None:
    corpus, asked = Corpus.of([Document("d1", "abba"), Document("d2", "cc")]), Queries.of([Query("q1", "b")])
    places = np.array([1, 0], np.int32)
    scores = make_scorer("lengths").score(TextPairs(asked, corpus, np.zeros(2, np.int32), places))
    assert scores.tolist() == [2.0, 4.0]


def test_what_a_system_cannot_do_is_told_by_the_method_that_it_lacks() -> None:
    with pytest.raises(
        RecipeError, match="gives a Letters, which has no `name` and `score`, so it cannot be a teacher"
    ):
        make_scorer("letters:ab")
    with pytest.raises(RecipeError, match="gives a Lengths, which has no `name` and `index`"):
        make_retriever("lengths")
    with pytest.raises(RecipeError, match=r"unknown scorer 'lengthz'; accepted: rerank:MODEL.*lengths\[:\.\.\.\]"):
        make_scorer("lengthz")
