"""Draws the pictures that the documentation shows: `make pictures`."""

from __future__ import annotations

from pathlib import Path

import aquakit
from aquakit.files import write_atomically

FOLDER = Path(__file__).with_name("images")

MIDGAME = (
    "romana4 FF##...##-7/.Z.+...+LN+/...+......./.F.+..N..../+|........./...ZN....../..N|J..|F+Z/L.##...##NJ "
    "c..s.c....s/db.b..../s...cs.b..d/...d.... c -,d,-,b *.*.*,*.2.*,1.*.*,4.*.* 16.17.14.13 1 0"
)


AQUADUKT = (
    "aquadukt3 _^..B4^B3.A1B2._/A2B4...^..A2..B2/...B1B3A3....../..B3A4......C4A1/.A2C2..B4....B1./.^A4^.^...B3.B1/"
    ".A2..B2A4.A1...C4/_...A1..B1.B1._ 3.3.3.0,0.2.2.1,7.6.7.0 4.7,3.3,6.1,11.7,11.1 "
    "4.7:N;4.7:W;6.1:NWS;6.1:Se;11.7:WS 19 2 0 -"
)


def pictures() -> dict[str, str]:
    """Draws each picture, by file name."""
    return {
        "midgame.svg": aquakit.parse(MIDGAME).svg(sight="R3", theme="light", size=900),
        "aquadukt.svg": aquakit.parse(AQUADUKT).svg(theme="light", size=900),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        write_atomically(FOLDER / name, picture)
        print(FOLDER.name, name)
