"""The planners on the command line, as a person uses them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aquakit
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.cli import common
from aquakit.cli import main as cli
from aquakit.core.record import Record
from aquakit.planning import cpsat
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.longest.longest import longest
from aquakit.romana.planner.plan.plan import plan
from aquakit.romana.planner.timing.timing import timing

STUDY = (
    "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J .c...s./b.dc../.c.b.s./.d.c.. cj -,s "
    "*.*.*,*.1.* 9.9.4.5 1 0"
)
CITY = "aquadukt2-6x5 ^...._/..B3..^/....../....../_...._ 3.3.2.1,3.3.1.1 3.2 - 12 1 0 -"
FAR = "aquadukt2-6x5 ^...._/.....^/....../B3...../_...._ 3.3.2.1,3.3.1.1 3.2 - 12 1 0 -"
SMALL = "romana2-5x4"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compiles what is needed, so that no test meets the notice about it."""
    plan(aquakit.start(SMALL), turns=1)
    timing(aquakit.start(SMALL), rounds=1, playouts=1)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


# plan


def test_plan_prints_points_and_turns_that_can_be_played(run: Run) -> None:
    code, out, err = run("plan", STUDY, "--turns", "3")
    assert (code, err) == (0, "")
    head, *lines = out.splitlines()
    assert head.startswith("14 points in 3 turns, proved by ")
    p = aquakit.parse(STUDY).solo(1)
    for number, line in enumerate(lines, 1):
        start, turn = line.split(". ", 1)
        assert start == str(number)
        p = p.play(turn)
    assert (len(lines), p.study_points()) == (3, 14)


def test_plan_as_data_with_all_that_is_as_good(run: Run) -> None:
    data = json.loads(run("plan", STUDY, "--turns", "3", "--alternatives", "--all", "4", "--json")[1])
    assert (data["points"], data["bound"], data["proved"]) == (14, 14, True)
    assert data["alternatives"] == {"found": ["b6=+@E6", "c4=Z@E4"], "complete": True}
    assert data["plans"]["complete"] is False
    for turns in data["plans"]["found"]:
        p = aquakit.parse(data["position"])
        for turn in turns:
            p = p.play(turn)
        assert p.study_points() == 14
    assert len(data["plans"]["found"]) == 4


def test_plan_lists_as_text_too(run: Run) -> None:
    out = run("plan", STUDY, "--turns", "3", "--alternatives")[1]
    assert out.endswith("first builds as good:\n  b6=+@E6\n  c4=Z@E4\n")
    out = run("plan", STUDY, "--turns", "2", "--first", "c4=L@W4 x-", "--alternatives")[1]
    assert "\nbuilds after that as good:\n  a5=L@Nb\n" in out
    out = run("plan", STUDY, "--turns", "1", "--all", "2")[1]
    assert "plans as good, perhaps not all:\n  c4=" in out


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("--player", "2"), {"player": 2}),
        (("--closed-only",), {"closed_only": True}),
        (("--no-closing",), {"closing": False}),
        (("--first", "c4=L@W4 x-"), {"first": "c4=L@W4 x-"}),
        (("--forbid", "c4", "--forbid", "xR2"), {"forbid": ("c4", "xR2")}),
        (("--method", "search"), {"method": "search"}),
    ],
)
def test_plan_passes_its_options_on(run: Run, arguments: tuple[str, ...], options: dict[str, object]) -> None:
    data = json.loads(run("plan", STUDY, "--turns", "2", *arguments, "--json")[1])
    expected = plan(aquakit.parse(STUDY), turns=2, **options)
    assert (data["position"], data["points"]) == (str(expected.position), expected.points)
    assert "first" not in options or data["turns"][0] == options["first"]


def test_options_change_the_answer(run: Run) -> None:
    def points(*arguments: str) -> int:
        return json.loads(run("plan", STUDY, "--turns", "2", *arguments, "--json")[1])["points"]

    assert points("--closed-only") > points("--closed-only", "--no-closing")
    assert points() > points("--forbid", "c4")
    assert points() != points("--player", "2")


def test_plan_writes_a_record_and_a_picture(run: Run, tmp_path: Path) -> None:
    record, picture = tmp_path / "plan.txt", tmp_path / "plan.svg"
    command = ("plan", STUDY, "--turns", "2", "--record", str(record), "--svg", str(picture))
    code, out, err = run(*command)
    assert (code, err) == (0, f"picture in {picture}\nrecord in {record}\n")
    turns = [str(node.turn) for node in Record.load(record).root.main()[1:]]
    assert [line.split(". ", 1)[1] for line in out.splitlines()[1:]] == turns
    assert ET.parse(picture).getroot().tag.endswith("svg")
    assert {file.name for file in tmp_path.iterdir()} == {"plan.txt", "plan.svg"}
    code, out, err = run(*command)
    assert (code, out, "--force" in err) == (2, "", True)
    assert run(*command, "--force")[0] == 0
    assert ET.fromstring(run("plan", STUDY, "--turns", "1", "--svg", "-")[1]).tag.endswith("svg")


