"""The command line: each verb parses, makes one library call, and prints."""

from pyrite.cli.app import main

__all__ = ["main"]
