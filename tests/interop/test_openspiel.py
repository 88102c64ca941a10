"""Both games in OpenSpiel: its own checks, the same actions and results as positions have, its bots against ours."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import re
import subprocess
import sys
import threading
import unittest
from collections import Counter
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
tabular_qlearner = pytest.importorskip("open_spiel.python.algorithms.tabular_qlearner")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
openspiel = pytest.importorskip("aquakit.interop.openspiel")
load_game, EngineBot = openspiel.load_game, openspiel.EngineBot
GuestBot, TreeBot = openspiel.GuestBot, openspiel.TreeBot

SMALL = ["romana2-5x4", "aquadukt2-6x5"]
LAYOUTS = layout_names()
EVENTS = {"layout": "aquadukt2-6x5", "events": True}
EVERY_GAME = [*({"layout": layout} for layout in LAYOUTS), EVENTS, {"layout": "aquadukt3", "events": True}]
EVERY_ID = [" ".join(map(str, options.values())) for options in EVERY_GAME]


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


@pytest.mark.parametrize("options", EVERY_GAME, ids=EVERY_ID)
def test_openspiel_finds_nothing_wrong(options: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load_game(**options), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("options", [{"layout": layout} for layout in SMALL] + [EVENTS])
def test_openspiels_test_of_its_own_games_finds_nothing_wrong(options: dict[str, Any]) -> None:
    from open_spiel.integration_tests import api_test

    mine = {"game": load_game(**options), "game_name": options["layout"]}
    case = type("OurGame", (api_test.EnforceAPIOnPartialTreeBase,), mine)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    assert not [*result.errors, *result.failures]


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


def moments(options: dict[str, Any], games: int = 2) -> Any:
    """Walks through random games."""
    for seed in range(games):
        state, draw = load_game(**options).new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            yield state
            state.apply_action(draw.choice(state.legal_actions()))
        yield state


def see(state: Any) -> dict[str, Any]:
    observer = state.get_game().make_py_observer()
    observer.set_from(state, 0)
    return observer.dict


def named(names: Any, plane: Any) -> dict[str, float]:
    """Gets the entries that are not 0, by the names of their places, row 1 and column a first."""
    return {name: float(value) for name, value in zip(names, plane.ravel(), strict=True) if value}


@pytest.mark.parametrize("options", EVERY_GAME, ids=EVERY_ID)
def test_every_entry_is_a_number_from_0_to_1(options: dict[str, Any]) -> None:
    for state in moments(options):
        seen = see(state)
        entries = np.concatenate([values.ravel() for values in seen.values()])
        assert (entries.min(), entries.max()) == (0, 1)
        assert len(entries) == state.get_game().observation_tensor_size()
        assert seen["phase"].sum() == 1
        assert seen["player"].sum() == (not state.position().is_over)


def test_what_is_seen_in_aqua_romana() -> None:
    for state in moments({"layout": "romana2"}):
        p, seen, layout = state.position(), see(state), state.position().layout
        tiles = {name: code for code, plane in zip(".|-LJF7+ZN#", seen["tiles"], strict=True)
                 for name in named(layout.square_names, plane)}  # fmt: skip
        assert {name: code for name, code in tiles.items() if code not in ".#"} == p.tiles
        assert len(tiles) == layout.rows * layout.columns
        path = {name: kind for kind, row in zip("csbdj", seen["path"], strict=True)
                for name in named(layout.path_names, row)}  # fmt: skip
        assert path == p.builders
        for a, aqueduct in enumerate(p.aqueducts):
            facing = {aqueduct.facing: 1.0} if aqueduct.open and aqueduct.facing else {}
            assert named(layout.square_names, seen["facing"][a]) == facing
            assert seen["open"][a] == aqueduct.open
            assert seen["podium"][a] == pytest.approx((aqueduct.podium or 0) / len(layout.podiums))
            # All tiles fit on the board but some of the 84 in stock, 42 of them with two segments.
            assert seen["length"][a] == pytest.approx(aqueduct.length / (76 + 42 + 4))
        held = [Counter(letters) for letters in p.held]
        for k, kind in enumerate("csbdj"):
            assert seen["reserve"][k] == pytest.approx(p.reserve.count(kind) / layout.builders[k])
            assert [row[k] * layout.builders[k] for row in seen["held"]] == pytest.approx([c[kind] for c in held])
        assert (seen["stock"] * layout.stock).round().tolist() == list(p.stock.values())
        assert seen["idle"][0] * 2 == p.idle
        assert named((1, 2), seen["player"]) == ({} if p.is_over else {p.player: 1})
        assert named((1, 2), seen["mover"]) == ({} if p.is_over else {p.mover: 1})


@pytest.mark.parametrize("events", [False, True])
def test_what_is_seen_in_aquadukt(events: bool) -> None:
    for state in moments({"layout": "aquadukt2", "events": events}):
        p, seen, layout = state.position(), see(state), state.position().layout
        names = [".", *(f"{letter}{value}" for letter in "AB" for value in range(1, 5)), "^"]
        tiles = {name: code for code, plane in zip(names, seen["tiles"], strict=True)
                 for name in named(layout.square_names, plane)}  # fmt: skip
        assert {name: code for name, code in tiles.items() if code not in ".^"} == p.tiles
        assert {name for name, code in tiles.items() if code == "^"} == set(p.mountains)
        assert len(tiles) == len(p.supply)
        kinds = {name: kind for kind, plane in zip("mf?", seen["events"], strict=True)
                 for name in named(layout.square_names, plane)}  # fmt: skip
        assert kinds == {name: kind for name, kind in p.mountains.items() if kind}
        assert {name: round(12 * part) for name, part in named(layout.square_names, seen["supply"]).items()} == {
            name: count for name, count in p.supply.items() if count
        }
        canals = np.concatenate([seen["canals_east"].ravel(), seen["canals_north"].ravel()])
        assert {name: 2 * part for name, part in named(layout.segment_names, canals).items()} == p.canals
        assert set(named(layout.point_names, seen["springs"])) == set(p.springs)
        assert set(named(layout.point_names, seen["ends"])) == {arm.end for arm in p.arms}
        assert (seen["hands"] * layout.tiles).round().tolist() == [list(hand) for hand in p.hands]
        assert seen["canals_left"][0] * 36 == pytest.approx(p.canals_left)
        assert seen["springs_left"][0] * 5 == pytest.approx(p.springs_left, abs=1e-5)
        assert named(range(1, 21), seen["die"]) == ({p.die: 1} if p.die else {})
        assert seen["rolls"][0] * 3 == pytest.approx(p.rolls)
        assert seen["idle"][0] * 6 == pytest.approx(p.idle)
        assert named((1, 2), seen["player"]) == ({} if p.is_over else {p.mover: 1})


@pytest.mark.parametrize("options", [*({"layout": layout} for layout in SMALL), EVENTS])
def test_what_is_seen_tells_apart_whatever_can_be_played_differently(options: dict[str, Any]) -> None:
    seen: dict[bytes, tuple[Any, ...]] = {}
    for state in moments(options, games=40):
        again = state.get_game().new_initial_state(str(state))
        key = b"".join(values.tobytes() for values in see(state).values())
        assert key == b"".join(values.tobytes() for values in see(again).values()), "the same for the same position"
        told = state.current_player(), state.legal_actions(), state.position().scores()
        assert seen.setdefault(key, told) == told
    assert len(seen) > 300


@pytest.mark.parametrize("layout", SMALL)
def test_the_documentation_tells_every_piece(layout: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "engine.md").read_text("utf-8")
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))
    assert set(see(load_game(layout).new_initial_state())) <= told


def test_nothing_is_private_and_everybody_sees_the_same() -> None:
    game = load_game("romana2-5x4")
    state = play(game.new_initial_state(), random.Random(3), 9)
    kinds = [
        pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        for public in (True, False)
        for recall in (True, False)
        for private in pyspiel.PrivateInfoType.__members__.values()
    ]
    assert len(kinds) == 12
    for kind in kinds:
        observer = game.make_py_observer(kind)
        for player in range(2):
            observer.set_from(state, player)
            text = state.history_str() if kind.perfect_recall else str(state)
            assert observer.string_from(state, player) == (text if kind.public_info else "")
            if kind.public_info:
                assert observer.tensor.tolist() == state.observation_tensor(player)
            else:
                assert observer.tensor is None
    assert game.make_observer(kinds[0], {}) is not None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"colour": "red"})


@pytest.mark.parametrize("options", [*({"layout": layout} for layout in SMALL), EVENTS])
def test_information_states(options: dict[str, Any]) -> None:
    """As text the whole game so far, as numbers the position: nothing else matters for what follows."""
    game = load_game(**options)
    kind = game.get_type()
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.provides_information_state_string
    assert kind.provides_information_state_tensor
    assert game.information_state_tensor_shape() == game.observation_tensor_shape()
    states = [play(game.new_initial_state(), random.Random(seed), count) for seed in range(5) for count in range(30)]
    states = [state for state in states if not state.is_chance_node()]
    told = {state.information_state_string(0): tuple(state.history()) for state in states}
    assert len(told) == len({tuple(state.history()) for state in states})
    for state in states:
        assert state.information_state_string(1) == state.information_state_string(0) == state.history_str()
        assert state.information_state_tensor(1) == state.observation_tensor(0)


def test_information_states_tell_where_a_game_began() -> None:
    game = load_game("romana2-5x4")
    a, b = (str(play(game.new_initial_state(), random.Random(seed), 6)) for seed in range(2))
    first, other = game.new_initial_state(a), game.new_initial_state(b)
    assert first.information_state_string(0) != other.information_state_string(0)
    state = play(first, random.Random(1), 2)
    assert state.information_state_string(0) == f"{a}: {state.history_str()}"
    assert pickle.loads(pickle.dumps(state)).information_state_string(0) == state.information_state_string(0)


# Events, which nobody sees before the end


def test_no_state_knows_what_players_do_not() -> None:
    """A referee's text shows the events; what OpenSpiel gets of it does not, whatever they are."""
    states = [
        load_game("aquadukt2-6x5").new_initial_state(str(aquakit.start("aquadukt2-6x5", seed=1, events=events)))
        for events in ("mf", "fm", "mm")
    ]
    for state in states:
        assert str(state).split()[-1] == "??"
        play(state, random.Random(4), 20)
    for told in ("information_state_string", "observation_string", "information_state_tensor", "observation_tensor"):
        first, *others = (getattr(state, told)(0) for state in states)
        assert others == [first, first], told


