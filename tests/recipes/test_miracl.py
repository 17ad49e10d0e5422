"""The shipped Japanese recipe runs on a mirror of its source's layout, with other systems in place of its models."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import read_collection, read_manifest
from pyrite.pipelines import build, refilter
from pyrite.publishing import check_folder

QUESTIONS = 60


@pytest.fixture
def mirror(shared_data: Path, tmp_path: Path) -> Path:
    """JMTEB's layout from JSQuAD: configs of queries with relevant_docs, and of a corpus with docid and text.

    Every sixth question has a second relevant passage; the logits of a teacher that reads words are beside it.
    """
    held = read_collection(shared_data / "jsquad")
    queries = held.queries.take(np.arange(0, 10 * QUESTIONS, 10))
    relevant = [held.qrels.positives(query_id) for query_id in queries.ids.to_pylist()]
    more = held.corpus.ids.to_pylist()
    for place in range(0, QUESTIONS, 6):
        relevant[place] = [*relevant[place], more[17 * place + 3]]
    root = tmp_path / "JMTEB"
    for name in ("miracl-retrieval-query", "miracl-retrieval-corpus"):
        (root / "data" / name).mkdir(parents=True)
    asked = {"query": queries.texts.to_pylist(), "relevant_docs": relevant}
    pq.write_table(pa.table(asked), root / "data" / "miracl-retrieval-query" / "train.parquet")
    documents = {"docid": more, "title": held.corpus.titles.to_pylist(), "text": held.corpus.texts.to_pylist()}
    pq.write_table(pa.table(documents), root / "data" / "miracl-retrieval-corpus" / "corpus.parquet")
    (root / "README.md").write_text(
        "---\nconfigs:\n"
        "- config_name: miracl-retrieval-query\n  data_files:\n"
        "  - split: train\n    path: data/miracl-retrieval-query/train.parquet\n"
        "- config_name: miracl-retrieval-corpus\n  data_files:\n"
        "  - split: corpus\n    path: data/miracl-retrieval-corpus/corpus.parquet\n---\n",
        encoding="utf-8",
    )
    return root


def logits_of(mirror: Path) -> Path:
    """Raw logits of every pair by shared characters, and by the mark of the relevant ones."""
    asked = pq.read_table(mirror / "data" / "miracl-retrieval-query" / "train.parquet").to_pylist()
    documents = pq.read_table(mirror / "data" / "miracl-retrieval-corpus" / "corpus.parquet").to_pylist()
    letters = [set(document["text"]) for document in documents]
    rows: dict[str, list[Any]] = {"query-id": [], "corpus-id": [], "logit": []}
    for place, row in enumerate(asked):
        own = set(row["query"])
        for document, held in zip(documents, letters, strict=True):
            good = document["docid"] in row["relevant_docs"]
            share = len(own & held) / len(own)
            rows["query-id"].append(f"q{place}")
            rows["corpus-id"].append(document["docid"])
            rows["logit"].append(
                np.float32((7.0 if good and place % 9 else 1.3 if good else 10 * share - 8) + len(rows["logit"]) / 1e6)
            )
    path = mirror.parent / "teacher.parquet"
    pq.write_table(pa.table(rows), path)
    return path


def overrides(mirror: Path, teacher: Path) -> list[str]:
    return [
        f"source.queries.path={mirror}",
        f"source.corpus.path={mirror}",
        'retriever=[{system = "bm25:ja", depth = 100}]',
        f'teacher={{system = "scores:{teacher}", depth = 50}}',
    ]


def test_the_recipe_runs_on_a_mirror_of_its_layout(mirror: Path, tmp_path: Path) -> None:
    """The numbers of the published set are expected of its own source, and refused of another."""
    teacher = logits_of(mirror)
    settings = overrides(mirror, teacher)
    with pytest.raises(DataError, match="queries is 60, expected 2,433"):
        build("training/miracl-ja", out=tmp_path / "out", work=tmp_path / "work", overrides=settings)
    settings += ["expect={queries = 60, pairs = 70, corpus = 1145}", "pool.sample=600"]
    folder = build("training/miracl-ja", out=tmp_path / "out", work=tmp_path / "work", overrides=settings).folder
    manifest = read_manifest(folder)
    assert manifest.counts["pairs"] == 70
    assert 600 < manifest.counts["pool"] <= 670
    weak = sum(1 + (place % 6 == 0) for place in range(0, QUESTIONS, 9))
    assert manifest.counts["weak_positive"] == weak
    rows = pq.read_table(folder / "n-tuples" / "train.parquet")
    assert rows.num_rows == 70 - weak - manifest.counts["too_few_candidates"] >= 50
    labels = np.array(rows["label"].to_pylist())
    provenance = pq.read_table(folder / "provenance" / "train.parquet").to_pylist()
    for label, row in zip(labels, provenance, strict=True):
        kept = [logit for logit, how in zip(label[1:], row["chosen"], strict=True) if how != "top-up"]
        assert all(label[0] - logit >= 4.0 for logit in kept)
    relevant = pq.read_table(mirror / "data" / "miracl-retrieval-query" / "train.parquet")["relevant_docs"].to_pylist()
    for row in provenance:
        assert not set(row["negative-ids"]) & set(relevant[int(row["query-id"][1:])])
    assert check_folder(folder) == []
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "| pool | 2,000,605 |" in text
    assert "license: cc-by-sa-4.0" in text
    assert "sbintuitions_jmteb" in text


def test_the_same_recipe_twice_is_the_same_bytes_and_refilters_to_a_rebuild(mirror: Path, tmp_path: Path) -> None:
    settings = [*overrides(mirror, logits_of(mirror)), "expect={pairs = 70}", "pool.sample=300"]

    def contents(name: str) -> dict[str, bytes]:
        folder = tmp_path / name
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}

    for name in ("a", "b"):
        build("training/miracl-ja", out=tmp_path / name, work=tmp_path / f"work-{name}", overrides=settings)
    assert contents("a") == contents("b")
    build(
        "training/miracl-ja",
        out=tmp_path / "c",
        work=tmp_path / "work-a",
        overrides=[*settings, "select.absolute_margin=3"],
    )
    refilter(tmp_path / "a", out=tmp_path / "d", overrides=["select.absolute_margin=3"])
    assert contents("c") == contents("d")
