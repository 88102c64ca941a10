"""Reads pictures for tests: what is drawn in them, where, and with which texts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

SVG = "{http://www.w3.org/2000/svg}"


def read(position: Any, **options: Any) -> ET.Element:
    """Draws a position and reads the picture."""
    return ET.fromstring(position.svg(**options))


def marked(picture: ET.Element, name: str) -> dict[str, ET.Element]:
    """Gets the elements that carry a data attribute, by its value; each value must stand once."""
    found = [(e.attrib[f"data-{name}"], e) for e in picture.iter() if f"data-{name}" in e.attrib]
    assert len(found) == len(dict(found)), f"{name} drawn twice"
    return dict(found)


def spot(e: ET.Element) -> tuple[float, float]:
    """Gets where a copied piece stands, which may be inside a group."""
    use = e if e.tag == f"{SVG}use" else next(e.iter(f"{SVG}use"))
    if "transform" in use.attrib:
        x, y = re.findall(r"-?[\d.]+", use.attrib["transform"])[:2]
        return float(x), float(y)
    return float(use.attrib["x"]), float(use.attrib["y"])


def texts(picture: ET.Element) -> list[str]:
    """Lists the texts, without those of definitions' copies."""
    return ["".join(e.itertext()) for e in picture.iter(f"{SVG}text")]


def classed(picture: ET.Element, name: str) -> list[ET.Element]:
    """Lists the elements of a class."""
    return [e for e in picture.iter() if re.search(rf"-{name}( |$)", e.attrib.get("class", ""))]


def box(picture: ET.Element) -> tuple[float, float]:
    """Gets the width and height of a picture's own measure."""
    left, top, width, height = picture.attrib["viewBox"].split()
    assert (left, top) == ("0", "0")
    return float(width), float(height)


def style_of(picture: ET.Element) -> str:
    """Gets a picture's style."""
    return next(picture.iter(f"{SVG}style")).text or ""


def check_within(picture: ET.Element) -> None:
    """Checks that texts and cards lie within the picture, and cards beside each other."""
    width, height = box(picture)
    defined = {id(e) for defs in picture.iter(f"{SVG}defs") for e in defs.iter()}
    for e in picture.iter(f"{SVG}text"):
        if id(e) not in defined:
            assert 0 < float(e.attrib["x"]) < width
            assert 0 < float(e.attrib["y"]) < height
    cards = []
    for e in classed(picture, "box") + classed(picture, "block"):
        x, y, wide, high = (float(e.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width
        assert y + high < height
        assert all(x + wide <= x2 or x2 + w2 <= x or y + high <= y2 or y2 + h2 <= y for x2, y2, w2, h2 in cards)
        cards.append((x, y, wide, high))
