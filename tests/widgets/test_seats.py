"""Bots at a board: they play their seats in threads of their own, and what they do wrong is shown."""

from __future__ import annotations

import random
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from clicking import check, choose, hear_all, ids, state, tell, turns, way_to
from svg_checks import marked

import aquakit
from aquakit import Board
from aquakit.errors import AquakitError, InvalidOption, InvalidTurn

ROMANA = aquakit.start("romana4")
SMALL = aquakit.start("romana2-5x4")
AQUADUKT = aquakit.start("aquadukt2", seed=1)
WET = AQUADUKT.play("spring 3.5").play("canal 3.5h, canal 4.5h")
THEIR_PICK = aquakit.parse(
    "romana2-5x4 F##.7/.+.+./.L.+./L.##J ..cs./.bd./.c.s./..db dj -,- *.*,*.* 3.4.0.3 1 0 : d4=-@W4 e2=- x-"
)
"""In the first player's turn the second one is to pick."""
BEFORE_THEIR_PICK = aquakit.parse(
    "romana2-5x4 F##.7/.+.../.L.+./L.##J ..cs./.bd./.c.s./.bd. dj -,- *.*,*.* 3.4.1.3 2 0"
)
"""The second player's turn before, in which d3=+@W2 is laid."""


class Waiting:
    """A bot that answers when it is told to; an answer may be a function of the position."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked, self.told = threading.Event(), threading.Event()
        self.seen: list[Any] = []

    def __call__(self, position: Any) -> Any:
        self.seen.append(position)
        self.asked.set()
        assert self.told.wait(10)
        answer = self.answers.pop(0)
        return answer(position) if callable(answer) else answer


def first(position: Any) -> Any:
    """Plays the first turn."""
    return next(iter(position.turns()))


def careless(seed: int) -> Callable[[Any], Any]:
    """Makes a bot that decides at random, action by action."""
    draw = random.Random(seed)
    return lambda position: str(draw.choice(position.actions()))


@pytest.fixture
def board_of() -> Iterator[Callable[..., Board]]:
    """Makes boards whose bots end with the test."""
    boards = []

    def make(*args: Any, **options: Any) -> Board:
        boards.append(Board(*args, **options))
        return boards[-1]

    yield make
    for board in boards:
        board.stop()
    hear_all()


BoardOf = Callable[..., Board]


def test_a_bot_plays_its_seat_in_a_thread_of_its_own(board_of: BoardOf) -> None:
    where = []

    def bot(position: Any) -> Any:
        where.append(threading.current_thread())
        return first(position)

    board = board_of(SMALL, players={2: bot})
    assert board.bot == ""
    board.play("b3=+@E4")
    board.wait(10)
    assert board.position.player == 1
    assert len(turns(board)) == 2
    assert threading.main_thread() not in where
    assert board.bot == ""
    assert board.players == {2: bot}
    check(board)


def test_while_a_bot_thinks_people_wait(board_of: BoardOf) -> None:
    bot = Waiting("b3=+@E4")
    board = board_of(SMALL, players={1: bot})
    assert bot.asked.wait(10)
    assert bot.seen == [SMALL]
    assert board.bot == "thinking"
    assert board.offer["prompt"] == "Red: the bot is thinking"
    assert board.offer["choices"] == []
    for ask in (lambda: board.choose("R1"), lambda: board.enter(3), board.back):
        before = state(board)
        with pytest.raises(InvalidTurn, match="the bot is thinking"):
            ask()
        assert "the bot is thinking" in board.problem
        assert state(board) == before
    bot.told.set()
    board.wait(10)
    assert turns(board) == ["b3=+@E4 x-"]
    assert board.problem == ""


@pytest.mark.parametrize(
    "ask",
    [
        lambda board: setattr(board, "flip", True),
        lambda board: setattr(board, "highlights", ["a1"]),
        lambda board: setattr(board, "position", "nothing"),
        lambda board: setattr(board, "size", -1),
        lambda board: board.play("nothing"),
        lambda board: tell(board, do="nothing"),
        lambda board: board.resume(),
    ],
)
def test_a_bot_goes_on_thinking_while_the_position_stays(board_of: BoardOf, ask: Callable[[Board], None]) -> None:
    bot = Waiting("b3=+@E4")
    board = board_of(SMALL, players={1: bot})
    with suppress(AquakitError):
        ask(board)
    assert board.bot == "thinking"
    bot.told.set()
    board.wait(10)
    assert turns(board) == ["b3=+@E4 x-"]
    assert len(bot.seen) == 1


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_bots_play_a_game_to_the_end(board_of: BoardOf, layout: str) -> None:
    board = board_of(aquakit.start(layout), players={1: careless(1), 2: careless(2)}, seed=5)
    board.wait(30)
    assert board.position.is_over
    assert board.problem == ""
    assert board.bot == ""
    check(board)


def test_a_bot_picks_in_the_other_players_turn(board_of: BoardOf) -> None:
    bot = Waiting("*d", "nothing")
    board = board_of(THEIR_PICK, players={2: bot})
    bot.told.set()
    board.wait(10)
    assert turns(board) == ["d4=-@W4 e2=- x- *d"]
    assert bot.seen == [THEIR_PICK, board.position]


def test_a_person_picks_in_a_bots_turn(board_of: BoardOf) -> None:
    start, turn = THEIR_PICK.rewind(), THEIR_PICK.played
    board = board_of(start, players={1: lambda position: f"{turn} *d" if position == start else first(position)})
    board.wait(10)
    assert board.position == THEIR_PICK
    assert board.bot == ""
    board.choose("*j")
    assert turns(board)[0] == f"{turn} *j"


def test_bots_have_their_own_dice_thrown(board_of: BoardOf) -> None:
    def bot(position: Any) -> str:
        return "decline" if position.phase == "house" else "roll, die 1, decline"

    thrown = random.Random(4).choice(AQUADUKT.act("roll").actions()).region
    assert thrown != 1
    board = board_of(AQUADUKT, players={1: bot}, seed=4)
    board.wait(10)
    assert turns(board) == [f"roll, die {thrown}, decline"]
    assert board.problem == ""


def test_a_bot_may_say_only_that_it_rolls(board_of: BoardOf) -> None:
    seen = []

    def bot(position: Any) -> str:
        seen.append(position.phase)
        return {"turn": "roll", "house": "decline"}[position.phase]

    board = board_of(AQUADUKT, players={1: bot}, seed=4)
    board.wait(10)
    assert seen == ["turn", "house"]
    assert board.position.player == 2


def test_a_bot_builds_and_stops(board_of: BoardOf) -> None:
    def bot(position: Any) -> str:
        if position.phase == "turn":
            return "roll"
        return f"{next(action for action in position.actions() if action.what == 'house')}, stop"

    board = board_of(AQUADUKT, players={1: bot}, seed=4)
    board.wait(10)
    assert len(turns(board)) == 1
    assert turns(board)[0].endswith(", stop")


@pytest.mark.parametrize("form", [str, list, tuple, iter, lambda turn: [str(action) for action in turn]])
def test_an_answer_is_a_text_or_actions(board_of: BoardOf, form: Callable[[Any], Any]) -> None:
    board = board_of(WET, players={1: lambda position: form(position.turn_type.parse("canal 5.5h, stop"))})
    board.wait(10)
    assert turns(board) == ["canal 5.5h, stop"]


def test_a_bot_sees_what_the_players_see(board_of: BoardOf) -> None:
    start = aquakit.start("aquadukt2", seed=1, events=True)
    bot = Waiting("spring 3.5")
    board = board_of(start, players={1: bot})
    bot.told.set()
    board.wait(10)
    assert bot.seen == [start.view()]
    assert set(bot.seen[0].mountains.values()) == {"?"}
    assert board.position.mountains == start.mountains


def test_a_position_set_while_the_die_is_in_the_air_is_thrown_for_a_bot(board_of: BoardOf) -> None:
    board = board_of(ROMANA, players={1: lambda position: "decline" if position.phase == "house" else None}, seed=4)
    board.wait(10)
    board.position = AQUADUKT.act("roll")
    board.wait(10)
    assert len(turns(board)) == 1
    assert turns(board)[0].endswith(", decline")


class Leaving:
    """A bot whose answer breaks off."""

    def __call__(self, position: Any) -> Any:
        yield "b3=+@E4"
        raise RuntimeError("lost the thread")


def fail(problem: BaseException) -> Callable[[Any], Any]:
    def bot(position: Any) -> Any:
        raise problem

    return bot


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (fail(RuntimeError("no idea")), "bot 1: RuntimeError: no idea"),
        (fail(KeyError("c7")), "bot 1: KeyError: 'c7'"),
        (fail(SystemExit(3)), "bot 1: SystemExit: 3"),
        (fail(ValueError("many\nlines\n" * 999)), "bot 1: ValueError: many lines many lines "),
        (lambda position, second: None, "bot 1: TypeError: "),
        (lambda position: None, "None"),
        (lambda position: "", "is no answer"),
        (lambda position: [], "is no answer"),
        (lambda position: 7, "7"),
        (lambda position: "nonsense", "nonsense"),
        (lambda position: "b3=+@Na x-", "b3=+@Na"),
        (lambda position: "b3=+@E4 xG1", "xG1"),
        (lambda position: [None], "None"),
        (Leaving(), "RuntimeError: lost the thread"),
    ],
)
def test_what_a_bot_does_wrong_is_shown_and_people_play_on(
    board_of: BoardOf, bot: Callable[[Any], Any], said: str
) -> None:
    board = board_of(SMALL, players={1: bot})
    board.wait(10)
    assert board.problem.startswith("bot 1: ")
    assert "\n" not in board.problem
    assert len(board.problem) < 400
    assert said in board.problem
    assert board.bot == "stopped"
    assert board.position == SMALL
    assert turns(board) == []
    check(board)
    choose(board, *way_to(SMALL, "b3=+@E4"), "x-")
    assert board.position == SMALL.play("b3=+@E4")
    assert board.problem == ""


def test_a_bots_failure_replays_no_walk(board_of: BoardOf) -> None:
    board = board_of(SMALL, players={2: fail(RuntimeError("no idea"))})
    board.play("b3=+@E4")
    board.wait(10)
    assert board.problem
    assert board.walk is None


def test_a_bot_is_stopped_and_goes_on(board_of: BoardOf) -> None:
    bot = Waiting("b3=+@E4", "b3=+@E4 xR1 *d")
    board = board_of(SMALL, players={1: bot})
    board.stop()
    assert board.bot == "stopped"
    assert ids(board)
    bot.told.set()
    hear_all()
    assert board.position == SMALL
    assert turns(board) == []
    board.resume()
    board.wait(10)
    assert turns(board) == ["b3=+@E4 xR1 *d"]


@pytest.mark.parametrize("start", [SMALL, AQUADUKT], ids=["romana", "aquadukt"])
def test_people_can_play_a_whole_turn_for_a_stopped_bot(board_of: BoardOf, start: Any) -> None:
    bot = Waiting("nothing", "nothing")
    board = board_of(start, players={1: bot}, seed=1)
    board.stop()
    while board.position.player == 1:
        assert board.bot == "stopped"
        board.choose(ids(board)[0])
    bot.told.set()
    hear_all()
    assert len(turns(board)) == 1
    assert board.bot == ""
    assert len(bot.seen) == 1


def test_a_bot_whose_turn_was_begun_for_it_can_play_the_rest(board_of: BoardOf) -> None:
    bot = Waiting("nothing", "x-")
    board = board_of(SMALL, players={1: bot})
    board.stop()
    choose(board, *way_to(SMALL, "b3=+@E4"))
    bot.told.set()
    hear_all()
    board.resume()
    board.wait(10)
    assert turns(board) == ["b3=+@E4 x-"]
    assert bot.seen == [SMALL, SMALL.act("b3=+@E4")]


def test_a_turn_played_for_a_thinking_bot_is_played(board_of: BoardOf) -> None:
    bot = Waiting("b3=+@E4")
    board = board_of(SMALL, players={1: bot})
    board.play("b3=J@Nb x-")
    bot.told.set()
    hear_all()
    assert turns(board) == ["b3=J@Nb x-"]


def test_an_answer_to_an_old_position_is_not_heard(board_of: BoardOf) -> None:
    bot = Waiting(*[lambda position: {SMALL: "b3=+@E4", ROMANA: "c7=L@Nc"}[position]] * 2)
    board = board_of(SMALL, players={1: bot})
    assert bot.asked.wait(10)
    board.position = ROMANA
    bot.told.set()
    board.wait(10)
    hear_all()
    assert turns(board) == ["c7=L@Nc x-"]
    assert board.problem == ""


class Stoppable(Waiting):
    """A bot that is told when to stop."""

    def __init__(self, *answers: Any, failure: Exception | None = None) -> None:
        super().__init__(*answers)
        self.stopped = 0
        self.failure = failure

    def stop(self) -> None:
        self.stopped += 1
        self.told.set()
        if self.failure:
            raise self.failure


@pytest.mark.parametrize("failure", [None, RuntimeError("will not")])
def test_a_bot_that_can_be_stopped_is_told(board_of: BoardOf, failure: Exception | None) -> None:
    bot = Stoppable("b3=+@E4", failure=failure)
    board = board_of(SMALL, players={1: bot})
    board.stop()
    assert bot.stopped == 1
    hear_all()
    assert board.bot == "stopped"
    assert turns(board) == []
    board.flip = True
    assert board.picture == SMALL.svg(theme="auto", panel="both", flip=True)
    board.play("b3=+@E4")
    assert turns(board) == ["b3=+@E4 x-"]


def test_waiting_ends_when_time_is_up(board_of: BoardOf) -> None:
    bot = Waiting("b3=+@E4")
    board = board_of(SMALL, players={1: bot})
    board.wait(0.1)
    assert board.bot == "thinking", "the bot has not answered yet"
    bot.told.set()


def test_undo_goes_to_where_a_person_decides(board_of: BoardOf) -> None:
    board = board_of(SMALL, players={2: first})
    board.play("b3=+@E4")
    board.wait(10)
    assert board.position.player == 1
    board.undo()
    assert board.position == SMALL
    assert board.bot == ""
    board.redo()
    assert board.position.player == 1
    assert board.node.number == 2
    board.undo()
    assert board.position == SMALL
    check(board)


@pytest.mark.parametrize("rolled", [False, True])
def test_undo_while_a_bot_thinks_takes_back_the_persons_turn(board_of: BoardOf, rolled: bool) -> None:
    def seat(position: Any) -> Any:
        return "roll" if rolled and not position.played else bot(position)

    bot = Waiting("decline")
    board = board_of(AQUADUKT, players={2: seat})
    board.play("spring 3.5")
    assert bot.asked.wait(10)
    assert bool(bot.seen[0].played) == rolled
    board.undo()
    assert board.position == AQUADUKT
    assert board.bot == ""
    bot.told.set()
    hear_all()
    assert board.position == AQUADUKT
    assert turns(board) == ["spring 3.5"]


def test_undo_of_a_persons_pick_in_a_bots_turn_goes_to_a_persons_decision(board_of: BoardOf) -> None:
    theirs, before = THEIR_PICK.rewind(), BEFORE_THEIR_PICK
    board = board_of(before, players={1: lambda position: str(THEIR_PICK.played) if position == theirs else None})
    board.play("d3=+@W2")
    board.wait(10)
    assert board.position == THEIR_PICK
    board.undo()
    assert board.position == before
    assert board.bot == ""


def test_who_plays_for_a_bot_undoes_that_first(board_of: BoardOf) -> None:
    board = board_of(ROMANA, players={2: fail(RuntimeError("no idea"))})
    board.play("c7=L@Nc")
    board.wait(10)
    while not board.position.played:
        board.choose(ids(board)[0])
    board.undo()
    assert board.position == ROMANA.play("c7=L@Nc")
    board.undo()
    assert board.position == ROMANA


def test_undo_when_only_bots_play_goes_turn_by_turn(board_of: BoardOf) -> None:
    board = board_of(SMALL, players={1: first, 2: first})
    board.wait(10)
    assert board.position.is_over
    count = len(turns(board))
    board.undo()
    assert len(board.node.line()) == count
    assert board.bot == "stopped"
    board.undo()
    assert len(board.node.line()) == count - 1


def test_undo_back_to_a_bots_first_turn_leaves_the_bot_stopped(board_of: BoardOf) -> None:
    board = board_of(SMALL, players={1: first})
    board.wait(10)
    board.undo()
    assert board.position == SMALL
    assert board.bot == "stopped"
    board.resume()
    board.wait(10)
    assert board.position.player == 2
    assert len(board.record.root.children) == 1


@pytest.mark.parametrize(
    "bad",
    [{3: first}, {0: first}, {"1": first}, {True: first}, {1.0: first}, {1: "first"}, {1: None}, [first], first, 1],
)
def test_bad_players_are_refused(bad: Any) -> None:
    with pytest.raises(InvalidOption, match=r"^players: "):
        Board(SMALL, players=bad)


@pytest.mark.parametrize("bad", ["gredy", "mcts:fast", "planner:9", "", None])
def test_a_seat_that_nobody_can_play_says_what_is_possible(bad: Any) -> None:
    possible = "from 1 to 8" if bad == "planner:9" else r"random, greedy.*mcts:0\.5"
    with pytest.raises(
        InvalidOption, match=rf"^players: seat 2: {bad!r}; expected .*{possible}.*called with a position"
    ):
        SMALL.board(players={2: bad})


@pytest.mark.parametrize(("spec", "name"), [("greedy", "greedy"), ("mcts:0.3", "mcts:0.3s"), ("mcts:50", "mcts:50")])
def test_a_seat_is_given_to_a_bot_by_its_name(spec: str, name: str) -> None:
    for board in (Board(SMALL, players={2: spec}), aquakit.Explorer(SMALL, players={2: spec})):
        board.play("b3=+@E4")
        board.wait()
        assert (repr(board.players[2]), len(turns(board))) == (f"<Bot: {name}>", 2)
        assert board.position.player == 1


def test_the_seed_of_a_board_makes_named_bots_repeatable() -> None:
    def game(seed: int) -> list[str]:
        board = Board(SMALL, players={1: "random", 2: "random"}, seed=seed)
        board.wait()
        assert board.position.is_over
        return turns(board)

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(5)}) > 1


def test_players_are_the_boards_own() -> None:
    seats: dict[int, Any] = {}
    board = Board(SMALL, players=seats)
    seats[1] = first
    board.players[2] = first
    assert board.players == {}
    board.resume()
    assert board.bot == ""


# What bots have played


def play_first(position: Any) -> Any:
    """Plays the first turn that can be played."""
    return next(iter(position.turns()))


def test_the_turns_of_several_bots_are_numbered_where_they_happened(board_of: BoardOf) -> None:
    board = board_of(ROMANA, players=dict.fromkeys((2, 3, 4), play_first))
    assert board.mode.since() == []
    board.play("c7=L@Nc")
    board.wait(20)
    played = board.mode.since()
    assert [str(node.turn) for node in played] == turns(board)[1:]
    labels = {place: label for place, label in board._marked()[0].items() if label in "123"}
    squares = [next(action.square for action in node.turn if action.what == "build") for node in played]
    assert [labels[square] for square in squares] == ["1", "2", "3"]
    assert set(marked(ET.fromstring(board.picture), "highlight")) == set(labels)
    while not board.position.played:
        board.choose(board.offer["choices"][0]["id"])
    assert board.mode.since() == []
    assert not board.highlights


def test_one_bot_needs_no_number_and_bots_alone_neither(board_of: BoardOf) -> None:
    board = board_of(SMALL, players={2: play_first})
    board.play("b3=+@E4")
    board.wait(20)
    assert len(board.mode.since()) == 1
    assert marked(ET.fromstring(board.picture), "highlight") == {}
    both = board_of(SMALL, players={1: play_first, 2: play_first})
    both.wait(30)
    assert both.mode.since() == []


def test_bots_can_be_slowed_down_and_called_off_meanwhile(board_of: BoardOf) -> None:
    asked = threading.Event()

    def answer(position: Any) -> Any:
        asked.set()
        return "b3=+@E4 x-"

    board = board_of(SMALL, players={1: answer}, pace=60)
    assert asked.wait(10)
    assert (board.bot, turns(board)) == ("thinking", [])
    board.stop()
    hear_all()  # the pause ends at once
    assert (board.bot, turns(board)) == ("stopped", [])
    board.pace = 0
    board.resume()
    board.wait(10)
    assert turns(board) == ["b3=+@E4 x-"]
