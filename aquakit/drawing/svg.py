"""Writes SVG safely, and holds the look that the boards of all games share."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape as escape_html
from string import Template
from typing import NamedTuple

Value = str | float | None

_SAFE = re.compile(r"[\w #.:,=()-]*").fullmatch
# What XML 1.0 forbids even when escaped, lone surrogates included.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CLASS = re.compile(r"\.([a-zA-Z][\w-]*)(?=[^{}]*\{)")


# Elements


def escape(text: str) -> str:
    """Writes text as it may stand in an element or an attribute.

    >>> escape('<b a="1">')
    '&lt;b a=&quot;1&quot;&gt;'
    """
    return text if _SAFE(text) else _FORBIDDEN.sub("\ufffd", escape_html(text))


@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """Writes a number as short as two decimals allow.

    >>> number(2.50), number(-0.001), number(48)
    ('2.5', '0', '48')
    """
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be drawn")
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", /, **attributes: Value) -> str:
    """Writes an element around markup; attributes are escaped, `_` in their names is `-`, none is left out.

    >>> element("rect", x=1.50, data_label="a&b", fill=None)
    '<rect x="1.5" data-label="a&amp;b"/>'
    """
    return _write(tag, tag, content, attributes)


def _write(tag: str, start: str, content: str, attributes: Mapping[str, Value]) -> str:
    made = [start]
    for name, value in attributes.items():
        if value is not None:
            written = escape(value) if isinstance(value, str) else number(value)
            made.append(f'{_attribute(name)}="{written}"')
    start = " ".join(made)
    return f"<{start}>{content}</{tag}>" if content else f"<{start}/>"


@lru_cache(maxsize=256)
def _attribute(name: str) -> str:
    return name.strip("_").replace("_", "-")


@lru_cache(maxsize=1024)
def _start(tag: str, prefix: str, classes: str) -> str:
    names = escape(" ".join(prefix + name for name in classes.split()))
    return f'{tag} class="{names}"' if names else tag


class Pen:
    """Writes elements whose classes and ids belong to one game in one theme.

    So pictures in one page leave each other alone: what they have in common is alike to the letter, and
    what differs has another name.

    >>> Pen("ro", "dark").text("coordinate", 3, 4, "a<b")
    '<text class="ro-d-coordinate" x="3" y="4">a&lt;b</text>'
    """

    def __init__(self, game: str, theme: str) -> None:
        self.prefix = f"{game}-{theme[0]}-"

    def __call__(self, tag: str, classes: str = "", content: str = "", /, **attributes: Value) -> str:
        """Writes an element around markup."""
        return _write(tag, _start(tag, self.prefix, classes), content, attributes)

    def group(self, classes: str, *content: str, **attributes: Value) -> str:
        """Writes a group, or nothing if it would be empty."""
        joined = "".join(content)
        return self("g", classes, joined, **attributes) if joined else ""

    def path(self, classes: str, d: str, **attributes: Value) -> str:
        """Writes a path, or nothing if it would be empty."""
        return self("path", classes, "", d=d, **attributes) if d else ""

    def text(self, classes: str, x: float, y: float, content: str, **attributes: Value) -> str:
        """Writes a text, escaped."""
        return self("text", classes, escape(content), x=x, y=y, **attributes)

    def use(self, name: str, x: float, y: float, scale: float = 1, **attributes: Value) -> str:
        """Writes a copy of a definition, with its origin at a point."""
        href = f"#{self.prefix}{name}"
        if scale == 1:
            return element("use", href=href, x=x, y=y, **attributes)
        place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
        return element("use", href=href, transform=place, **attributes)

    def define(self, name: str, *content: str) -> str:
        """Writes a definition for `use`."""
        return element("g", "".join(content), id=self.prefix + name)


def picture(
    pen: Pen, width: float, height: float, *, size: int | None, title: str, desc: str, style: str, body: str
) -> str:
    """Writes a whole picture; without a size it has a comfortable one and shrinks where there is less room."""
    wide = round(1.35 * width) if size is None else size
    measures: dict[str, Value] = {"width": wide, "height": round(wide * height / width)}
    if size is None:
        measures["style"] = "max-width:100%;height:auto"
    head = element("title", escape(title)) + element("desc", escape(desc)) + element("style", style)
    view = f"0 0 {number(width)} {number(height)}"
    xmlns = "http://www.w3.org/2000/svg"
    return pen("svg", "root", head + body, xmlns=xmlns, viewBox=view, **measures, role="img")


# Shapes


def rect_path(x: float, y: float, width: float, height: float, r: float = 0) -> str:
    """Gets the path of a rectangle, so that many can share one element.

    >>> rect_path(0, 0, 9, 5)
    'M0 0h9v5h-9z'
    """
    w, h, n = number(width - 2 * r), number(height - 2 * r), number(r)
    if not r:
        return f"M{number(x)} {number(y)}h{w}v{h}h-{w}z"
    corners = [f"a{n} {n} 0 0 1 {a}{n} {b}{n}" for a, b in (("", ""), ("-", ""), ("-", "-"), ("", "-"))]
    return f"M{number(x + r)} {number(y)}h{w}{corners[0]}v{h}{corners[1]}h-{w}{corners[2]}v-{h}{corners[3]}z"


def arrow_path(start: tuple[float, float], end: tuple[float, float], *, margin: float, thickness: float) -> str:
    """Gets the outline of an arrow between two points that keeps a margin from both."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tip, head, half = length - margin, length - margin - 2.6 * thickness, thickness / 2
    outline = (
        (margin, half), (head, half), (head, 3 * half), (tip, 0), (head, -3 * half), (head, -half), (margin, -half)
    )  # fmt: skip
    points = [f"{number(x1 + a * ux - b * uy)} {number(y1 + a * uy + b * ux)}" for a, b in outline]
    return f"M{'L'.join(points)}z"


