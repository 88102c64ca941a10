"""The words of a made puzzle: its title, its hints from gentle to plain, and the explanation with its numbers.

A title plays on a theme and never names a square, an aqueduct or what is done. The first hint names an idea, the last
one a square or an aqueduct. What is explained comes from the rules (`why`), from the proof and from its verdicts.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from aquakit.aquadukt.notation import Turn as CanalTurn
from aquakit.board.claims import signed
from aquakit.core.words import count, join
from aquakit.puzzle.answers import DECIDING, read
from aquakit.puzzle.kinds import LINE, Proof, find_kind
from aquakit.puzzle.model import Puzzle, write_number
from aquakit.puzzle.themes import in_order
from aquakit.romana.board.clicks import KIND_NAMES, name_builder
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn

CLAIMS = 3
"""So many things are said about the first turn, and one about each that follows."""


class Words(NamedTuple):
    """What can be said about a theme before the answer is known."""

    ideas: tuple[str, ...]
    """Gentle hints; each of them is true wherever the theme is, and one is given."""
    titles: tuple[str, ...]


def _words(ideas: str, titles: str) -> Words:
    return Words(tuple(ideas.split(" / ")), tuple(titles.split(" / ")))


NOW_OR_LATER = (
    "Compare what an aqueduct is worth now and later. / A workman on a podium builds no more: is it time? / "
    "Is this the moment to close something, or is it too early?"
)
"""To close and to wait are hinted at alike, so that the hint does not choose; nor does the title."""
MOMENTS = (
    "Now or later? / A matter of time / Harvest / Ripe or not / Growing season / In its own time / The right moment / "
    "Today or tomorrow / When, if not now? / How long is long enough? / The clock on the wall / Ebb and flow / "
    "To sign or not to sign / Slow water / Due date / Of time and water / A time for everything"
)


WORDS = {
    "zugzwang": _words(
        "Ask what happens to whoever has to move next.",
        "A turn too many / After you / No good moves / Stand and deliver / The empty hand / Your move, "
        "alas / Nowhere to hide",
    ),
    "shared-tile": _words(
        "A tile with two ways can serve two aqueducts. / Two ways can cross a square without meeting.",
        "Good neighbours / Shared ground / Side by side / Half and half / Two masters / A common wall / Fair shares",
    ),
    "bridge-twice": _words(
        "A square that is passed twice counts twice. / An aqueduct may come back to where it has been.",
        "Seen before / Round about / The long way home / Full circle / Again and again / Back to the "
        "bridge / A loop in the line / Twice over",
    ),
    "out-of-stock": _words(
        "Look at the stock: a builder whose kind is used up brings any other. / "
        "What is used up sets its builder free: look at the stock.",
        "The empty shed / Nothing left but choice / Out of the ordinary / Sold out / The last of its kind"
        " / Bare shelves / Shortage",
    ),
    "builder-out-of-sight": _words(
        "Look at the builders with your rival's eyes. / What would your rival like to build next, and with whose help?",
        "Gone for a walk / Out of sight / Look the other way / A quiet departure / Round the bend / "
        "Vanishing act / Off to the other side / Eyes everywhere",
    ),
    "builder-in-sight": _words(
        "A builder walks on after its work: think about who will need it there. / "
        "Think of your next tile too, and of who will bring it.",
        "Where to next? / A builder's round / On the way / The next appointment / Meeting point / See you"
        " there / Two steps ahead / Rendezvous",
    ),
    "right-builder": _words(
        "The tile is one thing, who brings it another. / "
        "Two builders can bring the tile. Which of them should walk on?",
        "Whom to ask / Two for one job / The right hands / Same stone, other mason / Which of them? / A "
        "question of staff / Ask the other one",
    ),
    "advance": _words(
        "Nothing can be built; somebody has to walk all the same.",
        "A quiet day / Somebody has to go / No work today / Walk on / Idle hands / A stroll along the "
        "wall / Keep moving",
    ),
    "placement": _words(
        "The builder in your hand can stand anywhere that is free.",
        "A free choice / Where to put him / Newcomer / A place in the sun / Room for one more / The new "
        "mason / Position is everything",
    ),
    "joker": _words(
        "One builder can do everything.",
        "Jack of all trades / The odd one / A friend of all tiles / The wild card / Master of all / "
        "Anything goes / The handyman",
    ),
    "reserve-pick": _words(
        "Think about the kind of tile that you will need next.",
        "Pick and choose / The hiring fair / Who comes along? / Reinforcements / Choosing the crew / A "
        "new face / From the bench",
    ),
    "escape": _words(
        "One of your aqueducts is about to be walled in.",
        "A narrow escape / Out of reach / Trouble ahead / Slipping away / The open flank / Just in time /"
        " Make for the gap",
    ),
    "dead-end": _words(
        "See how few ways out your rival has.",
        "No way through / Closing doors / A tight corner / Cul-de-sac / The shrinking field / Shut the "
        "gate / A dry end",
    ),
    "wall-in": _words(
        "An aqueduct can come to its end without being closed by anyone. / Look for an end that has no way on.",
        "Against the wall / Stone on stone / Bricked up / The last stone / Four walls / Walled up / Brick"
        " by brick / A dead stop",
    ),
    "rim": _words(
        "The rim of the board is an end like any other.",
        "To the edge / Land's end / Over and out / The city limits / The outer wall / As far as it goes /"
        " At the border",
    ),
    "loose-chain": _words(
        "Loose tiles wait for water: see where they lead. / "
        "A part of the work is done already: look at the tiles without water.",
        "Running water / A stroke of luck / Ready-made / Waiting for water / Somebody else's work / The "
        "missing link / Windfall / Dry bed / Old stones",
    ),
    "fountain": _words(
        "A builder that passes a fountain brings a second tile. / "
        "Who walks past a fountain? / "
        "A turn can bring more than one tile.",
        "A gift of the fountain / One more, please / Encore / The second tile / Round the fountain / A "
        "splash / A little extra / Two for one / Something on top",
    ),
    "podium-squeeze": _words(
        "Count the podiums that are still free, and who is on the way to them. / "
        "There is not room for everybody on the podiums.",
        "Standing room only / Crowded steps / Elbows / No room at the top / The crowded stair / A step "
        "lower / Taken seats / Full house on the steps",
    ),
    "race": _words(
        "Somebody else wants the same podium. / A round later can be a round too late.",
        "Neck and neck / First come / Against the clock / Photo finish / One step ahead / Hot pursuit / "
        "Who is first? / A close call",
    ),
    "order": _words(
        "What is closed first leaves less for what comes after. / It matters which one goes first.",
        "One by one / In good order / Queue / First things first / Before and after / The right sequence "
        "/ Timetable / Which one first?",
    ),
    "wait": _words(NOW_OR_LATER, MOMENTS),
    "close-now": _words(NOW_OR_LATER, MOMENTS),
    "leave-open": _words(
        "Not every aqueduct needs an order.",
        "Open end / Let it flow / Unfinished / No hurry / To the very end / Keep it running / Wide open / Never mind",
    ),
    "invest": _words(
        "The turn that brings most at once is not the best. / Do not take the first points that you see.",
        "Patience / Second thoughts / The obvious and the good / A step back / Penny wise / Less is more "
        "/ The slow way / Seed corn / Not what it seems",
    ),
    "corner": _words(
        "The printed corners are tiles like any other.",
        "Round the corner / Corners / Printed matter / Four corners / Turn at the wall / The bend / Along the edge",
    ),
    "last-tiles": _words(
        "The stock is small: every tile counts. / See what is left in the box before you begin.",
        "Scraps / The last of them / Making do / What is left / The bottom of the box / To the last stone / Leftovers",
    ),
    "cut-off": _words(
        "What your rivals do not get counts as much as what you get.",
        "Dry spell / Not for everybody / Left out / Selfish water / A drop too many / For us alone / Keep it from them",
    ),
    "shared-canal": _words(
        "Water for others is sometimes the price of your own.",
        "Shared water / The neighbour's garden / Both banks / A price to pay / Good fences / Water for "
        "two / Common water",
    ),
    "two-houses": _words(
        "A canal has two sides. / One canal can do the work of two.",
        "Both sides / Two at a time / Left and right / One canal, two roofs / In between / Double benefit"
        " / A street of houses",
    ),
    "all-watered": _words(
        "It is possible to leave no house of yours dry.",
        "Everybody / Full house / No one thirsty / Not one left out / Complete / The whole family / All taps on",
    ),
    "double-canal": _words(
        "A second canal on the same segment reaches one square further. / A segment can hold two canals.",
        "Twice the water / Depth / Further afield / Second helping / Reinforced / More of the same / Wide"
        " water / A deeper channel",
    ),
    "long-way": _words(
        "A canal that waters nothing by itself may lead to one that does. / Not every canal has to pay at once.",
        "The long way / Patience and stone / Far off / Distance / Round the houses / The detour / The end"
        " of the line / It will pay",
    ),
    "spring": _words(
        "A spring has two arms. / There is a spring with an arm that has not begun yet.",
        "At the source / A new arm / Spring time / Fresh water / Beginnings / Where it all starts / The source",
    ),
    "two-arms": _words(
        "The canals need not all lie in one place. / There is work in more than one place.",
        "Here and there / Divided work / Two sites / Split / Both hands / Fork / East and west",
    ),
    "mountain": _words(
        "Look at the mountains and what they hide. / What is in the mountains changes the sum.",
        "In the hills / Mountain air / Mineral water / Beneath the rock / The hill knows / Good and bad "
        "springs / Under the summit",
    ),
    "wait-for-the-die": _words(
        "Nobody has to build.",
        "The roll of the die / What the die says / Lucky number / A gift? / By chance / Food for thought / "
        "A throw of the die",
    ),
    "last-house": _words(
        "Count the free squares of the region. / What happens when a region is full?",
        "Full up / The last plot / No vacancy / One plot left / Closing the row / The gap / Last call",
    ),
    "lowest-first": _words(
        "Wet ground is for small tiles.",
        "Small is safe / Modesty / A hut by the water / Little by little / Small beginnings / The humble "
        "tile / Low and wet",
    ),
    "dry-house": _words(
        "Think about where the canals will go. / Dry ground need not stay dry.",
        "Trust / On dry land / The water will come / Ahead of the water / Building on hope / Speculation "
        "/ A thirsty plot / Someday",
    ),
    "contested-house": _words(
        "You are not alone in this region. / Others have built in this region too.",
        "Close quarters / Contested ground / Neighbours / Mixed company / Elbow room / Who lives here? / Shared street",
    ),
    "big-house": _words(
        "Look at the largest tiles.",
        "High stakes / A roof for many / How high? / Bricks and mortar / The size of it / Room for how many? / "
        "Large or small",
    ),
}
"""What can be said about each theme."""

BOARDS = {"5x4": "on the small board", "7x6": "on the teaching board", "6x5": "in the small valley"}


# Titles


def find_title(puzzle: Puzzle, themes: Collection[str], taken: Collection[str]) -> str:
    """Chooses a title from the themes and the board; one that is not taken yet, as long as there is any."""
    draw = random.Random(puzzle.position)
    found = [title for theme in in_order(tuple(themes))[:3] for title in WORDS[theme].titles] or ["A question"]
    draw.shuffle(found)
    board = next((words for part, words in BOARDS.items() if puzzle.position.split()[0].endswith(part)), "")
    found += [f"{title} {board}" for title in found if board]
    free = [title for title in found if title not in taken]
    if free:
        return free[0]
    number = next(n for n in range(2, 1000) if f"{found[0]} {n}" not in taken)
    return f"{found[0]} {number}"


# Hints


def give_hints(puzzle: Puzzle, proof: Proof, themes: Collection[str]) -> tuple[str, ...]:
    """Gives two or three hints, from an idea to a square or an aqueduct."""
    ordered = in_order(tuple(themes))
    about = _FITTING.get(_decisive(puzzle, proof), ())
    fitting = [theme for theme in about if theme in ordered]
    draw = random.Random(puzzle.position)
    ideas = [draw.choice(WORDS[theme].ideas) for theme in (fitting or ordered)[:1]]
    return tuple(dict.fromkeys([*ideas, *_plain_hints(puzzle, proof)]))


_FITTING = {
    "close": ("close-now", "wait", "podium-squeeze", "zugzwang"),
    "pick": ("reserve-pick", "joker"),
    "place": ("placement", "joker", "builder-in-sight"),
    "extra": ("fountain",),
    "advance": ("advance", "builder-in-sight", "builder-out-of-sight"),
    "canals": ("double-canal", "all-watered", "mountain", "cut-off", "two-houses", "long-way", "two-arms"),
    "house": ("wait-for-the-die", "lowest-first", "mountain", "dry-house", "last-house", "contested-house"),
}
"""The themes that a deciding step, or all of a kind, is about, the most telling first; a build can be about any."""


def _decisive(puzzle: Puzzle, proof: Proof) -> str:
    """Gets what kind of step decides, for answers that are turns of Aqua Romana; otherwise the kind of puzzle."""
    return _decisions(puzzle, proof)[0].what if puzzle.kind in ("plan", "duel", "endgame") else puzzle.kind


def _decisions(puzzle: Puzzle, proof: Proof) -> list[Action]:
    """Lists the player's steps that all accepted answers have in common, or one answer's, the most telling first."""
    own = Counter(_own_tokens(puzzle, proof))
    shared = list((Counter(shared_tokens(proof)) & own) or (Counter(read(proof.accepted[0])) & own) or own)
    return sorted(map(Turn.read_action, shared), key=lambda action: _TELLING.index(action.what))


def _own_tokens(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Lists what the player decides in the line's first turn; a rival who is walled in picks a builder at its end."""
    moment: Any = puzzle.start
    for action in moment.carry_out(proof.line.split(LINE)[0])[0]:
        if moment.player == puzzle.start.player:
            yield str(action)
        moment = moment.act(action)


