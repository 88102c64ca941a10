"""What holds for the pictures of every game: well-formed, small, alone in their page, and only text where text is."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from IPython.core.formatters import DisplayFormatter
from random_games import EVERY_GAME, play_on
from svg_checks import SVG, box, check_within, classed, marked, read, style_of, texts

from aquakit import aquadukt, romana
from aquakit.drawing.svg import element, escape, number
from aquakit.errors import InvalidOption

PREFIXES = {"romana": "ro", "aquadukt": "ad"}
STARTS = {"romana": romana.Position.start("romana4"), "aquadukt": aquadukt.Position.start("aquadukt4", seed=3)}
OTHERS = {"romana": romana.Position.start("romana2-5x4"), "aquadukt": aquadukt.Position.start("aquadukt2-6x5")}
MIDDLES = {game: play_on(start, random.Random(7), 70) for game, start in STARTS.items()}
THEMES = ("light", "dark", "auto")

every_game = pytest.mark.parametrize("game", list(STARTS))


# Well-formed, small, alone


@settings(max_examples=60)
@given(EVERY_GAME)
def test_the_text_is_in_the_description(p: Any) -> None:
    picture = read(p)
    assert picture.attrib["role"] == "img"
    assert picture.findtext(f"{SVG}desc") == p.diagram()
    assert p.layout.title in (picture.findtext(f"{SVG}title") or "")
    check_within(picture)


@settings(max_examples=30)
@given(EVERY_GAME)
def test_a_panel_beside_the_board_stays_within_the_picture(p: Any) -> None:
    picture = read(p, panel="beside")
    check_within(picture)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert width > height


@every_game
def test_a_picture_can_have_its_panel_in_both_places_and_shows_one(game: str) -> None:
    both = read(STARTS[game], panel="both")
    panels = {e.attrib["data-panel"]: e for e in both if "data-panel" in e.attrib}
    assert [name for name, e in panels.items() if e.get("display") != "none"] == ["below"]
    for name, panel in panels.items():
        alone = read(STARTS[game], panel=name)
        assert panel.attrib["data-view"] == alone.attrib["viewBox"]
        assert set(texts(panel)) <= set(texts(alone))


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_a_midgame_picture_is_small(game: str, seed: int) -> None:
    p = play_on(STARTS[game], random.Random(seed), 120)
    assert len(p.tiles) > 20
    assert len(p.svg(theme="auto").encode()) < 60_000


@every_game
def test_notebooks_show_pictures_and_the_plain_text_where_they_are_not_trusted(game: str) -> None:
    p, show = MIDDLES[game], DisplayFormatter().format
    for shown in (p, p.svg(size=300)):
        data, _ = show(shown)
        assert data["image/svg+xml"].startswith("<svg")
        assert data["text/plain"].startswith(p.diagram())


@every_game
def test_drawing_twice_gives_the_same_text(game: str) -> None:
    p = MIDDLES[game]
    assert p.svg() == type(p).parse(str(p)).svg()


@every_game
@pytest.mark.parametrize("theme", THEMES)
def test_references_point_to_definitions_of_the_same_picture(game: str, theme: str) -> None:
    picture = read(MIDDLES[game], theme=theme)
    ids = [e.attrib["id"] for e in picture.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    assert {e.attrib["href"][1:] for e in picture.iter(f"{SVG}use")} <= set(ids)
    assert "url(" not in MIDDLES[game].svg(theme=theme)


def names_of(picture: ET.Element, prefix: str) -> set[str]:
    """Gets all names that a picture gives, each of which must begin with its game's prefix."""
    style = style_of(picture)
    rules = set(re.findall(r"\.([a-zA-Z][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", style)))
    used = {name for e in picture.iter() for name in e.attrib.get("class", "").split()}
    ids = {e.attrib["id"] for e in picture.iter() if "id" in e.attrib}
    selectors = re.sub(r"\{[^{}]*\}", ",", style.replace("@media(prefers-color-scheme:dark){", "")).rstrip("},")
    assert all(re.fullmatch(rf"(\.{prefix}-\w-[\w-]+)+", selector) for selector in selectors.split(","))
    return rules | used | ids


def test_pictures_in_one_page_leave_each_other_alone() -> None:
    names = [names_of(read(MIDDLES[game], theme=theme), PREFIXES[game]) for game in STARTS for theme in THEMES]
    assert len(set().union(*names)) == sum(map(len, names))


@every_game
def test_what_pictures_of_a_theme_share_is_alike(game: str) -> None:
    one, other = read(MIDDLES[game]), read(OTHERS[game], flip=True, panel=False)
    for tag in ("defs", "style"):
        assert ET.tostring(next(one.iter(SVG + tag))) == ET.tostring(next(other.iter(SVG + tag)))


