"""Builds Aquädukt positions for tests from the fields that matter."""

from __future__ import annotations

from collections.abc import Mapping

from aquakit.aquadukt import Layout, Position
from aquakit.aquadukt.notation import FIELDS

CORNER = ("b8", "c8", "d8", "e8", "f8", "g8", "h8", "i8")
"""Squares on which mountains stand out of the way."""


def craft(
    layout: str = "aquadukt2",
    *,
    tiles: Mapping[str, str] | None = None,
    mountains: tuple[str, ...] | None = None,
    springs: str = "-",
    canals: str = "-",
    left: int | None = None,
    player: str = "1",
    idle: int = 0,
    events: str = "-",
    hands: str | None = None,
) -> Position:
    """Builds a position; what is not given is as at the start, tiles on the board taken from the hands."""
    board = Layout.load(layout)
    chosen = CORNER[: board.mountains] if mountains is None else mountains
    on_square = dict.fromkeys(chosen, "^") | dict(tiles or {})
    names, rows = board.square_names, []
    for start in range(0, len(names), board.columns):
        row = names[start : start + board.columns]
        rows.append("".join(on_square.get(n, ".") if board.has_square(board.square_index[n]) else "_" for n in row))
    counts = [list(board.tiles) for _ in range(board.players)]
    for tile in (tiles or {}).values():
        counts["ABCD".index(tile[0])][int(tile[1]) - 1] -= 1
    laid = 0 if canals == "-" else sum(1 + step.isupper() for arm in canals.split(";") for step in arm.split(":")[1])
    values = {
        "layout": layout,
        "squares": "/".join(reversed(rows)),
        "hands": hands or ",".join(".".join(map(str, hand)) for hand in counts),
        "springs": springs,
        "canals": canals,
        "left": str(board.canals - laid if left is None else left),
        "player": player,
        "idle": str(idle),
        "events": events,
    }
    return Position.parse(" ".join(values[name] for name in FIELDS))


def tokens(position: Position, what: str) -> set[str]:
    """Gets the legal actions of a kind."""
    return {str(action) for action in position.actions() if action.what == what}
