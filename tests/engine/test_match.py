"""Matches: fair seats, repeatable games, results that survive whatever happens, and honest numbers."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from io import FileIO
from pathlib import Path
from typing import Any

import match_bots
import pytest
from match_bots import Inline, Peeker, break_down, cheat, first, last, quit_all, roll_on, say_nothing
from waiting import wait_for

import aquakit
from aquakit.core.games import load_layout
from aquakit.engine.matches.match import Match
from aquakit.engine.matches.playing import BotFailed, ways_to_seat
from aquakit.engine.matches.results import GameResult
from aquakit.engine.matches.standings import interval, rank_bots
from aquakit.errors import InvalidLayout, InvalidOption
from aquakit.work import journal
from aquakit.work import spread as spreading
from aquakit.work.journal import InvalidResults
from aquakit.work.spread import WorkerLost

SMALL = "romana2-5x4"


def play(bots: Any = ("greedy", "random"), games: int = 4, layout: Any = SMALL, **options: Any) -> Match:
    """Plays a match here and now, unless another executor is given."""
    return aquakit.match(list(bots), games, layout, **{"executor": Inline(), "progress": False, **options})


def outcomes(found: Match) -> list[dict[str, Any]]:
    """Gets all that is repeatable about the games."""
    return [result.model_dump(exclude={"seconds"}) for result in found.results]


def result(seats: str, scores: tuple[int, ...], game: int = 0) -> GameResult:
    """Makes a finished game of bots with one letter each."""
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    shares = tuple((place == 1) / places.count(1) for place in places)
    seconds = (0.5,) * len(scores)
    return GameResult(game=game, seats=tuple(seats), seed=0, start="", turns=(), scores=scores, places=places,
                  shares=shares, seconds=seconds)  # fmt: skip


# Seats, starts and dice


def test_bots_take_turns_in_the_seats() -> None:
    assert ways_to_seat(2, 2) == ((0, 1), (1, 0))
    assert ways_to_seat(3, 3) == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert ways_to_seat(4, 4)[3] == (3, 0, 1, 2)
    assert ways_to_seat(3, 2) == ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))


@pytest.mark.parametrize(("bots", "seats", "ways"), [(2, 3, 6), (2, 4, 14), (3, 4, 36), (5, 4, 20), (4, 2, 12)])
def test_every_way_to_seat_is_there_once_and_all_are_fair_together(bots: int, seats: int, ways: int) -> None:
    found = ways_to_seat(bots, seats)
    assert len(found) == len(set(found)) == ways
    assert all(len(set(each)) == min(bots, seats) for each in found)
    for seat in range(seats):
        assert set(Counter(each[seat] for each in found).values()) == {ways // bots}


def test_any_first_few_ways_are_about_fair() -> None:
    for few in range(1, 15):
        counts = Counter(bot for each in ways_to_seat(2, 4)[:few] for bot in each)
        assert abs(counts[0] - counts[1]) <= 2


def test_all_ways_to_seat_get_the_same_start_and_dice() -> None:
    found = play([first, "random"], 6, "aquadukt2-6x5", seed=3)
    starts = [each.start for each in found.results]
    seeds = [each.seed for each in found.results]
    assert starts[0::2] == starts[1::2]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(starts)) == len(set(seeds)) == 3
    assert [each.seats for each in found.results[:2]] == [("first", "random"), ("random", "first")]


def test_dice_are_the_same_for_all_ways_to_seat() -> None:
    found = play([roll_on, roll_on], 4, "aquadukt2-6x5", seed=1)
    assert [each.turns for each in found.results][0::2] == [each.turns for each in found.results][1::2]
    assert found.results[0].turns != found.results[2].turns
    assert len({turn.split(",")[1] for turn in found.results[0].turns if "die" in turn}) > 1


def test_what_an_answer_says_after_a_roll_is_not_used() -> None:
    for each in play([roll_on, first], 2, "aquadukt2-6x5").results:
        record = aquakit.Record(aquakit.parse(each.start))
        node = record.root
        for turn in each.turns:
            node = node.play(turn)
        assert node.position.is_over
        assert node.position.scores() == each.scores


@pytest.mark.parametrize("layout", [SMALL, "aquadukt2-6x5", "aquadukt3"])
def test_the_same_seed_gives_the_same_match(layout: str) -> None:
    bots = ("mcts:50", "greedy", "random")
    one, two, other = (play(bots, 3, layout, seed=seed) for seed in (1, 1, 2))
    assert outcomes(one) == outcomes(two)
    assert outcomes(one) != outcomes(other)


def test_bots_see_no_hidden_events() -> None:
    peeker = Peeker()
    found = play([peeker, "random"], 2, "aquadukt2-6x5", events=True, seed=1)
    assert peeker.seen
    assert all("?" in str(position).split(" : ")[0].split()[-1] for position in peeker.seen)
    assert "?" not in found.results[0].start


def test_options_are_those_of_the_games_start() -> None:
    found = play(games=2, setup=True)
    assert aquakit.parse(found.results[0].start) == aquakit.start(SMALL, setup=True)
    with pytest.raises(InvalidOption, match="events"):
        play(events=True)
    with pytest.raises(InvalidOption, match="setup"):
        play(setup="yes")


def test_own_layouts_are_played_by_path_and_as_such(tmp_path: Path) -> None:
    file = tmp_path / "my board.toml"
    text = load_layout(SMALL).text.replace(f'name = "{SMALL}"', 'name = "mine"')
    file.write_text(text, "utf-8")
    own = type(load_layout(SMALL)).loads(text)
    by_path, by_value = play(layout=file), play(layout=own)
    assert [each.turns for each in by_path.results] == [each.turns for each in by_value.results]
    for found in (by_path, by_value):
        assert found.record(1).root.main()[-1].position.scores() == found.results[1].scores


def test_a_layout_for_one_player_is_refused() -> None:
    text = load_layout("aquadukt2-6x5").text.replace("players = 2", "players = 1").replace("aquadukt2-6x5", "alone")
    with pytest.raises(InvalidOption, match="one player"):
        play(layout=type(load_layout("aquadukt2-6x5")).loads(text))


@pytest.mark.parametrize(
    ("bots", "named"),
    [
        (("greedy",), "bots"),
        (("greedy",) * 21, "bots"),
        (("greedy", "best"), "bot"),
        (("greedy", 3), "bots"),
        ((), "bots"),
    ],
)
def test_bad_bots_are_named(bots: tuple[Any, ...], named: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        play(bots)
    assert caught.value.where == named


@pytest.mark.parametrize(
    ("option", "value"), [("games", 0), ("games", 1.5), ("seed", -1), ("seed", "1"), ("progress", 1)]
)
def test_bad_options_are_named(option: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        play(**{option: value})
    assert caught.value.where == option


def test_one_spec_is_no_list_and_a_layout_must_be_known() -> None:
    with pytest.raises(InvalidOption, match="list"):
        aquakit.match("greedy", progress=False)
    with pytest.raises(InvalidLayout):
        play(layout="nowhere")


# Executors


def test_processes_play_the_same_match_as_this_one() -> None:
    bots = ["greedy", "random", first]
    apart = aquakit.match(bots, 6, SMALL, seed=2, progress=False)
    assert outcomes(apart) == outcomes(play(bots, 6, seed=2))
    assert apart.is_complete


def test_threads_play_the_same_match() -> None:
    with ThreadPoolExecutor(2) as threads:
        assert outcomes(play(("greedy", "mcts:50"), 6, executor=threads)) == outcomes(play(("greedy", "mcts:50"), 6))


def test_a_dask_cluster_plays_the_same_match(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = play(["greedy", "mcts:50", last], 6, executor=client.get_executor())
        with pytest.raises(BotFailed, match="out of ideas"):
            play([break_down, "greedy"], executor=client.get_executor())
    assert outcomes(found) == outcomes(play(["greedy", "mcts:50", last], 6))


def test_a_bot_that_cannot_be_sent_is_an_error_before_anything_is_played() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(InvalidOption, match="cannot be sent to another process"):
        play(["greedy", lambda position: position.actions()[:1]], executor=pool)
    assert play(["greedy", lambda position: position.actions()[:1]]).head.bots == ("greedy", "<lambda>")


def test_a_bot_that_another_process_does_not_know_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(position: Any) -> Any:
        return first(position)

    lost.__qualname__ = "lost"
    lost.__module__ = "match_bots"
    monkeypatch.setattr(match_bots, "lost", lost, raising=False)
    with pytest.raises(InvalidOption, match="lost is unknown to another process"):
        aquakit.match([lost, "greedy"], 2, SMALL, progress=False)


# What goes wrong


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        (cheat, "c7"),
        (break_down, "ZeroDivisionError: out of ideas"),
        (say_nothing, "is no answer"),
        (quit_all, "SystemExit: 3"),
    ],
)
def test_a_failing_bot_is_named_with_its_game_and_position(bot: Any, says: str) -> None:
    with pytest.raises(BotFailed, match=says) as caught:
        play(["greedy", bot])
    failed = caught.value
    assert (failed.bot, failed.game) == (bot.__name__, 0)
    assert aquakit.parse(failed.position).player == 2
    assert all(part in str(failed) for part in (bot.__name__, "game 0", failed.position))
    again = pickle.loads(pickle.dumps(failed))
    assert (again.bot, again.position, str(again)) == (failed.bot, failed.position, str(failed))


class FailsLater(Peeker):
    """Fails in its second game."""

    def __call__(self, position: Any) -> Any:
        if self.seen and position == self.seen[0]:
            raise RuntimeError("enough")
        return super().__call__(position)


def test_what_is_finished_before_a_bot_fails_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with pytest.raises(BotFailed, match="enough"):
        play([FailsLater(), "random"], 8, path=file)
    assert len(Match.load(file).results) == 2


# The file of results


def test_results_are_lines_of_json(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    found = play(games=3, path=file, seed=7)
    head, *games = map(json.loads, file.read_text("utf-8").splitlines())
    assert head["bots"] == ["greedy", "random"]
    assert (head["layout"], head["seed"], head["version"]) == (SMALL, 7, aquakit.__version__)
    assert [game["game"] for game in games] == [0, 1, 2]
    assert set(games[0]) == {
        "game", "seats", "seed", "start", "turns", "scores", "places", "shares", "seconds"
    }  # fmt: skip
    assert outcomes(Match.load(file)) == outcomes(found)


def test_an_interrupted_match_returns_what_is_finished_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    stopped = play(games=6, path=file, executor=Inline(most=4))
    assert not stopped.is_complete
    assert "stopped after 4 of 6 games" in repr(stopped)
    rest = Inline()
    found = play(games=6, path=file, executor=rest)
    assert rest.played == [4, 5]
    assert found.is_complete
    assert outcomes(found) == outcomes(play(games=6))
    assert len(play(games=6, executor=Inline(most=4)).results) == 4


def test_an_interrupt_while_waiting_loses_no_finished_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(pending: Any) -> Any:
        wait(pending)
        raise KeyboardInterrupt

    monkeypatch.setattr(spreading, "wait_for_some", interrupted)
    with ThreadPoolExecutor(1) as thread:
        found = play(["random", "random"], 5, path=tmp_path / "results.jsonl", executor=thread)
    assert len(found.results) == len(Match.load(tmp_path / "results.jsonl").results) == 5


def test_processes_that_end_early_are_explained() -> None:
    class Broken(Inline):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise BrokenExecutor("gone")

    with pytest.raises(WorkerLost, match="a process ended early: gone"):
        play(executor=Broken())


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(FileIO):
        def write(self, line: Any) -> int:
            return super().write(line if self.tell() < 800 else line[:30])

    file = tmp_path / "results.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(journal, "FileIO", Full)
        with pytest.raises(InvalidResults, match="cannot be written: the disk is full"):
            play(games=6, path=file)
    assert file.read_bytes().endswith(b"}\n")
    assert 0 < len(Match.load(file).results) < 6
    assert len(play(games=6, path=file).results) == 6


def test_a_match_can_be_made_longer_and_asked_for_in_part(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    play(games=2, path=file)
    longer, none = Inline(), Inline()
    play(games=5, path=file, executor=longer)
    assert longer.played == [2, 3, 4]
    assert len(play(games=3, path=file, executor=none).results) == 3
    assert none.played == []


def test_a_file_cut_off_anywhere_goes_on_from_the_last_whole_line(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    found = play(games=3, path=file)
    whole = file.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(ends[0] - 1, len(whole) + 1, 37):
        file.write_bytes(whole[:cut])
        again = Inline()
        assert outcomes(play(games=3, path=file, executor=again)) == outcomes(found)
        assert len(again.played) == sum(cut < end - 1 for end in ends[1:])
        assert file.read_bytes().count(b"\n") == 4
        assert len(Match.load(file).results) == 3


def test_a_last_line_without_its_end_counts(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    play(games=2, path=file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    none = Inline()
    assert len(play(games=2, path=file, executor=none).results) == 2
    assert none.played == []
    assert file.read_bytes() == whole


def test_a_game_written_twice_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    found = play(games=2, path=file)
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines, lines[1]]), "utf-8")
    assert outcomes(Match.load(file)) == outcomes(play(games=2, path=file)) == outcomes(found)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"bots": ("greedy", "greedy")}, "bots"),
        ({"seed": 1}, "seed"),
        ({"layout": "romana2-7x6"}, "layout"),
        ({"setup": True}, "options"),
    ],
)
def test_a_file_of_another_match_is_refused(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    file = tmp_path / "results.jsonl"
    play(path=file)
    before = file.read_bytes()
    with pytest.raises(InvalidResults, match=f"another match: its {named} is"):
        play(**{"path": file, **change})
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["notes", "notes\nmore\n", "{}\n", '{"form": "other"}\n', "\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidResults, match="line 1"):
        play(path=file)
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:40],
        lambda line: "",
        lambda line: line.replace('"game":1', '"game":-1'),
        lambda line: line.replace('"scores":[', '"scores":[3,'),
        lambda line: line.replace('"seats"', '"chairs"'),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, damage: Any) -> None:
    file = tmp_path / "results.jsonl"
    play(games=3, path=file)
    lines = file.read_text("utf-8").split("\n")
    lines[2] = damage(lines[2])
    file.write_text("\n".join(lines), "utf-8")
    for read in (lambda: play(games=3, path=file), lambda: Match.load(file)):
        with pytest.raises(InvalidResults, match=r"results\.jsonl, line 3: is damaged"):
            read()


def test_a_line_of_other_seats_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    play(games=3, path=file)
    file.write_text(file.read_text("utf-8").replace('"game":1', '"game":6'), "utf-8")
    with pytest.raises(InvalidResults, match="game 6"):
        play(games=3, path=file)


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "results.jsonl", 3.5):
        with pytest.raises(InvalidResults, match=r"cannot be (used|read)"):
            play(path=path)
    with pytest.raises(InvalidResults, match="cannot be read"):
        Match.load(tmp_path / "none.jsonl")


SLOW = """
import sys, aquakit
if __name__ == "__main__":
    aquakit.match(["greedy", "greedy"], 500, "romana2", path=sys.argv[1], progress=False)
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
def test_a_killed_match_loses_nothing_and_leaves_no_process(tmp_path: Path) -> None:
    script, file = tmp_path / "slow.py", tmp_path / "results.jsonl"
    script.write_text(SLOW, "utf-8")
    run = subprocess.Popen([sys.executable, str(script), str(file)], start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") > 2)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        wait_for(lambda: not is_running(run.pid))
    finally:
        if is_running(run.pid):
            os.killpg(run.pid, signal.SIGKILL)
    assert len(Match.load(file).results) >= 2


def is_running(group: int) -> bool:
    """Checks whether a process of a group is there that is more than an entry nobody has read."""
    found = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return any(row.split()[0] == str(group) and "Z" not in row for row in found.splitlines())


# Numbers


def test_intervals_are_those_of_wilson() -> None:
    assert [round(each, 4) for each in interval(50, 100)] == [0.5, 0.4038, 0.5962]
    assert [round(each, 4) for each in interval(0, 10)] == [0, 0, 0.2775]
    assert [round(each, 4) for each in interval(10, 10)] == [1, 0.7225, 1]
    assert all(math.isnan(each) for each in interval(0, 0))


def test_shared_wins_count_in_part() -> None:
    a, b = rank_bots("ab", [result("ab", (5, 5)), result("ba", (3, 9)), result("ab", (4, 6)), result("ab", (8, 1))])
    assert (a.games, a.wins, a.win_rate) == (4, 2.5, 0.625)
    assert (b.wins, b.win_rate) == (1.5, 0.375)
    assert (a.score, a.lead) == ((5 + 9 + 4 + 8) / 4, (0 + 6 - 2 + 7) / 4)
    assert a.lead == -b.lead
    assert a.score_error == pytest.approx(1.1902, abs=1e-4)
    assert (a.elo, a.elo_low, a.elo_high) == (0, 0, 0)
    assert b.elo == pytest.approx(-400 * math.log10(0.625 / 0.375))
    assert b.elo_low < b.elo < b.elo_high


def test_an_elo_difference_of_always_is_infinite_with_a_finite_bound() -> None:
    _, b = rank_bots("ab", [result("ab", (1, 9))] * 10)
    assert b.elo == b.elo_high == math.inf
    assert b.elo_low == pytest.approx(400 * math.log10(0.7225 / 0.2775), abs=0.2)


def test_several_seats_of_a_bot_count_once_a_game() -> None:
    a, b = rank_bots("ab", [result("aba", (10, 7, 2))])
    assert (a.games, a.wins, a.score, a.lead, a.seconds) == (1, 1, 6, -1, 1)
    assert (b.games, b.wins, b.score, b.lead) == (1, 0, 7, -3)
    assert b.elo == 0
    assert math.isnan(a.score_error)
    shared = rank_bots("ab", [result("aab", (4, 4, 4))])
    assert [each.wins for each in shared] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]


