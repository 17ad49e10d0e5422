"""The stages that the engine's tests run live in a module that a spawned worker can import by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
