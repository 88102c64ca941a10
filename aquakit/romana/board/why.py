"""Says what a turn of Aqua Romana does: lengths, podiums, walls, sights and the extra tile, each with its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from aquakit.board.claims import Claim
from aquakit.board.tales import BaseTale, tell_all, tell_totals
from aquakit.core.words import count, join
from aquakit.romana import kernel
from aquakit.romana.board.clicks import KIND_NAMES, name_builder, name_colours, name_laid
from aquakit.romana.board.facts import find_last, podium_now
from aquakit.romana.findings import Closer, LoosePath, Prospect
from aquakit.romana.kernel import State
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.position import Aqueduct, Position

FEW = 1
"""So many ways out are worth a word, even of an end that was led there."""


class Change(NamedTuple):
    """An aqueduct before and after the turn."""

    before: Aqueduct
    after: Aqueduct

    @property
    def name(self) -> str:
        """Its name."""
        return self.after.name

    @property
    def gain(self) -> int:
        """By how much it grew."""
        return self.after.length - self.before.length

    @property
    def closes(self) -> bool:
        """Whether it was closed in this turn."""
        return self.before.open and not self.after.open


class Tale(BaseTale[Position]):
    """A turn with all that is asked about it."""

    def __init__(self, before: Position, turn: Turn, after: Position | None = None) -> None:
        super().__init__(before, turn, after)
        pairs = zip(before.aqueducts, self.after.aqueducts, strict=True)
        self.changes = [Change(*pair) for pair in pairs]
        # Own aqueducts first, then those of the players in the order in which they move.
        self.changes.sort(key=lambda change: (change.after.owner - self.me) % len(self.layout.players))

    @property
    def chosen(self) -> list[str]:
        """The aqueducts that were closed voluntarily."""
        return [step.action.aqueduct for step in self.made("close")]

    @cached_property
    def closings(self) -> list[Change]:
        """What the turn closes: without a tile, all but the chosen one are scored because play ends."""
        return [change for change in self.changes if change.closes and (self.lays_tile or change.name in self.chosen)]

    @property
    def lays_tile(self) -> bool:
        """Whether a tile is laid in this turn, also before the part of it that is told."""
        return any(action.what == "build" for action in (*self.before.played, *(step.action for step in self.steps)))

    def player(self, number: int) -> str:
        """Names a player."""
        return name(self.layout, number)

    @property
    def others(self) -> list[int]:
        """The other players, in the order in which they move."""
        players = len(self.layout.players)
        return [(self.me - 1 + step) % players + 1 for step in range(1, players)]


# What the engine asks


def name(layout: Layout, player: int) -> str:
    """Names a player by colours."""
    return name_colours(layout, player)


def standing(position: Position, last: int | None = None) -> tuple[int, ...]:
    """Gets each player's points if play stopped at the turn's start; `last` is whose turn ended last, if known."""
    start = position.rewind()
    if start.is_solo:
        alone = start.state.player
        return tuple(start.study_points() if p == alone else 0 for p in range(len(start.layout.players)))
    if start.is_over or start.phase == "setup":
        return start.scores()
    return start.stopped(last or find_last(start)).scores()


def why(before: Position, turn: Turn, after: Position) -> list[Claim]:
    """Lists what a turn does, the weightiest first."""
    return tell_all(
        Tale(before, turn, after),
        _tell_end,
        _tell_closings,
        _tell_lengths,
        _tell_outlooks,
        _tell_extra,
        _tell_picks,
        _tell_sights,
        _tell_stock,
        _tell_idle,
    )


# Closings and podiums


def _tell_end(tale: Tale) -> Iterator[Claim]:
    if tale.after.is_over and not tale.after.is_solo:
        names = [tale.player(number + 1) for number in range(len(tale.layout.players))]
        yield tell_totals(names, tale.after.scores())


def _tell_closings(tale: Tale) -> Iterator[Claim]:
    for change in tale.closings:
        yield _tell_closing(tale, change, by_choice=change.name in tale.chosen)
        yield from _tell_rivals(tale, change)


def _tell_closing(tale: Tale, change: Change, *, by_choice: bool) -> Claim:
    mine, length, podium = change.after.owner == tale.me, change.after.length, change.after.podium or 0
    if by_choice:
        text = f"Closes {change.name}"
    elif tale.before.state.walled >> tale.layout.aqueduct_index[change.name] & 1:
        text = f"Closes {change.name}, walled in before,"
    elif change.after.facing is None:
        text = f"Ends {change.name} at the rim" if mine else f"Leads {change.name} to the rim"
    else:
        text = f"Walls in its own {change.name}" if mine else f"Walls in {change.name}"
    left = f"{_podium(podium)}{'' if podium else ' left'}, " if length else ""
    points = f"{left}{count(podium, 'point')}"
    whose = "" if mine else f" for {tale.player(change.after.owner)}"
    return Claim("close" if by_choice else "wall", f"{text} at length {length}: {points}{whose}", (length, podium))


def _tell_rivals(tale: Tale, change: Change) -> Iterator[Claim]:
    """Says which open aqueducts would get the podium if it were not taken now, and what is left to them."""
    podium = change.after.podium
    if not podium or tale.after.is_over:
        return
    fallen = [(a, left) for a, left in _rivals(tale, change) if left < podium]
    if fallen:
        rivals = [f"{a.name} (length {a.length}, now {_podium(left)})" for a, left in fallen]
        text = f"{change.name} takes podium {podium}, which {' or '.join(rivals)} would get if closed now"
        yield Claim("podium", text, (podium, *(left for _, left in fallen)))


def _podium(value: int) -> str:
    return f"podium {value}" if value else "no podium"


def _rivals(tale: Tale, change: Change) -> Iterator[tuple[Aqueduct, int]]:
    """Finds the open aqueducts that would get a closed one's podium if that had stayed open, and what is left now."""
    tables, index = tale.layout.tables, tale.layout.aqueduct_index
    without = _score_without(tale, change)
    for a in tale.after.aqueducts:
        if a.open:
            s = without.copy()
            kernel.score_one(tables, s, index[a.name])
            if s.score[index[a.name]] == change.after.podium:
                yield a, podium_now(tale.after, a.name)


