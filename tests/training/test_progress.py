"""What a person solved is never lost: not by two notebooks at once, not by a crash, not by a damaged file."""

from __future__ import annotations

import csv
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
import platformdirs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aquakit.errors import InvalidOption
from aquakit.keeping.sqlite_file import migrate
from aquakit.puzzle.model import Puzzle
from aquakit.training.attempt import stamp
from aquakit.training.progress import Progress
from aquakit.training.progress_file import MARK, STEPS, InvalidProgress, ProgressFile, find_file
from aquakit.training.rating import START

mpl.use("Agg")

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
POSITION = "romana2-5x4 F##.7/...../...../L.##J .c.s./b.d./.c.s./b.d. dj -,- *.*,*.* 4.4.3.3 1 0"
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from aquakit.puzzle.model import Puzzle
from aquakit.training.progress import Progress

path, position, name, threads, many = sys.argv[1:]
puzzle = Puzzle.draft("plan", position, 2)
print("ready", flush=True)
sys.stdin.readline()

def write(thread):
    progress = Progress(path, "Ada")
    for number in range(int(many)):
        text = f"{name} {thread} {number}"
        progress.record(puzzle, text, "right")
        sys.stdout.write(text + "\\n")  # told only when it was kept
        sys.stdout.flush()

with ThreadPoolExecutor() as pool:
    list(pool.map(write, range(int(threads))))
