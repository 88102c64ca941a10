"""Says a turn of Aqua Romana in words: builders placed, tiles, lengths, closings and picks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aquakit.board.tales import TurnStep
from aquakit.board.telling import Part, join_parts
from aquakit.core.words import count
from aquakit.romana.board.clicks import JOKER, KIND_NAMES, kind_of, name_builder, name_tile, piece_of, tell_lack
from aquakit.romana.board.why import Change, Tale
from aquakit.romana.notation import Action, Turn
from aquakit.romana.position import Position

Step = TurnStep[Position]


def tell(before: Position, turn: Turn) -> Iterator[Part]:
    """Says what is done and what comes of it, in the order of the rules."""
    tale = Tale(before, turn)
    after = tale.after
    for step in tale.steps:
        if step.action.what in _TELLERS:
            yield from _TELLERS[step.action.what](step.action, step.before.builders)
    yield from _tell_lengths(tale)
    for change in tale.closings:
        yield from _tell_closing(change, tale)
    if "-" in tale.chosen:
        yield Part("close", "none closed by choice" if tale.closings else "nothing closed", length="medium")
    for step in tale.made("pick"):
        yield _tell_pick(step, tale)
    if after.is_over and not after.is_solo:
        why = "no workman is left" if tale.lays_tile else "a whole round was without a tile"
        yield Part("end", f"the game ends, for {why}", length="medium")
        totals = [f"{tale.player(number)} {total}" for number, total in enumerate(after.scores(), start=1)]
        yield Part("end", ", ".join(totals), length="full", joint=": ")


# What is done


def _tell_placing(action: Action, builders: Mapping[str, str]) -> Iterator[Part]:
    kind = action.builder
    yield Part("builder", f"{name_builder(kind)} placed on {action.path}", f"b{kind}", "medium")


def _tell_build(action: Action, builders: Mapping[str, str]) -> Iterator[Part]:
    """Says which tile lies where; how it lies is seen in its picture, so that only the full words say it too."""
    tile, kind = action.tile, kind_of(action.tile)
    builder = builders.get(action.path, kind)
    yield Part("tile", KIND_NAMES[kind], piece_of(tile))
    if lies := name_tile(tile).removeprefix(KIND_NAMES[kind]).strip():
        yield Part("tile", lies, length="full", joint=" ")
    yield Part("tile", f"on {action.square}", joint=" ")
    who = "builder" if builder == kind else name_builder(builder)
    yield Part("builder", f"by the {who} on {action.path}", f"b{builder}", "medium", " ")
    if builder not in (kind, JOKER):
        yield Part("builder", f"({tell_lack(builder)})", length="medium", joint=" ")


def _tell_advance(action: Action, builders: Mapping[str, str]) -> Iterator[Part]:
    kind = builders.get(action.path, "")
    who, icon = (name_builder(kind), f"b{kind}") if kind else ("builder", "")
    yield Part("builder", f"{who} on {action.path} advanced", icon)
    yield Part("tile", "no tile", length="medium")


def _tell_extra(action: Action, builders: Mapping[str, str]) -> Iterator[Part]:
    tile = action.tile
    yield Part("tile", "extra tile", piece_of(tile), "medium")
    yield Part("tile", f"({name_tile(tile)})", length="full", joint=" ")
    yield Part("tile", f"on {action.square}", length="medium", joint=" ")


_TELLERS = {
    "place": _tell_placing,
    "build": _tell_build,
    "advance": _tell_advance,
    "extra": _tell_extra,
}


def tell_action(position: Position, action: Action) -> str:
    """Says a single decision of the turn at hand; by whom a tile is brought who is placed before it is not known.

    >>> read, start = Turn.read_action, Position.start("romana4")
    >>> tell_action(start, read("c7=L@Nc")), tell_action(start, read("xR2")), tell_action(start, read("*j"))
    ('curve from north to east on c7 by the builder on Nc', 'R2 closed', 'joker taken')
    """
    match action.what:
        case "close":
            return "nothing closed" if action.aqueduct == "-" else f"{action.aqueduct} closed"
        case "pick":
            return f"{name_builder(action.builder)} taken"
        case what:
            return join_parts(_TELLERS[what](action, position.builders))


def _tell_pick(step: Step, tale: Tale) -> Part:
    builder, player = step.action.builder, step.before.player
    assert player is not None
    by = "" if player == step.before.mover else f" by {tale.player(player)}"
    return Part("pick", f"{name_builder(builder)} taken{by}", f"b{builder}", "medium")


# What comes of it


def _tell_lengths(tale: Tale) -> Iterator[Part]:
    """Says what grew; of what is closed too, the length is told with that."""
    for change in tale.changes:
        if change.gain and change not in tale.closings:
            yield Part("length", f"{change.name} reaches length {change.after.length}", length="full")


def _tell_closing(change: Change, tale: Tale) -> Iterator[Part]:
    a = change.after
    how = "walled in" if a.facing else "closed at the rim"
    yield Part("close", f"{a.name} {'closed' if a.name in tale.chosen else how}", length="medium")
    whose = "" if a.owner == tale.me else f" for {tale.player(a.owner)}"
    podium = f"podium {a.podium}, " if a.podium else ""
    yield Part("close", f"(length {a.length}, {podium}{count(a.podium or 0, 'point')}{whose})", "", "full", " ")
