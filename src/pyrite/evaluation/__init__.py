"""Qrels and runs to reports: measures, intervals, tests between systems, difficulty, tables."""

from pyrite.evaluation.align import Aligned, align
from pyrite.evaluation.bootstrap import bootstrap, bootstrap_all
from pyrite.evaluation.comparing_tables import comparison_tables, fidelity_table
from pyrite.evaluation.difficulty import Difficulty, difficulty
from pyrite.evaluation.evaluate import DEFAULT_MEASURES, evaluate_runs, measure
from pyrite.evaluation.fidelity import Fidelity, fidelity
from pyrite.evaluation.leaderboard import Leaderboard, leaderboard
from pyrite.evaluation.measures import Measure, parse_measures
from pyrite.evaluation.significance import Comparison, PairComparison, compare, holm, randomisation_test
from pyrite.evaluation.table import Table, describe_queries, format_estimate, report_table, sweep_table

__all__ = [
    "DEFAULT_MEASURES",
    "Aligned",
    "Comparison",
    "Difficulty",
    "Fidelity",
    "Leaderboard",
    "Measure",
    "PairComparison",
    "Table",
    "align",
    "bootstrap",
    "bootstrap_all",
    "compare",
    "comparison_tables",
    "describe_queries",
    "difficulty",
    "evaluate_runs",
    "fidelity",
    "fidelity_table",
    "format_estimate",
    "holm",
    "leaderboard",
    "measure",
    "parse_measures",
    "randomisation_test",
    "report_table",
    "sweep_table",
]
