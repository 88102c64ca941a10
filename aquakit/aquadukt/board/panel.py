"""Draws what lies beside the board: players with their tiles, and the canals and springs that are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aquakit.aquadukt.board.art import PLAYER_COLOURS
from aquakit.aquadukt.board.diagram import headline, status
from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.position import Position
from aquakit.core.words import capital
from aquakit.drawing.cards import FLAT, TALL, Card, Owner, draw_owner, draw_titled, flow, write_headline
from aquakit.drawing.svg import Pen


def draw_panel(
    position: Position, pen: Pen, names: Mapping[int, str], x: float, y: float, width: float
) -> tuple[str, float]:
    """Draws the panel with its corner at a point and gets its height too."""
    part, bottom = write_headline(pen, x, y, width, capital(headline(position)), status(position))
    made = [part]
    for cards, height in ((_players(position, pen, names), TALL), (_supplies(position, pen), FLAT)):
        part, bottom = flow(cards, x, bottom, width, height)
        made.append(part)
    return "".join(made), bottom - y


def _players(position: Position, pen: Pen, names: Mapping[int, str]) -> list[Card]:
    scores, won = position.scores(), position.winners() if position.is_over else ()
    made = []
    for player, letter in enumerate(LETTERS[: position.layout.players], start=1):
        chips = [(PLAYER_COLOURS[letter], letter)]
        due, name = position.player == player, names.get(player, "")
        owner = Owner(player, chips, scores[player - 1], due, player in won, name=name)
        made.append(_player(pen, owner, letter, position.hands[player - 1]))
    return made


def _player(pen: Pen, owner: Owner, letter: str, hand: Sequence[int]) -> Card:
    step = 35 if max(hand) < 10 else 42

    def draw(x: float, y: float, width: float) -> str:
        made = draw_owner(pen, owner, x, y, width)
        for i, count in enumerate(hand):
            tile = pen.use(f"{letter}{i + 1}w", x + 17 + step * i, y + 42, 0.56)
            text = pen.text("count sans bold start", x + 29 + step * i, y + 46.5, str(count))
            made.append(pen.group("", tile, text, data_hand=f"{letter}{i + 1}={count}", opacity=None if count else 0.4))
        return pen.group("", *made, data_player=str(owner.player))

    return Card(max(owner.width, 4 * step + 10), draw)


def _supplies(position: Position, pen: Pen) -> list[Card]:
    made = [_canals(position, pen), _springs(position, pen)]
    if position.phase in ("die", "house", "again"):
        made.append(_die(position, pen))
    return made


def _canals(position: Position, pen: Pen) -> Card:
    left, of = position.canals_left, position.layout.canals

    def draw(x: float, y: float, width: float) -> str:
        d = f"M{x + 104:.1f} {y + 20:.1f}h22"
        sketch = "".join(pen.path(layer, d) for layer in ("shell", "wall", "water"))
        box = draw_titled(pen, x, y, width, "Canals left")
        return box + sketch + _count(pen, x + 140, y, "canals", left, of)

    return Card(206 + 16 * (of > 99), draw)


def _springs(position: Position, pen: Pen) -> Card:
    left, of = position.springs_left, position.layout.springs

    def draw(x: float, y: float, width: float) -> str:
        box = draw_titled(pen, x, y, width, "Springs left")
        return box + pen.use("fountain", x + 122, y + 20, 0.6) + _count(pen, x + 141, y, "springs", left, of)

    return Card(202, draw)


def _count(pen: Pen, x: float, y: float, what: str, left: int, of: int) -> str:
    number = pen.text("count sans bold start", x, y + 25, str(left), **{f"data_{what}": str(left)})
    return number + pen.text("small faint start", x + 4 + 8 * len(str(left)), y + 25, f"of {of}")


def _die(position: Position, pen: Pen) -> Card:
    def draw(x: float, y: float, width: float) -> str:
        shown = str(position.die or "?")
        die = pen.use("die", x + 66, y + 20) + pen.text("shown sans", x + 66, y + 24, shown)
        return draw_titled(pen, x, y, width, "Die") + pen.group("", die, data_die=shown)

    return Card(96, draw)
