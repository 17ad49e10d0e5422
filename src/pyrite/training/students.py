"""The student: a dense or sparse model that sentence-transformers' trainers fit to mined rows."""

from __future__ import annotations

import contextlib
import random
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.engine import Progress, Silent
from pyrite.training.losses import distillation_loss
from pyrite.training.rows import TrainingRows, write_batches
from pyrite.training.settings import Objective, TrainingSettings
from pyrite.training.surroundings import quietly, same_chance

QUERY_WEIGHT, DOCUMENT_WEIGHT = 5e-5, 3e-5
"""Of the regularizers that keep a sparse student sparse (SPLADE), as the cards of mined sets give them."""

STATIC_RATE, WEIGHTS_RATE = 2e-2, 2e-5
"""Learning rates of word vectors that are only averaged, and of a transformer."""

_CLASSES = {"dense": "SentenceTransformer", "sparse": "SparseEncoder"}
_PROMPTS = {"query": ("query",), "document": ("document", "passage", "corpus")}
_PACKAGES = ("sentence-transformers", "transformers", "torch", "accelerate")


@dataclass(frozen=True)
class Student:
    """A model before it is trained; nothing is loaded by making one.

    Attributes:
        family: "dense" or "sparse".
        folder: with the model's files.
        query_prompt, document_prompt: text before every query and document; None: what the model itself says.
        max_length: tokens that are read of a text; None: as the model says.
        device: torch's name; None: an accelerator where there is one.
    """

    family: Literal["dense", "sparse"]
    folder: Path
    query_prompt: str | None = None
    document_prompt: str | None = None
    max_length: int | None = None
    device: str | None = None


@dataclass(frozen=True)
class Training:
    """What became of a training run.

    Attributes:
        objective: on what. rows: that were trained on, once an epoch.
        steps: of the optimizer. loss: its mean over all of them.
        settings: everything that decides the weights and that the data do not, as plain values.
    """

    objective: Objective
    rows: int
    steps: int
    loss: float
    settings: dict[str, Any]


def train_student(
    student: Student,
    rows: TrainingRows,
    batches: Iterable[pa.RecordBatch],
    out: Path,
    *,
    settings: TrainingSettings,
    progress: Progress | None = None,
) -> Training:
    """Train a copy of a student on rows and save it to `out`; the same on the same machine for the same seed.

    On "pairs" the loss is the cross-entropy of each positive among the positives of its batch (sentence-transformers'
    MultipleNegativesRankingLoss); on n-tuples it is `distillation_loss`, the two parts together. No text occurs twice
    in a batch, so that no query meets its own positive as a negative. A sparse student's loss has SPLADE's regularizers
    beside it.

    Args:
        student: the model to start from; its files stay as they are.
        rows: what the rows are. batches: as `rows.batches()` gives them, or a part of them; they stream to a temporary
            file, so that memory holds one batch of them.
        out: an empty folder, in which the trained model is a sentence-transformers model.
        settings: how it is trained. progress: who is told of the steps.

    Raises:
        MissingExtraError: the packages are not installed. RecipeError: the device is not there.
        DataError: the files are no such model, there are fewer rows than a batch needs, or the training diverged.
    """
    _need_packages()
    with tempfile.TemporaryDirectory() as held, same_chance(), quietly():
        table = Path(held, "rows.arrow")
        count = write_batches(batches, rows.schema, table)
        if count < 2:
            raise DataError(
                f"there are {count} rows to train on",
                where=rows.objective,
                fix="give 2 or more: the negatives of a row are the documents of others",
            )
        random.seed(settings.seed)
        np.random.seed(settings.seed)
        model = _load(student, settings.seed)
        used = _resolved(student, model, rows, settings)
        told = _fit(model, rows, table, used, progress or Silent())
        _must_be_finite(model, rows.objective, used["learning_rate"])
        model.save_pretrained(str(out), create_model_card=False)
    return Training(rows.objective, count, told.global_step, float(told.training_loss), used)


def _need_packages() -> None:
    try:
        import accelerate  # noqa: F401
        import sentence_transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError.of("models", needed_for="training a student") from None


def _load(student: Student, seed: int) -> Any:
    import sentence_transformers
    import torch

    device = student.device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise RecipeError(f"there is no device '{device}'", where="the student", fix="take cpu or cuda:0") from None
    # A head that the files lack is drawn by chance.
    torch.manual_seed(seed)
    name = _CLASSES[student.family]
    try:
        model = getattr(sentence_transformers, name)(
            str(student.folder), device=device, model_kwargs={"dtype": torch.float32}, local_files_only=True
        )
    except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise DataError(
            f"can't be loaded as a {name} ({said[0].rstrip('.')})",
            where=student.folder.name,
            fix="check that it is a model of this family",
        ) from error
    if student.max_length is not None:
        # Word vectors have no length to set: all of a text is read.
        with contextlib.suppress(AttributeError):
            model.max_seq_length = student.max_length
    return model


