"""One reading of a folder tells the digest and the lengths."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.publishing import content_digest, read_folder


def write(folder: Path, place: str, **columns: list[str | None]) -> None:
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), folder / place)


def test_a_reading_tells_the_digest_and_the_lengths_of_each_table(tmp_path: Path) -> None:
    write(tmp_path, "corpus/corpus-00000-of-00002.parquet", _id=["p0"], title=["Gold"], text=["is soft"])
    write(tmp_path, "corpus/corpus-00001-of-00002.parquet", _id=["d0"], title=[""], text=["Coal."])
    write(tmp_path, "queries/de.parquet", _id=["q0"], text=["was?"])
    write(tmp_path, "queries/en.parquet", _id=["q0"], text=["what is it?"])
    write(tmp_path, "provenance/texts.parquet", text=["no table of the dataset"])
    reading = read_folder(tmp_path, template="{title}: {text}")
    assert reading.digest == content_digest(tmp_path)
    documents = reading.texts("corpus", "text")
    assert documents.statistics().characters.longest == len("Gold: is soft")
    assert documents.characters().tolist() == [11, 5]
    assert reading.texts("queries/de", "text").characters().tolist() == [4]
    assert reading.texts("queries", "text").statistics().words.mean == 2.0


def test_columns_that_begin_alike_are_taken_together(tmp_path: Path) -> None:
    write(tmp_path, "n-tuples/train.parquet", query=["q"], positive=["pp"], negative_1=["n"], negative_2=["nnn"])
    write(tmp_path, "n-tuples-filtered/train.parquet", query=["qq"])
    reading = read_folder(tmp_path)
    assert sorted(reading.texts("n-tuples", "negative").characters().tolist()) == [1, 3]
    assert reading.texts("n-tuples", "query").characters().tolist() == [1]


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    write(tmp_path, "corpus/corpus.parquet", _id=["p0"], text=["Gold."])
    path = tmp_path / "corpus/corpus.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match="is not a whole Parquet file"):
        read_folder(tmp_path)
