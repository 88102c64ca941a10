"""Positions from random legal play on all layouts, for property tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from aquakit.romana import Layout, Position

LAYOUTS = Layout.names()


def low_stock(p: Position, stock: str) -> Position:
    """Gets a start with fewer tiles, where kinds run out soon."""
    fields = str(p).split(" ")
    fields[6] = stock
    return Position.parse(" ".join(fields), p.layout)


@st.composite
def starts(draw: st.DrawFn) -> Position:
    """Draws a game's start: any layout, with or without setup, sometimes with few tiles, sometimes alone."""
    p = Position.start(draw(st.sampled_from(LAYOUTS)), setup=draw(st.booleans()))
    if draw(st.booleans()):
        counts = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
        p = low_stock(p, ".".join(map(str, counts)))
    if p.phase != "setup" and draw(st.integers(0, 4)) == 0:
        p = p.solo(draw(st.integers(1, len(p.layout.players))))
    return p


def play_on(p: Position, draw: random.Random, actions: int) -> Position:
    """Plays a number of random actions, or to the end; closes rarely, so that aqueducts grow."""
    for _ in range(actions):
        if p.is_over:
            break
        none_closed = p.phase == "close" and draw.random() < 0.8
        p = p.act("x-" if none_closed else draw.choice(p.actions()))
    return p


@st.composite
def any_position(draw: st.DrawFn) -> Position:
    """Draws a position that legal play reaches, moments inside a turn included."""
    return play_on(draw(starts()), random.Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 120)))
