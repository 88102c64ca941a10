"""One source, two speeds: twins of sources that import each other, and the cache that follows their changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("numba")

RULES = """
from aquakit.compiled.jit import kernel

STEP = {step}


@kernel
def advance(n: int) -> int:
    return n + STEP * {factor}
"""
SEARCH = """
from aquakit.compiled.jit import kernel
from rules import advance


@kernel
def advance_twice(n: int) -> int:
    return advance(advance(n))
"""
GENERIC = """
from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import halt


@kernel
def ask(t: int, s: int) -> None:
    return halt(t, s, 1)
"""
GAME = """
from aquakit.compiled.jit import kernel


@kernel
def halt(t: int, s: int, last: int) -> int:
    return 100 * t + 10 * s + last
"""


def run(folder: Path, code: str) -> str:
    """Runs code in a process that finds its sources, and keeps what it compiles, in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def write(folder: Path, *, step: int = 1, factor: int = 1) -> None:
    (folder / "rules.py").write_text(RULES.format(step=step, factor=factor))
    (folder / "search.py").write_text(SEARCH)


def kept(folder: Path) -> set[tuple[Path, int]]:
    """Lists the code that is kept of the function which calls another source's, and when it was written."""
    return {(path, path.stat().st_mtime_ns) for path in folder.glob("cache/search__compiled/*/*.nbc")}


TWICE = """
    import search
    from aquakit.compiled.jit import load
    print(load(search, fast=True).advance_twice(5), search.advance_twice(5))
"""


def test_a_twin_calls_the_twins_of_what_its_source_has_imported(tmp_path: Path) -> None:
    write(tmp_path)
    code = """
        import rules, search
        from aquakit.compiled.jit import load
        fast = load(search, fast=True)
        assert fast.advance is load(rules, fast=True).advance
        assert search.advance is rules.advance and load(search, fast=False) is search
        print(type(fast.advance_twice).__name__, fast.advance_twice(5))
    """
    assert run(tmp_path, code) == "CPUDispatcher 7"


def test_a_change_in_an_imported_source_is_noticed(tmp_path: Path) -> None:
    write(tmp_path)
    assert run(tmp_path, TWICE) == "7 7"
    first = kept(tmp_path)
    assert run(tmp_path, TWICE) == "7 7"
    assert kept(tmp_path) == first  # read, not compiled again
    write(tmp_path, factor=10)
    assert run(tmp_path, TWICE) == "25 25"
    assert kept(tmp_path) > first
    write(tmp_path, factor=10, step=2)
    assert run(tmp_path, TWICE) == "45 45"
    write(tmp_path)
    before = kept(tmp_path)
    assert run(tmp_path, TWICE) == "7 7"
    assert kept(tmp_path) == before  # what was compiled first is still there


def test_what_is_inlined_does_the_same_and_is_kept_apart(tmp_path: Path) -> None:
    write(tmp_path)
    assert run(tmp_path, TWICE) == "7 7"
    before = kept(tmp_path)
    rules = tmp_path / "rules.py"
    rules.write_text(rules.read_text().replace("import kernel", "import inlined").replace("@kernel", "@inlined"))
    assert run(tmp_path, TWICE) == "7 7"
    assert kept(tmp_path) > before


def test_old_folders_are_cleared_away(tmp_path: Path) -> None:
    from aquakit.compiled import cache

    write(tmp_path)
    for number in range(cache.KEPT + 3):
        old = tmp_path / "cache" / "search__compiled" / f"old{number}"
        old.mkdir(parents=True)
        os.utime(old, (number, number))
    assert run(tmp_path, TWICE) == "7 7"
    left = {path.name for path in (tmp_path / "cache" / "search__compiled").iterdir()}
    assert len(left) == cache.KEPT
    assert "old0" not in left
    assert f"old{cache.KEPT + 2}" in left


def test_equal_sources_in_two_places_share_their_code(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        write(folder)
    (other / "cache").symlink_to(one / "cache")
    assert run(one, TWICE) == "7 7"
    before = kept(one)
    assert run(other, TWICE) == "7 7"
    assert kept(one) == before


@pytest.mark.parametrize("fast", [True, False])
def test_a_source_for_every_game_is_bound_to_the_functions_of_one(tmp_path: Path, fast: bool) -> None:
    (tmp_path / "generic.py").write_text(GENERIC)
    (tmp_path / "game.py").write_text(GAME)
    code = f"""
        import game, generic
        from aquakit.compiled.jit import bind
        print(bind(generic, game, fast={fast}).ask(3, 4))
    """
    assert run(tmp_path, code) == "341"


def test_what_nobody_lends_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "generic.py").write_text(GENERIC)
    code = """
        import generic, sys
        from aquakit.compiled.jit import bind
        try:
            bind(generic, sys, fast=False)
        except LookupError as problem:
            print(problem)
    """
    assert run(tmp_path, code) == "halt is asked for by a source, but nobody lends it"


def test_whole_numbers_of_all_widths_share_one_compiled_function(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "user.py").write_text(
        SEARCH.replace("advance(advance(n))", "advance(n) + advance(3) + advance(n > 2)").replace("_twice", "_thrice")
    )
    code = """
        import numpy, rules, user
        from aquakit.compiled.jit import load
        print(load(user, fast=True).advance_thrice(numpy.int16(5)), len(load(rules, fast=True).advance.bare.signatures))
    """
    assert run(tmp_path, code) == "12 2"
