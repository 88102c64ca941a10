"""Commands whose many options are one value: the fields of a dataclass become the parameters of the command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_type_hints

Options = TypeVar("Options")


def command_of(options: type[Options], run: Callable[[Options], None]) -> Callable[..., None]:
    """Makes a command of a function that takes its options as one dataclass; each field is annotated as a parameter.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Greeting:
    ...     name: str
    ...     loud: bool = False
    >>> def greet(given: Greeting) -> None:
    ...     print("HELLO" if given.loud else "hello", given.name)
    >>> command_of(Greeting, greet)("Ada", loud=True)
    HELLO Ada
    >>> str(inspect.signature(command_of(Greeting, greet)))
    '(name: str, loud: bool = False) -> None'
    """
    types = get_type_hints(options, include_extras=True)
    parameters = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=types[field.name],
        )
        for field in fields(options)  # type: ignore[arg-type]
    ]

    def command(*given: Any, **named: Any) -> None:
        run(options(*given, **named))

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters} | {"return": None}
    command.__signature__ = inspect.Signature(parameters, return_annotation=None)  # type: ignore[attr-defined]
    return command
