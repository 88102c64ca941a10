"""What an exercise asks, by its type: a turn, one of several, a number, or pieces that complete a position.

A question is a table of a lesson's file, checked field by field. It reads answers and judges them by the rules or a
solver, from its position alone; only a question to choose from that has no check takes its right options from the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BeforeValidator, Field, PlainValidator, ValidationInfo

from aquakit.board.draft import BaseDraft, Piece, draft
from aquakit.core import games
from aquakit.core.position import AnyPosition
from aquakit.core.tomlfile import Table, name_place, read_table
from aquakit.core.words import join
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition, shorten
from aquakit.puzzle.answers import MOST_TURNS, contains
from aquakit.puzzle.model import Line, Lines, Name, PositionText, Text
from aquakit.training.verdict import Verdict
from aquakit.workshop.checks import Check, ExerciseError, Form, Measured, find_check, follow


class Want(NamedTuple):
    """How large a measured number is to be."""

    least: int | None = None
    most: int | None = None
    extreme: Literal["", "most", "least"] = ""
    """Whether the largest or the smallest of several is wanted."""

    def accepts(self, value: int) -> bool:
        """Checks a number."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} or more" if self.most is None else f"{self.most} or less"


def _read_want(value: Any) -> Want:
    """Reads 8, "8 or more", "8 or less", "most" or "least"."""
    if isinstance(value, Want):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Want(value, value)
    if value in ("most", "least"):
        return Want(extreme=value)
    found = re.fullmatch(r"(\d+) or (more|less)", value) if isinstance(value, str) else None
    if found is None:
        raise ValueError('a number, "8 or more", "8 or less", "most" or "least" is expected')
    number = int(found[1])
    return Want(least=number) if found[2] == "more" else Want(most=number)


def _start_or_parse(value: str, folder: Path | None) -> AnyPosition:
    return games.start(value) if value in games.layout_names() else games.parse(value, folder=folder)


def _read_position(value: Any, info: ValidationInfo) -> PositionText:
    return PositionText.read(value, _start_or_parse, (info.context or {}).get("folder"))


class Key(Table):
    """What stands at the end of a lesson's file for each exercise: nobody should see it before an answer."""

    right: Annotated[tuple[str, ...], BeforeValidator(lambda v: _read_answers(v)), Field(min_length=1)]
    """An example of a right answer, or several; of a question to choose from without a check, all of them."""
    wrong: Annotated[dict[str, Line], BeforeValidator(lambda v: _read_mistakes(v)), Field(min_length=1)]
    """Typical wrong answers, and what is said to them. Of a turn, the tokens that matter are enough."""
    because: Text
    """What is learnt, said after a right answer or with the solution."""


def _read_answers(value: Any) -> Any:
    values = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(item, str | int) and not isinstance(item, bool) for item in values):
        raise ValueError("an answer, or an array of answers, is expected")
    return tuple(map(str, values))


