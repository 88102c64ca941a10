"""What tables of attempts share: cells that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

FORMULA = re.compile(r"(^|[,;\t\r\n])([\s\x00-\x1f\u200b\ufeff]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet could see a formula begin: at a cell's start, or after what it may take for a separator."""


def write_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Writes a table for a spreadsheet; where it could take a text for a formula, an apostrophe stands before.

    >>> print(write_csv(["person", "hints"], [["=1+1", 2]]), end="")
    "person","hints"
    "'=1+1",2
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(columns)
    table.writerows([_guard(cell) for cell in row] for row in rows)
    return text.getvalue()


def _guard(cell: Any) -> Any:
    return FORMULA.sub(r"\1\2'", cell) if isinstance(cell, str) else cell
