"""Says what a turn of Aquädukt does: water, houses, regions, arms and events, each with its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from aquakit.aquadukt.board.facts import WAYS
from aquakit.aquadukt.findings import Houses, Region
from aquakit.aquadukt.graph import WaterGraph
from aquakit.aquadukt.kernel import IDLE_ROUNDS
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.notation import Turn
from aquakit.aquadukt.position import Position
from aquakit.board.claims import Claim
from aquakit.board.tales import BaseTale, TurnStep, tell_all, tell_totals
from aquakit.core.words import count, join

FEW_CANALS = 4
"""With so many canals left the end of the game is near."""
TWICE = 2
"""The supply at which events treat a tile as watered twice [Q5]."""


class Tale(BaseTale[Position]):
    """A turn with all that is asked about it."""

    @cached_property
    def start(self) -> WaterGraph:
        """The water before the turn."""
        return self.before.graph()  # type: ignore[no-any-return]

    @cached_property
    def end(self) -> WaterGraph:
        """The water after it."""
        return self.after.graph()  # type: ignore[no-any-return]

    def first_water(self) -> list[str]:
        """Lists the squares that got their first water."""
        before = self.before.supply
        return [square for square, canals in self.after.supply.items() if canals and not before[square]]

    def by_player(self, houses: Houses, *, every: bool = False) -> str:
        """Writes the players' houses, those of the mover first."""
        order = sorted(range(len(houses)), key=lambda p: (p + 1 - self.me) % len(houses))
        told = [p for p in order if houses[p] or every]
        if not told:
            return "no houses"
        first, *rest = told
        return join(
            [f"{count(houses[first], 'house')} of {LETTERS[first]}", *(f"{houses[p]} of {LETTERS[p]}" for p in rest)]
        )


# What the engine asks


def name(layout: Layout, player: int) -> str:
    """Names a player by letter."""
    return LETTERS[player - 1]


def standing(position: Position, last: int | None = None) -> tuple[int, ...]:
    """Gets each player's points if play stopped now, whoever moved last."""
    return position.scores()


def why(before: Position, turn: Turn, after: Position) -> list[Claim]:
    """Lists what a turn does, the weightiest first."""
    return tell_all(
        Tale(before, turn, after),
        _tell_end,
        _tell_fillings,
        _tell_water,
        _tell_houses,
        _tell_events,
        _tell_springs,
        _tell_arms,
        _tell_regions,
        _tell_roll,
        _tell_canals,
        _tell_idle,
    )


# The end


def _tell_end(tale: Tale) -> Iterator[Claim]:
    if tale.after.is_over:
        yield tell_totals(LETTERS[: tale.layout.players], tale.after.scores())


def _tell_canals(tale: Tale) -> Iterator[Claim]:
    left = tale.after.canals_left
    if not tale.made("canal") or left > FEW_CANALS or tale.after.is_over:
        return
    if left:
        yield Claim("canals", f"Leaves {count(left, 'canal')}, and the last one brings the last round", (left,))
    else:
        yield Claim("canals", "Lays the last canal, 0 left: the round is the last one", (0,))


def _tell_idle(tale: Tale) -> Iterator[Claim]:
    if not tale.after.is_over and tale.after.idle > tale.before.idle:
        most = IDLE_ROUNDS * tale.layout.players
        text = f"Puts nothing on the board: idle count {tale.after.idle}, and the game ends at {most}"
        yield Claim("idle", text, (tale.after.idle, most))


# Water


def _tell_water(tale: Tale) -> Iterator[Claim]:
    """Says whose houses get their first water, and how much free ground."""
    wet, tiles = tale.first_water(), tale.before.tiles
    found = [square for square in wet if square in tiles]
    if found:
        houses = add_up(tale.layout, [tiles[square] for square in found])
        text = f"Brings water to {count(len(found), 'tile')}: {tale.by_player(houses)}"
        yield Claim("water", text, (len(found), *houses))
    free = [square for square in wet if square not in tiles and square not in tale.before.mountains]
    if free:
        text = f"Brings water to {count(len(free), 'free square')}, now only for a player's lowest tiles"
        yield Claim("ground", text, (len(free),))


def add_up(layout: Layout, tiles: Iterable[str]) -> Houses:
    """Adds up the houses on tiles, by owner."""
    laid = list(tiles)
    return tuple(sum(int(t[1]) for t in laid if t[0] == letter) for letter in LETTERS[: layout.players])


def _tell_events(tale: Tale) -> Iterator[Claim]:
    """Says what events mean for tiles beside them that were put there, or whose water grew, in this turn."""
    supply, was, known = tale.after.supply, tale.before.supply, tale.before.tiles
    for square, tile in tale.after.tiles.items():
        events = _events_beside(tale, square)
        if events and supply[square] and (square not in known or was[square] < min(TWICE, supply[square])):
            effects = list(_tell_effects(events, twice=supply[square] >= TWICE))
            if effects:
                text = f"{tile} on {square} has {count(supply[square], 'canal')}: {join(effects)}"
                yield Claim("event", text, (supply[square],))


def _events_beside(tale: Tale, square: str) -> str:
    layout = tale.layout
    first = 4 * layout.square_index[square]
    beside = {layout.square_names[q] for q in layout.tables.around[first : first + 4] if q >= 0}
    return "".join(event for mountain, event in tale.after.mountains.items() if mountain in beside)


