"""The cards that lie beside the board in the pictures of all games: laid out in rows, and one for each player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from aquakit.drawing.svg import Pen, number
from aquakit.errors import shorten

GAP = 8
TALL, FLAT = 58, 40
"""The heights of the players' cards and of the others."""
SCORE = 48
"""The room at a card's end for a player's points."""
LARGE, LEAST = 16.0, 12.5
"""The size of a headline, and how small it may be beside a note."""

_STAR = "l2 4.6 5 .5-3.8 3.3 1.2 4.9-4.4-2.6-4.4 2.6 1.2-4.9-3.8-3.3 5-.5z"

PAWN_RULES = """
.pawn{stroke:$outline;stroke-width:1.3;stroke-linejoin:round}
"""
CARD_RULES = """
.note{font-size:14px}
.small{font-size:12px}
.count{font-size:13px}
.score{font-size:22px}
.chip{font-size:12.5px}
"""


class Card(NamedTuple):
    """A card in the panel."""

    width: float
    """The least width that it needs."""
    draw: Callable[[float, float, float], str]
    """Draws it, given its corner and its width."""


def write_headline(pen: Pen, x: float, y: float, width: float, title: str, note: str) -> tuple[str, float]:
    """Writes who decides what, and a note at the other end of the line or below it; gets where the next row begins."""

    def fit(room: float) -> float:
        # Fonts differ, so a text gets somewhat more room than it should need.
        return min(LARGE, room / 0.6 / len(title))

    size, below = fit(width - 12 - 8 * len(note)), False
    if note and size < LEAST:
        size, below = fit(width - 12), True
    made = pen.text("bold start", x + 6, y + 16, title, font_size=size)
    if below:
        made += pen.text("note faint start", x + 6, y + 35, note)
    elif note:
        made += pen.text("note faint end", x + width - 6, y + 16, note)
    return made, y + (46 if below else 28)


def flow(cards: Sequence[Card], x: float, y: float, width: float, height: float) -> tuple[str, float]:
    """Lays cards out in rows that fill the width, and gets where the next row begins."""
    made = []
    for row in split_rows([card.width for card in cards], width, GAP):
        spare = width - sum(cards[i].width for i in row) - GAP * (len(row) - 1)
        left = x
        for i in row:
            wide = cards[i].width + spare / len(row)
            made.append(cards[i].draw(left, y, wide))
            left += wide + GAP
        y += height + GAP
    return "".join(made), y


def split_rows(widths: Sequence[float], width: float, gap: float) -> list[list[int]]:
    """Splits things of some widths into as few rows as fit, of about equal length."""
    least = -(-(sum(widths) + gap * (len(widths) - 1)) // (width + gap))
    for count in range(max(1, int(least)), len(widths) + 1):
        rows = _split(widths, (sum(widths) + gap * len(widths)) / count, gap)
        if len(rows) <= count and all(sum(widths[i] for i in row) + gap * (len(row) - 1) <= width for row in rows):
            return rows
    return [[i] for i in range(len(widths))]


def _split(widths: Sequence[float], share: float, gap: float) -> list[list[int]]:
    rows: list[list[int]] = []
    filled = 0.0
    for i, width in enumerate(widths):
        row = int((filled + width / 2) // share)
        if not rows or row >= len(rows):
            rows.append([])
        rows[-1].append(i)
        filled += width + gap
    return rows


def draw_box(pen: Pen, classes: str, x: float, y: float, width: float, height: float) -> str:
    """Draws a card's ground."""
    return pen("rect", classes, x=x + 0.5, y=y + 0.5, width=width - 1, height=height - 1, rx=6)


def draw_titled(pen: Pen, x: float, y: float, width: float, title: str) -> str:
    """Draws a flat card's ground and its title."""
    return draw_box(pen, "box", x, y, width, FLAT) + pen.text("note start", x + 10, y + 25, title)


def draw_chip(pen: Pen, colour: str, letter: str, x: float, y: float) -> str:
    """Draws a disc in a colour with a letter."""
    disc = pen("circle", f"pawn fill-{colour}", cx=x, cy=y, r=9.5)
    return disc + pen.text(f"chip sans bold on-{colour}", x, y + 4.6, letter)


class Owner(NamedTuple):
    """A player as the head of a card shows one."""

    player: int
    chips: Sequence[tuple[str, str]]
    """Colours, with the letter on each."""
    score: int
    due: bool
    """Whether this player decides now."""
    won: bool = False
    name: str = ""
    """What the player is called; without, the number says who it is."""

    @property
    def width(self) -> float:
        """The least width of the card."""
        return 150 + 22 * (len(self.chips) - 1)


def draw_owner(pen: Pen, owner: Owner, x: float, y: float, width: float) -> list[str]:
    """Draws a player's card with its first line."""
    made = [draw_box(pen, "box due" if owner.due or owner.won else "box", x, y, width, TALL)]
    if owner.due:
        made.append(pen.path("accent", f"M{number(x + 7)} {number(y + 11)}l9 6-9 6z"))
    if owner.won:
        made.append(pen.path("accent", f"M{number(x + 11.5)} {number(y + 9.5)}{_STAR}"))
    made += [draw_chip(pen, *chip, x + 30 + 22 * i, y + 17) for i, chip in enumerate(owner.chips)]
    left = x + 24 + 22 * len(owner.chips)
    name = shorten(owner.name or f"Player {owner.player}", max(8, int((x + width - left - SCORE) / 7.4)))
    made.append(pen.text("note start", left, y + 22, name))
    made.append(pen.text("score bold end", x + width - 10, y + 25, str(owner.score)))
    return made
