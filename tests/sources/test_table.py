"""Raw tables: found, mapped, checked, read."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.formats import DataWarning
from pyrite.sources import SourceSpec, open_table


def rows(path, tmp_path, needs=("query",), optional=(), **spec):
    table = open_table(SourceSpec(path, **spec), needs=needs, base=tmp_path, optional=optional)
    return [row for batch in table.read() for row in batch.to_pylist()]


@pytest.mark.parametrize("name", ["rows.parquet", "rows.jsonl", "rows.csv", "rows.tsv", "rows.ndjson"])
def test_every_format_gives_the_same_rows_under_our_names(put, tmp_path, name):
    """O33: "001", "1e3" and "no" stay what they are."""
    content = {
        ".parquet": {"q": ["001", "1e3", "no"], "other": [1, 2, 3], "p": ["a", "b", ""]},
        ".jsonl": '{"p": "a", "q": "001"}\n{"p": "b", "q": "1e3"}\n\n{"p": "", "q": "no"}\n',
        ".csv": 'q,other,p\n001,1,a\n"1e3",2,b\nno,3,\n',
        ".tsv": "q\tp\n001\ta\n1e3\tb\nno\t\n",
    }
    content[".ndjson"] = content[".jsonl"]
    path = put(f"data/{name}", content["." + name.rpartition(".")[2]])
    found = rows(f"data/{name}", tmp_path, ["query", "passage"], columns={"query": "q", "passage": "p"})
    assert found == [{"query": "001", "passage": "a"}, {"query": "1e3", "passage": "b"}, {"query": "no", "passage": ""}]
    assert rows(str(path), tmp_path / "elsewhere", columns={"query": "q"})[0] == {"query": "001"}


def test_texts_are_large_strings_and_nulls_stay(put, tmp_path):
    put("rows.parquet", {"query": ["a", None]})
    table = open_table(SourceSpec("rows.parquet"), needs=["query"], base=tmp_path)
    [batch] = table.read()
    assert batch.schema.types == [pa.large_string()]
    assert batch.to_pylist() == [{"query": "a"}, {"query": None}]


def test_a_file_stands_in_for_a_source_with_config_and_split(put, tmp_path):
    """A local mirror, by --set source.eval.path=..."""
    put("eval.parquet", {"query": ["a"]})
    assert rows("eval.parquet", tmp_path, config="default", split="eval") == [{"query": "a"}]


def test_a_folder_of_parts_is_read_in_the_order_of_names(put, tmp_path):
    put("rows/part-1.jsonl", '{"query": "b"}\n')
    put("rows/part-0.jsonl", '{"query": "a"}\n')
    put("rows/NOTES.txt", "none")
    assert rows("rows", tmp_path) == [{"query": "a"}, {"query": "b"}]
    assert rows("rows/*.jsonl", tmp_path) == [{"query": "a"}, {"query": "b"}]
    assert rows("rows/part-[1].jsonl", tmp_path) == [{"query": "b"}]


def test_a_folder_of_splits_asks_for_one(put, tmp_path):
    put("rows/train.parquet", {"query": ["a"]})
    put("rows/eval.parquet", {"query": ["b"]})
    assert rows("rows", tmp_path, split="eval") == [{"query": "b"}]
    with pytest.raises(RecipeError, match="rows: holds several tables: eval, train; choose one by config or split"):
        rows("rows", tmp_path)


def test_a_folders_card_is_followed(put, tmp_path):
    """O50."""
    put("set/README.md", "---\nconfigs:\n- config_name: no\n  data_files:\n  - {split: on, path: a/*.parquet}\n---\n")
    put("set/a/x.parquet", {"query": ["a"]})
    put("set/b/x.parquet", {"query": ["b"]})
    assert rows("set", tmp_path, config="no", split="on") == [{"query": "a"}]
    assert rows("set", tmp_path) == [{"query": "a"}]


def test_a_published_folder_without_a_card_gives_each_of_its_tables(put, tmp_path):
    """X13: a loader that guesses finds only qrels/test here."""
    put("set/corpus/corpus.parquet", {"_id": ["d1"], "text": ["a"]})
    put("set/queries/queries.parquet", {"_id": ["q1"], "text": ["b"]})
    put("set/qrels/test.parquet", {"query-id": ["q1"], "corpus-id": ["d1"], "score": [2]})
    columns = {"id": "_id"}
    assert rows("set", tmp_path, ["id", "text"], config="corpus", columns=columns) == [{"id": "d1", "text": "a"}]
    assert rows("set", tmp_path, ["id", "text"], config="queries", columns=columns) == [{"id": "q1", "text": "b"}]
    columns = {"query_id": "query-id", "doc_id": "corpus-id", "relevance": "score"}
    found = rows("set", tmp_path, list(columns), config="qrels", split="test", columns=columns)
    assert found == [{"query_id": "q1", "doc_id": "d1", "relevance": 2}]


@pytest.mark.parametrize("name", ["rows.parquet", "rows.jsonl", "rows.csv"])
def test_a_missing_column_is_told_before_a_row_is_read(put, tmp_path, name):
    content = {"parquet": {"question": ["a"]}, "jsonl": '{"question": "a"}\n', "csv": "question\na\n"}
    put(name, content[name.partition(".")[2]])
    with pytest.raises(DataError) as caught:
        open_table(SourceSpec(name, columns={"passage": "passage_text"}), needs=["passage"], base=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / name}: there is no column 'passage_text' (wanted as passage); the columns are 'question'; "
        'name the right one, by columns = { passage = "THEIRS" } in a recipe.'
    )


@pytest.mark.parametrize(("name", "option"), [("query", "--columns"), ("text", "--corpus-columns")])
def test_a_missing_column_of_a_set_that_is_mined_is_named_by_an_option(put, tmp_path, name, option):
    put("rows.csv", "question\na\n")
    with pytest.raises(DataError, match=f"in a recipe or, with pyrite mine, {option} {name}=THEIRS"):
        open_table(SourceSpec("rows.csv"), needs=[name], base=tmp_path)


def test_every_file_of_a_table_must_have_the_column(put, tmp_path):
    put("rows/part-0.parquet", {"query": ["a"]})
    put("rows/part-1.parquet", {"question": ["a"]})
    with pytest.raises(DataError, match=r"part-1\.parquet: there is no column 'query'"):
        rows("rows", tmp_path)


def test_an_optional_column_that_is_lacking_is_null(put, tmp_path):
    put("rows/part-0.parquet", {"query": ["a"], "title": ["T"]})
    put("rows/part-1.parquet", {"query": ["b"]})
    assert rows("rows", tmp_path, optional=["title", "relevance"]) == [
        {"query": "a", "title": "T", "relevance": None},
        {"query": "b", "title": None, "relevance": None},
    ]


@pytest.mark.parametrize("name", ["rows/part-0.parquet", "rows/part-0.jsonl"])
def test_integers_are_cast_with_one_warning_for_the_table(put, tmp_path, name):
    """O33."""
    for number in (0, 1):
        place = name.replace("0", str(number))
        lines = f'{{"id": {number}, "text": "a"}}\n' * 2000
        put(place, {"id": [number] * 2000, "text": ["a"] * 2000} if name.endswith("parquet") else lines)
    with pytest.warns(DataWarning, match="part-0.* column 'id' holds integers; they are cast to strings") as caught:
        table = open_table(SourceSpec("rows"), needs=["id", "text"], base=tmp_path)
    assert len(caught) == 1
    shards = table.shards(shard_bytes=10_000)
    # A second warning would be an error here.
    ids = [row["id"] for shard in shards for batch in shard.read() for row in batch.to_pylist()]
    assert ids == ["0"] * 2000 + ["1"] * 2000


def test_lists_of_ids_pass_through(put, tmp_path):
    put("rows.parquet", {"query": ["a", "b"], "relevant_docs": [["001", "d2"], []]})
    found = rows("rows.parquet", tmp_path, ["relevant"], columns={"relevant": "relevant_docs"})
    assert found == [{"relevant": ["001", "d2"]}, {"relevant": []}]
    put("rows.jsonl", '{"relevant": [7, 8]}\n')
    with pytest.warns(DataWarning, match="column 'relevant' holds integers"):
        assert rows("rows.jsonl", tmp_path, ["relevant"]) == [{"relevant": ["7", "8"]}]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 1.5}', "line 3: column 'id' holds the number 1.5"),
        ('{"id": null}', "line 3: column 'id' has no value"),
        ('{"id": "a"', "line 3: is not JSON"),
        (b'{"id": "\xff"}', "line 3: is not valid UTF-8"),
    ],
)
def test_a_bad_row_names_file_line_and_value(put, tmp_path, line, said):
    raw = line if isinstance(line, bytes) else line.encode()
    path = put("rows.jsonl", b'{"id": "a"}\n{"id": "b"}\n' + raw)
    with pytest.raises(DataError) as caught:
        rows("rows.jsonl", tmp_path, ["id"])
    assert str(caught.value).startswith(f"{path}, {said}")


def test_a_truncated_parquet_file_is_one_sentence(put, tmp_path):
    path = put("rows.parquet", {"query": ["a"] * 100})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"rows\.parquet: is not a whole Parquet file; copy or download it again\.$"):
        rows("rows.parquet", tmp_path)


def test_what_is_not_there_and_what_has_no_known_format_are_sentences(put, tmp_path):
    with pytest.raises(RecipeError, match=r"none\.parquet: there is no such file or folder; check the path\.$"):
        rows("none.parquet", tmp_path)
    put("rows.dat", "query\na\n")
    with pytest.raises(RecipeError, match="the file's name does not tell its format"):
        rows("rows.dat", tmp_path)
    assert rows("rows.dat", tmp_path, format="csv") == [{"query": "a"}]


def test_the_origin_is_the_recipes_words_and_the_digest_the_contents(put, tmp_path):
    put("a/rows.parquet", {"query": ["a"]})
    put("b/rows.parquet", {"query": ["a"]})
    put("c/rows.parquet", {"query": ["b"]})
    tables = [
        open_table(SourceSpec("rows.parquet", split="x"), needs=["query"], base=tmp_path / name) for name in "abc"
    ]
    assert tables[0].origin() == {"path": "rows.parquet", "revision": None, "config": None, "split": "x"}
    assert tables[0].name == "rows.parquet"
    assert tables[0].digest == tables[1].digest != tables[2].digest


def test_a_real_raw_table_is_all_read(shared_data, tmp_path):
    columns = {"query": "question", "passage": "passage_text"}
    spec = SourceSpec(str(shared_data / "medquad" / "source"), split="train", columns=columns)
    table = open_table(spec, needs=["query", "passage"], base=tmp_path)
    expected = pq.read_table(shared_data / "medquad" / "source" / "train.parquet")
    found = pa.Table.from_batches(list(table.read()))
    assert len(found) == 11_015
    assert found["passage"].to_pylist() == expected["passage_text"].to_pylist()
