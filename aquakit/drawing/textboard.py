"""Boards of characters: what the plain-text diagrams of all games have in common."""

from __future__ import annotations

from collections.abc import Iterable


class Canvas:
    """A sheet of characters to write on."""

    def __init__(self, width: int, height: int) -> None:
        self.lines = [[" "] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str) -> None:
        """Writes a text from a place on, y growing downwards."""
        self.lines[y][x : x + len(text)] = text


def join_lines(lines: Iterable[str]) -> str:
    """Joins a diagram's lines, none of which ends in spaces."""
    return "\n".join(line.rstrip() for line in lines)


def wrap(title: str, items: list[str]) -> list[str]:
    """Writes a titled list in lines of a comfortable length."""
    made = [title]
    for i, item in enumerate(items):
        piece = item + (", " if i + 1 < len(items) else "")
        if len(made[-1]) + len(piece) > 90:
            made.append(" " * len(title))
        made[-1] += piece
    return made
