"""Bots by name: their specs, and answers that are legal whenever they are asked."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from match_bots import Inline

import aquakit
from aquakit.core.games import layout_names
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import Bot, GreedyBot, MctsBot, PlannerBot, RandomBot
from aquakit.engine.search.forest import Forest
from aquakit.errors import InvalidOption, InvalidPosition

SPECS = ("random", "greedy", "mcts:30")


def check_answers(bot: Bot, position: AnyPosition) -> int:
    """Plays a bot against itself and checks that every answer is legal and ends where others decide."""
    asked = 0
    while not position.is_over:
        if position.is_chance:
            position = position.act(position.actions()[asked % len(position.actions())])
            continue
        seat, asked = position.player, asked + 1
        answer = bot(position.view())
        assert answer
        for number, action in enumerate(answer):
            assert position.player == seat
            assert not position.is_chance
            assert position.played or not number
            position = position.act(action)
        assert not position.played or position.is_chance or position.player != seat
    return asked


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("layout", layout_names())
def test_every_answer_is_legal_to_the_end_of_the_game(layout: str, spec: str) -> None:
    assert check_answers(aquakit.bot(spec, seed=3, threads=1), aquakit.start(layout)) > 3


@pytest.mark.parametrize("spec", SPECS)
def test_bots_play_setups_and_hidden_events_too(spec: str) -> None:
    bot = aquakit.bot(spec, seed=3, threads=1)
    assert check_answers(bot, aquakit.start("romana2-5x4", setup=True)) > 3
    assert check_answers(bot, aquakit.start("aquadukt2-6x5", events=True, seed=2)) > 3


@pytest.mark.parametrize("layout", ["romana2-5x4", "romana2-7x6", "romana3"])
def test_the_planner_plays_on_to_the_end_of_the_game(layout: str) -> None:
    assert check_answers(aquakit.bot("planner:1"), aquakit.start(layout)) > 3


def test_the_planner_plays_setups_too() -> None:
    assert check_answers(aquakit.bot("planner"), aquakit.start("romana2-5x4", setup=True)) > 3


def test_the_planner_begins_with_a_best_plan() -> None:
    p = aquakit.start("romana2-7x6")
    turn = aquakit.bot("planner:2")(p)
    assert str(turn[0]) in aquakit.plan(p, turns=2, closing=False).alternatives()


def test_the_planner_says_where_it_cannot_play() -> None:
    with pytest.raises(InvalidPosition, match="plan turns in this game"):
        aquakit.bot("planner")(aquakit.start("aquadukt2"))


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_answers(spec: str) -> None:
    p = aquakit.start("romana2")
    assert aquakit.bot(spec, seed=5, threads=1)(p) == aquakit.bot(spec, seed=5, threads=1)(p)
    others = {aquakit.bot(spec, seed=seed, threads=1)(p) for seed in range(12)}
    assert len(others) > 1


def test_names_say_what_a_bot_is() -> None:
    names = {"random": RandomBot, "greedy": GreedyBot, "planner:3": PlannerBot}
    names |= {"mcts:0.25s": MctsBot, "mcts:2000": MctsBot}
    for name, kind in names.items():
        bot = aquakit.bot(name)
        assert isinstance(bot, kind)
        assert bot.name == name
        assert name in repr(bot)
    assert aquakit.bot("mcts").name == "mcts:0.5s"
    assert aquakit.bot("mcts:0.25").name == "mcts:0.25s"
    assert aquakit.bot("planner").name == "planner:2"


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "best",
        "Greedy",
        "greedy:3",
        "random:1s",
        "mcts:",
        "mcts:s",
        "mcts:-3",
        "mcts:0",
        "mcts:0.0",
        "mcts:.5",
        "mcts:3.",
        "mcts:1e3",
        "planner:",
        7,
        None,
    ],
)
def test_a_bad_name_is_an_error_that_lists_the_good_ones(spec: object) -> None:
    with pytest.raises(InvalidOption, match=r"bot.*mcts:5s.*playouts"):
        aquakit.bot(spec)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", 2**65])
def test_a_bad_seed_is_an_error(seed: object) -> None:
    with pytest.raises(InvalidOption, match="seed"):
        aquakit.bot("greedy", seed=seed)


def test_a_bot_is_not_asked_where_nobody_decides() -> None:
    roll = aquakit.start("aquadukt2", seed=1).act("roll")
    for spec in SPECS:
        with pytest.raises(InvalidPosition, match="nobody is to decide"):
            aquakit.bot(spec)(roll)


def test_a_fresh_bot_can_be_sent_to_another_process() -> None:
    p = aquakit.start("romana2-5x4")
    for spec in (*SPECS, "planner:1"):
        bot = aquakit.bot(spec, seed=4, threads=1)
        assert pickle.loads(pickle.dumps(bot))(p) == bot(p)


def test_a_bot_plays_one_layout_after_another() -> None:
    bot = aquakit.bot("mcts:30", seed=1, threads=1)
    for layout in ("romana2-5x4", "romana2", "aquadukt2-6x5", "romana2-5x4"):
        p = aquakit.start(layout)
        assert p.act(bot(p)[0]) != p


def test_greedy_beats_random_clearly() -> None:
    table = aquakit.match(["greedy", "random"], games=20, seed=1, executor=Inline(), progress=False).table()
    assert table.loc["greedy", "wins"] >= 19
    assert table.loc["greedy", "lead"] > 20


def test_search_beats_greedy() -> None:
    found = aquakit.match(["mcts:600", "greedy"], 12, "romana2-5x4", seed=1, executor=Inline(), progress=False)
    assert found.table().loc["mcts:600", "lead"] > 0


def test_a_bot_that_is_stopped_before_its_search_is_there_answers_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    thinker, make = MctsBot(seconds=600), Forest.__init__

    def make_late(forest: Forest, *args: Any, **options: Any) -> None:
        thinker.stop()
        make(forest, *args, **options)

    monkeypatch.setattr(Forest, "__init__", make_late)
    assert len(thinker(aquakit.start("romana2-5x4"))) > 0
