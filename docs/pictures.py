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


def pictures() -> dict[str, str]:
    """Draws each picture, by file name."""
    return {"midgame.svg": aquakit.parse(MIDGAME).svg(sight="R3", theme="light", size=900)}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        write_atomically(FOLDER / name, picture)
        print(FOLDER.name, name)
