"""longest: the longest that an aqueduct can become with the empty squares and the stock, whoever lays the tiles.

`horizon` is 0, `given` names the aqueduct, and the value is a length. Builders, turns and rivals do not matter; what is
asked is that of `aquakit.longest`. An attempt is the tiles to be laid, in any order: `e5=F e6=| d6=-`. Every one of
them must lie on an empty square, come from the stock, be passed by the aqueduct, and join no two outlets' paths [R3].

Very many boards can reach the same length. So the compact answer is `any 17`: any tiles with which the rules count 17
segments. One of them is the line.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Annotated, Any

from pydantic import Field

from aquakit.core.options import Tell
from aquakit.core.tomlfile import Table
from aquakit.core.words import capital, count, join
from aquakit.errors import IllegalTurn, MissingPackage, contradiction
from aquakit.planning import cpsat
from aquakit.puzzle.answers import ANY
from aquakit.puzzle.model import Answer, Proof, Puzzle, say_number
from aquakit.puzzle.protocol import QUICK, Kind, Place
from aquakit.romana import kernel
from aquakit.romana.board.clicks import KIND_NAMES, name_laid
from aquakit.romana.kernel import CODES, EMPTY, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn, encode
from aquakit.romana.planner.longest.longest import LENGTH_SOLVERS, begin_turn_with, longest
from aquakit.romana.planner.longest.model import LongestCase, model_length
from aquakit.romana.position import Aqueduct, Position
from aquakit.romana.puzzles.boards import LAYOUTS
from aquakit.romana.puzzles.walks import walk
from aquakit.romana.puzzles.ways import OutOfTime, WaySearch, write_tiles
from aquakit.training.verdict import JudgingStopped, Reason, Verdict

SECONDS = 60.0
"""How long a proof may take."""
WAYS_SECONDS = 60.0
"""How long it may take to look at all ways for a longer one."""
SLIP_SECONDS = 10.0
"""How long it may take to find the tile with which length was lost."""
WALKS = ((1, 10), (5, 6), (30, 4))
"""Of how many walks the best one is a try, and how many tries there are."""
SOME_TILES = 4
"""About so many tiles can be laid before an aqueduct's end."""
FEWEST_TILES, MOST_TILES, MOST_SQUARES = 3, 14, 24
"""So many tiles a longest way must take, and may take, among so many squares."""


class GivenAqueduct(Table):
    """What is given beside the position."""

    aqueduct: Annotated[str, Field(strict=True)]