def test_bots_that_never_met_the_first_have_no_elo() -> None:
    standings = rank_bots("abc", [result("ab", (1, 2)), result("bc", (3, 1))])
    assert math.isnan(standings[2].elo)
    assert [each.games for each in standings] == [1, 2, 1]
    assert math.isnan(rank_bots("abc", [result("ab", (1, 2))])[2].win_rate)


def test_ties_are_broken_as_the_game_says() -> None:
    found = play(["random", "random"], 60, "aquadukt2-6x5", seed=5)
    for each in found.results:
        last_position = found.record(each.game).root.main()[-1].position
        winners = last_position.winners()
        assert tuple(seat for seat, share in enumerate(each.shares, start=1) if share) == winners
        assert sum(each.shares) == 1


def test_games_and_table_are_frames() -> None:
    found = play(["greedy", "random", "greedy"], 6)
    assert list(found.games["game"]) == [0, 1, 2, 3, 4, 5]
    assert {"seed", "turns", "bot_1", "bot_2", "score_1", "share_2", "seconds_2"} < set(found.games.columns)
    table = found.table()
    assert list(table.index) == ["greedy", "random", "greedy #2"]
    assert list(table["games"]) == [4, 4, 4]
    assert table["wins"].sum() == 6
    assert ((table["win_low"] <= table["win_rate"]) & (table["win_rate"] <= table["win_high"])).all()


