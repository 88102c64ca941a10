"""Draws what lies beside the board: podiums, players, reserve and stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aquakit.core.words import capital
from aquakit.drawing.cards import FLAT, TALL, Card, Owner, draw_owner, draw_titled, flow, split_rows, write_headline
from aquakit.drawing.svg import Pen
from aquakit.romana.board.art import KIND_TILES
from aquakit.romana.board.diagram import headline, status, to_place
from aquakit.romana.board.facts import add_podiums, points
from aquakit.romana.board.scene import draw_workman
from aquakit.romana.kernel import CODES
from aquakit.romana.layout import Layout
from aquakit.romana.position import Aqueduct, Position

SLOT = 24
"""The width of a workman's place on a podium."""
STEP = 3.4
"""The gap between podiums."""
WIDEST = 4
"""The most places that a podium shows side by side; more overlap."""
ROOMY = 92
"""What a player holds leaves room for the word bonus beside it if it takes no more than this."""
CROWD = 9
"""The most workmen on one card, so that it fits beside the board."""


class Podium(NamedTuple):
    """A podium as it is drawn."""

    value: int
    places: int
    workmen: list[Aqueduct]

    @property
    def width(self) -> float:
        """Its width."""
        return SLOT * min(self.places, WIDEST)


def draw_panel(
    position: Position,
    aqueducts: Sequence[Aqueduct],
    pen: Pen,
    names: Mapping[int, str],
    x: float,
    y: float,
    width: float,
) -> tuple[str, float]:
    """Draws the panel with its corner at a point and gets its height too."""
    part, bottom = write_headline(pen, x, y, width, capital(headline(position)), status(position))
    made = [part]
    for cards, height in ((_players(position, pen, names), TALL), (_supplies(position, aqueducts, pen), FLAT)):
        part, bottom = flow(cards, x, bottom, width, height)
        made.append(part)
    part, bottom = _podiums(_list_podiums(position.layout, aqueducts), pen, x, bottom + 4, width)
    return "".join([*made, part]), bottom - y


# Cards


def _players(position: Position, pen: Pen, names: Mapping[int, str]) -> list[Card]:
    scores, shown = position.scores(), points(position)
    ended = position.is_over and not position.is_solo
    won = position.winners() if ended else ()

    def card(player: int) -> Card:
        colours, held = position.layout.players[player], position.held[player]
        chips = [(colour, colour) for colour in colours]
        due = position.player == player + 1
        bonus = scores[player] - shown[player]
        owner = Owner(player + 1, chips, shown[player], due, player + 1 in won, names.get(player + 1, ""))
        room = 60 + _spread(Counter(held))

        def draw(x: float, y: float, width: float) -> str:
            made = draw_owner(pen, owner, x, y, width)
            if ended:
                made.append(pen.text("small faint start", x + 10, y + 46, _sum(position, player)))
            else:
                made.append(pen.text("small faint start", x + 10, y + 46, "holds" if held else "holds none"))
                made.append(_tokens(pen, held, x + 54, y + 42, "held", str(player + 1)))
                if bonus:
                    said = f"bonus {bonus}" if room <= ROOMY else f"+{bonus}"
                    made.append(pen.text("small faint end", x + width - 10, y + 46, said))
            return pen.group("", *made, data_player=str(player + 1))

        return Card(max(owner.width, room + (24 if bonus and room > ROOMY else 0)), draw)

    return [card(player) for player in range(len(position.layout.players))]


def _sum(position: Position, player: int) -> str:
    """Says what a player's points in the end are made of."""
    podiums = add_podiums(position, player + 1)
    return f"podiums {podiums}, bonus {position.scores()[player] - podiums}"


def _tokens(pen: Pen, builders: str, x: float, y: float, where: str, holder: str = "") -> str:
    """Draws builders off the path, one for each kind with its number; those held know by whom."""
    made = []
    for kind, count in Counter(builders).items():
        made.append(pen.use(f"b{kind}", x + 12, y, 0.62, **{f"data_{where}": holder + kind}))
        if count > 1:
            made.append(pen.text("count sans bold start", x + 27, y + 5, str(count)))
        x += _spread({kind: count})
    return "".join(made)


