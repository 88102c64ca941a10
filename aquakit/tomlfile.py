"""Reads data files: TOML checked by a pydantic model, with errors that name the file and the field."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

if TYPE_CHECKING:
    from aquakit.errors import AquakitError


class Table(BaseModel):
    """A table of a data file: unknown keys are errors, values are not changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Model = TypeVar("Model", bound=Table)


def read_toml(text: str, model: type[Model], source: str, error: type[AquakitError]) -> Model:
    """Reads a text into a model; raises `error` for the first thing that is wrong."""
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        raise error(source, f"is not TOML: {problem}", "a TOML file") from None
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        message = first["msg"][:1].lower() + first["msg"][1:]
        raise error(f"{source}: {field}", message) from None
