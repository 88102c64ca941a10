"""The cache of compiled code never stands in the way: where it cannot be written, is damaged, shared, or in use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import aquakit

pytest.importorskip("numba")

PACKAGE = Path(aquakit.__file__).parent
STEPS = """
from aquakit.compiled.jit import kernel


@kernel
def step(n: int) -> int:
    return n + 1


@kernel
def step_twice(n: int) -> int:
    return step(step(n))
"""
USE = """
import steps
from aquakit.compiled.jit import load

fast = load(steps, fast=True)
answer = fast.step_twice(5)
stats = fast.step_twice.stats
print(answer, "compiled" if sum(stats.cache_misses.values()) else "read", flush=True)
"""
HOLD = """
import sys
from aquakit.compiled.cache import Home

write = Home.write


def write_when_told(home, file, data):
    print("compiled, not yet written", flush=True)
    sys.stdin.readline()
    write(home, file, data)


Home.write = write_when_told
"""
"""Takes long to compile, as it were: what it has compiled is written when a line comes in."""
WAIT = """
from aquakit.compiled import cache

lock = cache._lock


def lock_or_say(file):
    locked = lock(file)
    if not locked:
        print("waits", flush=True)
    return locked


cache._lock = lock_or_say
"""
"""Says that it waits."""


@pytest.fixture(autouse=True)
def source(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(STEPS)


def start(folder: Path, code: str, *, package: Path = PACKAGE, cache: Path | None = None) -> subprocess.Popen[str]:
    """Starts code in a process that finds its sources in a folder, and keeps there what it compiles."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache or folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(package.parent), *sys.path])
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", dedent(code)], env=environment, cwd=folder, text=True, **pipes)


def run(folder: Path, code: str = USE, **places: Path) -> tuple[str, str]:
    """Runs code to its end; gets what it says, and what it complains of."""
    process = start(folder, code, **places)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.strip(), err


def files(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("steps__compiled/*/*.nbc"))


def test_what_was_compiled_is_read(tmp_path: Path) -> None:
    assert run(tmp_path) == ("7 compiled", "")
    assert [path.name.partition(".")[0] for path in files(tmp_path)] == ["step", "step_twice"]
    assert run(tmp_path) == ("7 read", "")


@pytest.mark.parametrize("below", [".", "a folder/in it"])
def test_where_nothing_can_be_kept_it_is_compiled_and_that_is_said_once(tmp_path: Path, below: str) -> None:
    place = tmp_path / "no folder" / below
    (tmp_path / "no folder").write_text("a file")
    for _ in range(2):
        out, err = run(tmp_path, cache=place)
        assert out == "7 compiled"
        assert err.startswith(f"aquakit: compiled code cannot be kept in {place} (")
        assert err.endswith("NUMBA_CACHE_DIR can name another folder\n")
        assert err.count("\n") == 1


@pytest.mark.parametrize("rest", [b"", b"no code", None])
def test_damaged_files_are_compiled_again_and_replaced(tmp_path: Path, rest: bytes | None) -> None:
    run(tmp_path)
    for path in files(tmp_path):
        path.write_bytes(path.read_bytes()[:-100] if rest is None else rest)
    assert run(tmp_path) == ("7 compiled", "")
    assert run(tmp_path) == ("7 read", "")


def test_numbas_own_settings_for_its_cache_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_LOCATOR_CLASSES", "ZipCacheLocator")  # which serves no ordinary file
    assert run(tmp_path) == ("7 compiled", "")


# The shared place


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An installation of its own."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "lib" / "aquakit", ignore=shutil.ignore_patterns("__pycache__")))


SHARE = "from aquakit.compiled import cache\ncache.share()\n"


def test_what_is_shared_is_read_by_those_who_can_write_nowhere(tmp_path: Path, package: Path) -> None:
    (tmp_path / "no folder").write_text("a file")
    assert run(tmp_path, USE, package=package)[0] == "7 compiled"  # the administrator's own cache is no help to others
    assert run(tmp_path, SHARE + USE, package=package) == ("7 compiled", "")
    assert len([*(package / "compiled" / "shared").glob("steps__compiled/*/*.nbc")]) == 2
    assert run(tmp_path, USE, package=package, cache=tmp_path / "no folder") == ("7 read", "")


