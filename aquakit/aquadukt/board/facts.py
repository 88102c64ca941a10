"""What a board tells about a position of Aquädukt: arms, springs, regions and events, the score sheet, traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from aquakit.aquadukt.board.art import PLAYER_COLOURS
from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.board.scene import EVENT_NOTES
from aquakit.aquadukt.findings import ArmPath, Houses, Region, Watering
from aquakit.aquadukt.graph import WaterGraph
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.notation import STEPS, Turn
from aquakit.aquadukt.position import Position
from aquakit.board.facts import Cell, Chip, Fact, FactTable, TurnTrace
from aquakit.core.words import count, join

WAYS = dict(zip(STEPS, ("north", "east", "south", "west"), strict=True))
FILLING = 2
"""The most free squares of a region that is about to fill."""


# Facts


def facts(position: Position) -> tuple[Fact, ...]:
    """Lists what is to be known about arms, springs, regions and events."""
    graph: WaterGraph = position.graph()
    arms = graph.arms()
    made = [_tell_arm(graph, *pair) for pair in zip(arms, graph.waterings(), strict=True)]
    made += [_tell_spring(graph, point, [arm for arm in arms if arm.spring == point]) for point in position.springs]
    made += [_tell_region(position, region) for region in graph.regions()]
    return (*made, *_tell_events(position))


def _tell_arm(graph: WaterGraph, arm: ArmPath, watering: Watering) -> Fact:
    canals, squares = graph.position.canals, watering.squares
    lines = [
        f"{count(len(arm.segments), 'segment')}, {arm.doubles or 'none'} double: {count(arm.canals, 'canal')}",
        f"waters {count(len(squares), 'square')}: {', '.join(squares)}",
        f"houses there: {_by_player(watering.houses)}",
    ]
    if _digs_on(graph.position):
        ways = [other for other in graph[arm.end] if graph.nodes[other]["free"]]
        lines.append(f"can go on to {join(ways, 'or')}" if ways else "is blocked")
    on = tuple(f"canal={segment}={canals[segment]}" for segment in arm.segments)
    title = f"arm from {arm.spring} to the {WAYS[arm.step]}"
    return Fact(f"arm {arm.spring} {arm.step}", on, title, tuple(lines), places=tuple(squares))


def _digs_on(position: Position) -> bool:
    """Checks whether the game goes on and canals are left."""
    return not position.is_over and position.canals_left > 0


def _by_player(houses: Houses) -> str:
    """Writes the players' houses.

    >>> _by_player((5, 0, 3)), _by_player((0, 0))
    ('5 of A, 3 of C', 'none')
    """
    owned = [f"{number} of {letter}" for letter, number in zip(LETTERS, houses, strict=False) if number]
    return ", ".join(owned) or "none"


def _tell_spring(graph: WaterGraph, point: str, arms: list[ArmPath]) -> Fact:
    """Says which arms a spring has, and marks the segments where another can start."""
    free = [(end, edge) for _, end, edge in graph.edges(point, data=True) if edge["room"] and not edge["canals"]]
    starts = [edge["segment"] for _, edge in free]
    lines = [f"{count(len(arms), 'arm')}, to the {' and the '.join(WAYS[a.step] for a in arms)}" if arms else "no arm"]
    if _digs_on(graph.position):
        ends = [str(end) for end, _ in free]
        lines.append(f"an arm can start towards {join(ends, 'or')}" if ends else "no further arm can start")
    return Fact(f"spring {point}", (f"spring={point}",), f"spring on {point}", tuple(lines), places=tuple(starts))


def _tell_region(position: Position, region: Region) -> Fact:
    """Says how full a region is, and marks the tiles that leave the game if it fills."""
    number = region.number
    squares = position.layout.regions[number - 1]
    lines = [f"{len(region.free)} of {len(squares)} squares free"]
    if region.dry:
        tiles = ", ".join(f"{tile} on {square}" for square, tile in region.dry.items())
        lines.append(f"without water, lost if it fills: {tiles}")
    on = (f"region={number}", f"number={number}", *_on_squares(position, squares))
    return Fact(f"region {number}", on, f"region {number}", tuple(lines), places=tuple(region.dry))


def _on_squares(position: Position, squares: Iterable[str]) -> Iterator[str]:
    """Names the pieces of the picture that cover squares of a region, events aside."""
    supply, tiles, mountains = position.supply, position.tiles, position.mountains
    for square in squares:
        if supply[square]:
            yield f"watered={square}={supply[square]}"
        if supply[square] > 1:
            yield f"supply={square}={supply[square]}"
        if square in tiles:
            yield f"tile={square}={tiles[square]}"
        if mountains.get(square) == "":
            yield f"mountain={square}"


def _tell_events(position: Position) -> Iterator[Fact]:
    """Says what each event does, as far as the position shows it, and marks the squares that it acts on."""
    layout, supply, tiles = position.layout, position.supply, position.tiles
    for square, event in position.mountains.items():
        if event:
            first = 4 * layout.square_index[square]
            beside = [layout.square_names[q] for q in layout.tables.around[first : first + 4] if q >= 0]
            near = [f"{tiles[q]} on {q} ({count(supply[q], 'canal')})" for q in beside if q in tiles]
            lines = (EVENT_NOTES[event], f"tiles beside it: {', '.join(near) or 'none'}")
            name = f"mountain {square}"
            yield Fact(name, (f"mountain={square}",), f"mountain on {square}", lines, places=tuple(beside))


# The sheet


def points(position: Position) -> tuple[int, ...]:
    """Gets the houses on each player's watered tiles."""
    return position.scores()


