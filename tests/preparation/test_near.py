"""Near-duplicates: worked out by hand, against brute force, and however the texts come."""

import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.preparation.near import NearIndex, near_duplicates
from pyrite.preparation.shingles import likeness, shingles
from pyrite.preparation.signatures import read_signatures, signatures, signed_parts, write_signatures


def _targets(texts: list[str], threshold: float, seed: int = 0) -> list[int]:
    rows, _ = near_duplicates(pa.array(texts, pa.large_string()), threshold=threshold, seed=seed)
    return rows.tolist()


def _words(first: int, stop: int) -> str:
    return " ".join(f"w{number}" for number in range(first, stop))


def _brute_force(texts: list[str], threshold: float) -> list[int]:
    """Every text against every kept one, by the readable shingles."""
    sets = [shingles(text) for text in texts]
    rows: list[int] = []
    for row, own in enumerate(sets):
        kept = [other for other in range(row) if rows[other] == other]
        rows.append(next((other for other in kept if likeness(own, sets[other]) >= threshold), row))
    return rows


def _generated(count: int, seed: int) -> list[str]:
    """Texts in six scripts, from one word to 200, half of them copies of earlier ones with 0 to 6 changed words."""
    chance = random.Random(seed)
    letters = {
        "latin": "aeioubdfgklmnprst",
        "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
        "hindi": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह",
    }
    lexicons = {
        name: (["".join(chance.choices(characters, k=chance.randint(2, 6))) for _ in range(1500)], " ")
        for name, characters in letters.items()
    }
    lexicons["han"] = ([chr(0x4E00 + number) for number in range(1500)], "")
    lexicons["thai"] = ([chr(0x0E01 + number) for number in range(46)], "")
    lexicons["kana"] = ([chr(0x3041 + number) for number in range(80)], "")
    made: list[tuple[str, list[str]]] = []
    texts = []
    for _ in range(count):
        if made and chance.random() < 0.5:
            name, words = chance.choice(made)
            words = list(words)
            for _ in range(chance.choice([0, 0, 1, 1, 2, 3, 6])):
                words[chance.randrange(len(words))] = chance.choice(lexicons[name][0])
        else:
            name = chance.choice(sorted(lexicons))
            words = chance.choices(lexicons[name][0], k=chance.choice([1, 2, 3, 5, 8, 20, 60, 200]))
        made.append((name, words))
        texts.append(lexicons[name][1].join(words) + chance.choice(["", ".", " ! "]))
    return texts


def test_short_texts_are_their_own_shingle() -> None:
    """O55."""
    assert _targets(["cat", "dog", "cat"], 0.8) == [0, 1, 0]


def test_texts_without_words_equal_nothing_not_even_themselves() -> None:
    """O57: an empty shingle set; the exact rule of identity is for those."""
    assert _targets(["...", "...", "", ""], 0.5) == [0, 1, 2, 3]


def test_different_chinese_and_arabic_texts_stay_and_their_near_copies_go() -> None:
    """O57."""
    chinese, other = (
        "黄铁矿因其浅黄铜色和明亮的金属光泽常被误认为是黄金",
        "今天的天气非常好我们打算去公园里散步然后回家吃饭",
    )
    arabic, another = "البيريت معدن لامع يشبه الذهب كثيرا", "الطقس اليوم جميل جدا في كل المدن"
    copies = [chinese + "。", "«" + arabic + "»"]
    assert _targets([chinese, other, arabic, another, *copies], 0.8) == [0, 1, 2, 3, 0, 2]


