import io
import pickle

import pytest

from pyrite.core import PyriteError
from pyrite.retrieval.bm25.segment_worker import SegmentWorker, serve
from pyrite.retrieval.bm25.segmenters import segmenter

TEXTS = ["東京都に住む", "", "日本語"]


def test_a_process_cuts_as_this_one_does() -> None:
    worker = SegmentWorker("ja")
    cut = segmenter("ja")
    assert worker.segment(TEXTS) == [cut(text) for text in TEXTS]
    assert worker.segment(["北海道"]) == [cut("北海道")]
    worker.close()


def test_a_process_that_died_is_one_sentence() -> None:
    worker = SegmentWorker("ja")
    worker._process.kill()
    worker._process.wait()
    with pytest.raises(PyriteError, match=r"a process that segments text ended \(exit code -9\); run again"):
        worker.segment(TEXTS)
    worker.close()


def test_requests_are_answered_until_they_end() -> None:
    source, target = io.BytesIO(pickle.dumps(["日本語"]) + pickle.dumps([])), io.BytesIO()
    serve("ja", source, target)
    target.seek(0)
    assert pickle.load(target) == [segmenter("ja")("日本語")]
    assert pickle.load(target) == []
