"""How a stage runs: shards, content keys, a manifest, resume; and files that are whole or absent."""

from pyrite.engine.engine import Done, Engine, StageCount
from pyrite.engine.files import atomic_file, digest_file
from pyrite.engine.folders import atomic_folder
from pyrite.engine.keys import digest_of
from pyrite.engine.progress import Progress, Silent, TerminalProgress
from pyrite.engine.ray_host import RayCluster
from pyrite.engine.runs import Rerun, WorkFolder, explain, remove_work, work_folders
from pyrite.engine.shard import Shard, Stage, run_shard

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
    "TerminalProgress",
    "WorkFolder",
    "atomic_file",
    "atomic_folder",
    "digest_file",
    "digest_of",
    "explain",
    "remove_work",
    "run_shard",
    "work_folders",
]
