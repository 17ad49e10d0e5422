"""`pyrite demo`: what it says and leaves behind, above all where its encoder is not installed."""

from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.cli.demo import LANGUAGES, systems_of
from pyrite.retrieval import universal_sentence_encoder


def test_without_its_encoder_the_demo_says_what_to_install_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(universal_sentence_encoder, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        main(["demo", "--out", str(tmp_path / "demo"), "--work", str(tmp_path / "work")])
    told = capsys.readouterr().out
    assert not stopped.value.code
    assert 'No training set is mined: the system use needs packages that are not installed; run: pip install "' in told
    assert "letters - words" in told
    assert "Try next:" in told
    assert "export" not in told
    assert sorted(path.name for path in (tmp_path / "demo").iterdir()) == sorted(
        [*LANGUAGES, "nano", "report.html", "results"]
    )
    rows = [line.split() for line in told.splitlines() if line[:2] in LANGUAGES and line[2:3] == " "]
    assert [row[0] for row in rows] == list(LANGUAGES)
    for row in rows:
        assert all(0.4 <= float(mean) <= 0.9 for mean in row[2:5]), row


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_system_needs_a_segmenter(language: str) -> None:
    systems = systems_of(language, encoder=True).values()
    assert not any("wordseg" in system for system in systems)
    assert (f"bm25:{language},name=words" in systems) == (language not in ("ja", "zh"))