def shorten_label(label: str, most: int) -> str:
    """Shortens a label to so many characters, in one line.

    >>> shorten_label("a fountain", 6)
    'a fou…'
    """
    label = " ".join(label.split())
    return label if len(label) <= most else f"{label[: most - 1].rstrip()}…"


# Looks


class Colour(NamedTuple):
    """A player's colour: shades that colour-blind people can tell apart, and a stroke as a second sign."""

    light: str
    dark: str
    ink: str
    """What is written on the light shade; on the dark theme's bright one it is always dark."""
    dash: str
    """The dashes of the stroke that marks everything of this colour."""
    width: float
    cap: str


COLOURS = {
    "R": Colour("#c63a1e", "#f0714d", "#fff", "0 7", 3.4, "round"),
    "Y": Colour("#e9b421", "#f4cb48", "#33261a", "8 6", 2.4, "butt"),
    "G": Colour("#0b8570", "#38bfa3", "#fff", "2 5", 6, "butt"),
    "B": Colour("#1769aa", "#5fb0ee", "#fff", "none", 1.8, "butt"),
}
"""Red runs in dots, yellow in dashes, green in rungs, blue in an unbroken line."""

LOOKS: dict[str, dict[str, str]] = {
    "light": {
        "card": "#fbf6ea", "line": "#dccba8", "ink": "#3a2c20", "faint": "#7d6a52", "raised": "#fffdf7",
        "accent": "#9c3f1f", "mark": "#7a3b9a", "halo": "#fffaf0", "shade": "#2a1c10",
    },
    "dark": {
        "card": "#211b16", "line": "#4b3f33", "ink": "#f1e6d2", "faint": "#b3a189", "raised": "#2c251e",
        "accent": "#f0a36b", "mark": "#cf9bf0", "halo": "#191410", "shade": "#000",
    },
}  # fmt: skip
"""The colours that all boards share, by theme."""

TEXT_RULES = """
.root{font-family:'Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L','DejaVu Serif',Georgia,serif;
font-weight:400;fill:$ink;text-anchor:middle}
.card{fill:$card;stroke:$line}
.box{fill:$raised;stroke:$line}
.due{stroke:$accent;stroke-width:2}
.accent{fill:$accent}
.faint{fill:$faint}
.start{text-anchor:start}
.end{text-anchor:end}
.bold{font-weight:700}
.sans{font-family:'Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif}
.arrow{fill:$mark;fill-opacity:.85;stroke:$halo;stroke-width:1.2;stroke-linejoin:round}
.mark{fill:$mark;fill-opacity:.22;stroke:$mark;stroke-width:2.6}
.label{fill:$mark;stroke:$halo;stroke-width:1}
.said{fill:$halo;font-weight:700}
"""
"""The rules that all boards share: cards, texts, arrows and marks."""


def _rules_of_colours(theme: str) -> str:
    made = []
    for letter, colour in COLOURS.items():
        shade, ink = (colour.light, colour.ink) if theme == "light" else (colour.dark, "#1d150d")
        made.append(f".fill-{letter}{{fill:{shade}}}.on-{letter}{{fill:{ink}}}.stroke-{letter}{{stroke:{shade}}}")
        made.append(f".line-{letter}{{stroke:{ink}}}")
        sign = f"stroke:{ink};stroke-width:{colour.width};stroke-dasharray:{colour.dash};stroke-linecap:{colour.cap}"
        made.append(f".sign-{letter}{{fill:none;stroke-opacity:.9;{sign}}}")
    return "".join(made)


def _rules(prefix: str, rules: str, theme: str, colours: Mapping[str, str]) -> str:
    filled = Template(TEXT_RULES + rules).substitute(LOOKS[theme], **colours) + _rules_of_colours(theme)
    return _CLASS.sub(rf".{prefix}\1", filled.replace("\n", ""))


def stylesheet(pen: Pen, theme: str, rules: str, colours: Mapping[str, Mapping[str, str]]) -> str:
    """Writes a picture's style: the shared rules and a game's own, whose $names are colours of the theme."""
    if theme != "auto":
        return _rules(pen.prefix, rules, theme, colours[theme])
    dark = _rules(pen.prefix, rules, "dark", colours["dark"])
    return f"{_rules(pen.prefix, rules, 'light', colours['light'])}@media(prefers-color-scheme:dark){{{dark}}}"
