"""Shows the kit in a terminal: a position, its legal turns, the leading ones, and a picture. Run by `make demo`."""

from __future__ import annotations

from pathlib import Path

from aquakit.files import write_atomically
from aquakit.romana import Position, Turn

POSITION = (
    "romana4 FF##...##-7/.Z.+...+LN+/...+......./.F.+..N..../+|........./...ZN....../..N|J..|F+Z/L.##...##NJ "
    "c..s.c....s/db.b..../s...cs.b..d/...d.... c -,d,-,b *.*.*,*.2.*,1.*.*,4.*.* 16.17.14.13 1 0"
)
TARGET = Path("out") / "demo.svg"


def margin(p: Position, turn: Turn) -> int:
    """Gets the mover's lead over the best other player if play stopped after a turn."""
    assert p.mover is not None
    scores = list(p.play(turn).stopped(last=p.mover).scores())
    return scores.pop(p.mover - 1) - max(scores)


def main() -> None:
    """Prints the demonstration."""
    p = Position.parse(POSITION)
    print(p.diagram())
    print(f"\n{p}\n")
    turns = sorted(p.turns(), key=lambda turn: margin(p, turn), reverse=True)
    print(f"{len(turns)} legal turns. The leading ones if play stopped after them:")
    for turn in turns[:5]:
        print(f"  {margin(p, turn):+3}  {turn}")
    TARGET.parent.mkdir(exist_ok=True)
    best = turns[0]
    write_atomically(TARGET, p.play(best).svg(last=best, size=900))
    print(f"\nThe board after {best}: {TARGET}")


if __name__ == "__main__":
    main()
