"""Tables for notebooks, as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def write_table(heads: Iterable[str], rows: Iterable[Iterable[object]], *caption: str) -> str:
    """Writes a table with its heads, its cells and the lines of its caption.

    >>> write_table(["turn"], [["b3=+@E4"]])
    '<table><thead><tr><th>turn</th></tr></thead><tbody><tr><td>b3=+@E4</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    above = f"<caption>{'<br>'.join(map(escape, caption))}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
