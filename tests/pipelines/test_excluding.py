"""Training tables without what leaks."""

import json
import zipfile
from functools import partialmethod

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, Document, Qrels, Queries, Query, RecipeError
from pyrite.formats import DataWarning, write_published
from pyrite.pipelines import Exclusion, exclude
from pyrite.sources import SourceSpec, Table

GOLD = "Pyrite is called fool's gold because its pale brass colour deceived many a prospector in the hills."
NEAR = "Pyrite is called fool's gold because its pale brass colour deceived many a prospector in the mines."
FREE = "Halite is rock salt, and it cleaves into cubes."


@pytest.fixture
def protected(tmp_path):
    corpus = Corpus.of([Document("p0", GOLD, "Pyrite"), Document("d0", "Galena is lead sulfide."), Document("d1", " ")])
    queries = Queries.of([Query("q0", "what is fool's gold?")])
    write_published(tmp_path / "toy", corpus, queries, {"test": Qrels.of({"q0": {"p0": 1}})})
    return tmp_path / "toy"


@pytest.fixture
def leave(tmp_path, protected):
    """Exclude from rows of passages, and give what is kept with the counts by reason."""

    def run(passages, **rules):
        pq.write_table(pa.table({"n": range(len(passages)), "passage": passages}), tmp_path / "train.parquet")
        made = exclude(
            tmp_path / "train.parquet",
            protected,
            out=tmp_path / "kept.parquet",
            rules=Exclusion(**rules),
            work=tmp_path / "work",
        )
        kept = pq.read_table(tmp_path / "kept.parquet").to_pydict()
        assert kept["passage"] == [passages[n] for n in kept["n"]]
        assert made.entry.rows_in == len(passages)
        assert made.entry.rows_out == len(kept["n"])
        return kept["n"], dict(made.entry.dropped)

    return run


def test_the_same_text_goes_whatever_its_case_and_spaces(leave):
    """O39: also without the title, and the title with the text."""
    rows = [FREE, GOLD, f"  {GOLD.upper()} ", f"Pyrite\n\n{GOLD}", None, "", "galena is lead  sulfide."]
    kept, dropped = leave(rows)
    assert kept == [0, 4, 5]
    assert dropped == {"the same as a document": 2, "the same as a document, normalised": 2}


def test_exact_takes_only_the_same_characters(leave):
    assert leave([FREE, GOLD, GOLD.upper()], identical="exact") == ([0, 2], {"the same as a document": 1})


def test_near_duplicates_go_where_they_are_asked_for(leave):
    """O39: other punctuation, one word more."""
    rows = [FREE, NEAR, GOLD.replace(",", ";").replace("fool's", "fools")]
    assert leave(rows)[0] == [0, 1, 2]
    kept, dropped = leave(rows, near=0.5)
    assert (kept, dropped) == ([0], {"near-duplicate of a document": 2})


def test_any_column_is_compared_and_lists_are_taken_apart(tmp_path, protected):
    lines = [
        {"anchor": "What is fool's gold?", "negatives": ["x"], "id": 7},
        {"anchor": "why?", "negatives": ["x", GOLD], "id": 8},
        {"anchor": "why?", "negatives": [], "id": 9},
    ]
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rules = Exclusion(columns={"question": "anchor", "passages": "negatives"})
    made = exclude(tmp_path / "train.jsonl", protected, out=tmp_path / "kept.jsonl", rules=rules, work=tmp_path / "w")
    assert (tmp_path / "kept.jsonl").read_text() == json.dumps(lines[2]) + "\n"
    assert dict(made.entry.dropped) == {"the same as a query, normalised": 1, "the same as a document": 1}


def test_the_protected_side_is_never_touched(leave, protected):
    before = {path: path.read_bytes() for path in protected.rglob("*") if path.is_file()}
    leave([GOLD, FREE])
    assert {path: path.read_bytes() for path in protected.rglob("*") if path.is_file()} == before


def test_nothing_left_is_an_empty_table_and_a_warning(leave):
    with pytest.warns(DataWarning, match=r"kept\.parquet: every row leaks; the table is empty"):
        assert leave([GOLD])[0] == []


def test_shards_and_files_keep_their_order(tmp_path, protected, monkeypatch):
    monkeypatch.setattr(Table, "shards", partialmethod(Table.shards, shard_bytes=100))
    (tmp_path / "train").mkdir()
    lines = [json.dumps({"passage": GOLD if number % 3 == 0 else f"{FREE} {number}"}) + "\n" for number in range(20)]
    for name, part in (("part-0", lines[:9]), ("part-1", lines[9:])):
        (tmp_path / "train" / f"{name}.jsonl").write_text("".join(part))
    made = exclude(tmp_path / "train", protected, out=tmp_path / "kept.jsonl", work=tmp_path / "work")
    assert (tmp_path / "kept.jsonl").read_text() == "".join(line for line in lines if GOLD not in line)
    assert made.entry.rows_out == 13
    assert len(list((tmp_path / "work" / "exclude").iterdir())) > 10