def test_plan_that_is_not_proved_lists_nothing(run: Run) -> None:
    code, out, _ = run("plan", "romana4", "--turns", "7", "--seconds", "0.2", "--alternatives", "--all", "3")
    assert code == 0
    assert out.startswith("nothing proved, best so far ")
    assert "first builds as good: not listed, since the plan is not proved\n" in out
    command = ("plan", "romana4", "--turns", "7", "--seconds", "0.2", "--alternatives", "--json")
    assert json.loads(run(*command)[1])["alternatives"] is None


def test_a_stopped_plan_prints_the_best_so_far(run: Run) -> None:
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    code, out, err = run("plan", "romana4", "--turns", "8", "--method", "search", "--alternatives")
    timer.join()
    assert (code, err) == (130, "aquakit: stopped\n")
    assert out.startswith("nothing proved, best so far ")
    assert len(out.splitlines()) == 9
    assert signal.getsignal(signal.SIGINT) is before


def test_a_stopped_listing_prints_what_it_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reaches, asked = Searcher.reaches, iter([None] * 40)

    def interrupt(self: Searcher, *given: Any) -> bool | None:
        if next(asked, "last") == "last":
            os.kill(os.getpid(), signal.SIGINT)
        return reaches(self, *given)

    monkeypatch.setattr(Searcher, "reaches", interrupt)
    code, out, err = run("plan", STUDY, "--turns", "3", "--all", "1000")
    assert (code, err) == (130, "aquakit: stopped\n")
    assert out.startswith("14 points in 3 turns, proved by ")
    assert "plans as good, perhaps not all:\n" in out


def test_a_second_witness_can_be_asked(run: Run) -> None:
    out = run("plan", STUDY, "--turns", "2", "--method", "search", "--verify")[1]
    assert re.match(r"\d+ points in 2 turns, proved by search in \d+\.\d s, confirmed by cpsat in \d+\.\d s\n", out)
    data = json.loads(run("plan", STUDY, "--turns", "2", "--verify", "--json")[1])
    assert [proof["points"] for proof in data["proofs"]] == [data["points"], data["points"]]


def test_forbidding_everything_is_named(run: Run) -> None:
    squares = [word for square in aquakit.start(SMALL).layout.square_names for word in ("--forbid", square)]
    code, _, err = run("plan", SMALL, "--turns", "2", *squares)
    assert (code, "forbid: leaves no plan of 2 turns" in err) == (2, True)


# timing


