"""Whatever strangers' texts and files hold: only typed errors come out, and nothing outside is opened.

`AQUAKIT_FUZZ=100 pytest tests/strangers` tries a hundred times as many. What found something is kept in `found.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from found import FOUND
from strangers import BOARD, KINDS, samples, spoil

from aquakit.errors import LONGEST, AquakitError

EXAMPLES = 200 * int(os.environ.get("AQUAKIT_FUZZ", "1"))


def refusal(kind: str, text: str, folder: Path) -> str:
    """Uses a text, and gets what a typed error says, if there is one."""
    try:
        KINDS[kind].use(text, folder)
    except AquakitError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "turn"])
def test_what_is_sound_is_read(kind: str, folder: Path) -> None:
    assert {refusal(kind, text, folder) for text in samples(kind) if BOARD not in text} == {""}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_spoilt_gives_a_typed_error(kind: str, folder: Path, check_opened: Callable[..., None]) -> None:
    draw = random.Random(kind)
    for number in range(EXAMPLES):
        text = spoil(draw.choice(samples(kind)), draw)

        def use(text: str = text) -> None:
            assert len(refusal(kind, text, folder)) < 4 * LONGEST

        try:
            check_opened(use)
        except Exception as problem:
            raise AssertionError(f"example {number}: {text!r}") from problem


@pytest.mark.parametrize(("kind", "text"), FOUND, ids=[f"{kind}-{number}" for number, (kind, _) in enumerate(FOUND)])
def test_what_once_broke_something_is_refused(
    kind: str, text: str, folder: Path, check_opened: Callable[..., None]
) -> None:
    def use() -> None:
        assert refusal(kind, text, folder)

    check_opened(use)
