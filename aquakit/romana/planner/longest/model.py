"""States as a CP-SAT model how far tiles can still lead aqueducts: one small builder for each constraint.

A pass is a segment of a tile to be laid, in the direction of the water: a square with the sides of entry and exit. What
lies between two empty squares is a link: a grid edge, or a loose path with the edges at its ends. An aqueduct is a walk
from its tip, pass, link, pass, link …, that uses no side of a square twice. Two passes of one square then have four
different sides and are always the two segments of one tile; so the walks decide the tiles, but for one thing: where a
square is passed once, a two-segment tile may lie there too, if the stock is short of others. Its spare segment can lead
other aqueducts' water on, and must not join them [R3].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

from aquakit.planning.cpsat import load
from aquakit.romana.kernel import EMPTY, KIND_OF, KINDS, NONE, SEGMENTS, State, Tables

Pass: TypeAlias = tuple[int, int, int]
"""A square, the side of entry and the side of exit."""
Sides: TypeAlias = frozenset[int]

CODE_OF: dict[frozenset[Sides], int] = {
    frozenset(map(frozenset, segments)): code for code, segments in enumerate(SEGMENTS) if segments
}
"""The tile code of each set of segments, each of them a pair of sides."""
PARTNER: dict[Sides, Sides] = {
    a: b for both in CODE_OF if len(both) == 2 for a in both for b in both if a != b
}  # fmt: skip
"""The other segment of the two-segment tile that has a given one."""
CURVE, STRAIGHT, BRIDGE, DOUBLE = (KINDS.index(letter) for letter in "csbd")
SHAPES = {kind: {pair for pair in PARTNER if KIND_OF[CODE_OF[frozenset({pair})]] == kind} for kind in (CURVE, STRAIGHT)}
"""The segments of each kind of one-segment tile."""
DIRECTED = [(shape, sides) for shape, pairs in SHAPES.items() for pair in pairs for sides in permutations(pair)]
"""Each segment in both directions, as sides of entry and exit, with the kind of tile that has it alone."""
TWOFOLD = {CURVE: DOUBLE, STRAIGHT: BRIDGE}
"""The kind of tile that has two such segments."""


# The board


class PortLink(NamedTuple):
    """What lies beyond a side of an empty square: a grid edge, or a loose path with the edges at its ends."""

    ports: tuple[int, ...]
    """The ports (4 * square + side) of empty squares at its ends; with a single one it leads nowhere, or is a tip."""
    length: int
    """Segments of the loose path."""
    aqueduct: int = NONE
    """The aqueduct that ends here."""

    def across(self, port: int) -> int:
        """Gets the port at the other end, or NONE."""
        return next((other for other in self.ports if other != port), NONE)


@dataclass(frozen=True)
class ReachableGround:
    """The part of a board that some aqueducts can still reach."""

    links: tuple[PortLink, ...]
    at: Mapping[int, int]
    """The link at each port of an empty square."""
    tips: Mapping[int, int]
    """The link at which each aqueduct asked for ends; those that face no empty square are missing."""
    squares: tuple[int, ...]
    """The empty squares within reach."""
    used: tuple[int, ...]
    """The links within reach, tips first."""

    @classmethod
    def of(cls, tables: Tables, state: State, aqueducts: Iterable[int]) -> ReachableGround:
        """Finds what aqueducts can reach: through empty squares and along loose paths, past no other's end [R3]."""
        links, at = find_links(tables, state)
        wanted = frozenset(aqueducts)
        tips = {link.aqueduct: number for number, link in enumerate(links) if link.aqueduct in wanted}
        squares: set[int] = set()
        used, waiting = list(tips.values()), list(tips.values())
        while waiting:
            fresh = {port >> 2 for port in links[waiting.pop()].ports} - squares
            squares |= fresh
            ports = (4 * q + side for q in sorted(fresh) for side in range(4))
            beyond = dict.fromkeys(at[port] for port in ports if links[at[port]].aqueduct == NONE)
            more = [number for number in beyond if number not in used]
            used += more
            waiting += more
        return cls(tuple(links), at, tips, tuple(sorted(squares)), tuple(used))

    def link(self, port: int) -> PortLink:
        """Gets the link at a port."""
        return self.links[self.at[port]]

    def is_tip(self, number: int) -> bool:
        """Checks whether a link is the end of an aqueduct asked for."""
        return number in self.tips.values()

    def passes(self) -> Iterator[Pass]:
        """Lists the passes open to the aqueducts asked for: in from where water can come, out where no end is."""
        for q in self.squares:
            for entry in range(4):
                source = self.at[4 * q + entry]
                if not (self.is_tip(source) or (source in self.used and len(self.links[source].ports) == 2)):
                    continue
                for leave in range(4):
                    target = self.at[4 * q + leave]
                    if target != source and self.links[target].aqueduct == NONE:
                        yield q, entry, leave