def _score_without(tale: Tale, change: Change) -> State:
    """Scores the turn's closings anew, in the order of the rules, as if one of them had not been."""
    s: State = tale.after.state
    index = tale.layout.aqueduct_index
    s.player, s.due = tale.me - 1, 0
    for closed in tale.changes:
        if closed.closes:
            s.room[closed.after.podium or 0] += 1
            s.due |= 1 << index[closed.name]
    s.due &= ~(1 << index[change.name])
    kernel.score_due(tale.layout.tables, s)
    return s


# Lengths


def _tell_lengths(tale: Tale) -> Iterator[Claim]:
    for change in tale.changes:
        if change.gain and change.before.open:
            yield _tell_length(tale, change)


def _tell_length(tale: Tale, change: Change) -> Claim:
    mine, length = change.after.owner == tale.me, change.after.length
    text = f"{'Lengthens' if mine else 'Also lengthens'} {change.name} by {change.gain}, to {length}"
    loose = _count_loose(tale, change.name)
    if loose:
        text += f", with {count(loose, 'segment')} of loose path"
    if change.after.open:
        podium = podium_now(tale.after, change.name)
        return Claim("length", f"{text}: {_podium(podium)} if closed now", (change.gain, length, podium))
    return Claim("length", text, (change.gain, length))


def _count_loose(tale: Tale, aqueduct: str) -> int:
    """Counts the segments of loose paths that the turn's tile made part of an aqueduct."""
    step = tale.find("build")
    if step is None:
        return 0
    joinings = step.before.graph().joins(step.action.square)
    taken = next(joining.taken for joining in joinings if joining.tile == step.action.tile)
    return sum(path.length for path in taken.get(aqueduct, ()))


