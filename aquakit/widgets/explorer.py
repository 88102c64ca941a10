"""Explorer: the board with the game's tree, score sheet, analysis lines, texts, records and a position editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.draft import BaseDraft, draft
from aquakit.core.options import read_flag, read_seconds, read_whole, show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Node, Record
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidRecord
from aquakit.planning.plans import PlannerAnswer
from aquakit.widgets.analyst import Analyst, Finding, describe, measure_leads
from aquakit.widgets.board import Board, Setting, read_position
from aquakit.widgets.modules import join_modules
from aquakit.widgets.planner import Job, describe_job, describe_questions, read_question

KEPT = 20
"""How many earlier states of the tree can be brought back."""
MOST_STEPS = 999


class Explorer(Board):
    """A board with everything needed to study a game: variations, comments, scores, lines, files and an editor.

    It shows a position or a record. `lines` takes analysis lines: turns that can be played here, each as a text or as a
    mapping with `turn` and `note`; the board shows them as arrows while `show_lines` is on.

    >>> from aquakit import start
    >>> explorer = Explorer(start("romana2-5x4"))
    >>> explorer.play("b3=+@E4")
    >>> explorer.comment("Two ways are open.")
    >>> explorer.node, explorer.record.root.children[0].comment, explorer.planned
    (<Node: 1. b3=+@E4 x->, 'Two ways are open.', None)
    """

    _esm: ClassVar[Any] = join_modules("explorer.js")

    lines = Setting([]).tag(sync=True)
    show_lines = Setting(True).tag(sync=True)
    line_count = Setting(3).tag(sync=True)
    """How many lines an analysis shows."""
    plan_shown = Setting(None).tag(sync=True)
    """Up to which step the board shows what was planned; none for all of it."""

    tree: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    """The rows of the tree as they are written in a record."""
    at = traitlets.Unicode(read_only=True).tag(sync=True)
    """The row of the turn on the board."""
    index = traitlets.Int(read_only=True).tag(sync=True)
    length = traitlets.Int(read_only=True).tag(sync=True)
    """How far along its line the board is, and how long that is."""
    sheet: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    headers = traitlets.Dict(read_only=True).tag(sync=True)
    game = traitlets.Unicode(read_only=True).tag(sync=True)
    """The record's text; none while something in it is hidden."""
    draft = traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True)
    """The position editor's state while it is open."""
    can_restore = traitlets.Bool(False, read_only=True).tag(sync=True)
    said = traitlets.Unicode(read_only=True).tag(sync=True)
    """What was done last with a file."""
    analysing = traitlets.Bool(False, read_only=True).tag(sync=True)
    evaluation = traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True)
    """The chances to win in the position shown, as far as it was analysed."""
    graph: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    """Each player's expected lead after each turn of the line on the board; none where it was not analysed."""
    planner = traitlets.Dict(read_only=True).tag(sync=True)
    """What can be planned here, how far that has come, and what was found; a game may have no planner."""

    def __init__(self, game: Record | AnyPosition | str, **options: Any) -> None:
        """Shows a record from its start, or a position; options are those of `Board`."""
        self._draft: BaseDraft | None = None
        self._tool = ("", "")
        self._left: AnyPosition | None = None
        self._earlier: list[tuple[str, Any, tuple[int, ...]]] = []
        self._saying = ""
        self._analyst = Analyst(self._found)
        self._job: Job | None = None
        self._plan_problem = ""
        self._given = game if isinstance(game, Record) else None
        super().__init__(game.start if isinstance(game, Record) else game, **options)

    def _first_record(self, position: AnyPosition) -> Record:
        return self._given or super()._first_record(position)

    # The tree

    @property
    def node(self) -> Node:
        """The turn on the board."""
        return self._node

    def go(self, node: Node) -> None:
        """Goes to the position after a turn of the record.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.go(explorer.record.root)
        >>> explorer.node
        <Node: start>
        """
        with self._changing(wake=False):
            found = self._own(node)
            self._redo |= pairwise(found.line())
            self._go(found)

    def comment(self, text: str, node: Node | None = None) -> None:
        """Writes a comment on a turn, or on the one on the board.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.comment("A small board to learn on.")
        >>> explorer.record.root.comment
        'A small board to learn on.'
        """
        with self._changing(wake=False):
            self._own(node).comment = text

    def promote(self, node: Node | None = None) -> None:
        """Moves a variation one place up.

        >>> explorer = Explorer("romana2-5x4")
        >>> for turn in ("b3=+@E4", "b3=L@Nb"):
        ...     explorer.go(explorer.record.root)
        ...     explorer.play(turn)
        >>> explorer.promote()
        >>> explorer.record.root.children
        (<Node: 1. b3=L@Nb x->, <Node: 1. b3=+@E4 x->)
        """
        with self._changing(wake=False):
            self._own(node).promote()

    def delete(self, node: Node | None = None) -> None:
        """Deletes a turn and what follows; `restore` brings it back.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.delete()
        >>> explorer.record.root.children
        ()
        """
        with self._changing(wake=False):
            gone = self._own(node)
            if gone.parent is None:
                raise InvalidRecord("node", "the start cannot be deleted", "a turn")
            self._keep()
            if gone in self._node.line():
                self._go(gone.parent)
            gone.delete()

    def restore(self) -> None:
        """Brings back the tree as it was before the last deletion, or before another game was opened.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.delete()
        >>> explorer.restore()
        >>> explorer.record.root.children
        (<Node: 1. b3=+@E4 x->,)
        """
        with self._changing(wake=False):
            if self._earlier:
                text, layout, path = self._earlier.pop()
                record = Record.parse(text, layout)
                self._open(record, record.start)
                self._go(record.at(path))

    def _own(self, node: Node | None) -> Node:
        """Gets a node of this record: the given one, or the one on the board."""
        found = self._node if node is None else node
        if not isinstance(found, Node) or found.line()[0] is not self._record.root:
            raise InvalidRecord("node", f"{show(node)} belongs to another record", "a node of this one")
        return found

    def _keep(self) -> None:
        """Keeps the tree as it is, so that it can be brought back."""
        layout = self._record.start.layout
        self._earlier = [*self._earlier, (str(self._record), layout, self._node.path)][-KEPT:]

    def _line(self) -> list[Node]:
        """Lists the turns of the line on the board, and those that would follow."""
        nodes = self._node.line()
        while (following := self._following(nodes[-1])) is not None:
            nodes.append(following)
        return nodes

    def _play_line(self, turn: str) -> None:
        """Plays a line that is shown; where dice come in, up to what they show."""
        self._check_closed()
        with self._changing():
            self._carry_out(str(self._whole(turn)))

    # Texts and files

    def read(self, text: str) -> None:
        """Shows the position that a text describes; if the tree has it, goes there.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.read("aquadukt2-6x5")
        >>> explorer.position.layout.name
        'aquadukt2-6x5'
        """
        position = self._checked(lambda: read_position(text))
        known = next((node for node in self._record.root.walk() if node.position == position), None)
        if known is not None:
            self.go(known)
        else:
            self.position = position

    def load(self, record: Record | str | Path) -> None:
        """Opens a record, given as such or by its file; of a damaged file, what is readable.

        >>> from aquakit import start
        >>> explorer = Explorer("romana4")
        >>> explorer.load(Record(start("romana2-5x4"), {"event": "Club evening"}))
        >>> explorer.headers
        {'event': 'Club evening'}
        """
        found = record if isinstance(record, Record) else self._readable(lambda: Record.load(record))
        with self._changing(wake=False):
            self._keep()
            self._open(found, found.start)
            self._go(found.root)

    def _readable(self, read: Callable[[], Record]) -> Record:
        """Reads a record; of a damaged one, opens what is readable, shows the problem and raises it."""
        try:
            return read()
        except InvalidRecord as problem:
            if problem.record is not None:
                self.load(problem.record)
            self._tell(problem)
            raise

    def save(self, path: str | Path) -> None:
        """Saves the record to a file.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Explorer("romana2-5x4").save(f"{folder}/game.txt")
        ...     Record.load(f"{folder}/game.txt")
        <Record: romana2-5x4, 0 turns, result *>
        """
        with self._changing(wake=False):
            if not str(path).strip():
                raise InvalidOption("path", "is empty", "a file's name")
            self._record.save(path)
            self._saying = f"Saved to {path}."

    # The editor

    def edit(self) -> None:
        """Begins to edit the position on the board; of a moment inside a turn, the turn's start.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.offer["prompt"]
        'Editing: put straight from north to south on the board'
        """
        with self._changing(wake=False):
            left = self._node.position if self._draft else self._moment
            self._call_off()
            self._drop_plan()
            self._go(self._node)
            self._left, self._draft = left, draft(self._moment)
            tools = self._draft.tools()[0]
            self._tool = (tools.title, tools.ids[0])

    def finish(self) -> None:
        """Goes on from the edited position, as a new game; if nothing was changed, from where it was.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.choose("b3")
        >>> explorer.finish()
        >>> explorer.position.tiles["b3"]
        '|'
        """
        if self._draft is None:
            return
        position = self._checked(self._draft.position)
        if position == self._node.position:
            self.cancel()
        else:
            self._begin(position)

    def cancel(self) -> None:
        """Leaves the position as it was before editing.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.choose("b3")
        >>> explorer.cancel()
        >>> "b3" in explorer.position.tiles
        False
        """
        with self._changing(wake=False):
            if self._draft is not None and self._left is not None:
                left = self._left
                self._go(self._node)
                self._moment = left

    def undo(self) -> None:
        """Goes back to the start of the turn, or of the one before; while editing, to what was there before.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.undo()
        >>> explorer.node
        <Node: start>
        """
        if self._draft is None:
            super().undo()
        else:
            self.cancel()

    def back(self) -> None:
        """Goes one step back in the turn; while editing there is none.

        >>> from aquakit import start
        >>> explorer = Explorer(start("romana2-5x4").act("b3=+@E4"))
        >>> explorer.back()
        >>> explorer.position.phase
        'build'
        """
        if self._draft is None:
            super().back()

    def play(self, turn: Any) -> None:
        """Plays a whole turn, or the rest of one.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *j")
        >>> explorer.node
        <Node: 1. b3=+@E4 xR1 *j>
        """
        self._check_closed()
        super().play(turn)

    def _check_free(self) -> None:
        super()._check_free()
        self._check_closed()

    def _check_closed(self) -> None:
        """Refuses to play on a position that is being edited."""
        if self._draft is not None:
            self._refuse(InvalidOption("editor", "is open", "that the edited position is taken over or cancelled"))

    def _go(self, node: Node) -> None:
        super()._go(node)
        self._draft = self._left = None

    def _begin(self, position: AnyPosition) -> None:
        with self._lock:
            self._keep()
            self._draft = self._left = None
            super()._begin(position)

    def _seat(self) -> int | None:
        return None if self._draft is not None else super()._seat()

    def _edited(self) -> BaseDraft:
        """Gets the draft."""
        if self._draft is None:
            raise InvalidOption("editor", "is not open", "that a position is being edited")
        return self._draft

    def _edit(self, change: Callable[[BaseDraft], BaseDraft]) -> None:
        """Changes the draft; the board shows it as soon as it is a position."""
        with self._changing(wake=False):
            self._draft = change(self._edited())
            if self._draft.problem() is None:
                self._moment = self._draft.position()

    def _use(self, title: str, piece: str) -> None:
        """Takes a piece from a palette, to put it on the board by clicking."""
        with self._changing(wake=False):
            if not any(tools.title == title and piece in tools.ids for tools in self._edited().tools()):
                raise InvalidOption("tool", f"{show(piece)} of {show(title)}", "a piece of a palette")
            self._tool = (title, piece)

    def choose(self, choice: str) -> None:
        """Chooses something that is offered, by its id, as a click does; while editing, puts the piece there.

        >>> explorer = Explorer("aquadukt2-6x5")
        >>> explorer.choose("spring")
        >>> explorer.picked
        ['spring']
        """
        if self._draft is None:
            super().choose(choice)
        else:
            self._edit(lambda edited: edited.put(choice, self._tool[1]))

    # Analysis

    def analyse(self) -> None:
        """Analyses the position shown, and each that is shown after it, until `rest`; its lines are shown meanwhile.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.analyse()
        >>> explorer.analysing
        True
        >>> explorer.rest()
        """
        with self._lock:
            self._analyst.think(self._moment.view(), self.line_count)
            self._refresh()

    def rest(self) -> None:
        """Stops the analysis; what was found stays.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.analyse()
        >>> explorer.rest()
        >>> explorer.analysing
        False
        """
        with self._lock:
            self._analyst.rest()
            self._refresh()

    def _found(self, finding: Finding) -> None:
        """Shows what the analysis has found; called in its thread."""
        with self._lock:
            if finding.position != self._moment.view() or self._draft is not None:
                return
            self.lines = [{"turn": line.turn, "note": finding.note(line)} for line in finding.lines]

    def _shown_analysis(self, line: Iterable[Node]) -> dict[str, Any]:
        layout, facts = self._moment.layout, self._moment.room("board.facts")
        known = self._analyst.found
        players = len(self._moment.scores())
        return {
            "analysing": self._analyst.is_thinking,
            "evaluation": describe(
                known.get(self._moment.view()), lambda player: clicks.plain(facts.chips(layout, player))
            ),
            "graph": [measure_leads(known.get(node.position.view()), players) for node in line],
        }

    # Planning

    @property
    def planned(self) -> PlannerAnswer | None:
        """What was planned for the position on the board, if it is known by now."""
        return None if self._job is None else self._job.answer

    def plan(self, question: str, number: int | None = None) -> None:
        """Begins to plan something for the position on the board, instead of what was planned before.

        What can be asked, and the number that belongs to it, depends on the game: `planner` lists it.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 2)
        >>> explorer.wait_for_plan() is not None
        True
        """
        with self._lock:
            self._check_closed()
            position = self._moment.view()
            asked = read_question(position, question, number)
            self._drop_plan()
            self._job = Job(position, *asked, self._heard_job)
            self._job.start()
            self._show_planner()

    def stop_plan(self) -> None:
        """Asks for an end of the planning; the best so far is shown then.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("longest")
        >>> explorer.stop_plan()
        >>> explorer.wait_for_plan() is not None
        True
        """
        with self._lock:
            if self._job is not None and not self._job.is_done:
                self._job.stop()
            self._show_planner()

    def clear_plan(self) -> None:
        """Forgets what was planned, and stops what is being planned.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 1)
        >>> explorer.clear_plan()
        >>> explorer.planned is None
        True
        """
        with self._lock:
            self._drop_plan()
            self._show_planner()

    def wait_for_plan(self, seconds: float = 60) -> PlannerAnswer | None:
        """Waits until nothing is being planned, at most so long; gets what was found.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 1)
        >>> found = explorer.wait_for_plan(60)
        >>> found is explorer.planned
        True
        """
        read_seconds(seconds)
        job = self._job
        if job is not None:
            job.wait(seconds)
        return self.planned

    def add_plan(self) -> None:
        """Adds the turns of the plan to the game as a variation; the board stays where it is.

        >>> from aquakit import start
        >>> explorer = Explorer(start("romana2-5x4").solo(1))
        >>> explorer.plan("plan", 2)
        >>> found = explorer.wait_for_plan()
        >>> explorer.add_plan()
        >>> len(explorer.record.root.main()) - 1
        2
        """
        with self._changing(wake=False):
            record = self._planned_record()
            if not self._fits(record):
                raise InvalidOption("plan", "begins with another position", "the one on the board")
            nodes = [self._node]
            for planned in record.root.main()[1:]:
                nodes.append(nodes[-1].play(str(planned.turn)))
            self._redo |= pairwise(nodes)

    def open_plan(self) -> None:
        """Opens the plan as a game of its own; `restore` brings the present one back.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 2)
        >>> found = explorer.wait_for_plan()
        >>> explorer.open_plan()
        >>> explorer.position.is_solo
        True
        """
        self.load(self._planned_record())

    def close(self) -> None:
        """Ends the explorer and all work for it.

        >>> Explorer("romana2-5x4").close()
        """
        self._drop_plan()
        self._analyst.rest()
        super().close()

    def _ask_plan(self, question: str, number: Any) -> None:
        """Begins to plan; what speaks against it is shown beside the question."""
        try:
            self.plan(question, number)
        except AquakitError as problem:
            with self._lock:
                self._plan_problem = str(problem)
                self._show_planner()

    def _planned_record(self) -> Record:
        record = None if self.planned is None else self.planned.record
        if record is None:
            raise InvalidOption("plan", "there is none with turns", "that one was found")
        return record

    def _fits(self, record: Record) -> bool:
        """Checks whether a plan begins with what is on the board."""
        return record.start == self._moment == self._node.position

    def _heard_job(self, job: Job) -> None:
        """Shows how far a plan has come; called in its thread."""
        with self._lock:
            if self._job is job:
                self._show_planner()

    def _drop_plan(self) -> None:
        """Stops planning; what is found after all is not heard."""
        job, self._job, self._plan_problem = self._job, None, ""
        if job is not None:
            job.stop()
        self.plan_shown = None

    def _show_planner(self) -> None:
        """Shows the plan alone; the rest of the board stays."""
        self.set_trait("planner", self._shown_planner())

    def _shown_planner(self) -> dict[str, Any]:
        job = self._job
        record = None if job is None or job.answer is None else job.answer.record
        return {
            "questions": describe_questions(self._moment.view(), "the position is edited" if self._draft else ""),
            **describe_job(job, self._plan_problem),
            "turns": "" if record is None else "add" if self._fits(record) else "open",
        }

    # Showing

    def _offer(self) -> clicks.Offer:
        if self._draft is None:
            return super()._offer()
        title, chosen = self._tool
        tools = next(tools for tools in self._draft.tools() if tools.title == title)
        piece = next(piece for piece in tools.pieces if piece.id == chosen)
        choices = [
            clicks.Choice(place, f"{piece.label} on {place}", tools.look, (place,), piece=piece.icon)
            for place in tools.places
        ]
        return clicks.Offer(f"Editing: put {piece.label} on the board", tuple(choices))

    def _shown(self, problem: str) -> dict[str, Any]:
        line, root = self._line(), self._record.root
        said, self._saying = self._saying, ""
        sheet = self._moment.room("board.facts").sheet(self._visible())
        shown = super()._shown(problem)
        return {
            **shown,
            "can_undo": shown["can_undo"] or self._draft is not None,
            "tree": [self._row(node, level) for node, level in root.rows()],
            "at": _name(self._node),
            "index": self._node.number,
            "length": len(line) - 1,
            "sheet": clicks.plain(sheet),
            "headers": dict(self._record.headers),
            "game": "" if self._visible() is not self._moment else str(self._record),
            "draft": self._shown_draft(),
            "can_restore": bool(self._earlier),
            "said": said,
            **self._shown_analysis(line),
            "planner": self._shown_planner(),
        }

    def _row(self, node: Node, level: int) -> dict[str, Any]:
        before = node.parent.position if node.parent else None
        chips = before.room("board.facts").chips(before.layout, before.mover) if before and before.mover else ()
        return {
            "at": _name(node),
            "number": node.number,
            "turn": str(node.turn or ""),
            "who": clicks.plain(chips),
            "level": level,
            "comment": node.comment,
            "promotable": bool(node.parent and node.parent.children[0] is not node),
        }

    def _shown_draft(self) -> dict[str, Any] | None:
        if self._draft is None:
            return None
        problem = self._draft.problem()
        return {
            "tools": clicks.plain(self._draft.tools()),
            "fields": clicks.plain(self._draft.fields()),
            "tool": list(self._tool),
            "problem": str(problem) if problem else "",
            "text": self._draft.text,
        }

    def _last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        # What the last turn put on the board need not lie there once it is edited.
        return (None, None) if self._draft is not None else super()._last()

    def _marked(self) -> tuple[Any, Any]:
        """Adds the traces of the lines, or what the editor has changed and cannot show yet."""
        highlights, arrows = super()._marked()
        marks = dict(highlights) if isinstance(highlights, Mapping) else dict.fromkeys(highlights, "")
        if self._draft is not None:
            changed = self._draft.changes(self._moment)
            return marks | {place: piece or "∅" for place, piece in changed.items()}, arrows
        drawn = [tuple(arrow) for arrow in arrows]
        if self.show_lines:
            for number, line in enumerate(self.lines, start=1):
                trace = self._moment.room("board.facts").trace(self._moment, line["turn"])
                drawn += [arrow for arrow in trace.arrows if arrow not in drawn]
                for place in dict.fromkeys([*(end for _, end in trace.arrows), *trace.marks]):
                    marks[place] = f"{marks.get(place, '')} {number}".strip()
        return marks, drawn

    # Traits

    @traitlets.validate("lines")
    def _check_lines(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: self._read_lines(proposal["value"]))

    def _read_lines(self, lines: Any) -> list[dict[str, str]]:
        if isinstance(lines, str | Mapping) or not isinstance(lines, Iterable):
            raise InvalidOption("lines", show(lines), "turns in a list")
        return [self._read_line(line) for line in lines]

    def _read_line(self, line: Any) -> dict[str, str]:
        given = line if isinstance(line, Mapping) else {"turn": line}
        if "turn" not in given or not isinstance(given.get("note", ""), str):
            raise InvalidOption("lines", show(line), "a turn, or a mapping with turn and note")
        return {"turn": str(self._whole(given["turn"])), "note": given.get("note", "")}

    def _whole(self, turn: Any) -> BaseTurn[Any]:
        """Gets a turn with all its actions; one in which dice come in may end with the roll."""
        made = self._moment.turn_type.read(turn)
        try:
            return self._moment.carry_out(made)[0]
        except IllegalTurn:
            moment = self._moment
            for action in made:
                moment = moment.act(action)
            if not moment.is_chance:
                raise
            return made

    @traitlets.validate("show_lines")
    def _check_show_lines(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_flag("show_lines", proposal["value"]))

    @traitlets.observe("lines", "show_lines")
    def _lines_changed(self, change: Mapping[str, Any]) -> None:
        self._look_changed(change)

    @traitlets.validate("line_count")
    def _check_line_count(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_whole("line_count", proposal["value"], least=1, most=20))

    @traitlets.observe("line_count")
    def _line_count_changed(self, _: Mapping[str, Any]) -> None:
        if self._analyst.is_thinking:
            self.analyse()

    @traitlets.validate("plan_shown")
    def _check_plan_shown(self, proposal: Mapping[str, Any]) -> Any:
        value = proposal["value"]
        return None if value is None else self._checked(lambda: read_whole("plan_shown", value, most=MOST_STEPS))

    def _forget(self) -> None:
        super()._forget()
        self.lines = []
        self._drop_plan()
        if self._analyst.is_thinking:
            self._analyst.think(self._moment.view(), self.line_count)

    # Messages

    def _actions(self, content: Mapping[str, Any]) -> dict[str, Callable[[], None]]:
        def here() -> Node:
            return self._record.at(_path(content["at"]))

        return {
            **super()._actions(content),
            "go": lambda: self.go(here()),
            "first": lambda: self.go(self._record.root),
            "previous": lambda: self.go(self._node.parent or self._node),
            "next": lambda: self.go(self._following(self._node) or self._node),
            "last": lambda: self.go(self._line()[-1]),
            "scrub": lambda: self.go(self._line()[content["index"]]),
            "comment": lambda: self.comment(content["text"], here()),
            "promote": lambda: self.promote(here()),
            "delete": lambda: self.delete(here()),
            "restore": self.restore,
            "play": lambda: self._play_line(content["turn"]),
            "analyse": self.analyse,
            "rest": self.rest,
            "plan": lambda: self._ask_plan(content["question"], content.get("number")),
            "stop_plan": self.stop_plan,
            "clear_plan": self.clear_plan,
            "add_plan": self.add_plan,
            "open_plan": self.open_plan,
            "read": lambda: self.read(content["text"]),
            "load": lambda: self.load(content["path"]),
            "open": lambda: self.load(self._readable(lambda: Record.parse(content["text"]))),
            "save": lambda: self.save(content["path"]),
            "edit": self.edit,
            "tool": lambda: self._use(content["title"], content["piece"]),
            "set": lambda: self._edit(lambda edited: edited.set(content["field"], content["value"])),
            "balance": lambda: self._edit(lambda edited: edited.balance()),
            "finish": self.finish,
            "cancel": self.cancel,
        }


def _name(node: Node) -> str:
    """Names a node for the browser."""
    return ".".join(map(str, node.path))


def _path(name: str) -> tuple[int, ...]:
    """Gets the path of a node that the browser names."""
    return tuple(int(place) for place in name.split(".") if place)