def ends(state: Any, chance: float = 1.0) -> Any:
    """Lists how the events can turn up after the end of play, each with its chance."""
    if state.is_terminal():
        yield state, chance
        return
    assert state.is_chance_node()
    for number, part in state.chance_outcomes():
        yield from ends(state.child(number), chance * part)


def test_events_turn_up_at_the_end_as_likely_as_they_were_drawn() -> None:
    game, draw = load_game("aquadukt4", events=True), random.Random(2)
    state = game.new_initial_state()
    while not state.position().is_over:
        state.apply_action(draw.choice(state.legal_actions()))
    assert str(state).split()[-1] == "????"
    assert state.current_player() == pyspiel.PlayerId.CHANCE
    assert {state.action_to_string(number) for number in state.legal_actions()} == {"m", "f"}
    assert state.number("m") in state.legal_actions()
    drawn = Counter("".join(drawn) for drawn in itertools.permutations("mmmmmmff", 4))
    found = {str(end).split()[-1]: chance for end, chance in ends(state)}
    assert found == pytest.approx({letters: count / drawn.total() for letters, count in drawn.items()})
    for end, _ in ends(state):
        assert aquakit.parse(str(end)).winners() == tuple(
            player for player, value in enumerate(end.returns(), start=1) if value == max(end.returns())
        )
        assert game.new_initial_state(str(end)).returns() == end.returns(), "a finished game shows its events"