# Outlooks


def _tell_outlooks(tale: Tale) -> Iterator[Claim]:
    """Says what the turn's tile leaves to the aqueducts that stay open."""
    step = tale.find("build")
    if step is not None:
        before, after = _looks(step.before), _looks(step.after)
        for change in tale.changes:
            if change.after.open:
                yield from _tell_ways(change, before[change.name], after[change.name])
    if tale.steps and not tale.after.is_over:
        before, after = _looks(tale.before), _looks(tale.after)
        for change in tale.changes:
            if change.after.open:
                yield from _tell_threats(tale, change, before[change.name], after[change.name])


@lru_cache(maxsize=8)
def _looks(position: Position) -> dict[str, Prospect]:
    return {look.aqueduct: look for look in position.graph().walls()}


def _tell_ways(change: Change, before: Prospect, after: Prospect) -> Iterator[Claim]:
    """Says that an end has fewer ways out than before, or was led to where it has few."""
    was, ways = len(before.ways_out), len(after.ways_out)
    led_there = before.facing != after.facing
    if ways > FEW if led_there else ways >= was:
        return
    if ways == 0:
        text = f"{change.name} comes to a dead end, 0 ways out: any tile on {after.facing} closes it"
    elif led_there:
        text = f"{change.name} has only {count(ways, 'way')} out"
    else:
        text = f"{change.name} has {count(ways, 'way')} out left, {was} before"
    yield Claim("outlook", text, (ways,) if led_there or ways == 0 else (ways, was))


def _tell_threats(tale: Tale, change: Change, before: Prospect, after: Prospect) -> Iterator[Claim]:
    """Says who could wall in an aqueduct now and could not before, or the other way round."""
    mine = change.after.owner == tale.me
    was, now = (look.threats if mine else _by(look, tale.me) for look in (before, after))
    if now and (not was or before.facing != after.facing):
        tiles = _distinct(now)
        if mine:
            who = join([tale.player(p) for p in tale.others if _by(after, p)])
            text = f"{who} could wall in {change.name} with {_such_as(tiles)} as the builders stand"
        else:
            text = f"Threatens to wall in {change.name} with {_such_as(tiles)}"
        yield Claim("threat", text, (len(tiles),))
    elif mine and was and not now:
        tiles = _distinct(was)
        text = f"Saves {change.name} from being walled in, as {_such_as(tiles)} could have done"
        yield Claim("threat", text, (len(tiles),))


def _by(look: Prospect, player: int) -> tuple[Closer, ...]:
    return tuple(closer for closer in look.closers if closer.player == player)


def _distinct(closers: Iterable[Closer]) -> list[str]:
    return list(dict.fromkeys(name_laid(closer.tile, closer.square) for closer in closers))


def _such_as(tiles: list[str]) -> str:
    return f"1 tile ({tiles[0]})" if len(tiles) == 1 else f"{len(tiles)} tiles (such as {tiles[0]})"


# The extra tile


def _tell_extra(tale: Tale) -> Iterator[Claim]:
    step = tale.find("extra")
    if step is None:
        return
    paths = [path for path in step.after.graph().loose_paths() if step.action.square in path.squares]
    lengths = [path.length for path in paths]
    what = f"The extra tile on {step.action.square}"
    made = f"{'a loose path' if len(paths) == 1 else 'loose paths'} of length {join([str(n) for n in lengths])}"
    yield Claim("extra", f"{what} makes {made}{_tell_takers(tale, step.after, paths)}", tuple(lengths))
    before, after = _looks(step.before), _looks(step.after)
    for change in tale.changes:
        ways, was = (len(looks[change.name].ways_out) if change.after.open else 0 for looks in (after, before))
        if ways != was:
            verb = "leaves" if ways < was else "gives"
            yield Claim("extra", f"{what} {verb} {change.name} {count(ways, 'way')} out, {was} before", (ways, was))


