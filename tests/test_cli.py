"""The command line, as a person uses it."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from waiting import interrupt

import aquakit
from aquakit import aquadukt
from aquakit.cli import main as cli
from aquakit.core.games import layout_names
from aquakit.core.record import Record
from aquakit.puzzle.collection import all_puzzles
from aquakit.romana import Layout, Position

Run = Callable[..., tuple[int, str, str]]

START = str(Position.start("romana4"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_positions_come_as_text_file_standard_input_or_layout(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my start.txt"
    file.write_text(f"# a start\n{START}\n", "utf-8")
    layout = tmp_path / "my board.toml"
    layout.write_text((Layout.folder / "romana4.toml").read_text("utf-8"), "utf-8")
    answers = [run("legal", given, stdin=START) for given in (START, str(file), "-", "romana4", str(layout))]
    assert set(answers) == {(0, "\n".join(map(str, Position.parse(START).actions())) + "\n", "")}


def test_show_prints_the_diagram_or_writes_a_picture(run: Run, tmp_path: Path) -> None:
    assert run("show", START) == (0, Position.parse(START).diagram() + "\n", "")
    target = tmp_path / "board.svg"
    code, out, _ = run("show", START, "--svg", str(target), "--theme", "dark", "--sight", "R1,R2", "--size", "700")
    assert (code, out) == (0, f"{target}\n")
    assert ET.parse(target).getroot().tag.endswith("svg")
    assert [file.name for file in tmp_path.iterdir()] == ["board.svg"]
    code, out, _ = run("show", START, "--svg", "-", "--flip")
    assert ET.fromstring(out).tag.endswith("svg")


def test_show_as_data(run: Run) -> None:
    data = json.loads(run("show", START, "--json")[1])
    assert data["position"] == START
    assert data["stock"] == {"c": 21, "s": 21, "b": 21, "d": 21}
    assert data["aqueducts"][0]["name"] == "R1"


def test_turns_and_their_count(run: Run) -> None:
    assert run("turns", "romana4", "--count")[1] == "8964\n"
    assert len(run("turns", "romana4", "--limit", "7")[1].splitlines()) == 7
    data = json.loads(run("turns", "romana4", "--limit", "2", "--json")[1])
    assert [Position.parse(START).play(turn).player for turn in data["turns"]] == [2, 2]


def test_play_plays_turns_in_order(run: Run) -> None:
    first = Position.parse(START).play("c7=L@Nc")
    assert run("play", START, "c7=L@Nc") == (0, f"{first}\n", "")
    reply = str(next(first.turns()))
    assert run("play", START, "c7=L@Nc", reply)[1] == f"{first.play(reply)}\n"


def test_perft_and_its_division(run: Run) -> None:
    assert run("perft", START, "4")[1] == "72886\n"
    assert run("perft", START, "0")[1] == "1\n"
    *rows, total = run("perft", START, "3", "--divide")[1].splitlines()
    assert total == "4261"
    assert sum(int(row.split(": ")[1]) for row in rows) == 4261
    assert {row.split(": ")[0] for row in rows} == set(map(str, Position.parse(START).actions()))
    data = json.loads(run("perft", START, "2", "--divide", "--json")[1])
    assert data["count"] == sum(data["divide"].values()) == 1556


COUNT_LONG = """
import sys
from aquakit.cli.main import run
from aquakit.compiled.runner import Runner
count, calls = Runner.count, []
def tell(*arguments):
    calls.append(arguments)
    print("counting", flush=True)
    return 5 if len(calls) == 1 else count(*arguments)  # the first action is counted at once, the second never
Runner.count = tell
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize("form", [[], ["--divide"], ["--divide", "--json"]], ids=" ".join)
def test_an_interrupt_ends_a_long_count_and_keeps_what_is_counted(form: list[str]) -> None:
    code, out, err = interrupt(COUNT_LONG, "perft", "romana4", "40", *form, said=2)
    assert (code, err) == (130, "aquakit: stopped\n")
    if "--json" in form:
        data = json.loads(out)
        assert (data["count"], list(data["divide"].values())) == (None, [5])
    else:
        assert out == (f"{Position.parse(START).actions()[0]}: 5\n" if form else "")


