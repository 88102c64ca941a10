"""Builds positions for tests in the game's vocabulary, starting from a layout's start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from aquakit.romana import Layout, Position
from aquakit.romana.kernel import CODES, KIND_OF


def craft(
    layout: str | Layout = "romana4",
    *,
    tiles: Mapping[str, str] | None = None,
    builders: Mapping[str, str] | None = None,
    closed: Mapping[str, int] | None = None,
    reserve: str | None = None,
    held: Mapping[int, str] | None = None,
    stock: str | None = None,
    player: str = "1",
    idle: int = 0,
) -> Position:
    """Changes what is given in the start position.

    Tiles are taken from the stock if no stock is given; `builders` replaces all of the path.
    """
    layout = Layout.load(layout)
    fields = str(Position.start(layout)).split(" ")
    rows = [list(row) for row in reversed(fields[1].split("/"))]
    for square, tile in (tiles or {}).items():
        index = layout.square_index[square]
        rows[index // layout.columns][index % layout.columns] = tile
    fields[1] = "/".join("".join(row) for row in reversed(rows))
    if builders is not None:
        fields[2] = "/".join(layout.split_path("".join(builders.get(name, ".") for name in layout.path_names)))
    if reserve is not None:
        fields[3] = reserve or "-"
    numbers = range(1, len(layout.players) + 1)
    fields[4] = ",".join((held or {}).get(number, "-") for number in numbers)
    podiums = {outlet.name: str((closed or {}).get(outlet.name, "*")) for outlet in layout.outlets}
    by_player = [[podiums[o.name] for o in layout.outlets if o.owner == number] for number in numbers]
    fields[5] = ",".join(".".join(row) for row in by_player)
    fields[6] = stock or stock_left(layout, fields[1])
    fields[7], fields[8] = player, str(idle)
    return Position.parse(" ".join(fields), layout)


def stock_left(layout: Layout, board: str) -> str:
    """Writes the stock that the tiles on a board leave; printed ones are none of it."""
    codes = [CODES.index(tile) for tile in board.replace("/", "")]
    laid = Counter(KIND_OF[code] for code in codes) - Counter(KIND_OF[code] for code in layout.printed.values())
    return ".".join(str(max(0, count - laid[kind])) for kind, count in enumerate(layout.stock))


def tokens(position: Position) -> set[str]:
    """Gets the tokens of the legal actions."""
    return {str(action) for action in position.actions()}


def tiles_for(position: Position, square: str) -> set[str]:
    """Gets the tiles that may extend onto a square."""
    return {action.tile for action in position.actions() if action.what == "build" and action.square == square}


def lengths(position: Position) -> dict[str, int]:
    """Gets each aqueduct's length."""
    return {aqueduct.name: aqueduct.length for aqueduct in position.aqueducts}
