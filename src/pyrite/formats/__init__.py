"""File layouts and foreign column names: what others wrote becomes core values, and core values become files."""

from pyrite.formats.beir import read_corpus, read_qrels, read_queries, write_beir
from pyrite.formats.columns import Column, DataWarning, Kind, cast_warning, choose_columns
from pyrite.formats.delimited import delimited_batches
from pyrite.formats.hakari import NANOBEIR_SPLITS, HakariDataset, write_hakari
from pyrite.formats.jsonl import jsonl_batches
from pyrite.formats.judgements import check_references, drop_dangling
from pyrite.formats.kept_rows import write_kept
from pyrite.formats.layout import CollectionFiles, Layout, collection_files, layout, layout_of, names_in
from pyrite.formats.listed import ReferBy, listed_rows, numbered_rows
from pyrite.formats.manifest import UNFINISHED, Manifest, held_files, read_json, read_manifest, write_manifest
from pyrite.formats.mapped import read_mapped, write_mapped
from pyrite.formats.mteb import MtebTask, write_mteb_task
from pyrite.formats.nano import read_candidates
from pyrite.formats.nano_write import NANO_TABLES, write_nano_split
from pyrite.formats.parquet import ParquetWriter, group_batches, open_parquet, parquet_batches, write_parquet
from pyrite.formats.provenance import PROVENANCE, SCORES, Origins, PlacedPairs, write_pool, write_provenance
from pyrite.formats.provenance_read import StoredPool, read_pool
from pyrite.formats.published_write import write_published
from pyrite.formats.queue import KINDS, QUEUE, read_queue, write_queue
from pyrite.formats.reading import read_collection, read_parts
from pyrite.formats.results import read_report, write_report
from pyrite.formats.review import DECISIONS, Decision, Review, append_review, read_review
from pyrite.formats.runs import read_run, write_run
from pyrite.formats.schemas import CORPUS, CORPUS_WITH_TITLES, LEAKS, MERGED, QRELS, QUERIES
from pyrite.formats.scores import PairScores, read_scores, scores_table
from pyrite.formats.sharded import must_be_whole, table_name, write_sharded
from pyrite.formats.tables import DELIMITERS, TableFormat, column_names, format_of, integer_columns
from pyrite.formats.trec import read_trec_qrels, read_trec_run, write_trec_qrels, write_trec_run
from pyrite.formats.trec_collection import write_trec_collection
from pyrite.formats.tuples import (
    TRAINING_CONFIGS,
    n_tuples_schema,
    write_n_tuples,
    write_pairs,
    write_short_tuples,
    write_triplets,
)

__all__ = [
    "CORPUS",
    "CORPUS_WITH_TITLES",
    "DECISIONS",
    "DELIMITERS",
    "KINDS",
    "LEAKS",
    "MERGED",
    "NANOBEIR_SPLITS",
    "NANO_TABLES",
    "PROVENANCE",
    "QRELS",
    "QUERIES",
    "QUEUE",
    "SCORES",
    "TRAINING_CONFIGS",
    "UNFINISHED",
    "CollectionFiles",
    "Column",
    "DataWarning",
    "Decision",
    "HakariDataset",
    "Kind",
    "Layout",
    "Manifest",
    "MtebTask",
    "Origins",
    "PairScores",
    "ParquetWriter",
    "PlacedPairs",
    "ReferBy",
    "Review",
    "StoredPool",
    "TableFormat",
    "append_review",
    "cast_warning",
    "check_references",
    "choose_columns",
    "collection_files",
    "column_names",
    "delimited_batches",
    "drop_dangling",
    "format_of",
    "group_batches",
    "held_files",
    "integer_columns",
    "jsonl_batches",
    "layout",
    "layout_of",
    "listed_rows",
    "must_be_whole",
    "n_tuples_schema",
    "names_in",
    "numbered_rows",
    "open_parquet",
    "parquet_batches",
    "read_candidates",
    "read_collection",
    "read_corpus",
    "read_json",
    "read_manifest",
    "read_mapped",
    "read_parts",
    "read_pool",
    "read_qrels",
    "read_queries",
    "read_queue",
    "read_report",
    "read_review",
    "read_run",
    "read_scores",
    "read_trec_qrels",
    "read_trec_run",
    "scores_table",
    "table_name",
    "write_beir",
    "write_hakari",
    "write_kept",
    "write_manifest",
    "write_mapped",
    "write_mteb_task",
    "write_n_tuples",
    "write_nano_split",
    "write_pairs",
    "write_parquet",
    "write_pool",
    "write_provenance",
    "write_published",
    "write_queue",
    "write_report",
    "write_run",
    "write_sharded",
    "write_short_tuples",
    "write_trec_collection",
    "write_trec_qrels",
    "write_trec_run",
    "write_triplets",
]