def test_a_match_shows_its_numbers_with_n() -> None:
    found = play(games=4)
    text, html = repr(found), found._repr_html_()
    assert text.splitlines()[0] == f"<Match on {SMALL}, seed 0: 4 games>"
    assert len(text.splitlines()) == 4
    for part in ("games", "win rate (95 %)", "greedy", "random", "Elo"):
        assert part in text
        assert part in html
    assert html.count("<tr>") == 3
    assert json.loads(json.dumps(found.json(), allow_nan=False))["table"][0]["games"] == 4


def test_names_are_safe_in_html() -> None:
    bot = Peeker()
    bot.name = "<b>&"  # a stranger's bot
    assert "&lt;b&gt;&amp;" in play([bot, "random"], 2)._repr_html_()


def test_notes_say_why_numbers_are_not_to_be_trusted() -> None:
    same = play([first, last], 6)
    assert "only 2 of the games differ" in repr(same)
    assert "fair" not in repr(same)
    assert "seats are fair only after every 2 games" in repr(play(games=3))
    gaps = play(games=4)
    assert "fair" in repr(Match(gaps.head, [gaps.results[0], gaps.results[2]]))


def test_a_game_can_be_looked_at_as_a_record() -> None:
    found = play(games=2, layout="aquadukt2-6x5")
    record = found.record(1)
    assert record.headers["player 1"] == "random"
    assert record.root.main()[-1].position.scores() == found.results[1].scores
    with pytest.raises(InvalidOption, match="game"):
        found.record(2)
