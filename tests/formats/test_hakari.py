import yaml

from pyrite.formats.hakari import NANOBEIR_SPLITS, HakariDataset, write_hakari

KEYS = {
    *("name", "dataset_id", "corpus_config", "queries_config", "qrels_config", "candidate_config", "benchmark_kind"),
    *("splits", "split_mapping", "metadata", "task_metadata"),
}
"""HAKARI-Bench refuses any other key."""


def read(dataset: HakariDataset) -> dict:
    return yaml.safe_load(dataset.to_yaml())


def test_the_file_names_the_configs_and_every_split(tmp_path):
    write_hakari(tmp_path / "nano.yaml", HakariDataset("NanoToy", "me/NanoToy", {"ja": "ja", "no": "no"}, "Toys."))
    values = yaml.safe_load((tmp_path / "nano.yaml").read_text(encoding="utf-8"))
    assert set(values) <= KEYS
    assert (values["corpus_config"], values["queries_config"], values["qrels_config"]) == ("corpus", "queries", "qrels")
    assert values["candidate_config"] == "bm25"
    assert values["benchmark_kind"] == "nano"
    assert values["splits"] == ["ja", "no"]
    assert values["task_metadata"]["no"]["language"] == "no"


def test_metadata_have_the_four_fields_that_are_required():
    metadata = read(HakariDataset("NanoToy", "me/NanoToy", {"ja": "ja"}, "Toys."))["metadata"]
    assert metadata == {
        "language": "ja",
        "category": "natural_language",
        "short_description": "Toys.",
        "description": "Toys.",
    }


def test_several_languages_are_multilingual_and_a_code_of_three_letters_is_unknown_to_it():
    assert read(HakariDataset("N", "me/N", {"a": "ja", "b": "en"}, "T."))["metadata"]["language"] == "multilingual"
    assert read(HakariDataset("N", "me/N", {"a": "fil"}, "T."))["metadata"]["language"] == "unknown"


def test_a_long_description_is_cut_for_the_short_one_only():
    metadata = read(HakariDataset("N", "me/N", {"a": "ja"}, "x" * 200))["metadata"]
    assert (len(metadata["short_description"]), len(metadata["description"])) == (140, 200)


def test_the_thirteen_nanobeir_names_are_the_kind_nanobeir():
    assert read(HakariDataset("N", "me/N", dict.fromkeys(NANOBEIR_SPLITS, "en"), "T."))["benchmark_kind"] == "nanobeir"
