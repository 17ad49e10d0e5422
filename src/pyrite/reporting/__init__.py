"""Results become a page: one self-contained HTML file with its tables and charts."""

from pyrite.reporting.lengths import TextLengths
from pyrite.reporting.page import render_page
from pyrite.reporting.values import Board, Hardness, MeasuredSet, Page

__all__ = ["Board", "Hardness", "MeasuredSet", "Page", "TextLengths", "render_page"]