def _spread(builders: Mapping[str, int]) -> float:
    """Gets the width that builders off the path need."""
    return sum(30 if count == 1 else 40 + 8 * (count > 9) for count in builders.values())


def _supplies(position: Position, aqueducts: Sequence[Aqueduct], pen: Pen) -> list[Card]:
    cards = [_stock(position, pen), _supply(pen, "Reserve", position.reserve, "reserve")]
    if position.phase == "setup":
        cards.append(_supply(pen, "To place", to_place(position), "spare"))
    gone = [a for a in aqueducts if a.podium == 0]
    return cards + [_gone(pen, gone[i : i + CROWD]) for i in range(0, len(gone), CROWD)]


def _supply(pen: Pen, title: str, builders: str, where: str) -> Card:
    def draw(x: float, y: float, width: float) -> str:
        box = draw_titled(pen, x, y, width, title)
        if not builders:
            return box + pen.text("small faint start", x + 80, y + 25, "none")
        return box + _tokens(pen, builders, x + 76, y + 20, where)

    return Card(82 + max(40, _spread(Counter(builders))), draw)


def _stock(position: Position, pen: Pen) -> Card:
    def draw(x: float, y: float, width: float) -> str:
        made = [draw_titled(pen, x, y, width, "Stock")]
        for i, (kind, count) in enumerate(position.stock.items()):
            made.append(_pile(pen, kind, count, x + 74 + step * i, y + 20))
        return "".join(made)

    step = 56 if max(position.stock.values()) < 100 else 64
    return Card(64 + 4 * step, draw)


def _gone(pen: Pen, workmen: Sequence[Aqueduct]) -> Card:
    """Makes the card of the workmen who left without points."""

    def draw(x: float, y: float, width: float) -> str:
        made = [draw_titled(pen, x, y, width, "0 points")]
        made += [draw_workman(pen, a, x + 88 + SLOT * i, y + 20) for i, a in enumerate(workmen)]
        return "".join(made)

    return Card(88 + SLOT * len(workmen), draw)


def _pile(pen: Pen, kind: str, count: int, x: float, y: float) -> str:
    plate = pen("rect", "plate", x=x - 14, y=y - 14, width=28, height=28, rx=3)
    tile = pen.use(f"t{CODES.index(KIND_TILES[kind])}", x, y, 0.58)
    deck = pen.use("deck", x, y, 0.58) if kind == "b" else ""
    pile = pen.group("", plate, tile, deck, data_stock=kind)
    return pile + pen.text("count sans bold start", x + 18, y + 5, str(count))


# Podiums


def _podiums(podiums: Sequence[Podium], pen: Pen, x: float, y: float, width: float) -> tuple[str, float]:
    made = []
    for row in split_rows([podium.width for podium in podiums], width, STEP):
        total = sum(podiums[i].width for i in row) + STEP * (len(row) - 1)
        left = x + (width - total) / 2
        for i in row:
            made.append(_podium(pen, podiums[i], left, y))
            left += podiums[i].width + STEP
        y += 60
    return "".join(made), y


def _list_podiums(layout: Layout, aqueducts: Sequence[Aqueduct]) -> list[Podium]:
    places = enumerate(layout.podiums, start=1)
    return [Podium(value, count, [a for a in aqueducts if a.podium == value]) for value, count in places]


def _podium(pen: Pen, podium: Podium, x: float, y: float) -> str:
    block = pen("rect", "block", x=x, y=y + 30, width=podium.width, height=20, rx=2)
    value = pen.text("value", x + podium.width / 2, y + 45, str(podium.value))
    shown = max(min(podium.places, WIDEST), len(podium.workmen))
    spots = [x + podium.width * (i + 0.5) / shown for i in range(shown)]
    places = [pen("ellipse", "place", cx=spot, cy=y + 25, rx=8, ry=3) for spot in spots[len(podium.workmen) :]]
    workmen = [draw_workman(pen, a, spot, y + 17) for a, spot in zip(podium.workmen, spots, strict=False)]
    return pen.group("", block, value, *places, *workmen, data_podium=str(podium.value))
