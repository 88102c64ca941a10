"""Who answers, and where it is written down: in the workshop's folder, or else among the user's own data."""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

from aquakit.errors import InvalidOption, shorten
from aquakit.keeping.sqlite_file import find_home
from aquakit.training.attempt import Attempt
from aquakit.training.result_file import ResultFile

MARK = "workshop.toml"
"""The file by which a workshop's folder is known."""
ALONE = "me"
"""The person outside of a workshop, where nobody is asked for a name."""
LONGEST_NAME = 60


class Listener(Protocol):
    """Somebody who wants to know when another person answers."""

    def person_changed(self) -> None:
        """Hears of it."""
        ...


_lock = threading.Lock()
_joined: str | None = None
_waiting: list[Attempt] = []
"""Attempts of somebody who has not said a name yet."""
_listeners: WeakSet[Listener] = WeakSet()


def find_folder() -> Path | None:
    """Finds the workshop's folder: the working folder or the nearest one above it that is one."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / MARK).is_file()), None)


def read_name(name: str) -> str:
    """Checks a person's name.

    >>> read_name("  Ada Lovelace ")
    'Ada Lovelace'
    """
    text = " ".join(name.split()) if isinstance(name, str) else ""
    if not text or not text.isprintable() or len(text) > LONGEST_NAME:
        raise InvalidOption("name", shorten(repr(name)), f"a name of at most {LONGEST_NAME} letters")
    return unicodedata.normalize("NFC", text)


def who() -> str | None:
    """Gets who answers: whoever joined, or AQUAKIT_PERSON, or outside of a workshop "me"; none if that is not known."""
    if _joined is not None:
        return _joined
    given = os.environ.get("AQUAKIT_PERSON")
    if given:
        return read_name(given)
    return None if find_folder() else ALONE


def is_fixed() -> str:
    """Tells whether nobody else can join by a form: "alone" outside of a workshop, "given" by AQUAKIT_PERSON."""
    if _joined is not None:
        return ""
    return "given" if os.environ.get("AQUAKIT_PERSON") else "" if find_folder() else "alone"


def name_file(person: str) -> str:
    """Names a person's result file.

    >>> name_file("Ada Lovelace"), name_file("../x")
    ('results-Ada-Lovelace.jsonl', 'results-x.jsonl')
    """
    plain = re.sub(r"\W+", "-", person).strip("-")
    return f"results-{plain or 'person'}.jsonl"


def find_results(person: str) -> Path:
    """Finds the place of a person's result file."""
    folder = find_folder()
    return (folder or find_home()) / name_file(person)


def join(name: str) -> Path:
    """Says who answers from now on; gets the file in which the answers are kept.

    In a notebook the first exercise asks for the name, so this is for scripts.
    """
    global _joined
    person = read_name(name)
    try:
        with _lock:
            _joined = person
            while _waiting:
                _write(_waiting[0], person)
                _waiting.pop(0)
    finally:  # who answers is known, be it that nothing can be written
        _tell()
    return find_results(person)


def leave() -> None:
    """Forgets who answers, so that somebody else can join."""
    global _joined
    with _lock:
        _joined = None
    _tell()


def listen(listener: Listener) -> None:
    """Lets somebody be told when another person answers."""
    _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    """Tells somebody no more."""
    _listeners.discard(listener)


def _tell() -> None:
    for listener in list(_listeners):
        listener.person_changed()


def record(attempt: Attempt) -> None:
    """Writes an attempt down, as soon as it is known whose it is."""
    with _lock:
        person = who()
        if person is None:
            _waiting.append(attempt)
        else:
            _write(attempt, person)


def _write(attempt: Attempt, person: str) -> None:
    ResultFile(find_results(person)).append(replace(attempt, person=person))
