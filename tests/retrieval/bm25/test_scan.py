import numpy as np
import pyarrow as pa

from pyrite.retrieval.bm25.folding import character_table
from pyrite.retrieval.bm25.scan import Texts, nothing_found, scan
from pyrite.retrieval.bm25.vocabulary import no_words


def test_a_hard_text_has_no_words_yet_and_the_others_have_theirs() -> None:
    column = pa.array(["a b", "a e\u0301", "b"], pa.large_string())
    _, offsets, data = column.buffers()
    texts = Texts(np.frombuffer(data, np.uint8), np.frombuffer(offsets, np.int64), np.array([2, 0, 1]))
    words, found = scan(texts, character_table(), no_words(), nothing_found(3, 0))
    # rows say where the result of a text goes
    assert found.hard.tolist() == [True, False, False]
    assert found.ids[found.starts[2] : found.ends[2]].tolist() == [0, 1]
    assert found.ids[found.starts[1] : found.ends[1]].tolist() == [1]
    assert found.starts[0] == found.ends[0]
    assert words.sizes[0] == 2
