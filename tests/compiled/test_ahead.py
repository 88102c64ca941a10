"""What is not kept is compiled in another process: one sees how far it is, can leave, and loses nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import interrupt, wait_for

pytest.importorskip("numba")

COUNT = 40
STEP = """

@kernel
def {name}(n: int) -> int:
    return n + STEP
"""
SOURCE = "from aquakit.compiled.jit import kernel\n\nSTEP = 1\n"
SOURCE += "".join(STEP.format(name=f"f{number}") for number in range(COUNT - 1))
SOURCE += STEP.format(name="last").replace(
    "STEP", " + ".join(["STEP", *(f"f{number}(0)" for number in range(COUNT - 1))])
)
BEGIN = """
import os, signal, sys, threading
import steps
from aquakit.compiled import ahead, shown
from aquakit.compiled.jit import load
from aquakit.compiled.line import LINE, CompileLine

fast, heard = load(steps, fast=True), []
last = fast.last


def use(**options):
    with ahead.compiling("steps", last, **options):
        return last(0)


def compiled_here():
    own = [each for each in vars(fast).values() if hasattr(each, "bare")]
    return sum(sum(each.stats.cache_misses.values()) for both in own for each in (both, both.bare))


def line_is_down():
    return LINE._process is None


def pid():
    return LINE._process.pid
"""


@pytest.fixture(autouse=True)
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "steps.py").write_text(SOURCE)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(__file__).parents[1]), *sys.path]))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def run(code: str, begin: str = BEGIN) -> tuple[str, str]:
    """Runs code to its end; gets what it says, and what it complains of."""
    done = subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def kept(folder: Path) -> set[str]:
    """Lists the functions whose code is kept."""
    return {path.name.partition(".")[0] for path in folder.glob("cache/steps__compiled/*/*.nbc")}


def is_alive(pid: int) -> bool:
    """Checks whether a process runs; one that nobody has waited for does not."""
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


SAID = "aquakit: compiling steps for speed, once …\n"


# How far it is


def test_one_hears_of_it_up_to_the_end_and_nothing_is_compiled_here(tmp_path: Path) -> None:
    code = """
print(use(tell=heard.append), compiled_here(), line_is_down())
done = [each.done for each in heard]
print(done == sorted(done), {(each.what, each.total) for each in heard}, heard[0].done, heard[-1].done)
"""
    out, err = run(code)
    assert out.splitlines() == [f"{COUNT} 0 True", f"True {{('steps', {COUNT})}} 0 {COUNT}"]
    assert err == ""
    assert kept(tmp_path) == {"last", *(f"f{number}" for number in range(COUNT - 1))}


def test_without_a_terminal_a_line_says_so_at_the_beginning() -> None:
    assert run("print(use())") == (f"{COUNT}\n", SAID)


def test_on_a_terminal_a_bar_shows_it_and_goes_away() -> None:
    out, err = run("sys.stderr.isatty = lambda: True\nprint(use())")
    assert out == f"{COUNT}\n"
    assert "compiling steps, once" in err
    assert f"{COUNT} of {COUNT} functions" in err
    assert not err.rpartition("\r")[0].rpartition("\r")[2].strip()


def test_a_thread_of_a_notebook_has_no_cell_to_show_it_in() -> None:
    code = """
shown.is_notebook = lambda: True
thread = threading.Thread(target=lambda: print(use()))
thread.start()
thread.join()
"""
    assert run(code) == (f"{COUNT}\n", "")


def test_nothing_is_said_when_code_is_only_read_however_long_that_takes() -> None:
    run("use()")
    code = """
from aquakit.compiled.cache import KeptCode
import time
read = KeptCode._read
KeptCode._read = lambda *key: time.sleep(1) or read(*key)
print(use(tell=heard.append), use(), compiled_here(), heard)
"""
    assert run(code) == (f"{COUNT} {COUNT} 0 []\n", "")


def test_what_is_compiled_outside_is_compiled_here() -> None:
    assert run("print(last(0), compiled_here())") == (f"{COUNT} {COUNT}\n", "")


# Leaving


STOP = """
stop = threading.Event()


def hear(progress):
    heard.append(progress)
    if progress.done >= 3:
        stop.set()


try:
    use(tell=hear, stop=stop)
except ahead.NotCompiled:
    print("stopped", compiled_here(), line_is_down())