def test_perft_checks_a_file_of_known_counts(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "counts.txt"
    file.write_text(f"# known\n{START} ; D1 19 ; D2 1556\n", "utf-8")
    assert run("perft", "--check", str(file))[:2] == (0, "2 counts, 0 wrong\n")
    file.write_text(f"{START} ; D1 19 ; D2 1557\n", "utf-8")
    code, out, _ = run("perft", "--check", str(file))
    assert code == 1
    assert "D2 is 1556, not 1557" in out
    for bad in (f"{START} ; D1 x\n", f"{START} ; D² 19\n", f"{START}\n", "# nothing\n", "nonsense ; D1 3\n"):
        file.write_text(bad, "utf-8")
        code, _, err = run("perft", "--check", str(file))
        assert (code, str(file) in err) == (2, True)


@pytest.mark.parametrize("game", ["romana", "aquadukt"])
def test_perft_checks_the_known_counts_of_every_game(run: Run, game: str) -> None:
    code, out, _ = run("perft", "--check", str(Path(__file__).parent / game / "data" / "perft.txt"))
    assert (code, out.endswith(" counts, 0 wrong\n")) == (0, True)


def test_the_second_game_has_the_same_commands(run: Run) -> None:
    start = aquadukt.Position.start("aquadukt2")
    assert run("legal", "aquadukt2")[1].splitlines() == [str(action) for action in start.actions()]
    after = start.play("spring 4.3").play("canal 4.3h, stop")
    assert run("play", str(start), "spring 4.3", "canal 4.3h, stop") == (0, f"{after}\n", "")
    assert run("turns", str(after), "--count")[1] == f"{sum(1 for _ in after.turns())}\n"
    rolled = run("turns", str(after), "--dice", "5,6")[1].splitlines()
    assert rolled == [str(turn) for turn in after.turns(dice=(5, 6))]
    assert json.loads(run("show", str(after), "--json")[1])["canals_left"] == 35
    assert run("show", str(after))[1] == after.diagram() + "\n"
    assert ET.fromstring(run("show", str(after), "--svg", "-")[1]).tag.endswith("svg")
    assert "in 20 regions" in run("layout", "check", "aquadukt3")[1]
    code, _, err = run("show", str(after), "--svg", "-", "--sight", "R1")
    assert (code, "sight: is no option of this picture" in err) == (2, True)


def test_random_games_replay_and_repeat(run: Run) -> None:
    out = run("random", "romana2-5x4", "--seed", "7", "--games", "2")[1]
    assert out == run("random", "romana2-5x4", "--seed", "7", "--games", "2")[1]
    first, second = out.strip().split("\n\n")
    assert first != second
    *rows, last = [line.split("\t") for line in first.splitlines()]
    for (position, turn), (after, _) in zip(rows, [*rows[1:], last], strict=True):
        assert str(Position.parse(position).play(turn)) == after
    assert ",".join(map(str, Position.parse(last[0]).scores())) == last[1]
    assert Position.parse(run("random", "romana4", "--turns", "5")[1]).player == 2
    games = json.loads(run("random", "romana2-5x4", "--json", "--games", "2")[1])
    assert [game["scores"] for game in games] == [list(Position.parse(game["last"]).scores()) for game in games]
    assert len(run("random", "romana4", "--turns", "0")[1].splitlines()) == 1
    study = str(Position.start("romana2-5x4").solo(1))
    assert Position.parse(run("random", study, "--turns", "3")[1]).is_solo


def test_layouts_are_listed_and_checked(run: Run, tmp_path: Path) -> None:
    assert [line.split()[0] for line in run("layout", "list")[1].splitlines()] == layout_names()
    assert "11 by 8 squares, 4 players, 12 aqueducts" in run("layout", "check", "romana4")[1]
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 3", "utf-8")
    code, out, err = run("layout", "check", str(bad))
    assert (code, out) == (2, "")
    assert str(bad) in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("legal", "nonsense"),
        ("legal", "romana4 F.## 1 0"),
        ("legal", START.replace("21.21", "99.21")),
        ("show", START, "--svg", "-", "--theme", "pink"),
        ("show", START, "--svg", "-", "--sight", "Q9"),
        ("show", START, "--svg", "no/such/folder/board.svg"),
        ("play", START, "e5=F@Nd"),
        ("play", START, "rubbish"),
        ("perft", START, "-1"),
        ("perft", START, "many"),
        ("perft",),
        ("perft", "--check", "no-such-file"),
        ("turns", START, "--limit", "0"),
        ("turns", START, "--dice", "7"),
        ("turns", "aquadukt2", "--dice", "7,x"),
        ("turns", "aquadukt2", "--dice", "21"),
        ("random", START, "--games", "0"),
        ("random", START.replace(" 1 0", " 1! 0")),
        ("show", START, "--theme", "dark"),
        ("show", START, "--svg", "-", "--json"),
        ("show", START, "--svg", ""),
        ("legal", "x" * 5000),
        ("legal", "no\0such"),
        ("perft", START, "200000000"),
        ("perft", START, "--check", "x"),
        ("start", "romana4", "--events"),
        ("start", "aquadukt2", "--setup"),
        ("layout", "check", "no-such-layout"),
        ("layout",),
        ("no-such-command",),
        ("legal",),
        ("legal", START, "--no-such-option"),
    ],
)
def test_bad_input_gives_exit_code_2_and_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("aquakit: ")
    assert err.count("\n") == 1


