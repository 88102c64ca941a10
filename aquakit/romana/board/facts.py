"""What a board of Aqua Romana tells beside the picture: about each aqueduct, the score, and where a turn happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aquakit.board.facts import Cell, Chip, Fact, FactTable, TurnTrace
from aquakit.core.words import count
from aquakit.romana import kernel
from aquakit.romana.board.clicks import name_builder
from aquakit.romana.findings import AqueductPath
from aquakit.romana.kernel import Work
from aquakit.romana.layout import COLOURS, Layout
from aquakit.romana.notation import Action, Turn
from aquakit.romana.position import Aqueduct, Position

# Aqueducts


def facts(position: Position) -> tuple[Fact, ...]:
    """Tells about each aqueduct where it runs, what it would score now and which builders its workman sees."""
    graph = position.graph()
    return tuple(_tell(position, a, graph.path(a.name)) for a in position.aqueducts)


def _tell(position: Position, a: Aqueduct, path: AqueductPath) -> Fact:
    length = f"length {path.length}"
    lines = [f"{length}: {' '.join(path.squares)}" if path.squares else length, _tell_end(position, path)]
    pieces = [f"water={a.name}", f"workman={a.name}"]
    title = f"{a.name} ({COLOURS[a.name[0]]})"
    if a.open:
        title += ", open"
        closed = f"closed now: {_tell_podium(podium_now(position, a.name))}"
        lines += [closed, *_tell_bonus(position, a.name), _tell_sight(position, a)]
    else:
        title += f", closed on podium {a.podium}" if a.podium else ", closed without points"
        lines += _tell_bonus(position, a.name)
        pieces.append(f"closed={a.name}")
    rays = tuple((path.end, seen) for seen in a.sees) if a.open else ()
    return Fact(a.name, tuple(pieces), title, tuple(lines), tuple(dict.fromkeys(path.squares)), rays, a.name[0])


def _tell_end(position: Position, path: AqueductPath) -> str:
    if path.facing is None:
        return "at the rim"
    walled = position.state.walled >> position.layout.aqueduct_index[path.name] & 1
    return f"before {path.facing}, walled in" if walled else f"before {path.facing}"


def _tell_bonus(position: Position, aqueduct: str) -> list[str]:
    """Says what the bonus adds to the podium's points: as long as the game goes on others may get higher [R11]."""
    podium, bonus = _podium_and_bonus(position, aqueduct)
    if not podium or position.is_solo:
        return []
    if position.is_over:
        return [f"bonus {bonus}"]
    if not bonus:
        return ["no bonus: three higher podiums are taken"]
    return [f"bonus at the end: {bonus} as it stands, less if others get higher"]


def _podium_and_bonus(position: Position, aqueduct: str) -> tuple[int, int]:
    """Gets an aqueduct's podium, be it as if closed now, and the bonus that stands on it as the kernel counts it."""
    layout, s, w = position.layout, position.state, Work.new(position.layout.sizes)
    a = layout.aqueduct_index[aqueduct]
    if s.open >> a & 1:
        kernel.score_one(layout.tables, s, a)
    podium, totals = s.score[a], []
    for score in (podium, 0):
        s.score[a] = score
        kernel.count_points(layout.tables, s, w)
        totals.append(sum(w.total))
    return podium, totals[0] - totals[1] - podium


def podium_now(position: Position, aqueduct: str) -> int:
    """Gets the podium that an open aqueduct's workman would get if it alone were closed now, 0 for none."""
    return _podium_and_bonus(position, aqueduct)[0]


def _tell_podium(podium: int) -> str:
    return f"{count(podium, 'point')} for podium {podium}" if podium else "0 points"


def _tell_sight(position: Position, a: Aqueduct) -> str:
    builders = position.builders
    seen = [f"{name_builder(builders[path])} on {path}" for path in a.sees if path in builders]
    free = ", ".join(path for path in a.sees if path not in builders)
    return f"sees {', '.join([*seen, f'nobody on {free}'] if free else seen)}"


# Score


def points(position: Position) -> tuple[int, ...]:
    """Gets the points of the podiums, and once the game is over, when it is given, the bonus too [R11]."""
    if position.is_over:
        return position.scores()
    return tuple(add_podiums(position, player) for player in range(1, len(position.layout.players) + 1))


def add_podiums(position: Position, player: int) -> int:
    """Adds up the podiums on which a player's workmen stand."""
    return sum(a.podium or 0 for a in _owned(position, player))