class LongestKind(Kind):
    """Puzzles of tiles and squares."""

    name = "longest"
    witnesses = 2
    other = "Another way is"
    is_played = False
    is_guessed = False
    shares_step = False

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        _, aqueduct = _read(puzzle)
        return (
            f"{aqueduct.name} is {aqueduct.length} long. Builders and turns do not matter: "
            f"which tiles of the stock make it as long as possible?"
        )

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the greatest length, by CP-SAT and by looking at all ways, and the greatest below it."""
        start, aqueduct = _read(puzzle)
        found = longest(start, aqueduct=aqueduct.name, seconds=SECONDS)
        if not found.proved:
            raise puzzle.error("position", f"nothing was proved in {found.seconds:.1f} s", "fewer empty squares")
        if not found.tiles:
            raise puzzle.error("position", f"{aqueduct.name} cannot grow", "an aqueduct that can")
        line = " ".join(found.tiles)
        margin = self._margin(puzzle, found.tiles, found.value)
        agreed = self._agrees(puzzle, found.value)
        empty = sum(code == EMPTY for code in start.state.tile)
        searched = f"all tiles on {count(empty, 'empty square')}"
        return Proof(
            found.value, (_write(found.value),), margin, line, "exhaustive+cpsat" if agreed else "cpsat", searched
        )

    def _agrees(self, puzzle: Puzzle, value: int) -> bool:
        """Looks for a longer way among all of them; says whether there is none, as far as time tells."""
        start, aqueduct = _read(puzzle)
        try:
            way = WaySearch(start, aqueduct.name, value, WAYS_SECONDS).run()
            if way is None:
                return True
            tiles = Turn.parse(write_tiles(start, way))
            length = lay(start, aqueduct.name, tiles).length
        except (OutOfTime, IllegalTurn):  # a way that is too long need not be one that the rules allow
            return False
        claim = f"all ways looked at, {aqueduct.name} can become {length} long by {tiles}"
        raise contradiction(f"{puzzle.id}: {start}", claim, f"cpsat proves that it becomes no longer than {value}")

    def _margin(self, puzzle: Puzzle, tiles: tuple[str, ...], value: int) -> int:
        """Gets by how much the next length below the greatest is shorter."""
        start, aqueduct = _read(puzzle)
        shorter = lay(start, aqueduct.name, Turn.parse(" ".join(tiles[:-1]))).length
        if value - shorter == 1:
            return 1
        case = LongestCase.of(start.layout.tables, start.state, (start.layout.aqueduct_index[aqueduct.name],))
        model = model_length(case)
        model.cp.add(model.gain() <= value - 1 - aqueduct.length)
        outcome = cpsat.Run(subsolvers=LENGTH_SOLVERS).solve(model.cp, SECONDS)
        if not outcome.proved or outcome.value is None:
            raise puzzle.error("position", f"nothing was proved in {outcome.seconds:.1f} s", "fewer empty squares")
        return value - outcome.value

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges tiles by the length that they lead to, and finds the one with which the greatest was lost."""
        start, aqueduct = _read(puzzle)
        tiles = Turn.parse(attempt)
        length = lay(start, aqueduct.name, tiles).length
        loss = puzzle.value - length
        words = f"{aqueduct.name} becomes {length} long"
        if loss <= 0:
            return Verdict(True, f"{words}: more is not possible", length, loss)
        if tell is not None:
            tell("looking for the tile that costs length")
        slip = Slip()
        with suppress(MissingPackage):  # the length is sure without a solver, only the reason is not
            slip = _Search(puzzle, tiles, stop).run()
        reasons = (slip.reason,) if slip.reason else ()
        return Verdict(False, f"{words}, {loss} less than possible", length, loss, slip.line, reasons)

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Lays the tiles by the rules and gets the length."""
        start, aqueduct = _read(puzzle)
        return lay(start, aqueduct.name, Turn.parse(line)).length

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether tiles lead to the length that an answer names."""
        return _write(self.worth(puzzle, attempt)) == answer

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the length."""
        return f"Length {say_number(proof.value)}"

    def say_margin(self, margin: int | Fraction) -> str:
        """Says what the next longest way is."""
        return f"the next longest way is {say_number(margin)} shorter"

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the kinds of tiles, and where a longest way ends."""
        tiles = Turn.parse(proof.line)
        kinds = [KINDS[KIND_OF[CODES.index(tile.tile)]] for tile in tiles]
        parts = [count(kinds.count(kind), KIND_NAMES[kind]) for kind in KINDS if kind in kinds]
        yield f"One of the longest ways takes {join(parts)}."
        yield f"It can begin with a {name_laid(tiles[0].tile, tiles[0].square)} and ends on {tiles[-1].square}."

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets those try who lay tile after tile, with an eye on the room left, once or until they like it."""
        for walks, tries in WALKS:
            yield [walk(puzzle, random.Random(seed), walks=walks) for seed in range(tries)]

    def count_bits(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts the binary decisions of the line: some tiles at each step."""
        return len(proof.line.split()) * log2(SOME_TILES)

    def find_obvious(self, puzzle: Puzzle) -> list[str]:
        """Lists some walks."""
        return [walk(puzzle, random.Random(seed)) for seed in range(3)]

    def layouts(self) -> tuple[str, ...]:
        """Lists all boards."""
        return LAYOUTS

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks for the longest way of an open aqueduct, if it is found soon and takes some tiles, but not too many."""
        position: Any = place.position
        name = draw.choice([a.name for a in position.aqueducts if a.open])
        reach = position.graph().reach(name)
        if not FEWEST_TILES <= len(reach.squares) <= MOST_SQUARES:
            return
        found = longest(position, aqueduct=name, seconds=QUICK)
        if found.proved and FEWEST_TILES <= len(found.tiles) <= MOST_TILES:
            yield Puzzle.draft(self.name, position, 0, {"aqueduct": name})


def _write(length: int) -> str:
    return f"{ANY} {length}"


def _read(puzzle: Puzzle) -> tuple[Position, Aqueduct]:
    """Gets the position and the aqueduct that are asked about."""
    start, name = puzzle.start, puzzle.read_given(GivenAqueduct).aqueduct
    if not isinstance(start, Position) or start.is_over:
        raise puzzle.error("position", "is no game of Aqua Romana that goes on", "an open aqueduct")
    if puzzle.horizon != 0:
        raise puzzle.error("horizon", str(puzzle.horizon), "0, for turns do not matter")
    found = next((aqueduct for aqueduct in start.aqueducts if aqueduct.name == name and aqueduct.open), None)
    if found is None:
        names = ", ".join(aqueduct.name for aqueduct in start.aqueducts if aqueduct.open)
        raise puzzle.error("given.aqueduct", f"there is no open aqueduct {name!r}", f"one of {names}")
    return start, found


# Laying tiles


def lay(start: Position, name: str, tiles: Turn) -> Aqueduct:
    """Lays tiles by the rules and gets an aqueduct, which must pass all of them."""
    after = put_tiles(start, tiles)
    aqueduct = after.aqueducts[start.layout.aqueduct_index[name]]
    for tile in tiles:
        if tile.square not in aqueduct.squares:
            raise IllegalTurn(str(tile), f"{name} does not pass {tile.square}", "only tiles that it passes")
    return aqueduct


def put_tiles(start: Position, tiles: Iterable[Action]) -> Position:
    """Puts tiles on the board, each as the rules allow."""
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
    return begin_turn_with(start, state)


def _check_tile(start: Position, tile: Action) -> None:
    """Checks that a token names a tile on a square of the board."""
    if tile.what != "extra":
        raise IllegalTurn(str(tile), "is no tile on a square", "tiles such as e5=F, without builders")
    encode(start.layout, tile)


# Why it is not longer


@dataclass(frozen=True)
class Slip:
    """What is known of an attempt that is too short."""

    line: str = ""
    """The longest way that begins with its tiles, up to the one that costs length."""
    reason: Reason | None = None


class _Search:
    """Looks for the first tile of an attempt after which the greatest length can no longer be had."""

    def __init__(self, puzzle: Puzzle, tiles: Turn, stop: threading.Event | None) -> None:
        self._start, aqueduct = _read(puzzle)
        self._name, self._value, self._stop = aqueduct.name, int(puzzle.value), stop
        self._end = time.perf_counter() + SLIP_SECONDS
        squares = lay(self._start, self._name, tiles).squares
        self._tiles = sorted(tiles, key=lambda tile: squares.index(tile.square))
        """In the order in which the water comes to them."""

    def run(self) -> Slip:
        """Finds it by halves; nothing if time is too short for that."""
        good, bad = 0, len(self._tiles)
        reached = self._reaches(bad)
        if reached:
            note = f"{self._name} can still become {self._value} long with these tiles"
            return Slip(reason=Reason("No tile is wrong", note))
        while reached is not None and bad - good > 1:
            middle = (good + bad) // 2
            reached = self._reaches(middle)
            good, bad = (middle, bad) if reached else (good, middle)
        return Slip() if reached is None else self._tell(bad)

    def _lay(self, number: int) -> tuple[Position, Aqueduct]:
        """Lays the first tiles."""
        position = put_tiles(self._start, self._tiles[:number])
        return position, position.aqueducts[position.layout.aqueduct_index[self._name]]

    def _reaches(self, number: int) -> bool | None:
        """Checks whether the greatest length can be had after the first tiles; none if time was too short to tell."""
        position, aqueduct = self._lay(number)
        case = LongestCase.of(position.layout.tables, position.state, (position.layout.aqueduct_index[self._name],))
        if not case.ground.squares:
            return False
        model = model_length(case)
        model.cp.add(model.gain() == self._value - aqueduct.length)
        outcome = cpsat.Run(subsolvers=LENGTH_SOLVERS, stop=self._stop).solve(model.cp, self._left())
        self._look_up()
        return outcome.found or (False if outcome.proved else None)

    def _left(self) -> float:
        """Gets the seconds left."""
        return max(0.01, self._end - time.perf_counter())

    def _look_up(self) -> None:
        """Ends the work if somebody wants that."""
        if self._stop is not None and self._stop.is_set():
            raise JudgingStopped

    def _tell(self, number: int) -> Slip:
        """Tells what the tile of this number costs."""
        position, _ = self._lay(number)
        found = longest(position, aqueduct=self._name, seconds=self._left(), stop=self._stop)
        self._look_up()
        if not found.proved:
            return Slip()
        tile, cost = self._tiles[number - 1], self._value - found.value
        note = f"with it {self._name} becomes {found.value} long at most, before it {self._value} was possible"
        line = " ".join([*map(str, self._tiles[:number]), *found.tiles])
        return Slip(
            line,
            Reason(
                f"{capital(name_laid(tile.tile, tile.square))} costs {cost}",
                note,
                on=tile.square,
                label=f"-{cost}",
                step=number,
            ),
        )


KIND = LongestKind()
