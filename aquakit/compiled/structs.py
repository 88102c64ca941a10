"""A kernel's data: each record's fields are annotated once, for both speeds.

The plain twin of a record is an ordinary object with ints and lists, the compiled twin a NumPy record of the same
fields.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from functools import cache
from typing import TYPE_CHECKING, Any, Self, get_type_hints

if TYPE_CHECKING:
    import numpy as np

    Records = np.ndarray[Any, np.dtype[np.void]]

Ints = MutableSequence[int]


class Struct:
    """A kernel's record.

    Fields are annotated `Annotated[int, type]` or `Annotated[Ints, type, length]`. Type and length may be names that a
    table of sizes explains, so that one kernel serves several capacities.
    """

    @classmethod
    @cache
    def fields(cls) -> dict[str, tuple[Any, ...]]:
        """Gets each field's element type and, for a sequence, its length."""
        hints = get_type_hints(cls, include_extras=True)
        return {name: hint.__metadata__ for name, hint in hints.items()}

    @classmethod
    def new(cls, sizes: Mapping[str, Any]) -> Self:
        """Creates the plain twin, all zero."""
        made = cls()
        for name, (_, *length) in cls.fields().items():
            setattr(made, name, [0] * sizes.get(length[0], length[0]) if length else 0)
        return made

    def copy(self) -> Self:
        """Creates an independent plain twin."""
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update({k: v if v.__class__ is int else v[:] for k, v in self.__dict__.items()})
        return made

    @classmethod
    def records(cls, sizes: Mapping[str, Any], count: int) -> Records:
        """Creates records for the compiled twin, all zero."""
        import numpy as np

        spec = [
            (name, sizes.get(kind, kind), *((sizes.get(n, n),) for n in length))
            for name, (kind, *length) in cls.fields().items()
        ]
        return np.zeros(count, dtype=np.dtype(spec, align=True))

    def store(self, records: Records, index: int = 0) -> None:
        """Copies the plain twin into a record, which may have room to spare."""
        for name, value in self.__dict__.items():
            if isinstance(value, int):
                records[name][index] = value
            else:
                records[name][index][: len(value)] = value

    def load(self, records: Records, index: int = 0) -> None:
        """Copies a record into the plain twin."""
        for name, value in self.__dict__.items():
            field = records[name][index]
            setattr(self, name, int(field) if isinstance(value, int) else field[: len(value)].tolist())


class Shelf(list[Any]):
    """Plain twins in a row that behave like records: putting one in its place copies it."""

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value.copy())
