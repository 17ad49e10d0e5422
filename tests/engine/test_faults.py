import errno
from pathlib import Path

import pytest

from pyrite.engine.faults import disk_full, not_writable


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        RuntimeError("parquet: No space left on device (os error 28)"),
        OSError("2238 requested and 1240 written"),
    ],
)
def test_a_full_disk_is_known_by_its_number_or_by_its_words(error):
    assert str(disk_full(error, Path("out/a.parquet"))).startswith("out/a.parquet: the disk is full; ")


def test_a_full_disk_elsewhere_is_named_instead():
    error = OSError(errno.ENOSPC, "No space left on device", "/tmp/spill.arrow")
    assert disk_full(error, Path("out/a.parquet")).where == "/tmp/spill.arrow"


def test_a_temporary_file_is_named_by_its_target():
    error = OSError(errno.ENOSPC, "No space left on device", "out/.tmp-12-a.parquet")
    assert disk_full(error, Path("out/a.parquet")).where == "out/a.parquet"


def test_another_error_is_no_full_disk():
    assert disk_full(OSError(errno.EIO, "Input/output error"), Path("a")) is None


def test_a_disk_that_is_full_when_a_folder_is_made_is_not_called_unwritable():
    assert not_writable(OSError(errno.ENOSPC, "No space left on device"), Path("a")).what == "the disk is full"