def _read_mistakes(value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError('a table is expected, such as { "7" = "One tile is passed twice." }')
    return dict(value)


class Question(Table):
    """What an exercise asks, without its answer."""

    forms: ClassVar[tuple[Form, ...]]
    """The forms of checks that can judge an answer where no number is wanted."""

    id: Name
    title: Line
    position: Annotated[PositionText, PlainValidator(_read_position)]
    """A position text, or a layout to start on."""
    question: Text
    check: Name | None = None
    given: dict[str, Any] = Field(default_factory=dict)
    """What the check has to be told."""
    want: Annotated[Want, BeforeValidator(_read_want)] | None = None
    """How large the number must be that the check measures."""
    hints: Annotated[Lines, Field(min_length=1, max_length=4)]
    """From gentle to plain."""

    @property
    def start(self) -> AnyPosition:
        """The position that is asked about."""
        return self.position.start

    def error(self, field: str, problem: str, expected: str = "") -> ExerciseError:
        """Makes an error that names this exercise and a field of it."""
        return ExerciseError(f"{self.id}: {field}", problem, expected)

    # Checks

    @cached_property
    def found(self) -> Check | None:
        """The check that judges, if there is one."""
        if self.check is None:
            return None
        try:
            made = find_check(self.check, *(("measure",) if self.want is not None else self.forms))
        except ExerciseError as problem:
            raise self.error(problem.where, problem.problem, problem.expected) from None
        if not isinstance(self.start, made.games):
            raise self.error("check", f"{self.check!r} is not for {self.start.layout.name}", "a check for this game")
        return made

    @property
    def judging(self) -> Check:
        """The check that judges, where there must be one."""
        if self.found is None:
            raise self.error("check", "is missing", "the name of a check")
        return self.found

    def read_given(self, **given: Any) -> Table:
        """Reads what the check is told into its own table."""
        told = {**self.given, **given}
        return read_table(told, self.judging.model, self.id, ExerciseError, lambda _, at: name_place(_, ("given", *at)))

    def ask_check(self, *about: Any, **given: Any) -> Any:
        """Lets the check find what it finds, with what it is told."""
        made = self.read_given(**given)
        try:
            return self.judging.find(*about, made)
        except ExerciseError as problem:
            raise self.error(problem.where, problem.problem, problem.expected) from None

    def measure(self, position: AnyPosition) -> Verdict:
        """Judges a position by what the check measures there."""
        assert self.want is not None
        measured: Measured = self.ask_check(position)
        right = self.want.accepts(measured.value)
        return Verdict(right, measured.words if right else f"{measured.words} Asked for is {self.want}.")

    def check_file(self) -> None:
        """Checks what no single field shows; raises what is wrong."""
        if self.want is not None and self.check is None:
            raise self.error("want", "there is no check that measures", "a check")
        if self.want is not None and self.want.extreme and not isinstance(self, ChooseQuestion):
            raise self.error("want", f"{self.want.extreme!r} needs something to choose from", "a number")
        if self.check is not None or not isinstance(self, ChooseQuestion):
            self.read_given(**self.understood())

    def understood(self) -> dict[str, Any]:
        """Gets an example of what the check will be told beside `given`."""
        return {}

    # Answers

    def read(self, answer: Any) -> str:
        """Reads an answer into the text that is written down; one that cannot be read is an error."""
        raise NotImplementedError

    def judge(self, answer: str, key: Key) -> Verdict:
        """Judges an answer that was read."""
        raise NotImplementedError

    def say(self, answer: str) -> str:
        """Says an answer in words, where it is more than a word or a number."""
        return answer

    def is_like(self, answer: str, mistake: str) -> bool:
        """Tells whether an answer is one of the typical mistakes."""
        return answer == mistake

    def spell_out(self, mistake: str) -> str:
        """Gets a whole answer that makes a typical mistake."""
        return self.read(mistake)

    def check_mistake(self, mistake: str) -> None:
        """Checks that a typical mistake can be read."""
        self.read(mistake)


class TurnQuestion(Question):
    """A turn is played on the board."""

    type: Literal["turn"]
    forms = ("test",)

    def read(self, answer: Any) -> str:
        """Reads a whole turn, legal or not, with what a written turn may leave out."""
        made = self.start.turn_type.read(answer)
        if not made:
            raise InvalidOption("answer", "is empty", "a whole turn")
        followed = follow(self.start, str(made))
        return str(made if isinstance(followed, Verdict) else followed[0])

    def judge(self, answer: str, key: Key) -> Verdict:
        """Judges a turn by a test, or by what is measured after it."""
        followed = follow(self.start, answer)
        if isinstance(followed, Verdict):
            return followed
        turn, after = followed
        return self.measure(after) if self.want is not None else self.ask_check(self.start, turn, after)

    def say(self, answer: str) -> str:
        """Says a turn that the rules allow."""
        return self.start.tell(answer, "full")

    def is_like(self, answer: str, mistake: str) -> bool:
        """Tells whether a turn contains the tokens of a typical mistake."""
        read = self.start.turn_type.parse
        return contains(list(map(str, read(answer))), list(map(str, read(mistake))))

    def spell_out(self, mistake: str) -> str:
        """Gets a legal turn that contains the tokens of a typical mistake; if there is none, the mistake itself."""
        turns = (str(turn) for turn in islice(self.start.turns(), MOST_TURNS))
        return next((turn for turn in turns if self.is_like(turn, mistake)), mistake)

    def check_mistake(self, mistake: str) -> None:
        """Checks that the tokens of a typical mistake can be read."""
        self.start.turn_type.parse(mistake)


class ChooseQuestion(Question):
    """One of several options is chosen."""

    type: Literal["choose"]
    options: Annotated[Lines, Field(min_length=2, max_length=8)]
    """What can be chosen; with a check, names or turns."""
    labels: Lines = ()
    """What is shown for each option, if that is something else."""
    forms = ("naming", "test")

    @property
    def shown(self) -> tuple[str, ...]:
        """What is shown for each option."""
        return self.labels or self.options

    def check_file(self) -> None:
        """Checks the options too."""
        super().check_file()
        if self.labels and len(self.labels) != len(self.options):
            raise self.error("labels", f"{len(self.labels)} for {len(self.options)} options", "one for each option")
        if len(set(self.options)) < len(self.options) or len(set(self.shown)) < len(self.shown):
            raise self.error("options", "one stands twice", "different options")
        if self.want is not None and not self.want.extreme and self.found is None:
            raise self.error("want", str(self.want), "a check that measures")

    def read(self, answer: Any) -> str:
        """Reads an option, given as it stands in the file or as it is shown."""
        text = str(answer).strip()
        for option, shown in zip(self.options, self.shown, strict=True):
            if text in (option, shown):
                return option
        raise InvalidOption("answer", shorten(repr(text)), f"one of: {'; '.join(self.shown)}")

    def say(self, answer: str) -> str:
        """Gets an option as it is shown."""
        return self.shown[self.options.index(answer)]

    def judge(self, answer: str, key: Key) -> Verdict:
        """Judges an option by the check, or by what the file says."""
        if self.found is None:
            return Verdict(answer in key.right, "" if answer in key.right else "That is not it.")
        if self.want is not None:
            return self._compare(answer)
        if self.found.form == "naming":
            named = self.ask_check(self.start)
            right = answer in named.names
            return Verdict(right, named.words if right else f"{answer} is not {named.what}.")
        return self._judge_turn(answer)

    def _judge_turn(self, option: str) -> Verdict:
        followed = follow(self.start, option)
        return followed if isinstance(followed, Verdict) else self.ask_check(self.start, *followed)

    def _compare(self, answer: str) -> Verdict:
        """Compares what is measured for the options: about each name, or after each turn."""
        assert self.want is not None
        found = {option: self._measure_option(option) for option in self.options}
        measured = found[answer]
        if not self.want.extreme:
            right = self.want.accepts(measured.value)
            return Verdict(right, measured.words if right else f"{measured.words} Asked for is {self.want}.")
        values = [other.value for other in found.values()]
        right = measured.value == (max(values) if self.want.extreme == "most" else min(values))
        other = "more" if self.want.extreme == "most" else "less"
        return Verdict(right, measured.words if right else f"{measured.words} Another option has {other}.")

    @property
    def _subject(self) -> str:
        """What the options are, if they are what is measured and not turns: aqueducts or squares."""
        subject = self.judging.subject if self.want is not None else ""
        return "" if subject in self.given else subject

    def understood(self) -> dict[str, Any]:
        """Gets the first option, where options are what is measured."""
        return {self._subject: self.options[0]} if self._subject else {}

    def _measure_option(self, option: str) -> Measured:
        if self._subject:
            return self.ask_check(self.start, **{self._subject: option})  # type: ignore[no-any-return]
        _, after = self.start.carry_out(option)
        return self.ask_check(after)  # type: ignore[no-any-return]


class NumberQuestion(Question):
    """A number is entered."""

    type: Literal["number"]
    unit: Line | None = None
    """What is counted, shown after the number."""
    after: Line | None = None
    """A turn that the question names: the number is measured after it."""
    forms = ("measure",)

    def check_file(self) -> None:
        """Checks the turn and the measure too."""
        super().check_file()
        if self.want is not None:
            raise self.error("want", "the number is what is asked for", "nothing")
        _ = self._board

    @cached_property
    def _board(self) -> AnyPosition:
        if self.after is None:
            return self.start
        try:
            return self.start.play(self.after)
        except AquakitError as problem:
            raise self.error("after", str(problem), "a whole turn from the position") from None

    def read(self, answer: Any) -> str:
        """Reads a whole number."""
        text = str(answer).strip().replace("\u2212", "-")
        if isinstance(answer, bool) or not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise InvalidOption("answer", shorten(repr(answer)), "a whole number")
        return str(int(text))

    def judge(self, answer: str, key: Key) -> Verdict:
        """Compares a number with what is measured."""
        measured: Measured = self.ask_check(self._board)
        if int(answer) == measured.value:
            return Verdict(True, measured.words)
        return Verdict(False, f"{answer} is too {'small' if int(answer) < measured.value else 'large'}.")


class PositionQuestion(Question):
    """Pieces are put into gaps of a position, so that it becomes one that the rules allow and fulfils a condition."""

    type: Literal["position"]
    gaps: Annotated[Lines, Field(min_length=1, max_length=6)]
    """The places to be filled, such as c4, Nc or 3.5h."""
    pieces: Lines = ()
    """The pieces that can be put there, such as L, b, B3 or double; without, all that fit the place."""
    fill: Annotated[int, Field(strict=True, ge=1)] | None = None
    """How many of the gaps are to be filled; without, all of them."""
    forms = ("measure",)

    def check_file(self) -> None:
        """Checks gaps and pieces too."""
        super().check_file()
        if self.want is None:
            raise self.error("want", "is missing", "what the completed position has to measure")
        for gap in self.gaps:
            if not self.palette(gap):
                raise self.error("gaps", f"nothing can be put on {gap!r}", "places of the board, with fitting pieces")
        if self.fill is not None and self.fill > len(self.gaps):
            raise self.error("fill", str(self.fill), f"at most the {len(self.gaps)} gaps")
        if draft(self.start).changes(self.start):
            raise self.error("position", "is inside a turn", "the start of a turn")

    @property
    def to_fill(self) -> int:
        """How many of the gaps are to be filled."""
        return self.fill or len(self.gaps)

    def palette(self, gap: str) -> tuple[Piece, ...]:
        """Lists the pieces that can be put into a gap."""
        tools = next((tools for tools in draft(self.start).tools() if gap in tools.places), None)
        pieces = () if tools is None else tools.pieces
        return tuple(piece for piece in pieces if piece.id and (not self.pieces or piece.id in self.pieces))

    def read(self, answer: Any) -> str:
        """Reads what is put into the gaps, such as c4=L d4=-."""
        put = dict(token.partition("=")[::2] for token in str(answer).split())
        if len(put) != self.to_fill or not set(put) <= set(self.gaps):
            gaps = " ".join(f"{gap}=…" for gap in self.gaps)
            raise InvalidOption(
                "answer", shorten(repr(answer)), gaps if self.fill is None else f"{self.fill} of {gaps}"
            )
        for gap, piece in put.items():
            known = [found.id for found in self.palette(gap)]
            if piece not in known:
                raise InvalidOption("answer", f"{piece!r} on {gap}", f"one of {', '.join(known)}")
        return " ".join(f"{gap}={put[gap]}" for gap in self.gaps if gap in put)

    def say(self, answer: str) -> str:
        """Says which piece belongs where."""
        put = (token.partition("=")[::2] for token in answer.split())
        labels = {gap: {piece.id: piece.label for piece in self.palette(gap)} for gap in self.gaps}
        return ", ".join(f"{labels[gap][piece]} on {gap}" for gap, piece in put)

    def put(self, pieces: Mapping[str, str]) -> BaseDraft:
        """Puts pieces into gaps; what lies beside the board is made to fit."""
        made = draft(self.start)
        for gap, piece in pieces.items():
            made = made.put(gap, piece)
        return made.balance()

    def judge(self, answer: str, key: Key) -> Verdict:
        """Judges the completed position: allowed by the rules, and measured."""
        pieces = dict(token.partition("=")[::2] for token in answer.split())
        try:
            made = self.put(pieces).position()
        except InvalidPosition as problem:
            return Verdict(False, f"The rules do not allow this position: {problem}.")
        return self.measure(made)


AnyQuestion = Annotated[TurnQuestion | ChooseQuestion | NumberQuestion | PositionQuestion, Field(discriminator="type")]


def say(verdict: Verdict, question: Question, answer: str, key: Key) -> Verdict:
    """Completes what is said of an answer: with what the file says to a mistake, or with what is learnt."""
    told = [verdict.words]
    if verdict.right:
        told.append(key.because)
    else:
        told += [words for mistake, words in key.wrong.items() if question.is_like(answer, mistake)]
    return Verdict(verdict.right, " ".join(filter(None, told)))


def name_types() -> str:
    """Names the types of questions."""
    return join(["turn", "choose", "number", "position"], "or")
