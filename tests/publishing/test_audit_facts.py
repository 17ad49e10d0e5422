"""What a card tells of audits: those of these very tables, and what the audit that made the folder did."""

import json
from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.formats import Manifest, read_manifest
from pyrite.publishing import render_card
from pyrite.publishing.audit_facts import KEYS, audit_facts


def put(folder: Path, name: str, digest: str) -> Path:
    path = folder / "results" / name / "audit.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**dict.fromkeys(KEYS), "digest": digest}))
    return path


def test_audits_of_other_tables_are_counted_and_not_shown(tmp_path: Path) -> None:
    put(tmp_path, "one", "now")
    put(tmp_path, "two", "then")
    facts = audit_facts(tmp_path, Manifest("benchmark", "toy"), "now")
    assert (len(facts.found), facts.stale, facts.done, facts.any) == (1, 1, {}, True)


def test_a_folder_without_an_audit_has_nothing_to_tell(toy: Path) -> None:
    facts = audit_facts(toy, read_manifest(toy), "now")
    assert (facts.any, facts.found) == (False, ())
    assert "Audit" not in render_card(toy)


def test_a_copy_tells_what_was_done(tmp_path: Path) -> None:
    assert audit_facts(tmp_path, Manifest("nano", "toy", facts={"audit": {"of": "other"}}), "").done == {"of": "other"}


def test_an_audit_that_lacks_something_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, "one", "now")
    path.write_text('{"digest": "now"}')
    with pytest.raises(DataError, match=r"audit\.json: lacks 'split'; audit again"):
        audit_facts(tmp_path, Manifest("benchmark", "toy"), "now")
