"""Both games in OpenSpiel: its own checks, the same actions and results as positions have, its bots against ours."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aquakit
from aquakit.core.games import layout_names
from aquakit.engine.bots import bot
from aquakit.errors import IllegalTurn, InvalidLayout, InvalidPosition, InvalidTurn

pyspiel = pytest.importorskip("pyspiel")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
openspiel = pytest.importorskip("aquakit.interop.openspiel")
load_game, EngineBot = openspiel.load_game, openspiel.EngineBot
GuestBot, TreeBot = openspiel.GuestBot, openspiel.TreeBot

SMALL = ["romana2-5x4", "aquadukt2-6x5"]
LAYOUTS = layout_names()


def play(state: Any, draw: random.Random, most: int = 10_000) -> Any:
    """Plays random actions."""
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(draw.choice(state.legal_actions()))
    return state


def finished(layout: str, seed: int) -> Any:
    return play(load_game(layout).new_initial_state(), random.Random(seed))


def tokens(state: Any) -> list[str]:
    return [state.action_to_string(state.current_player(), number) for number in state.legal_actions()]


# OpenSpiel's own checks


@pytest.mark.parametrize("layout", [*SMALL, "romana2", "romana3", "aquadukt4"])
def test_openspiel_finds_nothing_wrong(layout: str) -> None:
    pyspiel.random_sim_test(load_game(layout), num_sims=2, serialize=True, verbose=False)


def test_openspiel_finds_nothing_wrong_on_a_board_of_ones_own(tmp_path: Path) -> None:
    text = aquakit.start("romana2-5x4").layout.text.replace('name = "romana2-5x4"', 'name = "mine"')
    path = tmp_path / "my board.toml"
    path.write_text(text, "utf-8")
    game = load_game(path)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert aquakit.parse(str(game.new_initial_state()), path) == aquakit.start(path)


def test_games_are_registered_with_parameters() -> None:
    assert {"python_aqua_romana", "python_aquadukt"} <= set(pyspiel.registered_names())
    assert str(pyspiel.load_game("python_aqua_romana").new_initial_state()) == str(aquakit.start("romana2"))
    state = pyspiel.load_game("python_aquadukt(layout=aquadukt3,seed=7)").new_initial_state()
    assert str(state) == str(aquakit.start("aquadukt3", seed=7))


# The same game as the kit's


@given(layout=st.sampled_from(LAYOUTS), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_game_goes_on_as_the_position_does(layout: str, seed: int) -> None:
    state, p, draw = load_game(layout).new_initial_state(), aquakit.start(layout), random.Random(seed)
    for _ in range(60):
        assert str(state) == str(p)
        assert state.is_terminal() == p.is_over
        if p.is_over:
            return
        assert state.is_chance_node() == p.is_chance
        assert p.is_chance or state.current_player() == p.player - 1
        assert state.legal_actions() == sorted({state.number(action) for action in p.actions()})
        assert sorted(tokens(state)) == sorted(map(str, p.actions()))
        action = draw.choice(p.actions())
        state.apply_action(state.number(action))
        p = p.act(action)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_number_has_its_own_action(layout: str) -> None:
    game = load_game(layout)
    state, rules = game.new_initial_state(), game.rules
    assert len(set(rules.actions)) == len(rules.actions) == game.num_distinct_actions()
    assert len(set(rules.outcomes)) == len(rules.outcomes) == game.max_chance_outcomes()
    for chance, names in ((False, rules.actions), (True, rules.outcomes)):
        for number, action in enumerate(names):
            assert rules.action(number, chance=chance) == action
            assert state.number(str(action)) == number


@given(layout=st.sampled_from(LAYOUTS), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_what_a_game_is_worth_follows_from_who_wins(layout: str, seed: int) -> None:
    state = finished(layout, seed)
    p = state.position()
    assert p.is_over
    players = len(p.scores())
    best = [n for n, score in enumerate(p.scores(), start=1) if score == max(p.scores())]
    winners = p.winners() if hasattr(p, "winners") else best
    returns = state.returns()
    assert returns == state.rewards()
    assert sum(returns) == pytest.approx(0)
    assert {n for n, value in enumerate(returns, start=1) if value == max(returns)} == set(winners)
    if len(winners) == 1:
        assert max(returns) == 1
        assert min(returns) == pytest.approx(-1 / (players - 1))
    if len(winners) == players:
        assert returns == [0.0] * players


def test_watered_tiles_decide_a_tie() -> None:
    ends = (finished("aquadukt2-6x5", seed) for seed in range(1000))
    for state in ends:
        a, b = state.position().scores()
        if a == b and len(state.position().winners()) == 1:
            assert state.returns()[state.position().winners()[0] - 1] == 1.0
            return
    pytest.fail("no game ended with equal points and a winner")


def test_winners_who_share_a_game_share_its_worth() -> None:
    end = aquakit.start("romana3").stopped(1)
    assert len(set(end.scores())) == 1
    assert load_game("romana3").new_initial_state(str(end)).returns() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("seed", range(5))
def test_the_die_is_fair(seed: int) -> None:
    state, draw = load_game("aquadukt2").new_initial_state(), random.Random(seed)
    rolls = 0
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            assert len(set(chances)) == 1
            assert list(numbers) == state.legal_actions()
            assert {f"die {number + 1}" for number in numbers} == {str(a) for a in state.position().actions()}
            rolls += 1
        actions = state.legal_actions()
        state.apply_action(draw.choice(actions if draw.random() < 0.5 else actions[:1]))  # often the first, a roll
    assert rolls


# Copies, stored games, positions


@pytest.mark.parametrize("layout", SMALL)
@pytest.mark.parametrize(
    "again",
    [
        lambda state: state.clone(),
        copy.deepcopy,
        lambda state: pickle.loads(pickle.dumps(state)),
        lambda state: pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1],
    ],
    ids=["clone", "deepcopy", "pickle", "serialize"],
)
def test_a_copy_is_equal_and_goes_its_own_way(layout: str, again: Any) -> None:
    for count in range(0, 25, 4):
        state = play(load_game(layout).new_initial_state(), random.Random(count), count)
        text, actions, history = str(state), state.legal_actions(), state.history()
        other = again(state)
        assert (str(other), other.legal_actions(), other.history()) == (text, actions, history)
        play(other, random.Random(1))
        assert (str(state), state.legal_actions(), state.history()) == (text, actions, history)


def test_a_stored_game_can_be_played() -> None:
    game = pickle.loads(pickle.dumps(load_game("romana2-5x4")))
    assert play(game.new_initial_state(), random.Random(2)).is_terminal()


@pytest.mark.parametrize("layout", SMALL)
def test_a_state_can_begin_at_any_moment(layout: str) -> None:
    for count in range(1, 25, 3):
        state = play(load_game(layout).new_initial_state(), random.Random(count), count)
        other = load_game(layout).new_initial_state(str(state))
        assert str(other) == str(state)
        assert other.current_player() == state.current_player()
        assert other.legal_actions() == state.legal_actions()


def test_two_threads_can_play_one_game() -> None:
    game, ends = load_game("aquadukt2"), dict[int, list[str]]()

    def work(number: int) -> None:
        ends[number] = [str(play(game.new_initial_state(), random.Random(seed))) for seed in range(20)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends[0] == ends[1] == [str(finished("aquadukt2", seed)) for seed in range(20)]


# What is observed


@pytest.mark.parametrize("layout", SMALL)
def test_observations_are_the_position_as_text_and_as_numbers(layout: str) -> None:
    game = load_game(layout)
    state = play(game.new_initial_state(), random.Random(3), 9)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    p = state.position()
    assert state.observation_string(0) == observer.string_from(state, 1) == str(p)
    assert observer.dict["tile"].tolist() == list(p.state.tile)
    masks = {"romana2-5x4": "open", "aquadukt2-6x5": "roomy"}
    bits = observer.dict[masks[layout]][0]
    assert sum(int(bit) << i for i, bit in enumerate(bits)) == getattr(p.state, masks[layout])
    assert state.observation_tensor(1) == observer.tensor.tolist()
    assert len(observer.tensor) == game.observation_tensor_size()
    assert state.information_state_string(0) == state.history_str()
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"colour": "red"})


# Bots


def openspiels(game: Any) -> dict[str, Any]:
    draw = np.random.RandomState(1)
    return {
        "c++": TreeBot(game, simulations=60, seed=1),
        "python": mcts.MCTSBot(game, 2.0, 40, mcts.RandomRolloutEvaluator(1, draw), random_state=draw),
    }


@pytest.mark.parametrize("layout", SMALL)
@pytest.mark.parametrize("which", ["c++", "python"])
def test_openspiels_tree_search_plays_against_ours(layout: str, which: str) -> None:
    game = load_game(layout)
    ours, theirs = EngineBot(bot("mcts:400", seed=2, threads=1)), openspiels(game)[which]
    state = game.new_initial_state()
    returns = pyspiel.evaluate_bots(state, [theirs, ours], 5)
    assert state.is_terminal()
    assert returns == state.returns() == play(game.new_initial_state(str(state)), random.Random(0)).returns()


@pytest.mark.parametrize("layout", SMALL)
def test_bots_of_openspiel_play_matches(layout: str) -> None:
    guest = pickle.loads(pickle.dumps(GuestBot(partial(TreeBot, simulations=30), "guest")))
    with ThreadPoolExecutor(1) as pool:
        found = aquakit.match([guest, "greedy"], games=2, layout=layout, executor=pool, progress=False)
    assert found.is_complete
    assert found.head.bots == ("guest", "greedy")


def test_bots_of_openspiel_play_on_a_board_of_ones_own() -> None:
    own = aquakit.load_layout("romana2-5x4")
    own = type(own).loads(own.text.replace('name = "romana2-5x4"', 'name = "mine"'))
    guest = GuestBot(partial(TreeBot, simulations=10), "guest")
    start = aquakit.start(own)
    assert start.play(guest(start)).player == 2


def test_openspiels_tree_search_keeps_to_its_time() -> None:
    tree, state = TreeBot(load_game("romana2"), seconds=0.3), load_game("romana2").new_initial_state()
    assert tree.step(state) in state.legal_actions()
    assert 1 < tree.simulations < 10**9, "time ended it, not the number of simulations"


def test_openspiels_tree_search_answers_without_time_to_search() -> None:
    game = load_game("romana2-5x4")
    state = game.new_initial_state()
    assert TreeBot(game, simulations=1).step(state) in state.legal_actions()


def test_openspiels_tree_search_takes_the_win() -> None:
    """A last decision in which some actions win at once and others do not."""
    game = load_game("romana2-5x4")
    for seed in range(200):
        state = finished("romana2-5x4", seed)
        last = game.new_initial_state()
        for number in state.history()[:-1]:
            last.apply_action(number)
        me, ends = last.current_player(), [last.child(number) for number in last.legal_actions()]
        if {1.0, -1.0} <= {end.returns()[me] for end in ends if end.is_terminal()}:
            number = TreeBot(game, simulations=500).step(last)
            assert last.child(number).returns()[me] == 1.0
            return
    pytest.fail("no such decision")


# What is refused


def test_what_cannot_be_played_is_refused() -> None:
    state = load_game("romana2-5x4").new_initial_state()
    with pytest.raises(IllegalTurn, match="not legal"):
        state.apply_action(10**6)
    with pytest.raises(IllegalTurn, match="cannot be played on romana2-5x4"):
        state.number("a9=L")
    with pytest.raises(InvalidTurn):
        state.number("nonsense")
    with pytest.raises(InvalidPosition):
        load_game("romana2-5x4").new_initial_state(str(aquakit.start("romana2")))


def test_a_layout_must_fit_the_game(tmp_path: Path) -> None:
    with pytest.raises(InvalidLayout, match="unknown layout"):
        load_game("nowhere")
    with pytest.raises(InvalidLayout, match="unknown layout"):
        pyspiel.load_game("python_aqua_romana", {"layout": "aquadukt2"})
    text = aquakit.start("aquadukt2-6x5").layout.text
    path = tmp_path / "alone.toml"
    path.write_text(text.replace("players = 2", "players = 1").replace('"aquadukt2-6x5"', '"alone"'), "utf-8")
    with pytest.raises(InvalidLayout, match="has one player"):
        load_game(path)


def test_without_openspiel_the_error_names_the_extra() -> None:
    code = "import sys; sys.modules['pyspiel'] = None\nimport aquakit.interop.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "MissingPackage: open_spiel: is not installed" in done.stderr
    assert "aquakit[openspiel]" in done.stderr


def test_importing_again_registers_nothing_twice() -> None:
    code = "import importlib, aquakit.interop.openspiel as o\nimportlib.reload(o).load_game().new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)
