"""A system of another package is found by its entry point, and measured like ours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, RecipeError
from pyrite.pipelines import evaluate
from pyrite.retrieval import make_retriever, parse_system
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

def nothing(argument, settings):
    return "not a system"
"""
POINTS = "[pyrite.systems]\nletters = lettered:Letters\nnothing = lettered:nothing\ngone = lettered:gone\n"


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
    assert own_families() == ["gone", "letters", "nothing"]
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
        ("letterz:x", "unknown system 'letterz:x'; accepted: .*letters:\\.\\.\\."),
    ],
)
def test_one_that_makes_no_system_is_told_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        make_retriever(text)