def test_a_second_run_reads_nothing_again_and_another_benchmark_does(tmp_path, protected, leave):
    leave([GOLD, FREE])
    work = tmp_path / "work" / "exclude"
    places = {"out": tmp_path / "kept.parquet", "work": tmp_path / "work"}
    first = sorted(path.name for path in work.iterdir())
    exclude(tmp_path / "train.parquet", protected, **places)
    assert sorted(path.name for path in work.iterdir()) == first
    exclude(tmp_path / "train.parquet", protected, **places, rules=Exclusion(near=0.5))
    assert len(list(work.iterdir())) == len(first) + 1
    # The protected texts count, not the time at which they were written.
    write_published(
        protected, Corpus.of([Document("p0", FREE)]), Queries.of([Query("q0", "?")]), {"test": Qrels.of({})}
    )
    assert exclude(tmp_path / "train.parquet", protected, **places).entry.rows_out == 1
    assert pq.read_table(tmp_path / "kept.parquet")["passage"].to_pylist() == [GOLD]


def test_every_split_of_a_dataset_is_protected_unless_one_is_named(tmp_path):
    for split, text in (("ja", GOLD), ("no", FREE)):
        for part, table in (
            ("corpus", {"_id": ["d"], "text": [text]}),
            ("queries", {"_id": ["q"], "text": ["?"]}),
            ("qrels", {"query-id": ["q"], "corpus-id": ["d"]}),
        ):
            (tmp_path / "nano" / part).mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.table(table), tmp_path / "nano" / part / f"{split}.parquet")
    pq.write_table(pa.table({"passage": [GOLD, FREE, "x"]}), tmp_path / "train.parquet")
    places = {"out": tmp_path / "kept.parquet", "work": tmp_path / "work"}
    assert exclude(tmp_path / "train.parquet", tmp_path / "nano", **places).entry.rows_out == 1
    one = exclude(tmp_path / "train.parquet", tmp_path / "nano", **places, rules=Exclusion(split="ja"))
    assert one.entry.rows_out == 2


def test_a_zip_can_be_protected(tmp_path, protected, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with zipfile.ZipFile(tmp_path / "beir.zip", "w") as archive:
        archive.writestr("b/corpus.jsonl", json.dumps({"_id": "d", "text": GOLD}) + "\n")
        archive.writestr("b/queries.jsonl", '{"_id": "q", "text": "?"}\n')
        archive.writestr("b/qrels/test.tsv", "q\td\t1\n")
    (tmp_path / "train.csv").write_text(f'id,passage\n001,"{GOLD}"\n002,"{FREE}"\n')
    exclude(tmp_path / "train.csv", tmp_path / "beir.zip", out=tmp_path / "kept.csv")
    assert (tmp_path / "kept.csv").read_text() == f'id,passage\n002,"{FREE}"\n'


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("kept.jsonl", r"ends in '\.jsonl', and the table is parquet; name it \.parquet"),
        ("train.parquet", "is the training table itself; choose another --out"),
        ("toy/kept.parquet", "lies in the protected dataset; choose another --out"),
    ],
)
def test_an_output_that_would_harm_is_refused(tmp_path, protected, out, said):
    pq.write_table(pa.table({"passage": [GOLD]}), tmp_path / "train.parquet")
    with pytest.raises(RecipeError, match=said):
        exclude(tmp_path / "train.parquet", protected, out=tmp_path / out, work=tmp_path / "work")
    assert pq.read_table(tmp_path / "train.parquet").num_rows == 1


def test_a_table_of_the_hub_is_named_by_config_and_split(tmp_path, protected):
    (tmp_path / "data").mkdir()
    for split in ("train", "dev"):
        pq.write_table(pa.table({"passage": [GOLD, split]}), tmp_path / "data" / f"{split}.parquet")
    spec = SourceSpec(str(tmp_path / "data"), split="dev")
    exclude(spec, protected, out=tmp_path / "kept.parquet", work=tmp_path / "work")
    assert pq.read_table(tmp_path / "kept.parquet")["passage"].to_pylist() == ["dev"]


@pytest.mark.parametrize("rules", [{"near": 0.1}, {"near": 1.5}, {"columns": {}}])
def test_rules_that_say_nothing_are_refused(rules):
    with pytest.raises(RecipeError):
        Exclusion(**rules)
