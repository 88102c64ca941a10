"""What holds in every game of the kit: values, texts, decisions, known counts and games, one kernel at two speeds."""

from __future__ import annotations

import itertools
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import EVERY_GAME, EVERY_START, check_what_follows, play_on
from waiting import interrupt

import aquakit
from aquakit import aquadukt, romana
from aquakit.compiled import runner
from aquakit.core.games import all_games, layout_names
from aquakit.core.notation import split_moment
from aquakit.errors import AquakitError, InvalidTurn

TESTS = Path(__file__).parent
GAMES = {game.name: game for game in all_games()}


def lines(game: str, name: str) -> list[str]:
    """Reads a game's file of known results, without comments."""
    text = (TESTS / game / "data" / name).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


# Known results, in text files that anyone can read and extend


def known_counts() -> list[tuple[str, int, int]]:
    rows = []
    for game in GAMES:
        for line in filter(None, lines(game, "perft.txt")):
            position, *counts = [part.strip() for part in line.split(" ; ")]
            rows += [(position, int(item.split()[0][1:]), int(item.split()[1])) for item in counts]
    return rows


@pytest.mark.parametrize(("position", "depth", "count"), known_counts())
def test_perft(position: str, depth: int, count: int) -> None:
    assert aquakit.parse(position).perft(depth) == count


@pytest.mark.parametrize(("position", "depth", "count"), [row for row in known_counts() if row[2] <= 2000])
def test_perft_plain(position: str, depth: int, count: int) -> None:
    p = aquakit.parse(position)
    assert p.runner(fast=False).perft(p.state, depth) == count
    assert p.runner(fast=False).perft(p.state, depth, bulk=False) == count


def whole_games() -> list[list[str]]:
    blocks = ["\n".join(lines(game, "games.txt")).strip().split("\n\n") for game in GAMES]
    return [block.splitlines() for game in blocks for block in game]


@pytest.mark.parametrize("game", whole_games(), ids=lambda game: game[0].split(" ")[0])
def test_whole_games(game: list[str]) -> None:
    start, *turns, final, totals = game
    p = aquakit.parse(start)
    for turn in turns:
        played = p.play(turn)
        # The text of a turn is complete: its actions, one by one, lead to the same position.
        for action in p.turn_type.parse(turn):
            p = p.act(str(action))
        assert p == played
    assert p.is_over
    assert str(p) == final
    assert p == aquakit.parse(final)
    assert ",".join(map(str, p.scores())) == totals


# Values and texts


@settings(max_examples=200)
@given(EVERY_GAME)
def test_what_is_written_is_read_back(p: Any) -> None:
    for again in (aquakit.parse(str(p)), pickle.loads(pickle.dumps(p)), eval(repr(p), {"Position": type(p)})):
        assert again == p
        assert str(again) == str(p)
        assert hash(again) == hash(p)
        assert again.actions() == p.actions()
        assert again.scores() == p.scores()


@settings(max_examples=400)
@given(EVERY_GAME, st.data())
def test_damaged_texts_are_read_or_refused_but_never_crash(p: Any, data: st.DataObject) -> None:
    text = str(p)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from(" ./,;*-!#:^_?0123456789sabcdjmfnewABFLJNSZ+|x\n<é"))
    damaged = text[:at] + data.draw(st.sampled_from(["", letter])) + text[at + 1 :]
    try:
        read = aquakit.parse(damaged)
    except AquakitError:
        return
    assert aquakit.parse(str(read)) == read


@settings(max_examples=300)
@given(EVERY_GAME, st.data())
def test_from_what_is_read_every_action_leads_to_what_is_read(p: Any, data: st.DataObject) -> None:
    # Fields of two positions mixed, and a character changed, make texts to which no game need have led.
    chance = data.draw(st.randoms(use_true_random=False))
    other = play_on(aquakit.start(p.layout.name), chance, chance.randrange(100))
    pairs = zip(*(split_moment(str(q))[0].split(" ") for q in (p, other)), strict=True)
    text = " ".join(chance.choice(pair) for pair in pairs)
    if chance.random() < 0.5:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice("./,*-!012345sabcdjmfnewABFLJNSZ+|^?") + text[at + 1 :]
    for begun in (text, split_moment(str(p))[0]):
        try:
            read = aquakit.parse(begun)
        except AquakitError:
            assert begun == text
            continue
        check_what_follows(read)


