import numpy as np
import pytest

from pyrite.retrieval.bm25.folding import character_table
from pyrite.retrieval.bm25.splitting import Split, mixed, split


def room() -> Split:
    return Split(np.zeros(200, np.uint64), np.zeros(200, np.uint64), np.zeros(200, np.int32))


def test_a_word_is_its_bytes_eight_a_number_and_the_hash_of_these() -> None:
    into = room()
    data = np.frombuffer(b"Abcdefghi, J!", np.uint8)
    assert split(data, 0, len(data), character_table(), into) == 2
    assert into.numbers[:3].astype("<u8").tobytes() == b"abcdefgh" + b"i".ljust(8, b"\0") + b"j".ljust(8, b"\0")
    assert into.lengths[:2].tolist() == [2, 1]
    assert into.hashes[0] == mixed(mixed(np.uint64(0), into.numbers[0]), into.numbers[1])


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("e\u0301", True),  # composes
        ("x\u0301", False),  # a mark that composes with other letters, but not with this one
        ("\u00e1\u0323", True),  # goes into a composition
        ("a\u0323\u0301", True),
        ("क\u094d", False),  # virama
        ("ब\u0921\u093c", False),  # nukta that composes with other letters
        ("\u0928\u093c", True),
        ("ᄀ\u1161", True),
        ("한글", False),
        ("Straße ﬁ İ", False),  # expansions that no neighbour changes, but for İ
    ],
)
def test_only_a_text_whose_neighbours_matter_is_left_to_python(text: str, hard: bool) -> None:
    data = np.frombuffer(text.encode(), np.uint8)
    assert (split(data, 0, len(data), character_table(), room()) < 0) == (hard or "İ" in text)
