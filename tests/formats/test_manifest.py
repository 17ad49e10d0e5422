"""What a folder says of itself."""

import pytest

from pyrite.core import DataError, Ledger, LedgerEntry
from pyrite.formats import Manifest, read_manifest, write_manifest

LEDGER = Ledger().add(LedgerEntry("empty", "rows", 3, 2, {"empty passage": 1}))
MANIFEST = Manifest(
    kind="benchmark",
    name="toy",
    language="en",
    recipe={"queries": {"limit": 5}, "name": "toy"},
    versions={"pyrite": "0.1.0"},
    protocol={"headline_queries": None, "remove_self": False, "template": "{title}\n\n{text}"},
    counts={"queries": 5},
    ledger=LEDGER.to_json(),
    sources={"eval": {"path": "org/naïve", "rows": 5}},
    published=[{"name": "nDCG@10 bm25", "published": 0.75, "built": 0.74}],
    facts={"repeated_query_texts": 0},
    content={"digest": "ab", "files": {"recipe.toml": {"bytes": 3, "rows": None, "sha256": "00"}}},
)


def test_a_manifest_comes_back_whole(tmp_path):
    write_manifest(tmp_path / "manifest.json", MANIFEST)
    found = read_manifest(tmp_path)
    assert found == MANIFEST
    assert Ledger.from_json(found.ledger) == LEDGER


def test_the_same_manifest_is_the_same_bytes_whatever_the_order_of_its_keys(tmp_path):
    write_manifest(tmp_path / "a", MANIFEST)
    write_manifest(tmp_path / "b", Manifest(**dict(reversed(vars(MANIFEST).items()))))
    text = (tmp_path / "a").read_text(encoding="utf-8")
    assert text == (tmp_path / "b").read_text(encoding="utf-8")
    assert text.startswith('{\n "content": {\n  "digest": "ab",')
    assert '"org/naïve"' in text
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not a JSON file"),
        ("[]", "holds no JSON object"),
        ('{"schema": 2}', "has schema 2, and this version of Pyrite reads 1"),
        ('{"schema": 1, "name": "x"}', "has no kind"),
    ],
)
def test_what_is_no_manifest_is_a_sentence(tmp_path, text, said):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DataError, match=rf"manifest\.json: {said}"):
        read_manifest(tmp_path)


def test_an_absent_manifest_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match=r"manifest\.json: there is no such file"):
        read_manifest(tmp_path)
