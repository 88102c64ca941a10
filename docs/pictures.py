"""Draws the pictures that the documentation shows: `make pictures`."""

from __future__ import annotations

from pathlib import Path

import aquakit
from aquakit.demo import AQUADUKT, ROMANA
from aquakit.files import write_atomically

FOLDER = Path(__file__).with_name("images")


def pictures() -> dict[str, str]:
    """Draws each picture, by file name."""
    return {
        "midgame.svg": aquakit.parse(ROMANA).svg(sight="R3", theme="light", size=900),
        "aquadukt.svg": aquakit.parse(AQUADUKT).svg(theme="light", size=900),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        write_atomically(FOLDER / name, picture)
        print(FOLDER.name, name)
