"""Mountains before a game: drawn by a seed or given, far enough apart if they hide events, and the events."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations

from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import EVENTS
from aquakit.core.options import read_whole
from aquakit.errors import InvalidOption

DRAWINGS = 100
"""How often mountains are drawn one after the other before a place for all of them is searched for."""
STEPS = 200_000
"""How many sets that search may look at; maps of usual size need some thousand at most."""


def place_mountains(
    layout: Layout, seed: int, mountains: Iterable[str] | None, events: bool | str
) -> tuple[list[int], list[int]]:
    """Gets the mountains' squares, given or drawn, and the events in reading order: none, given or drawn."""
    draw = random.Random(read_whole("seed", seed, most=2**64))
    if mountains is not None:
        squares = _given(layout, mountains, apart=bool(events))
    elif events:
        squares = _draw_apart(layout, draw)
    else:
        squares = draw.sample(_land(layout), layout.mountains)
    return squares, _choose_events(layout, draw, events)


def _land(layout: Layout) -> list[int]:
    return [square for square in range(len(layout.region)) if layout.has_square(square)]


def _steps(layout: Layout, a: int, b: int) -> int:
    (ay, ax), (by, bx) = divmod(a, layout.columns), divmod(b, layout.columns)
    return abs(ax - bx) + abs(ay - by)


def _given(layout: Layout, mountains: Iterable[str], *, apart: bool) -> list[int]:
    """Checks mountains given as squares; with events they keep their distance [Q7]."""
    if not isinstance(mountains, Iterable):
        raise InvalidOption("mountains", repr(mountains), "names of squares")
    known = {name for region in layout.regions for name in region}
    names = list(mountains)
    for name in names:
        if name not in known or names.count(name) > 1:
            problem = "stands twice" if name in known else f"is no square of {layout.name}"
            raise InvalidOption("mountains", f"{name!r} {problem}", "different squares of the board")
    if len(names) != layout.mountains:
        raise InvalidOption("mountains", f"{len(names)} squares", f"{layout.mountains} on {layout.name}")
    squares = [layout.square_index[name] for name in names]
    for a, b in combinations(squares, 2) if apart else ():
        if (steps := _steps(layout, a, b)) < layout.mountain_distance:
            first, second = layout.square_names[a], layout.square_names[b]
            count = f"{steps} step" if steps == 1 else f"{steps} steps"
            expected = f"at least {layout.mountain_distance} steps with events [Q7]"
            raise InvalidOption("mountains", f"{first} and {second} are {count} apart", expected)
    return squares


def _draw_apart(layout: Layout, draw: random.Random) -> list[int]:
    """Draws mountains for events one after the other, each far enough from those before [Q7].

    Where that leads into dead ends again and again, there is little room: then a place for all is searched for.
    """
    squares, wanted = _land(layout), layout.mountains

    @cache
    def near(i: int) -> int:
        """Gets the squares too near to one, itself included; sets are masks over places in the list."""
        steps = [_steps(layout, squares[i], other) for other in squares]
        return sum(1 << j for j, count in enumerate(steps) if count < layout.mountain_distance)

    for _ in range(DRAWINGS):
        room = (1 << len(squares)) - 1
        chosen: list[int] = []
        for i in draw.sample(range(len(squares)), len(squares)):
            if len(chosen) < wanted and room >> i & 1:
                chosen.append(i)
                room &= ~near(i)
        if len(chosen) == wanted:
            return [squares[i] for i in chosen]
    found = _search((1 << len(squares)) - 1, wanted, near, draw, iter(range(STEPS)))
    if found is None:
        problem = f"no room on {layout.name} for {wanted} mountains at least {layout.mountain_distance} steps apart"
        raise InvalidOption("events", f"{problem} [Q7]", "fewer mountains, a shorter distance or a larger map")
    return [squares[i] for i in found]


def _search(
    room: int, wanted: int, near: Callable[[int], int], draw: random.Random, steps: Iterator[int]
) -> list[int] | None:
    """Finds so many squares of a set that none is near another, or proves that there are none.

    Of squares that are all near each other at most one holds a mountain. So with the room divided into such groups,
    some mountain stands outside the first `wanted - 1` of them, and only the squares there have to be tried.
    """
    if wanted == 0:
        return []
    if next(steps, None) is None:
        raise InvalidOption("events", f"no drawing was found in {STEPS} steps [Q7]", "mountains given as squares")
    outside = room
    for _ in range(wanted - 1):
        group = outside
        while group:
            first = group & -group
            outside &= ~first
            group &= near(first.bit_length() - 1) & ~first
    tried = [i for i in range(outside.bit_length()) if outside >> i & 1]
    draw.shuffle(tried)
    for i in tried:
        found = _search(room & ~near(i), wanted - 1, near, draw, steps)
        if found is not None:
            return [i, *found]
        room &= ~(1 << i)
    return None


def _choose_events(layout: Layout, draw: random.Random, events: bool | str) -> list[int]:
    """Gets the mountains' events in reading order: none, drawn, or given."""
    if not isinstance(events, bool | str):
        raise InvalidOption("events", repr(events), "True, False, or letters m and f")
    if not events:
        return [0] * layout.mountains
    letters = {letter: event for event, letter in EVENTS.items()}
    if isinstance(events, str):
        if len(events) != layout.mountains or set(events) - set("mf"):
            raise InvalidOption("events", repr(events), f"{layout.mountains} letters m or f")
        if any(events.count(letter) > layout.events.count(letter) for letter in "mf"):
            raise InvalidOption("events", repr(events), f"drawn from {layout.events}")
        return [letters[letter] for letter in events]
    if not layout.events:
        raise InvalidOption("events", f"{layout.name} has none")
    return [letters[letter] for letter in draw.sample(layout.events, layout.mountains)]
