"""Collections of layouts that name their configs; for the others see test_layout and test_trec_collection."""

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import collection_files, read_collection, read_parts, write_parquet
from pyrite.formats.layout import names_in


def put(folder, name, **columns):
    path = folder / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_parquet(path, pa.table(columns))


def test_a_task_of_mteb_is_read_by_language(tmp_path):
    for code in ("ja", "ko"):
        put(tmp_path, f"{code}-corpus/dev", id=[f"{code}1"], text=["a"], title=["T"])
        put(tmp_path, f"{code}-queries/dev", id=["q"], text=["a?"])
        put(tmp_path, f"{code}-qrels/dev", **{"query-id": ["q"], "corpus-id": [f"{code}1"], "score": [2]})
    found = read_collection(tmp_path, split="ko")
    assert (found.corpus[0].doc_id, found.corpus[0].title, found.qrels["q"]) == ("ko1", "T", {"ko1": 2})
    with pytest.raises(DataError, match="has several splits; choose one of ja/dev, ko/dev"):
        read_collection(tmp_path)


def test_a_task_of_jmteb_is_read_from_numbered_files(tmp_path):
    put(tmp_path, "jaqket-query/train/0000", query=["a?"], relevant_docs=[["d1"]])
    put(tmp_path, "jaqket-query/train/0001", query=["b?"], relevant_docs=[["d2", "d1"]])
    put(tmp_path, "jaqket-corpus/corpus/0000", docid=["d1", "d2"], title=["", "T"], text=["a", "b"])
    found = read_collection(tmp_path, split="jaqket")
    assert list(found.qrels.rows()) == [("q0", "d1", 1), ("q1", "d2", 1), ("q1", "d1", 1)]


def test_the_parts_of_a_split_may_refer_to_what_is_not_there(tmp_path):
    put(tmp_path, "corpus", _id=["d1"], text=["a"])
    put(tmp_path, "queries", _id=["q1"], text=["a?"])
    put(tmp_path, "qrels", **{"query-id": ["q9"], "corpus-id": ["d9"], "score": [1]})
    files = collection_files(names_in(tmp_path), None, where="toy")
    corpus, queries, qrels = read_parts(tmp_path, files)
    assert (len(corpus), len(queries), qrels["q9"]) == (1, 1, {"d9": 1})