def _resolved(student: Student, model: Any, rows: TrainingRows, settings: TrainingSettings) -> dict[str, Any]:
    """The settings with what the kind of student decides filled in."""
    similarity = str(model.similarity_fn_name)
    if similarity not in ("cosine", "dot"):
        raise RecipeError(
            f"compares by '{similarity}'", where=student.folder.name, fix="train a student of cosines or dot products"
        )
    static = model.transformers_model is None
    used: dict[str, Any] = {
        **asdict(settings),
        "learning_rate": settings.learning_rate or (STATIC_RATE if static else WEIGHTS_RATE),
        "scale": settings.scale or (20.0 if similarity == "cosine" else 1.0),
        "similarity": similarity,
        "query_prompt": _prompt(model, "query", student.query_prompt),
        "document_prompt": _prompt(model, "document", student.document_prompt),
        "max_length": None if static else int(model.max_seq_length),
        "family": student.family,
        "versions": {name: version(name) for name in _PACKAGES},
    }
    if rows.objective == "pairs":
        del used["temperature"], used["contrast"]
    if student.family == "sparse":
        used |= {"query_regularizer": QUERY_WEIGHT, "document_regularizer": DOCUMENT_WEIGHT}
    return used


def _prompt(model: Any, role: str, asked: str | None) -> str:
    own = getattr(model, "prompts", None) or {}
    default = getattr(model, "default_prompt_name", None)
    said = [own[name] for name in (*_PROMPTS[role], default) if name in own]
    return asked if asked is not None else said[0] if said else ""


def _fit(model: Any, rows: TrainingRows, table: Path, used: dict[str, Any], progress: Progress) -> Any:
    import datasets
    import sentence_transformers as st
    from transformers import PrinterCallback, TrainerCallback

    class Told(TrainerCallback):
        """Tells how far the training is."""

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            progress.start(f"train on {rows.objective}", state.max_steps, "steps")

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            progress.advance(1)

    sparse = used["family"] == "sparse"
    kind: Any = st.SparseEncoderTrainer if sparse else st.SentenceTransformerTrainer

    class Trainer(kind):  # type: ignore[misc]
        """A trainer that writes no card: it would ask the hub for what it tells."""

        def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
            pass

    prompts = {name: used["query_prompt" if name == "query" else "document_prompt"] for name in rows.columns}
    prompts.pop("label", None)
    arguments = (st.SparseEncoderTrainingArguments if sparse else st.SentenceTransformerTrainingArguments)(
        output_dir=str(table.parent / "trainer"),
        num_train_epochs=used["epochs"],
        per_device_train_batch_size=used["batch_size"],
        learning_rate=used["learning_rate"],
        warmup_steps=used["warmup"],
        seed=used["seed"],
        prompts={name: prompt for name, prompt in prompts.items() if prompt} or None,
        batch_sampler="no_duplicates",
        use_cpu=model.device.type == "cpu",
        dataloader_pin_memory=False,
        report_to=[],
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
    )
    data = datasets.Dataset.from_file(str(table))
    trainer = Trainer(model=model, args=arguments, train_dataset=data, loss=_loss(model, rows, used))
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Told())
    try:
        return trainer.train()
    finally:
        progress.finish()


def _loss(model: Any, rows: TrainingRows, used: dict[str, Any]) -> Any:
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
    from sentence_transformers.sparse_encoder.losses import SpladeLoss
    from sentence_transformers.util import cos_sim, dot_score

    cosine = used["similarity"] == "cosine"
    if rows.objective == "pairs":
        loss: Any = MultipleNegativesRankingLoss(
            model, scale=used["scale"], similarity_fct=cos_sim if cosine else dot_score
        )
    else:
        loss = distillation_loss(
            model,
            temperature=used["temperature"],
            scale=used["scale"],
            contrast=used["contrast"],
            cosine=cosine,
        )
    if used["family"] == "dense":
        return loss
    return SpladeLoss(
        model, loss=loss, query_regularizer_weight=QUERY_WEIGHT, document_regularizer_weight=DOCUMENT_WEIGHT
    )


def _must_be_finite(model: Any, objective: Objective, rate: float) -> None:
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise DataError(
            "the training diverged: a weight is no finite number",
            where=objective,
            fix=f"lower the learning rate, which was {rate:g}",
        )
