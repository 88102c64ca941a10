"""What an answer of Aqua Romana teaches: one small predicate for each theme, on the replayed line.

Each docstring says exactly what is tested. "Own" turns, aqueducts and workmen are those of the player who is to move in
the puzzle; the "first turn" is the line's first, which the accepted answers are about.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from aquakit.engine.solve import solve
from aquakit.puzzle.answers import read
from aquakit.puzzle.model import LINE, Proof, Puzzle
from aquakit.romana import kernel
from aquakit.romana.board.facts import podium_now
from aquakit.romana.board.why import Change, Tale, standing
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, NONE, State, Work
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Action, Turn, decode
from aquakit.romana.planner.plan.plan import plan
from aquakit.romana.position import Aqueduct, Position

JOKER, NOTHING = "j", "-"
CHAIN = 2
"""So many loose segments at once are a chain: one is left over wherever a two-segment tile lies."""


class TurnsStory:
    """A line replayed by the rules, with the accepted answers to its first turn."""

    def __init__(self, puzzle: Puzzle, proof: Proof) -> None:
        start = puzzle.start
        assert isinstance(start, Position)
        self.start, self.me = start, start.player or 1
        self.value, self.kind, self.horizon = proof.value, puzzle.kind, puzzle.horizon
        self.accepted = [Turn.read(read(text)) for text in proof.accepted]
        self.tales: list[Tale] = []
        for text in proof.line.split(LINE):
            turn, after = start.carry_out(text)
            self.tales.append(Tale(start, Turn(turn), after))
            start = after

    @property
    def own(self) -> list[Tale]:
        """The player's own turns."""
        return [tale for tale in self.tales if tale.me == self.me]

    @property
    def first(self) -> Tale:
        """The first turn."""
        return self.tales[0]

    @property
    def end(self) -> Position:
        """The position after the line."""
        return self.tales[-1].after

    def named(self, what: str) -> list[Action] | None:
        """Gets the actions of a kind that the accepted answers name; none unless each of them names one."""
        found = [[action for action in turn if action.what == what] for turn in self.accepted]
        return [action for actions in found for action in actions] if all(found) else None

    @cached_property
    def rivals(self) -> list[int]:
        """The other players, if they move."""
        return [] if self.start.is_solo else self.first.others


def _chosen(tale: Tale) -> list[str]:
    """Lists the aqueducts that a turn closes voluntarily."""
    return [step.action.aqueduct for step in tale.steps if step.action.what == "close"]


def _walled(tale: Tale) -> list[Change]:
    """Lists the aqueducts that a turn closes by construction."""
    if tale.find("build") is None:
        return []
    return [change for change in tale.changes if change.closes and change.name not in _chosen(tale)]


def _new(change: Change) -> tuple[str, ...]:
    """Lists the squares that an aqueduct newly passes."""
    return change.after.squares[len(change.before.squares) :]


def _owned(tale: Tale) -> list[Change]:
    return [change for change in tale.changes if change.after.owner == tale.me]


# Tiles and water


def _matters(story: TurnsStory, tale: Tale, change: Change) -> bool:
    """Leaves out own aqueducts closed in the line's last turn, after which all is scored anyway."""
    return change.after.owner != story.me or tale is not story.tales[-1]


def walls_in(story: TurnsStory) -> bool:
    """Tests whether an own turn closes an aqueduct by construction elsewhere than at the rim (section 5, step 5).

    It may be anyone's; an own one does not count in the line's last turn.
    """
    found = ((tale, change) for tale in story.own for change in _walled(tale))
    return any(change.after.facing and _matters(story, tale, change) for tale, change in found)


def leads_to_rim(story: TurnsStory) -> bool:
    """Tests whether an own turn closes an aqueduct by leading its end to the rim; whose and when as for `walls_in`."""
    found = ((tale, change) for tale in story.own for change in _walled(tale))
    return any(change.after.facing is None and _matters(story, tale, change) for tale, change in found)


def shares_tile(story: TurnsStory) -> bool:
    """Tests whether the tile of an own turn lengthens two aqueducts or more, whosoever."""
    return any(sum(change.gain > 0 for change in tale.changes) >= 2 for tale in story.own)


def passes_twice(story: TurnsStory) -> bool:
    """Tests whether an own aqueduct comes, in an own turn, over a square that it then passes twice."""
    changes = [change for tale in story.own for change in _owned(tale)]
    return any(change.after.squares.count(square) == 2 for change in changes for square in _new(change))


def runs_on_loose_tiles(story: TurnsStory) -> bool:
    """Tests whether an own aqueduct gains, in an own turn, two segments or more beyond the square that is built on."""
    for tale in story.own:
        build = tale.find("build")
        laid = build.action.square if build else ""
        if any(sum(square != laid for square in _new(change)) >= CHAIN for change in _owned(tale)):
            return True
    return False


def uses_fountain(story: TurnsStory) -> bool:
    """Tests whether every answer names the extra tile, or an own aqueduct passes one of the own later in the line."""
    if story.named("extra"):
        return True
    laid = set[str]()
    for tale in story.own:
        if laid.intersection(square for change in _owned(tale) for square in _new(change)):
            return True
        laid.update(step.action.square for step in tale.steps if step.action.what == "extra")
    return False


