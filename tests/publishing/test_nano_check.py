import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.publishing import check_folder, write_card
from pyrite.publishing.nano_check import nano_offences
from pyrite.publishing.nano_facts import nano_facts

Change = Callable[[list[dict[str, Any]]], None]


def told(folder: Path) -> list[str]:
    return [str(offence) for offence in nano_offences(nano_facts(folder))]


def change(folder: Path, place: str, edit: Change) -> None:
    rows = pq.read_table(folder / place).to_pylist()
    edit(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=pq.read_schema(folder / place)), folder / place)


def edit_metadata(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "metadata/en.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    edit(held)
    path.write_text(json.dumps(held), encoding="utf-8")


def test_a_folder_as_it_was_built_has_no_offence(nano_toy: Path) -> None:
    assert told(nano_toy) == []


def test_the_check_of_a_folder_is_the_check_of_its_kind(nano_toy: Path) -> None:
    write_card(nano_toy)
    assert check_folder(nano_toy) == []
    change(nano_toy, "bm25/en.parquet", lambda rows: rows[0]["corpus-ids"].append("d9"))
    assert "names a document that is not in the corpus" in "".join(map(str, check_folder(nano_toy)))


def test_a_document_twice_in_one_list_is_an_offence(nano_toy: Path) -> None:
    change(nano_toy, "bm25/en.parquet", lambda rows: rows[0]["corpus-ids"].append("d1"))
    assert told(nano_toy) == ["bm25/en.parquet: query 'q1': names a document twice"]


def test_a_candidate_that_is_not_in_the_corpus_is_an_offence(nano_toy: Path) -> None:
    change(nano_toy, "bm25/en.parquet", lambda rows: rows[0]["corpus-ids"].append("d9"))
    assert told(nano_toy) == ["bm25/en.parquet: query 'q1': names a document that is not in the corpus"]


@pytest.mark.parametrize("edit", [lambda rows: rows.pop(), lambda rows: rows.reverse()])
def test_lists_of_other_queries_or_in_another_order_are_an_offence(nano_toy: Path, edit: Change) -> None:
    change(nano_toy, "bm25/en.parquet", edit)
    assert told(nano_toy) == ["bm25/en.parquet: query-id: are not the ids of queries/en.parquet, in its order"]


def test_a_positive_that_a_list_lacks_is_an_offence_unless_the_metadata_say_so(nano_toy: Path) -> None:
    change(nano_toy, "bm25/en.parquet", lambda rows: rows[0]["corpus-ids"].remove("d3"))
    assert told(nano_toy) == ["bm25/en.parquet: query 'q1': lacks a positive"]
    edit_metadata(nano_toy, lambda held: held["candidates"]["bm25"]["positives_left_out"].update({"q1": ["d3"]}))
    assert told(nano_toy) == []


def test_a_document_that_is_called_forced_and_is_not_there_is_an_offence(nano_toy: Path) -> None:
    edit_metadata(nano_toy, lambda held: held["candidates"]["bm25"]["forced"].update({"q1": ["d2"]}))
    assert told(nano_toy) == ["bm25/en.parquet: query 'q1': lacks a document that the metadata call forced"]


def test_a_query_without_candidates_is_no_offence_where_positives_are_as_retrieved(nano_toy: Path) -> None:
    change(nano_toy, "bm25/en.parquet", lambda rows: rows[1]["corpus-ids"].clear())
    edit_metadata(nano_toy, lambda held: held["candidates"]["bm25"].update(positives="as retrieved", forced={}))
    assert told(nano_toy) == []


def test_counts_that_the_files_do_not_bear_out_are_offences(nano_toy: Path) -> None:
    change(nano_toy, "corpus/en.parquet", lambda rows: rows.append({"_id": "d4", "text": "Halite is salt."}))
    assert told(nano_toy) == [
        "metadata/en.json: counts.corpus: is 3, the file holds 4",
    ]
    write_card(nano_toy)
    assert "manifest.json: counts.corpus: is 6, the files hold 7" in map(str, check_folder(nano_toy))


def test_a_config_without_the_file_of_a_split_is_an_offence(nano_toy: Path) -> None:
    (nano_toy / "bm25/en.parquet").unlink()
    assert "bm25/en.parquet: is missing" in told(nano_toy)


def test_very_many_offences_of_one_kind_are_named_for_the_first_and_counted(nano_toy: Path) -> None:
    names = [f"q{number}" for number in range(30)]
    queries = [{"_id": name, "text": "what?"} for name in names]
    pq.write_table(pa.Table.from_pylist(queries), nano_toy / "queries/en.parquet")
    lists = [{"query-id": name, "corpus-ids": ["d1", "d1"]} for name in names]
    pq.write_table(pa.Table.from_pylist(lists), nano_toy / "bm25/en.parquet")
    found = [line for line in told(nano_toy) if "twice" in line]
    assert len(found) == 21
    assert found[-1] == "bm25/en.parquet: 10 more: names a document twice"
