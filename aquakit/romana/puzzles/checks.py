"""Checks for exercises on boards of Aqua Romana. No rule stands here: positions, graphs and planners are asked."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from aquakit.core.tomlfile import Table
from aquakit.core.words import capital, count, join
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Line, Puzzle
from aquakit.romana.board.facts import podium_now
from aquakit.romana.position import Aqueduct, Position
from aquakit.training.verdict import Verdict
from aquakit.workshop.checks import ExerciseError, Measured, Named, Nothing, check

TILES = {"c": "curve", "s": "straight", "b": "bridge", "d": "double curve", "j": "joker"}
Number = Annotated[int, Field(strict=True, ge=1)]


class OfAqueduct(Table):
    """An aqueduct by its name."""

    aqueduct: Line


class Perhaps(Table):
    """An aqueduct by its name, or any own one."""

    aqueduct: Line | None = None


class Turns(Table):
    """A number of turns."""

    turns: Number


class Loose(Table):
    """A square with loose tiles."""

    square: Line


def find(position: Position, name: str) -> Aqueduct:
    """Gets an aqueduct by its name."""
    for aqueduct in position.aqueducts:
        if aqueduct.name == name:
            return aqueduct
    known = ", ".join(aqueduct.name for aqueduct in position.aqueducts)
    raise ExerciseError("given.aqueduct", f"there is no {name!r} on this board", f"one of {known}")


def name_place(aqueduct: Aqueduct) -> str:
    """Says where an aqueduct's workman stands."""
    where = f"on {aqueduct.end}" if aqueduct.length else f"on the reservoir at {aqueduct.end}"
    return f"The workman of {aqueduct.name} stands {where}"


# Measures


@check("measure", OfAqueduct, Position)
def length(position: Position, given: OfAqueduct) -> Measured:
    """Counts the tiles that an aqueduct passes; one passed twice counts twice."""
    aqueduct = find(position, given.aqueduct)
    passed = f"passes {', '.join(aqueduct.squares)}" if aqueduct.squares else "passes no tile"
    return Measured(aqueduct.length, f"{aqueduct.name} {passed}: length {aqueduct.length}.")


@check("measure", OfAqueduct, Position)
def podium(position: Position, given: OfAqueduct) -> Measured:
    """Gets the podium that closing an aqueduct now would earn."""
    aqueduct = find(position, given.aqueduct)
    if not aqueduct.open:
        raise ExerciseError("given.aqueduct", f"{given.aqueduct} is closed already", "an open one")
    value = podium_now(position, given.aqueduct)
    fallen = "" if value == aqueduct.length else ", the highest one with room that it reaches"
    where = f"podium {value}{fallen}" if value else "no podium"
    return Measured(value, f"{aqueduct.name} has length {aqueduct.length} and goes to {where}.")


@check("measure", OfAqueduct, Position)
def sight(position: Position, given: OfAqueduct) -> Measured:
    """Counts the builders that an aqueduct's workman sees."""
    seen = in_sight(position, given)
    return Measured(len(seen.names), seen.words)


@check("measure", OfAqueduct, Position)
def reach(position: Position, given: OfAqueduct) -> Measured:
    """Counts the empty squares that an aqueduct's end can still get to."""
    find(position, given.aqueduct)
    squares = position.graph().reach(given.aqueduct).squares
    return Measured(len(squares), f"{given.aqueduct} can still reach {count(len(squares), 'empty square')}.")


@check("measure", Loose, Position)
def loose(position: Position, given: Loose) -> Measured:
    """Counts the tiles of the longest loose chain that passes a square."""
    chains = [chain for chain in position.graph().loose_paths() if given.square in chain.squares]
    if not chains:
        raise ExerciseError("given.square", f"no loose chain passes {given.square}", "a square with a loose tile")
    longest = max(chains, key=lambda chain: chain.length)
    return Measured(longest.length, f"The loose chain passes {', '.join(longest.squares)}: {longest.length} in all.")


@check("measure", Nothing, Position)
def builds(position: Position, given: Nothing) -> Measured:
    """Counts the ways to lay the turn's tile: square, tile and builder."""
    found = [action for action in position.actions() if action.what == "build"]
    squares = sorted({action.square for action in found if action.square})
    where = f": {', '.join(f'{sum(a.square == q for a in found)} on {q}' for q in squares)}" if squares else ""
    return Measured(len(found), f"There {'is' if len(found) == 1 else 'are'} {count(len(found), 'way')}{where}.")


@check("measure", Turns, Position)
def plan(position: Position, given: Turns) -> Measured:
    """Gets the most podium points that the player to move can make alone in some turns, proved [S2]."""
    points = _plan(position, given.turns)
    return Measured(points, f"{capital(count(points, 'podium point'))} in {count(given.turns, 'turn')}, and no more.")


@check("measure", OfAqueduct, Position)
def longest(position: Position, given: OfAqueduct) -> Measured:
    """Gets the greatest length that squares and stock allow an aqueduct, proved."""
    from aquakit.romana.planner.longest.longest import longest as ask

    find(position, given.aqueduct)
    best = ask(position, aqueduct=given.aqueduct)
    if best.length is None or not best.proved:
        raise ExerciseError("given.aqueduct", "nothing is proved in time", "a smaller board")
    return Measured(best.length, f"{given.aqueduct} can get {best.length} long, and no longer.")


# Namings


