"""Answers exercises on a page as people do: by clicks, radio buttons and numbers."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from aquakit.board import clicks
from aquakit.core.position import AnyPosition
from aquakit.workshop.question import ChooseQuestion, PositionQuestion, Question, TurnQuestion

PATIENCE = 120_000
"""Milliseconds for a verdict: a solver may have to be loaded first."""


def answer(board: Locator, question: Question, text: str) -> None:
    """Answers an exercise with what would be written in its file."""
    if isinstance(question, TurnQuestion):
        for choice in list_clicks(question.start, text):
            click(board, choice)
    elif isinstance(question, PositionQuestion):
        fill(board, question, text)
    elif isinstance(question, ChooseQuestion):
        shown = question.shown[question.options.index(question.read(text))]
        board.get_by_role("radio", name=shown, exact=True).check()
        board.locator(".hand").click()
    else:
        board.locator(".answer input").fill(text)
        board.locator(".answer input").press("Enter")


def fill(board: Locator, question: PositionQuestion, text: str) -> None:
    """Puts pieces into gaps; the last gap that is left need not be chosen."""
    tokens = text.split()
    for number, token in enumerate(tokens):
        if len(question.gaps) - number > 1:
            click(board, token.partition("=")[0])
        click(board, token)


def list_clicks(position: AnyPosition, turn: str) -> list[str]:
    """Lists the choices that lead through a turn."""
    found: list[str] = []
    for action in position.carry_out(turn)[0]:
        found += find_way(position, str(action)) or []
        position = position.act(action)
    return found


def find_way(position: AnyPosition, action: str, picked: tuple[str, ...] = ()) -> list[str] | None:
    """Finds the choices that lead to an action."""
    for choice in clicks.offer(position, picked).choices:
        if choice.act == action:
            return [choice.id]
        if not choice.act and (way := find_way(position, action, (*picked, choice.id))) is not None:
            return [choice.id, *way]
    return None


def click(board: Locator, choice: str) -> None:
    """Clicks on a choice where it is marked, and waits until the board shows what follows."""
    before = board.get_attribute("data-step")
    button, on_board = board.locator(f'.actions [data-choice="{choice}"]'), board.locator(f'[data-choice="{choice}"]')
    button.or_(on_board.locator(".mark, .area")).first.click()
    expect(board).not_to_have_attribute("data-step", before or "", timeout=PATIENCE)


def expect_verdict(board: Locator, head: str) -> None:
    """Waits for a verdict."""
    expect(board.locator(".said strong")).to_have_text(re.compile(f"^.?{head}$"), timeout=PATIENCE)