def test_starts_are_printed_for_the_other_commands(run: Run) -> None:
    assert run("start", "romana3", "--setup")[1] == f"{Position.start('romana3', setup=True)}\n"
    start = aquadukt.Position.start("aquadukt2", seed=7, events=True)
    assert run("start", "aquadukt2", "--seed", "7", "--events")[1] == f"{start}\n"
    assert json.loads(run("layout", "list", "--json")[1])["romana4"] == Layout.load("romana4").title
    assert run("layout", "show", "romana4")[1] == (Layout.folder / "romana4.toml").read_text("utf-8")


def test_several_lines_are_not_one_position(run: Run, tmp_path: Path) -> None:
    code, _, err = run("legal", "-", stdin=f"{START}\n{START}\n")
    assert code == 2
    assert "one position on one line" in err


def test_help_without_arguments(run: Run) -> None:
    code, out, _ = run()
    assert code == 0
    assert "perft" in out


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m aquakit turns romana4 | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.stdout.count("\n"), done.stderr, done.returncode) == (1, "", 0)


def test_a_terminal_that_lacks_letters_still_shows_a_board() -> None:
    command, ascii_only = [sys.executable, "-m", "aquakit.cli", "show", "romana4"], {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ascii_only})
    assert (done.returncode, done.stderr) == (0, "")


# Records


def test_a_random_game_becomes_a_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    out = run("random", "romana2-5x4", "--seed", "7", "--record", str(file))[1]
    assert out == run("random", "romana2-5x4", "--seed", "7")[1]
    record = Record.load(file)
    *rows, last = [line.split("\t") for line in out.strip().splitlines()]
    assert [str(node.turn) for node in record.root.main()[1:]] == [turn for _, turn in rows]
    assert record.result == last[1].replace(",", " ")
    assert dict(record.headers) == {"event": "Random game", "seed": "7"}
    assert run("random", "aquadukt2", "--turns", "3", "--record", str(file), "--force")[0] == 0
    assert len(Record.load(file).root.main()) == 4


