"""A model as files: a folder, or a snapshot of the hub, and the digest of what decides its output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.engine import digest_file, digest_of

_WEIGHTS = (".safetensors", ".bin")
_TELLING = (".json", ".txt", ".model", ".vocab", ".jinja", ".metadata")
"""Endings of configurations, tokenizers and templates."""
_APART = ("onnx", "openvino", "coreml", ".git", ".cache")
_NEVER_FETCHED = ("*.onnx*", "*.h5", "*.msgpack", "*.ot", "*.gguf", "*.pt", "*.pth", "*.ckpt", "onnx/*", "openvino/*")


@dataclass(frozen=True)
class ModelFiles:
    """Where a model lies and what it is.

    Attributes:
        folder: with its files.
        name: for reports: the hub id, or the last two parts of a local path.
        digest: of weights, configuration, tokenizer and templates.
        revision: the commit of a hub model, or "".
    """

    folder: Path
    name: str
    digest: str
    revision: str = ""


def find_model(model: str, *, revision: str | None = None) -> ModelFiles:
    """The files of a folder or a hub id, fetched where they are not here yet; DataError where there are none.

    RecipeError for a path that is not there; MissingExtraError, before the hub is asked, without the packages.

    Two fine-tunes of one base have different digests; where a file lies, and its age, say nothing.
    """
    folder = Path(model)
    if folder.is_dir():
        parts = folder.resolve().parts[-2:]
        return ModelFiles(folder, "/".join(part for part in parts if part != "/"), model_digest(folder))
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise RecipeError("there is no such model folder", where=model, fix="check the path")
    if find_spec("sentence_transformers") is None:
        raise MissingExtraError.of("models", needed_for=f"the model {model}")
    snapshot = _snapshot(model, revision)
    return ModelFiles(snapshot, model, model_digest(snapshot), snapshot.name)


def model_digest(folder: Path) -> str:
    """The digest of every file that decides what a model computes; DataError where there are no weights.

    Beside weights in safetensors those in other forms are not read, and so do not count.
    """
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    files = [file for file in files if not set(file.relative_to(folder).parts[:-1]) & set(_APART)]
    weights = [file for file in files if file.suffix in _WEIGHTS]
    if not weights:
        raise DataError("has no weights (.safetensors or .bin)", where=str(folder), fix="name a model's folder")
    safe = {file.parent for file in weights if file.suffix == ".safetensors"}
    weights = [file for file in weights if file.suffix == ".safetensors" or file.parent not in safe]
    telling = [file for file in files if file.suffix in _TELLING]
    counted = [(file.relative_to(folder).as_posix(), file) for file in sorted([*weights, *telling])]
    return digest_of([[place, _digest(file, file.stat().st_size, file.stat().st_mtime_ns)] for place, file in counted])


@lru_cache(maxsize=4096)
def _digest(file: Path, _size: int, _time: int) -> str:
    return digest_file(file)


def _snapshot(model: str, revision: str | None) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    where = model if revision is None else f"{model}@{revision}"
    try:
        return Path(snapshot_download(model, revision=revision, ignore_patterns=list(_NEVER_FETCHED)))
    except LocalEntryNotFoundError:
        raise DataError(
            "is neither a folder nor a model that was fetched before, and the hub can't be reached",
            where=where,
            fix="check the path or the connection",
        ) from None
    except HFValidationError:
        raise DataError("is neither a folder nor a hub id", where=where, fix="check the path") from None
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no answer"
        raise DataError(
            f"can't be fetched from the hub ({status})", where=where, fix="check the id, the revision and the login"
        ) from None
    except OSError as error:
        raise DataError(f"can't be fetched ({error.strerror or type(error).__name__})", where=where) from None
