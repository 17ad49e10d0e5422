from pyrite.engine import Engine
from pyrite.formats import read_report
from pyrite.pipelines import Protocol, evaluate_folder, renew_card, write_results

MINERALS = ["gold is soft", "gold shines", "quartz is hard"]


def source(write_rows) -> None:
    for split in ("en", "more"):
        write_rows(f"toy/corpus/{split}.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(MINERALS)])
        write_rows(f"toy/queries/{split}.parquet", [{"_id": "q1", "text": "soft gold"}])
        write_rows(f"toy/qrels/{split}.parquet", [{"query-id": "q1", "corpus-id": "d0"}])


def test_each_split_has_a_report_of_every_system_and_the_card_shows_it(write_rows, make_nano):
    source(write_rows)
    folder = make_nano(
        {
            "source": {"path": "toy", "split": "{split}"},
            "nano": {"fill": "source-order"},
            "language": "en",
            "split": [{"name": "en"}, {"name": "more"}],
            "evaluate": {"systems": ["bm25:en", "bm25:whitespace:en"], "measures": ["nDCG@10", "RR@10"]},
        }
    )
    for split in ("en", "more"):
        report = read_report(folder / "results" / split)
        assert (report.dataset, report.split) == ("NanoToy", split)
        assert report.mean("RR@10", "bm25:en") == 1.0
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| more | bm25:whitespace:en | RR@10 | 1.0000 (1.0000–1.0000) |" in card


def test_a_recipe_that_measures_nothing_leaves_no_results_but_its_page(write_rows, make_nano):
    source(write_rows)
    folder = make_nano({"source": {"path": "toy"}, "language": "en", "split": [{"name": "en", "split": "en"}]})
    assert [path.name for path in (folder / "results").iterdir()] == ["report.html"]


def test_results_of_a_split_that_are_measured_later_join_the_card(write_rows, make_nano, tmp_path):
    source(write_rows)
    folder = make_nano({"source": {"path": "toy"}, "language": "en", "split": [{"name": "en", "split": "en"}]})
    with Engine(tmp_path / "later") as engine:
        evaluated = evaluate_folder(folder, ["bm25:whitespace:en"], split="en", protocol=Protocol(), engine=engine)
    write_results(evaluated, tmp_path / "mine")
    assert renew_card(folder, [tmp_path / "mine"])
    assert "| en | bm25:whitespace:en | nDCG@10 | " in (folder / "README.md").read_text(encoding="utf-8")
