"""File layouts and foreign column names: what others wrote becomes core values, and core values become files."""

from pyrite.formats.beir import read_corpus, read_qrels, read_queries, write_beir
from pyrite.formats.columns import Column, DataWarning, Kind, cast_warning, choose_columns
from pyrite.formats.delimited import delimited_batches
from pyrite.formats.jsonl import jsonl_batches
from pyrite.formats.judgements import check_references, drop_dangling
from pyrite.formats.layout import CollectionFiles, Layout, collection_files, layout, read_collection
from pyrite.formats.manifest import Manifest, read_manifest, write_manifest
from pyrite.formats.nano import read_candidates
from pyrite.formats.parquet import ParquetWriter, open_parquet, parquet_batches, write_parquet
from pyrite.formats.results import read_report, write_report
from pyrite.formats.runs import read_run, write_run
from pyrite.formats.schemas import CORPUS, CORPUS_WITH_TITLES, LEAKS, QRELS, QUERIES
from pyrite.formats.sharded import must_be_whole, table_name, write_sharded
from pyrite.formats.tables import DELIMITERS, TableFormat, column_names, format_of, integer_columns
from pyrite.formats.trec import read_trec_qrels, read_trec_run, write_trec_qrels, write_trec_run

__all__ = [
    "CORPUS",
    "CORPUS_WITH_TITLES",
    "DELIMITERS",
    "LEAKS",
    "QRELS",
    "QUERIES",
    "CollectionFiles",
    "Column",
    "DataWarning",
    "Kind",
    "Layout",
    "Manifest",
    "ParquetWriter",
    "TableFormat",
    "cast_warning",
    "check_references",
    "choose_columns",
    "collection_files",
    "column_names",
    "delimited_batches",
    "drop_dangling",
    "format_of",
    "integer_columns",
    "jsonl_batches",
    "layout",
    "must_be_whole",
    "open_parquet",
    "parquet_batches",
    "read_candidates",
    "read_collection",
    "read_corpus",
    "read_manifest",
    "read_qrels",
    "read_queries",
    "read_report",
    "read_run",
    "read_trec_qrels",
    "read_trec_run",
    "table_name",
    "write_beir",
    "write_manifest",
    "write_parquet",
    "write_report",
    "write_run",
    "write_sharded",
    "write_trec_qrels",
    "write_trec_run",
]