@every_game
def test_every_class_used_is_styled_or_plain(game: str) -> None:
    picture = read(MIDDLES[game])
    styled = set(re.findall(r"\.([a-zA-Z][\w-]*)", style_of(picture)))
    assert {name for e in picture.iter() for name in e.attrib.get("class", "").split()} <= styled


@every_game
def test_colour_is_never_the_only_sign(game: str) -> None:
    style = style_of(read(MIDDLES[game]))
    dashes = [re.search(rf"-sign-{letter}\{{[^}}]*dasharray:([^;]*);", style) for letter in "RYGB"]
    assert len({match[1] for match in dashes if match}) == 4


@every_game
def test_auto_follows_the_reader(game: str) -> None:
    p = MIDDLES[game]
    assert "prefers-color-scheme:dark" in p.svg(theme="auto")
    assert "prefers-color-scheme" not in p.svg() + p.svg(theme="dark")


@every_game
def test_size_is_the_width(game: str) -> None:
    p = MIDDLES[game]
    width, height = box(read(p))
    fixed = read(p, size=400)
    assert fixed.attrib["width"] == "400"
    assert float(fixed.attrib["height"]) == pytest.approx(400 * height / width, abs=1)
    assert "style" not in fixed.attrib
    assert "max-width:100%" in read(p).attrib["style"]


# Marks


@every_game
def test_highlights_and_their_labels(game: str) -> None:
    picture = read(STARTS[game], highlights={"e5": "+3", "d4": ""})
    assert set(marked(picture, "highlight")) == {"e5", "d4"}
    assert "+3" in texts(picture)
    assert set(marked(read(STARTS[game], highlights=("e5", "e6")), "highlight")) == {"e5", "e6"}


@every_game
def test_a_long_label_is_cut_and_kept_as_a_tooltip(game: str) -> None:
    label = "a label that is far too long"
    picture = read(STARTS[game], highlights={"e5": label})
    assert label not in texts(picture)
    assert label in [e.text for e in picture.iter(f"{SVG}title")]


@every_game
@pytest.mark.parametrize(
    "label", ["<b>", "</svg>", '"><g id="x">', "&amp;", "]]>", "a\x00b", "\ud800", "\n", "<script>alert(1)</script>"]
)
def test_hostile_labels_are_only_text(game: str, label: str) -> None:
    p = STARTS[game]
    picture = ET.fromstring(p.svg(highlights={"e5": label}).encode())
    plain = read(p, highlights={"e5": "x"})
    extra = Counter(e.tag for e in picture.iter()) - Counter(e.tag for e in plain.iter())
    assert set(extra) <= {f"{SVG}title"}
    if label in ("<b>", "</svg>", "&amp;", "]]>"):
        assert label in texts(picture)


@every_game
def test_arrows_point_from_one_name_to_another(game: str) -> None:
    assert len(classed(read(STARTS[game], arrows=[("d4", "d5"), ("e5", "a2")]), "arrow")) == 2


@every_game
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("last", "nonsense"),
        ("last", 3),
        ("highlights", ["m1"]),
        ("highlights", "Nq"),
        ("highlights", [["a2"]]),
        ("highlights", 5),
        ("highlights", {"a2": 3}),
        ("highlights", {"a9": "x"}),
        ("arrows", "a2b2"),
        ("arrows", ["a2"]),
        ("arrows", [("a2", "a2")]),
        ("arrows", [("a2", "b9")]),
        ("arrows", [("a2", "b2", "c3")]),
        ("arrows", 7),
        ("size", 0),
        ("size", True),
        ("size", "400"),
        ("size", 400.5),
        ("theme", "sepia"),
        ("theme", None),
        ("theme", ["light"]),
        ("flip", 1),
        ("coordinates", "no"),
        ("panel", None),
        ("colour", "red"),
    ],
)
def test_bad_options_are_named(game: str, option: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        STARTS[game].svg(**{option: value})
    assert caught.value.where == option
    assert caught.value.problem
    assert caught.value.expected


# The writer of elements


def test_numbers_are_short_and_finite() -> None:
    assert [number(value) for value in (1.0, 0.125, -0.0001, 1e-9, 120)] == ["1", "0.12", "0", "0", "120"]
    for value in (math.nan, math.inf):
        with pytest.raises(ValueError, match="cannot be drawn"):
            number(value)


def test_attributes_and_texts_are_escaped() -> None:
    made = element("text", escape("<&>\x01"), data_name="\"'<", x=None)
    assert ET.fromstring(made).attrib == {"data-name": "\"'<"}
    assert ET.fromstring(made).text == "<&>\ufffd"
