"""Writes a record's text: the lines of its head, of each turn with its comment, and of its result."""

from __future__ import annotations

from collections.abc import Mapping

from aquakit.core.position import AnyPosition
from aquakit.core.record.tree import Node

VERSION = "aquakit record 1"
INDENT = "  "
OPEN = "*"
"""The result of a game that is not over."""


def write_head(headers: Mapping[str, str], start: AnyPosition) -> list[str]:
    """Writes what stands before the turns."""
    lines = [f"{name}: {value}".rstrip() for name, value in headers.items()]
    return [VERSION, *lines, f"start: {start}", ""]


def write_result(result: str) -> str:
    """Writes what stands after the turns."""
    return f"result: {result}"


def write_node(node: Node, depth: int) -> list[str]:
    """Writes a turn and its comment, indented by the depth in variations."""
    lines = [] if node.turn is None else [f"{node.number}. {node.turn}"]
    if node.comment:
        lines += [f"; {line}" if line else ";" for line in node.comment.split("\n")]
    return [INDENT * depth + line for line in lines]