def find_links(tables: Tables, state: State) -> tuple[list[PortLink], dict[int, int]]:
    """Finds all links of a board, and which one lies at each port of an empty square."""
    links: list[PortLink] = []
    at: dict[int, int] = {}
    for port in range(4 * tables.squares):
        if state.tile[port >> 2] == EMPTY and port not in at:
            link = _link_at(tables, state, port)
            at |= dict.fromkeys(link.ports, len(links))
            links.append(link)
    return links, at


def _link_at(tables: Tables, state: State, port: int) -> PortLink:
    edge = tables.edge[port]
    if state.own[edge] != NONE:
        return PortLink((port,), 0, state.own[edge])
    far = 2 * state.other[edge]
    facing = [p for p in tables.port[far : far + 2] if p not in (NONE, port) and state.tile[p >> 2] == EMPTY]
    return PortLink((port, *facing), state.length[edge])


# The variables


class TileVariables(NamedTuple):
    """What may lie on a square, as variables of which one at most is true."""

    single: Mapping[int, Any]
    """A one-segment tile, by its kind."""
    both: Mapping[int, Any]
    """A two-segment tile that is passed twice, by the kind of its segments."""
    spare: Mapping[int, Any]
    """A two-segment tile that is passed once, by the kind of its segments."""

    def of_kind(self, kind: int) -> list[Any]:
        """Gets the variables that take a tile of a kind from the stock."""
        if kind in TWOFOLD:
            return [self.single[kind]]
        return [
            found
            for shape, double in TWOFOLD.items()
            if double == kind
            for found in (self.both[shape], self.spare[shape])
        ]


class LongestModel:
    """The variables, and the model to which builders add constraints."""

    def __init__(self, ground: ReachableGround) -> None:
        """Creates the variables; without builders anything goes."""
        self.ground, self.cp = ground, load().CpModel()
        self.passes: dict[Pass, Any] = {step: self._flag("pass", *step) for step in ground.passes()}
        """Whether some aqueduct makes a pass."""
        self.tiles: dict[int, TileVariables] = {q: self._tiles(q) for q in ground.squares}
        self.fed: dict[int, Any] = {
            port: self._flag("fed", port)
            for number in ground.used
            for port in ground.links[number].ports
            if len(ground.links[number].ports) == 2
        }
        """Whether other aqueducts' water enters an empty square, by its port on a link between two squares."""

    def _flag(self, *name: object) -> Any:
        return self.cp.new_bool_var(" ".join(map(str, name)))

    def _tiles(self, q: int) -> TileVariables:
        return TileVariables(*({kind: self._flag(name, kind, q) for kind in SHAPES} for name in TileVariables._fields))

    @cached_property
    def entering(self) -> dict[int, list[Any]]:
        """The passes that enter a square by a port."""
        return self._by_port(lambda q, entry, leave: 4 * q + entry)

    @cached_property
    def leaving(self) -> dict[int, list[Any]]:
        """The passes that leave a square by a port."""
        return self._by_port(lambda q, entry, leave: 4 * q + leave)

    def _by_port(self, port_of: Callable[[int, int, int], int]) -> dict[int, list[Any]]:
        made: dict[int, list[Any]] = {4 * q + side: [] for q in self.ground.squares for side in range(4)}
        for step, made_here in self.passes.items():
            made[port_of(*step)].append(made_here)
        return made

    def through(self, q: int, pair: Sides) -> list[Any]:
        """Gets the passes of a square between two sides, in either direction."""
        a, b = pair
        return [self.passes[step] for step in ((q, a, b), (q, b, a)) if step in self.passes]

    def into(self, number: int) -> list[Any]:
        """Gets the passes that lead onto a link."""
        return [made for port in self.ground.links[number].ports for made in self.leaving[port]]

    def out_of(self, number: int) -> list[Any]:
        """Gets the passes that go on from a link."""
        return [made for port in self.ground.links[number].ports for made in self.entering[port]]

    def gain(self) -> Any:
        """Sums up the segments that all passes add, loose paths among them."""
        ground = self.ground
        return sum(made * (1 + ground.link(4 * q + leave).length) for (q, _, leave), made in self.passes.items())