_TELLING = ("build", "extra", *(what for what in DECIDING if what not in ("build", "extra")))
"""What is hinted at first: tiles, which have to be found, before closings, which are few."""


def _plain_hints(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    match puzzle.kind:
        case "canals":
            yield from _hint_at_canals(puzzle, proof)
        case "house":
            yield from _hint_at_house(proof)
        case "longest":
            yield from _hint_at_tiles(puzzle, proof)
        case "timing":
            yield from _hint_at_closings(proof)
        case _:
            yield from _hint_at_turn(puzzle, proof)


def shared_tokens(proof: Proof) -> tuple[str, ...]:
    """Lists the tokens that all accepted answers have, in their order."""
    first, *rest = (read(answer) for answer in proof.accepted)
    return tuple(token for token in first if all(token in answer for answer in rest))


def _hint_at_turn(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    first, *rest = _decisions(puzzle, proof)
    named = [first, *rest[:1]]
    if first.what == "build":
        facing = [a.name for a in _own_aqueducts(puzzle) if a.facing == first.square]
        yield f"It is about {join(facing)}." if facing else "It is about where you build."
    else:
        yield f"What decides is {join(list(dict.fromkeys(_DECIDES[action.what] for action in named)))}."
    yield " ".join([*map(_say_plainly, named), *_say_choice(proof, {action.what for action in named})])


def _say_choice(proof: Proof, named: Collection[str]) -> Iterator[str]:
    """Says where to build or what to close, where that is so in all answers but does not matter how."""
    turns = [[Turn.read_action(token) for token in read(answer)] for answer in proof.accepted]
    builds = [[action.square for action in turn if action.what == "build"] for turn in turns]
    squares = {square for found in builds for square in found}
    if "build" not in named and all(builds) and len(squares) == 1:
        yield f"Build on {squares.pop()}."
    closings = [[action.aqueduct for action in turn if action.what == "close"] for turn in turns]
    names = {name for found in closings for name in found}
    if "close" not in named and all(closings) and "-" not in names:
        yield f"Close {join(sorted(names), 'or')}."


def _own_aqueducts(puzzle: Puzzle) -> list[Any]:
    start: Any = puzzle.start
    return [a for a in start.aqueducts if a.open and a.owner == start.player]


_DECIDES = {
    "build": "where and what you build",
    "advance": "which builder moves on",
    "close": "what is closed or left open",
    "pick": "what you take from the reserve",
    "place": "where you place the builder that you hold",
    "extra": "the extra tile",
}


def _say_plainly(action: Action) -> str:
    match action.what:
        case "build":
            kind = KIND_NAMES[KINDS[KIND_OF[CODES.index(action.tile)]]]
            return f"Build a {kind} on {action.square}."
        case "advance":
            return f"Move on the builder on {action.path}."
        case "close":
            return "Close nothing yet." if action.aqueduct == "-" else f"Close {action.aqueduct}."
        case "pick":
            return f"Take the {name_builder(action.builder)}."
        case "place":
            return f"Place the {name_builder(action.builder)} on {action.path}."
        case _:
            return f"The extra tile belongs on {action.square}."


def _hint_at_canals(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    canals = [action for text in proof.line.split(LINE) for action in CanalTurn.parse(text) if action.what == "canal"]
    start: Any = puzzle.start
    end = start
    for action in canals:
        end = end.act(action)
    arms = [arm for arm in end.arms if any(action.segment in arm.segments for action in canals)]
    springs = join(list(dict.fromkeys(arm.spring for arm in arms)))
    yield f"The water comes from the spring{'s' if len(arms) > 1 and ' ' in springs else ''} at {springs}."
    shared = [action.segment for action in canals if all(action.segment in answer for answer in proof.accepted)]
    yield f"A canal lies on {shared[-1] if shared else canals[-1].segment}."


def _hint_at_house(proof: Proof) -> Iterator[str]:
    answer = CanalTurn.parse(proof.accepted[0])[0]
    if answer.what == "decline":
        yield "See what every tile would lose here."
        yield "Put nothing there."
    else:
        yield f"A tile of {count(answer.value, 'house')} is right."
        yield f"It belongs on {answer.square}."


def _hint_at_tiles(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    tiles = Turn.parse(proof.line)
    kinds = [KINDS[KIND_OF[CODES.index(tile.tile)]] for tile in tiles]
    parts = [count(kinds.count(kind), KIND_NAMES[kind]) for kind in KINDS if kind in kinds]
    yield f"One of the longest ways takes {join(parts)}."
    yield f"It can begin with {tiles[0]} and ends on {tiles[-1].square}."


def _hint_at_closings(proof: Proof) -> Iterator[str]:
    """Hints at what all accepted schedules have in common; what may be done or not is no hint."""
    needed = [[token for token in read(answer) if _is_closing(token)] for answer in proof.accepted]
    fewest = min(map(len, needed))
    if not fewest:
        yield "What you leave open matters more than what you close."
        left = [token.partition("@")[0] for token in shared_tokens(proof) if "@" in token]
        yield f"Leave {join(left)} open to the end." if left else "Close nothing in the first round."
        return
    yield f"The right moment matters for {'one aqueduct' if fewest == 1 else f'{fewest} aqueducts'}."
    sure = [token for token in shared_tokens(proof) if _is_closing(token)]
    name, _, number = (sure or needed[0])[0].partition("@")
    yield f"{name} {'is' if sure else 'can be'} closed in round {number}."


def _is_closing(token: str) -> bool:
    return "@" in token and not token.endswith("@-")


# Explanations

_BEST, _THEN = "Best is", "Then"
"""How the line's first turn and the others begin."""


def explain(puzzle: Puzzle, proof: Proof, other: str) -> str:
    """Says why the answer is right: its value and margin, what its turns do, and what another attempt gives away."""
    return " ".join([*_tell_value(puzzle, proof), *_tell_line(puzzle, proof), *_tell_other(puzzle, other)])


def _tell_value(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    number = say_number(proof.value)
    net = number if isinstance(proof.value, Fraction) else signed(proof.value)
    houses = f"{number} watered houses" if puzzle.given.get("alone") else f"Net houses {net}"
    worth = {
        "plan": f"{number} podium points in {count(puzzle.horizon, 'turn')}",
        "timing": f"{number} podium points after {count(puzzle.horizon, 'round')}",
        "longest": f"Length {number}",
        "duel": f"A margin of {net} after {count(puzzle.horizon, 'turn')}",
        "endgame": f"A margin of {net} at the end of the game",
        "canals": f"{houses} with {count(puzzle.horizon, 'canal')}",
        "house": f"{houses}{' on average' if ' roll' in proof.line else ''}",
    }[puzzle.kind]
    if proof.margin is None:
        yield f"{worth}."
    elif puzzle.kind == "longest":
        yield f"{worth}, and the next longest way is {say_number(proof.margin)} shorter."
    else:
        yield f"{worth}, and everything else gets at least {say_number(proof.margin)} less."


def say_number(number: int | Fraction) -> str:
    """Writes a number for people: fractions as decimals, with what they are exactly.

    >>> say_number(7), say_number(Fraction(53, 18))
    ('7', '2.94 (exactly 53/18)')
    """
    return str(number) if number == int(number) else f"{float(number):.2f} (exactly {write_number(number)})"


def _tell_line(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Tells what the turns of the line do, by the rules."""
    if puzzle.kind in ("timing", "longest"):
        yield f"{_BEST} {proof.line}: {find_kind(puzzle.kind).judge(puzzle, proof.line).words}."
        return
    position: Any = puzzle.start
    why = position.room("board.why").why
    for number, text in enumerate(proof.line.split(LINE)):
        turn, after = position.carry_out(text)
        claims = [_within(claim.text) for claim in why(position, turn, after)][: 1 if number else CLAIMS]
        yield f"{_THEN if number else _BEST} {turn}{': ' if claims else ''}{'; '.join(claims)}."
        position = after


def _within(claim: str) -> str:
    """Writes a claim as a part of a sentence; names keep their capitals."""
    return claim if claim[1:2].isdigit() else claim[:1].lower() + claim[1:]


def _tell_other(puzzle: Puzzle, other: str) -> Iterator[str]:
    """Tells what an attempt that many would make gives away."""
    if other:
        verdict = find_kind(puzzle.kind).judge(puzzle, other)
        yield f"{_OTHER.get(puzzle.kind, GREED)} {other}: {verdict.words}."


GREED = "Greed plays"
_OTHER = {
    "longest": "Another way is",
    "timing": "Another schedule is",
    "canals": "Who always lays the best next one has",
}
"""How the attempt is called that the explanation compares with; of most kinds it is the greedy bot's."""


def split_explanation(text: str) -> list[str]:
    """Splits an explanation where it comes to another turn or another answer, to be read piece by piece.

    >>> split_explanation("7 points. Best is x-: waits. Then xR1: closes R1. Greed plays xR1: 5 points.")
    ['7 points.', 'Best is x-: waits.', 'Then xR1: closes R1.', 'Greed plays xR1: 5 points.']
    >>> split_explanation("In my own words. Two sentences.\\nAnd a line.")
    ['In my own words. Two sentences.', 'And a line.']
    """
    openings = "|".join(map(re.escape, (_BEST, _THEN, GREED, *_OTHER.values())))
    return [part for line in text.split("\n") for part in re.split(rf"(?<=\.) (?=(?:{openings}) )", line) if part]