def runs_out_of_stock(story: TurnsStory) -> bool:
    """Tests whether an own build lays another kind than its builder's, not the joker's, because that is used up."""
    for tale in story.own:
        build = tale.find("build")
        if build is not None:
            builder = build.before.builders[build.action.path]
            if builder not in (JOKER, KINDS[KIND_OF[CODES.index(build.action.tile)]]):
                return True
    return False


# Closing and podiums


def closes_now(story: TurnsStory) -> bool:
    """Tests whether every answer names an aqueduct to close voluntarily in the first turn."""
    closings = story.named("close")
    return bool(closings) and all(action.aqueduct != NOTHING for action in closings or ())


def waits(story: TurnsStory) -> bool:
    """Tests whether every answer says x-, and an own open aqueduct is on a higher podium at the line's end than now."""
    closings = story.named("close")
    if not closings or any(action.aqueduct != NOTHING for action in closings):
        return False
    last = {a.name: a for a in story.end.aqueducts}
    open_now = [a for a in story.first.after.aqueducts if a.open and a.owner == story.me and a.length]
    return any(_podium(story.end, last[a.name]) > podium_now(story.first.after, a.name) for a in open_now)


def _podium(position: Position, aqueduct: Aqueduct) -> int:
    return podium_now(position, aqueduct.name) if aqueduct.open else aqueduct.podium or 0


def squeezes_podiums(story: TurnsStory) -> bool:
    """Tests whether an own turn closes an own aqueduct on a podium below its length, or lowers that of a rival.

    A rival's is lowered if an open aqueduct, no shorter than before, would get less if closed after the turn.
    """
    return any(_takes_lower(tale) or _lowers_rival(tale) for tale in story.own if not tale.after.is_over)


def _takes_lower(tale: Tale) -> bool:
    most = len(tale.layout.podiums)
    return any(change.closes and (change.after.podium or 0) < min(change.after.length, most) for change in _owned(tale))


def _lowers_rival(tale: Tale) -> bool:
    for change in tale.changes:
        if change.after.owner != tale.me and change.after.open:
            before, after = podium_now(tale.before, change.name), podium_now(tale.after, change.name)
            if after < before:
                return True
    return False


# Builders


def uses_joker(story: TurnsStory) -> bool:
    """Tests whether an own build is done with the joker, or every answer names the joker's pick or placing."""
    builds = [build for tale in story.own if (build := tale.find("build"))]
    if any(build.before.builders[build.action.path] == JOKER for build in builds):
        return True
    named = [story.named("pick"), story.named("place")]
    return any(actions and all(action.builder == JOKER for action in actions) for actions in named)


def picks(story: TurnsStory) -> bool:
    """Tests whether every answer names what to take from the reserve."""
    return bool(story.named("pick"))


def places(story: TurnsStory) -> bool:
    """Tests whether every answer says where to place a builder, and other places would have done but for what follows.

    An answer says so by its token, or by a build from a place where no builder stands yet; then the held builder must
    be able to lay the same tile on the same square from another place too, from which no answer builds it.
    """
    if story.named("place"):
        return True
    builds = story.named("build") or []
    if not builds or any(build.path in story.start.builders for build in builds):
        return False
    wanted = {(build.square, build.tile) for build in builds}
    for place in (action for action in story.start.actions() if action.what == "place"):
        for other in story.start.act(place).actions():
            if other.path == place.path and (other.square, other.tile) in wanted and other not in builds:
                return True
    return False


def advances(story: TurnsStory) -> bool:
    """Tests whether every answer names the builder to move on in a turn without a tile [R5]."""
    return bool(story.named("advance"))


def needs_right_builder(story: TurnsStory) -> bool:
    """Tests whether every answer names a build, and the first turn's tile could be laid there by another builder too.

    None of the answers may name that other builder.
    """
    build, named = story.first.find("build"), story.named("build")
    if build is None or not named:
        return False
    alike = [a for a in build.before.actions() if (a.square, a.tile) == (build.action.square, build.action.tile)]
    return any(action not in named for action in alike)


def brings_into_sight(story: TurnsStory) -> bool:
    """Tests whether an own build uses a builder that an earlier own turn of the line moved last, or placed."""
    mine = set[str]()
    for tale in story.tales:
        build = tale.find("build")
        if tale.me == story.me and build is not None and build.action.path in mine:
            return True
        for step in tale.steps:
            if step.action.path:
                _follow(step.before, step.action, step.after, mine, own=tale.me == story.me)
    return False


def _follow(before: Position, action: Action, after: Position, mine: set[str], *, own: bool) -> None:
    """Notes where a builder stands that was moved or placed, if by the player; forgets it if by another."""
    if action.what != "place":
        mine.discard(action.path)
    if own:
        mine.add(_goal(before, action, after))


def _goal(before: Position, action: Action, after: Position) -> str:
    """Gets where a builder stands after an action with it."""
    return next((path for path in after.builders if path not in before.builders), action.path)