def sheet(position: Position) -> tuple[FactTable, ...]:
    """Writes the score sheet and the race for the podiums."""
    finished = position.is_over and not position.is_solo
    return _final_score(position) if finished else _running_score(position), _podium_race(position)


def _final_score(position: Position) -> FactTable:
    rows = []
    for player, total in enumerate(position.scores(), start=1):
        bonus = total - add_podiums(position, player)
        rows.append((*_name_and_podiums(position, player), str(bonus), str(total)))
    return FactTable("Score sheet", ("player", "podiums", "bonus", "total"), tuple(rows))


def _running_score(position: Position) -> FactTable:
    rows = []
    for player, total in enumerate(_totals_now(position), start=1):
        still_open = sum(a.open for a in _owned(position, player))
        rows.append((*_name_and_podiums(position, player), str(still_open), total))
    ended = "if it ended before this turn" if position.played else "if it ended now"
    return FactTable("Score sheet", ("player", "podiums", "open", ended), tuple(rows))


def _owned(position: Position, player: int) -> list[Aqueduct]:
    return [a for a in position.aqueducts if a.owner == player]


def _name_and_podiums(position: Position, player: int) -> tuple[Cell, Cell]:
    podiums = " + ".join(str(a.podium) for a in _owned(position, player) if not a.open)
    return tuple(Chip(COLOURS[chip.colour], chip.colour) for chip in chips(position.layout, player)), podiums or "-"


def chips(layout: Layout, player: int) -> tuple[Chip, ...]:
    """Gets the signs of a player: one for each colour."""
    return tuple(Chip(letter, letter) for letter in layout.players[player - 1])


def _totals_now(position: Position) -> list[str]:
    """Writes what each player would have if play stopped at the turn's start; alone in a study, one player [S2]."""
    start = position.rewind()
    if position.is_solo:
        alone = position.state.player
        return [str(start.study_points()) if p == alone else "-" for p in range(len(position.layout.players))]
    ended = start if start.phase == "setup" else start.stopped(find_last(start))
    return [str(points) for points in ended.scores()]


def find_last(position: Position) -> int:
    """Finds whose turn ended last: before the mover's and any skipped ones, which the idle count tells of [R10]."""
    assert position.mover is not None
    moving = {a.owner for a in position.aqueducts if a.open}
    last, players = position.mover, len(position.layout.players)
    for _ in range(position.idle + 1):
        last = (last - 2) % players + 1
        if last in moving:
            break
    return last


def _podium_race(position: Position) -> FactTable:
    """Lists the podiums from the highest down: who stands there, and who would if closed now."""
    taken = [(Chip(a.name, a.name[0]), a.podium) for a in position.aqueducts if not a.open]
    now = [(Chip(a.name, a.name[0], sure=False), podium_now(position, a.name)) for a in position.aqueducts if a.open]

    def on(podium: int, standing: Iterable[tuple[Chip, int | None]]) -> Cell:
        return tuple(chip for chip, value in standing if value == podium)

    # Above all who stand there, or would, nothing is to be told.
    highest = max([podium or 0 for _, podium in (*taken, *now)], default=0)
    podiums = range(min(highest + 1, len(position.layout.podiums)), 0, -1)
    rows = [(str(podium), on(podium, taken), on(podium, now)) for podium in podiums]
    return FactTable("Podium race", ("podium", "taken", "if closed now"), tuple(rows))


# Turns


def trace(position: Position, turn: Turn | str) -> TurnTrace:
    """Shows a turn on the board: which builder lays which tile, and where something is placed, laid or closed.

    >>> trace(Position.start("romana4"), "c7=L@Nc xR2 *b")
    TurnTrace(arrows=(('Nc', 'c7'),), marks=('c7',))
    """
    made = Turn.read(turn)
    ends = {a.name: a.end for a in position.play(made).aqueducts}
    arrows = [(action.path, action.square) for action in made if action.what == "build"]
    marks = [_find_place(action, ends) for action in made]
    return TurnTrace(tuple(arrows), tuple(dict.fromkeys(filter(None, marks))))


def _find_place(action: Action, ends: Mapping[str, str]) -> str | None:
    """Finds where a builder is placed or advanced, a tile laid, or an aqueduct closed."""
    return action.square or action.path or ends.get(action.aqueduct)
