"""The distillation loss that mined labels are for, in torch, for sentence-transformers' trainers and any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyrite.core import DataError
from pyrite.training.settings import TEMPERATURE

if TYPE_CHECKING:
    from torch import Tensor


def kl_loss(
    student: Tensor, teacher: Tensor, *, temperature: float = TEMPERATURE, mask: Tensor | None = None
) -> Tensor:
    """KL(softmax(teacher / T) || softmax(student / T)), summed over candidates, mean over rows, times T squared.

    Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015; without a mask it is
    `kl_div(log_softmax(student / T), softmax(teacher / T), reduction="batchmean") * T**2`. Rows of different lengths
    are given a mask: what it leaves out counts on neither side, takes no part in a softmax and gets a gradient of 0,
    whatever is written there, so that the loss is the mean of those of the rows alone.

    Args:
        student, teacher: float tensors of shape (rows, candidates), the positive first; half precision is computed in
            float32. The teacher gets no gradient.
        temperature: T, above 0.
        mask: bool, of the same shape, True where there is a candidate; None: everywhere.

    Raises:
        DataError: the shapes differ, a row has no candidate, or a candidate's teacher logit is no finite number
            (a candidate is left out by the mask, never by a logit of -inf).

    >>> import torch
    >>> rows = torch.tensor([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]])
    >>> labels = torch.tensor([[2.0, 0.0, float("nan")], [1.0, 2.0, 3.0]])
    >>> kl_loss(rows, labels, mask=~labels.isnan())
    tensor(0.2219)
    """
    import torch

    if student.shape != teacher.shape or student.ndim != 2:
        raise DataError(f"the student's scores are {tuple(student.shape)} and the teacher's {tuple(teacher.shape)}")
    there = torch.ones_like(student, dtype=torch.bool) if mask is None else mask
    if there.shape != student.shape or there.dtype != torch.bool:
        raise DataError(f"the mask is {tuple(there.shape)}, {there.dtype}", fix="give a bool for each score")
    if not bool(there.any(dim=1).all()):
        raise DataError("a row has no candidate", fix="leave the row out")
    if not bool(teacher[there].isfinite().all()):
        raise DataError("a teacher's logit is no finite number", fix="leave the candidate out by the mask")
    ours = _log_softmax(student, there, temperature)
    theirs = _log_softmax(teacher.detach(), there, temperature)
    # 0 where nothing is, on both sides: 0 times a large number is 0, and has a gradient of 0.
    apart = torch.where(there, theirs.exp() * (theirs - ours), torch.zeros_like(ours))
    return apart.sum() / len(student) * temperature**2


def _log_softmax(scores: Tensor, there: Tensor, temperature: float) -> Tensor:
    import torch

    wide = scores if scores.dtype == torch.float64 else scores.float()
    # The least finite number and not -inf: its exponential is 0 all the same, and no difference of it is NaN.
    held = torch.where(there, wide / temperature, torch.full_like(wide, torch.finfo(wide.dtype).min))
    return torch.log_softmax(held, dim=1)


def distillation_loss(
    model: Any, *, temperature: float = TEMPERATURE, scale: float = 1.0, contrast: float = 0.0, cosine: bool = False
) -> Any:
    """A loss for sentence-transformers' trainers, over query, positive, negatives, and the teacher's logits as label.

    It is `kl_loss` over each row's own candidates, and `contrast` times the cross-entropy of the positive among the
    documents of the whole batch. Where a label is NaN the row has no such candidate: its text is read and not used.
    With `contrast=0` and no NaN the value is that of their DistillKLDivLoss and SparseDistillKLDivLoss. It fits into
    their SpladeLoss.

    Args:
        model: a SentenceTransformer or SparseEncoder.
        temperature: T of the distillation, above 0.
        scale: what similarities are multiplied with, for both parts.
        contrast: weight of the contrastive part; 0: none.
        cosine: whether vectors are compared by their cosine; else by their dot product.
    """
    from torch import nn

    class Distillation(nn.Module):
        """The loss over one batch."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, sentence_features: Iterable[Mapping[str, Tensor]], labels: Tensor) -> Tensor:
            """The loss of texts that are tokenized."""
            embeddings = [self.model(features)["sentence_embedding"] for features in sentence_features]
            return self.compute_loss_from_embeddings(embeddings, labels)

        def compute_loss_from_embeddings(self, embeddings: Sequence[Tensor], labels: Tensor) -> Tensor:
            """The loss of vectors: the queries', then those of each column of documents."""
            return row_and_batch_loss(
                embeddings, labels, temperature=temperature, scale=scale, contrast=contrast, cosine=cosine
            )

        def get_config_dict(self) -> dict[str, Any]:
            """What the loss was set to."""
            return {"temperature": temperature, "scale": scale, "contrast": contrast, "cosine": cosine}

    return Distillation()


def row_and_batch_loss(
    embeddings: Sequence[Tensor],
    labels: Tensor,
    *,
    temperature: float,
    scale: float,
    contrast: float,
    cosine: bool,
) -> Tensor:
    """What `distillation_loss` computes, from the vectors of a batch.

    Args:
        embeddings: one (rows, dimensions) tensor a column: queries, positives, then negatives.
        labels: (rows, columns of documents), NaN where a row has no such candidate.
        temperature, scale, contrast, cosine: as there.
    """
    import torch
    from torch.nn.functional import cross_entropy, normalize

    queries, documents = embeddings[0], torch.stack(list(embeddings[1:]))
    if labels.shape != (len(queries), len(documents)):
        raise DataError(
            f"the labels are {tuple(labels.shape)} for {len(queries)} rows of {len(documents)} documents",
            fix="give one logit a document",
        )
    if cosine:
        queries, documents = normalize(queries, dim=-1), normalize(documents, dim=-1)
    there = ~labels.isnan()
    own = torch.einsum("qd,cqd->qc", queries, documents) * scale
    loss = kl_loss(own, labels, temperature=temperature, mask=there)
    if not contrast:
        return loss
    # Document of column c and row r at c * rows + r: the positive of row r is at r.
    everyone = (queries @ documents.flatten(0, 1).T).float() * scale
    absent = ~there.T.reshape(1, -1)
    everyone = everyone.masked_fill(absent, torch.finfo(everyone.dtype).min)
    targets = torch.arange(len(queries), device=queries.device)
    return loss + contrast * cross_entropy(everyone, targets)
