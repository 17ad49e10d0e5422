"""What a recipe says of self-matches and templates is in the folder, on the card, and in every measurement."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import pyrite
from pyrite.core import Corpus, Document, Qrels, Queries, Query, Run
from pyrite.formats import Manifest, read_collection, write_manifest, write_published, write_run
from pyrite.pipelines import build
from pyrite.pipelines.evaluating import files_digest

RECIPE = """\
kind = "benchmark"
name = "small"
language = "en"
remove_self = true

[source.eval]
path = "eval.jsonl"

[distractors]
count = 0
"""


def test_the_switch_for_self_matches_goes_from_the_recipe_to_card_and_collection(tmp_path: Path) -> None:
    """O22, O23."""
    rows = [{"query": f"what is {n}?", "passage": f"passage {n}"} for n in range(3)]
    (tmp_path / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "small.toml").write_text(RECIPE)
    for switch, told in (("true", "is taken out of every ranking"), ("false", "is ranked like any other")):
        out = tmp_path / switch
        build(tmp_path / "small.toml", out=out, work=tmp_path / "work", overrides=[f"remove_self={switch}"])
        assert f"A document whose id is the query's id {told}." in (out / "README.md").read_text()
        assert pyrite.load(str(out)).remove_self is (switch == "true")


@pytest.mark.parametrize(("switch", "ndcg"), [(True, 1.0), (False, pytest.approx(0.6309, abs=1e-4))])
def test_a_self_match_is_taken_out_by_the_folder_s_switch_and_by_nothing_else(
    tmp_path: Path, switch: bool, ndcg: float
) -> None:
    """O22: query "0" and document "0"; with the hit counted, the answer has rank 2 and 1 / log2(3)."""
    corpus = Corpus.of([Document(str(n), f"text {n}") for n in range(3)])
    queries = Queries.of([Query("0", "text?")])
    write_published(tmp_path / "toy", corpus, queries, {"test": Qrels.of({"0": {"1": 1}})})
    manifest = Manifest("benchmark", "toy", protocol={"remove_self": switch})
    write_manifest(tmp_path / "toy" / "manifest.json", manifest)
    run = Run(
        "given",
        query_ids=pa.array(["0"]),
        offsets=np.array([0, 3]),
        positions=np.arange(3, dtype=np.int32),
        doc_ids=pa.array(["0", "1", "2"]),
        scores=np.array([3.0, 2.0, 1.0]),
    )
    write_run(tmp_path / "run.parquet", run)
    before = (tmp_path / "run.parquet").read_bytes()
    report = pyrite.evaluate(str(tmp_path / "toy"), [f"run:{tmp_path / 'run.parquet'}"])
    assert report.mean("nDCG@10") == ndcg
    assert (tmp_path / "run.parquet").read_bytes() == before


def test_three_templates_are_three_datasets(tmp_path: Path) -> None:
    """O37: text alone, title and text, title twice; each its own texts, and its own key for every kept result."""
    contents, digests = [], []
    for place, template in enumerate(("{text}", "{title} {text}", "{title}\n\n{text}")):
        folder = tmp_path / str(place)
        corpus = Corpus.of([Document("d", "B", "A")])
        write_published(folder, corpus, Queries.of([Query("q", "?")]), {"test": Qrels.of({"q": {"d": 1}})})
        write_manifest(folder / "manifest.json", Manifest("benchmark", "toy", protocol={"template": template}))
        contents += read_collection(folder).corpus.contents().to_pylist()
        digests.append(files_digest(folder))
    assert contents == ["B", "A B", "A\n\nB"]
    assert len(set(digests)) == 3
