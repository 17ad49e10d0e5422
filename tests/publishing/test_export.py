"""Round trips: every export is read back to the collection that it was made from."""

import json
from pathlib import Path

import pytest

from pyrite.core import Candidates, Collection, Corpus, DataError, Document, Qrels, Queries, Query, RecipeError, Run
from pyrite.formats import Manifest, read_collection, write_manifest, write_nano_split, write_published
from pyrite.publishing import FORMS, ExportAs, export_folder

ODD = [
    *("001", "no", "1e3", "Ann Lee", "(a) b", "tab\tid", "e\u0301", 'a "q"', "line\nend", "'", "100%25", "50%"),
    *("a<b>", "x&y;", "\u3000wide", "1.0", "null", "-"),
]
PROTOCOL = {"headline_queries": 3, "remove_self": True, "template": "{title}: {text}"}
RECIPE = {
    "card": {"license": "", "pretty_name": "Toy Minerals", "summary": "Questions on minerals."},
    "credit": [
        {"name": "Minerals", "url": "https://example.org/m", "license": "CC BY-SA 4.0", "bibtex": "@misc{minerals}"},
    ],
}


def rank(collection):
    """Candidates that hold nothing but positives."""
    queries = collection.queries.ids.to_pylist()
    return Candidates(Run.of("bm25", {one: [(doc, 1.0) for doc in collection.qrels.positives(one)] for one in queries}))


def write(folder, *, titles=True, grades=True, ids=ODD):
    """A published folder with a test and a dev split; query q-dev is judged in dev only."""
    documents = [
        Document(one, f" text of {one}\n", f"T{place}" if titles and place % 2 else "") for place, one in enumerate(ids)
    ]
    asked = [Query(one, f"where is {one}?") for one in ids] + [Query("q-dev", "dev?"), Query("unjudged", "?")]
    test = {
        one: {other: 2 if grades else 1, **({one: 0} if grades else {})}
        for one, other in zip(ids, ids[1:] + ids[:1], strict=True)
    }
    qrels = {"test": Qrels.of(test), "dev": Qrels.of({"q-dev": {ids[0]: 1}})}
    write_published(folder, Corpus.of(documents), Queries.of(asked), qrels)
    write_manifest(folder / "manifest.json", Manifest("benchmark", "toy", "no", recipe=RECIPE, protocol=PROTOCOL))
    return folder


def nano(folder):
    for name, language in (("ja", "ja"), ("no", "no")):
        texts = Corpus.of([Document(f"{name} 1", "a"), Document("001", "b")]), Queries.of([Query("1e3", "?")])
        qrels = Qrels.of({"1e3": {"001": 1}})
        collection = Collection(name, language, *texts, qrels)
        write_nano_split(
            folder,
            collection,
            candidates={"bm25": rank(collection)},
            graded=Qrels.of({"1e3": {"001": 3, f"{name} 1": 0}}),
            metadata={"name": name, "language": language},
        )
    write_manifest(folder / "manifest.json", Manifest("nano", "NanoToy"))
    return folder


def held(collection):
    """Everything that makes two collections the same."""
    return (
        list(collection.corpus),
        collection.corpus.contents().to_pylist(),
        list(collection.queries),
        list(collection.qrels.rows()),
        (collection.language, collection.headline_queries, collection.remove_self),
    )


@pytest.mark.parametrize("form", ["mteb", "beir", "trec"])
@pytest.mark.parametrize("split", ["test", "dev"])
def test_ids_titles_grades_splits_and_protocol_survive(tmp_path, form, split):
    """O30, O33, O37: ids with white space, "001", "no", "1e3", decomposed accents; the template goes along."""
    folder = write(tmp_path / "toy")
    export_folder(folder, tmp_path / "out", ExportAs(form))
    assert held(read_collection(tmp_path / "out", split=split)) == held(read_collection(folder, split=split))


def test_the_nano_layout_holds_binary_judgements_and_one_text(tmp_path):
    folder = write(tmp_path / "toy", titles=False, grades=False)
    exported = export_folder(folder, tmp_path / "out", ExportAs("hakari", rank=rank))
    assert exported.lost == ("Every query counts, not the headline protocol.",)
    there, back = read_collection(folder, split="test"), read_collection(tmp_path / "out", split="test")
    assert held(back)[:4] == held(there)[:4]
    told = export_folder(write(tmp_path / "graded"), tmp_path / "out", ExportAs("hakari", rank=rank)).lost
    assert {sentence.split(" ")[0] for sentence in told} == {"The", "Title", "Every"}
    graded = read_collection(tmp_path / "out", split="test")
    assert graded.qrels["001"] == {"no": 1}
    assert (
        graded.corpus.contents().to_pylist()
        == read_collection(tmp_path / "graded", split="test").corpus.contents().to_pylist()
    )


