"""Trainer: a board on which puzzles are solved, with verdicts, hints, solutions and what comes next.

What would give a puzzle away stays in Python until it is asked for: the page gets the question and what was said of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import traitlets

from aquakit.board import clicks
from aquakit.core.options import read_whole
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.core.words import capital, count
from aquakit.errors import AquakitError, InvalidOption, InvalidTurn
from aquakit.planning.plans import Ghost
from aquakit.puzzle.answering import CHECK
from aquakit.puzzle.asking import ask_puzzle
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.model import Puzzle, PuzzleError, PuzzleSet, write_number
from aquakit.puzzle.texts import split_explanation
from aquakit.puzzle.themes import tell_theme
from aquakit.training.attempt import Attempt
from aquakit.training.history import History
from aquakit.training.judging import Judging
from aquakit.training.progress import Progress
from aquakit.training.repetition import PuzzleStanding
from aquakit.training.verdict import Outcome, Reason, Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.explorer import Explorer
from aquakit.widgets.judging import BackgroundJudging
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.modules import join_modules
from aquakit.widgets.panel import Hears, Panel

MOST_ANSWERS = 6
"""So many accepted answers are written out."""
HEADS: dict[Outcome, str] = {"right": "Right", "equal": "Equally good", "wrong": "Not the best"}
STATES = {"new": "not tried yet", "missed": "missed", "learning": "to be seen again", "known": "solved"}
"""How a person stands with a puzzle, in words."""


class LineFrame(NamedTuple):
    """What the board shows at a step of a line."""

    text: str
    who: Any
    """The signs of the player whose turn it is."""
    node: Node
    moment: AnyPosition
    walk: clicks.Walk | None = None
    note: str = ""
    marks: tuple[Ghost, ...] = ()


class TaskPanel(Panel):
    """The puzzle that is asked, beside the board."""

    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The puzzle on the board, and what has been said about it so far.
        "task": traitlets.Dict(read_only=True).tag(sync=True),
        # The puzzles of the set, and how the person stands with each.
        "contents": traitlets.List(read_only=True).tag(sync=True),
        # How far the judging has come, in a few words.
        "status": traitlets.Unicode(read_only=True).tag(sync=True),
        # The explorer of the position, while it is open.
        "analysis": traitlets.Instance(Explorer, allow_none=True, read_only=True).tag(
            sync=True, to_json=lambda explorer, _: explorer and f"IPY_MODEL_{explorer.model_id}"
        ),
    }

    def settle(self) -> None:
        """Begins to judge an answer that is complete."""
        self.board._judge_complete()

    def shown(self) -> Mapping[str, Any]:
        """Gathers what may be seen of the puzzle and of the set."""
        return {"task": self.board._describe(), "contents": self.board._list_puzzles()}

    def messages(self) -> Mapping[str, Hears]:
        """Gets what can be clicked."""
        trainer = self.board
        return {
            "answer": lambda content: trainer.answer(content["text"]),
            "hint": lambda _: trainer.hint(),
            "solution": lambda _: trainer.show_solution(),
            "retry": lambda _: trainer.retry(),
            "next": lambda _: trainer.next(),
            "puzzle": lambda content: trainer.turn_to(content["id"]),
            "step": lambda content: trainer.step_to(content["number"]),
            "analyse": lambda _: trainer.analyse(),
            "close_analysis": lambda _: trainer.close_analysis(),
        }


class PuzzleMode(PlayMode):
    """Plays an answer to a puzzle, in the puzzle's own way."""

    def check(self, doing: Doing = "play") -> None:
        """Refuses to play on after the answer."""
        if self.board._now.stage != "trying":
            raise InvalidTurn("board", "this try is over", "another try, or another puzzle")

    def check_position(self) -> None:
        """Leaves the position to the puzzle."""
        raise InvalidOption("position", "is the puzzle's", "`turn_to` for another puzzle")

    def ask(self, position: AnyPosition, picked: Iterable[str]) -> clicks.Offer:
        """Offers what an answer can be made of."""
        narrowed: clicks.Offer = self.board._way.narrow(super().ask(position, picked), position, self.board._done())
        return narrowed

    def offer(self) -> clicks.Offer:
        """Says while nothing can be chosen what is shown."""
        trainer = self.board
        if trainer._now.stage == "trying":
            return super().offer()
        if trainer._now.stage == "checking":
            return clicks.Offer("Checking your answer …")
        if len(trainer._frames) > 1 and trainer._at:
            return clicks.Offer(f"{trainer._line_title}: step {trainer._at} of {len(trainer._frames) - 1}")
        if trainer._now.shows_solution:
            return clicks.Offer("The position asked about")
        outcome: Outcome = trainer._now.verdict.outcome if trainer._now.verdict is not None else "wrong"
        return clicks.Offer(f"Your answer: {HEADS[outcome].lower()}")

    def act(self, action: Any) -> None:
        """Plays an action, or lays what is no action of the game."""
        after = self.board._way.act(self.board.moment, action)
        if after is None:
            super().act(action)
        else:
            self.board.picked = []
            self.board.cursor.moment = after

    def take_back(self) -> None:
        """Takes back the last decision."""
        self.board._take_back()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self.board._done()) if self.board._now.stage == "trying" else self.board._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether the line beside the board goes on."""
        return bool(self.board._at < len(self.board._frames) - 1)


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

    panel_types = (TaskPanel,)

    def __init__(
        self, puzzles: PuzzleSet, *, progress: Progress | None = None, first: str | None = None, **options: Any
    ) -> None:
        """Asks the first puzzle; options are those of `Board`."""
        self._frames: list[LineFrame] = []
        """The line beside the board: first where it begins, then each step."""
        self._at = 0
        """The frame on the board."""
        self._line_title = ""
        self._background: BackgroundJudging | None = None
        if not len(puzzles):
            raise PuzzleError(puzzles.name, "has no puzzles", "at least one")
        self._puzzles = puzzles
        self._progress = Progress() if progress is None else progress
        history = self._look_up(self._progress.history())
        puzzle = puzzles[first] if first is not None else (*history.due(puzzles.puzzles), *puzzles.puzzles)[0]
        self._take_up(puzzle)
        super().__init__(puzzle.start, mode=PuzzleMode, **options)

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
        self.check_free()
        with self.changing():
            for action in self._way.read_attempt(self.moment, turn):
                self.mode.act(action)

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
        self.check_free()
        with self.changing(wake=False):
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
        with self.changing(wake=False):
            self._now.ledger.hint()

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
        with self.changing(wake=False):
            frames = self._frame_solution(self._answer.line)  # a line that cannot be played changes nothing
            self._now.show_solution()
            self._restart()
            self._frames, self._line_title = frames, "Solution"
            self._now.ledger.give_up()

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
        with self.changing(wake=False):
            self._now.retry()
            self._restart()

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
        with self.lock:
            history = self._look_up(self._progress.history())
            others = [puzzle for puzzle in history.due(self._puzzles.puzzles) if puzzle.id != self._puzzle.id]
            place = self._place()
            following = (*self._puzzles.puzzles[place + 1 :], *self._puzzles.puzzles)[0]
            with self.changing(wake=False):
                self._switch(others[0] if others else following)
        self.close_analysis()

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
        with self.changing(wake=False):
            puzzle = self._puzzles[name]
            self._look_up(self._progress.history())
            self._switch(puzzle)
        self.close_analysis()

    def _switch(self, puzzle: Puzzle) -> None:
        """Puts another puzzle on the board."""
        self._now.drop()
        self._take_up(puzzle)
        self.take_over(Record(puzzle.start.rewind()), puzzle.start)
        self.forget()

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
        with self.changing(wake=False):
            read = read_whole("step", number, most=max(0, len(self._frames) - 1))
            if self._frames:
                forward, self._at = read == self._at + 1, read
                frame = self._frames[read]
                self.stand_at(frame.node)
                self.cursor.moment = frame.moment
                self.walked = frame.walk if forward else None

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
        if self._frames:
            self.step_to(max(0, self._at - 1))
        elif self._now.stage == "trying":
            with self.changing(wake=False):
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
        if self._frames:
            self.step_to(min(len(self._frames) - 1, self._at + 1))

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
        with self.changing(wake=False):
            if self.picked:
                self.mode.pick(self.picked[:-1])
            else:
                self.mode.take_back()

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
        if self._background is not None and not self._background.judging.is_stopped:
            self._background.wait(seconds)

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
        with self.changing(wake=False):
            ledger = self._now.ledger
            if not ledger.is_decided and self._now.stage == "trying" and not ledger.help_taken:
                ledger.help_taken = 1
            self._close_explorer()
            self.set_trait("analysis", Explorer(self.moment, theme=self.theme, flip=self.flip, size=self.size))

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
        with self.lock:
            self._close_explorer()

    def close(self) -> None:
        """Ends the trainer and all work for it.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite")).close()
        """
        if hasattr(self, "_now"):  # a trainer that could not be made is closed too
            self._now.drop()
        self._close_explorer()
        super().close()

    # The puzzle

    def _take_up(self, puzzle: Puzzle) -> None:
        """Begins with a puzzle; one that cannot be asked changes nothing."""
        goal, way = find_kind(puzzle.kind).goal(puzzle), find_way(puzzle)
        self._puzzle, self._answer = puzzle, self._puzzles.answer(puzzle)
        self._goal, self._way, self._now = goal, way, ask_puzzle(puzzle, self._answer, self._keep)
        self._frames, self._at, self._line_title = [], 0, ""

    def _place(self) -> int:
        return [puzzle.id for puzzle in self._puzzles.puzzles].index(self._puzzle.id)

    def _done(self) -> list[Any]:
        """Lists what has been done since the puzzle's start."""
        turns = [node.turn for node in self.node.line()[1:]]
        actions = [action for turn in (*turns, self.moment.played) for action in turn or ()]
        return self._way.list_done(actions[len(self._puzzle.start.played) :], self.moment)

    def _restart(self) -> None:
        """Puts the puzzle's position on the board."""
        self.stand_at(self.record.root)
        self.cursor.moment = self._puzzle.start
        self._frames, self._at, self._line_title = [], 0, ""

    def _take_back(self) -> None:
        actions = self._done()
        while actions:
            actions.pop()
            self._restart()
            for action in actions:
                self.mode.act(action)
            if not self.moment.is_chance:
                return

    # Judging

    def _judge_complete(self) -> None:
        """Begins to judge as soon as an answer is complete on the board."""
        if self._now.stage == "trying":
            attempt = self._way.read(self._done(), self.moment)
            if attempt is not None:
                self._begin_check(attempt)

    def _begin_check(self, attempt: str) -> None:
        self.set_trait("status", "")
        judging = self._now.hand_in(attempt, lambda status: self._tell_status(judging, status))
        self._background = BackgroundJudging(judging, self._judged)

    def _tell_status(self, judging: Judging, status: str) -> None:
        """Shows how far the judging has come; called in its thread."""
        with self.lock:
            if self._now.judging is judging:
                self.set_trait("status", status)

    def _judged(self, judging: Judging) -> None:
        """Shows a verdict; called in the thread of the judging."""
        with self.lock:
            if self._now.judging is not judging:
                return
            verdict = self._now.hear(judging)
            if verdict is None:
                self._restart()
                self.tell(judging.failure or RuntimeError("no verdict"))
                return
            # What cannot be written down is said on the board.
            with suppress(AquakitError), self.changing(wake=False):
                self._take_verdict(judging.answer, verdict)
                self._now.write_down()

    def _take_verdict(self, answer: str, verdict: Verdict) -> None:
        self._line_title = "How it goes on" if verdict.right else "Refutation"
        if self._way.form is not None:
            self._line_title = "Round by round"
        said, marks = self._way.say(answer), self._way.mark(answer)
        tried = LineFrame(said, [], self.node, self.moment, note="your answer", marks=marks)
        # What was lost with a tile or a canal is shown from the start on.
        begin = LineFrame("", [], self.record.root, self._puzzle.start) if verdict.reasons else tried
        steps = self._way.split(verdict.refutation) if verdict.refutation else []
        line = self._walk_through(steps, begin)[1:]
        self._frames = [tried, *self._mark_slips(line, verdict.reasons), *self._narrate(answer, tried)]

    def _keep(self, attempt: Attempt) -> None:
        """Writes an attempt down, and looks up how the person stands then."""
        self._look_up(self._progress.add(attempt))

    def _look_up(self, history: History) -> History:
        """Looks up how the person stands; another notebook may have written meanwhile."""
        self._standings = history.standings(self._puzzles.puzzles)
        self._rating = history.rating()
        return history

    def _frame_solution(self, line: str) -> list[LineFrame]:
        """Gets what the board shows from the puzzle's start through a line of its file."""
        said = "start" if self._way.form is None else self._way.say(line)
        first = LineFrame(said, [], self.record.root, self._puzzle.start, marks=self._way.mark(line))
        return self._walk_through(self._way.split(line), first) + self._narrate(line, first)

    def _walk_through(self, turns: Sequence[str], first: LineFrame) -> list[LineFrame]:
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
            frames.append(LineFrame(text, who, node, moment, walk, note))
        return frames

    def _narrate(self, text: str, first: LineFrame) -> list[LineFrame]:
        """Gets what the board shows while it is told step by step what comes of an answer that cannot be played."""
        frames, marks = list[LineFrame](), tuple[Ghost, ...]()
        for reason in self._way.narrate(text):
            marks += self._way.place(reason)
            frames.append(
                LineFrame(reason.text, self._sign(reason.player), first.node, first.moment, None, reason.note, marks)
            )
        return frames

    def _mark_slips(self, line: list[LineFrame], reasons: Sequence[Reason]) -> list[LineFrame]:
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

    def _close_explorer(self) -> None:
        explorer = self.analysis
        self.set_trait("analysis", None)
        if explorer is not None:
            explorer.close()

    def _describe(self) -> dict[str, Any]:
        """Collects what may be seen of the puzzle now."""
        puzzle, ledger = self._puzzle, self._now.ledger
        standing, themes = self._standings[puzzle.id], puzzle.themes if ledger.is_decided else ()
        return {
            "set": self._puzzles.title,
            "id": puzzle.id,
            "number": self._place() + 1,
            "title": puzzle.title,
            "goal": self._goal,
            "difficulty": puzzle.difficulty,
            "themes": [{"name": name, "about": tell_theme(name)} for name in themes],
            "stage": self._now.stage,
            "tried": self._now.tried,
            "verdict": self._describe_verdict(),
            "form": self._way.form,
            "marks": clicks.plain(self._frames[self._at].marks if self._frames else ()),
            "hints": list(ledger.hints),
            "hints_left": ledger.hints_left,
            "solution": self._describe_solution() if self._now.shows_solution else None,
            "line": self._describe_line(),
            "standing": _tell_standing(standing),
            "tally": self._tell_tally(),
            "rating": str(self._rating),
        }

    def _describe_verdict(self) -> dict[str, Any] | None:
        verdict = self._now.verdict
        if verdict is None:
            return None
        bound = "at least " if verdict.is_bound else ""
        loss = "" if verdict.right else f": it loses {bound}{_round(verdict.loss)}"
        return {
            "outcome": verdict.outcome,
            "head": HEADS[verdict.outcome] + loss,
            "words": f"{capital(verdict.words)}.",
            "reasons": [f"{reason}." for reason in verdict.reasons] if self._way.form is None else [],
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
            "explanation": split_explanation(answer.explanation, find_kind(self._puzzle.kind).other),
            "proof": f"Proved by {answer.proof.method}: {answer.proof.searched}.",
            "source": self._puzzle.source,
        }

    def _describe_line(self) -> dict[str, Any] | None:
        if len(self._frames) < 2:
            return None
        return {
            "title": "On the board" if self._now.shows_solution else self._line_title,
            "steps": [{"text": frame.text, "who": frame.who, "note": frame.note} for frame in self._frames],
            "at": self._at,
        }

    def _list_puzzles(self) -> list[dict[str, str]]:
        return [
            {"id": puzzle.id, "title": puzzle.title, "state": self._standings[puzzle.id].state}
            for puzzle in self._puzzles.puzzles
        ]

    def _tell_tally(self) -> str:
        """Says how the person stands with the set."""
        states = Counter(standing.state for standing in self._standings.values())
        parts = [f"{states['known']} of {count(len(self._puzzles), 'puzzle')} solved"]
        waiting = states["missed"] + states["learning"]
        parts += [f"{waiting} to be seen again"] if waiting else []
        due = sum(standing.is_due(datetime.now(UTC)) for standing in self._standings.values())
        parts += [f"{due} of them now"] if due else []
        return ", ".join(parts)


def _tell_standing(standing: PuzzleStanding) -> str:
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
