"""Publishing: built files become a folder with its card, checked before anyone else sees it."""

from pyrite.publishing.audit_card import render_collection_card
from pyrite.publishing.card import loaded_id, merge_card, render_card, write_card
from pyrite.publishing.check import check_folder
from pyrite.publishing.delivery import deliver, fetch_earlier
from pyrite.publishing.diff import (
    FolderDiff,
    NegativeChanges,
    QrelChanges,
    RowChanges,
    TextChanges,
    diff_folders,
)
from pyrite.publishing.digest import content_digest
from pyrite.publishing.export import FORMS, ExportAs, Exported, export_folder
from pyrite.publishing.export_training import TRAINING_FORMS, export_training
from pyrite.publishing.folder import (
    answer_for,
    digest_files,
    place_files,
    refuse_another_build,
    seal,
    write_recipe,
)
from pyrite.publishing.hub import Publication, UploadApi, publish_folder
from pyrite.publishing.inspect import Inspection, inspect_path
from pyrite.publishing.licence import dataset_licence
from pyrite.publishing.offence import Offence
from pyrite.publishing.reading import Reading, read_folder
from pyrite.publishing.verify import verify_folder

__all__ = [
    "FORMS",
    "TRAINING_FORMS",
    "ExportAs",
    "Exported",
    "FolderDiff",
    "Inspection",
    "NegativeChanges",
    "Offence",
    "Publication",
    "QrelChanges",
    "Reading",
    "RowChanges",
    "TextChanges",
    "UploadApi",
    "answer_for",
    "check_folder",
    "content_digest",
    "dataset_licence",
    "deliver",
    "diff_folders",
    "digest_files",
    "export_folder",
    "export_training",
    "fetch_earlier",
    "inspect_path",
    "loaded_id",
    "merge_card",
    "place_files",
    "publish_folder",
    "read_folder",
    "refuse_another_build",
    "render_card",
    "render_collection_card",
    "seal",
    "verify_folder",
    "write_card",
    "write_recipe",
]
