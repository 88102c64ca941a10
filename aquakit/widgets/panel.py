"""Panel: something beside a board. It is given the board, declares what it shows, and hears what is clicked on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, ClassVar

import traitlets

from aquakit.widgets.messages import Message

Places = dict[str, str]
"""Places to mark, with short labels."""
Arrows = list[Any]
"""Arrows between places, as pairs."""
GOOD = "!"
"""What stands on a board where a good turn would go."""


class Setting(traitlets.TraitType[Any, Any]):
    """A trait that takes anything, nothing included: readers of the kit judge it, and their errors are typed."""

    def default(self, obj: Any = None) -> Any:
        """Gets a first value of the board's own."""
        return copy(super().default(obj))


class Panel:
    """A part of a widget beside its board. It knows the board; the board knows it by this interface only.

    The widget's class lists its panels in `panel_types` and gets their traits; each widget makes one of each.
    """

    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {}
    """What the browser shows of it, and the settings that people make: those are of the type `Setting`."""

    def __init__(self, board: Any) -> None:
        """Stands beside a board, which may not be complete yet: it is only kept here."""
        self.board = board

    # Settings

    def read(self, name: str, value: Any) -> Any:
        """Checks what one of its settings is given, and gets what is kept of it."""
        return value

    def setting_changed(self, name: str) -> None:
        """Hears that one of its settings has changed; unless told otherwise all is shown again."""
        self.board.look_changed()

    # What the board tells

    def messages(self) -> Mapping[str, Message]:
        """Gets what the browser can ask for, by name."""
        return {}

    def settle(self) -> None:
        """Has a last say in a change, before a bot is woken and all is shown; what it raises undoes the change."""

    def shown(self) -> Mapping[str, Any]:
        """Gathers what the browser shows, by the names of its traits."""
        return {}

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Gets the marks to draw on the board, its own ones added."""
        return places, arrows

    def forget(self) -> None:
        """Drops what was said about the position before, for another one is shown from now on."""

    def leave_game(self) -> None:
        """Hears that another game is about to take the place of this one."""

    def close(self) -> None:
        """Ends all work of its own."""


def add_traits(widget: type[traitlets.HasTraits], panels: Iterable[type[Panel]]) -> list[str]:
    """Gives a widget's class the traits of panels, as if they stood in it; gets the names of the settings."""
    settings = []
    for panel in panels:
        for name, trait in panel.traits.items():
            add_member(widget, name, copy(trait))
            if isinstance(trait, Setting):
                settings.append(name)
    return settings


def add_member(widget: type[traitlets.HasTraits], name: str, member: traitlets.BaseDescriptor) -> None:
    """Puts a trait or a handler into a class that is being made; its metaclass does the rest."""
    setattr(widget, name, member)
    member.class_init(widget, name)


def add_trace(moment: Any, turn: str, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
    """Adds the marks of a good turn that could be played in a position."""
    trace = moment.room("board.facts").trace(moment, turn)
    return places | dict.fromkeys(trace.marks, GOOD), [
        *arrows,
        *(arrow for arrow in trace.arrows if arrow not in arrows),
    ]