def _tell_effects(events: str, *, twice: bool) -> Iterator[str]:
    """Says what the events beside a tile mean for it, whether watered twice or once."""
    if not twice:
        if "f" in events:
            yield "0 points beside a foul mountain"
        return
    if minerals := events.count("m"):
        yield f"{2 * minerals} points more beside {count(minerals, 'mineral mountain')}"
    if "f" in events:
        yield "safe from the foul mountain beside it"
    if "?" in events:
        yield "2 points more if a hidden event beside it is mineral, and safe if it is foul"


# Houses and regions


def _tell_houses(tale: Tale) -> Iterator[Claim]:
    for step in tale.made("house"):
        square, value = step.action.square, step.action.value
        canals, region = step.before.supply[square], _region_of(step.before, square)
        what = f"Puts {count(value, 'house')} on {square}"
        if canals:
            yield Claim("house", f"{what}, which has {count(canals, 'canal')}", (value, canals))
        elif len(region.free) == 2:  # what the last free square means is told with the region
            yield Claim("house", f"{what}, without water", (value,))
        elif len(region.free) > 2:
            left = len(region.free) - 1
            yield Claim(
                "house",
                f"{what}, without water, and leaves {left} free squares in region {region.number}",
                (value, left),
            )
    if tale.made("decline") and tale.after.idle <= tale.before.idle:
        yield Claim("house", f"Puts nothing in region {tale.before.die}", (tale.before.die or 0,))


def _region_of(position: Position, square: str) -> Region:
    number = next(n for n, squares in enumerate(position.layout.regions) if square in squares)
    graph: WaterGraph = position.graph()
    return graph.regions()[number]


def _tell_fillings(tale: Tale) -> Iterator[Claim]:
    """Says which tiles leave the game because a region is full."""
    for step in tale.made("house"):
        region = _region_of(step.before, step.action.square)
        if len(region.free) == 1:
            yield _tell_filling(tale, step, region)


def drive_out(tale: Tale, step: TurnStep[Position]) -> dict[str, str]:
    """Gets the tiles that leave the game because a house tile fills its region."""
    square, before = step.action.square, step.before
    squares = next(squares for squares in tale.layout.regions if square in squares)
    if any(other not in before.tiles and other not in before.mountains for other in squares if other != square):
        return {}
    own = {} if before.supply[square] else {square: f"{LETTERS[tale.me - 1]}{step.action.value}"}
    return {**_region_of(before, square).dry, **own}


def _tell_filling(tale: Tale, step: TurnStep[Position], region: Region) -> Claim:
    lost = drive_out(tale, step)
    if not lost:
        return Claim("region", f"Fills region {region.number}: 0 tiles are lost, all have water", (0,))
    houses = add_up(tale.layout, lost.values())
    text = f"Fills region {region.number}: {count(len(lost), 'tile')} without water lost, {tale.by_player(houses)}"
    return Claim("region", text, (len(lost), *houses))


def _tell_regions(tale: Tale) -> Iterator[Claim]:
    """Says which regions the turn left with one free square and tiles to lose."""
    before = {region.number: region for region in tale.start.about_to_fill()}
    for region in () if tale.after.is_over else tale.end.about_to_fill():
        if region.number not in before:
            houses = tale.by_player(region.losses)
            text = f"Region {region.number} has 1 free square left: {houses} would be lost if it filled now"
            yield Claim("region", text, (1, *region.losses))


def _tell_roll(tale: Tale) -> Iterator[Claim]:
    """Says what the die can bring: houses that score at once, and regions that a house fills."""
    if not tale.after.is_chance:
        return
    supply, regions = tale.after.supply, [region for region in tale.end.regions() if region.free]
    wet = sum(any(supply[square] for square in region.free) for region in regions)
    full = sum(len(region.free) == 1 for region in regions)
    ways = f"{len(regions)} regions have a free square, {wet} a watered one, {full} would be filled by a house"
    yield Claim("roll", f"Rolls the die: {ways}", (len(regions), wet, full))


# Springs and arms


def _tell_springs(tale: Tale) -> Iterator[Claim]:
    """Says what the first two canals from a new spring could water."""
    sites = {site.point: site for site in tale.start.spring_sites()} if tale.made("spring") else {}
    for step in tale.made("spring"):
        houses = sites[step.action.point].two.houses
        text = f"Two canals from {step.action.point} come near {tale.by_player(houses, every=True)} without water"
        yield Claim("spring", text, houses)


def _tell_arms(tale: Tale) -> Iterator[Claim]:
    """Says which arms can go no further, and could before or were led there."""
    if tale.after.is_over or not tale.after.canals_left:
        return
    before, after = _reaches(tale.start), _reaches(tale.end)
    for arm, points in after.items():
        was = before.get(arm)
        if points == 0 and was != 0:
            spring, step = arm
            text = f"The arm from {spring} to the {WAYS[step]} can go no further: 0 points in reach"
            yield Claim("arm", text if was is None else f"{text}, {was} before", (0,) if was is None else (0, was))


def _reaches(graph: WaterGraph) -> Mapping[tuple[str, str], int]:
    return {arm.id: len(graph.reach(arm).points) for arm in graph.arms()}
