"""The networkx model of connectivity: a readable second view beside the kernel's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import networkx as nx

from aquakit.core.grid import SIDES, STEPS
from aquakit.core.watergraph import OfPosition, look_up
from aquakit.errors import InvalidOption
from aquakit.romana import kernel
from aquakit.romana.findings import (
    AnyPath,
    AqueductPath,
    Closer,
    Exit,
    Joining,
    LooseEnd,
    LoosePath,
    NewSegment,
    Prospect,
    Reach,
    Touch,
)
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, SEGMENTS, State, Work
from aquakit.romana.layout import Layout, Outlet
from aquakit.romana.notation import decode
from aquakit.romana.position import Position

EMPTY, RESERVOIR = CODES[kernel.EMPTY], CODES[kernel.RESERVOIR]
LINKS = {
    tile: tuple((SIDES[a], SIDES[b]) for a, b in segments)
    for tile, segments in zip(CODES, SEGMENTS, strict=True)
    if segments
}
"""The pairs of sides that each tile joins, by its code."""
TILES_OF = {
    letter: "".join(tile for tile, kind in zip(CODES, KIND_OF, strict=True) if kind == number)
    for number, letter in enumerate(KINDS[: kernel.JOKER])
}
"""The codes of each kind of tile."""


class WaterGraph(OfPosition[Position], nx.Graph):
    """The grid edges of a board as nodes, the segments of its tiles as edges.

    A node is named by a square and a side, an inner one by its southern or western square (e5N, e5E). It
    knows its midpoint `pos` (a1's centre is 0.5, 0.5), its names `sides`, its `squares`, and the aqueduct
    whose `outlet` it is, or none. An edge knows its `square`, its `tile`, the `aqueduct` that runs through
    it, or none, and whether it is `loose`. `graph.graph` holds the position, the board and the names of the
    open aqueducts.

    >>> from aquakit.romana.position import Position
    >>> graph = Position.start("romana4").play("c7=L@Nc x-").graph()
    >>> graph.path("R2").squares, graph.path("R2").facing
    (('c7',), 'd7')
    """

    @classmethod
    def of(cls, position: Position) -> WaterGraph:
        """Builds the graph of a position's board.

        >>> import aquakit
        >>> WaterGraph.of(aquakit.start("romana2-5x4")).number_of_edges()
        4
        """
        open_ones = frozenset(a.name for a in position.aqueducts if a.open)
        graph = cls(position=position, board=_board(position), open=open_ones)
        graph._add_grid_edges()
        graph._add_segments()
        graph._mark_aqueducts()
        return graph

    def _add_grid_edges(self) -> None:
        layout = self.position.layout
        for square, name in enumerate(layout.square_names):
            column, row = square % layout.columns, square // layout.columns
            for side, (dx, dy) in zip(SIDES, STEPS, strict=True):
                sides = _names(layout, name, side)
                squares = tuple(known[:-1] for known in sides)
                pos = (column + 0.5 + dx / 2, row + 0.5 + dy / 2)
                self.add_node(sides[0], pos=pos, sides=sides, squares=squares, outlet=None)

    def _add_segments(self) -> None:
        for square, tile in self.position.tiles.items():
            for a, b in LINKS[tile]:
                ends = self._node_at(square, a), self._node_at(square, b)
                self.add_edge(*ends, square=square, tile=tile, aqueduct=None, loose=True)

    def _mark_aqueducts(self) -> None:
        for outlet in self.position.layout.outlets:
            nodes = self.path(outlet.name).nodes
            self.nodes[nodes[0]]["outlet"] = outlet.name
            for edge in pairwise(nodes):
                self.edges[edge].update(aqueduct=outlet.name, loose=False)

    # Looking up

    def _node_at(self, square: str, side: str) -> str:
        return _names(self.position.layout, square, side)[0]

    def _outlet(self, aqueduct: str) -> Outlet:
        layout = self.position.layout
        return layout.outlets[look_up("aqueduct", aqueduct, layout.aqueduct_index, layout.name)]

    def _is_empty(self, square: str | None) -> bool:
        return square is not None and self.graph["board"][square] == EMPTY

    def _across(self, node: str, square: str) -> str | None:
        """Gets the square across a grid edge, or none at the rim."""
        return next((other for other in self.nodes[node]["squares"] if other != square), None)

    def _check_empty(self, square: str) -> None:
        layout = self.position.layout
        look_up("square", square, layout.square_index, layout.name, f"a1 … {layout.square_names[-1]}")
        if not self._is_empty(square):
            raise InvalidOption("square", f"{square} holds {self.graph['board'][square]}", "an empty square")

    # Paths

    def path(self, aqueduct: str) -> AqueductPath:
        """Follows an aqueduct from its outlet to its end.

        >>> import aquakit
        >>> path = aquakit.start("romana4").play("c7=L@Nc").graph().path("R2")
        >>> path.length, path.end, path.facing
        (1, 'c7', 'd7')
        """
        outlet = self._outlet(aqueduct)
        reservoir = self.position.layout.square_names[outlet.square]
        nodes = tuple(nx.dfs_preorder_nodes(self, self._node_at(reservoir, SIDES[outlet.side])))
        squares = self._passed(nodes)
        end = (reservoir, *squares)[-1]
        is_open = aqueduct in self.graph["open"]
        return AqueductPath(aqueduct, is_open, nodes, squares, end, self._across(nodes[-1], end))

    def _passed(self, nodes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.edges[edge]["square"] for edge in pairwise(nodes))

    def loose_paths(self) -> tuple[LoosePath, ...]:
        """Lists the paths that no outlet reaches, from the west.

        >>> import aquakit
        >>> [path.squares for path in aquakit.start("romana4").graph().loose_paths()]
        [('a1',), ('a8',), ('k1',), ('k8',)]
        """
        parts = nx.connected_components(self)
        paths = (self._loose_path(part) for part in parts if len(part) > 1 and not self._supplier(part))
        return tuple(sorted(paths, key=lambda path: self.nodes[path.nodes[0]]["pos"]))

    def _supplier(self, part: set[str]) -> str | None:
        """Gets the aqueduct that a part of the graph belongs to."""
        return next((name for node in part if (name := self.nodes[node]["outlet"])), None)

    def _loose_path(self, part: set[str]) -> LoosePath:
        tips = [node for node in part if self.degree(node) == 1]
        start = min(tips or part, key=self.nodes.data("pos").__getitem__)
        nodes = tuple(nx.dfs_preorder_nodes(self, start))
        if not tips:
            return LoosePath(nodes, self._passed((*nodes, start)), ())
        squares = self._passed(nodes)
        ends = self._loose_end(nodes[0], squares[0]), self._loose_end(nodes[-1], squares[-1])
        return LoosePath(nodes, squares, ends)

    def _loose_end(self, node: str, square: str) -> LooseEnd:
        facing = self._across(node, square)
        return LooseEnd(node, square, facing, self._is_empty(facing))

    def _path_at(self, node: str) -> AnyPath:
        """Gets the path that ends at a grid edge."""
        part = nx.node_connected_component(self, node)
        if aqueduct := self._supplier(part):
            return self.path(aqueduct)
        return self._loose_path(part) if len(part) > 1 else None

    def touching(self, loose: LoosePath) -> tuple[Touch, ...]:
        """Lists what meets a loose path: at each free end the faced square and the aqueducts that end there.

        The codes that connect them fit [R3], have a port at this end and make the path part of the aqueduct.

        >>> import aquakit
        >>> graph = aquakit.start("romana4").graph()
        >>> [(touch.square, dict(touch.aqueducts)) for touch in graph.touching(graph.loose_paths()[1])]
        [('a7', {}), ('b8', {'R1': '-+'})]
        """
        if loose not in self.loose_paths():
            raise InvalidOption("loose", "is no loose path of this board", "one of loose_paths()")
        met = ((end.node, end.facing) for end in loose.ends if end.free)
        return tuple(self._touch(loose, node, square) for node, square in met if square)

    def _touch(self, loose: LoosePath, node: str, square: str) -> Touch:
        side = self._side(square, node)
        joinings = [joining for joining in self.joins(square) if side in _ports(joining.tile)]
        aqueducts = [path.name for path in self._ends(square).values() if isinstance(path, AqueductPath)]
        codes = {a: "".join(j.tile for j in joinings if loose in j.taken.get(a, ())) for a in aqueducts}
        return Touch(node, square, codes)

    # Tiles not yet laid

    def joins(self, square: str) -> tuple[Joining, ...]:
        """Lists for each tile code what it would join on an empty square, whoever could lay it.

        >>> import aquakit
        >>> joining = aquakit.start("romana4").graph().joins("b8")[1]
        >>> joining.tile, joining.allowed, dict(joining.lengths)
        ('-', True, {'R1': 2})
        """
        self._check_empty(square)
        ends = self._ends(square)
        return tuple(self._joining(square, tile, ends) for tile in LINKS)

    def joining_squares(self, kind: str) -> dict[str, str]:
        """Finds the empty squares where a tile of a kind (c, s, b, d) would join something, with its codes.

        A code counts if it fits [R3] and one of its segments joins a loose path to an aqueduct or to another
        loose path. Whether anyone could lay it does not matter.

        >>> import aquakit
        >>> aquakit.start("romana4").graph().joining_squares("s")
        {'b1': '-', 'j1': '-', 'b8': '-', 'j8': '-'}
        """
        if kind not in TILES_OF:
            raise InvalidOption("kind", f"there is no {kind!r}", f"one of {', '.join(TILES_OF)}")
        found = {}
        for square in filter(self._is_empty, self.position.layout.square_names):
            ends = self._ends(square)
            joinings = [self._joining(square, tile, ends) for tile in TILES_OF[kind]]
            if codes := "".join(joining.tile for joining in joinings if _joins_something(joining)):
                found[square] = codes
        return found

    def _side(self, square: str, node: str) -> str:
        """Gets the side of a square at which a grid edge lies."""
        names: tuple[str, ...] = self.nodes[node]["sides"]
        return next(name[-1] for name in names if name[:-1] == square)

    def _ends(self, square: str) -> dict[str, AnyPath]:
        """Gets the path that ends at each side of an empty square."""
        return {side: self._path_at(self._node_at(square, side)) for side in SIDES}

    def _joining(self, square: str, tile: str, ends: Mapping[str, AnyPath]) -> Joining:
        shown = {side: path.name if isinstance(path, AqueductPath) else path for side, path in ends.items()}
        links = tuple(NewSegment((a, b), (shown[a], shown[b])) for a, b in LINKS[tile])
        if not self._fits(square, tile):
            return Joining(tile, False, links, {}, {})
        trial = self._trial(square, tile, ends)
        lengths, taken = {}, {}
        for side in _ports(tile):
            if isinstance(path := ends[side], AqueductPath):
                part = trial.subgraph(nx.node_connected_component(trial, path.nodes[0]))
                steps = [step for _, _, step in part.edges(data=True)]
                lengths[path.name] = sum(step["length"] for step in steps)
                taken[path.name] = tuple(s["path"] for s in steps if isinstance(s["path"], LoosePath))
        return Joining(tile, True, links, lengths, taken)

    def _trial(self, square: str, tile: str, ends: Mapping[str, AnyPath]) -> nx.MultiGraph:
        """Lays a tile on a small graph in which each path at the square is shrunk to one edge."""
        trial = nx.MultiGraph()
        for path in ends.values():
            if path is not None:
                trial.add_edge(path.nodes[0], path.nodes[-1], path.nodes, path=path, length=path.length)
        for a, b in LINKS[tile]:
            trial.add_edge(self._node_at(square, a), self._node_at(square, b), path=None, length=1)
        return trial

    # Walls

    def walls(self) -> tuple[Prospect, ...]:
        """Looks where each open aqueduct can still go, and which single tile would wall it in.

        A way out is a side of the faced empty square by which some tile that fits [R3] leads the aqueduct on,
        along loose paths too, to an end that is not walled in; stock and builders do not matter. A closer is
        an extension that a player would have if it were their turn now, with stock and builders as they are,
        and that leaves the aqueduct walled in; in a study only its player lays tiles [S1]. Extra tiles wall
        in nobody, since they lie before no end [R6].

        >>> import aquakit
        >>> look = aquakit.start("romana4").graph().walls()[0]
        >>> look.aqueduct, look.facing, look.ways_out, look.walled_in
        ('R1', 'b8', 'SW', False)
        """
        closers = self._closers()
        outlets = self.position.layout.outlets
        return tuple(self._outlook(outlet, closers) for outlet in outlets if outlet.name in self.graph["open"])

    def _outlook(self, outlet: Outlet, closers: Mapping[Closer, frozenset[str]]) -> Prospect:
        name, facing = outlet.name, self.path(outlet.name).facing
        shutters = tuple(sorted(closer for closer, shut in closers.items() if name in shut))
        return Prospect(name, outlet.owner, facing, name in self._walled(), self._exits(name), shutters)

    def about_to_be_walled_in(self) -> tuple[Prospect, ...]:
        """Finds the open aqueducts with at most one way out, or that another player could wall in at once.

        Those with the fewest ways out come first; one that is walled in already closes with the next tile.

        >>> import aquakit
        >>> p = aquakit.parse("romana2-5x4 F##+7/.|.../.J.FZ/L+##J ..cs./.b.d/..c.s/.bd. dj -,- *.*,*.* 2.3.1.2 1 0")
        >>> [(look.aqueduct, look.ways_out) for look in p.graph().about_to_be_walled_in()]
        [('R1', 'N'), ('R2', 'W'), ('G1', 'W'), ('G2', 'N')]
        """
        found = [look for look in self.walls() if len(look.ways_out) <= 1 or look.threats]
        return tuple(sorted(found, key=lambda look: len(look.ways_out)))

    def _exits(self, aqueduct: str) -> tuple[Exit, ...]:
        path = self.path(aqueduct)
        square = path.facing
        if square is None or not self._is_empty(square):
            return ()
        entry = self._side(square, path.end_node)
        made = []
        for side in SIDES.replace(entry, ""):
            tiles = [t for t in LINKS if {entry, side} in map(set, LINKS[t]) and self._fits(square, t)]
            onward = [t for t in tiles if aqueduct not in self._walled_after(square, t)]
            made.append(Exit(side, *self._beyond(square, side), "".join(tiles), "".join(onward)))
        return tuple(made)

    def _beyond(self, square: str, side: str) -> tuple[str, str | LoosePath | None]:
        """Says what lies across a side of an empty square."""
        node = self._node_at(square, side)
        other = self._across(node, square)
        if other is None:
            return "rim", None
        if self._is_empty(other):
            return "empty", other
        match self._path_at(node):
            case AqueductPath(name=name):
                return "aqueduct", name
            case LoosePath() as loose:
                return "loose", loose
            case _:
                return "wall", other

    def _closers(self) -> dict[Closer, frozenset[str]]:
        """Finds the extensions that wall in aqueducts, each with those it newly walls in."""
        position, found = self.position, {}
        players = [position.mover] if position.is_solo else range(1, len(position.layout.players) + 1)
        for player in filter(None, players):
            for square, tile in self._extensions(player):
                if shut := self._walled_after(square, tile) - self._walled():
                    found[Closer(player, square, tile)] = shut
        return found

    # Questions to the kernel, which alone knows the rules

    def _fits(self, square: str, tile: str) -> bool:
        layout = self.position.layout
        return kernel.fits(layout.tables, self.position._state, layout.square_index[square], CODES.index(tile))

    def _walled_after(self, square: str, tile: str) -> frozenset[str]:
        """Gets the aqueducts that are walled in once a tile lies on a square."""
        layout, s = self.position.layout, self.position._state.copy()
        kernel.lay(layout.tables, s, layout.square_index[square], CODES.index(tile))
        kernel.survey(layout.tables, s)
        return self._walled(s)

    def _walled(self, state: State | None = None) -> frozenset[str]:
        walled = (state or self.position._state).walled
        index = self.position.layout.aqueduct_index
        return frozenset(name for name, a in index.items() if walled >> a & 1)

    def _extensions(self, player: int) -> set[tuple[str, str]]:
        """Lists the squares and tiles of a player's extensions, as if it were their turn now."""
        layout, s = self.position.layout, self.position._state.copy()
        s.player = player - 1
        w = Work.new(layout.sizes)
        count = kernel.extensions(layout.tables, s, w)
        return {(build.square, build.tile) for build in (decode(layout, code) for code in w.actions[:count])}

    # Reach

    def reach(self, aqueduct: str) -> Reach:
        """Finds the empty squares that an aqueduct's end can still get to, and bounds the length it can gain.

        It goes through empty squares and along loose paths, not through tiles, reservoirs or other aqueducts'
        ends, and nowhere from a square on which no tile fits [R8]. The bound holds for every future of the
        game, of a closed aqueduct too. It adds up, over these squares, the pairs that their sides make which
        are neither rim nor wall nor another aqueduct's end (so a square counts twice at most); the lengths of
        the loose paths that end at them; and 1 where sides are left over, for a last segment that runs
        against a wall.

        >>> import aquakit
        >>> reach = aquakit.start("romana2-5x4").graph().reach("R1")
        >>> len(reach.squares), reach.gain
        (12, 20)
        """
        path, loose = self.path(aqueduct), self.loose_paths()
        start = path.facing
        if start is None or not self._is_empty(start) or not any(self._fits(start, tile) for tile in LINKS):
            return Reach(aqueduct, frozenset(), (), 0)
        squares = frozenset(nx.node_connected_component(self._ground(loose), start))
        met = tuple(p for p in loose if any(end.facing in squares for end in p.ends))
        sides = [self._usable(square, path) for square in squares]
        gain = sum(n // 2 for n in sides) + any(n % 2 for n in sides) + sum(p.length for p in met)
        return Reach(aqueduct, squares, met, gain)

    def _ground(self, loose: tuple[LoosePath, ...]) -> nx.Graph:
        """Joins the empty squares between which no wall stands, or which a loose path links."""
        ground = nx.Graph()
        ground.add_nodes_from(filter(self._is_empty, self.position.layout.square_names))
        pairs = [squares for _, squares in self.nodes(data="squares")]
        pairs += [tuple(end.facing for end in path.ends) for path in loose]
        ground.add_edges_from(pair for pair in pairs if len(pair) == 2 and all(map(self._is_empty, pair)))
        return ground

    def _usable(self, square: str, path: AqueductPath) -> int:
        """Counts the sides of an empty square that an aqueduct can pass without stopping there."""
        beyond = [self._beyond(square, side) for side in SIDES]
        return sum(leads in ("empty", "loose") or to == path.name for leads, to in beyond)


def _board(position: Position) -> dict[str, str]:
    """Gets the code on every square."""
    layout, tiles = position.layout, position.tiles
    reservoirs = {layout.square_names[square] for squares in layout.reservoirs.values() for square in squares}
    return {name: RESERVOIR if name in reservoirs else tiles.get(name, EMPTY) for name in layout.square_names}


def _names(layout: Layout, square: str, side: str) -> tuple[str, ...]:
    """Gets the names of a grid edge, the node's own name first."""
    number = SIDES.index(side)
    other = layout.neighbour(layout.square_index[square], number)
    if other is None:
        return (square + side,)
    back = layout.square_names[other] + SIDES[(number + 2) % 4]
    return (square + side, back) if side in "NE" else (back, square + side)


def _ports(tile: str) -> str:
    """Gets the sides at which a tile has ports."""
    return "".join(side for link in LINKS[tile] for side in link)


def _joins_something(joining: Joining) -> bool:
    pairs = [link.ends for link in joining.links]
    return joining.allowed and any(a is not None and b is not None and a != b for a, b in pairs)
