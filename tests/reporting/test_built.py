from dataclasses import replace

from pyrite.reporting import Page
from pyrite.reporting.built import Facts, build_facts, flattened, rules, system_facts, version_facts


def test_settings_are_told_by_dotted_names_and_without_what_is_not_set() -> None:
    held = {
        "of": [{"system": "bm25"}, {"system": "dense:/m/mini"}],
        "exact": True,
        "depth": 1000,
        "prompt": "",
        "x": None,
    }
    assert list(flattened(held)) == [
        ("of 1.system", "bm25"),
        ("of 2.system", "dense:mini"),
        ("exact", "yes"),
        ("depth", "1,000"),
    ]


def test_a_system_is_told_once_for_each_kind_of_settings(several: Page) -> None:
    english, german = several.sets

    def told(one, analyzer):
        report = one.report
        systems = tuple(replace(system, settings={"analyzer": analyzer, "k1": 1.5}) for system in report.systems)
        return replace(one, report=replace(report, systems=systems))

    alike = system_facts(replace(several, sets=(told(english, "x"), told(german, "x"))))
    assert alike[0] == Facts("system 6", (("analyzer", "x"), ("k1", "1.5")))
    assert len(alike) == 8
    apart = system_facts(replace(several, sets=(told(english, "en"), told(german, "de"))))
    assert [facts.heading for facts in apart[:2]] == ["system 6 (en)", "system 6 (de)"]


def test_versions_and_rules_are_told_once(several: Page, page: Page) -> None:
    assert version_facts(several) == [Facts("Versions of the measuring", (("numpy", "2"),))]
    assert version_facts(page)[1] == Facts("Versions of the build", (("pyrite", "0.1.0"),))
    assert rules(several) == ["All is counted."]


def test_a_build_is_told_with_its_digest_and_what_was_published(page: Page) -> None:
    assert page.manifest is not None
    published = [
        {"name": "queries", "published": 6, "built": 6},
        {"name": "nDCG@10 of bm25", "published": 0.75, "built": None},
    ]
    found = {facts.heading: facts.rows for facts in build_facts(replace(page.manifest, published=published), "d1ge57")}
    assert ("digest", "d1ge57") in found["Dataset"]
    assert found["Protocol"] == (("headline_queries", "5"),)
    assert found["Beside what was published"] == (
        ("queries", "6 (published: 6)"),
        ("nDCG@10 of bm25", "not measured (published: 0.7500)"),
    )
    assert "Further facts" not in found
