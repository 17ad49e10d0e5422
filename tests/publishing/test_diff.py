"""What came, went or changed between two versions."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import CORPUS, QRELS, QUERIES, write_parquet
from pyrite.formats.provenance import KNOWN, PROVENANCE, TEXTS
from pyrite.publishing import NegativeChanges, QrelChanges, RowChanges, TextChanges, diff_folders

Make = Callable[..., Path]


@pytest.fixture
def version(tmp_path: Path) -> Make:
    def make(name: str, documents: dict[str, str], qrels: list[tuple[str, str, int]] | None = None) -> Path:
        folder = tmp_path / name
        for config in ("corpus", "queries", "qrels"):
            (folder / config).mkdir(parents=True)
        texts = pa.table({"_id": list(documents), "text": list(documents.values())}, schema=CORPUS)
        write_parquet(folder / "corpus" / "corpus.parquet", texts)
        write_parquet(
            folder / "queries" / "queries.parquet", pa.table({"_id": ["q0"], "text": ["why"]}, schema=QUERIES)
        )
        rows = [dict(zip(QRELS.names, row, strict=True)) for row in qrels or [("q0", "p0", 1)]]
        write_parquet(folder / "qrels" / "test.parquet", pa.Table.from_pylist(rows, schema=QRELS))
        return folder

    return make


def test_a_folder_does_not_differ_from_itself(toy: Path) -> None:
    diff = diff_folders(toy, toy)
    assert not diff
    assert diff.documents == TextChanges((), (), (), (), same=6)
    assert diff.qrels == QrelChanges((), (), (), same=3)


def test_documents_are_matched_by_id(version: Make) -> None:
    before = version("a", {"p0": "iron", "p1": "gold", "p2": "lead"})
    after = version("b", {"p0": "iron", "p1": "silver", "p3": "zinc"})
    assert diff_folders(before, after).documents == TextChanges(("p3",), ("p2",), ("p1",), (), same=1)


def test_ids_given_out_anew_are_renamings_not_changes(version: Make) -> None:
    """One passage more at the top moves every number."""
    before = version("a", {"p0": "iron", "p1": "gold"})
    after = version("b", {"p0": "zinc", "p1": "iron", "p2": "gold"})
    told = diff_folders(before, after).documents
    assert told == TextChanges(("p0",), (), (), (("p0", "p1"), ("p1", "p2")), same=0)


def test_equal_texts_are_matched_one_to_one(version: Make) -> None:
    before = version("a", {"p0": "iron", "p1": "iron"})
    after = version("b", {"p7": "iron"})
    assert diff_folders(before, after).documents == TextChanges((), ("p1",), (), (("p0", "p7"),), same=0)


def test_judgements_are_matched_by_both_ids(version: Make) -> None:
    documents = {"p0": "iron", "p1": "gold", "p2": "lead"}
    before = version("a", documents, [("q0", "p0", 1), ("q0", "p1", 1)])
    after = version("b", documents, [("q0", "p0", 2), ("q0", "p2", 1)])
    assert diff_folders(before, after).qrels == QrelChanges(
        (("q0", "p2", 1),), (("q0", "p1", 1),), (("q0", "p0", 1, 2),), same=0
    )


def test_a_title_is_part_of_a_document(version: Make) -> None:
    before, after = version("a", {"p0": "iron"}), version("b", {"p0": "iron"})
    titled = pq.read_table(after / "corpus" / "corpus.parquet").append_column("title", pa.array(["Fe"]))
    write_parquet(after / "corpus" / "corpus.parquet", titled)
    assert diff_folders(before, after).documents.changed == ("p0",)


def test_files_and_batches_make_no_difference(version: Make) -> None:
    before, after = (version(name, {"p0": "iron", "p1": "gold"}) for name in "ab")
    corpus = after / "corpus" / "corpus.parquet"
    table = pq.read_table(corpus)
    corpus.unlink()
    for place in range(2):
        write_parquet(after / "corpus" / f"corpus-0000{place}-of-00002.parquet", table.slice(place, 1))
    assert not diff_folders(before, after)


def test_the_lines_count_and_name(version: Make) -> None:
    before = version("a", {"p0": "iron"})
    after = version("b", {f"p{place}": f"text {place}" for place in range(12)} | {"p0": "iron"})
    lines = diff_folders(before, after).lines()
    assert lines[0] == "documents: 11 added, 0 removed, 0 changed, 0 renamed, 1 the same"
    assert lines[1] == "  added: p1"
    assert lines[11] == "  added: 1 more"
    assert diff_folders(before, after).to_json()["documents"]["added"][0] == "p1"


def test_a_folder_without_tables_is_an_error(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there is no corpus/\*\.parquet"):
        diff_folders(toy, tmp_path / "nowhere")


def test_the_splits_of_a_nano_dataset_are_compared_each_with_its_own(tmp_path: Path) -> None:
    for name, text in (("a", "gold"), ("b", "iron")):
        for split, said in (("ja", "zinc"), ("no", text)):
            for config in ("corpus", "queries", "qrels"):
                (tmp_path / name / config).mkdir(parents=True, exist_ok=True)
            write_parquet(tmp_path / name / f"corpus/{split}.parquet", pa.table({"_id": ["d1"], "text": [said]}))
            write_parquet(tmp_path / name / f"queries/{split}.parquet", pa.table({"_id": ["q1"], "text": ["?"]}))
            judged = pa.table({"query-id": ["q1"], "corpus-id": ["d1"]})
            write_parquet(tmp_path / name / f"qrels/{split}.parquet", judged)
    assert not diff_folders(tmp_path / "a", tmp_path / "a")
    found = diff_folders(tmp_path / "a", tmp_path / "b")
    assert found.documents == TextChanges((), (), ("no/d1",), (), same=1)
    assert (found.queries.same, found.qrels) == (2, QrelChanges((), (), (), same=2))


def test_one_pair_in_two_splits_of_qrels_is_two_judgements(version: Make) -> None:
    folders = [version(name, {"p0": "iron"}) for name in ("a", "b")]
    for folder, score in zip(folders, (1, 2), strict=True):
        rows = pa.table({"query-id": ["q0"], "corpus-id": ["p0"], "score": [score]}, schema=QRELS)
        write_parquet(folder / "qrels" / "dev.parquet", rows)
    assert diff_folders(*folders).qrels == QrelChanges((), (), (("dev/q0", "p0", 1, 2),), same=1)


def mined(folder: Path, rows: list[dict[str, object]], texts: dict[str, str], short: bool = False) -> Path:
    """The provenance of a mined set with one question."""
    place = folder / "provenance"
    place.mkdir(parents=True)
    schema = PROVENANCE
    whole = [{**dict.fromkeys(schema.names), "row": row, **told} for row, told in enumerate(rows)]
    cut = len(whole) - int(short)
    write_parquet(place / "train.parquet", pa.Table.from_pylist(whole[:cut], schema=schema))
    if short:
        write_parquet(place / "short.parquet", pa.Table.from_pylist(whole[cut:], schema=schema))
    named = [{"role": "query", "id": "q0", "text": "why"}]
    named += [{"role": "document", "id": doc_id, "text": text} for doc_id, text in texts.items()]
    write_parquet(place / "texts.parquet", pa.Table.from_pylist(named, schema=TEXTS))
    known = [{"query-id": "q0", "corpus-id": row["positive-id"], "row": place} for place, row in enumerate(rows)]
    write_parquet(place / "pairs.parquet", pa.Table.from_pylist(known, schema=KNOWN))
    return folder


def row(positive: str, negatives: dict[str, float], chosen: str = "margin") -> dict[str, object]:
    return {
        "query-id": "q0",
        "positive-id": positive,
        "negative-ids": list(negatives),
        "logits": list(negatives.values()),
        "chosen": [chosen] * len(negatives),
    }


def test_negatives_that_came_went_or_changed_are_named_by_the_ids_of_their_row(tmp_path: Path) -> None:
    texts = {name: name for name in ("p0", "p1", "p2", "n1", "n2", "n3")}
    before = mined(tmp_path / "a", [row("p0", {"n1": 0.5, "n2": 0.25}), row("p1", {"n3": 1.0})], texts)
    after = mined(tmp_path / "b", [row("p0", {"n2": 0.25, "n3": 0.0}), row("p2", {"n1": 2.0})], texts)
    found = diff_folders(before, after)
    assert found.rows == RowChanges((("q0", "p2"),), (("q0", "p1"),), same=1)
    assert found.negatives == NegativeChanges(
        added=(("q0", "p0", "n3"), ("q0", "p2", "n1")),
        removed=(("q0", "p0", "n1"), ("q0", "p1", "n3")),
        changed=(("q0", "p0", "n2", "negative_2, logit 0.25, margin", "negative_1, logit 0.25, margin"),),
        same=0,
    )
    assert found.qrels == QrelChanges((("q0", "p2", 1),), (("q0", "p1", 1),), (), same=1)
    assert (found.documents.same, found.queries.same) == (6, 1)
    lines = found.lines()
    assert "negatives: 2 added, 2 removed, 1 changed, 0 the same" in lines
    assert lines[-1] == "  changed: q0 p0 n2: negative_2, logit 0.25, margin -> negative_1, logit 0.25, margin"
    assert found.to_json()["rows"]["removed"] == (("q0", "p1"),)


def test_a_row_that_is_short_in_one_version_only_is_the_same_row(tmp_path: Path) -> None:
    rows, texts = [row("p0", {"n1": 0.5}), row("p1", {"n1": 1.0})], {name: name for name in ("p0", "p1", "n1")}
    before, after = mined(tmp_path / "a", rows, texts), mined(tmp_path / "b", rows, texts, short=True)
    assert not diff_folders(before, after)
    assert diff_folders(before, after).negatives == NegativeChanges((), (), (), same=2)


def test_a_logit_or_a_way_of_being_chosen_is_a_change(tmp_path: Path) -> None:
    texts = {"p0": "iron", "n1": "gold"}
    before = mined(tmp_path / "a", [row("p0", {"n1": 0.5})], texts)
    for name, other in (("b", row("p0", {"n1": 0.75})), ("c", row("p0", {"n1": 0.5}, "top-up"))):
        negatives = diff_folders(before, mined(tmp_path / name, [other], texts)).negatives
        assert negatives is not None
        assert (len(negatives.changed), negatives.same) == (1, 0)


def test_a_mined_set_and_a_benchmark_are_no_two_versions(version: Make, tmp_path: Path) -> None:
    set_ = mined(tmp_path / "mined", [row("p0", {"n1": 0.5})], {"p0": "iron", "n1": "gold"})
    for pair in ((set_, version("a", {"p0": "iron"})), (version("b", {"p0": "iron"}), set_)):
        with pytest.raises(DataError, match=r"mined: is a mined set, and .* is none; name two versions"):
            diff_folders(*pair)