def test_a_chain_does_not_merge_what_is_unlike() -> None:
    """O56: 40 shingles each; A and B, B and C share 32 of 48, A and C share 24 of 56."""
    a, b, c = _words(0, 44), _words(8, 52), _words(16, 60)
    assert [likeness(shingles(one), shingles(other)) for one, other in ((a, b), (b, c), (a, c))] == [
        pytest.approx(32 / 48),
        pytest.approx(32 / 48),
        pytest.approx(24 / 56),
    ]
    # B goes to A, so C is compared with A alone.
    assert _targets([a, b, c], 0.6) == [0, 0, 2]
    assert _targets([b, a, c], 0.6) == [0, 0, 0]


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_documents_with_a_common_template_stay_apart(threshold: float) -> None:
    """O56: 46 shingles in common, 30 of each one's own: Jaccard 46 / 106."""
    texts = [f"{_words(0, 50)} " + " ".join(f"own{row}x{place}" for place in range(30)) for row in range(200)]
    rows, notes = near_duplicates(pa.array(texts), threshold=threshold)
    assert rows.tolist() == list(range(200))
    assert notes == ()


def test_the_likeness_that_counts_is_at_least_the_threshold() -> None:
    # 8 of 10 shingles, then 8 of 10.
    first, second, third = _words(0, 13), _words(1, 14), _words(2, 15)
    assert likeness(shingles(first), shingles(second)) == 0.8
    assert likeness(shingles(first), shingles(third)) == 7 / 11
    assert _targets([first, second, third], 0.8) == [0, 0, 2]
    assert _targets([first, second], 0.81) == [0, 1]


def test_of_several_kept_documents_the_earliest_is_named() -> None:
    # The third shares 36 of 44 shingles with each of the others, which share 32 of 48.
    first, second, third = _words(0, 44), _words(8, 52), _words(4, 48)
    assert _targets([first, second, third], 0.8) == [0, 1, 0]
    assert _targets([second, first, third], 0.8) == [0, 1, 0]


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.8, 0.9, 1.0])
def test_what_is_kept_is_what_brute_force_keeps(threshold: float) -> None:
    texts = _generated(500, seed=11)
    expected = _brute_force(texts, threshold)
    assert 60 < sum(row != target for row, target in enumerate(expected)) < 400
    assert _targets(texts, threshold, seed=1) == expected


@pytest.mark.parametrize(("threshold", "shared", "own"), [(0.5, 60, 30), (0.7, 70, 15), (0.8, 80, 10), (0.9, 90, 5)])
def test_of_text_pairs_just_at_the_threshold_at_least_99_of_100_are_found(
    threshold: float, shared: int, own: int
) -> None:
    pairs = 1500
    heads = [[f"p{pair}w{place}" for place in range(shared + 4)] for pair in range(pairs)]
    texts = [
        " ".join([*head, *(f"{side}{pair}x{place}" for place in range(own))])
        for side in "ab"
        for pair, head in enumerate(heads)
    ]
    assert likeness(shingles(texts[0]), shingles(texts[pairs])) == threshold
    targets = np.array(_targets(texts, threshold))
    assert (targets[:pairs] == np.arange(pairs)).all()
    assert (targets[pairs:] == np.arange(pairs)).mean() >= 0.99


def test_batches_and_files_change_nothing(tmp_path: Path) -> None:
    texts = pa.array(_generated(400, seed=12), pa.large_string())
    whole, in_parts, from_files = NearIndex(0.7), NearIndex(0.7), NearIndex(0.7)
    expected = whole.add(signatures(texts, threshold=0.7)).tolist()
    parts, stored = [], []
    for number, start in enumerate(range(0, 400, 37)):
        piece = texts.slice(start, 37)
        parts += in_parts.add(signatures(piece, threshold=0.7)).tolist()
        path = tmp_path / f"{number}.npy"
        write_signatures(path, signed_parts(piece, threshold=0.7))
        for part in read_signatures(path):
            stored += from_files.add(part).tolist()
    assert parts == stored == expected
    assert len(whole) == len(in_parts) == len(from_files) == expected.count(-1)


def test_growing_keeps_every_document_findable() -> None:
    texts = pa.array([_words(row * 50, row * 50 + 20) for row in range(5000)])
    index = NearIndex(0.8)
    made = signatures(texts, threshold=0.8)
    for start in range(0, 5000, 70):
        assert (index.add(made.take(np.arange(start, min(start + 70, 5000)))) == -1).all()
    assert index.find(made).tolist() == list(range(5000))