def test_timing_prints_the_schedule(run: Run) -> None:
    growth = ("--growth", "R1=3,4,6", "--growth", "R2=0.5", "--growth", "G1=2,3,4", "--rounds", "3")
    code, out, err = run("timing", SMALL, *growth, "--rivals", "G1=2")
    expected = timing(
        aquakit.start(SMALL),
        growth={"R1": [3, 4, 6], "R2": 0.5, "G1": [2, 3, 4]},
        rounds=3,
        rivals={"G1": 2},
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == str(expected).splitlines()[1:]
    assert out.startswith(f"Red, 3 rounds: {expected.value} podium points (proved best, ")


def test_timing_as_data_with_a_file_of_growth(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "growth.toml"
    file.write_text("R1 = [3, 4, 6]\nG1 = {lengths = [2, 3], ends = 2, by = 1}\n", "utf-8")
    options = ("--growth", str(file), "--rounds", "3", "--player", "1", "--waits", "1", "--json")
    data = json.loads(run("timing", SMALL, *options)[1])
    growth = {"R1": [3, 4, 6], "G1": {"lengths": [2, 3], "ends": 2, "by": 1}}
    expected = timing(aquakit.start(SMALL), growth=growth, rounds=3, waits=1).json()
    assert data | {"seconds": 0} == expected | {"seconds": 0}
    assert data["podiums"]["G1"] == 3


def test_timing_with_scenarios_and_the_worst_of_them(run: Run) -> None:
    growth = ("--growth", "R1=5,6,7", "--growth", "G1=6,7,8", "--rounds", "3")
    scenarios = ("--rivals", "G1=1,weight=3", "--rivals", "nobody")
    data = json.loads(run("timing", SMALL, *growth, *scenarios, "--aim", "worst", "--json")[1])
    assert (data["rivals"], data["scenarios"], data["aim"]) == ("scenarios", 2, "worst")
    data = json.loads(run("timing", SMALL, *growth, "--rivals", "replies", "--json")[1])
    assert data["rivals"] == "replies"


def test_timing_estimates_growth_by_playouts(run: Run) -> None:
    command = ("timing", STUDY, "--rounds", "4", "--playouts", "6", "--json")
    data = json.loads(run(*command, "--seed", "1")[1])
    assert (data["rivals"], data["scenarios"]) == ("playouts", 6)
    assert json.loads(run(*command, "--seed", "1")[1])["value"] == data["value"]
    assert json.loads(run(*command, "--seed", "2")[1])["podiums"] != data["podiums"]


@pytest.mark.parametrize(("name", "begins"), [("race.png", b"\x89PNG"), ("race.svg", b"<?xml")])
def test_timing_draws_the_podium_race(run: Run, tmp_path: Path, name: str, begins: bytes) -> None:
    chart = tmp_path / name
    code, _, err = run("timing", SMALL, "--growth", "R1=3,4", "--rounds", "2", "--race", str(chart))
    assert (code, err) == (0, f"chart in {chart}\n")
    assert chart.read_bytes().startswith(begins)
    assert [file.name for file in tmp_path.iterdir()] == [name]


# longest


def test_longest_of_an_aqueduct_or_of_a_player(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "longest.svg"
    code, out, err = run("longest", SMALL, "--aqueduct", "R1", "--svg", str(picture))
    assert (code, err) == (0, f"picture in {picture}\n")
    assert out.startswith("R1: length 17 (proved, ")
    assert ET.parse(picture).getroot().tag.endswith("svg")
    data = json.loads(run("longest", SMALL, "--player", "2", "--json")[1])
    expected = longest(aquakit.start(SMALL), player=2)
    assert (data["player"], data["value"], data["proved"]) == (2, expected.points, True)


STOPPED = """
import os, signal, threading
from aquakit.cli import main as cli

threading.Timer(4, os.kill, (os.getpid(), signal.SIGINT)).start()
raise SystemExit(cli.run(["longest", "romana4", "--aqueduct", "R1"]))
"""


def test_a_stopped_longest_prints_the_best_so_far() -> None:
    """Runs in a process of its own, since the solver's own answer to Ctrl-C would end this one."""
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "aquakit: stopped\n")
    assert done.stdout.startswith("R1: length ")
    assert "not proved, at most " in done.stdout


# canals


def test_canals_with_all_layouts_as_good(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "canals.svg"
    code, out, err = run("canals", CITY, "--canals", "3", "--player", "2", "--all", "9", "--svg", str(picture))
    expected = plan_canals(aquakit.parse(CITY), canals=3, player=2)
    assert (code, err) == (0, f"picture in {picture}\n")
    assert out.startswith(f"{expected}\nlayouts as good:\n  canal ")
    assert len(out.splitlines()) == len(str(expected).splitlines()) + 1 + len(expected.alternatives())
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_a_stopped_listing_of_layouts_prints_what_it_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    list_all, once = cpsat.all_solutions, iter([signal.SIGINT])

    def interrupt(model: Any, read: Any, limit: int, seconds: float | None) -> tuple[list[Any], bool]:
        def read_one(value: Any) -> Any:
            for number in once:
                os.kill(os.getpid(), number)
            return read(value)

        return list_all(model, read_one, limit, seconds)

    monkeypatch.setattr(cpsat, "all_solutions", interrupt)
    code, out, err = run("canals", CITY, "--canals", "3", "--player", "2", "--all", "9")
    assert (code, err) == (130, "aquakit: stopped\n")
    assert "canals for player 2 (B): lead over all others together +3 (+3), proved\n" in out


def test_canals_as_data(run: Run) -> None:
    data = json.loads(run("canals", CITY, "--canals", "3", "--player", "2", "--alone", "--all", "1", "--json")[1])
    assert (data["player"], data["against"], data["gain"], data["proved"]) == (2, False, 3, True)
    assert data["layouts"]["found"] == [[*data["springs"], *data["canals"]]] or not data["layouts"]["complete"]
    data = json.loads(run("canals", CITY, "--canals", "3", "--player", "1", "--all", "2", "--json")[1])
    assert (data["gain"], data["layouts"]) == (0, {"found": [[]], "complete": True})
    assert "no canal" in run("canals", CITY, "--canals", "3", "--player", "1", "--all", "2")[1]


def test_canals_from_a_new_spring(run: Run) -> None:
    command = ("canals", FAR, "--canals", "1", "--player", "2", "--json")
    assert json.loads(run(*command)[1])["gain"] == 0
    data = json.loads(run(*command, "--springs", "1")[1])
    assert (data["gain"], len(data["springs"]), len(data["canals"])) == (3, 1, 1)


# What all of them share


def test_timing_lets_the_engine_play(run: Run, tmp_path: Path) -> None:
    options = ("--rivals", "engine", "--rounds", "2", "--games", "3", "--per-decision", "20", "--seconds", "1e6")
    code, out, err = run("timing", STUDY, *options, "--race", str(tmp_path / "race.png"))
    assert code == 0
    assert "Estimated by the engine, not proved" in out
    assert "3 games" in out
    assert "chart in" in err
    code, out, _ = run("timing", STUDY, *options, "--json")
    assert json.loads(out)["engine"]["games"] == 3
    code, _, err = run("timing", STUDY, "--rivals", "engine", "--games", "0")
    assert (code, err) == (2, "aquakit: games: 0; expected a whole number from 1 to 100000\n")
    code, _, err = run("timing", STUDY, "--rivals", "foo")
    assert "rivals: 'foo'; expected playouts, replies or engine alone" in err


def test_progress_is_told_on_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    say = common.say_progress
    monkeypatch.setattr(common, "say_progress", lambda *values: told.append(say(*values)) or told[-1])
    assert run("plan", STUDY, "--turns", "3")[2] == ""
    assert any(text.startswith("best so far 14, at most ") for text in told)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "best so far" in run("plan", STUDY, "--turns", "3")[2]


def test_progress_says_what_is_known() -> None:
    assert common.say_progress(None, None) == "nothing found yet"
    assert common.say_progress(None, 1 << 30) == "nothing found yet"
    assert common.say_progress(3, 1 << 30) == "best so far 3"
    assert common.say_progress(-3, 9) == "best so far -3, at most 9"


@pytest.mark.parametrize("command", ["plan", "timing", "longest", "canals"])
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert (code, "--seconds" in out, "--json" in out) == (0, True, True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("plan", SMALL), "--turns"),
        (("plan", SMALL, "--turns", "0"), "turns: 0"),
        (("plan", SMALL, "--turns", "2", "--seconds", "0"), "seconds: 0"),
        (("plan", SMALL, "--turns", "2", "--method", "magic"), "method: 'magic'"),
        (("plan", SMALL, "--turns", "2", "--player", "3"), "player: 3"),
        (("plan", SMALL, "--turns", "2", "--first", "b3=L"), "b3=L: is not the decision at hand"),
        (("plan", SMALL, "--turns", "2", "--forbid", "z9"), "forbid: 'z9'"),
        (("plan", SMALL, "--turns", "1", "--first", "b3=L@Nb x-", "--all", "2"), "turns: 1, which is given"),
        (("plan", SMALL, "--turns", "2", "--force"), "force: there is nothing to write over"),
        (("plan", SMALL, "--turns", "2", "--svg", "nowhere/plan.svg"), "svg: nowhere/plan.svg cannot be written"),
        (("plan", SMALL, "--turns", "2", "--svg", "-", "--json"), "svg: '-'"),
        (("plan", SMALL, "--turns", "2", "--record", "nowhere/plan.txt"), "record: nowhere/plan.txt"),
        (("plan", "aquadukt2", "--turns", "2"), "expected a position of Aqua Romana"),
        (("plan", "nowhere", "--turns", "2"), "is no file and no layout"),
        (("timing", SMALL, "--growth", "R1=three"), "growth: 'R1=three'"),
        (("timing", SMALL, "--growth", "R1=3,x"), "growth: 'R1=3,x'"),
        (("timing", SMALL, "--growth", "nowhere.toml"), "growth: 'nowhere.toml' is no file"),
        (("timing", SMALL, "--growth", __file__), "is not TOML"),
        (("timing", SMALL, "--growth", "R1=1", "--growth", "R1=2"), "growth: R1 is given twice"),
        (("timing", SMALL, "--growth", "Y1=1"), "'Y1' is no aqueduct"),
        (("timing", SMALL, "--rivals", "replies", "--rivals", "G1=2"), "rivals: 'replies'"),
        (("timing", SMALL, "--rivals", "G1=soon"), "rivals: 'G1=soon'"),
        (("timing", SMALL, "--aim", "fun"), "aim: 'fun'"),
        (("timing", SMALL, "--race", "race.txt"), "race: race.txt"),
        (("timing", SMALL, "--race", "nowhere/race.png"), "race: nowhere/race.png"),
        (("longest", SMALL, "--aqueduct", "Y1"), "aqueduct: there is no 'Y1'"),
        (("longest", SMALL, "--aqueduct", "R1", "--player", "1"), "player: and aqueduct are both given"),
        (("canals", SMALL, "--canals", "2"), "expected a position of Aquädukt"),
        (("canals", "aquadukt2", "--canals", "0"), "canals: 0"),
        (("canals", "aquadukt2", "--canals", "2", "--springs", "99"), "springs: 99"),
    ],
)
def test_bad_input_is_one_clear_line(run: Run, arguments: tuple[str, ...], problem: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert len(err.splitlines()) == 1
