"""Why an action is not legal."""

from __future__ import annotations

from toy.kernel import State
from toy.layout import Layout
from toy.notation import Action


def expected(layout: Layout, s: State) -> tuple[str, str]:
    """Says what the decision at hand is."""
    return ("take", "pebbles like b1-2") if any(s.pebbles) else ("over", "")


def why_not(layout: Layout, s: State, action: Action) -> tuple[str, str]:
    """Says why an action is not legal."""
    return "there are not so many pebbles", expected(layout, s)[1]
