"""The rules of rows: ids, texts and judgements, one line for each that is broken."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.formats import write_parquet
from pyrite.publishing import check_folder, write_card
from pyrite.publishing.rules import SHOWN

Put = Callable[[Path, list[dict[str, Any]]], None]


def told(folder: Path) -> list[str]:
    """The offences that are not only about a card that is older than the rows."""
    lines = [str(offence) for offence in check_folder(folder)]
    return [line for line in lines if "is stale" not in line and "manifest.json" not in line]


def edit(folder: Path, file: str, put: Put, *, drop: int = 0, **changes: tuple[int, Any]) -> None:
    """Change one value a column: `text=(row, value)`."""
    rows = pq.read_table(folder / file).to_pylist()
    for column, (row, value) in changes.items():
        rows[row][column.replace("_id", "-id") if column.endswith(("query_id", "corpus_id")) else column] = value
    put(folder / file, rows[drop:])


def test_an_id_twice_is_told(published: Path, put_rows: Put) -> None:
    edit(published, "corpus/corpus.parquet", put_rows, _id=(5, "d1"))
    assert told(published) == ["corpus/corpus.parquet: id 'd1': occurs more than once"]


def test_an_empty_text_is_told(published: Path, put_rows: Put) -> None:
    edit(published, "queries/queries.parquet", put_rows, text=(1, " \u3000\n"))
    edit(published, "corpus/corpus.parquet", put_rows, text=(3, None))
    assert told(published) == [
        "corpus/corpus.parquet: id 'd0': has an empty text",
        "queries/queries.parquet: id 'q1': has an empty text",
    ]


def test_a_judgement_of_a_document_that_is_not_there_is_told(published: Path, put_rows: Put) -> None:
    """O31: and a query that loses its only positive by it is not silently kept."""
    edit(published, "qrels/test.parquet", put_rows, corpus_id=(0, "d9"))
    assert told(published) == ["qrels/test.parquet: document 'd9': is not in the corpus"]


def test_a_judgement_of_a_query_that_is_not_there_is_told(published: Path, put_rows: Put) -> None:
    """O32."""
    edit(published, "qrels/test.parquet", put_rows, query_id=(2, "q5"))
    assert told(published) == [
        "qrels/test.parquet: query 'q5': is not in the queries",
        "queries/queries.parquet: query 'q2': has no positive in the qrels",
    ]


def test_a_judgement_twice_and_a_conflict_are_told_apart(published: Path, put_rows: Put) -> None:
    """O36."""
    path = published / "qrels" / "test.parquet"
    again = {"query-id": "q0", "corpus-id": "p0", "score": 1}
    conflict = {"query-id": "q1", "corpus-id": "p1", "score": 2}
    put_rows(path, [*pq.read_table(path).to_pylist(), again, conflict])
    assert told(published) == [
        "qrels/test.parquet: query 'q0', document 'p0': is judged more than once",
        "qrels/test.parquet: query 'q1', document 'p1': is judged with more than one score",
    ]


def test_a_query_judged_zero_alone_has_no_positive(published: Path, put_rows: Put) -> None:
    edit(published, "qrels/test.parquet", put_rows, score=(1, 0))
    assert told(published) == ["queries/queries.parquet: query 'q1': has no positive in the qrels"]


def test_integer_ids_are_told(published: Path) -> None:
    """O33."""
    write_parquet(published / "queries" / "queries.parquet", pa.table({"_id": [0, 1, 2], "text": ["a", "b", "c"]}))
    assert told(published)[0] == "queries/queries.parquet: column '_id': is int64, and ids are strings"


def test_files_of_one_config_with_two_schemas_are_told(published: Path) -> None:
    corpus = published / "corpus" / "corpus.parquet"
    corpus.rename(published / "corpus" / "corpus-00000-of-00002.parquet")
    write_parquet(
        published / "corpus" / "corpus-00001-of-00002.parquet", pa.table({"_id": ["d3"], "text": ["x"], "n": [1]})
    )
    write_card(published)
    assert told(published)[0] == (
        "corpus/corpus-00001-of-00002.parquet: has other columns or types than "
        "corpus/corpus-00000-of-00002.parquet of the same config"
    )


def test_text_that_is_not_utf8_is_told(published: Path) -> None:
    texts = pa.array([b"\xff\xfe", b"b", b"c"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"_id": ["q0", "q1", "q2"], "text": texts}), published / "queries" / "queries.parquet")
    assert "queries/queries.parquet: holds text that is not valid UTF-8" in told(published)


def test_very_many_offences_of_one_rule_are_named_first_and_then_counted(published: Path, put_rows: Put) -> None:
    path = published / "qrels" / "test.parquet"
    dangling = [{"query-id": "q0", "corpus-id": f"x{n}", "score": 1} for n in range(SHOWN + 5)]
    put_rows(path, [*pq.read_table(path).to_pylist(), *dangling])
    lines = told(published)
    assert len(lines) == SHOWN + 1
    assert lines[-1] == "qrels/test.parquet: 5 more: is not in the corpus"


def test_ids_that_other_tools_would_coerce_are_fine(published: Path, put_rows: Put) -> None:
    """O33, X11: "001" and "1" are two ids, and so are "no" and "1e3"."""
    ids = ["001", "1", "no"]
    rows = zip(pq.read_table(published / "queries" / "queries.parquet").to_pylist(), ids, strict=True)
    put_rows(published / "queries" / "queries.parquet", [{**row, "_id": one} for row, one in rows])
    rows = zip(pq.read_table(published / "qrels" / "test.parquet").to_pylist(), ids, strict=True)
    put_rows(published / "qrels" / "test.parquet", [{**row, "query-id": one} for row, one in rows])
    assert told(published) == []


def test_a_layout_with_a_split_a_table_is_checked_split_by_split(tmp_path: Path) -> None:
    """A query of one split is not known in another."""
    entries = []
    for config in ("corpus", "queries", "qrels"):
        (tmp_path / config).mkdir()
        entries.append(f"- config_name: {config}\n  data_files:\n")
        for split in ("de", "ja"):
            entries.append(f"  - split: {split}\n    path: {config}/{split}.parquet\n")
    for split in ("de", "ja"):
        write_parquet(tmp_path / "corpus" / f"{split}.parquet", pa.table({"_id": [f"{split}1"], "text": ["a"]}))
        write_parquet(tmp_path / "queries" / f"{split}.parquet", pa.table({"_id": ["1"], "text": ["b"]}))
        write_parquet(tmp_path / "qrels" / f"{split}.parquet", pa.table({"query-id": ["1"], "corpus-id": ["de1"]}))
    entries[0] = entries[0].replace("corpus\n", "corpus\n  default: true\n", 1)
    (tmp_path / "README.md").write_text(f"---\nconfigs:\n{''.join(entries)}---\n", encoding="utf-8")
    assert told(tmp_path) == ["qrels/ja.parquet: document 'de1': is not in the corpus"]
