"""Explorer: the board with the game's tree, score sheet, analysis lines, texts, records and a position editor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.engine.explain import Explanation
from aquakit.engine.review import Review
from aquakit.planning.plans import PlannerAnswer
from aquakit.widgets.board import Board
from aquakit.widgets.modules import join_modules
from aquakit.widgets.newgame.form import StudyFormPanel
from aquakit.widgets.newgame.offers import set_up
from aquakit.widgets.panel import Setting
from aquakit.widgets.panels.advice import USUAL, AdvicePanel
from aquakit.widgets.panels.editor import EditorPanel
from aquakit.widgets.panels.files import FilesPanel
from aquakit.widgets.panels.lines import LinesPanel
from aquakit.widgets.panels.moves import MovesPanel
from aquakit.widgets.panels.plans import PlansPanel
from aquakit.widgets.panels.recent import RecentPanel
from aquakit.widgets.panels.review import ReviewPanel
from aquakit.widgets.panels.scores import ScoresPanel
from aquakit.widgets.seats import Bot
from aquakit.widgets.turns.log import LogPanel


class Explorer(Board):
    """A board with everything needed to study a game: variations, comments, scores, lines, files and an editor.

    It shows a position or a record. `lines` takes analysis lines: turns that can be played here, each as a text or as a
    mapping with `turn` and `note`; the board shows them as arrows while `show_lines` is on. `line_count` says how many
    an analysis finds.

    >>> from aquakit import start
    >>> explorer = Explorer(start("romana2-5x4"))
    >>> explorer.play("b3=+@E4")
    >>> explorer.comment("Two ways are open.")
    >>> explorer.node, explorer.record.root.children[0].comment, explorer.planned
    (<Node: 1. b3=+@E4 x->, 'Two ways are open.', None)
    """

    _esm: ClassVar[Any] = join_modules("explorer.js")
    kept_as = "Explorer"
    hide = Setting(False)

    panel_types = (
        LogPanel,
        MovesPanel,
        ScoresPanel,
        FilesPanel,
        EditorPanel,
        LinesPanel,
        AdvicePanel,
        PlansPanel,
        RecentPanel,
        ReviewPanel,
        StudyFormPanel,
    )

    def __init__(self, game: Record | AnyPosition | str, **options: Any) -> None:
        """Shows a record from its start, or a position; options are those of `Board`."""
        if isinstance(game, Record):
            super().__init__(game.start, record=game, **options)
        else:
            super().__init__(game, **options)

    # The tree

    def go(self, node: Node) -> None:
        """Goes to the position after a turn of the record.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.go(explorer.record.root)
        >>> explorer.node
        <Node: start>
        """
        self.beside(LogPanel).go(node)

    def comment(self, text: str, node: Node | None = None) -> None:
        """Writes a comment on a turn, or on the one on the board.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.comment("A small board to learn on.")
        >>> explorer.record.root.comment
        'A small board to learn on.'
        """
        self.beside(MovesPanel).comment(text, node)

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
        self.beside(MovesPanel).promote(node)

    def delete(self, node: Node | None = None) -> None:
        """Deletes a turn and what follows; `restore` brings it back.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.delete()
        >>> explorer.record.root.children
        ()
        """
        self.beside(MovesPanel).delete(node)

    def restore(self) -> None:
        """Brings back the tree as it was before the last deletion, or before another game was opened.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4")
        >>> explorer.delete()
        >>> explorer.restore()
        >>> explorer.record.root.children
        (<Node: 1. b3=+@E4 x->,)
        """
        self.beside(MovesPanel).restore()

    # Texts, files and games

    def new_game(
        self,
        layout: Any,
        *,
        players: Mapping[int, Bot | str] | None = None,
        names: Mapping[int, str] | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        """Begins another game, as the form of *New game* does; `restore` brings the present one back.

        Bots play the seats that `players` gives them, `names` are those of people, and options are those of the game's
        start, all as in `aquakit.play`.

        >>> explorer = Explorer("romana4")
        >>> explorer.new_game("romana2-5x4", players={2: "greedy"}, names={1: "Ada"})
        >>> explorer.position.layout.name, explorer.players, explorer.headers["player 1"]
        ('romana2-5x4', {2: <Bot: greedy>}, 'Ada')
        """
        self.beside(StudyFormPanel).begin(set_up(layout, players, names, seed, **options))

    def read(self, text: str) -> None:
        """Shows the position that a text describes; if the tree has it, goes there.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.read("aquadukt2-6x5")
        >>> explorer.position.layout.name
        'aquadukt2-6x5'
        """
        self.beside(FilesPanel).read_text(text)

    def load(self, record: Record | str | Path) -> None:
        """Opens a record, given as such or by its file; of a damaged file, what is readable.

        >>> from aquakit import start
        >>> explorer = Explorer("romana4")
        >>> explorer.load(Record(start("romana2-5x4"), {"event": "Club evening"}))
        >>> explorer.headers
        {'event': 'Club evening'}
        """
        self.beside(FilesPanel).load(record)

    def save(self, path: str | Path) -> None:
        """Saves the record to a file.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Explorer("romana2-5x4").save(f"{folder}/game.txt")
        ...     Record.load(f"{folder}/game.txt")
        <Record: romana2-5x4, 0 turns, result *>
        """
        self.beside(FilesPanel).save(path)

    # The editor

    def edit(self) -> None:
        """Begins to edit the position on the board; of a moment inside a turn, the turn's start.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.offer["prompt"]
        'Editing: put straight from north to south on the board'
        """
        self.beside(EditorPanel).edit()

    def finish(self) -> None:
        """Goes on from the edited position, as a new game; if nothing was changed, from where it was.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.choose("b3")
        >>> explorer.finish()
        >>> explorer.position.tiles["b3"]
        '|'
        """
        self.beside(EditorPanel).finish()

    def cancel(self) -> None:
        """Leaves the position as it was before editing.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.edit()
        >>> explorer.choose("b3")
        >>> explorer.cancel()
        >>> "b3" in explorer.position.tiles
        False
        """
        self.beside(EditorPanel).cancel()

    # Analysis

    def analyse(self) -> None:
        """Analyses the position shown, and each that is shown after it, until `rest`; its lines are shown meanwhile.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.analyse()
        >>> explorer.analysing
        True
        >>> explorer.rest()
        """
        self.beside(LinesPanel).analyse()

    def rest(self) -> None:
        """Stops the analysis; what was found stays.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.analyse()
        >>> explorer.rest()
        >>> explorer.analysing
        False
        """
        self.beside(LinesPanel).rest()

    def show_line(self, number: int) -> None:
        """Shows the turns of a line step by step; `later` and `earlier` go through it, `back` returns to the game.

        >>> explorer = Explorer("romana2-5x4", lines=[{"turn": "b3=+@E4", "then": ["d2=7@Sd"]}])
        >>> explorer.show_line(1)
        >>> explorer.later()
        >>> explorer.position.tiles["b3"], explorer.position.tiles["d2"]
        ('+', '7')
        >>> explorer.back()
        >>> explorer.record
        <Record: romana2-5x4, 0 turns, result *>
        """
        self.beside(LinesPanel).show_number(number)

    @property
    def advised(self) -> Explanation | None:
        """The best turn for the position on the board and why, if it was asked for and is known by now."""
        return self.beside(AdvicePanel).advised

    def advise(self, seconds: float = USUAL) -> None:
        """Begins to look for the best turn in the position on the board, as *Best turn?* does.

        What is found is told in words, with its reasons, and marked on the board until another position stands there.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.advise(seconds=0.5)
        >>> found = explorer.wait_for_advice()
        >>> found.turn, found is explorer.advised
        ('d4=+@E4 x-', True)
        """
        self.beside(AdvicePanel).advise(seconds)

    def clear_advice(self) -> None:
        """Forgets the best turn, and does not wait for it.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.advise()
        >>> explorer.clear_advice()
        >>> explorer.advised is None
        True
        """
        self.beside(AdvicePanel).clear()

    def wait_for_advice(self, seconds: float = 60) -> Explanation | None:
        """Waits until the best turn is known, at most so long; gets it.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.advise(seconds=0.2)
        >>> explorer.wait_for_advice().turn in {str(turn) for turn in explorer.position.turns()}
        True
        """
        return self.beside(AdvicePanel).wait(seconds)

    # Planning

    @property
    def planned(self) -> PlannerAnswer | None:
        """What was planned for the position on the board, if it is known by now."""
        return self.beside(PlansPanel).planned

    def plan(self, question: str, number: int | None = None, *, verify: bool = False) -> None:
        """Begins to plan something for the position on the board, instead of what was planned before.

        What can be asked, and the number that belongs to it, depends on the game: `planner` lists it. With `verify` a
        second method is to confirm the answer, where `planner` names one (`second`).

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 2)
        >>> explorer.wait_for_plan() is not None
        True
        """
        self.beside(PlansPanel).plan(question, number, verify=verify)

    def stop_plan(self) -> None:
        """Asks for an end of the planning; the best so far is shown then.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("longest")
        >>> explorer.stop_plan()
        >>> explorer.wait_for_plan() is not None
        True
        """
        self.beside(PlansPanel).stop()

    def clear_plan(self) -> None:
        """Forgets what was planned, and stops what is being planned.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 1)
        >>> explorer.clear_plan()
        >>> explorer.planned is None
        True
        """
        self.beside(PlansPanel).clear()

    def wait_for_plan(self, seconds: float = 60) -> PlannerAnswer | None:
        """Waits until nothing is being planned, at most so long; gets what was found.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 1)
        >>> found = explorer.wait_for_plan(60)
        >>> found is explorer.planned
        True
        """
        return self.beside(PlansPanel).wait(seconds)

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
        self.beside(PlansPanel).add()

    def open_plan(self) -> None:
        """Opens the plan as a game of its own; `restore` brings the present one back.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.plan("plan", 2)
        >>> found = explorer.wait_for_plan()
        >>> explorer.open_plan()
        >>> explorer.position.is_solo
        True
        """
        self.beside(PlansPanel).open()

    # Reviewing

    @property
    def reviewed(self) -> Review | None:
        """The review of the game on the board, as far as it has come."""
        return self.beside(ReviewPanel).reviewed

    def review(self, seconds: float = 1.0) -> None:
        """Begins to review the game on the board, its main line, with so many seconds for each decision.

        What was found is shown in the tab *Review* as it comes. It goes when another game is opened.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *d")
        >>> explorer.review(seconds=0.1)
        >>> explorer.wait_for_review().turns[0].turn
        'b3=+@E4 xR1 *d'
        """
        self.beside(ReviewPanel).review(seconds)

    def stop_review(self) -> None:
        """Asks for an end of the review; the decisions that are judged stay.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *d")
        >>> explorer.review(seconds=60)
        >>> explorer.stop_review()
        >>> explorer.wait_for_review().is_complete
        False
        """
        self.beside(ReviewPanel).stop()

    def clear_review(self) -> None:
        """Forgets the review, and stops it.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *d")
        >>> explorer.review(seconds=60)
        >>> explorer.clear_review()
        >>> explorer.reviewed is None
        True
        """
        self.beside(ReviewPanel).clear()

    def wait_for_review(self, seconds: float = 600) -> Review | None:
        """Waits until nothing is being reviewed, at most so long; gets what was found.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *d")
        >>> explorer.review(seconds=0.1)
        >>> explorer.wait_for_review() is explorer.reviewed
        True
        """
        return self.beside(ReviewPanel).wait(seconds)

    def show_mistake(self, number: int) -> None:
        """Goes to the moment of a mistake, the first of the game being 1; the better turn is marked there.

        >>> explorer = Explorer("romana2-5x4")
        >>> explorer.play("b3=+@E4 xR1 *d")
        >>> explorer.review(seconds=0.2)
        >>> mistakes = explorer.wait_for_review().mistakes()
        >>> explorer.show_mistake(1)
        >>> explorer.node, explorer.mistake_here
        (<Node: start>, 0)
        """
        self.beside(ReviewPanel).go(number - 1)
