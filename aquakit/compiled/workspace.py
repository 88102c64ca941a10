"""What a thread needs beside the state, in every game, and what can be asked of it."""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct


class Workspace(Struct):
    """What a thread needs beside the state, in every game."""

    actions: Annotated[Ints, "i4", "moves"]
    """The legal actions last listed."""
    count: Annotated[int, "i8"]
    cursor: Annotated[int, "i8"]
    """Which of them a walk through the game tree takes next."""
    total: Annotated[Ints, "i8", 4]
    """Each player's points as last counted."""
    tie: Annotated[Ints, "i8", 4]
    """What decides between players with equal points, as last counted."""
    sums: Annotated[Ints, "i8", 4]
    """Each player's points over several games."""
    random0: Annotated[int, "i8"]
    random1: Annotated[int, "i8"]


@kernel
def random_number(w: Workspace) -> int:
    """Draws a number of 32 bits by xoroshiro64*, the same in both twins."""
    a = w.random0
    b = w.random1 ^ a
    w.random0 = (((a << 26) | (a >> 6)) ^ b ^ (b << 9)) & 0xFFFFFFFF
    w.random1 = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    return (a * 0x9E3779BB) & 0xFFFFFFFF


@kernel
def lead_of(w: Workspace, players: int, player: int) -> float:
    """Gets a player's points, as last counted, beyond those of the best other player."""
    other = -1000
    for p in range(players):
        if p != player and w.total[p] > other:
            other = w.total[p]
    return float(w.total[player] - other) if players > 1 else float(w.total[player])