@check("naming", OfAqueduct, Position)
def in_sight(position: Position, given: OfAqueduct) -> Named:
    """Names the path squares on which an aqueduct's workman sees a builder."""
    aqueduct, builders = find(position, given.aqueduct), position.builders
    seen = [place for place in aqueduct.sees if place in builders]
    listed = join([f"the {TILES[builders[place]]} builder on {place}" for place in seen]) if seen else "no builder"
    words = f"{name_place(aqueduct)} and looks along row and column: it sees {listed}."
    return Named(seen, f"a builder in sight of {aqueduct.name}", words)


@check("naming", Nothing, Position)
def extendable(position: Position, given: Nothing) -> Named:
    """Names the aqueducts that the player to move can extend now."""
    after = [position.act(action).aqueducts for action in position.actions() if action.what == "build"]
    mine = [a for a in position.aqueducts if a.owner == position.mover]
    index = position.layout.aqueduct_index
    found = [a.name for a in mine if any(board[index[a.name]].length > a.length for board in after)]
    words = f"{join(found)} can be extended." if found else "No aqueduct can be extended."
    return Named(found, "one that can be extended now", words)


@check("naming", Nothing, Position)
def threatened(position: Position, given: Nothing) -> Named:
    """Names the open aqueducts that another player could wall in with one tile."""
    looks = [look for look in position.graph().walls() if look.threats]
    told = [f"{look.aqueduct} by {look.threats[0].tile} on {look.threats[0].square}" for look in looks]
    words = f"One tile of a rival is enough: {join(told)}." if told else "No rival can wall anyone in with one tile."
    return Named([look.aqueduct for look in looks], "one that a rival can wall in with one tile", words)


@check("naming", OfAqueduct, Position)
def facing(position: Position, given: OfAqueduct) -> Named:
    """Names the square that an aqueduct's end faces."""
    aqueduct = find(position, given.aqueduct)
    squares = [aqueduct.facing] if aqueduct.facing else []
    words = f"{name_place(aqueduct)}; its water would run on to {aqueduct.facing or 'nothing: the rim'}."
    return Named(squares, f"the square that {aqueduct.name} faces", words)


# Tests of turns


@check("test", Perhaps, Position)
def closes(position: Position, turn: Any, after: Position, given: Perhaps) -> Verdict:
    """Accepts a turn that closes an own aqueduct: a given one, or any."""
    if given.aqueduct is not None:
        find(position, given.aqueduct)
    closed = [
        f"{now.name} at length {now.length} for podium {now.podium}"
        for before, now in zip(position.aqueducts, after.aqueducts, strict=True)
        if before.open and not now.open and now.owner == position.mover and given.aqueduct in (None, now.name)
    ]
    if closed:
        return Verdict(True, f"It closes {join(closed)}.")
    return Verdict(False, f"It leaves {given.aqueduct or 'all your aqueducts'} open.")


@check("test", Nothing, Position)
def extra(position: Position, turn: Any, after: Position, given: Nothing) -> Verdict:
    """Accepts a turn in which the builder passes a fountain and brings an extra tile."""
    if any(action.what == "extra" for action in turn):
        return Verdict(True, "The builder passed a fountain, so one more tile was laid.")
    return Verdict(False, "The builder passed no fountain, so there was no extra tile.")


@check("test", Perhaps, Position)
def walls_in(position: Position, turn: Any, after: Position, given: Perhaps) -> Verdict:
    """Accepts a turn that closes a rival's aqueduct: a given one, or any."""
    if given.aqueduct is not None:
        find(position, given.aqueduct)
    closed = [
        f"{now.name} at length {now.length} for podium {now.podium}"
        for before, now in zip(position.aqueducts, after.aqueducts, strict=True)
        if before.open and not now.open and now.owner != position.mover and given.aqueduct in (None, now.name)
    ]
    if closed:
        return Verdict(True, f"It closes {join(closed)}.")
    return Verdict(False, f"{given.aqueduct or 'Every aqueduct of the others'} can still go on.")


@check("test", Turns, Position)
def plan_(position: Position, turn: Any, after: Position, given: Turns) -> Verdict:
    """Accepts a turn after which the most points of a plan of some turns alone can still be had, proved."""
    return _judge("plan", position, turn, given.turns, _plan(position, given.turns))


@check("test", Turns, Position)
def duel(position: Position, turn: Any, after: Position, given: Turns) -> Verdict:
    """Accepts a turn with the best margin after some turns of both, against best replies, proved."""
    from aquakit.engine.solve import solve

    return _judge("duel", position, turn, given.turns, solve(position, turns=given.turns).value)


def _plan(position: Position, turns: int) -> int:
    from aquakit.romana.planner.plan.plan import plan as ask

    best = ask(position if position.is_solo else position.solo(position.mover or 1), turns=turns)
    if best.points is None or not best.proved:
        raise ExerciseError("given.turns", f"nothing is proved for {turns}", "fewer turns")
    return best.points


def _judge(kind: str, position: Position, turn: Any, turns: int, value: Any) -> Verdict:
    """Lets a kind of puzzles judge a turn against the best value."""
    start = position.solo(position.mover or 1) if kind == "plan" and not position.is_solo else position
    asked = Puzzle.draft(kind, start, turns).model_copy(update={"value": value})
    said = find_kind(kind).judge(asked, str(turn))
    return Verdict(said.right, f"{capital(said.words)}.")
