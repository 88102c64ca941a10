"""Positions from random legal play on all layouts of all games, for property tests."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from aquakit import aquadukt, romana


@st.composite
def romana_starts(draw: st.DrawFn) -> romana.Position:
    """Draws a game's start: any layout, with or without setup, sometimes with few tiles, sometimes alone."""
    p = romana.Position.start(draw(st.sampled_from(romana.Layout.names())), setup=draw(st.booleans()))
    if draw(st.booleans()):
        fields = str(p).split(" ")
        fields[6] = ".".join(map(str, draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))))
        p = romana.Position.parse(" ".join(fields))
    if p.phase != "setup" and draw(st.integers(0, 4)) == 0:
        p = p.solo(draw(st.integers(1, len(p.layout.players))))
    return p


@st.composite
def aquadukt_starts(draw: st.DrawFn) -> aquadukt.Position:
    """Draws a game's start: any layout, any mountains, with or without events."""
    layout = draw(st.sampled_from(aquadukt.Layout.names()))
    return aquadukt.Position.start(layout, seed=draw(st.integers(0, 2**32)), events=draw(st.booleans()))


STARTS = {"romana": romana_starts(), "aquadukt": aquadukt_starts()}


def play_on(p: Any, draw: random.Random, actions: int) -> Any:
    """Plays a number of random actions, or to the end; closes rarely and rolls often, so that boards fill."""
    for _ in range(actions):
        if p.is_over:
            break
        choices = p.actions()
        favourites = {"close": choices[:1], "turn": choices[:1]}.get(p.phase)
        p = p.act(draw.choice(favourites if favourites and draw.random() < 0.7 else choices))
    return p


def check_what_follows(p: Any) -> None:
    """Checks that every legal action leads to a position whose text is read back."""
    for action in p.actions():
        after = p.act(action)
        assert type(p).parse(str(after), p.layout) == after


def positions(starts: st.SearchStrategy[Any], most: int = 150) -> st.SearchStrategy[Any]:
    """Draws positions that legal play reaches from some starts, moments inside a turn included."""
    seeds = st.integers(0, 2**32).map(random.Random)
    return st.builds(play_on, starts, seeds, st.integers(0, most))


ROMANA = positions(STARTS["romana"])
AQUADUKT = positions(STARTS["aquadukt"])
EVERY_GAME = st.one_of(ROMANA, AQUADUKT)
EVERY_START = st.one_of(*STARTS.values())
