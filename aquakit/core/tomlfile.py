"""Reads and writes data files: TOML checked by a pydantic model, with errors that name the file and the field."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

if TYPE_CHECKING:
    from aquakit.errors import AquakitError

Place = tuple[int | str, ...]
"""Where a value stands in the data: keys, and numbers in arrays."""


class Table(BaseModel):
    """A table of a data file: unknown keys are errors, values are not changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Model = TypeVar("Model", bound=Table)


def name_place(data: Any, place: Place) -> str:
    """Names a place as its keys joined by dots."""
    return ".".join(map(str, place))


DEEPEST = 32
"""How deep tables and arrays of a file may lie in each other."""
TOO_DEEP = "is nested too deep"


def load_toml(text: str, source: str, error: type[AquakitError]) -> dict[str, Any]:
    """Reads a text as plain data; raises `error` if it is no TOML, or such as no file of ours needs."""
    try:
        data = tomllib.loads(text)
        problem = _find_problem(data)
    except tomllib.TOMLDecodeError as unreadable:
        problem = f"is not TOML: {unreadable}"
    except ValueError:  # Python reads no number of thousands of digits
        problem = "holds a number that is too large"
    except RecursionError:
        problem = TOO_DEEP
    if problem:
        raise error(source, problem, "a TOML file of texts and numbers")
    return data


def _find_problem(data: Any) -> str:
    """Finds what files of ours never hold; level by level, since no recursion could go down all the way."""
    level = [data]
    for _ in range(DEEPEST):
        inside = [item for each in level for item in (each.values() if isinstance(each, Mapping) else each)]
        level = [item for item in inside if isinstance(item, Mapping | list)]
        for item in inside:
            if not isinstance(item, Mapping | list | str | int | float):
                return f"holds {item}, a date or a time"
            if isinstance(item, float) and not isfinite(item):
                return f"holds {item}"
    return TOO_DEEP if level else ""


def read_toml(
    text: str,
    model: type[Model],
    source: str,
    error: type[AquakitError],
    name: Callable[[Any, Place], str] = name_place,
    *,
    folder: Path | None = None,
) -> Model:
    """Reads a text into a model; raises `error` for the first thing that is wrong, with its place as `name` says it.

    Positions in it may be on layouts that lie in the folder, which is the file's own.
    """
    return read_table(load_toml(text, source, error), model, source, error, name, folder=folder)


def read_table(
    data: Any,
    model: type[Model],
    source: str,
    error: type[AquakitError],
    name: Callable[[Any, Place], str] = name_place,
    *,
    folder: Path | None = None,
) -> Model:
    """Reads data into a model, with errors as those of `read_toml`."""
    try:
        return model.model_validate(data, context={"folder": folder})
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        message = first["msg"].removeprefix("Value error, ")
        raise error(f"{source}: {name(data, first['loc'])}", message[:1].lower() + message[1:]) from None


def write_value(value: Any) -> str:
    """Writes a text, a number, a truth value, a list or an inline table as TOML.

    >>> write_value({"player": 1, "alone": True, "rivals": ["Y1", "Y2"]})
    '{ player = 1, alone = true, rivals = ["Y1", "Y2"] }'
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{write_key(key)} = {write_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(write_value, value))}]"
    # What JSON writes of these is TOML too, but for one character that only TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_key(key: str) -> str:
    """Writes a key, in quotes where it needs them.

    >>> write_key("first-steps-01"), write_key("Y1 Y2")
    ('first-steps-01', '"Y1 Y2"')
    """
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else write_value(key)