@settings(max_examples=100)
@given(EVERY_GAME)
def test_acting_changes_nothing_but_the_result(p: Any) -> None:
    text, state = str(p), p.state.__dict__
    for action in p.actions()[:3]:
        assert p.act(action) != p
    p.scores()
    assert str(p) == text
    assert p.state.__dict__ == state


def test_the_text_names_the_game() -> None:
    assert {name: type(aquakit.start(name)).__module__.split(".")[1] for name in layout_names()} == {
        name: game.name for game in GAMES.values() for name in game.layout.names()
    }


@settings(max_examples=100)
@given(EVERY_GAME)
def test_a_game_is_data_too(p: Any) -> None:
    import json

    data = json.loads(json.dumps(p.describe()))
    assert data["position"] == str(p)
    assert data["scores"] == list(p.scores())


# Decisions


@settings(max_examples=150)
@given(EVERY_GAME)
def test_the_decision_at_hand_has_options_and_belongs_to_someone(p: Any) -> None:
    actions = p.actions()
    assert len(actions) == len(set(actions)) == p.perft(1)
    assert bool(actions) is not p.is_over
    assert (p.player is None) is p.is_over
    assert all(p.act(str(action)) == p.act(action) for action in actions[:3])


@settings(max_examples=40)
@given(EVERY_GAME)
def test_turns_are_complete_distinct_and_playable(p: Any) -> None:
    seen = []
    for _, turn in zip(range(300), p.turns(), strict=False):
        assert not p.play(turn).played
        assert p.play(str(turn)) == p.play(turn)
        seen.append(str(turn))
    assert len(seen) == len(set(seen))


# One kernel, two speeds


@settings(max_examples=80)
@given(EVERY_START, st.integers(0, 2**32))
def test_equal_states_along_whole_games(start: Any, seed: int) -> None:
    pytest.importorskip("numba")
    draw = random.Random(seed)
    plain, fast = start.runner(fast=False), start.runner(fast=True)
    state = start.state
    for _ in range(200):
        actions = plain.legal(state)
        assert fast.legal(state) == actions
        if not actions:
            break
        action = draw.choice(actions)
        twin = state.copy()
        plain.act(state, action)
        fast.act(twin, action)
        assert twin.__dict__ == state.__dict__


@settings(max_examples=80)
@given(EVERY_GAME, st.integers(0, 2**32))
def test_equal_playouts_from_equal_seeds(p: Any, seed: int) -> None:
    pytest.importorskip("numba")
    if getattr(p, "is_solo", False):
        return  # a study goes on for ever
    state = p.state
    assert p.runner(fast=True).playouts(state, 3, seed) == p.runner(fast=False).playouts(state, 3, seed)


@settings(max_examples=40)
@given(EVERY_GAME)
def test_equal_counts_made_or_not(p: Any) -> None:
    pytest.importorskip("numba")
    state, runners = p.state, (p.runner(fast=True), p.runner(fast=False))
    assert len({runner.perft(state, 2, bulk=bulk) for runner in runners for bulk in (False, True)}) == 1


