"""A game without code: what the form offers is what the games declare, and what it begins is played."""

from __future__ import annotations

from inspect import signature
from typing import Any

import pytest
from clicking import check, tell, turns

import aquakit
from aquakit import Explorer, Record
from aquakit.core.games import all_games, layout_names
from aquakit.errors import AquakitError, InvalidLayout, InvalidOption, InvalidRecord
from aquakit.widgets.newgame.play import PlayBoard


@pytest.fixture
def explorer() -> Explorer:
    """An explorer on which a game was begun."""
    made = Explorer("romana2-5x4")
    made.play("b3=+@E4 x-")
    return made


def fill(board: PlayBoard | Explorer, layout: str, *players: str, **wishes: bool) -> None:
    """Fills the form in and pushes Start; a player is a bot that is offered, or else the name of a person."""
    bots = {strength["bot"] for strength in board.form["strengths"]}
    seats = [{"bot": each, "name": ""} if each in bots else {"bot": "", "name": each} for each in players]
    tell(board, do="begin", layout=layout, players=seats, wishes=wishes)


def test_the_form_offers_every_board_with_a_picture_and_every_seat() -> None:
    offered = {layout["name"]: layout for game in aquakit.play().form["games"] for layout in game["layouts"]}
    assert sorted(offered) == sorted(layout_names())
    for name, layout in offered.items():
        position = aquakit.start(name)
        assert layout["title"] == position.layout.title
        assert len(layout["seats"]) == len(position.scores())
        assert layout["picture"].startswith("<svg")
        assert all(seat["name"] and seat["chips"] for seat in layout["seats"])


def test_wishes_are_options_of_the_start_that_are_off_unless_told() -> None:
    for game in all_games():
        known = signature(game.start).parameters
        assert game.position.title
        assert game.position.wishes
        for wish in game.position.wishes:
            assert known[wish].default is False


def test_play_alone_asks_first_and_begins_what_is_chosen() -> None:
    board = aquakit.play()
    assert board.asking == "first"
    fill(board, "romana2-5x4", "Ada", "greedy")
    assert (board.asking, board.problem) == ("", "")
    assert board.position == aquakit.start("romana2-5x4")
    assert dict(board.record.headers) == {"player 1": "Ada", "player 2": "bot, easy"}
    board.play("b3=+@E4")
    board.wait()
    assert len(turns(board)) == 2
    assert board.position.player == 1
    check(board)


@pytest.mark.parametrize("layout", layout_names())
def test_a_bot_that_is_to_begin_begins(layout: str) -> None:
    board = aquakit.play()
    seats = len(aquakit.start(layout).scores())
    fill(board, layout, "random", *[""] * (seats - 1))
    board.wait()
    assert board.position.player == 2 or turns(board)
    check(board)


def test_wishes_come_true() -> None:
    board = aquakit.play()
    fill(board, "romana3", "", "", "", setup=True)
    assert board.position.phase == "setup"
    fill(board, "aquadukt2", "", "", events=True)
    assert set(board.position.mountains.values()) <= {"m", "f"}
    assert set(board.visible.mountains.values()) == {"?"}


def test_what_is_drawn_at_the_start_is_drawn_anew_unless_there_is_a_seed() -> None:
    assert len({aquakit.play("aquadukt2").position for _ in range(4)}) > 1
    assert aquakit.play("aquadukt2", seed=5).position == aquakit.start("aquadukt2", seed=5)


def test_another_game_takes_the_place_of_one_and_its_bots() -> None:
    board = aquakit.play("romana2-5x4", players={2: "greedy"}, names={1: "Ada"})
    board.play("b3=+@E4")
    board.wait()
    tell(board, do="ask")
    assert board.asking == "again"
    kept = board.record
    tell(board, do="leave")
    assert (board.asking, board.record, len(turns(board))) == ("", kept, 2)
    tell(board, do="ask")
    fill(board, "romana3", "Ben", "", "")
    assert (board.asking, board.players, turns(board)) == ("", {}, [])
    assert [seat["who"] for seat in board.table["seats"]] == ["Ben", "", ""]
    assert board.table["layout"] == "romana3"


def test_a_bot_that_thinks_about_the_game_before_is_not_heard() -> None:
    board = aquakit.play("romana2-5x4", players={1: "mcts:30s"})
    assert board.bot == "thinking"
    tell(board, do="ask")
    fill(board, "romana2-5x4", "", "")
    assert board.bot == ""
    board.wait()
    assert turns(board) == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"layout": "romana9"}, "layout: 'romana9'; expected one of romana2"),
        ({"layout": "/tmp/mine.toml"}, "expected one of romana2"),
        ({"players": [{"bot": "mcts:99999s", "name": ""}]}, "'mcts:99999s'; expected one of random, greedy"),
        ({"players": [{"bot": "", "name": ""}] * 3}, "there is no seat 3"),
        ({"players": [{"bot": "", "name": "A\x07"}]}, "header player 1"),
        ({"players": [{"bot": "", "name": "A" * 41}]}, "a text of at most 40 letters"),
        ({"players": [{"bot": "", "name": "A\nresult: 1"}]}, "one line"),
        ({"wishes": {"seed": True}}, "'seed'; expected one of setup"),
        ({"wishes": {"setup": 1}}, "True or False"),
    ],
)
def test_what_the_form_does_not_offer_is_refused_and_the_game_stays(said: dict[str, Any], why: str) -> None:
    board = aquakit.play("romana2-5x4", names={1: "Ada"})
    board.play("b3=+@E4")
    kept = str(board.record)
    tell(board, **{"do": "begin", "layout": "romana2", "players": [], "wishes": {}, **said})
    assert why in board.problem
    assert str(board.record) == kept


