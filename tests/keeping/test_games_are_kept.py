"""Nothing that is played is lost: every board keeps its game, and any of them is brought back as it was."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import aquakit
from aquakit.errors import InvalidOption
from aquakit.keeping import cells
from aquakit.keeping.keeper import by_hand
from aquakit.keeping.shelf import MOST, GameShelf, InvalidGames, KeptGame
from aquakit.widgets.exercise import ExerciseBoard
from aquakit.widgets.newgame.form import NewGamePanel
from aquakit.widgets.newgame.offers import set_up

START = "romana2-5x4"
FIRST, SECOND, OTHER = "b3=+@E4", "d2=7@Sd", "b3=L@Nb"
PLAYS = """
import sys
import aquakit
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    board = aquakit.Board("romana2-5x4", name=f"{sys.argv[1]} {number}")
    board.play("b3=+@E4")
    board.play("d2=7@Sd")
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(cells, "_runs", {})
    return tmp_path / "data"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets the notebook tell which cell is running."""
    told = {"cell": "", "number": 0}

    class Shell:
        user_ns: dict[str, Any] = {}

        def get_parent(self) -> dict[str, Any]:
            return {"metadata": {"cellId": told["cell"]}, "header": {"msg_id": str(told["number"])}}

    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=Shell))
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/ada/evening.ipynb")

    def begin(cell: str) -> None:
        told.update(cell=cell, number=told["number"] + 1)

    return begin


def restart() -> None:
    """Forgets what a process knows, as a new one would."""
    cells._runs.clear()


def click(board: Any, turn: str) -> None:
    """Plays as people do on the page."""
    with by_hand():
        board.play(turn)


class TestKeeping:
    def test_a_game_that_a_form_began_comes_back_with_its_bots(self) -> None:
        board = aquakit.play()
        game = set_up(START, {2: "greedy"})
        board.begin(game.record.start, game.record, game.bots)
        click(board, FIRST)
        board.wait()
        again = aquakit.resume()
        assert again.record.headers == board.record.headers
        assert {seat: bot.name for seat, bot in again.players.items()} == {2: "greedy"}

    def test_every_turn_variation_and_comment_is_kept_at_once(self) -> None:
        explorer = aquakit.Explorer(START)
        assert len(aquakit.games()) == 0, "nothing has been played yet"
        explorer.play(FIRST)
        explorer.undo()
        explorer.play(OTHER)
        explorer.comment("A long way to go.")
        explorer.go(explorer.record.root.children[0])
        (game,) = aquakit.games()
        assert game.record == str(explorer.record)
        again = aquakit.resume()
        assert isinstance(again, aquakit.Explorer)
        assert str(again.record) == str(explorer.record)
        assert str(again.node.turn) == "b3=+@E4 x-"
        assert again.position == explorer.position

    def test_a_board_stands_where_it_stood_inside_a_turn_too(self) -> None:
        board = aquakit.Board(START)
        board.play(FIRST)
        board.choose(board.offer["choices"][0]["id"])
        while not board.position.played:
            board.choose(board.offer["choices"][0]["id"])
        again = aquakit.resume()
        assert not isinstance(again, aquakit.Explorer)
        assert again.position == board.position
        assert again.position.played
        again.back()
        assert not again.position.played

    def test_what_is_undone_can_be_redone_after_coming_back(self) -> None:
        board = aquakit.Board(START)
        for turn in (FIRST, SECOND):
            board.play(turn)
        board.undo()
        again = aquakit.resume()
        assert again.node.number == 1
        again.redo()
        assert again.node.number == 2

    def test_a_game_that_goes_on_stays_one_game(self) -> None:
        aquakit.Board(START, name="club").play(FIRST)
        again = aquakit.resume("club")
        again.play(SECOND)
        (game,) = aquakit.games()
        assert game.turns == 2
        assert game.name == "club"

    def test_two_boards_that_go_on_with_one_game_write_nothing_over(self) -> None:
        first = aquakit.Board(START)
        first.play(FIRST)
        second = aquakit.resume()
        second.play(SECOND)
        first.play("d2=F@Sd" if "d2=F@Sd" in map(str, first.position.actions()) else first.position.actions()[0])
        assert {game.record for game in aquakit.games()} == {str(first.record), str(second.record)}

    def test_bots_sit_where_they_sat(self) -> None:
        board = aquakit.Board(START, players={2: aquakit.bot("greedy"), 1: lambda position: position.actions()[0]})
        board.wait()
        board.stop()
        again = aquakit.resume()
        assert {seat: bot.name for seat, bot in again.players.items()} == {2: "greedy"}
        again.stop()

    def test_games_on_a_layout_of_one_s_own_need_no_file(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(aquakit.load_layout(START).text.replace(f'name = "{START}"', 'name = "mine"'), "utf-8")
        board = aquakit.Board(aquakit.start(path))
        board.play(FIRST)
        path.unlink()
        assert aquakit.games()[0].layout == "mine"
        assert aquakit.resume().position == board.position

    def test_a_new_game_on_the_same_board_is_kept_beside_the_old_one(self) -> None:
        board = aquakit.Board(START)
        board.play(FIRST)
        board.begin_anew()
        assert len(aquakit.games()) == 1
        board.play(OTHER)
        assert [game.record.splitlines()[3] for game in aquakit.games()] == ["1. b3=L@Nb x-", "1. b3=+@E4 x-"]

    def test_what_is_brought_back_is_the_game_that_it_was(self) -> None:
        explorer = aquakit.Explorer(START)
        explorer.play(FIRST)
        explorer.delete()
        explorer.restore()
        assert [game.turns for game in aquakit.games()] == [1]
        explorer.load(aquakit.Record(aquakit.start("aquadukt2-6x5")))
        explorer.restore()
        explorer.play(SECOND)
        assert [(game.layout, game.turns) for game in aquakit.games()] == [(START, 2)]

    def test_a_record_that_is_only_looked_at_is_not_kept(self) -> None:
        record = aquakit.Record(aquakit.start(START))
        node = record.root.play(FIRST)
        explorer = aquakit.Explorer(record)
        explorer.go(node)
        assert len(aquakit.games()) == 0
        explorer.comment("Two ways are open.")
        assert aquakit.games()[0].turns == 1

    def test_only_so_many_are_kept(self) -> None:
        shelf = GameShelf.own()
        for number in range(MOST + 3):
            shelf.put(KeptGame(name=str(number)))
        names = [game.name for game in shelf.games()]
        assert names == [str(number) for number in reversed(range(3, MOST + 3))]


class TestCells:
    def test_after_a_restart_the_same_cell_goes_on(self, run: Callable[[str], None]) -> None:
        run("a")
        board = aquakit.Board(START)
        click(board, FIRST)
        restart()
        run("a")
        again = aquakit.Board(START)
        assert again.position == board.position
        assert again.kept["going_on"].startswith("Going on with the game of ")
        assert again.kept["going_on"].endswith(" (1 turn).")
        click(again, SECOND)
        assert again.kept["going_on"] == ""
        assert [game.turns for game in aquakit.games()] == [2]

    def test_a_game_begun_by_the_form_goes_on_whichever_it_was_with_its_bots(self, run: Callable[[str], None]) -> None:
        run("a")
        board = aquakit.play()
        for layout in ("romana4", "aquadukt3"):
            game = set_up(layout, {3: "greedy"}, {1: "Ada"})
            board.beside(NewGamePanel).begin(game)
        with by_hand():
            board.play("spring 3.5")
        restart()
        run("a")
        again = aquakit.play()
        assert again.asking == ""
        assert again.position == board.position
        assert again.kept["going_on"].endswith(" (1 turn).")
        assert again.table["seats"][0]["who"] == "Ada"
        assert again.table["seats"][2]["bot"] == "greedy"
        with by_hand():
            again.play(next(iter(again.position.turns())))
        again.wait()
        assert again.node.number == 3, "the bot has answered"
        restart()
        run("b")
        assert aquakit.play().asking == "first", "another cell begins with the form"

    def test_a_game_whose_start_was_drawn_goes_on_too(self, run: Callable[[str], None]) -> None:
        run("a")
        board = aquakit.play("aquadukt4", events=True)
        with by_hand():
            board.play(next(iter(board.position.turns())))
        restart()
        run("a")
        assert aquakit.play("aquadukt4", events=True).position == board.position
        restart()
        run("a")
        assert aquakit.play("aquadukt3").record.root.children == (), "another board was asked for"

    def test_run_again_in_the_same_process_it_begins_anew(self, run: Callable[[str], None]) -> None:
        run("a")
        click(aquakit.Board(START), FIRST)
        run("a")
        assert aquakit.Board(START).record.root.children == ()
        assert len(aquakit.games()) == 1

    def test_begin_anew_begins_anew_and_the_old_game_stays(self, run: Callable[[str], None]) -> None:
        run("a")
        click(aquakit.Board(START), FIRST)
        restart()
        run("a")
        board = aquakit.Board(START)
        board._handle_msg({"content": {"data": {"method": "custom", "content": {"do": "anew"}}}, "buffers": []})
        assert board.record.root.children == ()
        assert board.kept == {"keeps": True, "going_on": ""}
        click(board, OTHER)
        assert len(aquakit.games()) == 2

    @pytest.mark.parametrize("changed", ["another cell", "another start", "over", "code played along"])
    def test_otherwise_it_begins_as_the_code_says(self, run: Callable[[str], None], changed: str) -> None:
        run("a")
        board = aquakit.Board(START)
        if changed == "code played along":
            board.play(FIRST)
        else:
            click(board, FIRST)
        if changed == "over":
            with by_hand():
                while not board.position.is_over:
                    board.play(aquakit.bot("random")(board.position))
        restart()
        run("b" if changed == "another cell" else "a")
        start = aquakit.start(START).play(OTHER) if changed == "another start" else aquakit.start(START)
        assert aquakit.Board(start).position == start

    def test_several_boards_of_one_cell_go_on_each_by_itself(self, run: Callable[[str], None]) -> None:
        run("a")
        for turn in (FIRST, OTHER):
            click(aquakit.Board(START), turn)
        restart()
        run("a")
        boards = [aquakit.Board(START) for _ in range(3)]
        assert [str(board.node.turn) for board in boards] == ["b3=+@E4 x-", "b3=L@Nb x-", "None"]

    def test_a_notebook_may_have_a_name_that_is_no_text(
        self, run: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("JPY_SESSION_NAME", "/home/ada/\udcff.ipynb")
        run("a")
        click(aquakit.Board(START), FIRST)
        restart()
        run("a")
        assert aquakit.Board(START).node.number == 1

    def test_a_named_game_goes_on_wherever_it_is(self, run: Callable[[str], None]) -> None:
        run("a")
        click(aquakit.Board(START, name="club evening"), FIRST)
        restart()
        run("b")
        assert aquakit.Board(START, name="club evening").node.number == 1

    def test_a_damaged_game_is_told_and_the_board_begins(self, run: Callable[[str], None], home: Path) -> None:
        run("a")
        click(aquakit.Board(START), FIRST)
        with sqlite3.connect(home / "games.sqlite") as connection:
            connection.execute("UPDATE game SET record = 'nonsense'")
        restart()
        run("a")
        board = aquakit.Board(START)
        assert board.position == aquakit.start(START)
        assert board.problem.startswith("No earlier game was brought back. kept game 1: ")
        with pytest.raises(aquakit.errors.InvalidRecord, match="kept game 1"):
            aquakit.resume()


class TestListing:
    def test_a_list_shows_what_can_be_resumed(self, run: Callable[[str], None]) -> None:
        run("a")
        aquakit.Board(START, name="<b>club</b>", players={2: aquakit.bot("greedy")}).play(FIRST)
        games = aquakit.games()
        assert " ".join(repr(games).split()[:8]) == "number name notebook board turns result bots changed"
        assert "&lt;b&gt;club" in games._repr_html_()
        assert "<td>2: greedy</td>" in games._repr_html_()
        click(aquakit.Board(START), OTHER)
        assert "evening.ipynb" in repr(aquakit.games())
        assert aquakit.resume(games[0].number).node.line()[1].turn == aquakit.resume("<b>club</b>").node.line()[1].turn

    def test_what_is_not_there_is_said(self) -> None:
        with pytest.raises(InvalidOption, match="none is kept yet"):
            aquakit.resume()
        with pytest.raises(InvalidOption, match="there is none with name 'club'"):
            aquakit.resume("club")
        with pytest.raises(InvalidOption, match="the name or the number"):
            aquakit.resume(2.5)  # type: ignore[arg-type]
        for name in (" ", "half a character \ud800", 7):
            with pytest.raises(InvalidOption, match="name"):
                aquakit.Board(START, name=name)


class TestWhereNothingIsKept:
    def test_a_game_can_be_looked_at_without_keeping_what_follows(self) -> None:
        board = aquakit.Board(START)
        board.play(FIRST)
        again = aquakit.resume(keep=False)
        assert again.position == board.position
        again.play(SECOND)
        assert [game.turns for game in aquakit.games()] == [1]

    def test_a_puzzle_does_not_begin_anew(self) -> None:
        from aquakit.training.progress import Progress

        trainer = aquakit.puzzles("first-steps").trainer(progress=Progress.without_file())
        before = trainer.record
        trainer._handle_msg({"content": {"data": {"method": "custom", "content": {"do": "anew"}}}, "buffers": []})
        assert trainer.problem
        assert trainer.record is before

    def test_a_board_that_shall_not_keep(self, home: Path) -> None:
        aquakit.Board(START, keep=False).play(FIRST)
        assert not home.exists()

    def test_trainers_exercises_and_served_pages(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from aquakit.training.progress import Progress
        from aquakit.workshop import exercise

        trainer = aquakit.puzzles("first-steps").trainer(progress=Progress.without_file())
        trainer.analyse()
        boards = [trainer, trainer.analysis, ExerciseBoard(exercise("rules-podium"))]
        monkeypatch.setenv("AQUAKIT_SERVED", "1")
        boards.append(aquakit.Board(START, name="club"))
        boards[-1].play(FIRST)
        assert [board.keeper for board in boards] == [None] * 4
        assert not (home / "games.sqlite").exists()

    def test_a_folder_that_cannot_be_written_is_told_once_and_the_game_goes_on(self, home: Path) -> None:
        home.write_text("a file, where a folder should be")
        board = aquakit.Board(START)
        assert board.problem == ""
        board.play(FIRST)
        assert board.problem.startswith("This game is not kept. ")
        assert board.kept["keeps"] is False
        board.play(SECOND)
        assert board.problem == ""
        assert board.node.number == 2
        with pytest.raises(InvalidGames):
            aquakit.games()

    def test_a_file_that_somebody_writes_to_is_tried_again(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        monkeypatch.setattr(GameShelf, "patience", 0.05)
        board = aquakit.Board(START)
        board.play(FIRST)
        with sqlite3.connect(home / "games.sqlite", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            board.play(SECOND)
            assert board.problem == ""
            other.execute("ROLLBACK")
        assert aquakit.games()[0].turns == 1
        board.undo()
        assert aquakit.games()[0].turns == 2


def test_many_processes_keep_their_games_at_once(home: Path) -> None:
    names, many = ("Ada", "Ben", "Cleo"), 5
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PLAYS, name, str(many)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "AQUAKIT_DATA": str(home)},
        )
        for name in names
    ]
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.stdin.write("\n")
        process.stdin.close()
    assert [process.wait() for process in started] == [0] * len(started)
    kept = {(game.name, game.turns) for game in aquakit.games()}
    assert kept == {(f"{name} {number}", 2) for name in names for number in range(many)}


class TestRecent:
    def ask(self, explorer: Any, **content: Any) -> None:
        """Says what the page says."""
        explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})

    def test_an_explorer_lists_the_games_and_opens_one_where_it_stood(self) -> None:
        board = aquakit.Board(START, name="club")
        for turn in (FIRST, SECOND):
            board.play(turn)
        board.undo()
        explorer = aquakit.Explorer("romana4")
        assert explorer.recent == {"can": True, "shown": False, "rows": []}
        self.ask(explorer, do="recent")
        (row,) = explorer.recent["rows"]
        assert row["words"].endswith(": club, romana2-5x4, 2 turns, not over")
        self.ask(explorer, do="reopen", number=row["number"])
        assert explorer.position == board.position
        assert explorer.can_redo
        assert not explorer.recent["shown"]
        explorer.redo()
        (game,) = aquakit.games()
        assert (game.name, game.kind, game.at) == ("club", "Explorer", "0.0")
        explorer.restore()
        assert explorer.position == aquakit.start("romana4")
        assert len(aquakit.games()) == 1

    def test_a_game_that_is_not_there_and_a_served_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        explorer = aquakit.Explorer(START)
        self.ask(explorer, do="reopen", number=7)
        assert "there is none with number 7" in explorer.problem
        monkeypatch.setenv("AQUAKIT_SERVED", "1")
        self.ask(explorer, do="recent")
        assert "pages that are served keep none" in explorer.problem
        assert not explorer.recent["can"]
