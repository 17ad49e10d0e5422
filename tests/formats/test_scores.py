"""Tables of logits: read by name, refused by pair."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import read_scores, scores_table


def written(folder: Path, logits: list[float | None], kind: str = "float32") -> Path:
    path = folder / "scores.parquet"
    ids = {"query-id": ["q1", "q1", "q2"], "corpus-id": ["d1", "d2", "d1"]}
    pq.write_table(pa.table({**ids, "logit": pa.array(logits, getattr(pa, kind)())}), path)
    return path


def test_logits_are_float32_and_ids_stay_strings(tmp_path: Path) -> None:
    held = read_scores(written(tmp_path, [4.5, -1.0, 0.1], "float64"))
    assert held.logits.dtype == np.float32
    assert held.logits.tolist() == [4.5, -1.0, float(np.float32(0.1))]
    assert (held.query_ids.to_pylist(), held.doc_ids.to_pylist()) == (["q1", "q1", "q2"], ["d1", "d2", "d1"])
    assert len(held) == 3


@pytest.mark.parametrize("wrong", [float("nan"), None, float("inf")])
def test_a_logit_that_is_no_number_is_named_by_its_pair(tmp_path: Path, wrong: float | None) -> None:
    with pytest.raises(DataError, match="row 1: the logit of query 'q1' and document 'd2' is"):
        read_scores(written(tmp_path, [1.0, wrong, 2.0]))


def test_a_pair_that_is_scored_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("query-id,corpus-id,logit\nq1,001,1\nq1,1,2\nq1,001,3\n")
    with pytest.raises(DataError, match="row 2: query 'q1' and document '001' are scored twice"):
        read_scores(path)


def test_a_word_among_the_logits_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("query-id,corpus-id,logit\nq1,d1,high\n")
    with pytest.raises(DataError, match="line 2: column 'logit' holds 'high'"):
        read_scores(path)
    with pytest.raises(DataError, match=r"nowhere\.parquet"):
        read_scores(tmp_path / "nowhere.parquet")


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    pq.write_table(scores_table(["q1"], ["d1"], np.array([0.3])), tmp_path / "own.parquet")
    assert read_scores(tmp_path / "own.parquet").logits.tolist() == [float(np.float32(0.3))]
