"""Plays lines of puzzles: what a board shows at each step of a solution, a refutation or a story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aquakit.board import clicks
from aquakit.board.telling import describe_parts, describe_turn
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node
from aquakit.planning.plans import Ghost
from aquakit.puzzle.answering import Answering
from aquakit.training.verdict import Reason, Verdict


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
    told: Any = ()
    """What is played, in words, as plain data."""


class LinePlayer:
    """Plays the lines of a puzzle, by the way in which it is answered."""

    def __init__(self, way: Answering) -> None:
        """Plays from the start of the way's puzzle on."""
        self.way = way
        self.start: AnyPosition = way.start

    def show_solution(self, line: str, root: Node) -> list[LineFrame]:
        """Gets what the board shows from the puzzle's start through a line of its file."""
        said = "start" if self.way.form is None else self.way.say_line(line)
        first = LineFrame(said, [], root, self.start, marks=self.way.mark(line))
        return self.walk_through(self.way.split(line), first) + self.narrate(line, first)

    def show_verdict(self, answer: str, verdict: Verdict, node: Node, moment: AnyPosition) -> list[LineFrame]:
        """Gets what the board shows from an answer, which led to a moment, through what comes of it."""
        marks = self.way.mark(answer)
        if self.way.form is not None:
            tried = LineFrame(self.way.say(answer), [], node, moment, note="your answer", marks=marks)
        else:
            told = describe_turn(self.start, answer) if self.way.has_turns else describe_parts(self.way.tell(answer))
            tried = LineFrame(answer, [], node, moment, note="your answer", marks=marks, told=told)
        # What was lost with a tile or a canal is shown from the start on.
        begin = LineFrame("", [], node.line()[0], self.start) if verdict.reasons else tried
        steps = self.way.split(verdict.refutation) if verdict.refutation else []
        line = self.walk_through(steps, begin)[1:]
        return [tried, *self.mark_slips(line, verdict.reasons), *self.narrate(answer, tried)]

    def walk_through(self, turns: Sequence[str], first: LineFrame) -> list[LineFrame]:
        """Plays turns from a frame on, and gets what the board shows after each."""
        frames = [first]
        for text in turns:
            node, moment, walk = frames[-1].node, frames[-1].moment, None
            who = self._sign(moment.player if moment.played else moment.mover) if self.way.has_turns else []
            note = self.way.remark(moment, text)
            actions = self.way.read_step(moment, text)
            begun, by_rules = moment, True
            for action in actions:
                before, laid = moment, self.way.act(moment, action)
                moment, by_rules = (moment.act(action) if laid is None else laid), by_rules and laid is None
                if laid is None:
                    walk = clicks.walk(before, moment) or walk
                if laid is None and not moment.played:
                    node = node.play(before.turn_type((*before.played, action)))
                    moment = node.position
            told = describe_turn(begun, actions) if by_rules else describe_parts(self.way.tell(text))
            frames.append(LineFrame(text, who, node, moment, walk, note, told=told))
        return frames

    def narrate(self, text: str, first: LineFrame) -> list[LineFrame]:
        """Gets what the board shows while it is told step by step what comes of an answer that cannot be played."""
        frames, marks = list[LineFrame](), tuple[Ghost, ...]()
        for reason in self.way.narrate(text):
            marks += self.way.place(reason)
            who = self._sign(reason.player)
            frames.append(LineFrame(reason.text, who, first.node, first.moment, None, reason.note, marks))
        return frames

    def mark_slips(self, line: list[LineFrame], reasons: Sequence[Reason]) -> list[LineFrame]:
        """Marks in a line of tiles or canals the one that was wrong, from where it is laid on."""
        for reason in reasons:
            if 0 < reason.step <= len(line):
                ghosts, place = self.way.place(reason), reason.step - 1
                line[place:] = [later._replace(marks=ghosts) for later in line[place:]]
                line[place] = line[place]._replace(note=reason.text)
        return line

    def _sign(self, player: int | None) -> Any:
        """Gets the signs of a player, or none."""
        facts = self.start.room("board.facts")
        return clicks.plain(facts.chips(self.start.layout, player)) if player else []