def takes_out_of_sight(story: TurnsStory) -> bool:
    """Tests whether the first turn takes a tile away from the rival who is next by moving a builder out of sight.

    Every answer names the build or advance. With the builder where it stood, and all else as it is after the turn, the
    rival could extend onto some square with some tile, and cannot now.
    """
    named, after = story.named("build") or story.named("advance"), story.first.after
    if story.start.is_solo or not named or after.is_over or after.mover == story.me:
        return False
    step = story.first.find("build") or story.first.find("advance")
    assert step is not None
    goal, index = _goal(step.before, step.action, step.after), after.layout.path_index
    back = after.state
    back.path[index[step.action.path]], back.path[index[goal]] = back.path[index[goal]], NONE
    return bool(_extensions(after.layout, back) - _extensions(after.layout, after.state))


def _extensions(layout: Layout, state: State) -> set[tuple[str, str]]:
    """Lists the squares and tiles of the extensions of the player to move, before any builder in hand is placed."""
    work = Work.new(layout.sizes)
    codes = work.actions[: kernel.extensions(layout.tables, state, work)]
    return {(build.square, build.tile) for build in (decode(layout, code) for code in codes)}


# Plans and threats


def escapes(story: TurnsStory) -> bool:
    """Tests whether a rival could wall in an own aqueduct before the first turn, and nobody can after it."""
    if not story.rivals or story.first.after.is_over:
        return False
    before = {look.aqueduct: look for look in story.start.graph().walls()}
    after = [look for look in story.first.after.graph().walls() if look.owner == story.me]
    return any(before[look.aqueduct].threats and not look.threats and not look.walled_in for look in after)


def leads_to_dead_end(story: TurnsStory) -> bool:
    """Tests whether the first turn leaves a rival's aqueduct, open still, without a way out, and it had one before."""
    if not story.rivals or story.first.after.is_over:
        return False
    before = {look.aqueduct: look for look in story.start.graph().walls()}
    after = [look for look in story.first.after.graph().walls() if look.owner != story.me]
    return any(look.is_dead_end and before[look.aqueduct].ways_out for look in after)


def invests(story: TurnsStory) -> bool:
    """Tests whether some other turn has a better lead, or in a study more points, if play stopped right after it."""
    at_once = _lead(story.first.after, story.me)
    if story.start.is_solo:
        return _planned(story.start, 1) > at_once
    best = solve(story.start, turns=1).value
    return best is not None and best > at_once


def _lead(position: Position, player: int, last: int | None = None) -> int:
    """Gets a player's lead over the best other one if play stopped; points alone in a study."""
    points = list(standing(position, last or player))
    mine = points.pop(player - 1)
    return mine - (0 if position.is_solo else max(points))


def is_zugzwang(story: TurnsStory) -> bool:
    """Tests whether the player, or the rival after the first turn, would do better if the turn could be left out.

    For plan: the same turns but one are worth more than all of them. For duel and endgame, of two players: the value
    with best play if the other were to move at once, the turn left out counted as taken.
    """
    if story.kind == "plan":
        return _planned(story.start, story.horizon - 1) > story.value
    if len(story.start.layout.players) != 2:
        return False
    left = story.horizon - 1 if story.kind == "duel" else None
    if (value := _value_of_passing(story.start, left)) is not None and value > story.value:
        return True
    if story.first.after.is_over or left == 0 or story.first.after.mover == story.me:
        return False
    after = _value_of_passing(story.first.after, None if left is None else left - 1)
    return after is not None and after > -story.value


def _planned(study: Position, turns: int) -> int:
    return study.study_points() if turns == 0 else plan(study, turns=turns).points or 0


def _value_of_passing(position: Position, turns: int | None) -> float | None:
    """Gets the mover's lead if the other player moves at once; none if that one has no workman."""
    mover = position.mover or 1
    other = 3 - mover
    if not any(a.open and a.owner == other for a in position.aqueducts):
        return None
    if turns == 0:
        return _lead(position, mover)
    fields = str(position).split(" ")
    fields[7] = str(other)
    found = solve(Position.parse(" ".join(fields), position.layout), turns=turns)
    assert found.value is not None
    return -found.value


TURNS: dict[str, Callable[[TurnsStory], bool]] = {
    "wall-in": walls_in,
    "rim": leads_to_rim,
    "shared-tile": shares_tile,
    "bridge-twice": passes_twice,
    "loose-chain": runs_on_loose_tiles,
    "fountain": uses_fountain,
    "out-of-stock": runs_out_of_stock,
    "close-now": closes_now,
    "wait": waits,
    "podium-squeeze": squeezes_podiums,
    "joker": uses_joker,
    "reserve-pick": picks,
    "placement": places,
    "advance": advances,
    "right-builder": needs_right_builder,
    "builder-in-sight": brings_into_sight,
    "builder-out-of-sight": takes_out_of_sight,
    "escape": escapes,
    "dead-end": leads_to_dead_end,
    "invest": invests,
    "zugzwang": is_zugzwang,
}
"""The predicates for kinds whose line is made of whole turns."""


def find_in_turns(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a line of whole turns."""
    story = TurnsStory(puzzle, proof)
    return frozenset(name for name, holds in TURNS.items() if holds(story))
