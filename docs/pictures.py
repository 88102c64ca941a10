"""Draws the pictures that the documentation shows: `make pictures`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aquakit
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.core.files import write_atomically
from aquakit.romana import Layout

FOLDER = Path(__file__).with_name("images")

TILES = """
name = "tiles"
title = "All tiles"
columns = 11
rows = 4
players = ["R", "G"]
reserve = ""
podiums = [1]
stock = {c = 4, s = 2, b = 1, d = 2}
builders = {c = 1, s = 1, b = 1, d = 1, j = 1}
[[reservoirs]]
colour = "R"
squares = ["a4", "a3"]
outlets = ["a3S"]
[[reservoirs]]
colour = "G"
squares = ["k1", "k2"]
outlets = ["k2N"]
"""
"""A board with room for every tile and its code beside it."""
LOOSE = (
    "romana2-7x6 F.##..7/......./..|..../..L-.../......./L..##.J .csb.../d..c../.c.b.s./d..c.. csj -,- *.*.*,*.*.* "
    "8.7.8.8 1 0"
)
"""R2 stands before c5; a loose chain lies on c4, c3 and d3."""
FOUNTAIN = (
    "romana2-7x6 F.##..7/......./......./......./......./L..##.J .c.b.s./d..c../.c.b.s./d....c csj -,- *.*.*,*.*.* "
    "9.9.8.8 1 0"
)
"""A curve builder on W6 has the fountain before it."""
WALL = (
    "romana2-7x6 F.##..7/...L.../....|../....|../....|../L..##.J .c.s.b./d..c../.c.b.s./d..c.. csj -,- *.*.*,*.*.* "
    "8.6.8.8 1 0"
)
"""R3 and G2 stand before e5."""
FOUR_ENDS = (
    "romana4 FF##...##.7/.|.|...|.../.|.|...|.../.L-..--J.../...|......./...|......./...|......./L.##...##.J "
    "..cs...bd../b..s..../..cs...bd../d......c csbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 18.9.21.21 2 0"
)
"""R1, R3 and B1 stand before d5, and Y1 one tile short of it."""


def pictures(theme: str = "light") -> dict[str, str]:
    """Draws each picture, by file name."""
    return {
        "midgame.svg": aquakit.parse(ROMANA).svg(sight="R3", theme=theme, size=900),
        "romana-start.svg": aquakit.start("romana4").svg(sight="R2", theme=theme, size=760, panel=False),
        "romana-tiles.svg": draw_tiles(theme),
        "romana-loose.svg": draw_turn(LOOSE, "c5=|@Nc x-", theme, arrows=[("Nc", "c5")]),
        "romana-fountain.svg": draw_turn(FOUNTAIN, "b6=F@W6 b4=L x-", theme, arrows=[("W6", "Na")]),
        "romana-wall.svg": draw_turn(WALL, "e5=-@Nd x- *j", theme, panel=True, highlights=["e4"]),
        "romana-four-ends.svg": draw_turn(FOUR_ENDS, "e5=-@E5 *c *s *b *d", theme, highlights=["d5"]),
        "aquadukt.svg": aquakit.parse(AQUADUKT).svg(theme=theme, size=900),
        "aquadukt-start.svg": draw_names(theme),
        "aquadukt-water.svg": draw_water(theme),
        "aquadukt-region.svg": draw_region(theme),
    }


def draw_turn(text: str, turn: str, theme: str, **options: Any) -> str:
    """Draws a small board after a turn."""
    before = aquakit.parse(text)
    after = before.play(turn)
    return after.svg(last=turn, before=before, theme=theme, **{"size": 520, "panel": False} | options)


def draw_tiles(theme: str) -> str:
    """Draws every tile with its code."""
    layout = Layout.loads(TILES)
    board = "#........../#|.-.L.J.F./..7.+.Z.N.#/..........#"
    path = "c.s.b.d.j../..../.........../...."
    position = aquakit.parse(f"tiles {board} {path} - -,- *,* 0.0.0.0 1 0", layout)
    beside = {layout.square_names[layout.square_index[square] + 1]: code for square, code in position.tiles.items()}
    return position.svg(highlights=beside, theme=theme, size=760, panel=False)


def draw_names(theme: str) -> str:
    """Draws an empty city with a point and its two segments named."""
    position = aquakit.start("aquadukt4", seed=1)
    marks = {"e4": "e4", "3.5": "3.5", "8.2h": "8.2h", "8.5v": "8.5v"}
    return position.svg(highlights=marks, theme=theme, size=760, panel=False)


def draw_water(theme: str) -> str:
    """Draws canals, single and double, and how many feed each square."""
    position = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"])
    for turn in ("spring 3.2", "canal 3.2v, canal 3.2v", "canal 3.3v, canal 3.4h", "canal 2.2h, canal 1.2h"):
        position = position.play(turn)
    return position.svg(supply=True, theme=theme, size=520, panel=False)


def draw_region(theme: str) -> str:
    """Draws the end of a turn that filled region 1: two dry tiles have left."""
    position = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"])
    turns = ("spring 1.3", "canal 0.3h, stop", "roll, die 1, 3 b5, stop", "roll, die 1, 1 a4, stop")
    for turn in turns:
        position = position.play(turn)
    last = "roll, die 1, 2 b4, stop"
    return position.play(last).svg(last=last, before=position, highlights=["b4"], theme=theme, size=520, panel=False)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        write_atomically(FOLDER / name, picture)
        print(FOLDER.name, name)
