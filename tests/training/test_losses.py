"""The distillation loss beside numpy, torch's own, and sentence-transformers'."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.mining import kl_distillation
from pyrite.training import TEMPERATURE, distillation_loss, kl_loss

torch = pytest.importorskip("torch")

INF, NAN = float("inf"), float("nan")


def scores(rows: int = 6, candidates: int = 5, seed: int = 0) -> tuple[Any, Any]:
    chance = torch.Generator().manual_seed(seed)
    shape = (rows, candidates)
    student = torch.randn(shape, generator=chance, dtype=torch.float64) * 3
    return student.requires_grad_(), torch.randn(shape, generator=chance, dtype=torch.float64) * 4


def test_it_is_the_formula_of_the_card_and_that_of_numpy() -> None:
    student, teacher = scores()
    ours = torch.nn.functional.log_softmax(student / 2.0, dim=-1)
    theirs = torch.nn.functional.softmax(teacher / 2.0, dim=-1)
    expected = torch.nn.functional.kl_div(ours, theirs, reduction="batchmean") * 4.0
    assert TEMPERATURE == 2.0
    torch.testing.assert_close(kl_loss(student, teacher), expected)
    told = kl_distillation(list(student.detach().numpy()), list(teacher.numpy()))
    assert kl_loss(student, teacher).item() == pytest.approx(told, rel=1e-12)


@pytest.mark.parametrize("filler", [0.0, -INF, INF, NAN, 1e30])
def test_a_masked_candidate_is_none_whatever_is_written_there(filler: float) -> None:
    """X05: loss and gradients are those of the narrowed row."""
    student, teacher = scores(rows=4, candidates=3)
    expected = kl_loss(student, teacher)
    (wanted,) = torch.autograd.grad(expected, student)
    padding = torch.full((4, 2), filler, dtype=torch.float64)
    wide = torch.cat([student.detach(), padding], dim=1).requires_grad_()
    mask = torch.tensor([True, True, True, False, False]).expand(4, 5)
    loss = kl_loss(wide, torch.cat([teacher, padding], dim=1), mask=mask)
    (gradient,) = torch.autograd.grad(loss, wide)
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(gradient[:, :3], wanted)
    assert gradient[:, 3:].tolist() == [[0.0, 0.0]] * 4


def test_rows_of_different_lengths_give_the_mean_of_each_row_alone() -> None:
    student, teacher = scores(rows=5, candidates=6)
    lengths = [6, 2, 1, 4, 3]
    mask = torch.arange(6)[None, :] < torch.tensor(lengths)[:, None]
    loss = kl_loss(student, teacher.masked_fill(~mask, NAN), mask=mask)
    alone = [kl_loss(student[row : row + 1, :n], teacher[row : row + 1, :n]) for row, n in enumerate(lengths)]
    torch.testing.assert_close(loss, torch.stack(alone).mean())
    (gradient,) = torch.autograd.grad(loss, student)
    (wanted,) = torch.autograd.grad(torch.stack(alone).mean(), student)
    torch.testing.assert_close(gradient, wanted)
    rows = [np.asarray(student.detach())[row, :n] for row, n in enumerate(lengths)]
    told = kl_distillation(rows, [teacher.numpy()[row, :n] for row, n in enumerate(lengths)])
    assert loss.item() == pytest.approx(told, rel=1e-12)


def test_half_precision_is_computed_in_float32() -> None:
    student, teacher = (values.detach().half() for values in scores())
    loss = kl_loss(student, teacher)
    assert loss.dtype == torch.float32
    torch.testing.assert_close(loss, kl_loss(student.float(), teacher.float()))


def test_the_teacher_gets_no_gradient() -> None:
    student, teacher = scores()
    kl_loss(student, teacher.requires_grad_()).backward()
    assert teacher.grad is None
    assert student.grad.abs().sum() > 0


@pytest.mark.parametrize("logit", [-INF, INF, NAN])
def test_a_candidate_is_never_left_out_by_its_logit(logit: float) -> None:
    student, teacher = scores()
    teacher[2, 1] = logit
    with pytest.raises(DataError, match="no finite number; leave the candidate out by the mask"):
        kl_loss(student, teacher)


def test_what_does_not_align_is_refused() -> None:
    student, teacher = scores()
    with pytest.raises(DataError, match=r"\(6, 5\) and the teacher's \(6, 4\)"):
        kl_loss(student, teacher[:, :4])
    with pytest.raises(DataError, match="give a bool for each score"):
        kl_loss(student, teacher, mask=torch.ones(6, 5))
    with pytest.raises(DataError, match="a row has no candidate"):
        kl_loss(student, teacher, mask=torch.zeros(6, 5, dtype=torch.bool))


def test_the_contrastive_part_is_the_cross_entropy_over_the_documents_of_the_batch() -> None:
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    vectors = [torch.randn(4, 8, generator=torch.Generator().manual_seed(place)) for place in range(4)]
    labels = scores(4, 3)[1].float()
    model = torch.nn.Module()
    for cosine, scale in ((True, 20.0), (False, 0.5)):
        similarity = {} if cosine else {"similarity_fct": lambda a, b: a @ b.T}
        theirs = MultipleNegativesRankingLoss(model, scale=scale, **similarity)
        expected = theirs.compute_loss_from_embeddings(vectors, labels)
        both = distillation_loss(model, scale=scale, contrast=0.7, cosine=cosine)
        alone = distillation_loss(model, scale=scale, contrast=0.0, cosine=cosine)
        difference = both.compute_loss_from_embeddings(vectors, labels)
        difference = difference - alone.compute_loss_from_embeddings(vectors, labels)
        torch.testing.assert_close(difference, 0.7 * expected)


def test_a_candidate_with_a_label_of_nan_is_nobodys_negative() -> None:
    vectors = [torch.randn(3, 8, generator=torch.Generator().manual_seed(place)) for place in range(4)]
    labels = scores(3, 3)[1].float()
    labels[1, 2] = NAN
    loss = distillation_loss(torch.nn.Module(), scale=20.0, contrast=1.0, cosine=True)
    value = loss.compute_loss_from_embeddings(vectors, labels)
    moved = [*vectors[:3], vectors[3].clone()]
    moved[3][1] = vectors[1][1]
    torch.testing.assert_close(loss.compute_loss_from_embeddings(moved, labels), value)
    moved[3][0] = vectors[1][1]
    assert abs(float(loss.compute_loss_from_embeddings(moved, labels) - value)) > 0.01
    with pytest.raises(DataError, match=r"the labels are \(3, 2\) for 3 rows of 3 documents"):
        loss.compute_loss_from_embeddings(vectors, labels[:, :2])


@pytest.mark.parametrize("family", ["dense", "sparse"])
def test_sentence_transformers_trains_on_the_published_labels_as_they_are_and_agrees(
    family: str, mined_folder: Path, make_student: Callable[[str], Path], tmp_path: Path
) -> None:
    """The n-tuples of a folder that was built, loaded with `datasets`, into their losses and ours."""
    import datasets
    import sentence_transformers as st
    from sentence_transformers.sentence_transformer.losses import DistillKLDivLoss
    from sentence_transformers.sparse_encoder.losses import SparseDistillKLDivLoss, SpladeLoss

    table = datasets.load_dataset(str(mined_folder), "n-tuples", split="train", cache_dir=str(tmp_path / "cache"))
    assert table.column_names == ["query", "positive", "negative_1", "negative_2", "label"]
    if family == "dense":
        model = st.SentenceTransformer(str(make_student("static")), device="cpu")
        theirs: Any = DistillKLDivLoss(model, temperature=2.0)
        used, trainer, arguments = theirs, st.SentenceTransformerTrainer, st.SentenceTransformerTrainingArguments
    else:
        model = st.SparseEncoder(str(make_student("masked")), device="cpu")
        theirs = SparseDistillKLDivLoss(model, temperature=2.0)
        used = SpladeLoss(model, loss=theirs, query_regularizer_weight=5e-5, document_regularizer_weight=3e-5)
        trainer, arguments = st.SparseEncoderTrainer, st.SparseEncoderTrainingArguments
    ours = distillation_loss(model, temperature=2.0)
    columns = [model.preprocess(table[name][:]) for name in table.column_names[:-1]]
    labels = torch.tensor(table["label"][:])
    model.eval()
    with torch.no_grad():
        vectors = [model(dict(column))["sentence_embedding"] for column in columns]
        value = theirs.compute_loss_from_embeddings(vectors, labels).item()
        assert value > 0.01
        assert ours([dict(column) for column in columns], labels).item() == pytest.approx(value, rel=1e-5)
    before = {name: weights.clone() for name, weights in model.named_parameters()}
    settings = arguments(
        output_dir=str(tmp_path / "run"),
        max_steps=2,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        use_cpu=True,
        dataloader_pin_memory=False,
        report_to=[],
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
    )
    model.model_card_data.generate_widget_examples = False
    trainer(model=model, args=settings, train_dataset=table, loss=used).train()
    assert any(not torch.equal(before[name], weights) for name, weights in model.named_parameters())
