"""A position of Aqua Romana while it is edited: tiles and builders on the board, everything else in fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Self

from aquakit.board.draft import EMPTY, NOTHING, BaseDraft, Field, Piece, Tools, read_places
from aquakit.core.notation import split_list
from aquakit.romana.board.clicks import KIND_NAMES, name_builder, name_tile, piece_of
from aquakit.romana.board.diagram import player_name
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, RESERVOIR, SEGMENTS
from aquakit.romana.layout import Layout
from aquakit.romana.notation import of_player, write_builders
from aquakit.romana.position import Position

TILE_KINDS = KINDS[:4]
OPEN = "open"
"""The value of an aqueduct without a podium."""


class Draft(BaseDraft):
    """A position of Aqua Romana while it is edited.

    >>> draft = Draft.of(Position.start("romana4")).put("c7", "L").put("d7", "J")
    >>> print(draft.problem())
    board: J on d7 joins two outlets [R3]; expected outlets never joined
    >>> draft.put("d7", "|").position().tiles["d7"]
    '|'
    """

    position_type = Position

    _layout: Layout

    # Text

    def _read(self, fields: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        layout, names = self._layout, self._layout.path_names
        path = read_places(names, fields["path"].replace("/", ""))
        held = split_list(fields["held"], ",", "held", len(layout.players), "players")
        aqueducts = fields["aqueducts"].replace(",", ".")
        scores = split_list(aqueducts, ".", "aqueducts", len(layout.outlets), "aqueducts")
        stock = split_list(fields["stock"], ".", "stock", len(TILE_KINDS), "counts")
        values = {"player": fields["player"], "idle": fields["idle"]}
        for owner, builders in zip(self._owners(), (fields["reserve"], *held), strict=True):
            values |= {f"{owner}.{kind}": str(builders.count(kind)) for kind in KINDS}
        for outlet, score in zip(layout.outlets, scores, strict=True):
            values[f"aqueduct.{outlet.name}"] = OPEN if score == "*" else score
        values |= {f"stock.{kind}": count for kind, count in zip(TILE_KINDS, stock, strict=True)}
        return self._read_squares(fields["board"].replace("/", "")) | path, values

    def _write(self) -> tuple[str, ...]:
        layout, values = self._layout, self._values
        path = "".join(self._board[name] or EMPTY for name in layout.path_names)
        reserve, *held = map(self._write_builders, self._owners())
        return (
            self._write_squares(),
            "/".join(layout.split_path(path)),
            reserve,
            ",".join(held),
            ",".join(map(self._write_aqueducts, range(len(layout.players)))),
            ".".join(values[f"stock.{kind}"] for kind in TILE_KINDS),
            values["player"],
            values["idle"],
        )

    def _write_builders(self, owner: str) -> str:
        return write_builders(int(self._values[f"{owner}.{kind}"]) for kind in KINDS)

    def _write_aqueducts(self, player: int) -> str:
        scores = (self._values[f"aqueduct.{self._layout.outlets[a].name}"] for a in of_player(self._layout, player))
        return ".".join("*" if score == OPEN else score for score in scores)

    # Board

    def _fixed(self) -> dict[str, str]:
        layout = self._layout
        codes = {square: RESERVOIR for squares in layout.reservoirs.values() for square in squares} | layout.printed
        return {layout.square_names[square]: CODES[code] for square, code in codes.items()}

    def _shown_on(self, position: Position) -> dict[str, str]:
        return position.tiles | position.builders

    def tools(self) -> tuple[Tools, ...]:
        """Lists the tiles for the squares and the builders for the path."""
        fixed, tiles = self._fixed(), [code for code, segments in zip(CODES, SEGMENTS, strict=True) if segments]
        squares = tuple(name for name in self._layout.square_names if name not in fixed)
        builders = [Piece(kind, name_builder(kind), f"b{kind}") for kind in self._builder_kinds()]
        return (
            Tools("Tiles", (*map(_tile, tiles), NOTHING), squares),
            Tools("Builders", (*builders, NOTHING), self._layout.path_names),
        )

    # Fields

    def fields(self) -> tuple[Field, ...]:
        """Lists whose turn it is, the aqueducts' podiums, the stock, and the builders beside the path."""
        return (*self._turn(), *self._aqueducts(), *self._stock(), *self._builders())

    def _turn(self) -> tuple[Field, ...]:
        numbers = range(1, len(self._layout.players) + 1)
        players = tuple(form.format(number) for form in ("{}", "s{}", "{}!") for number in numbers)
        return (
            self._field("player", "player to move", "Turn", (*players, "-")),
            self._field("idle", "turns in a row without a tile", "Turn", most=len(numbers)),
        )

    def _aqueducts(self) -> list[Field]:
        options = (OPEN, *map(str, range(len(self._layout.podiums) + 1)))
        names = [outlet.name for outlet in self._layout.outlets]
        return [self._field(f"aqueduct.{name}", name, "Aqueducts", options) for name in names]

    def _stock(self) -> list[Field]:
        stock = zip(TILE_KINDS, self._layout.stock, strict=True)
        return [self._field(f"stock.{kind}", f"{KIND_NAMES[kind]}s", "Stock", most=most) for kind, most in stock]

    def _builders(self) -> list[Field]:
        groups = ["Reserve"]
        groups += [f"Held by {player_name(self._layout, p + 1)}" for p in range(len(self._layout.players))]
        return [
            self._field(f"{owner}.{kind}", f"{name_builder(kind)}s", group, most=most)
            for owner, group in zip(self._owners(), groups, strict=True)
            for kind, most in self._builder_kinds().items()
        ]

    def _owners(self) -> list[str]:
        """Lists where builders are beside the path, as fields name it."""
        return ["reserve", *(f"held.{number}" for number in range(1, len(self._layout.players) + 1))]

    def _builder_kinds(self) -> dict[str, int]:
        """Gets the kinds of builders that the layout has, with their numbers."""
        return {kind: most for kind, most in zip(KINDS, self._layout.builders, strict=True) if most}

    def balance(self) -> Self:
        """Gets the draft whose stock is what the tiles laid leave of the layout's; printed tiles are none of it."""
        squares = self._layout.square_index
        laid = Counter(KIND_OF[CODES.index(tile)] for name, tile in self._board.items() if tile and name in squares)
        counts = [max(0, most - laid[kind]) for kind, most in enumerate(self._layout.stock)]
        return self._with({}, {f"stock.{kind}": str(count) for kind, count in zip(TILE_KINDS, counts, strict=True)})


def _tile(code: str) -> Piece:
    """Makes the piece of a tile; a bridge is drawn in two parts, for water runs between them."""
    return Piece(code, name_tile(code), piece_of(code))
