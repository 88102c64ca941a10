"""Shows docstrings as they are meant: examples as code, for Markdown would quote them, and rulings as links."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""An example begins with its first prompt and ends with the next empty line."""
RULES = {"Q": "aquadukt", "R": "romana", "S": "romana"}
"""The game whose rules page has a ruling, by its first letter."""


def fence(text: str) -> str:
    """Puts fences around the examples of a docstring.

    >>> fence("Adds up.\\n\\n>>> 1 + 1\\n2")
    'Adds up.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```'
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


def link_rulings(text: str) -> str:
    """Leads from a ruling's id to the page that has it.

    >>> link_rulings("It joins no two outlets [R3].")
    'It joins no two outlets [\\\\[R3\\\\]](rules-romana.md#rulings).'
    """
    return re.sub(r"\[(([QRS])\d+)\]", lambda found: rf"[\[{found[1]}\]](rules-{RULES[found[2]]}.md#rulings)", text)


class Examples(Extension):
    """Changes every docstring that mkdocstrings reads."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Changes the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fence(link_rulings(obj.docstring.value))
