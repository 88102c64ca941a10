"""A position of Aqua Romana while it is edited: tiles and builders on the board, everything else in fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

from aquakit.board.draft import EMPTY, NOTHING, BaseDraft, Field, Grip, Option, Piece, Tools, read_places
from aquakit.core.notation import split_list
from aquakit.errors import AquakitError
from aquakit.romana.board.art import KIND_TILES
from aquakit.romana.board.clicks import KIND_NAMES, TURNING, name_builder, name_colours, name_tile, piece_of
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, RESERVOIR
from aquakit.romana.layout import Layout
from aquakit.romana.notation import of_player, write_builders
from aquakit.romana.position import Position

TILE_KINDS = KINDS[:4]
OPEN = "open"
"""The value of an aqueduct without a podium."""
_WORDS = (
    (r" \(\*\)", ""),
    (r"^no \* in", "none in"),
    (r"^\* for each", "all of them open"),
    (r"^- for each player", "none"),
    (r"^-(?= during|$)", "none"),
    (r"without s$", "after the setup"),
)
"""What readers say with codes of the text, and what is said instead."""


class Draft(BaseDraft):
    """A position of Aqua Romana while it is edited.

    >>> draft = Draft.of(Position.start("romana4")).drop("Tiles", "L", "c7").drop("Tiles", "J", "d7")
    >>> print(draft.problem())
    board: J on d7 joins two outlets [R3]; expected outlets never joined
    >>> draft.trouble().on
    ('d7',)
    >>> draft.drop("Tiles", "|", "d7").position().tiles["d7"]
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
        """Lists the tiles for the squares, the builders for the path, and the workmen for the podiums."""
        layout, fixed = self._layout, self._fixed()
        squares = tuple(name for name in layout.square_names if name not in fixed)
        builders = [Piece(kind, name_builder(kind), f"b{kind}", KIND_NAMES[kind]) for kind in self._builder_kinds()]
        holders = tuple(f"player={number}" for number in self._numbers())
        workmen = [Piece(o.name, f"workman of {o.name}", f"p{o.name[0]}", o.name) for o in layout.outlets]
        podiums = tuple(f"podium={value}" for value in range(1, len(layout.podiums) + 1))
        return (
            Tools("Tiles", (*map(_tile, TURNING), NOTHING), squares),
            Tools("Builders", (*builders, NOTHING), layout.path_names, beside=holders),
            # A workman stands where its aqueduct ends: wherever it is put on the board, it is opened.
            Tools("Workmen", tuple(workmen), (), "ring", beside=(*podiums, *squares)),
        )

    def _grips_beside(self) -> Iterable[Grip]:
        """Lists the workmen, the piles of the stock, and the builders beside the path."""
        for outlet in self._layout.outlets:
            yield Grip(f"workman={outlet.name}", "Workmen", outlet.name)
        for kind in TILE_KINDS:
            yield Grip(f"stock={kind}", "Tiles", KIND_TILES[kind])
        for owner in self._owners():
            where = "reserve=" if owner == "reserve" else owner.replace(".", "=")
            for kind in self._builder_kinds():
                if self._values[f"{owner}.{kind}"] != "0":
                    yield Grip(where + kind, "Builders", kind)

    def _take_beside(self, on: str) -> Self:
        held = re.fullmatch(r"held=(\d)(.)", on)
        return self._count(f"held.{held[1]}.{held[2]}", -1) if held else self

    def _put_beside(self, piece: str, target: str) -> Self:
        what, _, value = target.partition("=")
        if what == "player":
            return self._count(f"held.{value}.{piece}", 1)
        return self._with({}, {f"aqueduct.{piece}": value if what == "podium" else OPEN})

    def _count(self, name: str, by: int) -> Self:
        """Changes a number of builders; more than there are cannot be written."""
        most = self._builder_kinds()[name[-1]]
        return self._with({}, {name: str(max(0, min(most, int(self._values[name]) + by)))})

    def name_target(self, target: str) -> str:
        """Names what a piece is put on, in words."""
        what, _, value = target.partition("=")
        if what == "player":
            return f"the hand of {name_colours(self._layout, int(value))}"
        return super().name_target(target)

    # Fields

    def fields(self) -> tuple[Field, ...]:
        """Lists whose turn it is, the aqueducts' podiums, the stock, and the builders beside the path."""
        return (*self._turn(), *self._aqueducts(), *self._stock(), *self._builders())

    def _numbers(self) -> range:
        return range(1, len(self._layout.players) + 1)

    def _turn(self) -> tuple[Field, ...]:
        return (
            self._field("player", "player to move", "Turn", tuple(map(Option._make, self._players().items()))),
            self._field("idle", "turns in a row without a tile", "Turn", most=len(self._numbers())),
        )

    def _players(self) -> dict[str, str]:
        """Gets who can be to move, as the text has it, with the words for it."""
        names = {number: name_colours(self._layout, number) for number in self._numbers()}
        forms = {"{}": "{}", "s{}": "setup: {} places", "{}!": "{}, alone (a study)"}
        found = {code.format(i): words.format(name) for code, words in forms.items() for i, name in names.items()}
        return found | {"-": "game over"}

    def _aqueducts(self) -> list[Field]:
        podiums = [Option(str(value), f"podium {value}") for value in range(1, len(self._layout.podiums) + 1)]
        options = (Option(OPEN, OPEN), *podiums, Option("0", "gone with 0"))
        names = [outlet.name for outlet in self._layout.outlets]
        return [self._field(f"aqueduct.{name}", name, "Aqueducts", options) for name in names]

    def _stock(self) -> list[Field]:
        stock = self._stocked().items()
        return [self._field(f"stock.{kind}", f"{KIND_NAMES[kind]}s", "Stock", most=most) for kind, most in stock]

    def _builders(self) -> list[Field]:
        groups = ["Reserve"]
        groups += [f"Held by {name_colours(self._layout, number)}" for number in self._numbers()]
        return [
            self._field(f"{owner}.{kind}", f"{name_builder(kind)}s", group, most=most)
            for owner, group in zip(self._owners(), groups, strict=True)
            for kind, most in self._builder_kinds().items()
        ]

    def _owners(self) -> list[str]:
        """Lists where builders are beside the path, as fields name it."""
        return ["reserve", *(f"held.{number}" for number in self._numbers())]

    def _builder_kinds(self) -> dict[str, int]:
        """Gets the kinds of builders that the layout has, with their numbers."""
        return {kind: most for kind, most in zip(KINDS, self._layout.builders, strict=True) if most}

    def balance(self) -> Self:
        """Gets the draft whose stock and reserve are what board, path and players leave of the layout's.

        Printed tiles are none of the stock. In the setup the reserve is as it begins, for the rest is to be placed.
        """
        squares = self._layout.square_index
        laid = Counter(KIND_OF[CODES.index(tile)] for name, tile in self._board.items() if tile and name in squares)
        left = {f"stock.{kind}": most - laid[i] for i, (kind, most) in enumerate(self._stocked().items())}
        used = Counter(self._board[name] for name in self._layout.path_names)
        for kind, most in self._builder_kinds().items():
            held = sum(int(self._values[f"{owner}.{kind}"]) for owner in self._owners()[1:])
            in_setup = self._values["player"].startswith("s")
            left[f"reserve.{kind}"] = self._layout.reserve.count(kind) if in_setup else most - used[kind] - held
        return self._with({}, {name: str(max(0, count)) for name, count in left.items()})

    def _stocked(self) -> dict[str, int]:
        return dict(zip(TILE_KINDS, self._layout.stock, strict=True))

    # Problems

    def _concerns(self, problem: AquakitError) -> Iterable[str]:
        """Finds the pieces of a kind of which there are too many, and a podium with those who stand on it."""
        if found := re.search(r"builders ([csbdj])", problem.problem):
            yield from (name for name in self._layout.path_names if self._board[name] == found[1])
            yield from (f"{owner}.{found[1]}" for owner in self._owners())
            yield f"reserve={found[1]}"
        elif found := re.search(r"tiles ([csbd])", problem.problem):
            kind = KINDS.index(found[1])
            tiles = [(name, CODES.index(tile)) for name, tile in self._board.items() if tile in CODES and tile]
            yield from (name for name, code in tiles if name in self._layout.square_index and KIND_OF[code] == kind)
            yield from (f"stock.{found[1]}", f"stock={found[1]}")
        elif found := re.search(r"podium ([0-9]+)", problem.problem):
            yield f"podium={found[1]}"
            on = {outlet.name: self._values[f"aqueduct.{outlet.name}"] for outlet in self._layout.outlets}
            yield from (f"aqueduct.{name}" for name, value in on.items() if value == found[1])

    def _reword(self, text: str) -> str:
        players = self._players()
        for code, words in _WORDS:
            text = re.sub(code, words, text)
        text = re.sub(r"^(.) on (?=[a-z][0-9])", lambda m: f"{name_tile(m[1])} on ", text)
        text = re.sub(r"\b(builders|tiles) ([csbdj])\b", lambda m: f"{KIND_NAMES[m[2]]} {m[1]}", text)
        text = re.sub(r"^([csbdj]+)(?= during|$)", lambda m: ", ".join(name_builder(kind) for kind in m[1]), text)
        return re.sub(r"\b(?:player )([1-9])\b|\bs[1-9]\b", lambda m: players[m[1] or m[0]], text)


def _tile(code: str) -> Piece:
    """Makes the piece of a tile; a bridge is drawn in two parts, for water runs between them."""
    return Piece(code, name_tile(code), piece_of(code), KIND_NAMES[KINDS[KIND_OF[CODES.index(code)]]])