"""


def test_a_stop_ends_the_process_and_what_was_done_is_kept(tmp_path: Path) -> None:
    assert run(STOP) == ("stopped 0 True\n", "")
    some = kept(tmp_path)
    assert 3 <= len(some) < COUNT
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("cache/*/*/*.nbc")}
    assert run("print(use(), compiled_here())") == (f"{COUNT} 0\n", SAID)
    assert len(kept(tmp_path)) == COUNT
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    code = """
def hear(progress):
    if progress.done >= 3 and not heard:
        heard.append(progress)
        print(pid(), flush=True)
        signal.pause()  # until the interrupt, which is no less one of the wait


try:
    use(tell=hear)
except KeyboardInterrupt:
    print("interrupted", compiled_here(), line_is_down())
"""
    assert interrupt(BEGIN + code) == (0, "interrupted 0 True\n", "")
    assert len(kept(tmp_path)) >= 3


def test_nothing_is_waited_for_where_all_is_to_be_had_at_once() -> None:
    code = """
for _ in range(2):
    try:
        with ahead.at_once():
            print(use())
    except ahead.NotCompiled:
        print("not compiled", line_is_down())
    use(tell=heard.append)
"""
    assert run(code) == (f"not compiled True\n{COUNT}\n", "")


def test_who_leaves_takes_nothing_from_those_who_still_wait() -> None:
    code = """
done = threading.Event()
other = ahead.CompileAhead(lambda hear: (use(tell=hear, only_apart=True), done.set()))
while other.progress is None:
    pass
""" + STOP.replace("line_is_down()", "line_is_down() and not other.ended")
    code += "other.join()\nprint(other.ready, done.is_set(), compiled_here(), other.progress)"
    last = f"True True 0 compiling steps: {COUNT} of {COUNT} functions"
    assert run(code) == (f"stopped 0 False\n{last}\n", "")


# Ends, and what goes wrong


def test_the_process_ends_with_the_one_that_needs_it() -> None:
    code = """
print(os.getpid(), flush=True)
other = ahead.CompileAhead(lambda hear: use(tell=hear, only_apart=True))
while other.progress is None or other.progress.done < 3:
    pass
print(pid(), flush=True)
"""
    out, err = run(code)
    assert err == ""
    wait_for(lambda: not is_alive(int(out.split()[1])))


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_the_process_ends_even_if_the_one_that_needs_it_is_killed() -> None:
    code = """
def hear(progress):
    if progress.done >= 3:
        print(pid(), flush=True)
        signal.pause()


use(tell=hear)
"""
    with subprocess.Popen([sys.executable, "-c", BEGIN + code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    wait_for(lambda: not is_alive(pid))


@pytest.mark.parametrize(
    "trouble",
    [
        "sys.executable = '/no/such/python'",
        "call = CompileLine._call\nCompileLine._call = lambda line: (call(line), line._process.kill())",
        "sys.path[:] = [each for each in sys.path if not os.path.exists(each + '/steps.py')]",
    ],
)
def test_where_no_process_comes_to_anything_it_is_compiled_here(trouble: str) -> None:
    assert run(f"{trouble}\nprint(use(), compiled_here())") == (f"{COUNT} {COUNT}\n", SAID)


def test_what_is_left_by_a_process_that_dies_is_compiled_here(tmp_path: Path) -> None:
    code = """
def hear(progress):
    if progress.done >= 3 and not line_is_down():
        LINE._process.kill()


print(use(tell=hear), 0 < compiled_here() < len(vars(fast)))
"""
    assert run(code) == (f"{COUNT} True\n", "")
    assert len(kept(tmp_path)) == COUNT


def test_what_is_made_of_something_else_there_is_compiled_here() -> None:
    changed = BEGIN.replace("import steps\n", "import steps\nsteps.STEP = 2\n")
    assert run("print(use(), compiled_here())", changed) == (f"{2 * COUNT} {COUNT}\n", SAID)


def test_where_nothing_can_be_kept_no_process_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no folder").write_text("a file")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "no folder"))
    out, err = run("print(use(), compiled_here(), ahead.is_possible())")
    assert out == f"{COUNT} {COUNT} False\n"
    assert err.startswith(SAID + "aquakit: compiled code cannot be kept in ")
    assert err.count("\n") == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_has_a_line_of_its_own() -> None:
    code = """
other = ahead.CompileAhead(lambda hear: use(tell=hear, only_apart=True))
while other.progress is None:
    pass
child = os.fork()
if not child:
    os._exit(LINE._process is not None)
print(os.waitpid(child, 0)[1])
other.join()
print(other.ready)
"""
    assert run(code)[0] == "0\nTrue\n"
