"""Why an action is not legal, in one line with the rule; asked of the kernel, which alone knows the rules."""

from __future__ import annotations

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import AGAIN, CANAL, DIE, FREE, HOUSE, NONE, OVER, TURN, State
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Action

EXPECTED = {
    # phase: a word for it, and what is expected
    TURN: ("turn", "roll, a spring like spring 3.5, or a canal like canal 3.5h"),
    DIE: ("die", "what the die shows, like die 7"),
    HOUSE: ("house", "a tile like 3 e4, or decline"),
    AGAIN: ("again", "roll or stop"),
    CANAL: ("canal", "a second canal like canal 3.5h, or stop"),
    OVER: ("over", ""),
}
FITTING = {
    TURN: ("roll", "spring", "canal", "pass"),
    DIE: ("die",),
    HOUSE: ("house", "decline"),
    AGAIN: ("roll", "stop"),
    CANAL: ("canal", "stop"),
}


def expected(layout: Layout, s: State) -> tuple[str, str]:
    """Says what the decision at hand is: a word and a description with an example."""
    return EXPECTED[s.phase]


def why_not(layout: Layout, s: State, action: Action) -> tuple[str, str]:
    """Says why an action is not legal and what is expected instead."""
    example = EXPECTED[s.phase][1]
    if s.phase == OVER:
        return "the game is over", example
    if action.what not in FITTING[s.phase]:
        return "is not the decision at hand (section 3)", example
    if action.what == "die":
        return f"region {action.region} has no free square, so the throw does not count (section 3) [Q8]", example
    reasons = {"roll": _why_no_roll, "house": _why_no_house, "spring": why_no_spring, "canal": why_no_canal}
    if action.what in reasons:
        return reasons[action.what](layout, s, action), example
    return "another action is possible (section 3)", example


def _why_no_roll(layout: Layout, s: State, action: Action) -> str:
    if s.roomy == 0:
        return "no region has a free square (section 3)"
    return f"player {s.player + 1} has no tile left (section 3)"


def _why_no_house(layout: Layout, s: State, action: Action) -> str:
    square = layout.square_index[action.square]
    if layout.region[square] != s.die:
        return f"{action.square} lies in region {layout.region[square] + 1}, the die shows {s.die + 1}"
    if s.tile[square] != FREE:
        return f"{action.square} is not free"
    if s.hand[4 * s.player + action.value - 1] == 0:
        return f"player {s.player + 1} has no tile of value {action.value} left"
    lowest = kernel.lowest_value(s)
    return f"{action.square} has water, so only the lowest value, {lowest}, may be put there (section 3)"


def why_no_spring(layout: Layout, s: State, action: Action) -> str:
    """Says why a spring may not stand on a point."""
    if s.springs == layout.springs:
        return "no spring is left"
    point = layout.point_index[action.point]
    for other in s.spring[: s.springs]:
        steps = layout.distance(point, other)
        if steps < layout.spring_distance:
            name = layout.point_names[other]
            least = layout.spring_distance
            return f"{action.point} is {steps} steps from the spring on {name}, fewer than {least} [Q2]"
    return f"a canal touches {action.point}"


def why_no_canal(layout: Layout, s: State, action: Action) -> str:
    """Says why no canal may be laid on a segment."""
    segment = layout.segment_index[action.segment]
    if s.left == 0:
        return "no canal is left"
    if s.canal[segment] == 2:
        return f"{action.segment} is double already"
    if s.canal[segment] == 1:
        return f"the segment before {action.segment} is not double (section 3)"
    ends = [p for p in layout.point_index.values() for d in range(4) if layout.tables.along[4 * p + d] == segment]
    if any(slot_tip in ends for slot_tip in s.tip if slot_tip != NONE):
        return f"the far point of {action.segment} is not free [Q3]"
    return f"{action.segment} lies at no arm's end and at no spring with fewer than two arms (section 3)"
