"""The board in plain text, for terminals and for readers who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterable

from aquakit.aquadukt.kernel import IDLE_ROUNDS, ROLLS
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.position import Arm, Position
from aquakit.core import grid
from aquakit.core.words import capital
from aquakit.drawing.textboard import Canvas, join_lines

STEP = 7
"""Characters from one column line to the next."""
POINT, SPRING, END = "·", "◉", "○"
STROKES = {"h": ("──────", "══════"), "v": ("│", "║")}
WATERED = ("", "~", "≈")
"""How a square's supply is shown: none, one canal, more."""

_CORNERS = {
    "ns": "│║", "ew": "─═", "ne": "└╚", "nw": "┘╝", "es": "┌╔", "sw": "┐╗",
}  # fmt: skip
"""How a canal goes on at a point, single or double, by the two directions in order n e s w."""

_DOING = {
    "turn": "to move",
    "die": "rolls the die",
    "house": "to build in region {die} or decline",
    "again": "to roll again or stop",
    "canal": "to lay a second canal or stop",
}


def player_name(player: int) -> str:
    """Names a player by number and letter.

    >>> player_name(2)
    'player 2 (B)'
    """
    return f"player {player} ({LETTERS[player - 1]})"


def headline(position: Position) -> str:
    """Says who decides what now, or who won."""
    if position.player is not None:
        return f"{player_name(position.player)} {_DOING[position.phase].format(die=position.die)}"
    winners = [player_name(player) for player in position.winners()]
    if len(winners) == 1:
        return f"the game is over, {winners[0]} wins"
    return f"the game is over, {', '.join(winners[:-1])} and {winners[-1]} share the win"


def ended_by(position: Position) -> str:
    """Says why a game ended: nothing was put down for too long [Q6], or the last canal's round is over [Q10].

    An end that was written down need not have come about by play; then there is nothing to say.
    """
    if position.idle >= IDLE_ROUNDS * position.layout.players:
        return f"{position.idle} turns in a row put nothing on the board"
    return "" if position.canals_left else "the round of the last canal is done"


def status(position: Position) -> str:
    """Says how far the turn is, how long nothing has been put on the board, or why the game ended."""
    if position.is_over:
        return ended_by(position)
    if position.phase in ("die", "house", "again"):
        return f"roll {position.rolls} of {ROLLS}"
    if position.idle:
        return f"{position.idle} idle {'turn' if position.idle == 1 else 'turns'}"
    return ""


def diagram(position: Position) -> str:
    """Draws a position in plain text.

    Each square shows its region's number, what stands on it, and ~ if one canal waters it or ≈ if more do. Springs are
    ◉, and ○ is where an arm of canals can go on.
    """
    return join_lines((*_board(position), "", *_notes(position)))


# Board


def _board(position: Position) -> list[str]:
    layout = position.layout
    canvas = Canvas(STEP * layout.columns + 1, 2 * layout.rows + 1)
    supply, tiles, mountains = position.supply, position.tiles, position.mountains
    for name, count in supply.items():
        stands = f"^{mountains[name]}" if name in mountains else tiles.get(name, "")
        region = layout.region[layout.square_index[name]] + 1
        _put_square(canvas, layout, name, f"{region:>2} {stands:<2}{WATERED[min(count, 2)]}")
    for name in layout.point_index:
        canvas.write(*_spot(layout, name), POINT)
    for name, count in position.canals.items():
        x, y = _spot(layout, name[:-1])
        place = (x + 1, y) if name[-1] == "h" else (x, y - 1)
        canvas.write(*place, STROKES[name[-1]][count - 1])
    for arm in position.arms:
        _put_arm(canvas, layout, arm)
    for name in position.springs:
        canvas.write(*_spot(layout, name), SPRING)
    return _frame(layout, canvas)


def _put_square(canvas: Canvas, layout: Layout, name: str, text: str) -> None:
    row, column = divmod(layout.square_index[name], layout.columns)
    canvas.write(STEP * column + 1, 2 * (layout.rows - row) - 1, text)


def _spot(layout: Layout, point: str) -> tuple[int, int]:
    x, y = point.split(".")
    return STEP * int(x), 2 * (layout.rows - int(y))


def _put_arm(canvas: Canvas, layout: Layout, arm: Arm) -> None:
    """Draws what an arm looks like at its points; where it turns from double to single it is drawn single."""
    for here, came, goes in zip(arm.points[1:], arm.steps, arm.steps[1:], strict=False):
        back = "nesw"["swne".index(came.lower())]
        ways = "".join(sorted(back + goes.lower(), key="nesw".index))
        canvas.write(*_spot(layout, here), _CORNERS[ways][goes.isupper()])
    canvas.write(*_spot(layout, arm.end), END)


def _frame(layout: Layout, canvas: Canvas) -> list[str]:
    """Adds names: of columns and rows above and to the left, of the lines below and to the right."""

    def across(labels: Iterable[str], offset: int) -> str:
        return " " * offset + "".join(f"{label:<{STEP}}" for label in labels)

    made = [across(grid.COLUMNS[: layout.columns], 6)]
    for i, line in enumerate(canvas.lines):
        row = layout.rows - i // 2
        made.append(f"{row if i % 2 else '':>2} {''.join(line)}{'' if i % 2 else f' {row}'}")
    return [*made, across(map(str, range(layout.columns + 1)), 3)]


# Notes


def _notes(position: Position) -> list[str]:
    how = status(position)
    made = [f"{capital(headline(position))}{f' ({how})' if how else ''}."]
    if position.played:
        made.append(f"So far in this turn: {position.played}")
    made.append(f"Left: {position.canals_left} canals, {position.springs_left} springs")
    return made + [_note_player(position, *pair) for pair in enumerate(position.scores(), start=1)]


def _note_player(position: Position, player: int, score: int) -> str:
    mark = ">" if player == position.player else " "
    counts = enumerate(position.hands[player - 1], start=1)
    hand = " ".join(f"{count}x{value}" for value, count in counts if count) or "-"
    name = capital(player_name(player))
    return f"{mark} {name}: {score} points, holds {hand}"