def sheet(position: Position) -> tuple[FactTable, ...]:
    """Collects the scores, the regions about to fill, and what is left to put on the board."""
    filling = position.graph().about_to_fill(FILLING)
    supplies = FactTable(
        "Supplies",
        ("", "left", "of"),
        (
            ("canals", str(position.canals_left), str(position.layout.canals)),
            ("springs", str(position.springs_left), str(position.layout.springs)),
        ),
    )
    return (_score(position), *([_fill(filling)] if filling else []), supplies)


def _score(position: Position) -> FactTable:
    scores, watered, tiles = position.scores(), position.watered_tiles(), list(position.tiles.values())
    rows: list[tuple[Cell, ...]] = []
    for player, letter in enumerate(LETTERS[: position.layout.players]):
        laid = sum(tile[0] == letter for tile in tiles)
        numbers = (scores[player], watered[player], laid - watered[player])
        name = Chip(player_name(player + 1), PLAYER_COLOURS[letter])
        hand = " ".join(f"{held}x{value}" for value, held in enumerate(position.hands[player], start=1) if held)
        rows.append(((name,), *map(str, numbers), hand or "-"))
    return FactTable("Score sheet", ("player", "points", "watered tiles", "dry tiles", "in hand"), tuple(rows))


def _fill(regions: Iterable[Region]) -> FactTable:
    rows = tuple(
        (str(region.number), ", ".join(region.free), _chips(region.dry.values()), _by_player(region.losses))
        for region in regions
    )
    return FactTable("Regions about to fill", ("region", "free squares", "dry tiles", "houses lost"), rows)


def _chips(tiles: Iterable[str]) -> tuple[Chip, ...]:
    return tuple(Chip(tile, PLAYER_COLOURS[tile[0]]) for tile in tiles)


def chips(layout: Layout, player: int) -> tuple[Chip, ...]:
    """Gets the sign of a player."""
    letter = LETTERS[player - 1]
    return (Chip(letter, PLAYER_COLOURS[letter]),)


# Traces


def trace(position: Position, turn: Turn | str) -> TurnTrace:
    """Shows a turn as arrows along its canals, as the water flows, and marks on its springs, canals and houses."""
    actions = Turn.read(turn)
    for action in actions:
        position = position.act(action)
    flow = dict(pair for arm in position.arms for pair in zip(arm.segments, pairwise(arm.points), strict=True))
    arrows = dict.fromkeys(flow[action.segment] for action in actions if action.segment)
    marks = dict.fromkeys(filter(None, (action.point or action.square or action.segment for action in actions)))
    return TurnTrace(tuple(arrows), tuple(marks))