def test_what_cannot_turn_up_is_refused() -> None:
    state = play(load_game(**EVENTS).new_initial_state(), random.Random(1))
    with pytest.raises(IllegalTurn, match="not legal"):
        state.clone().apply_action(state.number("m"))


# Learners


@pytest.mark.parametrize("options", [*({"layout": layout} for layout in SMALL), EVENTS])
@pytest.mark.parametrize("kind", rl_environment.ObservationType)
def test_time_steps_have_the_shapes_and_ranges_that_they_say(options: dict[str, Any], kind: Any) -> None:
    world = rl_environment.Environment(load_game(**options), observation_type=kind, enable_legality_check=True)
    world.seed(1)
    size, count = world.observation_spec()["info_state"][0], world.action_spec()["num_actions"]
    assert (size, count) == (world.game.observation_tensor_size(), world.game.num_distinct_actions())
    step, draw = world.reset(), random.Random(1)
    while not step.last():
        player = step.observations["current_player"]
        shown = np.array(step.observations["info_state"])
        assert shown.shape == (2, size)
        assert ((shown >= 0) & (shown <= 1)).all()
        actions = step.observations["legal_actions"]
        assert actions[1 - player] == []
        assert all(0 <= number < count for number in actions[player])
        assert step.rewards is None or step.rewards == [0, 0]
        step = world.step([draw.choice(actions[player])])
    assert sorted(step.rewards) in ([-1, 1], [0, 0])


