"""Raw upstream tables and whole collections, from local files or the hub."""

from pyrite.sources.hub import HubApi
from pyrite.sources.loading import fetch, load
from pyrite.sources.outline import Outline, outline, outline_collection
from pyrite.sources.shards import TableShard
from pyrite.sources.spec import SourceSpec
from pyrite.sources.table import Table, open_table

__all__ = [
    "HubApi",
    "Outline",
    "SourceSpec",
    "Table",
    "TableShard",
    "fetch",
    "load",
    "open_table",
    "outline",
    "outline_collection",
]
