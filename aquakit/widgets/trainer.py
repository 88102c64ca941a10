"""Trainer: a board on which puzzles are solved, with verdicts, hints, solutions and what comes next.

What would give a puzzle away stays in Python until it is asked for: the page gets the question and what was said of it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

import traitlets

from aquakit.board import clicks
from aquakit.core.options import read_whole
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.core.words import capital, count
from aquakit.errors import AquakitError, InvalidOption, InvalidTurn
from aquakit.planning.plans import Ghost
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Puzzle, PuzzleError, PuzzleSet, write_number
from aquakit.puzzle.texts import split_explanation
from aquakit.puzzle.themes import THEMES
from aquakit.training.progress import Outcome, Progress
from aquakit.training.repetition import Standing
from aquakit.training.verdict import Reason, Verdict
from aquakit.widgets.answering import CHECK, find_way
from aquakit.widgets.board import Board
from aquakit.widgets.explorer import Explorer
from aquakit.widgets.judging import Check
from aquakit.widgets.modules import join_modules

MOST_ANSWERS = 6
"""So many accepted answers are written out."""
HEADS: dict[Outcome, str] = {"right": "Right", "equal": "Equally good", "wrong": "Not the best"}
STATES = {"new": "not tried yet", "missed": "missed", "learning": "to be seen again", "known": "solved"}
"""How a person stands with a puzzle, in words."""

Stage = Literal["trying", "checking", "judged"]


class Frame(NamedTuple):
    """What the board shows at a step of a line."""

    text: str
    who: Any
    """The signs of the player whose turn it is."""
    node: Node
    moment: AnyPosition
    walk: clicks.Walk | None = None
    note: str = ""
    marks: tuple[Ghost, ...] = ()


@dataclass
class Sitting:
    """What has happened since the puzzle on the board was taken up."""

    stage: Stage = "trying"
    check: Check | None = None
    """The judging under way."""
    tried: str = ""
    """The answer that is or was judged last."""
    verdict: Verdict | None = None
    outcome: Outcome = "wrong"
    hints: int = 0
    helped: int = 0
    """1 if the explorer was asked before an answer was given."""
    is_missed: bool = False
    is_decided: bool = False
    """Whether the puzzle was solved or its solution shown: further tries are practice and are not written down."""
    shows_solution: bool = False
    frames: list[Frame] = field(default_factory=list)
    """The line beside the board: first where it begins, then each step."""
    at: int = 0
    """The frame on the board."""
    line_title: str = ""
    begun: float = field(default_factory=time.monotonic)


class Trainer(Board):
    """A board that asks the puzzles of a set, one after the other.

    What is played on it is judged at once. `progress` keeps what was solved; without it, that is the user's own file.
    `first` names the puzzle to begin with; otherwise it is the one that is due.

    >>> from tempfile import TemporaryDirectory
    >>> from aquakit import puzzles
    >>> made = puzzles("first-steps")
    >>> duel = next(puzzle.id for puzzle in made.puzzles if puzzle.kind == "duel")
    >>> with TemporaryDirectory() as folder:
    ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel)
    ...     trainer.play(made.answer(duel).line.partition(" / ")[0])
    ...     trainer.wait()
    ...     trainer.verdict.right, trainer.progress.standing(trainer.puzzle).state
    (True, 'known')
    """

    _esm: ClassVar[Any] = join_modules("trainer.js")

    task = traitlets.Dict(read_only=True).tag(sync=True)
    """The puzzle on the board, and what has been said about it so far."""
    contents: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    """The puzzles of the set, and how the person stands with each."""
    status = traitlets.Unicode(read_only=True).tag(sync=True)
    """How far the judging has come, in a few words."""
    analysis = traitlets.Instance(Explorer, allow_none=True, read_only=True).tag(
        sync=True, to_json=lambda explorer, _: explorer and f"IPY_MODEL_{explorer.model_id}"
    )
    """The explorer of the position, while it is open."""

    def __init__(
        self, puzzles: PuzzleSet, *, progress: Progress | None = None, first: str | None = None, **options: Any
    ) -> None:
        """Asks the first puzzle; options are those of `Board`."""
        self._now = Sitting()
        if not len(puzzles):
            raise PuzzleError(puzzles.name, "has no puzzles", "at least one")
        self._puzzles = puzzles
        self._progress = Progress() if progress is None else progress
        self._read_progress()
        puzzle = puzzles[first] if first is not None else (*self._due, *puzzles.puzzles)[0]
        self._take_up(puzzle)
        super().__init__(puzzle.start, **options)

    # What people ask of it

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle on the board."""
        return self._puzzle

    @property
    def progress(self) -> Progress:
        """What the person has solved."""
        return self._progress

    @property
    def verdict(self) -> Verdict | None:
        """What was said about the last attempt, if it has been judged."""
        return self._now.verdict

    def play(self, turn: Any) -> None:
        """Plays a turn, canals or tiles on the board; a complete answer is judged.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> duel = next(puzzle for puzzle in made.puzzles if puzzle.kind == "duel")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel.id)
        ...     trainer.play(next(duel.start.turns()))
        ...     trainer.wait()
        ...     trainer.verdict is not None
        True
        """
        self._check_free()
        with self._changing():
            for action in self._way.read_attempt(self._moment, turn):
                self._act(action)

    def answer(self, text: str) -> None:
        """Answers in the puzzle's own words: a turn, canals, tiles or a schedule.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> timing = next(puzzle.id for puzzle in made.puzzles if puzzle.kind == "timing")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=timing)
        ...     trainer.answer(made.answer(timing).line)
        ...     trainer.wait()
        ...     trainer.verdict.right
        True
        """
        if self._way.form is None:
            self.play(text)
        else:
            self._hand_in(text)

    def choose(self, choice: str) -> None:
        """Chooses something that is offered, by its id, as a click does.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> duel = next(puzzle.id for puzzle in made.puzzles if puzzle.kind == "duel")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel)
        ...     trainer.choose(trainer.offer["choices"][0]["id"])
        ...     trainer.problem
        ''
        """
        if choice == CHECK:
            self._hand_in(self._way.hand_in(self._done()))
        else:
            super().choose(choice)

    def _hand_in(self, text: str) -> None:
        self._check_free()
        with self._changing(wake=False):
            self._begin_check(text)

    def hint(self) -> None:
        """Gives the next hint.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.hint()
        ...     trainer.task["hints"] == [trainer.puzzle.hints[0]]
        True
        """
        with self._changing(wake=False):
            if self._now.hints == len(self._puzzle.hints):
                raise InvalidOption("hint", "there is no further one", "an attempt, or the solution")
            self._now.hints += 1

    def show_solution(self) -> None:
        """Shows the solution, to go through on the board; whoever has not solved the puzzle has missed it then.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.progress.standing(trainer.puzzle).state
        'missed'
        """
        with self._changing(wake=False):
            frames = self._frame_solution(self._answer.line)  # a line that cannot be played changes nothing
            self._drop_check()
            gives_up = not self._now.is_decided and not self._now.is_missed
            self._now.shows_solution = self._now.is_decided = True
            self._restart()
            self._now.stage, self._now.frames, self._now.line_title = "judged", frames, "Solution"
            if gives_up:
                self._write("", "wrong")

    def retry(self) -> None:
        """Begins the puzzle again.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.retry()
        ...     trainer.position == trainer.puzzle.start
        True
        """
        with self._changing(wake=False):
            self._drop_check()
            self._restart()
            self._now.stage, self._now.verdict, self._now.tried, self._now.shows_solution = "trying", None, "", False

    def next(self) -> None:
        """Goes to the puzzle that is due next; if none is, to the one that follows in the set.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     first = trainer.puzzle
        ...     trainer.next()
        ...     trainer.puzzle != first
        True
        """
        with self._lock:
            self._read_progress()
            others = [puzzle for puzzle in self._due if puzzle.id != self._puzzle.id]
            place = self._place()
            following = (*self._puzzles.puzzles[place + 1 :], *self._puzzles.puzzles)[0]
            self.turn_to(others[0].id if others else following.id)

    def turn_to(self, name: str) -> None:
        """Goes to a puzzle of the set, by its id.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.turn_to("first-steps-03")
        ...     trainer.puzzle.id
        'first-steps-03'
        """
        with self._changing(wake=False):
            puzzle = self._puzzles[name]
            self._read_progress()
            self._drop_check()
            self._take_up(puzzle)
            self._open(Record(puzzle.start.rewind()), puzzle.start)
            self._forget()
            self.picked = []
        self.close_analysis()

    def step_to(self, number: int) -> None:
        """Shows a step of the line beside the board: 0 is where it begins.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.step_to(0)
        ...     trainer.position == trainer.puzzle.start
        True
        """
        with self._changing(wake=False):
            read = read_whole("step", number, most=max(0, len(self._now.frames) - 1))
            if self._now.frames:
                forward, self._now.at = read == self._now.at + 1, read
                frame = self._now.frames[read]
                self._go(frame.node)
                self._moment = frame.moment
                self._walk = frame.walk if forward else None

    def undo(self) -> None:
        """Begins the attempt again; in a line, goes one step back.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> duel = next(puzzle for puzzle in made.puzzles if puzzle.kind == "duel")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel.id)
        ...     trainer.show_solution()
        ...     trainer.redo()
        ...     trainer.undo()
        ...     trainer.position == duel.start
        True
        """
        if self._now.frames:
            self.step_to(max(0, self._now.at - 1))
        elif self._now.stage == "trying":
            with self._changing(wake=False):
                self._restart()

    def redo(self) -> None:
        """Goes one step on in a line.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> duel = next(puzzle for puzzle in made.puzzles if puzzle.kind == "duel")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel.id)
        ...     trainer.show_solution()
        ...     trainer.redo()
        ...     trainer.position != duel.start
        True
        """
        if self._now.frames:
            self.step_to(min(len(self._now.frames) - 1, self._now.at + 1))

    def back(self) -> None:
        """Takes back the last pick, or else the last own decision.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> duel = next(puzzle for puzzle in made.puzzles if puzzle.kind == "duel")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel.id)
        ...     trainer.choose(trainer.offer["choices"][0]["id"])
        ...     trainer.back()
        ...     trainer.picked, trainer.position == duel.start
        ([], True)
        """
        if self._now.stage != "trying":
            return
        with self._changing(wake=False):
            if self.picked:
                self._pick(self.picked[:-1])
            else:
                self._take_back()

    def stop(self) -> None:
        """Stops the judging: the attempt does not count, and the puzzle begins again.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.stop()
        ...     trainer.progress.attempts()
        []
        """
        if self._now.stage == "checking":
            self.retry()
        else:
            super().stop()

    def wait(self, seconds: float = 60) -> None:
        """Waits until nothing is being judged, at most so long.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.wait(1)
        ...     trainer.verdict
        """
        super().wait(seconds)
        check = self._now.check
        if check is not None:
            check.wait(seconds)

    def analyse(self) -> None:
        """Opens an explorer of the position on the board; before the puzzle is solved that counts as a hint.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.analyse()
        ...     trainer.analysis.position == trainer.puzzle.start
        True
        """
        with self._changing(wake=False):
            if not self._now.is_decided and self._now.stage == "trying" and not self._now.helped:
                self._now.helped = 1
            self._close_explorer()
            self.set_trait("analysis", Explorer(self._moment, theme=self.theme, flip=self.flip, size=self.size))

    def close_analysis(self) -> None:
        """Closes the explorer.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.analyse()
        ...     trainer.close_analysis()
        ...     trainer.analysis is None
        True
        """
        with self._lock:
            self._close_explorer()

    def close(self) -> None:
        """Ends the trainer and all work for it.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite")).close()
        """
        self._drop_check()
        self._close_explorer()
        super().close()

    # The puzzle

    def _take_up(self, puzzle: Puzzle) -> None:
        """Begins with a puzzle; one that cannot be asked changes nothing."""
        goal, way = find_kind(puzzle.kind).goal(puzzle), find_way(puzzle)
        self._puzzle, self._answer = puzzle, self._puzzles.answer(puzzle)
        self._goal, self._way, self._now = goal, way, Sitting()

    def _place(self) -> int:
        return [puzzle.id for puzzle in self._puzzles.puzzles].index(self._puzzle.id)

    def _done(self) -> list[Any]:
        """Lists what has been done since the puzzle's start."""
        turns = [node.turn for node in self._node.line()[1:]]
        actions = [action for turn in (*turns, self._moment.played) for action in turn or ()]
        return self._way.list_done(actions[len(self._puzzle.start.played) :], self._moment)

    def _restart(self) -> None:
        """Puts the puzzle's position on the board."""
        self._go(self._record.root)
        self._moment = self._puzzle.start
        self._now.frames, self._now.at, self._now.line_title = [], 0, ""

    def _take_back(self) -> None:
        actions = self._done()
        while actions:
            actions.pop()
            self._restart()
            for action in actions:
                self._act(action)
            if not self._moment.is_chance:
                return

    # Changing

    @contextmanager
    def _changing(self, *, wake: bool | None = None) -> Iterator[None]:
        with super()._changing(wake=wake):
            yield
            if self._now.stage == "trying":
                attempt = self._way.read(self._done(), self._moment)
                if attempt is not None:
                    self._begin_check(attempt)

    def _check_free(self) -> None:
        super()._check_free()
        if self._now.stage != "trying":
            self._refuse(InvalidTurn("board", "this try is over", "another try, or another puzzle"))

    def _ask(self, position: AnyPosition, picked: Any) -> clicks.Offer:
        return self._way.narrow(super()._ask(position, picked), position, self._done())

    def _act(self, action: Any) -> None:
        after = self._way.act(self._moment, action)
        if after is None:
            super()._act(action)
        else:
            self.picked = []
            self._moment = after

    # Judging

    def _begin_check(self, attempt: str) -> None:
        model = self._way.first(self._answer.line)
        self._now.check = Check(self._puzzle, attempt, model, self._answer, self._judged, self._tell_status)
        self.set_trait("status", "")
        self._now.stage, self._now.tried = "checking", attempt
        self._now.check.start()

    def _drop_check(self) -> None:
        """Ends the judging, if there is any, and makes sure that its verdict is not heard."""
        if self._now.check is not None:
            self._now.check.stop()
        self._now.check = None

    def _tell_status(self, check: Check, status: str) -> None:
        """Shows how far the judging has come; called in its thread."""
        with self._lock:
            if self._now.check is check:
                self.set_trait("status", status)

    def _judged(self, check: Check) -> None:
        """Shows a verdict; called in the thread of the check."""
        with self._lock:
            if self._now.check is not check:
                return
            self._now.check = None
            if check.verdict is None or check.failure is not None:
                self._now.stage, self._now.tried = "trying", ""
                self._restart()
                self._tell(check.failure or RuntimeError("no verdict"))
                return
            # What cannot be written down is said on the board.
            with suppress(AquakitError), self._changing(wake=False):
                self._take_verdict(check, check.verdict)

    def _take_verdict(self, check: Check, verdict: Verdict) -> None:
        self._now.stage, self._now.verdict, self._now.outcome = "judged", verdict, check.outcome
        self._now.line_title = "How it goes on" if verdict.right else "Refutation"
        if self._way.form is not None:
            self._now.line_title = "Round by round"
        said, marks = self._way.say(check.attempt), self._way.mark(check.attempt)
        tried = Frame(said, [], self._node, self._moment, note="your answer", marks=marks)
        # What was lost with a tile or a canal is shown from the start on.
        begin = Frame("", [], self._record.root, self._puzzle.start) if verdict.reasons else tried
        steps = self._way.split(verdict.refutation) if verdict.refutation else []
        line = self._walk_through(steps, begin)[1:]
        self._now.frames = [tried, *self._mark_slips(line, verdict.reasons), *self._narrate(check.attempt, tried)]
        if not self._now.is_decided:
            self._now.is_decided, self._now.is_missed = verdict.right, not verdict.right
            self._write(check.attempt, check.outcome, max(0, verdict.loss))

    def _write(self, attempt: str, outcome: Outcome, loss: int | Fraction = 0) -> None:
        """Writes an attempt down."""
        self._progress.record(
            self._puzzle,
            attempt,
            outcome,
            loss=loss,
            hints=self._now.hints + self._now.helped,
            seconds=time.monotonic() - self._now.begun,
            shown=not attempt,
        )
        self._read_progress()

    def _frame_solution(self, line: str) -> list[Frame]:
        """Gets what the board shows from the puzzle's start through a line of its file."""
        said = "start" if self._way.form is None else self._way.say(line)
        first = Frame(said, [], self._record.root, self._puzzle.start, marks=self._way.mark(line))
        return self._walk_through(self._way.split(line), first) + self._narrate(line, first)

    def _walk_through(self, turns: Sequence[str], first: Frame) -> list[Frame]:
        """Plays turns from a frame on, and gets what the board shows after each."""
        frames = [first]
        for text in turns:
            node, moment, walk = frames[-1].node, frames[-1].moment, None
            who = self._sign(moment.player if moment.played else moment.mover) if self._way.has_turns else []
            note = self._way.remark(moment, text)
            for action in self._way.read_step(moment, text):
                before, laid = moment, self._way.act(moment, action)
                moment = moment.act(action) if laid is None else laid
                if laid is None:
                    walk = before.room("board.clicks").walk(before, moment) or walk
                if laid is None and not moment.played:
                    node = node.play(before.turn_type((*before.played, action)))
                    moment = node.position
            frames.append(Frame(text, who, node, moment, walk, note))
        return frames

    def _narrate(self, text: str, first: Frame) -> list[Frame]:
        """Gets what the board shows while it is told step by step what comes of an answer that cannot be played."""
        frames, marks = list[Frame](), tuple[Ghost, ...]()
        for reason in self._way.narrate(text):
            marks += self._way.place(reason)
            frames.append(
                Frame(reason.text, self._sign(reason.player), first.node, first.moment, None, reason.note, marks)
            )
        return frames

    def _mark_slips(self, line: list[Frame], reasons: Sequence[Reason]) -> list[Frame]:
        """Marks in a line of tiles or canals the one that was wrong, from where it is laid on."""
        for reason in reasons:
            if 0 < reason.step <= len(line):
                ghosts, place = self._way.place(reason), reason.step - 1
                line[place:] = [later._replace(marks=ghosts) for later in line[place:]]
                line[place] = line[place]._replace(note=reason.text)
        return line

    def _sign(self, player: int | None) -> Any:
        """Gets the signs of a player, or none."""
        start = self._puzzle.start
        return clicks.plain(start.room("board.facts").chips(start.layout, player)) if player else []

    # Showing

    def _read_progress(self) -> None:
        """Looks up how the person stands; another notebook may have written meanwhile."""
        puzzles = self._puzzles.puzzles
        self._standings = self._progress.standings(puzzles)
        self._due = self._progress.due(puzzles)
        self._rating = self._progress.rating()

    def _close_explorer(self) -> None:
        explorer = self.analysis
        self.set_trait("analysis", None)
        if explorer is not None:
            explorer.close()

    def _offer(self) -> clicks.Offer:
        if self._now.stage == "trying":
            return super()._offer()
        if self._now.stage == "checking":
            return clicks.Offer("Checking your answer …")
        if len(self._now.frames) > 1 and self._now.at:
            return clicks.Offer(f"{self._now.line_title}: step {self._now.at} of {len(self._now.frames) - 1}")
        if self._now.shows_solution:
            return clicks.Offer("The position asked about")
        return clicks.Offer(f"Your answer: {HEADS[self._now.outcome].lower()}")

    def _shown(self, problem: str) -> dict[str, Any]:
        trying = self._now.stage == "trying"
        return {
            **super()._shown(problem),
            "can_undo": bool(self._done()) if trying else self._now.at > 0,
            "can_redo": self._now.at < len(self._now.frames) - 1,
            "task": self._describe(),
            "contents": [self._list_puzzle(puzzle) for puzzle in self._puzzles.puzzles],
        }

    def _describe(self) -> dict[str, Any]:
        """Collects what may be seen of the puzzle now."""
        puzzle, solved = self._puzzle, self._now.is_decided
        standing = self._standings[puzzle.id]
        return {
            "set": self._puzzles.title,
            "id": puzzle.id,
            "number": self._place() + 1,
            "title": puzzle.title,
            "goal": self._goal,
            "difficulty": puzzle.difficulty,
            "themes": [{"name": name, "about": THEMES.get(name, "")} for name in puzzle.themes] if solved else [],
            "stage": self._now.stage,
            "tried": self._now.tried,
            "verdict": self._describe_verdict(),
            "form": self._way.form,
            "marks": clicks.plain(self._now.frames[self._now.at].marks if self._now.frames else ()),
            "hints": list(puzzle.hints[: self._now.hints]),
            "hints_left": len(puzzle.hints) - self._now.hints,
            "solution": self._describe_solution() if self._now.shows_solution else None,
            "line": self._describe_line(),
            "standing": _tell_standing(standing),
            "tally": self._tell_tally(),
            "rating": str(self._rating),
        }

    def _describe_verdict(self) -> dict[str, Any] | None:
        if self._now.verdict is None:
            return None
        bound = "at least " if self._now.verdict.is_bound else ""
        loss = "" if self._now.outcome != "wrong" else f": it loses {bound}{_round(self._now.verdict.loss)}"
        return {
            "outcome": self._now.outcome,
            "head": HEADS[self._now.outcome] + loss,
            "words": f"{capital(self._now.verdict.words)}.",
            "reasons": [f"{reason}." for reason in self._now.verdict.reasons] if self._way.form is None else [],
        }

    def _describe_solution(self) -> dict[str, Any]:
        answer = self._answer
        more = len(answer.accepted) - MOST_ANSWERS
        return {
            "value": str(write_number(self._puzzle.value)),
            "accepted": [self._way.say(text) for text in answer.accepted[:MOST_ANSWERS]],
            "in_words": self._way.say(answer.accepted[0]) != answer.accepted[0],
            "more": f"and {more:,} more" if more > 0 else "",
            "line": self._way.say(answer.line),
            "explanation": split_explanation(answer.explanation),
            "proof": f"Proved by {answer.proof.method}: {answer.proof.searched}.",
            "source": self._puzzle.source,
        }

    def _describe_line(self) -> dict[str, Any] | None:
        if len(self._now.frames) < 2:
            return None
        return {
            "title": "On the board" if self._now.shows_solution else self._now.line_title,
            "steps": [{"text": frame.text, "who": frame.who, "note": frame.note} for frame in self._now.frames],
            "at": self._now.at,
        }

    def _list_puzzle(self, puzzle: Puzzle) -> dict[str, str]:
        return {"id": puzzle.id, "title": puzzle.title, "state": self._standings[puzzle.id].state}

    def _tell_tally(self) -> str:
        """Says how the person stands with the set."""
        states = Counter(standing.state for standing in self._standings.values())
        parts = [f"{states['known']} of {count(len(self._puzzles), 'puzzle')} solved"]
        waiting = states["missed"] + states["learning"]
        parts += [f"{waiting} to be seen again"] if waiting else []
        due = sum(standing.is_due(datetime.now(UTC)) for standing in self._standings.values())
        parts += [f"{due} of them now"] if due else []
        return ", ".join(parts)

    # Traits and messages

    @traitlets.validate("position")
    def _check_position(self, proposal: Mapping[str, Any]) -> Any:
        if proposal["value"] is not self._moment:
            self._refuse(InvalidOption("position", "is the puzzle's", "`turn_to` for another puzzle"))
        return proposal["value"]

    def _actions(self, content: Mapping[str, Any]) -> dict[str, Callable[[], None]]:
        return {
            **super()._actions(content),
            "answer": lambda: self.answer(content["text"]),
            "hint": self.hint,
            "solution": self.show_solution,
            "retry": self.retry,
            "next": self.next,
            "puzzle": lambda: self.turn_to(content["id"]),
            "step": lambda: self.step_to(content["number"]),
            "analyse": self.analyse,
            "close_analysis": self.close_analysis,
        }


def _tell_standing(standing: Standing) -> str:
    """Says how a person stands with a puzzle, and when it comes back."""
    said = STATES[standing.state]
    if standing.due is None:
        return said
    hours = (standing.due - datetime.now(UTC)).total_seconds() / 3600
    if hours <= 0:
        return f"{said}: due now"
    when = count(round(hours / 24), "day") if hours >= 36 else count(max(1, round(hours)), "hour")
    return f"{said}: comes back in {when}"


def _round(number: int | Fraction) -> str:
    """Writes a number so that one sees at a glance how large it is."""
    return str(number) if isinstance(number, int) else f"{float(number):.2f}"
