"""Clicks boards together for tests, and checks that what a board keeps and what it shows are one."""

from __future__ import annotations

import json
import threading
from typing import Any

from aquakit import Board, Record
from aquakit.board import clicks

SET = ("position", "picked", "highlights", "arrows", "size", "theme", "flip", "hide", "coordinates", "panel")
SHOWN = ("picture", "places", "offer", "facts", "can_back", "can_undo", "can_redo", "bot")
EXPLORED = ("lines", "tree", "at", "index", "length", "sheet", "headers", "game", "draft", "can_restore")


def ids(board: Board) -> list[str]:
    """Lists what is offered."""
    return [choice["id"] for choice in board.offer["choices"]]


def choose(board: Board, *choices: str) -> None:
    for choice in choices:
        board.choose(choice)


def turns(board: Board) -> list[str]:
    """Lists the main line."""
    return [str(node.turn) for node in board.record.root.main()[1:]]


def state(board: Board) -> dict[str, Any]:
    """Collects all that a board keeps and shows, but for problems."""
    names = [name for name in (*SET, *SHOWN, *EXPLORED) if hasattr(board, name)]
    return {name: getattr(board, name) for name in names} | {"record": str(board.record)}


def tell(board: Board, **content: Any) -> None:
    """Sends what the browser would send; with a click goes what it was meant for."""
    if content["do"] in ("choose", "enter", "back"):
        content = {"decision": board.decision, **content}
    board._hear(board, content, [])


def way_to(position: Any, action: str, picked: tuple[str, ...] = ()) -> list[str]:
    """Finds the clicks that lead to an action."""
    for choice in clicks.offer(position, picked).choices:
        if choice.act == action:
            return [choice.id]
        if not choice.act and (way := way_to(position, action, (*picked, choice.id))):
            return [choice.id, *way]
    return []


def hear_all() -> None:
    """Waits until no bot of any board is left thinking."""
    for thread in threading.enumerate():
        if thread.name == "aquakit bot":
            thread.join(10)
            assert not thread.is_alive()


def check(board: Board) -> None:
    """Checks that a board's game leads to its position, and that it offers what is legal there."""
    record = board.record
    assert str(Record.parse(str(record), record.start.layout)) == str(record)
    line = board.node.line()
    assert line[0] is record.root
    position = record.start
    for node in line[1:]:
        position = position.play(node.turn)
    for action in board.position.played:
        position = position.act(action)
    assert board.position == position
    legal = {clicks.CHANCE} if position.is_chance else {str(action) for action in position.actions()}
    assert {choice["act"] for choice in board.offer["choices"] if choice["act"]} <= legal
    assert bool(board.offer["choices"]) == (not position.is_over)
    assert board.can_undo == (len(line) > 1 or bool(position.played))
    json.dumps(board.get_state())
