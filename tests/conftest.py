"""What every test may use."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The folder of real collections beside the checkout; a test that needs it skips where it is absent."""
    if not (SHARED / "collections.json").is_file():
        pytest.skip(f"real collections are not at {SHARED}")
    return SHARED
