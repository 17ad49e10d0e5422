"""The task file of MTEB: a Python file whose literals hold whatever a recipe says."""

import ast
from types import SimpleNamespace

import pytest

from pyrite.formats import MtebTask, write_mteb_task


def run(path, monkeypatch):
    """The metadata of a task file, run beside stand-ins for what it imports."""
    import sys

    task, metadata = SimpleNamespace(AbsTaskRetrieval=object), SimpleNamespace(TaskMetadata=SimpleNamespace)
    modules = {"mteb": SimpleNamespace(), "mteb.abstasks": task, "mteb.abstasks.task_metadata": metadata}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    held = {"__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), held)
    return next(value for value in held.values() if hasattr(value, "ignore_identical_ids"))


def test_the_data_are_beside_the_file_unless_they_have_an_id(tmp_path, monkeypatch):
    write_mteb_task(tmp_path / "mteb_task.py", MtebTask("toy set", {"": "en"}, ["test"], "Toys."))
    found = run(tmp_path / "mteb_task.py", monkeypatch)
    assert (found.__name__, found.metadata.name) == ("ToySet", "ToySet")
    assert found.metadata.dataset == {"path": str(tmp_path), "revision": "main"}
    assert (found.metadata.eval_langs, found.metadata.eval_splits) == (["eng-Latn"], ["test"])
    task = MtebTask("toy", {"": "en"}, ["test"], "Toys.", dataset_id="org/toy", revision="abc")
    write_mteb_task(tmp_path / "mteb_task.py", task)
    assert run(tmp_path / "mteb_task.py", monkeypatch).metadata.dataset == {"path": "org/toy", "revision": "abc"}


def test_several_languages_are_a_mapping_and_an_unknown_one_is_undetermined(tmp_path, monkeypatch):
    write_mteb_task(tmp_path / "t.py", MtebTask("t", {"ja": "ja", "x": ""}, ["test"], "T."))
    assert run(tmp_path / "t.py", monkeypatch).metadata.eval_langs == {"ja": ["jpn-Jpan"], "x": ["und"]}


@pytest.mark.parametrize("text", ['"""', "'\\", "a\nb", "{name}", "é\u2028", '");raise SystemExit("'])
def test_no_text_of_a_recipe_becomes_code(tmp_path, monkeypatch, text):
    task = MtebTask(text, {"": "en"}, ["test"], text, bibtex=text, remove_self=True)
    assert ast.parse(task.to_python())
    write_mteb_task(tmp_path / "t.py", task)
    found = run(tmp_path / "t.py", monkeypatch)
    assert (found.metadata.description, found.metadata.bibtex_citation, found.ignore_identical_ids) == (
        text,
        text,
        True,
    )


def test_a_licence_that_mteb_does_not_know_is_left_out(tmp_path, monkeypatch):
    for licence, told in (("cc-by-4.0", "cc-by-4.0"), ("other", None), ("gfdl", None)):
        write_mteb_task(tmp_path / "t.py", MtebTask("t", {"": "en"}, ["test"], "T.", licence=licence))
        assert run(tmp_path / "t.py", monkeypatch).metadata.license == told