"""


def puzzle(name: str = "first-steps-01", difficulty: int = 1, **changed: Any) -> Puzzle:
    return Puzzle.draft("plan", POSITION, 2).model_copy(update={"id": name, "difficulty": difficulty} | changed)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "progress.sqlite"


@pytest.fixture
def progress(path: Path) -> Progress:
    return Progress(path)


def start_writer(path: Path, name: str, *, threads: int, many: int) -> subprocess.Popen[str]:
    """Starts a process that is ready to write and waits for a line."""
    command = [sys.executable, "-c", WRITER, str(path), POSITION, name, str(threads), str(many)]
    writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert writer.stdout.readline() == "ready\n"
    return writer


class TestWhere:
    def test_in_the_folder_that_the_environment_names(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "new" / "folder"))
        assert Progress().path == tmp_path / "new" / "folder" / "progress.sqlite"
        assert Progress().path.exists()

    def test_otherwise_in_the_user_s_data_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for nothing in (None, ""):
            if nothing is None:
                monkeypatch.delenv("AQUAKIT_DATA", raising=False)
            else:
                monkeypatch.setenv("AQUAKIT_DATA", nothing)
            assert find_file() == Path(platformdirs.user_data_dir("aquakit", appauthor=False)) / "progress.sqlite"

    def test_or_where_one_says(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "elsewhere"))
        assert Progress(tmp_path / "mine.sqlite").path == tmp_path / "mine.sqlite"
        assert not (tmp_path / "elsewhere").exists()


class TestAttempts:
    @settings(max_examples=40)
    @given(
        st.text(max_size=50),
        st.sampled_from(["right", "equal", "wrong"]),
        st.one_of(st.integers(0, 10**6), st.fractions(0, 100)),
        st.integers(0, 3),
        st.floats(0, 1e6),
        st.booleans(),
        st.datetimes(timezones=st.timezones(), min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1)),
    )
    def test_come_back_as_they_were_written(
        self, text: str, verdict: Any, loss: Any, hints: int, seconds: float, shown: bool, now: datetime
    ) -> None:
        with TemporaryDirectory() as folder:
            Progress(Path(folder) / "p.sqlite").record(
                puzzle(), text, verdict, loss=loss, hints=hints, seconds=seconds, shown=shown, now=now
            )
            (kept,) = Progress(Path(folder) / "p.sqlite").attempts()
        assert (kept.answer, kept.outcome, kept.loss, kept.hints) == (text, verdict, loss, hints)
        # An hour that clocks leave out in spring equals none elsewhere, so times are compared in one zone.
        assert (kept.seconds, kept.shown, kept.at) == (seconds, shown, now.astimezone(UTC))
        assert kept.at.utcoffset() == timedelta(0)
        assert (kept.task, kept.difficulty) == ("first-steps-01", 1)

    def test_are_dated_now_if_nothing_is_said(self, progress: Progress) -> None:
        before = datetime.now(UTC)
        progress.record(puzzle(), "b3=|@Sb", "right")
        assert before <= progress.attempts()[0].at <= datetime.now(UTC)

    def test_of_two_people_stay_apart(self, path: Path) -> None:
        ada, bo = Progress(path, "Ada"), Progress(path, "Bo")
        ada.record(puzzle(), "b3=|@Sb", "wrong")
        assert (len(ada.attempts()), len(bo.attempts())) == (1, 0)
        assert (ada.standing(puzzle()).state, bo.standing(puzzle()).state) == ("missed", "new")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"verdict": "good"},
            {"attempt": None},
            {"attempt": "\ud800"},
            {"loss": -1},
            {"loss": 0.5},
            {"loss": True},
            {"hints": -1},
            {"hints": 1.5},
            {"seconds": -1},
            {"seconds": float("nan")},
            {"seconds": float("inf")},
            {"now": datetime(2026, 5, 1)},
            {"now": "today"},
        ],
    )
    def test_that_cannot_be_are_refused_by_name(self, progress: Progress, wrong: dict[str, Any]) -> None:
        values = {"attempt": "b3=|@Sb", "verdict": "wrong"} | wrong
        with pytest.raises(InvalidOption) as refused:
            progress.record(puzzle(), **values)
        assert refused.value.where in wrong
        assert progress.attempts() == []

    @pytest.mark.parametrize("person", ["", "  ", "a\nb", "x" * 101, None])
    def test_belong_to_a_person_with_a_name(self, path: Path, person: Any) -> None:
        with pytest.raises(InvalidOption, match="person"):
            Progress(path, person)


class TestStandings:
    def test_say_what_to_do_with_each_puzzle(self, progress: Progress) -> None:
        a, b, c, d = (puzzle(name) for name in "abcd")
        assert progress.record(a, "b3=|@Sb", "wrong", loss=2, now=NOON).state == "missed"
        assert progress.record(b, "b3=|@Sb", "right", hints=1, now=NOON).state == "learning"
        assert progress.record(c, "b3=|@Sb", "equal", now=NOON).state == "known"
        states = {name: standing.state for name, standing in progress.standings([a, b, c, d]).items()}
        assert states == {"a": "missed", "b": "learning", "c": "known", "d": "new"}
        assert [progress.standing(one).state for one in (a, b, c, d)] == list(states.values())

    def test_an_edited_puzzle_is_new(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right")
        for changed in ({"horizon": 3}, {"value": 8}, {"kind": "duel"}, {"given": {"player": 2}}, {"id": "other"}):
            assert progress.standing(puzzle().model_copy(update=changed)).state == "new", changed
        moved = POSITION.replace("1 0", "2 0")
        assert progress.standing(puzzle(position=moved)).state == "new"

    def test_one_with_another_title_is_not(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right")
        for changed in ({"title": "A wall"}, {"hints": ("x", "y")}, {"themes": ("fountain",)}, {"difficulty": 4}):
            assert progress.standing(puzzle().model_copy(update=changed)).state == "known", changed

    def test_what_is_given_may_be_written_in_any_order(self) -> None:
        one, other = puzzle(given={"a": 1, "b": [2]}), puzzle(given={"b": [2], "a": 1})
        assert stamp(one) == stamp(other)
        assert stamp(one) != stamp(puzzle(given={"a": 1, "b": [3]}))

    def test_what_is_due_comes_first_then_new_ones_near_the_rating(self, progress: Progress) -> None:
        easy, hard, middle, missed, solved = (
            puzzle(name, d) for name, d in [("easy", 1), ("hard", 5), ("middle", 3), ("missed", 2), ("solved", 1)]
        )
        progress.record(missed, "b3=|@Sb", "wrong", now=NOON)
        progress.record(solved, "b3=|@Sb", "right", now=NOON)
        puzzles = [easy, hard, middle, missed, solved]
        assert [one.id for one in progress.due(puzzles, NOON)] == ["easy", "middle", "hard"]
        assert [one.id for one in progress.due(puzzles, NOON + DAY)] == ["missed", "easy", "middle", "hard"]

    def test_a_strong_solver_gets_hard_ones(self, progress: Progress) -> None:
        for number in range(20):
            progress.record(puzzle(f"p-{number}", 5), "b3=|@Sb", "right", now=NOON)
        new = [puzzle("easy", 1), puzzle("hard", 5)]
        assert [one.id for one in progress.due(new, NOON)] == ["hard", "easy"]


class TestRating:
    def test_begins_unsure_and_follows_first_tries(self, progress: Progress) -> None:
        assert progress.rating() == START
        progress.record(puzzle("a", 2), "b3=|@Sb", "right", now=NOON)
        up = progress.rating(NOON)
        assert up.value > START.value
        progress.record(puzzle("b", 2), "b3=|@Sb", "wrong", now=NOON)
        down = progress.rating(NOON)
        assert down.value < up.value
        progress.record(puzzle("b", 2), "b3=|@Sb", "right", now=NOON)
        assert progress.rating(NOON) == down

    def test_gets_less_sure_with_time(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right", now=NOON)
        assert progress.rating(NOON).deviation < progress.rating(NOON + 30 * DAY).deviation

    def test_has_a_table_of_what_counted(self, progress: Progress) -> None:
        assert list(progress.rating_frame().columns) == [
            *("at", "puzzle", "difficulty", "solved", "weight", "rating", "deviation", "volatility")
        ]
        assert progress.rating_frame().dtypes["rating"] == "float64"
        progress.record(puzzle("a", 3), "b3=|@Sb", "right", hints=1, now=NOON)
        progress.record(puzzle("a", 3), "b3=|@Sb", "right", now=NOON)
        frame = progress.rating_frame()
        assert frame[["puzzle", "difficulty", "solved", "weight"]].to_numpy().tolist() == [["a", 3, True, 0.5]]
        assert frame["rating"].iloc[-1] == progress.rating(NOON).value

    def test_is_drawn(self, progress: Progress) -> None:
        progress.record(puzzle("a", 3), "b3=|@Sb", "right", now=NOON)
        ax = progress.plot_rating()
        assert ax.get_title() == f"{progress.rating(NOON)} after 1 puzzle"
        plt.close(ax.figure)


class TestFrame:
    def test_has_a_row_for_each_attempt(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "wrong", loss=Fraction(7, 20), hints=2, seconds=12.5, now=NOON)
        (row,) = progress.frame().to_dict("records")
        assert row == {
            "at": pd.Timestamp(NOON),
            "puzzle": "first-steps-01",
            "fingerprint": stamp(puzzle()),
            "difficulty": 1,
            "attempt": "b3=|@Sb",
            "verdict": "wrong",
            "loss": 0.35,
            "hints": 2,
            "seconds": 12.5,
            "shown": False,
        }

    def test_has_the_same_columns_and_types_without_any(self, progress: Progress) -> None:
        empty = progress.frame()
        progress.record(puzzle(), "b3=|@Sb", "right")
        full = progress.frame()
        numbers = ["at", "difficulty", "loss", "hints", "seconds", "shown"]
        assert list(empty.columns) == list(full.columns)
        assert list(empty.dtypes[numbers]) == list(full.dtypes[numbers])


class TestCsv:
    def test_has_all_attempts_of_the_person(self, progress: Progress, tmp_path: Path) -> None:
        progress.record(puzzle(), 'b3=|@Sb, "x-"\nnext', "wrong", loss=Fraction(7, 20), now=NOON)
        Progress(progress.path, "Bo").record(puzzle(), "b3=|@Sb", "right")
        progress.export_csv(tmp_path / "progress.csv")
        (row,) = csv.DictReader((tmp_path / "progress.csv").open(encoding="utf-8", newline=""))
        assert row["attempt"] == 'b3=|@Sb, "x-"\nnext'
        assert (row["person"], row["loss"], row["at"]) == ("me", "0.35", "2026-05-01T12:00:00.000000+00:00")
        assert len(pd.read_csv(tmp_path / "progress.csv")) == 1

    @pytest.mark.parametrize(
        ("text", "cell"),
        [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\t'=1"),
            (" \r=1", " \r'=1"),
            ("\ufeff=1", "\ufeff'=1"),
            ("\uff1d1", "'\uff1d1"),
            ("x;=1", "x;'=1"),
            ("x,\n@1", "x,\n'@1"),
            ("b3=|@Sb x- *j", "b3=|@Sb x- *j"),
            ("canal 4.3h, canal 4.3v", "canal 4.3h, canal 4.3v"),
        ],
    )
    def test_holds_no_formulas(self, progress: Progress, tmp_path: Path, text: str, cell: str) -> None:
        progress.record(puzzle(), text, "right")
        progress.export_csv(tmp_path / "progress.csv")
        (row,) = csv.DictReader((tmp_path / "progress.csv").open(encoding="utf-8", newline=""))
        assert row["attempt"] == cell

    def test_guards_names_too(self, path: Path, tmp_path: Path) -> None:
        person = Progress(path, "=cmd()")
        person.record(puzzle(), "b3=|@Sb", "right")
        person.export_csv(tmp_path / "progress.csv")
        assert pd.read_csv(tmp_path / "progress.csv")["person"].tolist() == ["'=cmd()"]

    def test_says_if_it_cannot_be_written_and_leaves_nothing(self, progress: Progress, tmp_path: Path) -> None:
        with pytest.raises(InvalidOption, match="nowhere"):
            progress.export_csv(tmp_path / "nowhere" / "progress.csv")
        (tmp_path / "folder").mkdir()
        with pytest.raises(InvalidOption, match="folder"):
            progress.export_csv(tmp_path / "folder")
        assert sorted(path.name for path in tmp_path.iterdir() if "csv" in path.name) == []


class TestReset:
    def test_forgets_one_person_who_has_to_be_named(self, path: Path) -> None:
        ada, bo = Progress(path, "Ada"), Progress(path, "Bo")
        for person in (ada, ada, bo):
            person.record(puzzle(), "b3=|@Sb", "right")
        for wrong in ("Bo", "ada", "", None):
            with pytest.raises(InvalidOption, match="Ada"):
                ada.reset(wrong)
        assert len(ada.attempts()) == 2
        assert ada.reset("Ada") == 2
        assert (ada.attempts(), len(bo.attempts()), ada.rating()) == ([], 1, START)


class TestAtOnce:
    def test_two_notebooks_with_several_threads_lose_nothing(self, path: Path) -> None:
        writers = [start_writer(path, name, threads=3, many=40) for name in ("left", "right")]
        for writer in writers:  # both make the file at this moment
            writer.stdin.write("go\n")
            writer.stdin.flush()
        told = [writer.communicate(timeout=300)[0].splitlines() for writer in writers]
        assert [writer.returncode for writer in writers] == [0, 0]
        kept = [attempt.answer for attempt in Progress(path, "Ada").attempts()]
        assert sorted(kept) == sorted(told[0] + told[1])
        assert len(set(kept)) == 2 * 3 * 40

    def test_threads_may_share_one_object(self, progress: Progress) -> None:
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda n: progress.record(puzzle(f"p-{n}"), str(n), "right"), range(60)))
        assert {standing.state for standing in made} == {"known"}
        assert {attempt.answer for attempt in progress.attempts()} == set(map(str, range(60)))

    def test_one_notebook_sees_at_once_what_another_wrote(self, path: Path) -> None:
        left, right = Progress(path), Progress(path)
        left.record(puzzle(), "b3=|@Sb", "right")
        assert right.standing(puzzle()).state == "known"

    def test_reading_does_not_wait_for_a_writer(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right")
        with closing(sqlite3.connect(progress.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert len(progress.attempts()) == 1

    def test_says_if_another_program_does_not_stop_writing(
        self, progress: Progress, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ProgressFile, "patience", 0.1)
        with closing(sqlite3.connect(progress.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(InvalidProgress, match="another program"):
                progress.record(puzzle(), "b3=|@Sb", "right")
        progress.record(puzzle(), "b3=|@Sb", "right")
        assert len(progress.attempts()) == 1


class TestCrash:
    @pytest.mark.parametrize("seed", range(3))
    def test_a_killed_notebook_loses_no_finished_attempt(self, path: Path, seed: int) -> None:
        writer = start_writer(path, "crash", threads=2, many=10**6)
        writer.stdin.write("go\n")
        writer.stdin.flush()
        told = [writer.stdout.readline() for _ in range(15)]
        time.sleep(random.Random(seed).uniform(0, 0.05))
        os.kill(writer.pid, signal.SIGKILL)
        told += writer.stdout.readlines()  # communicate would leave out what readline has read ahead
        assert writer.wait(timeout=60) == -signal.SIGKILL
        finished = {line.rstrip("\n") for line in told if line.endswith("\n")}
        after = Progress(path, "Ada")
        kept = {attempt.answer for attempt in after.attempts()}
        # An attempt may be kept whose writer died before it could tell, one for each thread.
        assert finished <= kept
        assert len(kept - finished) <= 2
        after.record(puzzle(), "goes on", "right")
        assert len(after.attempts()) == len(kept) + 1

    def test_a_file_whose_making_was_interrupted_is_made_whole(self, path: Path) -> None:
        path.touch()
        Progress(path).record(puzzle(), "b3=|@Sb", "right")
        assert len(Progress(path).attempts()) == 1


class TestBadFiles:
    """A file that cannot be used is named, left as it was, and the message says what to do."""

    def refuse(self, path: Path, *words: str) -> None:
        before = path.read_bytes()
        with pytest.raises(InvalidProgress) as refused:
            Progress(path)
        assert path.read_bytes() == before
        assert refused.value.where == str(path)
        for word in (str(path), *words):
            assert word in str(refused.value)

    def filled(self, path: Path) -> Progress:
        progress = Progress(path)
        with closing(sqlite3.connect(path)) as connection, connection:
            names = "person, puzzle, fingerprint, difficulty, at, attempt, verdict, loss, hints, seconds, shown"
            row = ("me", "p", "f", 1, "2026-05-01T12:00:00.000000+00:00", "x" * 100, "right", "0", 0, 1.0, 0)
            connection.executemany(f"INSERT INTO attempt ({names}) VALUES ({', '.join('?' * 11)})", [row] * 500)
        return progress

    def test_a_file_that_is_no_database(self, path: Path) -> None:
        path.write_text("Dear diary, " * 1000)
        self.refuse(path, "is no progress file", "AQUAKIT_DATA", "not changed")

    def test_a_database_of_another_program(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE bookmark (address TEXT)")
        self.refuse(path, "another program", "AQUAKIT_DATA", "not changed")

    def test_a_database_that_another_program_marked(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA application_id = 7")
        self.refuse(path, "another program")

    def test_a_file_with_garbage_in_the_middle(self, path: Path) -> None:
        self.filled(path)
        data = bytearray(path.read_bytes())
        data[8192 : len(data) - 4096] = random.Random(1).randbytes(len(data) - 12288)
        path.write_bytes(data)
        self.refuse(path, "is damaged", "move this one away", "not changed")

    def test_a_file_that_was_cut_off(self, path: Path) -> None:
        self.filled(path)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        self.refuse(path, "is damaged", "move this one away")

    def test_damage_that_comes_while_a_notebook_is_open(self, path: Path) -> None:
        progress = self.filled(path)
        path.write_bytes(path.read_bytes()[:8192] + bytes(path.stat().st_size - 8192))
        before = path.read_bytes()
        with pytest.raises(InvalidProgress, match="damaged"):
            progress.attempts()
        assert path.read_bytes() == before

    def test_a_file_of_a_newer_kit(self, path: Path) -> None:
        Progress(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
        self.refuse(path, "newer aquakit", "update")

    def test_an_attempt_that_makes_no_sense(self, path: Path) -> None:
        progress = self.filled(path)
        for column, nonsense in (("at", "yesterday"), ("loss", "much"), ("loss", "1/0")):
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute(f"UPDATE attempt SET {column} = ? WHERE number = 3", (nonsense,))
            with pytest.raises(InvalidProgress, match="attempt 3 cannot be read"):
                progress.attempts()

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidProgress, match="cannot be opened"):
            Progress(tmp_path)

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(InvalidProgress, match="folder cannot be made"):
            Progress(tmp_path / "file" / "progress.sqlite")


class TestVersions:
    """Files of every older version are brought to the newest, with all that stands in them."""

    STEPS = (*STEPS, ("ALTER TABLE attempt ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",))

    def test_a_file_says_its_version_and_whose_it_is(self, progress: Progress) -> None:
        with closing(sqlite3.connect(progress.path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
            assert connection.execute("PRAGMA application_id").fetchone() == (MARK,)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_a_further_step_keeps_all_attempts(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right", now=NOON)
        with closing(sqlite3.connect(progress.path, isolation_level=None)) as connection:
            migrate(connection, MARK, self.STEPS)
            migrate(connection, MARK, self.STEPS)  # a second notebook comes too late, and nothing happens twice
            assert connection.execute("SELECT puzzle, mood FROM attempt").fetchall() == [("first-steps-01", "calm")]
            assert connection.execute("PRAGMA user_version").fetchone() == (len(self.STEPS),)

    def test_a_step_that_fails_changes_nothing(self, progress: Progress) -> None:
        progress.record(puzzle(), "b3=|@Sb", "right")
        steps = (*self.STEPS, ("DROP TABLE attempt", "SELECT nonsense"))
        connection = sqlite3.connect(progress.path, isolation_level=None)
        with closing(connection), pytest.raises(sqlite3.OperationalError, match="nonsense"):
            migrate(connection, MARK, steps)
        assert len(progress.attempts()) == 1

    def test_times_of_other_zones_are_kept_as_the_same_moment(self, progress: Progress) -> None:
        there = datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))
        progress.record(puzzle(), "b3=|@Sb", "right", now=there)
        assert progress.attempts()[0].at == NOON
