"""The palette's contrasts, what may run, and what cannot get out of where it stands."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

import pyrite.reporting
from pyrite.reporting import Page, render_page
from pyrite.reporting.rendering import LIBRARIES, policy, script_json

ROOM = Path(pyrite.reporting.__file__).parent
PALETTE = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (ROOM / "templates" / "palette.css").read_text()
    )
}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_wcag_has_it() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["ground", "surface", "raised"])
def test_every_colour_can_be_seen_on_every_ground(theme: int, ground: str) -> None:
    below = PALETTE[ground][theme]
    ratios = {name: contrast(colours[theme], below) for name, colours in PALETTE.items()}
    # WCAG 2.2: 7 for the text that is read, 4.5 for text at all, 3 for what a chart draws and for edges of controls.
    assert ratios["ink"] >= 7
    # Labels of a flow stand on the surface, and so do badges.
    texts = ["muted", "link", *(["kept", "dropped"] if ground == "surface" else [])]
    assert {name: ratios[name] for name in texts if ratios[name] < 4.5} == {}
    drawn = ["focus", "edge", "gold", "kept", "dropped", *(f"c{number}" for number in range(10))]
    assert {name: ratios[name] for name in drawn if ratios[name] < 3} == {}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_a_number_on_the_strongest_cell_of_the_heat_map_can_be_read(theme: int) -> None:
    assert contrast(PALETTE["ink"][theme], PALETTE["heat"][theme]) >= 4.5


def test_json_stays_in_its_script_element_whatever_it_holds() -> None:
    hostile = {"</script><script>alert(1)</script>": ["<!--", "]]>", "a\u2028b\x00\u202e\ud800", 0.5, None, True]}
    text = str(script_json(hostile))
    assert not re.search(r"[<>&\x00\u2028\u202e\ud800]", text)
    (held,) = json.loads(text).values()
    assert held == ["<!--", "]]>", "a⟨U+2028⟩b⟨U+0000⟩⟨U+202E⟩⟨U+D800⟩", 0.5, None, True]


def test_only_the_scripts_of_the_page_itself_may_run(page: Page) -> None:
    text = render_page(page)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(scripts) == len(LIBRARIES) + 1
    named = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert named is not None
    told = named[1].replace("&#39;", "'")
    assert told == policy(scripts)
    assert "default-src 'none'" in told
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in told


def test_vendored_files_are_of_the_release_that_their_name_says() -> None:
    for name, version, file, licence in LIBRARIES:
        text = (ROOM / "vendor" / file).read_text(encoding="utf-8")
        assert f"v{version} Copyright" in text.splitlines()[0], name
        assert version in file
        # As an inline script it must not end early, nor be read as something else.
        assert not re.search(r"</script|<!--|\r", text, re.I), name
        assert "Permission to use, copy, modify, and/or distribute" in (ROOM / "vendor" / licence).read_text()


def test_a_page_is_smaller_than_its_limit(page: Page) -> None:
    assert len(render_page(page).encode()) < 600_000
