"""ExerciseBoard: an exercise of a workshop, asked beside its board, judged at once and written down.

What would give the answer away stays in Python until it is asked for: the page gets the question and what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.clicks import Choice, Offer
from aquakit.board.draft import Piece, draft
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import bot
from aquakit.errors import AquakitError, InvalidOption, InvalidTurn
from aquakit.planning.plans import Ghost
from aquakit.training.judging import Judging
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.judging import BackgroundJudging
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.modules import join_modules
from aquakit.widgets.panel import Hears, Panel
from aquakit.workshop import people
from aquakit.workshop.asking import Exercise
from aquakit.workshop.question import ChooseQuestion, NumberQuestion, PositionQuestion, TurnQuestion


class ExercisePanel(Panel):
    """The question that is asked, beside the board."""

    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The question, and what has been said about it so far.
        "task": traitlets.Dict(read_only=True).tag(sync=True),
    }

    def settle(self) -> None:
        """Begins to judge an answer that is complete."""
        answer = self.board._read_board() if self.board._now.stage == "trying" else None
        if answer is not None:
            self.board._begin_judging(answer)

    def shown(self) -> Mapping[str, Any]:
        """Gathers what may be seen of the exercise."""
        return {"task": self.board._describe()}

    def messages(self) -> Mapping[str, Hears]:
        """Gets what can be clicked."""
        asked = self.board
        return {
            "answer": lambda content: asked.answer(content["text"]),
            "hint": lambda _: asked.hint(),
            "solution": lambda _: asked.show_solution(),
            "retry": lambda _: asked.retry(),
            "join": lambda content: asked.join(content["name"]),
            "leave": lambda _: people.leave(),
        }


class ExerciseMode(PlayMode):
    """Plays an answer to an exercise: a turn, or pieces for gaps."""

    def check(self, doing: Doing = "play") -> None:
        """Refuses to play on after the answer."""
        if doing != "play" and self.board._now.stage != "trying":
            raise InvalidTurn("board", "this try is over", "another try")

    def check_position(self) -> None:
        """Leaves the position to the exercise."""
        raise InvalidOption("position", "is the exercise's", "`exercise(name)` for another one")

    def seat(self) -> int | None:
        """Lets a bot make the picks that are others' in the turn that is asked for."""
        moment = self.board.moment
        picks = self.board._now.stage == "trying" and moment.played and moment.player != moment.mover
        return super().seat() if picks else None

    def ask(self, position: AnyPosition, picked: Iterable[str]) -> Offer:
        """Offers turns or gaps, as the question wants them."""
        question = self.board._question
        if isinstance(question, TurnQuestion):
            return super().ask(position, picked)
        if isinstance(question, PositionQuestion):
            offered: Offer = self.board._offer_gaps(question, list(picked))
            return offered
        # The form stands beside the board or below it, as there is room.
        return Offer("Choose one of the answers" if isinstance(question, ChooseQuestion) else "Enter a number")

    def offer(self) -> Offer:
        """Says while nothing can be chosen what is shown."""
        if self.board._now.stage == "checking":
            return Offer("Checking your answer …")
        if self.board._now.stage == "trying":
            return super().offer()
        if self.board._now.verdict is None:
            return Offer("A right answer")
        return Offer(f"Your answer: {'right' if self.board._now.verdict.right else 'not right'}")

    def carry_out(self, text: str) -> None:
        """Plays actions, or puts a piece into a gap."""
        if isinstance(self.board._question, PositionQuestion):
            gap, _, piece = text.partition("=")
            self.board._put[gap] = piece
            self.board.picked = []
        else:
            super().carry_out(text)

    @property
    def can_undo(self) -> bool:
        """Whether an answer was begun."""
        begun = self.board._put or self.board.moment != self.board._start
        return bool(self.board._now.stage == "trying" and begun)

    @property
    def can_redo(self) -> bool:
        """An answer is played anew."""
        return False

    def last(self) -> tuple[Any, Any]:
        """A completed position did not come about by a turn."""
        return (None, None) if isinstance(self.board._question, PositionQuestion) else super().last()