def test_the_shared_place_is_read_and_left_as_it_is(tmp_path: Path, package: Path) -> None:
    run(tmp_path, SHARE + USE, package=package)
    before = {path: path.stat().st_mtime_ns for path in package.rglob("*")}
    assert run(tmp_path, USE, package=package) == ("7 read", "")
    assert files(tmp_path) == []
    other = USE.replace("step_twice(5)", "step_twice(5.5)")
    assert run(tmp_path, other, package=package) == ("7.5 compiled", "")  # another signature, which was not shared
    assert [path.name.partition(".")[0] for path in files(tmp_path)] == ["step", "step_twice"]
    assert {path: path.stat().st_mtime_ns for path in package.rglob("*")} == before


def test_who_may_not_write_to_the_installation_cannot_share(tmp_path: Path, package: Path) -> None:
    (package / "compiled" / "shared").write_text("a file, and no folder")
    code = """
        from aquakit.cli import main
        raise SystemExit(main.run(["warm", "--shared"]) - 2)
    """
    out, err = run(tmp_path, code, package=package)
    assert out == ""
    assert err.startswith(f"aquakit: shared: {package}")
    assert "cannot be written" in err
    assert err.count("\n") == 1


# Several processes


def test_of_processes_that_start_together_one_compiles(tmp_path: Path) -> None:
    processes = [start(tmp_path, USE) for _ in range(3)]
    said = [process.communicate() for process in processes]
    assert sorted(said) == [("7 compiled\n", ""), ("7 read\n", ""), ("7 read\n", "")]


def test_who_comes_second_waits_and_reads(tmp_path: Path) -> None:
    first = start(tmp_path, HOLD + USE)
    assert first.stdout.readline() == "compiled, not yet written\n"
    second = start(tmp_path, WAIT + USE)
    assert second.stdout.readline() == "waits\n"
    assert first.communicate("\n\n")[0].endswith("7 compiled\n")
    assert second.communicate()[0].endswith("7 read\n")


def test_who_is_killed_blocks_nobody(tmp_path: Path) -> None:
    first = start(tmp_path, HOLD + USE)
    assert first.stdout.readline() == "compiled, not yet written\n"
    second = start(tmp_path, WAIT + USE)
    assert second.stdout.readline() == "waits\n"
    first.kill()
    first.communicate()
    assert second.communicate()[0].endswith("7 compiled\n")


def test_who_holds_on_too_long_is_waited_for_no_longer(tmp_path: Path) -> None:
    first = start(tmp_path, HOLD + USE)
    assert first.stdout.readline() == "compiled, not yet written\n"
    second = start(tmp_path, WAIT + "cache.PATIENCE = 0.2\n" + USE)
    assert second.communicate()[0].endswith("7 compiled\n")
    assert first.communicate("\n\n")[0].endswith("7 compiled\n")


FIELDS = """
from aquakit.compiled.jit import kernel


@kernel
def read(rows) -> int:
    n = 0
{steps}
    return n


@kernel
def read_on(rows) -> int:
    return read(rows) + 1
""".format(steps="    n = (n ^ rows[0].wanted) * 3 & 1023\n" * 200)
"""Too long to be put in the place of its call."""
READ = """
import sys
import numpy as np
import fields
from aquakit.compiled.jit import load

for kinds in sys.argv[1:]:
    rows = np.zeros(1, [(name, kind) for name, kind in zip(("other", "wanted"), kinds.split(","))])
    rows["wanted"], rows["other"] = 5, 1
    print(load(fields, fast=True).read_on(rows) == fields.read_on(rows.view(np.recarray)), end=" ")
"""


def test_what_two_processes_keep_for_two_kinds_of_records_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "fields.py").write_text(FIELDS)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE.parent}"}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")

    def read(*kinds: str) -> str:
        command = [sys.executable, "-c", READ, *kinds]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert read("i8,i4") == "True "
    assert read("i2,i8") == "True "
    assert read("i8,i4", "i2,i8") == "True True "
    assert read("i2,i8", "i8,i4") == "True True "
