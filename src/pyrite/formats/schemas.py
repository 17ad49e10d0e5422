"""The columns of every published table: the names that other tools read."""

import pyarrow as pa

CORPUS = pa.schema([("_id", pa.string()), ("text", pa.string())])
CORPUS_WITH_TITLES = pa.schema([("_id", pa.string()), ("text", pa.string()), ("title", pa.string())])
QUERIES = pa.schema([("_id", pa.string()), ("text", pa.string())])
QRELS = pa.schema([("query-id", pa.string()), ("corpus-id", pa.string()), ("score", pa.int64())])
LEAKS = pa.schema([("train_row", pa.int64()), ("corpus-id", pa.string()), ("reason", pa.string())])
MERGED = pa.schema([("eval_row", pa.int64()), ("corpus-id", pa.string()), ("reason", pa.string())])
