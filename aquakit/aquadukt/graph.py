"""The networkx model of the water: a readable second view beside the kernel's arrays.

Computed here, from the springs and canals that the position shows: arms, supply (section 4), and what can be laid where
(section 3, [Q3]); tests compare all of it with the kernel. Whatever answers a question about the game (gains, losses,
where a spring may stand and why not) asks the kernel, which alone knows the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

import networkx as nx

from aquakit.aquadukt import kernel
from aquakit.aquadukt.findings import Area, ArmId, ArmPath, Gain, Houses, Reach, Region, SpringSite, Watering
from aquakit.aquadukt.kernel import FREE, Work, X
from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.notation import STEPS, Action
from aquakit.aquadukt.position import Arm, Position
from aquakit.aquadukt.reasons import why_no_spring
from aquakit.aquadukt.segments import place, surroundings
from aquakit.core.grid import STEPS as VECTORS
from aquakit.core.options import read_whole
from aquakit.core.watergraph import OfPosition, look_up
from aquakit.errors import InvalidOption

FULL = 2
"""The most canals on a segment."""


class WaterGraph(OfPosition[Position], nx.Graph):
    """The points of a board as nodes, its segments as edges.

    A node is named like a point (3.5). It knows its place `pos`, whether it holds a `spring`, whether it is `free`
    (no spring, and no canal touches it) and the `arm` that passes or ends there, or none; a spring's own point
    belongs to no arm. An edge knows its name `segment`, its `canals` (0, 1 or 2), the same as `capacity`, which
    networkx's flows read, the `arm` it belongs to and its `order` there from 1, or none, and the squares it can
    water: `near` ones next to it, and `deep` ones behind those once it is double. Its `room` is the number of canals
    that could still be laid on it as the board stands: two at most in all, no more than on the segment before it,
    and no more than are left.

    >>> from aquakit.aquadukt.position import Position
    >>> graph = Position.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
    >>> graph.arm("3.5", "e").points
    ('3.5', '4.5', '4.6')
    """

    @classmethod
    def of(cls, position: Position) -> WaterGraph:
        """Builds the graph of a position's board.

        >>> import aquakit
        >>> WaterGraph.of(aquakit.start("aquadukt2")).number_of_nodes()
        113
        """
        graph = cls(position=position)
        graph._add_points()
        graph._add_segments()
        graph._mark_arms()
        graph._mark_room()
        return graph

    def _add_points(self) -> None:
        springs = self.position.springs
        for point in self.position.layout.point_index:
            spring = point in springs
            self.add_node(point, pos=place(point), spring=spring, free=not spring, arm=None)

    def _add_segments(self) -> None:
        canals = self.position.canals
        for segment, (a, b, near, deep) in surroundings(self.position.layout).items():
            count = canals.get(segment, 0)
            laid: dict[str, Any] = {"canals": count, "capacity": count, "room": 0, "arm": None, "order": None}
            self.add_edge(a, b, segment=segment, near=near, deep=deep, **laid)
            if count:
                self.nodes[a]["free"] = self.nodes[b]["free"] = False

    def _mark_arms(self) -> None:
        for arm in self.arms():
            for order, (a, b) in enumerate(pairwise(arm.points), start=1):
                self.edges[a, b].update(arm=arm.id, order=order)
                self.nodes[b]["arm"] = arm.id

    def _mark_room(self) -> None:
        """Notes the room where canals lie, at the arms' ends, and at springs with fewer than two arms [Q3]."""
        arms = self.arms()
        for arm in arms:
            before = FULL
            for edge in pairwise(arm.points):
                self._set_room(*edge, before - self.edges[edge]["canals"])
                before = self.edges[edge]["canals"]
            self._open(arm.end, before)
        for spring in self.position.springs:
            if sum(arm.spring == spring for arm in arms) < 2:
                self._open(spring, FULL)

    def _open(self, point: str, room: int) -> None:
        for other in self._free_beside(point):
            self._set_room(point, other, room)

    def _set_room(self, a: str, b: str, room: int) -> None:
        self.edges[a, b]["room"] = min(room, self._left)

    # Looking up

    @property
    def _left(self) -> int:
        """The canals that can still be laid: none once the game is over."""
        return 0 if self.position.is_over else self.position.canals_left

    @property
    def _segments(self) -> dict[str, tuple[str, str]]:
        """The ends of each segment, by its name."""
        return {name: (a, b) for a, b, name in self.edges(data="segment")}

    def _step(self, a: str, b: str) -> str:
        """Gets the direction from a point to its neighbour."""
        (ax, ay), (bx, by) = self.nodes[a]["pos"], self.nodes[b]["pos"]
        return STEPS[VECTORS.index((bx - ax, by - ay))]

    def _clockwise(self, point: str) -> list[str]:
        """Lists a point's neighbours, from the north."""
        return sorted(self[point], key=lambda other: STEPS.index(self._step(point, other)))

    def _free(self) -> list[str]:
        return [point for point, free in self.nodes(data="free") if free]

    def _free_beside(self, point: str) -> list[str]:
        return [other for other in self._clockwise(point) if self.nodes[other]["free"]]

    def _edges_of(self, points: Iterable[str]) -> Iterator[Mapping[str, Any]]:
        """Iterates over the edges of a path."""
        return (self.edges[edge] for edge in pairwise(points))

    def _area(self, squares: Iterable[str]) -> Area:
        found, supply = frozenset(squares), self.position.supply
        return Area(found, self._houses(q for q in found if not supply[q]))

    def _houses(self, squares: Iterable[str]) -> Houses:
        """Adds up the houses on squares, by owner."""
        tiles = self.position.tiles
        laid = [tiles[square] for square in squares if square in tiles]
        letters = LETTERS[: self.position.layout.players]
        return tuple(sum(int(tile[1]) for tile in laid if tile[0] == letter) for letter in letters)

    def _on(self, squares: Iterable[str]) -> dict[str, str]:
        """Gets the tiles on squares."""
        tiles = self.position.tiles
        return {square: tiles[square] for square in sorted(squares) if square in tiles}

    # Water

    def water(self) -> nx.Graph:
        """Gets the part of the graph where canals lie, and the springs: each component holds one spring.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
        >>> sorted(graph.water().nodes)
        ['3.5', '4.5', '4.6']
        """
        bare = [(a, b) for a, b, canals in self.edges(data="canals") if not canals]
        return nx.restricted_view(self, self._free(), bare)

    def arms(self) -> tuple[ArmPath, ...]:
        """Lists the arms by spring, two of one spring by first step in the order n e s w.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 3.5h").graph()
        >>> [(arm.id, arm.canals, arm.doubles, arm.singles) for arm in graph.arms()]
        [(('3.5', 'e'), 2, 1, 0)]
        """
        water = self.water()
        return tuple(
            self._follow(water, spring, first)
            for spring in self.position.springs
            for first in self._clockwise(spring)
            if first in water[spring]
        )

    def _follow(self, water: nx.Graph, spring: str, first: str) -> ArmPath:
        outwards = nx.restricted_view(water, [spring], [])
        points = (spring, *nx.dfs_preorder_nodes(outwards, first))
        edges = list(self._edges_of(points))
        segments = tuple(edge["segment"] for edge in edges)
        doubles = sum(edge["canals"] == FULL for edge in edges)
        return ArmPath(spring, self._step(spring, first), points, segments, doubles)

    def arm(self, spring: str, step: str) -> ArmPath:
        """Gets an arm by its spring's point and its first step, n e s or w.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
        >>> graph.arm("3.5", "e").end
        '4.6'
        """
        return look_up("arm", (spring, step), {arm.id: arm for arm in self.arms()}, self.position.layout.name)

    def _find(self, arm: ArmId | ArmPath | Arm) -> ArmPath:
        """Gets an arm given by its name, or as this graph or a position shows it."""
        if isinstance(arm, ArmPath):
            arm = arm.id
        elif isinstance(arm, Arm):
            arm = (arm.spring, arm.steps[0].lower())
        if not (isinstance(arm, tuple) and len(arm) == 2):
            raise InvalidOption("arm", repr(arm), "a spring's point and a first step, such as ('3.5', 'n')")
        return self.arm(*arm)

    def supply(self) -> dict[str, int]:
        """Counts the canals that feed each square, as section 4 has it [Q4] [Q5].

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 3.5h").graph()
        >>> {square: count for square, count in graph.supply().items() if count}
        {'d6': 2, 'd7': 1, 'd4': 1, 'd5': 2}
        """
        fed = _fed(edge for _, _, edge in self.edges(data=True))
        return {square: fed[square] for region in self.position.layout.regions for square in region}

    def waters(self, arm: ArmId | ArmPath | Arm) -> Watering:
        """Finds the squares that an arm feeds, how much it contributes to each, and whose houses stand there.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
        >>> dict(graph.waters(("3.5", "e")).squares)
        {'d5': 1, 'd6': 2, 'e6': 1}
        """
        return self._watering(self._find(arm))

    def waterings(self) -> tuple[Watering, ...]:
        """Lists what each arm waters, in the order of `arms`.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
        >>> [(watering.arm, len(watering.squares)) for watering in graph.waterings()]
        [(('3.5', 'e'), 3)]
        """
        return tuple(map(self._watering, self.arms()))

    def _watering(self, path: ArmPath) -> Watering:
        squares = dict(sorted(_fed(self._edges_of(path.points)).items()))
        return Watering(path.id, squares, self._on(squares), self._houses(squares))

    def watered_by(self, square: str) -> dict[ArmId, int]:
        """Finds the arms that feed a square, each with the number of canals it contributes.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 4.5v").graph()
        >>> graph.watered_by("d6")
        {('3.5', 'e'): 2}
        """
        look_up("square", square, self.position.supply, self.position.layout.name, "a square of the board, like e4")
        fed = {arm.id: _fed(self._edges_of(arm.points))[square] for arm in self.arms()}
        return {arm: count for arm, count in fed.items() if count}

    # Canals not yet laid

    def layable(self) -> dict[str, str]:
        """Lists the segments on which a canal could be laid, each as a start, an extension or a doubling [Q3].

        This is read off the board; `gains` asks the rules what may be laid now.

        >>> import aquakit
        >>> aquakit.start("aquadukt2").play("spring 3.5").graph().layable()
        {'3.4v': 'start', '2.5h': 'start', '3.5h': 'start', '3.5v': 'start'}
        """
        return {edge["segment"]: self._way(a, b) for a, b, edge in self.edges(data=True) if edge["room"]}

    def _way(self, a: str, b: str) -> str:
        if self.edges[a, b]["canals"]:
            return "double"
        return "start" if self.nodes[a]["spring"] or self.nodes[b]["spring"] else "extend"

    def gain(self, segment: str) -> Gain:
        """Says what one more canal on a segment would water, and what that would be worth to each player.

        An error with the reason is raised if it cannot be laid now.

        >>> import aquakit
        >>> gain = aquakit.start("aquadukt2", seed=1).play("spring 3.5").graph().gain("3.5h")
        >>> gain.way, sorted(gain.squares), gain.points, gain.advantage
        ('start', ['d5', 'd6'], (0, 0), 0)
        """
        before = self.position
        ends = look_up("segment", segment, self._segments, before.layout.name, "a segment of the board, like 3.5h")
        after = before.act(Action("canal", segment=segment))
        supply = before.supply
        squares = frozenset(q for q, count in after.supply.items() if count and not supply[q])
        points = tuple(now - was for was, now in zip(before.scores(), after.scores(), strict=True))
        mover, tiles = before.mover or 0, self._on(squares)
        return Gain(segment, self._way(*ends), self._arm_at(*ends), mover, squares, tiles, points)

    def _arm_at(self, a: str, b: str) -> ArmId:
        """Gets the arm that a segment with room belongs to, or would."""
        for start, other in ((a, b), (b, a)):
            if self.nodes[start]["spring"]:
                return start, self._step(start, other)
        known: ArmId = self.nodes[a]["arm"] or self.nodes[b]["arm"]
        return known

    def gains(self) -> tuple[Gain, ...]:
        """Lists what each canal that is legal now would water, the mover's greatest advantage first.

        >>> import aquakit
        >>> [gain.segment for gain in aquakit.start("aquadukt2").play("spring 3.5").graph().gains()]
        ['3.5v', '3.5h', '3.4v', '2.5h']
        """
        found = [self.gain(action.segment) for action in self.position.actions() if action.what == "canal"]
        return tuple(sorted(found, key=lambda gain: (-gain.advantage, -gain.points[gain.mover - 1])))

    # Reach

    def reach(self, arm: ArmId | ArmPath | Arm) -> Reach:
        """Finds where an arm can still go, and bounds the segments it can gain.

        It goes through free points only, and no farther than there are canals left. The bound is the number of such
        points, or of canals left if that is smaller. A segment is doubled only after all before it, so what doubling
        can water is limited by the canals left too. All of it holds for every future of the game.

        >>> import aquakit
        >>> p = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]).play("spring 3.2").play("canal 3.2v, stop")
        >>> reach = p.graph().reach(("3.2", "n"))
        >>> len(reach.points), reach.steps
        (37, 11)
        """
        path, left = self._find(arm), self._left
        open_points = self.subgraph([path.end, *self._free()])
        away = nx.single_source_shortest_path_length(open_points, path.end, cutoff=left)
        beside, deep = set(), self._doubled(path)
        for a, b, edge in open_points.subgraph(away).edges(data=True):
            steps = 1 + min(away[a], away[b])
            if steps <= left:
                beside.update(edge["near"])
            if path.singles + 2 * steps <= left:
                deep.update(edge["deep"])
        points = frozenset(away) - {path.end}
        return Reach(path.id, points, min(len(points), left), self._area(beside), self._area(deep - beside))

    def _doubled(self, path: ArmPath) -> set[str]:
        """Finds the squares behind an arm's single segments that the canals left are enough to double."""
        singles = islice(self._edges_of(path.points), path.doubles, path.doubles + self._left)
        return {square for edge in singles for square in edge["deep"]}

    # Springs

    def spring_sites(self) -> tuple[SpringSite, ...]:
        """Lists the points where a spring may stand, as the next to be placed, and what it could water at first.

        >>> import aquakit
        >>> site = aquakit.start("aquadukt2").graph().spring_sites()[0]
        >>> site.point, site.ways, sorted(site.one.squares)
        ('1.0', 'ne', ['b1'])
        """
        return tuple(map(self._site, self._sites()))

    def _site(self, point: str) -> SpringSite:
        left, ways = self._left, self._free_beside(point)
        one: set[str] = {square for first in ways for square in self.edges[point, first]["near"]} if left else set()
        two = set(one)
        for first in ways if left > 1 else ():
            two.update(self.edges[point, first]["deep"])
            for second in self._free_beside(first):
                two.update(self.edges[first, second]["near"])
        return SpringSite(point, "".join(self._step(point, way) for way in ways), self._area(one), self._area(two))

    def why_not_spring(self, point: str) -> str:
        """Says why no spring may stand on a point; nothing if one may.

        >>> import aquakit
        >>> graph = aquakit.start("aquadukt2").play("spring 3.5").graph()
        >>> graph.why_not_spring("4.6"), graph.why_not_spring("9.5")
        ('4.6 is 2 steps from the spring on 3.5, fewer than 5 [Q2]', '')
        """
        position = self.position
        look_up("point", point, self.nodes, position.layout.name, "a point of the board, like 3.5")
        if position.is_over:
            return "the game is over"
        if point in self._sites():
            return ""
        return why_no_spring(position.layout, position._state, Action("spring", point=point))

    def _sites(self) -> list[str]:
        """Asks the kernel where a spring may stand, whatever is to be decided now."""
        layout, s = self.position.layout, self.position._state
        w = Work.new(layout.sizes)
        count = 0 if self.position.is_over else kernel.springs(layout.tables, s, w, 0)
        return [layout.point_names[code >> X] for code in w.actions[:count]]

    # Regions

    def regions(self) -> tuple[Region, ...]:
        """Lists the regions with their free squares, their tiles, and who loses what if one fills now.

        >>> import aquakit
        >>> region = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]).graph().regions()[0]
        >>> region.number, region.free
        (1, ('a4', 'b4', 'b5'))
        """
        return tuple(self._region(number) for number in range(1, len(self.position.layout.regions) + 1))

    def _region(self, number: int) -> Region:
        position = self.position
        layout, s = position.layout, position._state.copy()
        kernel.remove_dry_tiles(layout.tables, s, number - 1)
        squares = layout.regions[number - 1]
        tiles = self._on(squares)
        taken = {*tiles, *position.mountains}
        free = tuple(square for square in squares if square not in taken)
        dry = {square: tile for square, tile in tiles.items() if s.tile[layout.square_index[square]] == FREE}
        return Region(number, free, tiles, dry, self._houses(dry))

    def about_to_fill(self, free: int = 1) -> tuple[Region, ...]:
        """Finds the regions with tiles to lose and at most a number of free squares, the fullest first.

        >>> import aquakit
        >>> p = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("roll, die 1, 3 b5, roll, die 1, 1 a4, stop")
        >>> [(region.number, region.dry, region.losses) for region in p.graph().about_to_fill()]
        [(1, {'a4': 'A1', 'b5': 'A3'}, (4, 0))]
        """
        read_whole("free", free, least=1, most=len(self.position.layout.region))
        found = [region for region in self.regions() if region.dry and 1 <= len(region.free) <= free]
        return tuple(sorted(found, key=lambda region: len(region.free)))


def _fed(edges: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Counts what segments contribute to each square's supply [Q5]: their canals nearby, 1 behind a double."""
    fed: Counter[str] = Counter()
    for edge in edges:
        for square in edge["near"] if edge["canals"] else ():
            fed[square] += edge["canals"]
        fed.update(edge["deep"] if edge["canals"] == FULL else ())
    return fed
