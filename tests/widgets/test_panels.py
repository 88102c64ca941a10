"""Each panel alone beside a board, what a board tells its panels, and the cursor and the modes by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
import traitlets
from clicking import check, ids, tell, turns
from waiting import wait_for

import aquakit
from aquakit import Board, Explorer, Record
from aquakit.board.clicks import Offer
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption, InvalidRecord, InvalidTurn
from aquakit.planning.plans import Count, PlannerAnswer, PlannerQuestion, PlannerStep
from aquakit.widgets import panels
from aquakit.widgets.cursor import Cursor
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.panel import Arrows, Panel, Places, Setting
from aquakit.widgets.panels import plan_job
from aquakit.widgets.panels.editor import EditMode, EditorPanel
from aquakit.widgets.panels.files import FilesPanel
from aquakit.widgets.panels.lines import LinesPanel
from aquakit.widgets.panels.moves import MovesPanel
from aquakit.widgets.panels.plans import PlansPanel
from aquakit.widgets.panels.scores import ScoresPanel
from aquakit.widgets.turns.log import LogPanel
from aquakit.workshop import served

SMALL = aquakit.start("romana2-5x4")
TINY = aquakit.start("aquadukt2-6x5", seed=1)
TURN = "b3=+@E4 x-"
OTHER = "b3=L@Nb x-"
ALL = (MovesPanel, ScoresPanel, FilesPanel, EditorPanel, LinesPanel, PlansPanel)


def board_with(panel: type[Panel], position: Any = SMALL, **options: Any) -> Board:
    """Makes a board with one panel beside it and nothing else."""
    alone = type(f"{panel.__name__}Alone", (Board,), {"panel_types": (panel,)})
    made: Board = alone(position, **options)
    return made


class Diary(Panel):
    """A panel that notes what it is told; its words can be set, and must be lower case."""

    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "word": Setting("").tag(sync=True),
        "noted": traitlets.List(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Any) -> None:
        super().__init__(board)
        self.told: list[str] = []
        self.forbidden = ""

    def read(self, name: str, value: Any) -> Any:
        if value != str(value).lower():
            raise InvalidOption(name, value, "lower case")
        return value

    def messages(self) -> Mapping[str, Message]:
        return {"note": Message(self.told.append, text=read_text), "undo": Message(lambda: self.told.append("undo"))}

    def settle(self) -> None:
        if str(self.board.node.turn) == self.forbidden:
            raise InvalidTurn("diary", "forbids this", "another turn")
        self.told.append("settle")

    def shown(self) -> Mapping[str, Any]:
        return {"noted": [*self.told]}

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        return {**places, "c3": "7"} if self.board.word == "mark" else places, arrows

    def forget(self) -> None:
        self.told.append("forget")

    def leave_game(self) -> None:
        self.told.append("leave")

    def close(self) -> None:
        self.told.append("close")


# What a board does with a panel


def test_a_class_has_the_traits_of_its_panels() -> None:
    board = board_with(Diary)
    assert {"word", "noted"} <= set(board.get_state())
    assert not Board("romana2-5x4").has_trait("word")
    assert board_with(Diary, word="given").word == "given"
    for panel in ALL:
        assert set(panel.traits) <= set(Explorer.class_trait_names())


def test_two_classes_with_a_panel_do_not_share_its_traits() -> None:
    one, two = board_with(Diary), board_with(Diary)
    one.word = "one"
    assert two.word == ""
    assert type(one).class_traits()["word"] is not type(two).class_traits()["word"]


def test_no_trait_belongs_to_two_panels() -> None:
    names = [name for panel in ALL for name in panel.traits]
    assert len(names) == len(set(names))
    assert not set(names) & set(Board.class_trait_names())


def test_a_panel_reads_its_settings() -> None:
    board = board_with(Diary)
    with pytest.raises(InvalidOption, match="lower case"):
        board.word = "LOUD"
    assert board.word == ""
    assert "lower case" in board.problem
    board.set_state({"word": "LOUD"})
    assert board.word == ""
    board.set_state({"word": "quiet"})
    assert board.word == "quiet"
    assert board.problem == ""


def test_a_panel_shows_in_the_step_of_the_board() -> None:
    board = board_with(Diary)
    diary, step = board.beside(Diary), board.step
    diary.told.clear()
    board.play(TURN)
    assert diary.told == ["settle", "forget"]
    assert board.noted == ["settle", "forget"]
    assert board.step == step + 1


def test_a_panel_hears_its_messages_and_has_the_last_word() -> None:
    board = board_with(Diary)
    board.play(TURN)
    tell(board, do="note", text="heard")
    tell(board, do="undo")
    assert board.beside(Diary).told[-2:] == ["heard", "undo"]
    assert turns(board) == [TURN]


def test_what_a_panel_does_not_settle_is_undone() -> None:
    board = board_with(Diary)
    board.beside(Diary).forbidden = TURN
    with pytest.raises(InvalidTurn, match="forbids this"):
        board.play(TURN)
    assert board.position == SMALL
    assert "forbids this" in board.problem
    board.play(OTHER)
    assert board.position.player == 2


def test_a_panel_marks_the_picture() -> None:
    board = board_with(Diary)
    before = board.picture
    board.word = "mark"
    assert board.picture != before
    assert board.picture == Board(SMALL, highlights={"c3": "7"}).picture


def test_a_panel_hears_of_another_game_and_of_the_end() -> None:
    board = board_with(Diary)
    diary = board.beside(Diary)
    board.position = SMALL.play(TURN)
    assert diary.told.count("leave") == 1
    board.open_record(Record(SMALL))
    assert diary.told.count("leave") == 2
    board.close()
    assert diary.told[-1] == "close"


def test_panels_can_be_made_with_more_than_the_board() -> None:
    class Named(Diary):
        def __init__(self, board: Any, name: str) -> None:
            super().__init__(board)
            self.name = name

    class Club(Board):
        panel_types = (Named,)

    assert Club(SMALL, panels=[lambda board: Named(board, "mine")]).beside(Named).name == "mine"


def test_panels_know_no_other_panel() -> None:
    backs = {f"aquakit.widgets.panels.{name}" for name in ("analyst", "plan_job", "review_job")}
    for file in Path(panels.__path__[0]).glob("*.py"):
        imported = re.findall(r"^from (aquakit\.widgets\.panels\.\w+)", file.read_text("utf-8"), re.MULTILINE)
        assert set(imported) <= backs, file


# The explorer's panels, each alone


def test_the_log_alone() -> None:
    board = board_with(LogPanel)
    log = board.beside(LogPanel)
    board.play(TURN)
    log.go(board.record.root)
    board.play(OTHER)
    assert [(row["at"], row["turn"], row["level"], row["on_line"]) for row in board.tree] == [
        ("", "", 0, True),
        ("0", TURN, 0, False),
        ("1", OTHER, 1, True),
    ]
    assert (board.at, board.index, board.length) == ("1", 1, 1)
    tell(board, do="first")
    tell(board, do="later")
    assert str(board.node.turn) == OTHER
    with pytest.raises(InvalidRecord, match="belongs to another record"):
        log.go(Record(SMALL).root)


def test_moves_alone() -> None:
    board = board_with(MovesPanel)
    moves = board.beside(MovesPanel)
    board.play(TURN)
    board.earlier()
    board.play(OTHER)
    moves.comment("the other way")
    assert [node.comment for node in board.record.root.children] == ["", "the other way"]
    assert not board.can_restore
    moves.promote()
    assert turns(board) == [OTHER]
    tell(board, do="delete", at="0")
    assert turns(board) == [TURN]
    assert board.can_restore
    moves.restore()
    assert turns(board) == [OTHER]
    with pytest.raises(InvalidRecord, match="belongs to another record"):
        moves.promote(Record(SMALL).root)
    check(board)


def test_scores_alone() -> None:
    board = board_with(ScoresPanel)
    before = board.sheet
    assert before[0]["rows"]
    board.play("b3=+@E4 xR1 *j")
    assert board.sheet != before


def test_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    board = board_with(FilesPanel)
    files = board.beside(FilesPanel)
    board.play(TURN)
    assert board.game == str(board.record)
    files.save(tmp_path / "game.txt")
    assert board.said == f"Saved to {tmp_path / 'game.txt'}."
    files.read_text(str(SMALL))  # the tree has it
    assert board.node is board.record.root
    assert turns(board) == [TURN]
    files.read_text("aquadukt2-6x5")
    assert board.position.layout.name == "aquadukt2-6x5"
    tell(board, do="load", path="game.txt")
    assert turns(board) == [TURN]
    assert board.said == ""
    with pytest.raises(InvalidRecord):
        files.load(tmp_path / "none.txt")
    with pytest.raises(InvalidOption):
        files.save(" ")


def test_the_editor_alone() -> None:
    board = board_with(EditorPanel)
    editor = board.beside(EditorPanel)
    assert board.draft is None
    editor.edit()
    assert isinstance(board.mode, EditMode)
    assert "b3" in ids(board)
    with pytest.raises(InvalidOption, match="is open"):
        board.play(TURN)
    board.choose("b3")
    assert board.draft["tool"][1] == "|"
    editor.finish()
    assert board.position.tiles["b3"] == "|"
    assert board.draft is None
    assert type(board.mode) is PlayMode
    editor.edit()
    board.choose("c3")
    assert board.can_undo
    board.undo()
    assert "c3" not in board.position.tiles
    assert isinstance(board.mode, EditMode)
    board.undo()
    with pytest.raises(InvalidOption, match="is not open"):
        editor.do(lambda editing: editing.use("Tiles", "|"))
    check(board)


def test_going_elsewhere_ends_editing() -> None:
    board = board_with(EditorPanel)
    board.play(TURN)
    board.beside(EditorPanel).edit()
    board.position = SMALL
    assert board.beside(EditorPanel).editing is None
    board.beside(EditorPanel).edit()
    with board.changing():
        board.stand_at(board.record.root)
    assert board.draft is None


def test_lines_alone() -> None:
    board = board_with(LinesPanel)
    plain = board.picture
    board.lines = [TURN, {"turn": OTHER, "note": "better"}]
    assert board.lines == [{"turn": TURN, "note": "", "then": []}, {"turn": OTHER, "note": "better", "then": []}]
    assert board.picture != plain
    board.show_lines = False
    assert board.picture == plain
    tell(board, do="show", turn=OTHER)
    assert turns(board) == []
    board.choose("play")
    assert turns(board) == [OTHER]
    assert board.lines == []
    with pytest.raises(InvalidOption):
        board.line_count = 0


def test_an_analysis_alone() -> None:
    board = board_with(LinesPanel, line_count=2)
    board.beside(LinesPanel).analyse()
    assert board.analysing
    wait_for(lambda: board.lines)
    board.beside(LinesPanel).rest()
    assert not board.analysing
    assert board.evaluation is not None
    assert len(board.graph) == 1
    board.close()


def test_an_analysis_for_a_visitor_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(served.SERVED, "1")
    monkeypatch.setattr(served, "PATIENCE", 0.3)
    board = board_with(LinesPanel)
    tell(board, do="analyse")
    analysis = board.beside(LinesPanel)._analyst._analysis
    assert analysis is not None
    analysis.wait()  # nobody stops it
    assert board.lines
    board.close()


def test_plans_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(position: Any, *_: Any, **__: Any) -> PlannerAnswer:
        record = Record(position)
        record.root.play(TURN)
        return PlannerAnswer(("one turn",), (PlannerStep(TURN, ""),), record=record)

    asked = PlannerQuestion("turn", "Turn", "a turn", Count("turns", 1, 9, 4), "")
    offers = SimpleNamespace(questions=lambda _: (asked,), answer=answer)
    monkeypatch.setattr(plan_job, "find_offers", lambda _: offers)
    board = board_with(PlansPanel)
    plans = board.beside(PlansPanel)
    assert [question["id"] for question in board.planner["questions"]] == ["turn"]
    plans.plan("turn")
    found = plans.wait(60)
    assert found is not None
    assert found is plans.planned
    wait_for(lambda: board.planner["answer"])
    assert board.planner["turns"] == "add"
    plans.add()
    assert turns(board) == [TURN]
    board.plan_shown = 1
    plans.clear()
    assert plans.planned is None
    assert board.plan_shown is None
    tell(board, do="plan", question="none", number=1, verify=False)
    assert board.planner["problem"]
    assert board.problem == ""


# The cursor and the modes


def test_a_cursor_goes_through_a_record() -> None:
    cursor = Cursor(Record(SMALL))
    for turn in (TURN, OTHER):
        cursor.go(cursor.record.root)
        for action in cursor.moment.carry_out(turn)[0]:
            cursor.act(action)
    first, second = cursor.record.root.children
    assert cursor.node is second
    assert cursor.line() == [cursor.record.root, second]
    cursor.go(cursor.record.root)
    assert cursor.following(cursor.node) is second
    cursor.remember([cursor.record.root, first])
    assert cursor.following(cursor.node) is first
    before = cursor.whereabouts
    cursor.act(cursor.moment.actions()[0])
    assert cursor.last()[1] == SMALL
    cursor.take_back()
    assert cursor.whereabouts == before
    cursor.go(second)
    cursor.put_back(before)
    assert cursor.node is cursor.record.root


def test_a_mode_says_what_clicks_do() -> None:
    class Bell(PlayMode):
        rings = 0

        def check(self, doing: Doing = "play") -> None:
            if doing == "play":
                raise InvalidTurn("bell", "is not played", "a click")

        def ask(self, position: AnyPosition, picked: Any) -> Offer:
            return Offer("Ring the bell")

        def choose(self, choice: str) -> None:
            self.rings += 1

    board = Board(SMALL, mode=Bell)
    assert board.offer["prompt"] == "Ring the bell"
    with pytest.raises(InvalidTurn, match="is not played"):
        board.play(TURN)
    tell(board, do="choose", id="whatever")
    assert isinstance(board.mode, Bell)
    assert board.mode.rings == 1
    assert board.position == SMALL


def test_dice_fall_in_a_mode_as_on_the_board() -> None:
    one, two = Board(TINY, seed=5), Board(TINY, seed=5)
    one.choose("roll")
    with two.changing():
        two.mode.choose("roll")
    assert one.position == two.position
    check(two)
