"""The words of a made puzzle: its title, its hints from gentle to plain, and the explanation with its numbers.

A title plays on a theme and never names a square, an aqueduct or what is done. The first hint names an idea, the last
one a square or an aqueduct. What is explained comes from the rules (`why`), from the proof and from its verdicts.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from aquakit.aquadukt.notation import Turn as CanalTurn
from aquakit.claims import signed
from aquakit.puzzle.answers import DECIDING, read
from aquakit.puzzle.kinds import LINE, Proof, find_kind
from aquakit.puzzle.model import Puzzle, write_number
from aquakit.puzzle.themes import in_order
from aquakit.romana.clicks import KIND_NAMES, name_builder
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn
from aquakit.words import capital, count, join

CLAIMS = 3
"""So many things are said about the first turn, and one about each that follows."""


class Words(NamedTuple):
    """What can be said about a theme before the answer is known."""

    idea: str
    """A gentle hint."""
    titles: tuple[str, ...]


WORDS = {
    "zugzwang": Words(
        "Ask what happens to whoever has to move next.", ("A turn too many", "After you", "No good moves")
    ),
    "two-at-once": Words("One turn can end more than one building site.", ("Two birds", "A busy day", "Double shift")),
    "shared-tile": Words(
        "A tile with two ways can serve two aqueducts.", ("Good neighbours", "Shared ground", "Side by side")
    ),
    "bridge-twice": Words(
        "A square that is passed twice counts twice.", ("Seen before", "Round about", "The long way home")
    ),
    "out-of-stock": Words(
        "Look at the stock: a builder whose kind is used up brings any other.",
        ("The empty shed", "Nothing left but choice", "Out of the ordinary"),
    ),
    "builder-out-of-sight": Words(
        "Look at the builders with your rival's eyes.", ("Gone for a walk", "Out of sight", "Look the other way")
    ),
    "builder-in-sight": Words(
        "A builder walks on after its work: think about who will need it there.",
        ("Where to next?", "A builder's round", "On the way"),
    ),
    "right-builder": Words(
        "The tile is one thing, who brings it another.", ("Whom to ask", "Two for one job", "The right hands")
    ),
    "advance": Words(
        "Nothing can be built; somebody has to walk all the same.",
        ("A quiet day", "Somebody has to go", "No work today"),
    ),
    "placement": Words(
        "The builder in your hand can stand anywhere that is free.", ("A free choice", "Where to put him", "Newcomer")
    ),
    "joker": Words("One builder can do everything.", ("Jack of all trades", "The odd one", "A friend of all tiles")),
    "reserve-pick": Words(
        "Think about the kind of tile that you will need next.",
        ("Pick and choose", "The hiring fair", "Who comes along?"),
    ),
    "escape": Words(
        "One of your aqueducts is about to be walled in.", ("A narrow escape", "Out of reach", "Trouble ahead")
    ),
    "dead-end": Words("See how few ways out your rival has.", ("No way through", "Closing doors", "A tight corner")),
    "wall-in": Words(
        "An aqueduct can come to its end without being closed by anyone.",
        ("Against the wall", "Stone on stone", "Bricked up"),
    ),
    "rim": Words("The rim of the board is an end like any other.", ("To the edge", "Land's end", "Over and out")),
    "loose-chain": Words(
        "Loose tiles wait for water: see where they lead.", ("Running water", "A stroke of luck", "Ready-made")
    ),
    "fountain": Words(
        "A builder that passes a fountain brings a second tile.",
        ("A gift of the fountain", "One more, please", "Encore"),
    ),
    "podium-squeeze": Words(
        "Count the podiums that are still free, and who is on the way to them.",
        ("Standing room only", "Crowded steps", "Elbows"),
    ),
    "race": Words("Somebody else wants the same podium.", ("Neck and neck", "First come", "Against the clock")),
    "order": Words("What is closed first leaves less for what comes after.", ("One by one", "In good order", "Queue")),
    "wait": Words(
        "Compare what an aqueduct is worth now and later.", ("Now or later?", "A matter of time", "Ripe or not")
    ),
    "close-now": Words(
        "Compare what an aqueduct is worth now and later.", ("Now or later?", "A matter of time", "Harvest")
    ),
    "leave-open": Words("Not every aqueduct needs an order.", ("Open end", "Let it flow", "Unfinished")),
    "invest": Words(
        "The turn that brings most at once is not the best.",
        ("Patience", "Second thoughts", "The obvious and the good"),
    ),
    "corner": Words("The printed corners are tiles like any other.", ("Round the corner", "Corners", "Printed matter")),
    "last-tiles": Words("The stock is small: every tile counts.", ("Scraps", "The last of them", "Making do")),
    "cut-off": Words(
        "What your rivals do not get counts as much as what you get.", ("Dry spell", "Not for everybody", "Left out")
    ),
    "shared-canal": Words(
        "Water for others is sometimes the price of your own.", ("Shared water", "The neighbour's garden", "Both banks")
    ),
    "two-houses": Words("A canal has two sides.", ("Both sides", "Two at a time", "Left and right")),
    "all-watered": Words(
        "It is possible to leave no house of yours dry.", ("Everybody", "Full house", "No one thirsty")
    ),
    "double-canal": Words(
        "A second canal on the same segment reaches one square further.", ("Twice the water", "Depth", "Further afield")
    ),
    "long-way": Words(
        "A canal that waters nothing by itself may lead to one that does.",
        ("The long way", "Patience and stone", "Far off"),
    ),
    "spring": Words("A spring has two arms.", ("At the source", "A new arm", "Spring time")),
    "two-arms": Words("The canals need not all lie in one place.", ("Here and there", "Divided work", "Two sites")),
    "mountain": Words("Look at the mountains and what they hide.", ("In the hills", "Mountain air", "Mineral water")),
    "wait-for-the-die": Words("Nobody has to build.", ("Not this time", "Thanks, but no", "Another day")),
    "last-house": Words("Count the free squares of the region.", ("Full up", "The last plot", "No vacancy")),
    "lowest-first": Words("Wet ground is for small tiles.", ("Small is safe", "Modesty", "A hut by the water")),
    "dry-house": Words("Think about where the canals will go.", ("Trust", "On dry land", "The water will come")),
    "contested-house": Words("You are not alone in this region.", ("Close quarters", "Contested ground", "Neighbours")),
    "big-house": Words("Four houses are four houses.", ("A grand house", "High stakes", "The villa")),
}
"""What can be said about each theme."""

BOARDS = {"5x4": "on the small board", "7x6": "on the teaching board", "6x5": "in the small valley"}


# Titles


def find_title(puzzle: Puzzle, themes: Collection[str], taken: Collection[str]) -> str:
    """Chooses a title from the themes and the board; one that is not taken yet, as long as there is any."""
    draw = random.Random(puzzle.position)
    found = [title for theme in in_order(tuple(themes))[:3] for title in WORDS[theme].titles]
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
    fitting = [theme for theme in ordered if theme in _FITTING.get(_decisive(puzzle, proof), ())]
    idea = WORDS[(fitting or ordered)[0]].idea
    return tuple(dict.fromkeys([idea, *_plain_hints(puzzle, proof)]))


_FITTING = {
    "close": ("close-now", "wait", "podium-squeeze", "zugzwang"),
    "pick": ("reserve-pick", "joker"),
    "place": ("placement", "joker", "builder-in-sight"),
    "extra": ("fountain",),
    "advance": ("advance", "builder-in-sight", "builder-out-of-sight"),
}
"""The themes that a deciding step is about; a build can be about any."""


def _decisive(puzzle: Puzzle, proof: Proof) -> str:
    """Gets what kind of step decides, for answers that are turns of Aqua Romana."""
    if puzzle.kind not in ("plan", "duel", "endgame"):
        return ""
    return _first_decision(proof).what


def _first_decision(proof: Proof) -> Action:
    """Gets the most telling of the steps that all accepted answers have in common."""
    shared = [Turn.read_action(token) for token in shared_tokens(proof)]
    return min(shared, key=lambda action: DECIDING.index(action.what))


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
            yield from _hint_at_turn(proof)


def shared_tokens(proof: Proof) -> tuple[str, ...]:
    """Lists the tokens that all accepted answers have, in their order."""
    first, *rest = (read(answer) for answer in proof.accepted)
    return tuple(token for token in first if all(token in answer for answer in rest))


def _hint_at_turn(proof: Proof) -> Iterator[str]:
    action = _first_decision(proof)
    yield f"What decides is {_DECIDES[action.what]}."
    yield _say_plainly(action)


_DECIDES = {
    "build": "where and what you build",
    "advance": "which builder moves on",
    "close": "what you close, if anything",
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
    closings = [token.partition("@") for token in proof.line.split() if "@" in token]
    yield f"{capital(count(len(closings), 'aqueduct'))} {'is' if len(closings) == 1 else 'are'} closed by order."
    name, _, number = closings[0] if closings else ("", "", "")
    yield f"{name} is closed in round {number}." if name else "Leave all of them open."


# Explanations


def explain(puzzle: Puzzle, proof: Proof, other: str) -> str:
    """Says why the answer is right: its value and margin, what its turns do, and what another attempt gives away."""
    return " ".join([*_tell_value(puzzle, proof), *_tell_line(puzzle, proof), *_tell_other(puzzle, other)])


def _tell_value(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    number = write_number(proof.value)
    net = number if isinstance(number, str) else signed(number)
    whose = "Houses" if puzzle.given.get("alone") else "Net houses"
    worth = {
        "plan": f"{number} podium points in {count(puzzle.horizon, 'turn')}",
        "timing": f"{number} podium points after {count(puzzle.horizon, 'round')}",
        "longest": f"Length {number}",
        "duel": f"A margin of {net} after {count(puzzle.horizon, 'turn')}",
        "endgame": f"A margin of {net} at the end of the game",
        "canals": f"{whose} {net} with {count(puzzle.horizon, 'canal')}",
        "house": f"{whose} {net} on average",
    }[puzzle.kind]
    margin = "" if proof.margin is None else f", and everything else gets at least {write_number(proof.margin)} less"
    yield f"{worth}{margin}."


def _tell_line(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Tells what the turns of the line do, by the rules."""
    if puzzle.kind in ("timing", "longest"):
        yield f"Best is {proof.line}: {find_kind(puzzle.kind).judge(puzzle, proof.line).words}."
        return
    position: Any = puzzle.start
    why = position.room("why").why
    for number, text in enumerate(proof.line.split(LINE)):
        turn, after = position.carry_out(text)
        claims = [claim.text for claim in why(position, turn, after)][: 1 if number else CLAIMS]
        yield f"{'Then ' if number else ''}{turn}{': ' if claims else ''}{'; '.join(claims)}."
        position = after


def _tell_other(puzzle: Puzzle, other: str) -> Iterator[str]:
    """Tells what an attempt that many would make gives away."""
    if other:
        verdict = find_kind(puzzle.kind).judge(puzzle, other)
        yield f"The obvious answer, {other}: {verdict.words}."
