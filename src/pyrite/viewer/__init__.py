"""The local viewer: what is in datasets, runs, results, mined sets and audits, as pages on this machine."""

from pyrite.viewer.given import Shelf, open_paths
from pyrite.viewer.server import ViewerServer

__all__ = ["Shelf", "ViewerServer", "open_paths"]
