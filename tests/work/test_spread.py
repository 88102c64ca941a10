"""Work spread over executors: nothing is lost, nothing is counted twice, whatever happens to workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pieces import Chore, square, tries
from waiting import wait_for

from aquakit.errors import InvalidOption
from aquakit.work import spread as spreading
from aquakit.work.executors import InPlace, Processes, find_executor, processes
from aquakit.work.spread import TRIES, WorkerLost, carry_out, spread


def chores(folder: Path, count: int, **ends: int) -> list[Chore]:
    """Makes chores; `ends` says by `number_…` how many workers some of them end."""
    folder.mkdir(exist_ok=True)
    return [Chore(number, str(folder), ends.get(f"number_{number}", 0)) for number in range(count)]


def squares(count: int) -> list[int]:
    return [number**2 for number in range(count)]


# Any executor


@pytest.fixture(params=["in place", "threads", "processes", "a pool"])
def pool(request: pytest.FixtureRequest) -> Iterator[Executor]:
    made: dict[str, Any] = {
        "in place": InPlace,
        "threads": partial(ThreadPoolExecutor, 2),
        "processes": partial(Processes, 2),
        "a pool": partial(ProcessPoolExecutor, 2),
    }
    with made[request.param]() as executor:
        yield executor


@pytest.mark.parametrize("in_order", [True, False])
def test_every_piece_is_done_once(pool: Executor, tmp_path: Path, in_order: bool) -> None:
    done = list(spread(pool, square, chores(tmp_path, 30), in_order=in_order))
    assert sorted(result for _, result in done) == squares(30)
    assert [piece.number**2 for piece, _ in done] == [result for _, result in done]
    assert all(len(tries(tmp_path, number)) == 1 for number in range(30))
    if in_order:
        assert [piece.number for piece, _ in done] == list(range(30))


def test_nothing_to_do_is_done_at_once(pool: Executor) -> None:
    assert list(spread(pool, square, [])) == []


def test_what_work_raises_is_raised(pool: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread(pool, partial(divmod, 1), [1, 0]))


def test_endless_work_is_begun_only_some_pieces_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "AHEAD", 5)
    begun = list[int]()

    def numbers() -> Iterator[int]:
        for number in range(10**9):
            begun.append(number)
            yield number

    with ThreadPoolExecutor(2) as threads:
        run = spread(threads, abs, numbers(), in_order=True)
        assert [next(run)[0] for _ in range(3)] == [0, 1, 2]
        run.close()
    assert len(begun) <= 3 + 5


def test_results_in_order_wait_for_the_slow_one(tmp_path: Path) -> None:
    slow = Chore(0, str(tmp_path), seconds=0.5)
    with ThreadPoolExecutor(2) as threads:
        done = list(spread(threads, square, [slow, *chores(tmp_path, 5)[1:]], in_order=True))
    assert [piece.number for piece, _ in done] == [0, 1, 2, 3, 4]


# Interrupts


class Unfinished(Executor):
    """Finishes nothing by itself."""

    def __init__(self) -> None:
        self.handed: list[Future[Any]] = []

    def submit(self, work: Any, /, *args: Any, **options: Any) -> Future[Any]:
        self.handed.append(Future())
        return self.handed[-1]


def test_an_interrupt_gives_back_all_that_is_finished_and_cancels_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    executor, done = Unfinished(), list[tuple[int, int]]()

    def finish(pending: Any) -> Any:
        executor.handed[0].set_result(0)
        executor.handed[2].set_result(2)
        raise KeyboardInterrupt

    monkeypatch.setattr(spreading, "AHEAD", 3)
    monkeypatch.setattr(spreading, "wait_for_some", finish)
    with pytest.raises(KeyboardInterrupt):
        done.extend(spread(executor, abs, range(10)))
    assert done == [(0, 0), (2, 2)]
    assert executor.handed[1].cancelled()


def test_an_interrupt_while_waiting_loses_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(pending: Any) -> Any:
        wait(pending)
        raise KeyboardInterrupt

    monkeypatch.setattr(spreading, "wait_for_some", interrupted)
    done = list[tuple[Chore, int]]()
    with ThreadPoolExecutor(1) as thread, pytest.raises(KeyboardInterrupt):
        done.extend(spread(thread, square, chores(tmp_path, 5)))
    assert sorted(result for _, result in done) == squares(5)


# Lost workers


def test_a_killed_process_costs_its_piece_only(tmp_path: Path) -> None:
    with processes(2) as pool:
        done = list(spread(pool, square, chores(tmp_path, 20, number_7=1)))
    assert sorted(result for _, result in done) == squares(20)
    assert len(tries(tmp_path, 7)) == 2
    again = [number for number in range(20) if len(tries(tmp_path, number)) > 1]
    assert len(again) <= 4  # what was on its way with it


def test_processes_killed_from_outside_are_replaced(tmp_path: Path) -> None:
    work = [Chore(number, str(tmp_path), seconds=0.05) for number in range(20)]
    with processes(2) as pool:
        run = spread(pool, square, work)
        done = [next(run) for _ in range(3)]
        for pid in {tries(tmp_path, number)[0] for number in range(20) if tries(tmp_path, number)}:
            os.kill(pid, signal.SIGKILL)
        done += run
    assert sorted(result for _, result in done) == squares(20)


def test_a_piece_that_ends_every_worker_is_told_from_its_neighbours(tmp_path: Path) -> None:
    given_up = list[tuple[int, str]]()

    def give_up(piece: Chore, problem: WorkerLost) -> int:
        given_up.append((piece.number, str(problem)))
        return -1

    with processes(2) as pool:
        done = dict(spread(pool, square, chores(tmp_path, 12, number_5=100), give_up=give_up))
    assert sorted(done.values()) == sorted([-1, *(n**2 for n in range(12) if n != 5)])
    assert [number for number, _ in given_up] == [5]
    assert "chore 5" in given_up[0][1]
    assert len(tries(tmp_path, 5)) == TRIES + 1


def test_without_a_stand_in_a_lost_piece_is_an_error_that_names_it(tmp_path: Path) -> None:
    done = list[tuple[Chore, int]]()
    with processes(2) as pool, pytest.raises(WorkerLost, match="chore 2"):
        done.extend(spread(pool, square, chores(tmp_path, 4, number_2=100)))
    assert 2 not in [piece.number for piece, _ in done]


def test_processes_that_never_work_end_the_work(tmp_path: Path) -> None:
    with processes(2) as pool, pytest.raises(WorkerLost, match="__main__"):
        list(spread(pool, square, chores(tmp_path, 2, number_0=100, number_1=100), give_up=lambda *_: 0))


def test_a_pool_of_somebody_else_that_breaks_is_an_error(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(WorkerLost, match="a process ended early"):
        list(spread(pool, square, chores(tmp_path, 4, number_1=100)))


def test_an_executor_that_was_ended_is_an_error() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(WorkerLost, match="after shutdown"):
        list(spread(pool, abs, [1]))


def test_work_that_is_cancelled_is_an_error() -> None:
    class Cancels(InPlace):
        def submit(self, work: Any, /, *args: Any, **options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(WorkerLost, match="gave work back undone"):
        list(spread(Cancels(), abs, [1]))


def test_workers_of_another_version_are_refused() -> None:
    with pytest.raises(InvalidOption, match=r"a worker has aquakit .* on all workers"):
        carry_out(("0.0.1", 0, ()), abs, -1)


# A cluster


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster:
        yield cluster


def test_a_killed_worker_of_a_cluster_costs_its_piece_only(dask: Any, tmp_path: Path) -> None:
    work = [Chore(number, str(tmp_path), seconds=0.05) for number in range(40)]
    with find_executor(dask=dask.scheduler_address) as pool:
        run = spread(pool, square, work)
        done = [next(run) for _ in range(3)]
        os.kill(next(iter(dask.workers.values())).pid, signal.SIGKILL)
        done += run
    assert sorted(result for _, result in done) == squares(40)
    assert len(done) == 40


def test_a_piece_that_ends_every_worker_of_a_cluster_is_given_up(dask: Any, tmp_path: Path) -> None:
    with find_executor(dask=dask.scheduler_address) as pool:
        done = dict(spread(pool, square, chores(tmp_path, 6, number_3=100), give_up=lambda piece, problem: -1))
    assert {piece.number: result for piece, result in done.items()} == {0: 0, 1: 1, 2: 4, 3: -1, 4: 16, 5: 25}


@pytest.mark.wearing
def test_of_many_pieces_only_the_one_that_ends_its_workers_is_given_up(dask: Any, tmp_path: Path) -> None:
    """The scheduler blames whatever waited for the same worker."""
    with find_executor(dask=dask.scheduler_address) as pool:
        with pytest.raises(WorkerLost, match="chore 9"):
            list(spread(pool, square, [Chore(9, str(tmp_path), kills=100)]))
        many = dict(
            spread(pool, square, chores(tmp_path / "more", 30, number_13=100), give_up=lambda piece, problem: -1)
        )
    assert {piece.number for piece, result in many.items() if result == -1} == {13}


def test_an_executor_that_stumbles_over_a_lost_worker_is_told_from_a_piece_that_fails() -> None:
    def fail(module: str) -> Exception:
        with pytest.raises(TypeError) as told:
            exec("first, second = 7", {"__name__": module})
        return told.value

    assert spreading.count_losses(fail("distributed.cfexecutor")) == 1
    assert spreading.count_losses(fail("pieces")) == 0


def test_a_cluster_that_ends_is_an_error(dask: Any, tmp_path: Path) -> None:
    client = pytest.importorskip("distributed").Client(dask)
    run = spread(client.get_executor(), square, [Chore(n, str(tmp_path), seconds=0.1) for n in range(50)])
    next(run)
    client.close()
    with pytest.raises(WorkerLost):
        list(run)


def test_a_cluster_that_all_workers_leave_is_an_error(
    dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreading, "LEFT_ALONE", 1)
    with find_executor(dask=dask.scheduler_address) as pool:
        run = spread(pool, square, [Chore(n, str(tmp_path), seconds=0.1) for n in range(200)])
        next(run)
        dask.scale(0)
        with pytest.raises(WorkerLost, match="no workers for 1 seconds"):
            list(run)


def test_no_scheduler_at_an_address_is_an_error() -> None:
    pytest.importorskip("distributed")
    for address in ("tcp://127.0.0.1:9", "nonsense://", ""):
        with pytest.raises(InvalidOption, match="does not answer"), find_executor(dask=address):
            pass


@pytest.mark.parametrize(
    "wrong", [{"workers": 0}, {"workers": "two"}, {"executor": 3}, {"workers": 2, "dask": "tcp://x"}]
)
def test_bad_options_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as caught, find_executor(**wrong):
        pass
    assert caught.value.where == next(iter(wrong))


def test_what_one_process_would_do_alone_is_done_in_place() -> None:
    with find_executor(workers=1) as one, find_executor(workers=4, pieces=1) as single:
        assert isinstance(one, InPlace)
        assert isinstance(single, InPlace)


def test_processes_end_with_the_block(tmp_path: Path) -> None:
    with processes(1) as pool:
        list(spread(pool, square, chores(tmp_path, 1)))
        pid = tries(tmp_path, 0)[0]
    wait_for(lambda: not Path(f"/proc/{pid}").exists())
