"""Mining: from known positives and what retrievers found to rows with hard negatives, every drop with its reason."""

from pyrite.mining.candidates import Ranked, merged, ranked_in_pool, unite
from pyrite.mining.exclusion import Exclusion, exclude_near, exclude_positives, positives_beside
from pyrite.mining.filters import VERDICTS, Filtered, FilterRules, filter_rows
from pyrite.mining.guards import check_rules, checked_logits, coarse_labels, refuse_squashed
from pyrite.mining.likeness import alike
from pyrite.mining.lookup import find_rows
from pyrite.mining.losses import TEMPERATURE, kl_distillation
from pyrite.mining.pairs import (
    Expanded,
    KnownPositives,
    PairRules,
    expand_pairs,
    place_pairs,
    text_numbers,
)
from pyrite.mining.pool import CorpusRows, PoolChoice, Sample, choose_pool, sample_rows, threshold
from pyrite.mining.select import HOW, Rows, Selection, SelectRules, select, unscored_rows
from pyrite.mining.statistics import LabelStatistics, MiningStatistics, Spread, mining_statistics, select_entry
from pyrite.mining.tuples import negative_places, tuples_of

__all__ = [
    "HOW",
    "TEMPERATURE",
    "VERDICTS",
    "CorpusRows",
    "Exclusion",
    "Expanded",
    "FilterRules",
    "Filtered",
    "KnownPositives",
    "LabelStatistics",
    "MiningStatistics",
    "PairRules",
    "PoolChoice",
    "Ranked",
    "Rows",
    "Sample",
    "SelectRules",
    "Selection",
    "Spread",
    "alike",
    "check_rules",
    "checked_logits",
    "choose_pool",
    "coarse_labels",
    "exclude_near",
    "exclude_positives",
    "expand_pairs",
    "filter_rows",
    "find_rows",
    "kl_distillation",
    "merged",
    "mining_statistics",
    "negative_places",
    "place_pairs",
    "positives_beside",
    "ranked_in_pool",
    "refuse_squashed",
    "sample_rows",
    "select",
    "select_entry",
    "text_numbers",
    "threshold",
    "tuples_of",
    "unite",
    "unscored_rows",
]
