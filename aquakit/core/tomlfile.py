"""Reads and writes data files: TOML checked by a pydantic model, with errors that name the file and the field."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
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


def load_toml(text: str, source: str, error: type[AquakitError]) -> dict[str, Any]:
    """Reads a text as plain data; raises `error` if it is no TOML, or such as no file of ours needs."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise error(source, f"is not TOML: {problem}", "a TOML file") from None
    except ValueError:  # Python reads no number of thousands of digits, and no date that cannot be
        raise error(source, "holds a value that cannot be", "a TOML file") from None
    except RecursionError:
        data = None
    if data is None or not _is_shallow(data):
        raise error(source, "is nested too deep", f"a TOML file of at most {DEEPEST} levels")
    return data


def _is_shallow(data: Any) -> bool:
    """Checks that data lie no deeper than allowed; level by level, for no recursion could go down all the way."""
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, Mapping) else outer)
            if isinstance(inner, Mapping | list)
        ]
    return not level


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