# The constraints


def use_each_side_once(m: LongestModel) -> None:
    """Lets no two passes share a side of a square: a tile has one segment at each."""
    for port, entering in m.entering.items():
        m.cp.add_at_most_one(entering + m.leaving[port])


def take_one_of_three_sides(m: LongestModel) -> None:
    """Lets one pass at most run between any three sides of a square: redundant, but it tightens the relaxation."""
    for q in m.ground.squares:
        for left_out in range(4):
            pairs = [pair for pair in PARTNER if left_out not in pair]
            m.cp.add_at_most_one(made for pair in pairs for made in m.through(q, pair))


def go_on_where_water_is(m: LongestModel) -> None:
    """Lets a link be entered once at most, and left only at the end that it was not entered by."""
    for number in m.ground.used:
        m.cp.add_at_most_one(m.into(number))
        ports = m.ground.links[number].ports
        for port in ports if len(ports) == 2 else ():
            m.cp.add(sum(m.entering[m.ground.links[number].across(port)]) <= sum(m.leaving[port]))


def lay_what_is_passed(m: LongestModel) -> None:
    """Gives each square that is passed one tile, whose segments of either shape are the passes."""
    for q, tiles in m.tiles.items():
        m.cp.add_at_most_one(flag for flags in tiles for flag in flags.values())
        for shape, pairs in SHAPES.items():
            passed = sum(made for pair in pairs for made in m.through(q, pair))
            m.cp.add(passed == tiles.single[shape] + tiles.spare[shape] + 2 * tiles.both[shape])


def keep_to_the_stock(m: LongestModel, stock: Iterable[int]) -> None:
    """Takes no more tiles of a kind than there are [R1]."""
    for kind, left in zip((CURVE, STRAIGHT, BRIDGE, DOUBLE), stock, strict=True):
        m.cp.add(sum(flag for tiles in m.tiles.values() for flag in tiles.of_kind(kind)) <= left)


def stop_before_no_spare_segment(m: LongestModel) -> None:
    """Lets no aqueduct asked for stop where a spare segment would lead it on: that segment is a pass then."""
    for number in m.ground.used:
        link = m.ground.links[number]
        for port in link.ports:
            if len(link.ports) == 2:
                arriving = sum(m.leaving[link.across(port)])
            elif m.ground.is_tip(number):
                arriving = 1
            else:
                continue
            spare = sum(m.tiles[port >> 2].spare.values())
            m.cp.add(spare + arriving - sum(m.entering[port]) <= 1)


def join_nobody(m: LongestModel) -> None:
    """Follows other aqueducts' water along spare segments: it must meet no tip, no pass and no other water [R3]."""
    for q, tiles in m.tiles.items():
        for shape, (entry, leave) in DIRECTED:
            for passed in m.through(q, PARTNER[frozenset((entry, leave))]):
                _lead_on(m, (q, entry, leave), [tiles.spare[shape], passed])


def _lead_on(m: LongestModel, step: Pass, causes: list[Any]) -> None:
    """States what follows if others' water enters a square that has a spare segment there."""
    q, entry, leave = step
    source, target = m.ground.link(4 * q + entry), m.ground.link(4 * q + leave)
    if 4 * q + entry in m.fed:
        causes = [*causes, m.fed[4 * q + entry]]
    elif source.aqueduct == NONE or source.aqueduct in m.ground.tips:
        return  # nobody else's water comes from there
    unless = [~cause for cause in causes]
    if target.aqueduct != NONE:
        m.cp.add_bool_or(unless)
    elif (far := target.across(4 * q + leave)) != NONE:
        m.cp.add_bool_or([*unless, m.fed[far]])
        for clash in [*m.into(m.ground.at[far]), m.fed[4 * q + leave]]:
            m.cp.add_bool_or([*unless, ~clash])


def leave_no_loops(m: LongestModel) -> None:
    """Eliminates subtours: all passes belong to the walk of the one aqueduct asked for, by a circuit of its links."""
    node = {number: index for index, number in enumerate(m.ground.used, start=1)}
    at = m.ground.at
    arcs = [(node[at[4 * q + entry]], node[at[4 * q + leave]], made) for (q, entry, leave), made in m.passes.items()]
    for number, index in node.items():
        arcs.append((index, 0, m._flag("end", number)))
        arcs.append((0, index, True) if m.ground.is_tip(number) else (index, index, m._flag("dry", number)))
    m.cp.add_circuit(arcs)


