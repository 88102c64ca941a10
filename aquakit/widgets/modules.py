"""Joins plain ES modules and their styles into the one module that a widget sends, without a build step."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path

STATIC = Path(__file__).with_name("static")

_IMPORT = re.compile(r'^import (?:\{[^}]*\}|(?P<name>\w+)) from "(?P<file>\.{1,2}/[\w./]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)


def join_modules(entry: str) -> str:
    """Gets a module with everything that it imports, by its path in `static`; names must differ across the modules."""
    joined: dict[str, str] = {}
    _join(entry, joined)
    return "\n".join(joined.values())


def _join(file: str, joined: dict[str, str]) -> None:
    """Adds a module after those that it needs."""
    if file in joined:
        return
    text = (STATIC / file).read_text("utf-8")
    for needed in _IMPORT.finditer(text):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), needed["file"]))
        if needed["name"]:
            style = json.dumps((STATIC / path).read_text("utf-8"))
            joined[path] = f"const {needed['name']} = {style};"
        else:
            _join(path, joined)
    joined[file] = _EXPORT.sub("", _IMPORT.sub("", text))
