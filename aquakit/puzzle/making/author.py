"""Writes a puzzle out: one call proves what somebody asks and adds what solvers read, where the author says nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from aquakit.core.position import AnyPosition
from aquakit.core.tomlfile import read_table
from aquakit.puzzle.difficulty import rate
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Answer, Proof, Puzzle, PuzzleError, PuzzleSet
from aquakit.puzzle.texts import explain, find_title, give_hints
from aquakit.puzzle.themes import find_themes, in_order

Made = tuple[Puzzle, Answer]


def write_puzzle(
    kind: str,
    position: AnyPosition | str,
    horizon: int = 0,
    *,
    name: str,
    given: Mapping[str, Any] | None = None,
    title: str = "",
    hints: Sequence[str] = (),
    explanation: str = "",
    source: str = "made by hand",
) -> Made:
    """Proves a question and makes a puzzle and its answer of it, for `PuzzleSet.make`.

    Value, accepted answers, margin, themes and difficulty are what the kit finds; title, hints and explanation are the
    author's, or the kit's own words; `name` becomes the `id`. What cannot be proved in a minute, or has no wrong
    answer, is refused.

    >>> study = "romana2-5x4 F##77/.J.../...7./L+##J ..cs./b.d./...sc/.bd. - j,d 1.*,0.* 1.4.2.3 1! 0"
    >>> puzzle, answer = write_puzzle("plan", study, 2, name="fountain", title="The joker's fountain")
    >>> puzzle.value, answer.margin, answer.accepted
    (6, 1, ('d3=L@W4 e2=+ x-', 'd3=L@W4 e2=| x-'))
    """
    asked = Puzzle.draft(kind, position, horizon, given)
    proof = find_kind(kind).prove(asked)
    if proof.margin is None:
        raise asked.error("answers", "whatever is played is best", "a position in which some answer is wrong")
    proved = asked.model_copy(update={"value": proof.value})
    words = {"id": name, "title": title, "hints": tuple(hints), "source": source}
    return fill_in(proved, proof, find_themes(proved, proof), words, explanation)


def retell(made: PuzzleSet, *, only: Collection[str] = (), titles: Collection[str] | None = None) -> PuzzleSet:
    """Writes anew what the kit finds and says about a set's puzzles: themes, difficulty, hints and explanations.

    Questions and answers stay as they are, and nothing is proved: that is what a check is for. `only` names the puzzles
    that are meant. With `titles` they get new titles too, other ones than those and than the rest of the set has.

    >>> from aquakit import puzzles
    >>> known = puzzles("first-steps")
    >>> again = retell(known, only=["first-steps-03"])
    >>> again == known, again.answer("first-steps-03").accepted == known.answer("first-steps-03").accepted
    (True, True)
    """
    chosen = [puzzle.id for puzzle in made.puzzles if not only or made[puzzle.id].id in only]
    taken = {*(titles or ()), *(puzzle.title for puzzle in made.puzzles if puzzle.id not in chosen)}
    pairs = list[Made]()
    for puzzle in made.puzzles:
        answer = made.answer(puzzle)
        if puzzle.id in chosen:
            puzzle, answer = _retell_one(puzzle, answer, None if titles is None else taken)
            taken.add(puzzle.title)
        pairs.append((puzzle, answer))
    return PuzzleSet.make(made.name, made.title, made.text, pairs)


def arrange(made: PuzzleSet) -> PuzzleSet:
    """Puts a set's puzzles in order, from easy to hard, and numbers them: `first-steps-01`, `first-steps-02`, …

    >>> from aquakit import puzzles
    >>> known = puzzles("first-steps")
    >>> mixed = PuzzleSet.make("mine", "Mine", "Upside down.", [(p, known.answer(p)) for p in known.puzzles[::-1]])
    >>> [(puzzle.id, puzzle.difficulty) for puzzle in arrange(mixed).puzzles][:2]
    [('mine-01', 1), ('mine-02', 1)]
    """
    pairs = [
        (puzzle.model_copy(update={"id": f"{made.name}-{number:02}"}), made.answer(puzzle))
        for number, puzzle in enumerate(sorted(made.puzzles, key=lambda puzzle: puzzle.difficulty), start=1)
    ]
    return PuzzleSet.make(made.name, made.title, made.text, pairs)


def _retell_one(puzzle: Puzzle, answer: Answer, taken: Collection[str] | None) -> Made:
    proof = Proof(puzzle.value, answer.accepted, answer.margin, answer.line, answer.proof.method, answer.proof.searched)
    themes = find_themes(puzzle, proof)
    title = puzzle.title if taken is None else find_title(puzzle, themes, taken)
    told, said = fill_in(puzzle, proof, themes, {"id": puzzle.id, "title": title, "source": puzzle.source})
    return told, answer.model_copy(update={"explanation": said.explanation})


def fill_in(
    puzzle: Puzzle, proof: Proof, themes: Collection[str], words: Mapping[str, Any], explanation: str = ""
) -> Made:
    """Adds to a proved puzzle all that people read; what the author leaves empty is written here."""
    kind = find_kind(puzzle.kind)
    tried = (attempt for attempt in kind.find_obvious(puzzle) if not kind.accepts(puzzle, attempt, proof.accepted))
    wrong = next(tried, "")
    made = puzzle.model_dump() | {
        **words,
        "title": words.get("title") or find_title(puzzle, themes, ()),
        "themes": in_order(tuple(themes)),
        "difficulty": rate(puzzle, proof),
        "hints": words.get("hints") or give_hints(puzzle, proof, themes),
    }
    answer = Answer.make(proof, explanation or explain(puzzle, proof, wrong))
    return read_table(made, Puzzle, words["id"], PuzzleError), answer
