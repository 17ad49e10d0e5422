"""One shard: a reason a row."""

import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.engine import Engine, Shard
from pyrite.formats import write_published
from pyrite.pipelines.excluding_stages import LEAKS_STAGE, Protected
from pyrite.preparation import REASONS
from pyrite.sources import SourceSpec, open_table


def test_a_shard_has_a_reason_for_every_row(tmp_path):
    corpus = Corpus.of([Document("d", "Gold.")])
    write_published(tmp_path / "toy", corpus, Queries.of([Query("q", "why?")]), {"test": Qrels.of({"q": {"d": 1}})})
    pq.write_table(pa.table({"passage": ["Gold.", None, "gold.", "Why?", "x"]}), tmp_path / "train.parquet")
    (shard,) = open_table(SourceSpec("train.parquet"), needs=["passage"], base=tmp_path).shards()
    protected = Protected(tmp_path / "toy", None, "digest", "normalised", None)
    with Engine(tmp_path / "work") as engine:
        (done,) = engine.run(LEAKS_STAGE, [Shard(shard.name, "d", (shard, protected))], {})
    reasons = [REASONS[place] for place in pq.read_table(done.path)["reason"].to_pylist()]
    assert reasons == [
        "the same as a document", "", "the same as a document, normalised", "the same as a query, normalised", "",
    ]  # fmt: skip
    assert done.facts == {"counts": [2, 1, 0, 1, 1, 0, 0], "bounded": False}


def test_what_decides_is_the_data_and_the_rules_not_where_they_lie(tmp_path):
    first = Protected(tmp_path / "a", None, "digest", "exact", 0.8)
    assert first.decides() == Protected(tmp_path / "b", None, "digest", "exact", 0.8).decides()
    assert first.decides() != Protected(tmp_path / "a", None, "digest", "exact", 0.9).decides()
