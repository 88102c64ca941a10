"""Grows a tree of a game by Monte Carlo search: one action an edge, up to four players, chance where the rules have it.

Bound to a game's kernel and policy by `jit.bind`. Every player
maximises the own value; at a chance node outcomes are drawn. A node is opened, that is, its children are made, when it
has been visited a few times; of many children only the first are looked at until the visits justify more, in the order
of the game's own preference.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Annotated, Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import (
    apply,
    count_points,
    decider,
    draw_action,
    draw_wisely,
    generate,
    is_over,
    prefer,
)
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import lead_of, random_number

CHANCE = -1
UNOPENED = 0
DEEPEST = 1000
"""The longest way through the tree."""


class TreeNode(Struct):
    """A position of the tree, by the action that led there."""

    action: Annotated[int, "i4"]
    first: Annotated[int, "i4"]
    """Its first child; the others follow."""
    count: Annotated[int, "i4"]
    """How many children it has; 0 while it is unopened."""
    decider: Annotated[int, "i4"]
    visits: Annotated[int, "i4"]
    lead: Annotated[int, "f4"]
    """Sums over its visits: the lead of the root's player, and its square."""
    square: Annotated[int, "f4"]
    value: Annotated[Ints, "f4", 4]
    """What each player tries to make large."""
    win: Annotated[Ints, "f4", 4]
    """Games won, shared ones in part."""
    points: Annotated[Ints, "f4", 4]


class Settings(Struct):
    """How the tree is grown, and how far it is."""

    used: Annotated[int, "i4"]
    """Nodes in use; the root is the first."""
    players: Annotated[int, "i4"]
    me: Annotated[int, "i4"]
    """The player who decides at the root."""
    wise: Annotated[int, "i4"]
    """Whether playouts follow the game's policy; otherwise they are uniform."""
    open_after: Annotated[int, "i4"]
    """So many visits until a node is opened."""
    exploration: Annotated[int, "f4"]
    """The exploration constant of UCT: how much a rarely visited child is preferred."""
    widen: Annotated[int, "f4"]
    """How fast further children are looked at as visits grow."""
    margin: Annotated[int, "f4"]
    """How much the lead counts beside the win."""
    scale: Annotated[int, "f4"]
    """The lead that counts as large in this game."""
    actions: Annotated[int, "i8"]
    """Actions carried out so far."""
    share: Annotated[Ints, "f4", 4]
    """The last playout: each player's part of the win, value and points."""
    worth: Annotated[Ints, "f4", 4]
    way: Annotated[Ints, "i4", DEEPEST]
    """The nodes passed in the present simulation."""


@kernel
def judge(w: Any, c: Any) -> None:
    """Gets each player's part of the win and value from the points just counted."""
    best = -1
    for p in range(c.players):
        rank = w.total[p] * 1000 + w.tie[p]
        if rank > best:
            best = rank
    winners = 0
    for p in range(c.players):
        if w.total[p] * 1000 + w.tie[p] == best:
            winners += 1
    for p in range(c.players):
        c.share[p] = 1.0 / winners if w.total[p] * 1000 + w.tie[p] == best else 0.0
        lead = lead_of(w, c.players, p) / c.scale
        lead = min(1.0, max(-1.0, lead))
        c.worth[p] = (1.0 - c.margin) * c.share[p] + c.margin * (0.5 + 0.5 * lead)


@kernel
def open_node(t: Any, s: Any, w: Any, nodes: Any, c: Any, node: int) -> bool:
    """Makes a node's children, the preferred ones first; says no if there is no room."""
    n = generate(t, s, w)
    if c.used + n > len(nodes):
        return False
    first = c.used
    who = decider(t, s)
    for i in range(n):
        action = w.actions[i]
        # While the tree is opened, `first` of a child holds the preference by which it is put in order.
        weight = prefer(t, s, action) if c.wise and who != CHANCE else 0
        j = first + i
        while j > first and nodes[j - 1].first < weight:
            nodes[j].action = nodes[j - 1].action
            nodes[j].first = nodes[j - 1].first
            j -= 1
        nodes[j].action = action
        nodes[j].first = weight
    for j in range(first, first + n):
        child = nodes[j]
        child.first = 0
        child.count = UNOPENED
        child.visits = 0
        child.lead = 0.0
        child.square = 0.0
        for p in range(4):
            child.value[p] = 0.0
            child.win[p] = 0.0
            child.points[p] = 0.0
    parent = nodes[node]
    parent.first = first
    parent.count = n
    parent.decider = who
    c.used += n
    return True


@kernel
def select(w: Any, nodes: Any, c: Any, node: int) -> int:
    """Chooses the child to go to."""
    parent = nodes[node]
    if parent.decider == CHANCE:
        drawn: int = parent.first + ((random_number(w) * parent.count) >> 32)
        return drawn
    player = parent.decider
    shown = parent.count
    if c.widen > 0.0:
        seen = int(c.widen * sqrt(parent.visits)) + 3
        shown = min(shown, seen)
    spread = c.exploration * sqrt(log(parent.visits + 1.0))
    hope = parent.value[player] / max(1, parent.visits)
    best: int = parent.first
    most = -1.0e9
    for i in range(parent.first, parent.first + shown):
        child = nodes[i]
        score = hope + spread
        if child.visits > 0:
            score = child.value[player] / child.visits + spread / sqrt(child.visits)
        if score > most:
            most = score
            best = i
    return best


@kernel
def finish(t: Any, s: Any, w: Any, c: Any) -> None:
    """Plays to the end of the game."""
    n = 0
    if c.wise:
        while not is_over(s):
            apply(t, s, draw_wisely(t, s, w, random_number(w)))
            n += 1
    else:
        while not is_over(s):
            apply(t, s, draw_action(t, s, w, random_number(w)))
            n += 1
    c.actions += n


@kernel
def grow(tables: Any, states: Any, works: Any, nodes: Any, settings: Any, simulations: int) -> int:
    """Runs simulations from the first state, on the second; gets how many were run."""
    t, w, c = tables[0], works[0], settings[0]
    for _ in range(simulations):
        states[1] = states[0]
        s = states[1]
        node = 0
        depth = 0
        c.way[0] = 0
        while not is_over(s) and depth + 1 < DEEPEST:
            if nodes[node].count == UNOPENED:
                wait = node > 0 and nodes[node].visits < c.open_after
                if wait or not open_node(t, s, w, nodes, c, node):
                    break
            node = select(w, nodes, c, node)
            apply(t, s, nodes[node].action)
            depth += 1
            c.way[depth] = node
        c.actions += depth
        finish(t, s, w, c)
        count_points(t, s, w)
        judge(w, c)
        lead = lead_of(w, c.players, c.me)
        for i in range(depth + 1):
            passed = nodes[c.way[i]]
            passed.visits += 1
            passed.lead += lead
            passed.square += lead * lead
            for p in range(c.players):
                passed.value[p] += c.worth[p]
                passed.win[p] += c.share[p]
                passed.points[p] += w.total[p]
    return simulations
