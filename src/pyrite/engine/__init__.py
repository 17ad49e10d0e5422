"""How a stage runs: shards, content keys, a manifest, resume; and files that are whole or absent."""

from pyrite.engine.engine import Done, Engine, StageCount
from pyrite.engine.files import atomic_file, digest_file, make_folder
from pyrite.engine.folders import atomic_folder
from pyrite.engine.keys import digest_of
from pyrite.engine.place import cache_folder, local_copy
from pyrite.engine.progress import Progress, Silent, TerminalProgress
from pyrite.engine.ray_host import RayCluster
from pyrite.engine.runs import Rerun, WorkFolder, copy_of_store, explain, remove_stored_work, remove_work, work_folders
from pyrite.engine.shard import Shard, Stage, run_shard
from pyrite.engine.storage import Storage, asked, file_system, is_url, local_path, plain_url

__all__ = [
    "Done",
    "Engine",
    "Progress",
    "RayCluster",
    "Rerun",
    "Shard",
    "Silent",
    "Stage",
    "StageCount",
    "Storage",
    "TerminalProgress",
    "WorkFolder",
    "asked",
    "atomic_file",
    "atomic_folder",
    "cache_folder",
    "copy_of_store",
    "digest_file",
    "digest_of",
    "explain",
    "file_system",
    "is_url",
    "local_copy",
    "local_path",
    "make_folder",
    "plain_url",
    "remove_stored_work",
    "remove_work",
    "run_shard",
    "work_folders",
]