def test_there_is_no_game_to_go_back_to_before_the_first() -> None:
    board = aquakit.play()
    tell(board, do="leave")
    assert board.asking == "first"
    assert "there is none to go back to" in board.problem


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"layout": "romana9"}, InvalidLayout),
        ({"layout": 7}, InvalidLayout),
        ({"layout": "romana2-5x4", "players": {2: "gredy"}}, InvalidOption),
        ({"layout": "romana2-5x4", "players": {3: "greedy"}}, InvalidOption),
        ({"layout": "romana2-5x4", "names": ["Ada"]}, InvalidOption),
        ({"layout": "romana2-5x4", "names": {3: "Ada"}}, InvalidOption),
        ({"layout": "romana2-5x4", "names": {1: 7}}, InvalidOption),
        ({"layout": "romana2-5x4", "names": {1: "A\nB"}}, InvalidRecord),
        ({"layout": "romana2-5x4", "events": True}, InvalidOption),
        ({"layout": "romana2-5x4", "seed": "x"}, InvalidOption),
        ({"layout": "romana2-5x4", "players": {2: "greedy"}, "seed": []}, InvalidOption),
        ({"layout": "aquadukt2", "seed": -1}, InvalidOption),
        ({"players": {2: "greedy"}}, InvalidOption),
        ({"names": {1: "Ada"}}, InvalidOption),
        ({"setup": True}, InvalidOption),
    ],
)
def test_bad_options_are_typed_errors(given: dict[str, Any], kind: type[AquakitError]) -> None:
    with pytest.raises(kind):
        aquakit.play(**given)


def test_a_name_may_be_given_to_a_bot_and_a_function_has_its_own() -> None:
    def hasty(position: Any) -> Any:
        return next(iter(position.turns()))

    board = aquakit.play("romana2-5x4", players={2: hasty}, theme="dark", size=400)
    assert board.table["seats"][1] | {"chips": []} == {
        "name": "Green",
        "chips": [],
        "who": "bot, hasty",
        "bot": "hasty",
    }
    assert (board.theme, board.size, board.hide) == ("dark", 400, True)
    assert aquakit.play("romana2-5x4", players={2: hasty}, names={2: "Cy"}).record.headers["player 2"] == "Cy"


# In the explorer


def test_the_explorer_begins_a_game_by_the_form_and_keeps_the_old_one(explorer: Explorer) -> None:
    assert (explorer.form, explorer.asking) == ({}, "")  # it comes when it is asked for
    tell(explorer, do="ask")
    assert explorer.asking == "again"
    assert explorer.form["games"]
    fill(explorer, "romana2-7x6", "Ada", "greedy")
    assert (explorer.asking, explorer.position.layout.name) == ("", "romana2-7x6")
    assert str(explorer.players) == "{2: <Bot: greedy>}"
    explorer.restore()
    assert turns(explorer) == ["b3=+@E4 x-"]


@pytest.mark.parametrize("leave", ["restore", "load", "position"])
def test_bots_of_a_new_game_play_no_other_game(explorer: Explorer, leave: str) -> None:
    explorer.new_game("romana2-5x4", players={2: "greedy"}, names={1: "Ada"})
    assert dict(explorer.record.headers) == {"player 1": "Ada", "player 2": "bot, easy"}
    explorer.play("b3=+@E4 x-")
    explorer.wait()
    assert len(turns(explorer)) == 2
    if leave == "restore":
        explorer.restore()
    elif leave == "load":
        explorer.load(Record(aquakit.start("romana2-5x4")))
    else:
        explorer.position = "romana2-5x4"
    assert explorer.players == {}
    explorer.play(next(iter(explorer.position.turns())))
    assert explorer.bot == ""


def test_bots_that_code_has_seated_stay() -> None:
    explorer = Explorer("romana2-5x4", players={2: "greedy"})
    explorer.load(Record(aquakit.start("romana2-5x4")))
    assert 2 in explorer.players


def test_a_game_of_the_form_can_be_gone_through_with_its_bots(explorer: Explorer) -> None:
    explorer.new_game("romana2-5x4", players={2: "greedy"})
    explorer.play("b3=+@E4 x-")
    explorer.wait()
    explorer.go(explorer.record.root)
    explorer.undo()
    explorer.redo()
    assert 2 in explorer.players
