"""longest: the longest that an aqueduct can become with the empty squares and the stock, whoever lays the tiles.

`horizon` is 0, `given` names the aqueduct, and the value is a length. Builders, turns and rivals do not matter; what is
asked is that of `aquakit.longest`. An attempt is the tiles to be laid, in any order: `e5=F e6=| d6=-`. Every one of
them must lie on an empty square, come from the stock, be passed by the aqueduct, and join no two outlets' paths [R3].

Very many boards can reach the same length. So the compact answer is `any 17`: any tiles with which the rules count 17
segments. One of them is the line.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from aquakit import cpsat
from aquakit.errors import IllegalTurn
from aquakit.puzzle.answers import ANY
from aquakit.puzzle.kinds import Proof, Verdict
from aquakit.puzzle.model import Puzzle
from aquakit.romana import kernel
from aquakit.romana.kernel import CODES, EMPTY
from aquakit.romana.notation import Action, Turn, encode
from aquakit.romana.planner.longest import LENGTH_SOLVERS, begin_turn_with, longest
from aquakit.romana.planner.longest_model import Case, model_length
from aquakit.romana.position import Aqueduct, Position
from aquakit.tomlfile import Table
from aquakit.words import count

SECONDS = 60.0
"""How long a proof may take."""


class Given(Table):
    """What is given beside the position."""

    aqueduct: Annotated[str, Field(strict=True)]


class LongestKind:
    """Puzzles of tiles and squares."""

    name = "longest"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        _, aqueduct = _read(puzzle)
        return (
            f"{aqueduct.name} is {aqueduct.length} long. Builders and turns do not matter: "
            f"which tiles of the stock make it as long as possible?"
        )

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the greatest length, and the greatest below it."""
        start, aqueduct = _read(puzzle)
        found = longest(start, aqueduct=aqueduct.name, seconds=SECONDS)
        if not found.proved:
            raise puzzle.error("position", f"nothing was proved in {SECONDS:.0f} s", "fewer empty squares")
        if not found.tiles:
            raise puzzle.error("position", f"{aqueduct.name} cannot grow", "an aqueduct that can")
        line = " ".join(found.tiles)
        margin = self._margin(puzzle, found.tiles, found.value)
        empty = sum(code == EMPTY for code in start.state.tile)
        searched = f"all tiles on {count(empty, 'empty square')}"
        return Proof(found.value, (_write(found.value),), margin, line, "cpsat", searched)

    def _margin(self, puzzle: Puzzle, tiles: tuple[str, ...], value: int) -> int:
        """Gets by how much the next length below the greatest is shorter."""
        start, aqueduct = _read(puzzle)
        shorter = lay(start, aqueduct.name, Turn.parse(" ".join(tiles[:-1])))
        if value - shorter == 1:
            return 1
        case = Case.of(start.layout.tables, start.state, (start.layout.aqueduct_index[aqueduct.name],))
        model = model_length(case)
        model.cp.add(model.gain() <= value - 1 - aqueduct.length)
        outcome = cpsat.Run(subsolvers=LENGTH_SOLVERS).solve(model.cp, SECONDS)
        if not outcome.proved or outcome.value is None:
            raise puzzle.error("position", f"nothing was proved in {SECONDS:.0f} s", "fewer empty squares")
        return value - outcome.value

    def judge(self, puzzle: Puzzle, attempt: str) -> Verdict:
        """Judges tiles by the length that they lead to."""
        start, aqueduct = _read(puzzle)
        length = lay(start, aqueduct.name, Turn.parse(attempt))
        loss = puzzle.value - length
        words = f"{aqueduct.name} becomes {length} long"
        words = f"{words}: more is not possible" if loss <= 0 else f"{words}, {loss} less than possible"
        return Verdict(loss <= 0, length, loss, "", words)

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Lays the tiles by the rules and gets the length."""
        start, aqueduct = _read(puzzle)
        return lay(start, aqueduct.name, Turn.parse(line))

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether tiles lead to the length that an answer names."""
        return _write(self.worth(puzzle, attempt)) == answer


def _write(length: int) -> str:
    return f"{ANY} {length}"


def _read(puzzle: Puzzle) -> tuple[Position, Aqueduct]:
    """Gets the position and the aqueduct that are asked about."""
    start, name = puzzle.start, puzzle.read_given(Given).aqueduct
    if not isinstance(start, Position) or start.is_over:
        raise puzzle.error("position", "is no game of Aqua Romana that goes on", "an open aqueduct")
    if puzzle.horizon != 0:
        raise puzzle.error("horizon", str(puzzle.horizon), "0, for turns do not matter")
    found = next((aqueduct for aqueduct in start.aqueducts if aqueduct.name == name and aqueduct.open), None)
    if found is None:
        names = ", ".join(aqueduct.name for aqueduct in start.aqueducts if aqueduct.open)
        raise puzzle.error("given.aqueduct", f"there is no open aqueduct {name!r}", f"one of {names}")
    return start, found


def lay(start: Position, name: str, tiles: Turn) -> int:
    """Lays tiles by the rules and gets the length of an aqueduct that must pass all of them."""
    layout, state = start.layout, start.state
    for tile in tiles:
        _check_tile(start, tile)
        square, code = layout.square_index[tile.square], CODES.index(tile.tile)
        if state.tile[square] != EMPTY:
            raise IllegalTurn(str(tile), f"{tile.square} is not empty", "an empty square")
        kind = layout.tables.kind[code]
        if state.stock[kind] == 0:
            raise IllegalTurn(str(tile), "no tile of this kind is left", "a kind in stock")
        if not kernel.fits(layout.tables, state, square, code):
            raise IllegalTurn(str(tile), "would join two aqueducts (section 4) [R3]", "another tile")
        kernel.lay(layout.tables, state, square, code)
        state.stock[kind] -= 1
        kernel.survey(layout.tables, state)
    after = begin_turn_with(start, state).aqueducts[layout.aqueduct_index[name]]
    for tile in tiles:
        if tile.square not in after.squares:
            raise IllegalTurn(str(tile), f"{name} does not pass {tile.square}", "only tiles that it passes")
    return after.length


def _check_tile(start: Position, tile: Action) -> None:
    """Checks that a token names a tile on a square of the board."""
    if tile.what != "extra":
        raise IllegalTurn(str(tile), "is no tile on a square", "tiles such as e5=F, without builders")
    encode(start.layout, tile)


KIND = LongestKind()
