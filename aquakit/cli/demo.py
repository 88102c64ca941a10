"""What `make demo` shows in a terminal: a board of each game, its legal turns, the leading ones, a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aquakit import aquadukt, romana
from aquakit.core.files import write_atomically
from aquakit.core.position import AnyPosition, BaseTurn

ROMANA = (
    "romana4 FF##...##-7/.Z.+...+LN+/...+......./.F.+..N..../+|........./...ZN....../..N|J..|F+Z/L.##...##NJ "
    "c..s.c....s/db.b..../s...cs.b..d/...d.... c -,d,-,b *.*.*,*.2.*,1.*.*,4.*.* 16.17.14.13 1 0"
)
AQUADUKT = (
    "aquadukt3 _^..B4^B3.A1B2._/A2B4...^..A2..B2/...B1B3A3....../..B3A4......C4A1/.A2C2..B4....B1./.^A4^.^...B3.B1/"
    ".A2..B2A4.A1...C4/_...A1..B1.B1._ 3.3.3.0,0.2.2.1,7.6.7.0 4.7,3.3,6.1,11.7,11.1 "
    "4.7:N;4.7:W;6.1:NWS;6.1:Se;11.7:WS 19 2 0 -"
)
FOLDER = Path("out")


def romana_points(p: romana.Position, turn: BaseTurn[Any]) -> tuple[int, ...]:
    """Gets the points if play stopped after a turn."""
    assert p.mover is not None
    return p.play(turn).stopped(last=p.mover).scores()


def aquadukt_points(p: aquadukt.Position, turn: BaseTurn[Any]) -> tuple[int, ...]:
    """Gets the points of the houses that have water after a turn."""
    return p.play(turn).scores()


def show(p: AnyPosition, what: str, points: Callable[[Any, BaseTurn[Any]], tuple[int, ...]]) -> None:
    """Prints a board, the turns that put the mover in the lead, and where the picture is."""
    assert p.mover is not None
    mover = p.mover - 1

    def lead(turn: BaseTurn[Any]) -> int:
        scores = list(points(p, turn))
        return scores.pop(mover) - max(scores)

    ranked = sorted(((lead(turn), turn) for turn in p.turns()), key=lambda pair: -pair[0])
    print(f"{p.diagram()}\n\n{p}\n\n{len(ranked)} {what}. The leading ones, with the lead if play stopped after them:")
    for ahead, turn in ranked[:5]:
        print(f"  {ahead:+3}  {p.tell(turn)}  ({turn})")
    best = ranked[0][1]
    FOLDER.mkdir(exist_ok=True)
    target = FOLDER / f"{p.layout.name}.svg"
    write_atomically(target, p.play(best).svg(last=best, size=900))
    print(f"\nThe board after the first of them: {target}\n")


def main() -> None:
    """Prints the demonstration."""
    show(romana.Position.parse(ROMANA), "legal turns", romana_points)
    show(aquadukt.Position.parse(AQUADUKT), "legal turns without dice", aquadukt_points)


if __name__ == "__main__":
    main()