def test_a_record_is_written_over_only_by_force(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("mine", "utf-8")
    code, out, err = run("random", "romana2-5x4", "--record", str(file))
    assert (code, out) == (2, "")
    assert "is there already" in err
    assert file.read_text("utf-8") == "mine"
    for bad in (("--games", "2", "--force"), ("--turns", "no", "--force")):
        assert run("random", "romana2-5x4", "--record", str(file), *bad)[:2] == (2, "")
    assert run("random", "romana2-5x4", "--force")[:2] == (2, "")
    assert run("random", str(Position.start("romana2-5x4").act("b3=+@E4")), "--record", str(tmp_path / "x"))[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]
    assert file.read_text("utf-8") == "mine"


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    record = Record(Position.start("romana2-5x4"), {"event": "Club evening"})
    record.root.play("b3=+@E4 xR1 *j").comment = "<b>A comment</b>\nin two lines"
    record.root.play("b3=+@E4 x-").play("d2=7@Sd x-").comment = "deeper"
    record.save(tmp_path / "game.txt")
    return tmp_path / "game.txt"


def test_records_are_shown_with_comments_and_variations(run: Run, record_file: Path) -> None:
    code, out, _ = run("record", "show", str(record_file))
    assert (code, out) == (0, record_file.read_text("utf-8"))
    boards = run("record", "show", str(record_file), "--boards")[1]
    lines = {line.strip() for line in boards.splitlines()}
    assert {line.strip() for line in out.splitlines()} <= lines
    for node in Record.load(record_file).root.walk():
        assert {line.strip() for line in node.position.diagram().splitlines()} <= lines


def test_records_are_checked(run: Run, record_file: Path) -> None:
    code, out, err = run("record", "check", str(record_file), str(record_file))
    assert (code, err) == (0, "")
    assert out == f"{record_file}: 1 turns, 2 more in variations, result *\n" * 2


def test_every_problem_of_every_record_is_printed(run: Run, record_file: Path) -> None:
    bad = record_file.with_name("bad.txt")
    bad.write_text(record_file.read_text("utf-8").replace("event", "?").replace("*j", "*z"), "utf-8")
    missing = record_file.with_name("missing.txt")
    code, out, err = run("record", "check", str(bad), str(missing), str(record_file))
    assert (code, err) == (1, "")
    first, second, third, last = out.splitlines()
    assert first.startswith(f"{bad}, line 2: header: '?' is no name")
    assert second.startswith(f"{bad}, line 5: *z: cannot be read")
    assert third.startswith(f"{missing}: cannot be read")
    assert last.startswith(f"{record_file}: 1 turns")


def test_bad_records_are_not_shown(run: Run, record_file: Path) -> None:
    record_file.write_text("nonsense", "utf-8")
    for arguments in (("show", str(record_file)), ("show", "no-such-file"), ("check",), ()):
        code, out, err = run("record", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert "game.txt, line 1: " in run("record", "show", str(record_file))[2]


# Words


CODE = re.compile(r"[@=]|\bx-|\d\.\d+[hv]")
"""Notation, which words hold none of."""


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_turns_are_listed_in_words_each_of_its_own(run: Run, layout: str) -> None:
    position = aquakit.start(layout)
    code, out, _ = run("turns", str(position), "--words")
    assert code == 0
    assert out.splitlines() == [position.tell(turn, "full") for turn in position.turns()]
    assert len(set(out.splitlines())) == len(out.splitlines())
    assert not CODE.search(out)


def test_an_analysis_is_told_with_whose_turns_follow(run: Run) -> None:
    code, out, _ = run("analyse", "romana2-5x4", "--playouts", "2000", "--threads", "1", "--words")
    assert code == 0
    assert re.search(r"wins +\d+%  bridge on [bd]\d .*  then Green: \w+ ", out)
    assert not CODE.search(out)


def test_a_record_and_its_review_are_told(run: Run, tmp_path: Path) -> None:
    record = Record(aquakit.start("romana2-5x4"))
    record.root.play("b3=+@E4 xR1 *d").comment = "Too early."
    record.root.play("b3=L@Nb")
    file = tmp_path / "game.txt"
    record.save(file)
    told = "1. Red: bridge on b3 by the builder on E4, R1 closed, double curve builder taken"
    lines = run("record", "show", str(file), "--words")[1].splitlines()
    assert told in lines
    assert "; Too early." in lines
    assert "  1. Red: curve on b3 by the builder on Nb, nothing closed" in lines
    code, out, _ = run("review", str(file), "--playouts", "500", "--threads", "1", "--words")
    assert code == 0
    assert told.replace("1. Red: ", "1. ") in out
    assert not CODE.search(out.partition("\n")[0])


def test_a_plan_is_told(run: Run) -> None:
    code, out, _ = run("plan", "romana2-5x4", "--turns", "2", "--words")
    assert code == 0
    assert [line[:3] for line in out.splitlines()[1:]] == ["1. ", "2. "]
    assert not CODE.search(out)


def test_what_is_as_good_as_a_plan_is_told(run: Run) -> None:
    code, out, _ = run("plan", "romana2-5x4", "--turns", "1", "--alternatives", "--all", "9", "--words")
    assert code == 0
    told = out.partition("first builds as good:\n")[2].splitlines()
    assert told[:2] == ["  bridge on d4 by the builder on E4", "plans as good:"]
    assert len(set(told[2:])) == len(told[2:]) == 3
    assert not CODE.search(out)


def test_a_plan_shows_words_and_notation_beside_them() -> None:
    shown = aquakit.plan(aquakit.start("romana2-5x4"), turns=1)._repr_html_()
    assert "<td>bridge on d4 by the builder on E4, nothing closed</td>" in shown
    assert "<td>d4=+@E4 x-</td>" in shown


def test_a_schedule_is_told_in_sentences(run: Run) -> None:
    growth = [word for lengths in ("R1=3,4,4", "R2=1,1,5", "G1=2,4,4") for word in ("--growth", lengths)]
    code, out, _ = run("timing", "romana2-5x4", "--rounds", "3", *growth, "--rivals", "G1=2", "--words")
    _, first, second = out.splitlines()
    assert code == 0
    worth = "In all 8 if closed now, 9 after 1 round, 8 after 2 rounds, 8 if left open."
    assert first == f"Close R1 in round 2: length 4, podium 4. {worth}"
    assert second.startswith("Leave R2 open: length 5, podium 5. In all ")


def test_the_tiles_of_the_longest_aqueduct_are_told(run: Run) -> None:
    found = aquakit.longest(aquakit.start("romana2-5x4"), aqueduct="R1")
    told = found.in_words().splitlines()
    assert told[2] == f"{len(found.tiles)} tiles:"
    assert [line.split()[-1] for line in told[3:]] == [tile.partition("=")[0] for tile in found.tiles]
    code, out, _ = run("longest", "romana2-5x4", "--aqueduct", "R1", "--words")
    assert code == 0
    assert not CODE.search(out)


def test_canals_and_layouts_as_good_are_told(run: Run) -> None:
    start = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"])
    position = start.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    code, out, _ = run("canals", str(position), "--canals", "3", "--player", "2", "--all", "9", "--words")
    assert code == 0
    assert "  2. canal from 3.3 to 3.4   +3  waters B3 on c4" in out.splitlines()
    assert "  canal from 3.2 to 2.2, second canal from 3.2 to 2.2" in out.splitlines()
    assert not CODE.search(out)


def test_new_springs_are_told_before_their_canals() -> None:
    position = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]).play("roll, die 2, 3 c4, stop")
    spring, *canals = aquakit.plan_canals(position, canals=2, springs=1, player=1).tell()
    assert spring.startswith("spring on ")
    assert canals[0].startswith(f"canal from {spring.removeprefix('spring on ')} to ")