def test_another_process_with_another_hash_seed_makes_the_same_signatures() -> None:
    text = "fool's gold is pyrite, not gold; 黄铁矿 is its name"
    program = (
        "import sys, pyarrow as pa; from pyrite.preparation.signatures import signatures;"
        "made = signatures(pa.array([sys.argv[1]]), threshold=0.8, seed=5);"
        "print(made.keys.tolist(), made.hashes.tolist())"
    )
    here = signatures(pa.array([text]), threshold=0.8, seed=5)
    there = subprocess.run(
        [sys.executable, "-c", program, text],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONUTF8": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert there.stdout.strip() == f"{here.keys.tolist()} {here.shingles(0).tolist()}"


def test_find_and_keep_leave_the_protected_side_as_it_is() -> None:
    a, b, c = _words(0, 44), _words(8, 52), _words(16, 60)
    index = NearIndex(0.6)
    index.keep(signatures(pa.array([a, b]), threshold=0.6))
    assert len(index) == 2
    # C is like B, which `add` would have merged into A.
    assert index.find(signatures(pa.array([c, a, "x", "?"]), threshold=0.6)).tolist() == [1, 0, -1, -1]
    assert len(index) == 2


def test_memory_is_of_kept_documents_only() -> None:
    texts = pa.array([_words(0, 400)] * 500)
    index = NearIndex(0.8)
    index.add(signatures(texts, threshold=0.8))
    once = index.nbytes
    for _ in range(3):
        index.add(signatures(texts.slice(0, 400), threshold=0.8))
    assert len(index) == 1
    assert index.nbytes == once
    stored = NearIndex(0.8)
    # 10 to 12 bytes a band of 18, 24 of the place, room to grow by an eighth.
    stored.keep(signatures(pa.array(["a"] * 4000), threshold=0.8, wanted=np.zeros(4000, np.bool_)))
    assert stored.nbytes / 4000 < 260


def test_a_template_just_below_the_threshold_merges_nothing_and_is_told() -> None:
    """O56: 700 documents of Jaccard 0.75, each of which shares keys with hundreds."""
    texts = [f"{_words(0, 94)} " + " ".join(f"own{row}x{place}" for place in range(15)) for row in range(700)]
    rows, notes = near_duplicates(pa.array(texts), threshold=0.8)
    assert rows.tolist() == list(range(700))
    assert len(notes) == 1
    assert "not all of them were compared" in notes[0]


def test_real_passages_of_one_template_are_told_apart_as_by_brute_force(shared_data: Path) -> None:
    """O56: MedQuAD describes thousands of conditions in the same sentences."""
    column = pq.read_table(shared_data / "medquad/corpus/train.parquet").column("text").slice(0, 1500)
    sets = [shingles(text) for text in column.to_pylist()]
    holders: dict[str, list[int]] = defaultdict(list)
    expected = []
    for row, own in enumerate(sets):
        shared = Counter(other for shingle in own for other in holders[shingle])
        near = [other for other, count in shared.items() if count / (len(own) + len(sets[other]) - count) >= 0.8]
        expected.append(min(near, default=row))
        if not near:
            for shingle in own:
                holders[shingle].append(row)
    rows, _ = near_duplicates(column, threshold=0.8)
    merged = np.array(expected) != np.arange(1500)
    assert merged.sum() > 20
    # Nothing is merged that brute force keeps, and at least 99 of 100 of what it merges is merged.
    assert not (rows != np.arange(1500))[~merged].any()
    assert (rows[merged] == np.array(expected)[merged]).mean() >= 0.99


def test_signatures_of_another_threshold_are_refused() -> None:
    with pytest.raises(ValueError, match="the signatures have 11 bands, the index 18"):
        NearIndex(0.8).add(signatures(pa.array(["a"]), threshold=0.9))


def test_nothing_to_compare_gives_nothing() -> None:
    index = NearIndex(0.8)
    assert index.add(signatures(pa.array([], pa.string()), threshold=0.8)).tolist() == []
    assert near_duplicates(pa.array([], pa.string()), threshold=0.8)[0].tolist() == []
    assert index.find(signatures(pa.array(["a"]), threshold=0.8)).tolist() == [-1]
