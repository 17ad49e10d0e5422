"""The corridor: the only place that opens the doors of two rooms in a row."""

from pyrite.pipelines.build import BUILDERS, Built, build, default_work
from pyrite.pipelines.comparing import compare_results, rank_results, subset_fidelity
from pyrite.pipelines.evaluating import (
    Evaluated,
    Protocol,
    evaluate,
    evaluate_folder,
    evaluate_systems,
    search,
)
from pyrite.pipelines.excluding import Excluded, Exclusion, exclude
from pyrite.pipelines.exporting import export
from pyrite.pipelines.planning import Plan, plan
from pyrite.pipelines.rebuild import Rebuilt, rebuild
from pyrite.pipelines.recipe import (
    KINDS,
    LoadedRecipe,
    check_recipe,
    find_recipe,
    load_recipe,
    override_recipe,
    shipped_recipes,
)
from pyrite.pipelines.results import evaluate_dataset, renew_card, write_results, write_run_file
from pyrite.pipelines.training_mine import MiningRequest, mining_recipe
from pyrite.pipelines.training_refilter import refilter

__all__ = [
    "BUILDERS",
    "KINDS",
    "Built",
    "Evaluated",
    "Excluded",
    "Exclusion",
    "LoadedRecipe",
    "MiningRequest",
    "Plan",
    "Protocol",
    "Rebuilt",
    "build",
    "check_recipe",
    "compare_results",
    "default_work",
    "evaluate",
    "evaluate_dataset",
    "evaluate_folder",
    "evaluate_systems",
    "exclude",
    "export",
    "find_recipe",
    "load_recipe",
    "mining_recipe",
    "override_recipe",
    "plan",
    "rank_results",
    "rebuild",
    "refilter",
    "renew_card",
    "search",
    "shipped_recipes",
    "subset_fidelity",
    "write_results",
    "write_run_file",
]