@settings(max_examples=30)
@given(EVERY_GAME, st.integers(0, 2**32))
def test_actions_are_drawn_uniformly(p: Any, seed: int) -> None:
    """Random numbers spread evenly over their range draw each legal action equally often, listed or not."""
    codes = p.runner(fast=False).legal(p.state)
    if not codes:
        return
    work, tables, state = p.kernel.Work.new(p.layout.sizes), p.layout.tables, p.state
    drawn = [p.kernel.draw_action(tables, state, work, (i << 32) // len(codes) + 1) for i in range(len(codes))]
    assert sorted(drawn) == sorted(codes)


def test_without_numba_everything_still_works() -> None:
    code = """
import sys
sys.modules["numba"] = None
import aquakit
from aquakit import aquadukt, romana
for layout in ("romana4", "aquadukt4"):
    p = aquakit.start(layout)
    print(p.perft(2), p.playouts(2).games)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1556", "2", "9889", "2"]


BIG_ROMANA = """
name = "big"
title = "A large board"
columns = 20
rows = 14
players = ["R", "G"]
reserve = "csbdj"
podiums = [1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
[stock]
c = 70
s = 70
b = 70
d = 70
[builders]
c = 6
s = 6
b = 6
d = 6
j = 1
[[reservoirs]]
colour = "R"
squares = ["e14", "f14"]
outlets = ["e14W", "e14S", "f14S", "f14E"]
[[reservoirs]]
colour = "G"
squares = ["o1", "p1"]
outlets = ["p1E", "p1N", "o1N", "o1W"]
"""
BIG_AQUADUKT = (
    """
game = "aquadukt"
name = "big"
title = "A large map"
players = 4
tiles = [12, 12, 12, 6]
mountains = 12
springs = 8
canals = 60
spring_distance = 6
mountain_distance = 2
map = '''
"""
    + "\n".join("".join(chr(ord("A") + 6 * (row // 4) + column // 4) for column in range(24)) for row in range(16))
    + """
'''
[events]
mineral = 9
foul = 3
"""
)


@pytest.mark.parametrize(("game", "text"), [("romana", BIG_ROMANA), ("aquadukt", BIG_AQUADUKT)])
def test_large_boards_work_at_both_speeds(game: str, text: str) -> None:
    p = GAMES[game].start(GAMES[game].layout.loads(text))
    plain, fast = p.runner(fast=False), p.runner(fast=True)
    assert plain.playouts(p.state, 5, 3) == fast.playouts(p.state, 5, 3)
    assert plain.perft(p.state, 2) == fast.perft(p.state, 2)
    middle = play_on(p, random.Random(1), 60)
    assert GAMES[game].position.parse(str(middle), p.layout) == middle


@pytest.mark.parametrize("layout", layout_names())
def test_random_games_end(layout: str) -> None:
    played = aquakit.start(layout).playouts(2000, seed=1)
    assert 5 < played.actions / played.games < 200


LONG_WORK = ["p.perft(40)", "p.playouts(10**12)", "aquakit.solve(p)", "aquakit.analyse(p, seconds=10**6)"]


@pytest.mark.parametrize("layout", ["romana4", "aquadukt2"])
@pytest.mark.parametrize("work", LONG_WORK)
def test_an_interrupt_ends_long_work_and_all_its_threads(layout: str, work: str) -> None:
    code = f"""
import threading, aquakit
from aquakit.engine.solve import Solver
p = aquakit.start({layout!r})
p.runner(), Solver(p), aquakit.analyse(p, playouts=1)  # compiled before
try:
    print("working", flush=True)
    {work}
except KeyboardInterrupt:
    print([thread.name for thread in threading.enumerate() if thread.name.startswith("aquakit")])
"""
    assert interrupt(code) == (0, "[]\n", "")


def test_many_counts_and_games_come_in_slices_that_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    p = aquakit.start("romana2-5x4")
    whole = p.perft(5), p.playouts(100, seed=3)
    monkeypatch.setattr(runner, "STEPS", 7)
    monkeypatch.setattr(runner, "GAMES", 9)
    assert (p.perft(5), p.playouts(100, seed=3)) == whole
    assert p.runner(fast=False).perft(p.state, 4, bulk=False) == p.perft(4)


# What a person can get wrong


@pytest.mark.parametrize("layout", ["romana4", "aquadukt2"])
def test_wrong_types_give_typed_errors(layout: str) -> None:
    p = aquakit.start(layout)
    calls = [
        *(lambda bad=bad: p.act(bad) for bad in (3, None, 1.5, object())),
        *(lambda bad=bad: p.play(bad) for bad in (3, None, [], [3], "", object())),
        *(lambda bad=bad: p.perft(bad) for bad in (-1, "3", 2.0, None, True, 10**10)),
        *(lambda bad=bad: p.playouts(bad) for bad in (-1, "3", 1.5, None)),
        *(lambda bad=bad: aquakit.parse(bad) for bad in (5, None, b"romana4", "")),
        *(lambda bad=bad: type(p).parse(bad) for bad in (5, None)),
        *(lambda bad=bad: aquakit.start(bad) for bad in (5, None, "", "x" * 9999, "no\0such.toml")),
        *(lambda bad=bad: aquakit.load_layout(bad) for bad in (5, None)),
        *(lambda bad=bad: p.layout_type.loads(bad) for bad in (5, None)),
        *(lambda bad=bad: p.turn_type.parse(bad) for bad in (5, None)),
        lambda: aquakit.start(layout, colour="red"),
        lambda: p.svg(colour="red"),
        lambda: p.svg(size="big"),
    ]
    for call in calls:
        with pytest.raises(AquakitError):
            call()


@settings(max_examples=60)
@given(EVERY_GAME)
def test_turns_can_be_given_in_several_ways(p: Any) -> None:
    for turn in itertools.islice(p.turns(), 3):
        after = p.play(turn)
        assert p.play(list(turn)) == after
        assert p.play([str(action) for action in turn]) == after
        if len(turn) == 1:
            assert p.play(turn[0]) == after


def test_actions_are_what_their_tokens_say() -> None:
    p = aquakit.start("romana4")
    odd = romana.Action("build", "c7", "L", "Nc", builder="c")
    assert p.act(odd) == p.act("c7=L@Nc")
    assert hash(p.act(odd)) == hash(p.act("c7=L@Nc"))
    for incomplete in (romana.Action("place", builder="c"), romana.Action("pick"), romana.Action("build", tile="x")):
        with pytest.raises(InvalidTurn):
            p.act(incomplete)
    with pytest.raises(InvalidTurn):
        p.act(aquadukt.Action("roll"))


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_copies_of_a_layout_file_make_equal_positions(layout: str, tmp_path: Path) -> None:
    text = aquakit.load_layout(layout).text
    copies = []
    for name in ("one.toml", "two.toml", "no-suffix"):
        (tmp_path / name).write_text(text, "utf-8")
        copies.append(aquakit.start(tmp_path / name))
    for copy in copies:
        assert copy == copies[0] == aquakit.start(layout)
        assert hash(copy) == hash(copies[0])
        assert aquakit.parse(str(copy), folder=tmp_path) == copy


def test_boards_with_many_options_or_large_regions_fit() -> None:
    crowded = """
name = "jokers"
title = "Twelve jokers round one reservoir"
columns = 3
rows = 3
players = ["R"]
reserve = ""
podiums = [1]
stock = {c = 9, s = 9, b = 9, d = 9}
builders = {c = 0, s = 0, b = 0, d = 0, j = 12}
[[reservoirs]]
colour = "R"
squares = ["b2", "b3"]
outlets = ["b2W", "b2S", "b2E", "b3W", "b3E"]
"""
    p = romana.Position.start(romana.Layout.loads(crowded))
    assert len(p.actions()) == p.perft(1) == p.runner(fast=False).perft(p.state, 1) > 81
    one_region = f"""
game = "aquadukt"
name = "plain"
title = "One region"
players = 2
tiles = [8, 8, 8, 4]
mountains = 0
springs = 3
canals = 20
spring_distance = 3
mountain_distance = 2
events = {{mineral = 0, foul = 0}}
map = '''{chr(10).join(["A" * 14] * 14)}'''
"""
    q = aquadukt.Position.start(aquadukt.Layout.loads(one_region))
    assert q.runner(fast=True).playouts(q.state, 20, 1) == q.runner(fast=False).playouts(q.state, 20, 1)
