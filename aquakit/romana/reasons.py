"""Why an action is not legal, in one line with the rule; asked of the kernel, which alone knows the rules."""

from __future__ import annotations

from aquakit.romana import kernel
from aquakit.romana.kernel import (
    CLOSE,
    CODES,
    EMPTY,
    EXTRA,
    KINDS,
    MOVE,
    NONE,
    OVER,
    PICK,
    PLACE,
    SETUP,
    State,
    Work,
)
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Action, letters

DUE = {
    SETUP: ("setup", "a builder to place, like +cNe"),
    PLACE: ("place", "the held builder to place, like +cNe"),
    EXTRA: ("extra", "the extra tile, like g3=L"),
    CLOSE: ("close", "a closing, like xR2 or x-"),
    PICK: ("pick", "a pick from the reserve, like *b"),
}


def expected(layout: Layout, s: State) -> tuple[str, str]:
    """Says what the decision at hand is: the action's name and a description with an example."""
    if s.phase == MOVE:
        if can_extend(layout, s):
            return "build", "an extension, like e5=F@Nd"
        return "advance", "a builder to advance, like @Nd"
    return DUE.get(s.phase, ("over", ""))


def can_extend(layout: Layout, s: State) -> bool:
    """Checks whether the player to move has an extension."""
    return kernel.extensions(layout.tables, s, Work.new(layout.sizes)) > 0


def why_not(layout: Layout, s: State, action: Action) -> tuple[str, str]:
    """Says why an action is not legal and what is expected instead."""
    if s.phase == OVER:
        return "the game is over" if not s.solo else "the player has no workman left [S1]", ""
    what, example = expected(layout, s)
    if action.what == "build" and s.phase == MOVE:
        return _why_no_build(layout, s, action), example
    if action.what == what or (action.what == "place" and s.phase == SETUP):
        reason = {
            "place": _why_no_place,
            "extra": _why_no_extra,
            "close": _why_no_close,
            "pick": _why_no_pick,
        }
        why = reason.get(action.what)
        return why(layout, s, action) if why else f"no builder stands on {action.path}", example
    if action.what == "advance" and s.phase == MOVE:
        return "an extension is possible and must be made (section 5, step 2) [R5]", example
    if action.what == "close":
        return "there is no voluntary closing here (section 5, step 6) [R9]", example
    return "is not the decision at hand (section 5)", example


def _why_no_build(layout: Layout, s: State, action: Action) -> str:
    t = layout.tables
    square, path = layout.square_index[action.square], layout.path_index[action.path]
    if s.tile[square] != EMPTY:
        return f"{action.square} is not empty"
    own = [a for a in range(t.aqueducts) if s.open >> a & 1 and t.owner[a] == s.player and s.face[a] == square]
    if not own:
        return f"no own workman stands before {action.square} (section 5, step 2a)"
    seeing = [a for a in own if kernel.sees(t, s, a, path)]
    if not seeing:
        names = ", ".join(layout.outlets[a].name for a in own)
        return f"{names} does not see {action.path} (section 5, step 2b)"
    if s.path[path] == NONE:
        return f"no builder stands on {action.path}"
    code = CODES.index(action.tile)
    kind = s.path[path]
    if not kernel.offered(t, s, kind) >> code & 1:
        return f"builder {KINDS[kind]} on {action.path} does not offer {action.tile} (section 5, step 2)"
    if not kernel.fits(t, s, square, code):
        return f"{action.tile} on {action.square} would join two aqueducts (section 4) [R3]"
    return f"{action.tile} on {action.square} does not meet the workman's side (section 5, step 2c)"


def _why_no_extra(layout: Layout, s: State, action: Action) -> str:
    square = layout.square_index[action.square]
    if s.tile[square] != EMPTY:
        return f"{action.square} is not empty"
    for a, outlet in enumerate(layout.outlets):
        if s.face[a] == square:
            ruling = "R13" if s.open >> a & 1 else "R6"
            return f"{action.square} lies before the end of {outlet.name} (section 5, step 4) [{ruling}]"
    allowed = "".join(CODES[code] for code in range(len(CODES)) if s.codes >> code & 1)
    return f"{action.tile} is not allowed, only {allowed} (section 5, step 4) [R14]"


def _why_no_close(layout: Layout, s: State, action: Action) -> str:
    a = layout.aqueduct_index[action.aqueduct]
    if layout.tables.owner[a] != s.player:
        return f"{action.aqueduct} belongs to another player (section 5, step 6)"
    if s.score[a] != kernel.OPEN:
        return f"{action.aqueduct} is closed already"
    return f"{action.aqueduct} has length 0 (section 5, step 6) [R9]"


def _why_no_pick(layout: Layout, s: State, action: Action) -> str:
    return f"the reserve holds {letters(s.reserve)}, no {action.builder} (section 5, step 8)"


def _why_no_place(layout: Layout, s: State, action: Action) -> str:
    if s.path[layout.path_index[action.path]] != NONE:
        return f"a builder stands on {action.path} already"
    if s.phase == SETUP:
        return f"no builder {action.builder} is left to place (section 7)"
    return f"builder {KINDS[kernel.first_held(s)]} is placed first (section 5, step 1)"
