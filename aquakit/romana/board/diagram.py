"""The board in plain text, for terminals and for readers who do not see the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aquakit.core import grid
from aquakit.core.words import capital, count
from aquakit.drawing.textboard import Canvas, join_lines, wrap
from aquakit.romana.board.watercourses import watercourses
from aquakit.romana.kernel import CODES, KINDS, SEGMENTS
from aquakit.romana.layout import COLOURS, Layout
from aquakit.romana.position import Position

GLYPHS = dict(zip("|-LJF7+ZN", "│─└┘┌┐┼\u2571\u2572", strict=True))
"""How tiles are shown: as they run; a double curve by its ridge, which runs like the stroke of Z or N."""
FREE = "·"
STEP = 4
"""Characters from one column to the next."""

_HALF = "╷─╵─"
"""A channel that leaves a square by N E S W and stops there."""
_WHOLE = ("│", "───")

_DOING = {
    "setup": "to place a builder",
    "place": "to place a held builder",
    "build": "to build",
    "advance": "to advance a builder",
    "extra": "to lay the extra tile",
    "close": "to close one or none",
    "pick": "to pick a builder",
}


def player_name(layout: Layout, player: int) -> str:
    """Names a player by number and colours.

    >>> player_name(Layout.load("romana2"), 1)
    'player 1 (Yellow, Blue)'
    """
    colours = ", ".join(COLOURS[letter] for letter in layout.players[player - 1])
    return f"player {player} ({colours})"


def headline(position: Position) -> str:
    """Says who decides what now."""
    if position.player is None:
        return "no workman is left to move" if position.is_solo else "the game is over"
    alone = ", alone" if position.is_solo else ""
    return f"{player_name(position.layout, position.player)} {_DOING[position.phase]}{alone}"


def status(position: Position) -> str:
    """Says for how many turns nobody has laid a tile; after a whole round, or without workmen, it is over [R10]."""
    if position.is_over and not position.is_solo:
        return "nobody could lay a tile"
    return f"{count(position.idle, 'turn')} without a tile" if position.idle else ""


def diagram(position: Position) -> str:
    """Draws a position in plain text.

    Letters in the frame are builders. Aqueducts' names stand where they end, in small letters if they are closed.
    """
    return join_lines((*_board(position), "", *_notes(position)))


# Board


class _Canvas(Canvas):
    """A board of characters: one for each square, with room between for the edges."""

    def __init__(self, layout: Layout) -> None:
        self.columns, self.rows = layout.columns, layout.rows
        super().__init__(STEP * layout.columns + 3, 2 * layout.rows + 1)

    def put(self, square: int, side: int | None, text: str) -> None:
        """Writes on a square, or at one of its sides."""
        row, column = divmod(square, self.columns)
        x, y = STEP * column + 3, 2 * (self.rows - row) - 1
        if side in (grid.NORTH, grid.SOUTH):
            y += -1 if side == grid.NORTH else 1
        elif side is not None:
            x += 1 if side == grid.EAST else -len(text)
        self.write(x, y, text)


def _board(position: Position) -> list[str]:
    layout = position.layout
    canvas = _Canvas(layout)
    for square in range(layout.columns * layout.rows):
        canvas.put(square, None, FREE)
    for name, tile in position.tiles.items():
        canvas.put(layout.square_index[name], None, GLYPHS[tile])
    for colour, squares in layout.reservoirs.items():
        for square in squares:
            canvas.put(square, None, colour)
            for side, stroke in ((grid.EAST, "═══"), (grid.NORTH, "║")):
                if layout.neighbour(square, side) in squares:
                    canvas.put(square, side, stroke)
    _put_edges(position, canvas)
    for course in watercourses(position):
        name, end = course.aqueduct.name, layout.square_index[course.aqueduct.end]
        canvas.put(end, course.exit, _beside(name if course.aqueduct.open else name.lower(), course.exit))
    return _frame(position, canvas)


def _put_edges(position: Position, canvas: _Canvas) -> None:
    """Draws a stroke wherever a channel leaves a square, a whole one where it goes on beyond."""
    layout = position.layout
    ports = {(outlet.square, outlet.side) for outlet in layout.outlets}
    for name, tile in position.tiles.items():
        square = layout.square_index[name]
        ports |= {(square, side) for segment in SEGMENTS[CODES.index(tile)] for side in segment}
    for square, side in ports:
        goes_on = (layout.neighbour(square, side), (side + 2) % 4) in ports
        canvas.put(square, side, _WHOLE[side % 2] if goes_on else _HALF[side])


def _beside(label: str, side: int) -> str:
    if side == grid.EAST:
        return f"─{label}"
    return f"{label}─" if side == grid.WEST else label


def _frame(position: Position, canvas: _Canvas) -> list[str]:
    layout, builders = position.layout, position.builders

    def across(values: Iterable[str]) -> str:
        return "      " + "".join(f"   {value}" for value in values)

    def path(side: str) -> str:
        return across(builders.get(side + letter, FREE) for letter in columns)

    columns = grid.COLUMNS[: layout.columns]
    width = len(canvas.lines[0])
    made = [across(columns), path("N"), f"     ┌{'─' * width}┐"]
    for i, line in enumerate(canvas.lines):
        row = layout.rows - i // 2
        west, east = builders.get(f"W{row}", FREE), builders.get(f"E{row}", FREE)
        if i % 2:
            made.append(f"{row:>2} {west} │{''.join(line)}│ {east} {row}")
        else:
            made.append(f"     │{''.join(line)}│")
    return [*made, f"     └{'─' * width}┘", path("S"), across(columns)]


# Notes


def _notes(position: Position) -> list[str]:
    made = [f"{capital(headline(position))}."]
    if position.played:
        made.append(f"So far in this turn: {position.played}")
    if position.idle:
        made.append(f"Turns in a row without a tile: {position.idle}")
    made.append(f"Stock: {', '.join(f'{kind} {count}' for kind, count in position.stock.items())}")
    made.append(f"Reserve: {' '.join(position.reserve) or '-'}")
    if position.phase == "setup":
        made.append(f"To place: {' '.join(to_place(position))}")
    made += [_note_player(position, player) for player in range(1, len(position.layout.players) + 1)]
    made += wrap("Podiums: ", _podiums(position))
    return made


def _note_player(position: Position, player: int) -> str:
    mark = ">" if player == position.player else " "
    name = capital(player_name(position.layout, player))
    score, held = position.scores()[player - 1], " ".join(position.held[player - 1]) or "-"
    return f"{mark} {name}: {score} points, holds {held}"


def _podiums(position: Position) -> list[str]:
    taken: dict[int, list[str]] = {}
    for a in position.aqueducts:
        if a.podium is not None:
            taken.setdefault(a.podium, []).append(a.name)
    return [f"{podium} {' '.join(taken[podium])}" for podium in sorted(taken)] or ["-"]


def to_place(position: Position) -> str:
    """Lists the builders that the setup still has to place, as letters."""
    layout = position.layout
    gone = Counter(layout.reserve) + Counter(position.builders.values())
    return "".join(letter * (count - gone[letter]) for letter, count in zip(KINDS, layout.builders, strict=True))
