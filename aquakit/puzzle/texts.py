"""The words of a made puzzle: its title, its hints from gentle to plain, and the explanation with its numbers.

A title plays on a theme and never names a place, a piece or what is done. The first hint names an idea, the last one a
place, a piece or a step. What is explained comes from the rules, from the proof and from its verdicts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator

from aquakit.board.telling import tell_decisions
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.model import LINE, Proof, Puzzle
from aquakit.puzzle.protocol import GREED, part_of
from aquakit.puzzle.themes import all_themes, in_order

CLAIMS = 3
"""So many things are said about the first turn, and one about each that follows."""


# Titles


def find_title(puzzle: Puzzle, themes: Collection[str], taken: Collection[str]) -> str:
    """Chooses a title from the themes and the board; one that is not taken yet, as long as there is any."""
    draw, words = random.Random(puzzle.position), all_themes()
    found = [title for theme in in_order(tuple(themes))[:3] for title in words[theme].titles] or ["A question"]
    draw.shuffle(found)
    board = part_of(puzzle.start).say_board(puzzle.position.split()[0])
    found += [f"{title} {board}" for title in found if board]
    free = [title for title in found if title not in taken]
    if free:
        return free[0]
    number = next(n for n in range(2, 1000) if f"{found[0]} {n}" not in taken)
    return f"{found[0]} {number}"


# Hints


def give_hints(puzzle: Puzzle, proof: Proof, themes: Collection[str]) -> tuple[str, ...]:
    """Gives two or three hints, from an idea to a place, a piece or a step."""
    kind, ordered, words = find_kind(puzzle.kind), in_order(tuple(themes)), all_themes()
    fitting = [theme for theme in kind.fitting(puzzle, proof) if theme in ordered]
    draw = random.Random(puzzle.position)
    ideas = [draw.choice(words[theme].ideas) for theme in (fitting or ordered)[:1]]
    return tuple(dict.fromkeys([*ideas, *kind.hints(puzzle, proof)]))


# Explanations

_BEST, _THEN = "Best is", "Then"
"""How the line's first turn and the others begin."""


def explain(puzzle: Puzzle, proof: Proof, other: str) -> str:
    """Says why the answer is right: its value and margin, what its turns do, and what another attempt gives away."""
    return " ".join([*_tell_value(puzzle, proof), *_tell_line(puzzle, proof), *_tell_other(puzzle, other)])


def _tell_value(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    kind = find_kind(puzzle.kind)
    rest = "" if proof.margin is None else f", and {kind.say_margin(proof.margin)}"
    yield f"{kind.say_value(puzzle, proof)}{rest}."


def _tell_line(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Tells what the turns of the line do, by the rules."""
    kind, position = find_kind(puzzle.kind), puzzle.start
    if not kind.is_played:
        yield f"{_BEST} {find_way(puzzle).say_line(proof.line)}: {kind.judge(puzzle, proof.line).words}."
        return
    why = position.room("board.why").why
    for number, text in enumerate(proof.line.split(LINE)):
        turn, after = position.carry_out(text)
        claims = [_within(claim.text) for claim in why(position, turn, after)][: 1 if number else CLAIMS]
        told = f"{_THEN if number else _BEST} {tell_decisions(position, turn)}"
        yield f"{told}{': ' if claims else ''}{'; '.join(claims)}."
        position = after


def _within(claim: str) -> str:
    """Writes a claim as a part of a sentence; names keep their capitals."""
    return claim if claim[1:2].isdigit() else claim[:1].lower() + claim[1:]


def _tell_other(puzzle: Puzzle, other: str) -> Iterator[str]:
    """Tells what an attempt that many would make gives away."""
    if other:
        kind = find_kind(puzzle.kind)
        yield f"{kind.other} {find_way(puzzle).say(other)}: {kind.judge(puzzle, other).words}."


def split_explanation(text: str, other: str = GREED) -> list[str]:
    """Splits an explanation where it comes to another turn or another answer, to be read piece by piece.

    `other` is how the kind calls the attempt that it compares with.

    >>> split_explanation("7 points. Best is nothing closed: waits. Then R1 closed. Greed plays R1 closed: 5 points.")
    ['7 points.', 'Best is nothing closed: waits.', 'Then R1 closed.', 'Greed plays R1 closed: 5 points.']
    >>> split_explanation("In my own words. Two sentences.\\nAnd a line.")
    ['In my own words. Two sentences.', 'And a line.']
    """
    openings = "|".join(map(re.escape, (_BEST, _THEN, GREED, other)))
    return [part for line in text.split("\n") for part in re.split(rf"(?<=\.) (?=(?:{openings}) )", line) if part]