class ExerciseBoard(Board):
    """A board that asks one exercise: a turn or pieces on the board, or a number or an option beside it."""

    _esm: ClassVar[Any] = join_modules("exercise.js")

    panel_types = (ExercisePanel,)

    def __init__(self, exercise: Exercise, **options: Any) -> None:
        """Asks an exercise; options are those of `Board`."""
        self._exercise = exercise
        self._question = exercise.question
        self._start = exercise.question.start
        self._now = exercise.sit_down()
        self._background: BackgroundJudging | None = None
        self._put: dict[str, str] = {}
        """What has been put into gaps, in this order."""
        rival = bot("greedy")
        others = [p for p in range(1, len(self._start.scores()) + 1) if p != self._start.mover]
        super().__init__(self._start, players=dict.fromkeys(others, rival), mode=ExerciseMode, **options)
        people.listen(self)

    # What people ask of it

    @property
    def exercise(self) -> Exercise:
        """The exercise that is asked."""
        return self._exercise

    @property
    def verdict(self) -> Verdict | None:
        """What was said about the last answer, if it has been judged."""
        return self._now.verdict

    def answer(self, answer: Any) -> None:
        """Answers from Python: a turn, an option, a number, or pieces for the gaps; `wait` waits for the verdict."""
        self.check_free()
        with self.changing(wake=False):
            self._begin_judging(self._question.read(answer))

    def hint(self) -> None:
        """Gives the next hint."""
        with self.changing(wake=False):
            self._exercise.hint()

    def show_solution(self) -> None:
        """Shows an answer and why; whoever has not answered rightly has looked then."""
        with self.changing(wake=False):
            self._now.drop()
            self._now.verdict = None
            self._exercise.solution()
            self._restart()
            self._now.show_solution()
            self._show_answer(self._exercise.model_answer)

    def retry(self) -> None:
        """Begins the exercise again."""
        with self.changing(wake=False):
            self._now.retry()
            self._restart()

    def undo(self) -> None:
        """Begins the answer again."""
        if self._now.stage == "trying":
            self.retry()

    def redo(self) -> None:
        """Does nothing: an answer is played anew."""

    def back(self) -> None:
        """Takes back the last pick, or else the last piece or decision."""
        if self._now.stage != "trying":
            return
        if not self.picked and self._put:
            with self.changing(wake=False):
                self._put.popitem()
        elif not self.picked and self.moment == self._start:
            return
        else:
            super().back()

    def stop(self) -> None:
        """Stops the judging: the answer does not count."""
        if self._now.stage == "checking":
            self.retry()
        else:
            super().stop()

    def wait(self, seconds: float = 60) -> None:
        """Waits until nothing is being judged, at most so long."""
        super().wait(seconds)
        if self._background is not None and not self._background.judging.is_stopped:
            self._background.wait(seconds)

    def join(self, name: str) -> None:
        """Says who answers, in this notebook."""
        people.join(name)

    def close(self) -> None:
        """Ends the board and all work for it."""
        self._now.drop()
        super().close()

    # Changing

    def _read_board(self) -> str | None:
        """Gets the answer as soon as it is complete on the board."""
        if isinstance(self._question, TurnQuestion) and self.node.parent is not None and self.node.turn is not None:
            return str(self._start.turn_type(self.node.turn[len(self._start.played) :]))
        if isinstance(self._question, PositionQuestion) and len(self._put) == self._question.to_fill:
            return self._question.read(" ".join(f"{gap}={piece}" for gap, piece in self._put.items()))
        return None

    def _restart(self) -> None:
        """Puts the exercise's position on the board."""
        self.stand_at(self.record.root)
        self.cursor.moment, self._put = self._start, {}

    def _offer_gaps(self, question: PositionQuestion, picked: list[str]) -> Offer:
        """Offers the gaps, then what can be put into the one picked; a single gap need not be picked."""
        left = [gap for gap in question.gaps if gap not in self._put]
        chosen = picked[0] if picked else left[0] if len(left) == 1 else None
        number = question.to_fill - len(self._put)
        if chosen is not None:
            pieces = [_offer_piece(chosen, piece) for piece in question.palette(chosen)]
            return Offer(f"Choose what belongs on {chosen}", tuple(pieces))
        looks = {gap: tools.look for tools in draft(self._start).tools() for gap in left if gap in tools.places}
        choices = tuple(Choice(gap, f"fill {gap}", looks[gap], (gap,)) for gap in left)
        return Offer(f"Choose a gap: {number} to fill", choices)

    # Judging

    def _begin_judging(self, text: str) -> None:
        self._background = BackgroundJudging(self._now.hand_in(text), self._judged)

    def _judged(self, judging: Judging) -> None:
        """Shows a verdict; called in the thread of the judging."""
        with self.lock:
            if self._now.judging is not judging:
                return
            if self._now.hear(judging) is None:
                self._restart()
                self.tell(judging.failure or RuntimeError("no verdict"))
                return
            # What cannot be written down is said on the board.
            with suppress(AquakitError), self.changing(wake=False):
                self._show_answer(judging.answer)
                self._now.write_down()

    def _show_answer(self, text: str) -> None:
        """Shows an answer on the board where that is possible: an illegal one leaves the board as it is."""
        with suppress(AquakitError):
            if isinstance(self._question, PositionQuestion):
                self._put = dict(token.partition("=")[::2] for token in text.split())
                self.cursor.moment = self._question.put(self._put).position()
            elif isinstance(self._question, TurnQuestion) and self.node.parent is None:
                for action in self._start.carry_out(text)[0]:
                    self.mode.act(action)

    # Showing

    def _describe(self) -> dict[str, Any]:
        """Collects what may be seen of the exercise now."""
        exercise, person = self._exercise, people.who()
        return {
            "lesson": exercise.lesson.title,
            "id": exercise.id,
            "title": exercise.title,
            "question": self._question.question,
            "stage": self._now.stage,
            "tried": self._now.tried,
            "verdict": self._describe_verdict(),
            "form": self._describe_form(),
            "marks": clicks.plain(self._mark_gaps()),
            "hints": list(exercise.ledger.hints),
            "hints_left": exercise.ledger.hints_left,
            "solution": self._describe_solution() if self._now.shows_solution else None,
            "person": person,
            "kept": "" if person is None else people.name_file(person),
            "is_fixed": people.is_fixed(),
        }

    def _describe_verdict(self) -> dict[str, str] | None:
        if self._now.verdict is None:
            return None
        head, outcome = ("Right", "right") if self._now.verdict.right else ("Not right", "wrong")
        return {"outcome": outcome, "head": head, "words": self._now.verdict.words}

    def _describe_form(self) -> dict[str, Any] | None:
        if isinstance(self._question, ChooseQuestion):
            return {"options": list(self._question.shown), "tried": self._name_tried(self._question)}
        if isinstance(self._question, NumberQuestion):
            return {"unit": self._question.unit or "", "tried": self._now.tried}
        return None

    def _name_tried(self, question: ChooseQuestion) -> str:
        return question.shown[question.options.index(self._now.tried)] if self._now.tried else ""

    def _describe_solution(self) -> dict[str, str]:
        answer = self._exercise.model_answer
        shown = answer
        if isinstance(self._question, ChooseQuestion):
            shown = self._question.shown[self._question.options.index(answer)]
        return {"answer": shown, "because": self._exercise.because}

    def _mark_gaps(self) -> tuple[Ghost, ...]:
        """Shows what lies in the gaps while it is no position yet."""
        if not isinstance(self._question, PositionQuestion) or self.moment != self._start:
            return ()
        icons = {(gap, piece.id): piece.icon for gap in self._put for piece in self._question.palette(gap)}
        filled = tuple(_ghost(gap, piece, icons[gap, piece]) for gap, piece in self._put.items())
        # What has no picture of its own is chosen by buttons, so its place is marked.
        asked = (gap for gap in self.picked if not any(piece.icon for piece in self._question.palette(gap)))
        return (*filled, *(Ghost(gap, "single", "?") for gap in asked))

    def person_changed(self) -> None:
        """Shows who answers now."""
        with self.lock:
            self.refresh()

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**options)
        asked = [f"{self._exercise.title}: {self._question.question}"]
        if isinstance(self._question, ChooseQuestion):
            asked += [f"- {option}" for option in self._question.shown]
        return {**data, "text/plain": "\n".join([*asked, "", data["text/plain"]])}, metadata


def _offer_piece(gap: str, piece: Piece) -> Choice:
    look: clicks.Look = "ghost" if piece.icon else "button"
    return Choice(f"{gap}={piece.id}", piece.label, look, (gap,), f"{gap}={piece.id}", piece=piece.icon, turns=True)


def _ghost(gap: str, piece: str, icon: str) -> Ghost:
    if icon:
        return Ghost(gap, "tile", "", piece=icon, turns=True)
    return Ghost(gap, "double" if piece == "double" else "single", "")
