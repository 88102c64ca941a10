"""The picture: two squares with numbers."""

from __future__ import annotations

from typing import Any

from toy.layout import Layout
from toy.position import Position

CELL = 48


def draw(
    position: Position,
    *,
    last: Any = None,
    before: Any = None,
    highlights: Any = (),
    arrows: Any = (),
    size: int | None = None,
    theme: str = "light",
    flip: bool = False,
    coordinates: bool = True,
    panel: bool = True,
    names: Any = None,
) -> str:
    """Draws a position; a game with a better picture minds how it is to look."""
    numbers = "".join(
        f'<text data-square="{name}" x="{x}" y="{y}">{pebbles}</text>'
        for (name, (x, y, *_)), pebbles in zip(measure(position.layout).items(), position.state.pebbles, strict=True)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * CELL} {CELL}">{numbers}</svg>'


def measure(layout: Layout, **look: Any) -> dict[str, tuple[float, float, float, float]]:
    """Gets the middle, the width and the height of every square."""
    return {name: (CELL * (i + 0.5), CELL / 2, CELL, CELL) for i, name in enumerate(layout.square_names)}


def diagram(position: Position) -> str:
    """Draws the board in plain text."""
    return " ".join(map(str, position.state.pebbles))