def count_ahead(m: LongestModel, most: int) -> dict[int, Any]:
    """Adds a lower bound on the segments that follow after each link, up to a number; subtours count for no aqueduct.

    It is 0 where the walk stops, and elsewhere no more than the next link's count allows. So the count at a tip is
    never more than what follows there.
    """
    ahead = {number: m.cp.new_int_var(0, most, f"ahead {number}") for number in m.ground.used}
    for number, left in ahead.items():
        m.cp.add(left <= most * sum(m.out_of(number)))
    for (q, entry, leave), made in m.passes.items():
        source, target = m.ground.at[4 * q + entry], m.ground.at[4 * q + leave]
        m.cp.add(ahead[source] <= ahead[target] + 1 + m.ground.links[target].length).only_enforce_if(made)
    return ahead


def take_podiums(m: LongestModel, lengths: Mapping[int, Any], room: Mapping[int, int]) -> Any:
    """Sends workmen to podiums with room and gets their points.

    Podiums from any value up take no more workmen than have such a length. For one player alone "the next lower one
    with room" (section 5, step 7) comes to the same total in whatever order.
    """
    taken = {podium: m.cp.new_int_var(0, places, f"podium {podium}") for podium, places in room.items()}
    for least in room:
        enough = []
        for a, length in lengths.items():
            enough.append(m._flag("long enough", a, least))
            m.cp.add(length >= least).only_enforce_if(enough[-1])
        m.cp.add(sum(flag for podium, flag in taken.items() if podium >= least) <= sum(enough))
    return sum(podium * workmen for podium, workmen in taken.items())


# The two questions


@dataclass(frozen=True)
class LongestCase:
    """What is asked: aqueducts on a board, with what may be laid and what can be won."""

    ground: ReachableGround
    lengths: Mapping[int, int]
    """Each aqueduct asked for, with its present length."""
    stock: tuple[int, ...]
    room: Mapping[int, int]
    """Free places on each podium."""

    @classmethod
    def of(cls, tables: Tables, state: State, aqueducts: Iterable[int]) -> LongestCase:
        """Takes from a board what concerns some aqueducts."""
        lengths = {a: int(state.length[state.tip[a]]) for a in aqueducts}
        room = {podium: state.room[podium] for podium in range(1, tables.podiums + 1)}
        return cls(ReachableGround.of(tables, state, lengths), lengths, tuple(state.stock), room)


def _lay_tiles(case: LongestCase) -> LongestModel:
    m = LongestModel(case.ground)
    use_each_side_once(m)
    take_one_of_three_sides(m)
    go_on_where_water_is(m)
    lay_what_is_passed(m)
    keep_to_the_stock(m, case.stock)
    stop_before_no_spare_segment(m)
    join_nobody(m)
    return m


def model_length(case: LongestCase) -> LongestModel:
    """Asks for the greatest length of one aqueduct."""
    m = _lay_tiles(case)
    leave_no_loops(m)
    m.cp.maximize(sum(case.lengths.values()) + m.gain())
    return m


def model_points(case: LongestCase) -> LongestModel:
    """Asks for the most podium points of several aqueducts."""
    m = _lay_tiles(case)
    ahead = count_ahead(m, max(case.room))
    tips = case.ground.tips
    lengths = {a: now + ahead[tips[a]] if a in tips else now for a, now in case.lengths.items()}
    points = take_podiums(m, lengths, case.room)
    # Redundant, but it tightens the relaxation: points need segments.
    m.cp.add(points <= sum(case.lengths.values()) + m.gain())
    m.cp.maximize(points)
    return m


def read_tiles(m: LongestModel, value: Callable[[Any], int]) -> dict[int, int]:
    """Reads from a solution the code of the tile on each square that is passed."""
    segments: dict[int, set[Sides]] = {}
    for (q, entry, leave), made in m.passes.items():
        if value(made):
            segments.setdefault(q, set()).add(frozenset((entry, leave)))
    for q, pairs in segments.items():
        if any(value(flag) for flag in m.tiles[q].spare.values()):
            pairs |= {PARTNER[pair] for pair in pairs}
    return {q: CODE_OF[frozenset(pairs)] for q, pairs in segments.items()}
