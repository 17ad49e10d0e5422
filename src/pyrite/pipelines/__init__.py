"""The corridor: the only place that opens the doors of two rooms in a row."""

from pyrite.pipelines.auditing import Audited, AuditRequest, audit, read_audit
from pyrite.pipelines.auditing_apply import Applied, apply_audit
from pyrite.pipelines.auditing_leaks import Other
from pyrite.pipelines.build import BUILDERS, Built, build, default_work
from pyrite.pipelines.comparing import compare_results, rank_results, subset_fidelity
from pyrite.pipelines.evaluating import (
    Evaluated,
    evaluate,
    evaluate_folder,
    evaluate_systems,
    search,
)
from pyrite.pipelines.excluding import Excluded, Exclusion, exclude
from pyrite.pipelines.exporting import export
from pyrite.pipelines.planning import Plan, plan
from pyrite.pipelines.protocol import Protocol
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
from pyrite.pipelines.reports import write_leaderboard_page
from pyrite.pipelines.results import (
    evaluate_dataset,
    refuse_other_files,
    renew_card,
    run_folders,
    write_results,
    write_run_file,
)
from pyrite.pipelines.stated_language import warn_of_language
from pyrite.pipelines.students import TrainingRequest, TrainingResult, train
from pyrite.pipelines.training_mine import MiningRequest, mining_recipe
from pyrite.pipelines.training_refilter import refilter

__all__ = [
    "BUILDERS",
    "KINDS",
    "Applied",
    "AuditRequest",
    "Audited",
    "Built",
    "Evaluated",
    "Excluded",
    "Exclusion",
    "LoadedRecipe",
    "MiningRequest",
    "Other",
    "Plan",
    "Protocol",
    "Rebuilt",
    "TrainingRequest",
    "TrainingResult",
    "apply_audit",
    "audit",
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
    "read_audit",
    "rebuild",
    "refilter",
    "refuse_other_files",
    "renew_card",
    "run_folders",
    "search",
    "shipped_recipes",
    "subset_fidelity",
    "train",
    "warn_of_language",
    "write_leaderboard_page",
    "write_results",
    "write_run_file",
]
