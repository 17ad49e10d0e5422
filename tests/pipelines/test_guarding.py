"""What a guard's system says of pairs, whatever the system is."""

from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Corpus, Document, Queries, Query, RecipeError, Run, TextPairs
from pyrite.pipelines.guarding import guard_settings, held_scores, is_file, pair_scores, ranked_scores

TEXTS = ("gold is soft", "pyrite glitters", "gold gold gold", "quartz is hard")


@pytest.fixture
def pairs() -> TextPairs:
    """Every document for each of two queries."""
    corpus = Corpus.of([Document(f"d{number}", text) for number, text in enumerate(TEXTS)])
    queries = Queries.of([Query("q1", "soft gold"), Query("q2", "hard quartz")])
    rows = np.repeat(np.arange(2, dtype=np.int32), 4)
    return TextPairs(queries, corpus, rows, np.tile(np.arange(4, dtype=np.int32), 2))


@pytest.mark.parametrize("family", ["dense", "sparse", "multi-vector", "rerank"])
def test_a_model_beside_the_recipe_scores_the_pairs(family, make_model, pairs, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
    model = make_model({"sparse": "masked", "rerank": "cross"}.get(family, "dense"))
    (tmp_path / "models").mkdir()
    (tmp_path / "models/tiny").symlink_to(model)
    scores = pair_scores(f"{family}:models/tiny", pairs, language="en", base=tmp_path)
    assert scores.shape == (8,)
    assert len(set(scores.tolist())) > 4
    # A pair's score does not depend on what else is scored.
    one = TextPairs(pairs.queries, pairs.corpus, pairs.query_positions[5:6], pairs.doc_positions[5:6])
    alone = pair_scores(f"{family}:models/tiny", one, language="en", base=tmp_path)
    assert alone[0] == pytest.approx(scores[5], abs=1e-5)


def test_what_a_complete_ranking_lacks_scores_0(pairs: TextPairs) -> None:
    scores = pair_scores("bm25", pairs, language="en", base=Path())
    assert (scores > 0).tolist() == [True, False, True, False, False, False, False, True]
    assert scores[0] > scores[2]


def test_a_fusion_scores_by_its_ranking(pairs: TextPairs) -> None:
    scores = pair_scores("fusion:rrf,of=bm25+bm25:en", pairs, language="en", base=Path())
    assert scores[[0, 2, 7]].tolist() == pytest.approx([2 / 61, 2 / 62, 2 / 61])
    assert scores[[1, 3, 4, 5, 6]].tolist() == [0] * 5


class Descending:
    """Ranks d0, d1, d2, d3 with scores -1, -2, -3, -4 for every query."""

    name = "descending"

    def index(self, corpus: Corpus) -> "Descending":
        return self

    def search(self, queries: Queries, depth: int) -> Run:
        ranking = [(f"d{number}", -1.0 - number) for number in range(4)][:depth]
        return Run.of(self.name, dict.fromkeys(queries.ids.to_pylist(), ranking))


def test_what_a_ranking_that_is_cut_lacks_may_score_like_its_last(pairs: TextPairs) -> None:
    assert ranked_scores(Descending(), pairs, hits=4).tolist() == [-1, -2, -2, -2] * 2
    assert ranked_scores(Descending(), pairs).tolist() == [-1, -2, -3, -4] * 2


def test_a_file_gives_what_it_holds_of_the_documents_that_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.trec").write_text("q1 Q0 t1 1 5.0 x\nq1 Q0 t9 2 4.0 x\nq2 Q0 p0 1 3.0 x\n")
    (tmp_path / "a.csv").write_text("query-id,corpus-id,logit\nq1,t1,2.5\nq1,t9,1\n")
    numbers = {"t1": 1, "p0": -1}
    assert held_scores("run:a.trec", tmp_path, numbers) == {"q1": {1: 5.0}, "q2": {-1: 3.0}}
    assert held_scores("scores:a.csv", tmp_path, numbers) == {"q1": {1: 2.5}}
    assert is_file("run:a.trec")
    assert not is_file("bm25:en")


def test_the_settings_of_a_guard_change_with_its_file_and_name_a_missing_one(tmp_path: Path) -> None:
    assert guard_settings("", language="en", base=tmp_path) == {}
    path = tmp_path / "a.trec"
    path.write_text("q1 Q0 t1 1 5.0 x\n")
    before = guard_settings("run:a.trec", language="en", base=tmp_path)
    path.write_text("q1 Q0 t1 1 5.5 x\n# changed\n")
    assert guard_settings("run:a.trec", language="en", base=tmp_path) != before
    assert guard_settings("bm25", language="de", base=tmp_path)["system"] == "bm25:de"
    with pytest.raises(RecipeError, match=r"b\.trec: there is no such file; check the path of 'scores:b\.trec'"):
        guard_settings("scores:b.trec", language="en", base=tmp_path)