TINY = """
game = "aquadukt"
name = "tiny"
title = "Four squares, one house each"
players = 2
map = "AA\\nAA"
tiles = [1, 0, 0, 0]
mountains = 0
springs = 1
canals = 2
spring_distance = 5
mountain_distance = 3

[events]
mineral = 0
foul = 0
"""


def train(world: Any, learner: Any, games: int, draw: random.Random, *, learns: bool) -> float:
    """Lets a learner play the first seat against one who draws; gets what it wins on average."""
    total = 0.0
    for _ in range(games):
        step = world.reset()
        while not step.last():
            player = step.observations["current_player"]
            if player == 0:
                number = learner.step(step, is_evaluation=not learns).action
            else:
                number = draw.choice(step.observations["legal_actions"][player])
            step = world.step([number])
        learner.step(step, is_evaluation=not learns)
        total += step.rewards[0]
    return total / games


def test_a_learner_of_openspiel_gets_better_by_playing(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, "utf-8")
    world = rl_environment.Environment(load_game(path))
    world.seed(1)
    np.random.seed(1)  # which the learner draws from
    learner = tabular_qlearner.QLearner(0, world.action_spec()["num_actions"], step_size=0.2)
    before = train(world, learner, 300, random.Random(9), learns=False)
    train(world, learner, 800, random.Random(1), learns=True)
    after = train(world, learner, 300, random.Random(9), learns=False)
    assert after > before + 0.2


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


@pytest.mark.parametrize("options", [*({"layout": layout} for layout in SMALL), EVENTS])
def test_bots_of_openspiel_play_matches(options: dict[str, Any]) -> None:
    guest = pickle.loads(pickle.dumps(GuestBot(partial(TreeBot, simulations=30), "guest")))
    with ThreadPoolExecutor(1) as pool:
        found = aquakit.match([guest, "greedy"], games=2, executor=pool, progress=False, **options)
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
    with pytest.raises(InvalidPosition, match="no end to play to"):
        load_game("romana2-5x4").new_initial_state(str(aquakit.start("romana2-5x4").solo(1)))


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
    assert "aquakit-boardgames[openspiel]" in done.stderr


def test_importing_again_registers_nothing_twice() -> None:
    code = "import importlib, aquakit.interop.openspiel as o\nimportlib.reload(o).load_game().new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)
