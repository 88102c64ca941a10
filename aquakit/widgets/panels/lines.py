"""Lines of play: given by people or found by an analysis, and drawn on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.telling import describe_turn
from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.errors import IllegalTurn, InvalidOption
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_page
from aquakit.widgets.panel import Arrows, Panel, Places, Setting
from aquakit.widgets.panels.analyst import Analyst, Finding, describe, measure_leads
from aquakit.widgets.turns.showing import ShowMode


class LinesPanel(Panel):
    """The lines, the analysis that finds them, and what it expects."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "lines": Setting([]).tag(sync=True),
        # The turns of the lines in words.
        "line_words": traitlets.Dict(read_only=True).tag(sync=True),
        "show_lines": Setting(True).tag(sync=True),
        # The turn of the line that alone is drawn, such as that under the pointer; empty for all of them.
        "line_shown": Setting("").tag(sync=True),
        # How many lines an analysis shows.
        "line_count": Setting(3).tag(sync=True),
        "analysing": traitlets.Bool(False, read_only=True).tag(sync=True),
        # The chances to win in the position shown, as far as it was analysed.
        "evaluation": traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True),
        # Each player's expected lead after each turn of the line on the board; none where it was not analysed.
        "graph": traitlets.List(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with no lines and no analysis."""
        super().__init__(board)
        self._analyst = Analyst(self._found)

    # What people ask of it

    def analyse(self) -> None:
        """Analyses the position shown, and each that is shown after it, until `rest`."""
        with self.board.lock:
            self._analyst.think(self.board.moment.view(), self.board.line_count)
            self.board.refresh()

    def rest(self) -> None:
        """Stops the analysis; what was found stays."""
        with self.board.lock:
            self._analyst.rest()
            self.board.refresh()

    def show(self, turn: str) -> None:
        """Shows the turns of a line, step by step; the game stays where it is until they are played."""
        with self.board.changing(wake=False):
            self.board.mode.check()
            for number, line in enumerate(self.board.lines, start=1):
                if line["turn"] == turn:
                    turns = [turn, *line["then"]]
                    self.board.mode = ShowMode(self.board, f"Line {number}", self.board.moment, turns)
                    return
            raise InvalidOption("line", show(turn), "the turn of a line that is listed")

    def show_number(self, number: int) -> None:
        """Shows the line with a number."""
        lines = self.board.lines
        self.show(lines[read_whole("line", number, least=1, most=len(lines)) - 1]["turn"])

    def _found(self, finding: Finding) -> None:
        """Shows what the analysis has found; called in its thread."""
        with self.board.lock:
            if finding.position == self.board.moment.view() and not self.board.mode.refusal:
                self.board.lines = [
                    {"turn": line.turn, "note": finding.note(line), "then": line.pv} for line in finding.lines
                ]

    # Settings

    def read(self, name: str, value: Any) -> Any:
        """Checks lines and how they are shown."""
        if name == "show_lines":
            return read_flag(name, value)
        if name == "line_count":
            return read_whole(name, value, least=1, most=20)
        if name == "line_shown":
            turn = read_page(name, value)
            # A page may point at a line that is gone by now.
            return turn if any(line["turn"] == turn for line in self.board.lines) else ""
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise InvalidOption("lines", show(value), "turns in a list")
        return [self._read_line(line) for line in value]

    def _read_line(self, line: Any) -> dict[str, str]:
        given = line if isinstance(line, Mapping) else {"turn": line}
        if "turn" not in given or not isinstance(given.get("note", ""), str):
            raise InvalidOption("lines", show(line), "a turn, or a mapping with turn, note and then")
        first, *then = self._follow([given["turn"], *given.get("then", ())])
        return {"turn": first, "note": given.get("note", ""), "then": then}

    def _follow(self, turns: Iterable[Any]) -> Iterator[str]:
        """Gets turns that follow each other, with all their actions."""
        moment = self.board.moment
        for turn in turns:
            made = complete(moment, turn)
            yield str(made)
            for action in made:
                moment = moment.act(action)

    def setting_changed(self, name: str) -> None:
        """Draws the lines again; with another count of lines an analysis begins again."""
        if name != "line_count":
            self.board.look_changed()
        elif self._analyst.is_thinking:
            self.analyse()

    # What the board asks of it

    def forget(self) -> None:
        """Drops the lines, and lets the analysis follow the board."""
        self.board.lines = []
        if self._analyst.is_thinking:
            self._analyst.think(self.board.moment.view(), self.board.line_count)

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Adds the traces of the lines, numbered: of all of them, or of the one that is looked at."""
        numbered = [(number, line["turn"]) for number, line in enumerate(self.board.lines, start=1)]
        drawn = [(number, turn) for number, turn in numbered if turn == self.board.line_shown]
        if not drawn and self.board.show_lines:
            drawn = numbered
        if not drawn or self.board.mode.refusal:
            return places, arrows
        moment, places, arrows = self.board.moment, dict(places), list(arrows)
        for number, turn in drawn:
            trace = moment.room("board.facts").trace(moment, turn)
            arrows += [arrow for arrow in trace.arrows if arrow not in arrows]
            for place in trace.marks:
                places[place] = f"{places.get(place, '')} {number}".strip()
        return places, arrows

    def shown(self) -> Mapping[str, Any]:
        """Gathers what the analysis expects, here and along the line on the board."""
        moment, known = self.board.moment, self._analyst.found
        facts, players = moment.room("board.facts"), len(moment.scores())
        return {
            "line_words": self._tell(),
            "analysing": self._analyst.is_thinking,
            "evaluation": describe(
                known.get(moment.view()), lambda player: clicks.plain(facts.chips(moment.layout, player))
            ),
            # To look up a position costs more than the rest, so none is while nothing is known.
            "graph": [
                measure_leads(known.get(node.position.view()), players) if known else None
                for node in self.board.cursor.line()
            ],
        }

    def _tell(self) -> dict[str, Any]:
        """Says the lines in words; those said before stay as they are."""
        moment, known = self.board.moment, self.board.line_words
        if self.board.mode.refusal:
            return known if self.board.mode.is_aside else {}
        turns = [line["turn"] for line in self.board.lines]
        return {turn: known.get(turn) or describe_turn(moment, turn) for turn in turns}

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "show": Message(self.show, turn=read_page),
            "analyse": Message(self.analyse),
            "rest": Message(self.rest),
        }

    def close(self) -> None:
        """Ends the analysis."""
        self._analyst.rest()


def complete(moment: AnyPosition, turn: Any) -> BaseTurn[Any]:
    """Gets a turn with all its actions; one in which dice come in may end with the roll."""
    made = moment.turn_type.read(turn)
    try:
        return moment.carry_out(made)[0]
    except IllegalTurn:
        for action in made:
            moment = moment.act(action)
        if not moment.is_chance:
            raise
        return made
