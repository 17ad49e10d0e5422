"""How the manual becomes a site: `make site` writes it into docs/_build, and any warning stops it."""

from pygments.lexers.data import JsonLexer
from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

from pyrite import __version__

project = "Pyrite"
author = "The Pyrite authors"
copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "examples"]

lexers["csv"] = TextLexer()
lexers["jsonl"] = JsonLexer()

myst_heading_anchors = 4
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = f"Pyrite {version}"
html_last_updated_fmt = None
html_copy_source = False
html_show_sphinx = False
