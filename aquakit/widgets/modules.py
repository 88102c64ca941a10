"""Joins plain ES modules and their styles into the one module that a widget sends, without a build step."""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath

STATIC = Path(__file__).with_name("static")

_IMPORT = re.compile(r'^import (?:\{[^}]*\}|(?P<name>\w+)) from "(?P<file>\.\.?/[\w./]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)


def join_modules(entry: str) -> str:
    """Gets a module with everything that it imports; names must differ across the modules."""
    joined: dict[str, str] = {}
    _join(entry, joined)
    return "\n".join(joined.values())


def _join(file: str, joined: dict[str, str]) -> None:
    """Adds a module after those that it needs."""
    if file in joined:
        return
    text = (STATIC / file).read_text("utf-8")
    for needed in _IMPORT.finditer(text):
        beside = normpath(join(dirname(file), needed["file"]))
        if needed["name"]:
            style = json.dumps((STATIC / beside).read_text("utf-8"))
            joined[beside] = f"const {needed['name']} = {style};"
        else:
            _join(beside, joined)
    joined[file] = _EXPORT.sub("", _IMPORT.sub("", text))
