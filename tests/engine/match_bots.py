"""Bots and executors for the tests of matches, in a module that other processes can import."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from aquakit.core.position import AnyPosition


class Inline(Executor):
    """Runs everything at once, here; can be interrupted after so many games."""

    def __init__(self, most: int | None = None) -> None:
        self.played: list[int] = []
        self._most = most

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.played) == self._most:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        self.played.append(args[-1])
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:
            future.set_exception(problem)
        return future


def first(position: AnyPosition) -> Any:
    """Takes the first action."""
    return [position.actions()[0]]


def last(position: AnyPosition) -> Any:
    """Takes the last action."""
    return [position.actions()[-1]]


def roll_on(position: AnyPosition) -> Any:
    """Says what follows a roll too, though nobody knows it."""
    actions = [str(action) for action in position.actions()]
    return "roll, die 1, stop" if "roll" in actions else actions[0]


def cheat(position: AnyPosition) -> Any:
    """Plays what is not legal."""
    return "c7=L@Nc" if position.layout.name == "romana2-5x4" else "canal 9.9h"


def break_down(position: AnyPosition) -> Any:
    """Fails."""
    raise ZeroDivisionError("out of ideas")


def say_nothing(position: AnyPosition) -> Any:
    """Answers with nothing."""
    return ()


def quit_all(position: AnyPosition) -> Any:
    """Tries to end the process."""
    raise SystemExit(3)


class Peeker:
    """Remembers what it was shown and takes the first action."""

    def __init__(self) -> None:
        self.seen: list[AnyPosition] = []

    def __call__(self, position: AnyPosition) -> Any:
        self.seen.append(position)
        return first(position)
