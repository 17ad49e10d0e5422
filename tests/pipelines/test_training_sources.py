"""Where pairs and corpus come from: tables, and folders in a known layout."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query, RecipeError
from pyrite.formats import write_beir
from pyrite.pipelines import load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_sources import OpenedSources, open_sources, told_sources

Make = Callable[..., Path]


def opened(path: Path, *overrides: str) -> OpenedSources:
    loaded = load_recipe(str(path), overrides)
    assert isinstance(loaded.recipe, TrainingRecipe)
    return open_sources(loaded.recipe, loaded.base)


def pairs_of(sources: OpenedSources) -> list[tuple[str, str]]:
    return [(pair.query_id, pair.doc_id) for pair in sources.expanded.known]


def documents_of(sources: OpenedSources) -> list[tuple[str, str]]:
    batches = [batch for shard in sources.corpus for batch in shard.data.read()]
    return [(row["id"], row["text"]) for batch in batches for row in batch.to_pylist()]


def test_tables_are_read_under_our_names(make_mining: Make) -> None:
    path = make_mining()
    table = pa.table({"qid": ["x", "y"], "question": ["a?", "b?"], "relevant_docs": [["p1"], ["p2", "p3"]]})
    pq.write_table(table, path.parent / "jmteb.parquet")
    columns = '{ id = "qid", query = "question", relevant = "relevant_docs" }'
    sources = opened(path, "source.queries.path=jmteb.parquet", f"source.queries.columns={columns}")
    assert pairs_of(sources) == [("x", "p1"), ("y", "p2"), ("y", "p3")]
    told = told_sources(sources.told, 11)
    assert (told["queries"]["rows"], told["corpus"]["rows"]) == (2, 11)
    assert documents_of(sources)[0] == ("p1", "Pyrite shines.")


def beir(folder: Path) -> Path:
    corpus = Corpus.of([Document("001", "Shines.", title="Pyrite"), Document("1", "Soft.")])
    queries = Queries.of([Query("q2", "b?"), Query("q1", "a?"), Query("q3", "c?")])
    qrels = Qrels.of({"q1": {"1": 2, "001": 0}, "q2": {"001": 1, "1": 1}})
    write_beir(folder, Collection("toy", "en", corpus, queries, qrels), split="train")
    return folder


def test_a_folder_has_pairs_and_corpus_and_its_queries_keep_their_order(make_mining: Make, tmp_path: Path) -> None:
    path = make_mining(source={"queries": {"path": str(beir(tmp_path / "beir")), "split": "train"}})
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('[source.corpus]\npath = "corpus.parquet"\n', ""), encoding="utf-8")
    sources = opened(path)
    # A document that is judged 0 is no positive.
    assert pairs_of(sources) == [("q2", "001"), ("q2", "1"), ("q1", "1")]
    assert sources.expanded.entry.dropped == {"no relevant document": 1}
    assert documents_of(sources) == [("001", "Pyrite\n\nShines."), ("1", "Soft.")]
    assert sources.told["corpus"]["digest"] == sources.told["queries"]["digest"]


def test_a_table_of_queries_needs_a_corpus(make_mining: Make) -> None:
    path = make_mining()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('[source.corpus]\npath = "corpus.parquet"\n', ""), encoding="utf-8")
    with pytest.raises(RecipeError, match=r"'source\.corpus' is missing"):
        opened(path)


def test_a_wrong_column_is_told_before_the_corpus_is_read(make_mining: Make) -> None:
    path = make_mining()
    with pytest.raises(DataError, match="no column 'docid'"):
        opened(path, 'source.corpus.columns={ id = "docid" }')


def test_queries_without_a_relevant_document_are_no_source(make_mining: Make) -> None:
    path = make_mining(queries=[("a?", []), ("b?", [])])
    with pytest.raises(DataError, match="no query has a text and a relevant document"):
        opened(path)


def test_a_bare_string_is_one_relevant_document(make_mining: Make, tmp_path: Path) -> None:
    """O09."""
    path = make_mining()
    (tmp_path / "q.jsonl").write_text('{"query": "a?", "relevant": "p1"}\n{"query": "b?", "relevant": "p2"}\n')
    assert pairs_of(opened(path, "source.queries.path=q.jsonl")) == [("q0", "p1"), ("q1", "p2")]
    (tmp_path / "q.jsonl").write_text('{"query": "a?", "relevant": ["p1"]}\n{"query": "b?", "relevant": "p2"}\n')
    with pytest.raises(DataError, match="line 2"):
        opened(path, "source.queries.path=q.jsonl")
