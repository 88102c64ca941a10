"""A widget with panels that talks with its page: reads what is set, hears what is clicked, and says what went wrong."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NoReturn, TypeVar

import anywidget
import traitlets

from aquakit.errors import AquakitError, shorten
from aquakit.widgets.messages import Message, check_form, check_set, read_message
from aquakit.widgets.nothing import from_page, to_page
from aquakit.widgets.panel import Panel, Setting, add_member, add_traits

LONGEST = 300
"""The most characters shown of an error that is not the kit's own."""

RULING = re.compile(r" (\[[A-Z]\d+\]|\(section [^)]*\))")
"""Where a rule stands; people who click have no use for it."""

P = TypeVar("P", bound=Panel)


def word_problem(problem: BaseException) -> str:
    """Says in a line what went wrong; of an error that is not the kit's own, which it was.

    >>> from aquakit.errors import IllegalTurn
    >>> word_problem(IllegalTurn("spring 5.5", "is too near to 4.4 [Q2]"))
    'spring 5.5: is too near to 4.4'
    """
    if isinstance(problem, AquakitError):
        return RULING.sub("", str(problem))
    return shorten(" ".join(f"{type(problem).__name__}: {problem}".split()), LONGEST)


def keep_own(value: Any) -> Any:
    """Copies what is given as several, so that it stays as it was checked, and makes a list of a single place."""
    if isinstance(value, Mapping):
        return dict(value)
    return [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else value


class PageWidget(anywidget.AnyWidget):
    """What a board and its page say to each other, whatever it is about.

    A class lists its panels in `panel_types`. `refresh` shows all in one step; whatever changes traits meanwhile, from
    whichever thread, holds the lock.
    """

    panel_types: ClassVar[tuple[type[Panel], ...]] = ()
    """What stands beside the board: the class has the traits of these panels, and each board one of each."""
    panels: tuple[Panel, ...] = ()

    problem = traitlets.Unicode(read_only=True).tag(sync=True)
    """What went wrong last, in a line."""
    step = traitlets.Int(0, read_only=True).tag(sync=True)
    """Counts what has been shown, so that the browser draws each once and whole."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Gives the class the traits of its panels, which read what they are set to."""
        super().__init_subclass__(**options)
        settings = add_traits(cls, cls.panel_types) if "panel_types" in vars(cls) else []
        if settings:
            add_member(cls, "_check_panels", traitlets.validate(*settings)(PageWidget._read_panel_setting))
            add_member(cls, "_panels_changed", traitlets.observe(*settings)(PageWidget._tell_panel_setting))

    def __init__(self, **traits: Any) -> None:
        """Begins to hear the page; its panels have been put beside it."""
        super().__init__(**traits)
        self.on_msg(self._hear)

    def put_beside(self, panels: Iterable[Callable[[Any], Panel]] | None, messages: Mapping[str, Message]) -> None:
        """Makes the panels: one of each type, or as told. They add to what the browser can ask for, by name."""
        self.lock = threading.RLock()
        """Held while anything changes: bots and panels have threads of their own."""
        self.is_quiet = True
        """Whether changed traits wait to be shown."""
        self.panels = tuple(make(self) for make in (self.panel_types if panels is None else panels))
        self._owners = {name: panel for panel in self.panels for name in panel.traits}
        self._hears = dict(messages)
        for panel in self.panels:
            self._hears |= panel.messages()

    def beside(self, kind: type[P]) -> P:
        """Gets the panel of a kind."""
        return next(panel for panel in self.panels if isinstance(panel, kind))

    def close(self) -> None:
        """Ends the board and all work beside it."""
        for panel in self.panels:
            panel.close()
        super().close()

    # What it shows

    def refresh(self, problem: str = "") -> None:
        """Shows what stands now, and what went wrong."""
        raise NotImplementedError

    def look_changed(self) -> None:
        """Shows all again, unless it is being changed and will be shown anyway."""
        with self.lock:
            if not self.is_quiet:
                self.refresh()

    def tell(self, problem: BaseException, who: str = "") -> None:
        """Shows what went wrong."""
        self.refresh(problem=who + word_problem(problem))

    def refuse(self, problem: AquakitError) -> NoReturn:
        """Shows what cannot be done and raises it."""
        self.tell(problem)
        raise problem

    # What it is set to

    def checked(self, read: Callable[[], Any]) -> Any:
        """Reads a value; a bad one is shown and refused."""
        try:
            return read()
        except AquakitError as problem:
            with self.lock:
                if not self.is_quiet:
                    self.tell(problem)
            raise

    def _read_panel_setting(self, proposal: Mapping[str, Any]) -> Any:
        name = proposal["trait"].name
        return self.checked(lambda: self._owners[name].read(name, proposal["value"]))

    def _tell_panel_setting(self, change: Mapping[str, Any]) -> None:
        self._owners[change["name"]].setting_changed(change["name"])

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Takes over what the browser has set; a bad value is shown, and the browser is told what stands."""
        bad = []
        for name, value in sync_data.items():  # one after the other, since each may change what the next may be
            if self._takes(name, value):
                super().set_state({name: value})
            elif name in self.keys:
                bad.append(name)
        if bad:
            self.send_state(bad)

    def _takes(self, name: str, value: Any) -> bool:
        """Checks what the browser sets: one of the settings that are sent to it, and nothing else."""
        trait = self.traits().get(name)
        if not isinstance(trait, Setting) or not trait.metadata.get("sync"):
            return False
        try:
            self.checked(lambda: check_set(name, value))
            trait._validate(self, value)
        except AquakitError:
            return False
        return True

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Gathers what is sent; the step, which says that all is there, last: marimo tells each trait as it comes."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        return {name: state[name] for name in sorted(state, key=lambda name: name == "step")}

    # What is clicked

    def _hear(self, _: Any, content: Any, __: Any) -> None:
        """Does what was clicked; what cannot be done is shown on the board."""
        try:
            read_message(self._hears, content)()
        except AquakitError as problem:
            if self.problem != word_problem(problem):
                self.tell(problem)
        except Exception as problem:  # would otherwise vanish in the kernel's log
            self.tell(problem)
            raise

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(to_page(msg), buffers)

    def _handle_msg(self, msg: Any) -> None:
        """Lets a message in that has the form of one; any other is shown as refused."""
        heard = from_page(msg)
        try:
            check_form(heard["content"]["data"])
        except AquakitError as problem:
            self.tell(problem)
        else:
            super()._handle_msg(heard)
