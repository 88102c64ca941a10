"""Says a turn of Aquädukt in words: rolls, houses, springs, canals, and whom they bring water or cost houses."""

from __future__ import annotations

from collections.abc import Iterator

from aquakit.aquadukt.board.diagram import ended_by
from aquakit.aquadukt.board.why import Tale, add_up, drive_out
from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.position import Position
from aquakit.board.tales import TurnStep
from aquakit.board.telling import Part, join_parts
from aquakit.core.words import count

Step = TurnStep[Position]


def tell(before: Position, turn: Turn) -> Iterator[Part]:
    """Says what is done and what comes of it, in order."""
    tale = Tale(before, turn)
    after = tale.after
    for step in tale.steps:
        yield from _tell_step(step, tale)
    yield from _tell_water(tale)
    if after.is_over:
        yield Part("end", f"the game ends, for {ended_by(after)}", length="medium")
        totals = [f"{letter} {total}" for letter, total in zip(LETTERS, after.scores(), strict=False)]
        yield Part("end", ", ".join(totals), length="full", joint=": ")


def tell_action(position: Position, action: Action) -> str:
    """Says a single decision that can be made at a moment.

    >>> tell_action(Position.start("aquadukt2"), Turn.read_action("spring 3.5"))
    'spring on 3.5'
    """
    return join_parts(part for part in tell(position, Turn((action,))) if part.length != "full")


def _tell_step(step: Step, tale: Tale) -> Iterator[Part]:
    match step.action.what:
        case "house":
            yield from _tell_houses(step, tale)
        case "decline":
            yield Part("house", "nothing built")
            yield _tell_roll(step)
        case "spring":
            yield Part("spring", f"spring on {step.action.point}", "fountain")
        case "canal":
            yield _tell_canal(step)
        case "stop":
            none = "no other canal" if step.before.phase == "canal" else "no further roll"
            yield Part("stop", none, length="medium")
        case "pass":
            yield Part("pass", "pass")
        case _ if step is tale.steps[-1]:  # what a die shows is told with what is built for it
            yield Part("die", f"{step.after.die} rolled" if step.action.what == "die" else "the die is rolled", "die")


# Houses


def _tell_houses(step: Step, tale: Tale) -> Iterator[Part]:
    value, square = step.action.value, step.action.square
    water = "w" if step.before.supply[square] else "d"
    yield Part("house", f"{count(value, 'house')} on {square}", f"{LETTERS[tale.me - 1]}{value}{water}")
    yield _tell_roll(step)
    if lost := drive_out(tale, step):
        yield Part("region", f"{count(len(lost), 'tile')} driven out", length="medium")
        yield Part("region", f"({tale.by_player(add_up(tale.layout, lost.values()))})", "", "full", " ")


def _tell_roll(step: Step) -> Part:
    return Part("die", f"(rolled {step.before.die})", "", "medium", " ")


# Water


def _tell_canal(step: Step) -> Part:
    segment = step.action.segment
    return tell_canal(step.after, segment, double=segment in step.before.canals)


def tell_canal(position: Position, segment: str, *, double: bool) -> Part:
    """Says which canal of a position is meant: from a point to the next one away from its spring.

    >>> position = Position.start("aquadukt2").play("spring 3.5").play("canal 2.5h, stop")
    >>> tell_canal(position, "2.5h", double=False).words
    'canal from 3.5 to 2.5'
    """
    arm = next(arm for arm in position.arms if segment in arm.segments)
    at = arm.segments.index(segment)
    return Part("canal", f"{'second ' if double else ''}canal from {arm.points[at]} to {arm.points[at + 1]}")


def _tell_water(tale: Tale) -> Iterator[Part]:
    tiles = tale.before.tiles
    if wet := [tiles[square] for square in tale.first_water() if square in tiles]:
        yield Part("water", f"water for {tale.by_player(add_up(tale.layout, wet))}", length="full")