def test_lines_of_all_puzzles_are_told(run: Run) -> None:
    for puzzle in {puzzle.kind: puzzle for made in all_puzzles() for puzzle in made.puzzles}.values():
        code, out, _ = run("puzzle", "show", puzzle.id, "--answer", "--words")
        answer = out[out.index("\nvalue ") :]
        assert code == 0
        accepted = next(line for line in answer.splitlines() if line.startswith("accepted: "))
        assert not CODE.search(answer.replace(accepted, ""))
        assert re.match(r"accepted: [^;]+ \(", accepted), "the words, and what can be typed"


def test_a_refutation_is_told(run: Run) -> None:
    found = [puzzle for made in all_puzzles() for puzzle in made.puzzles if puzzle.kind == "endgame"]
    puzzle = min(found, key=lambda puzzle: sum(1 for _ in puzzle.start.turns()))
    for turn in puzzle.start.turns():
        code, out, _ = run("puzzle", "solve", puzzle.id, str(turn), "--words")
        if "The best line" in out:
            break
    assert code == 1
    assert not CODE.search(out.partition("The best line")[2])


def test_what_can_follow_canals_of_several_turns_is_told(run: Run) -> None:
    puzzle = next(p for made in all_puzzles() for p in made.puzzles if p.kind == "canals" and p.horizon == 4)
    for seed in range(20):
        draw, moment, canals = random.Random(seed), puzzle.start, []
        for _ in range(3):
            canals.append(draw.choice([action for action in moment.actions() if action.what == "canal"]))
            moment = moment.act(canals[-1])
        code, out, _ = run("puzzle", "solve", puzzle.id, ", ".join(map(str, canals)), "--words")
        if "The best line after it" in out:
            break
    assert code == 1
    assert re.search(r"The best line after it: (second )?canal from \d", out)
    assert not CODE.search(out)


@pytest.mark.parametrize(
    "command",
    [
        ("turns", "romana4"),
        ("plan", "romana4", "--turns", "1"),
        ("analyse", "romana4"),
        ("timing", "romana4"),
        ("longest", "romana4"),
        ("canals", "aquadukt2", "--canals", "1"),
    ],
)
def test_data_hold_notation(run: Run, command: tuple[str, ...]) -> None:
    code, _, err = run(*command, "--words", "--json")
    assert code == 2
    assert "words: together with --json; expected one of them" in err