@pytest.mark.parametrize("form", FORMS)
def test_every_split_of_a_nano_dataset_is_read_back_with_its_language(tmp_path, form):
    folder = nano(tmp_path / "NanoToy")
    export_folder(folder, tmp_path / "out", ExportAs(form))
    for split in ("ja", "no"):
        apart = form in ("beir", "trec")
        place = tmp_path / "out" / split if apart else tmp_path / "out"
        back = read_collection(place, split=None if apart else split)
        assert held(back) == held(read_collection(folder, split=split))


def test_a_nano_dataset_keeps_every_byte_of_its_tables(tmp_path):
    folder = nano(tmp_path / "NanoToy")
    export_folder(folder, tmp_path / "out", ExportAs("hakari"))
    tables = sorted(path.relative_to(folder) for path in folder.rglob("*.parquet"))
    assert len(tables) == 10
    assert [(tmp_path / "out" / one).read_bytes() for one in tables] == [(folder / one).read_bytes() for one in tables]


@pytest.mark.parametrize("form", FORMS)
def test_a_second_export_is_the_same_bytes_and_replaces_the_first(tmp_path, form):
    folder = write(tmp_path / "toy")

    def files(out):
        exported = export_folder(folder, out, ExportAs(form, rank=rank))
        found = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        assert {name: len(content) for name, content in found.items()} == exported.files
        return found

    first = files(tmp_path / "out")
    (tmp_path / "out" / "leftover.txt").write_text("x")
    assert files(tmp_path / "out") == first


def test_a_folder_with_something_else_in_it_is_refused(tmp_path):
    folder = write(tmp_path / "toy")
    before = sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    for out in (folder, tmp_path / "other"):
        out.mkdir(exist_ok=True)
        (tmp_path / "other" / "mine.txt").write_text("x") if out.name == "other" else None
        with pytest.raises(RecipeError, match="holds something else than an export; choose another --out"):
            export_folder(folder, out, ExportAs("beir"))
    assert sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file()) == before


def test_an_unknown_form_and_a_dataset_without_candidates_are_sentences(tmp_path):
    folder = write(tmp_path / "toy")
    with pytest.raises(RecipeError, match="'csv' is no form of an export; choose one of mteb, hakari, beir, trec"):
        export_folder(folder, tmp_path / "out", ExportAs("csv"))
    with pytest.raises(DataError, match="split 'dev': has no candidates for rerankers"):
        export_folder(folder, tmp_path / "out", ExportAs("hakari"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", FORMS)
def test_licence_and_credits_go_along(tmp_path, form):
    export_folder(write(tmp_path / "toy"), tmp_path / "out", ExportAs(form, rank=rank))
    card = (tmp_path / "out" / "README.md").read_text()
    assert "license: cc-by-sa-4.0" in card
    assert "- [Minerals](https://example.org/m): the data, under CC BY-SA 4.0" in card
    assert "@misc{minerals}" in card


def test_what_datasets_loads_of_an_export_is_what_it_declares(tmp_path, monkeypatch):
    """X13, O51."""
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    export_folder(write(tmp_path / "toy"), tmp_path / "out", ExportAs("mteb"))
    load = {"cache_dir": str(tmp_path / "cache")}
    assert datasets.load_dataset(str(tmp_path / "out"), "corpus", split="corpus", **load)["_id"][:3] == ODD[:3]
    assert datasets.load_dataset(str(tmp_path / "out"), "qrels", split="dev", **load)["score"][:] == [1]


def test_json_says_what_was_made(tmp_path):
    exported = export_folder(write(tmp_path / "toy"), tmp_path / "out", ExportAs("beir"))
    told = json.loads(json.dumps(exported.to_json()))
    assert told["counts"] == {"queries": len(ODD) + 2, "corpus": len(ODD), "qrels": 2 * len(ODD) + 1}
    assert Path(told["folder"]) == tmp_path / "out"
    assert set(told["files"]) == {
        "README.md", "corpus.jsonl", "manifest.json", "qrels/dev.tsv", "qrels/test.tsv", "queries.jsonl",
    }  # fmt: skip