def _tell_takers(tale: Tale, position: Position, paths: Iterable[LoosePath]) -> str:
    """Says which open aqueducts end where a loose path could be joined to them."""
    graph, found = position.graph(), dict[str, str]()
    still_open = {a.name for a in tale.after.aqueducts if a.open}
    for path in paths:
        for touch in graph.touching(path):
            found |= {name: touch.square for name, codes in touch.aqueducts.items() if codes and name in still_open}
    return f", which {join([f'{name} could join on {square}' for name, square in found.items()])}" if found else ""


# Builders


def _tell_picks(tale: Tale) -> Iterator[Claim]:
    for step in tale.steps:
        if step.action.what == "pick":
            who = step.before.player or tale.me
            taken = f"the {name_builder(step.action.builder)} from the reserve"
            left = len(step.after.reserve)
            text = f"Takes {taken}" if who == tale.me else f"{tale.player(who)} takes {taken}"
            yield Claim("pick", f"{text}, {left or 'none'} left there", (left,))


def _tell_sights(tale: Tale) -> Iterator[Claim]:
    """Says for each player which builders came into sight of some workman and which went out of sight of all."""
    starts, ends = _follow_builders(tale)
    for player in (tale.me,) if tale.before.is_solo else (tale.me, *tale.others):
        before, after = _sight(tale.before, player), _sight(tale.after, player)
        was = {builder for builder, place in starts.items() if place in before}
        now = {builder for builder, place in ends.items() if place in after}
        if after and was != now:
            moved = (
                _name_builders(tale, [ends[b] for b in now - was]),
                _name_builders(tale, [ends[b] for b in was - now]),
            )
            ways = [f"{names} {way}" for names, way in zip(moved, ("into", "out of"), strict=True) if names]
            counts = f"{count(len(now), 'builder')}, {len(was)} before"
            text = f"Brings {' and '.join(ways)} {tale.player(player)}'s sight ({counts})"
            yield Claim("sight", text, (len(now), len(was)))


def _name_builders(tale: Tale, places: list[str]) -> str:
    builders = tale.after.builders
    return join([f"the {name_builder(builders[place])} on {place}" for place in sorted(places)]) if places else ""


def _follow_builders(tale: Tale) -> tuple[dict[int, str], dict[int, str]]:
    """Numbers the builders and gets where each stood before the turn and stands after it."""
    starts = dict(enumerate(tale.before.builders))
    ends = dict(starts)
    for step in tale.steps:
        action = step.action
        if action.what == "place":
            ends[len(ends)] = action.path
        elif action.what in ("build", "advance"):
            moved = next(builder for builder, place in ends.items() if place == action.path)
            ends[moved] = next((p for p in step.after.builders if p not in step.before.builders), action.path)
    return starts, ends


def _sight(position: Position, player: int) -> set[str]:
    return {path for a in position.aqueducts if a.open and a.owner == player for path in a.sees}


# Stock and idleness


def _tell_stock(tale: Tale) -> Iterator[Claim]:
    for kind, left in tale.after.stock.items():
        if left == 0 and tale.before.stock[kind]:
            what = KIND_NAMES[kind]
            text = f"Lays the last {what}, 0 left: now every {name_builder(kind)} brings any kind in stock"
            yield Claim("stock", text, (0,))


def _tell_idle(tale: Tale) -> Iterator[Claim]:
    advance = tale.find("advance")
    if advance is not None and not tale.after.is_over and not tale.after.is_solo:  # alone, idleness ends nothing [S1]
        players = len(tale.layout.players)
        text = f"Lays no tile: idle count {tale.after.idle}, and the game ends at {players}"
        yield Claim("idle", text, (tale.after.idle, players))
