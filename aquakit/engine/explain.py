"""Explains turns in plain words: what the rules and the analysis say about one, and how it differs from another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from aquakit.board.claims import Claim, signed
from aquakit.board.telling import tell_decisions
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.words import count
from aquakit.engine.ranking import Line, Ranking
from aquakit.engine.weigh import SURE, lead_of, prove, read_turn, weigh
from aquakit.errors import InvalidOption

EFFECTS = 2
"""So many effects of a reply are named."""


@dataclass(frozen=True)
class Explanation:
    """Why a turn, or why not another: claims with their numbers, the weightiest first.

    >>> import aquakit
    >>> analysis = aquakit.analyse(aquakit.start("romana2-5x4"), playouts=2000, threads=1)
    >>> found = analysis.explain("b3=+@E4 xR1 *j")
    >>> found.title, len(found.claims) > 2
    ('bridge on b3 by the builder on E4, R1 closed, joker taken', True)
    >>> found.turn
    'b3=+@E4 xR1 *j'
    """

    turn: str
    claims: tuple[Claim, ...]
    instead_of: str = ""
    told: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The turns in words."""

    @property
    def title(self) -> str:
        """What is explained, in words."""
        turn = self.told.get(self.turn, self.turn)
        return f"{turn}; instead of {self.told.get(self.instead_of, self.instead_of)}" if self.instead_of else turn

    def __str__(self) -> str:
        return "\n".join([self.title, *(f"- {sentence}" for sentence in self.sentences())])

    def __repr__(self) -> str:
        return f"<Explanation: {self.title}, {count(len(self.claims), 'claim')}>"

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        return f"<p><strong>{escape(self.title)}</strong></p><ul>{items}</ul>"

    def sentences(self) -> Iterator[str]:
        """Iterates over the claims as sentences.

        >>> import aquakit
        >>> analysis = aquakit.analyse(aquakit.start("romana2-5x4"), playouts=2000, threads=1)
        >>> [sentence for sentence in analysis.explain("b3=+@E4 xR1 *j").sentences() if "Closes" in sentence]
        ['Closes R1 at length 1: podium 1, 1 point.']
        """
        for claim in self.claims:
            which = "Only this turn: " if claim.turn == self.turn else "Only the other: "
            yield f"{which if claim.turn else ''}{claim.text}."


class _Weighed:
    """A turn with what is known about it."""

    def __init__(self, analysis: Ranking, turn: Iterable[Any] | str) -> None:
        self.before = analysis.position
        self.player = self.before.player or 1
        self.mover = self.before.mover or self.player
        self.turn: BaseTurn[Any]
        self.turn, self.after = read_turn(self.before, turn)
        self.line: Line = prove(analysis, weigh(analysis, self.turn, self.after), self.after)
        self._room = self.before.room("board.why")

    @property
    def told(self) -> dict[str, str]:
        """The turn in words, by its text."""
        return {str(self.turn): tell_decisions(self.before, self.turn)}

    def name(self, player: int) -> str:
        """Names a player."""
        text: str = self._room.name(self.before.layout, player)
        return text

    @cached_property
    def effects(self) -> list[Claim]:
        """What the turn does by the rules."""
        return self.effects_of(self.before, self.turn, self.after)

    def effects_of(self, before: AnyPosition, turn: BaseTurn[Any], after: AnyPosition) -> list[Claim]:
        """Lists what some turn does by the rules."""
        found: list[Claim] = self._room.why(before, turn, after)
        return found

    def points(self, position: AnyPosition, last: int | None) -> tuple[int, ...]:
        """Gets each player's points if play stopped at a position."""
        found: tuple[int, ...] = self._room.standing(position, last)
        return found

    @property
    def lead_now(self) -> float:
        """The lead if play stopped after the turn."""
        return lead_of(self.points(self.after, self.mover), self.player)

    @property
    def expected_lead(self) -> str:
        """What the lead is called."""
        return "Expected lead" if len(self.line.score) == 2 else "Expected lead over the best other player"

    @property
    def basis(self) -> str:
        """How the expected lead is known."""
        return "proved" if self.line.proved else f"estimated by {count(self.line.visits, 'playout')}"

    @property
    def lead(self) -> str:
        """The expected lead, with its error."""
        line = self.line
        return signed(line.lead) if line.proved else f"{line.lead:+.2f} ± {line.stderr:.2f}"


def explain(
    analysis: Ranking, turn: Iterable[Any] | str | None = None, instead_of: Iterable[Any] | str | None = None
) -> Explanation:
    """Says why to play a turn, the best one if none is given, or why rather than another."""
    chosen = _Weighed(analysis, analysis.best.turn if turn is None else turn)
    if instead_of is None:
        claims = [*_tell_expected(chosen), *_tell_points(chosen), *chosen.effects, *_tell_reply(chosen)]
        return Explanation(str(chosen.turn), tuple(claims), told=chosen.told)
    other = _Weighed(analysis, instead_of)
    if other.turn == chosen.turn:
        raise InvalidOption("instead_of", f"{other.turn} is the turn itself", "another turn")
    claims = [_tell_difference(chosen, other), _tell_points_difference(chosen, other)]
    claims += [*_only(chosen, other), *_only(other, chosen)]
    for it, which in ((chosen, "this turn"), (other, "the other")):
        claims += [claim._replace(text=f"After {which}: {claim.text}") for claim in _tell_reply(it)]
    return Explanation(str(chosen.turn), tuple(claims), str(other.turn), chosen.told | other.told)


# One turn


def _tell_expected(it: _Weighed) -> Iterator[Claim]:
    line = it.line
    if it.after.is_over:
        yield Claim("expected", f"Lead {signed(line.lead)}, for the game is over", (line.lead,))
    elif line.proved:
        both = f"Lead {signed(line.lead)} with best play of both, proved"
        sure = f"Lead of at least {signed(line.lead)} whatever the others play, proved"
        yield Claim("expected", both if len(line.score) == 2 else sure, (line.lead,))
    else:
        win = line.win[it.player - 1]
        text = f"{it.expected_lead} {it.lead}, win chance {win:.0%}, {it.basis}"
        yield Claim("expected", text, (line.lead, line.stderr, win, line.visits))
        points = [f"{it.name(player)} {score:.1f}" for player, score in enumerate(line.score, start=1)]
        yield Claim("expected", f"Expected points at the end: {', '.join(points)}", line.score)


def _tell_points(it: _Weighed) -> Iterator[Claim]:
    """Says what the lead would be if play stopped after the turn, and before it."""
    if it.after.is_over:
        return
    points, was = it.points(it.after, it.mover), lead_of(it.points(it.before, None), it.player)
    totals = [f"{it.name(player)} {total}" for player, total in enumerate(points, start=1)]
    text = f"If play stopped now: {', '.join(totals)}, lead {signed(it.lead_now)} ({signed(was)} before)"
    yield Claim("points", text, (*points, it.lead_now, was))


def _tell_reply(it: _Weighed) -> Iterator[Claim]:
    """Says what the search thinks will follow, and what that does."""
    if not it.line.pv or it.after.is_over:
        return
    turn, after = read_turn(it.after, it.line.pv[0])
    effects = it.effects_of(it.after, turn, after)[:EFFECTS]
    lead = lead_of(it.points(after, it.after.mover), it.player)
    reply = f"Expected reply of {it.name(it.after.player or 1)}: {tell_decisions(it.after, turn)}"
    text = ". ".join([reply, *(claim.text for claim in effects), f"Lead if play stopped then: {signed(lead)}"])
    yield Claim("reply", text, (*(number for claim in effects for number in claim.numbers), lead))


# Two turns


def _tell_difference(chosen: _Weighed, other: _Weighed) -> Claim:
    better = chosen.line.lead - other.line.lead
    error = math.hypot(chosen.line.stderr, other.line.stderr)
    amount = f"{abs(better):.2f} ± {error:.2f}" if error else signed(abs(better)).lstrip("+")
    verdict = f"{amount} {'better' if better >= 0 else 'worse'}"
    if error and abs(better) < SURE * error:
        verdict += ", too close to be sure"
    text = f"{chosen.expected_lead} {chosen.lead} ({chosen.basis}) against {other.lead} ({other.basis}): {verdict}"
    return Claim("difference", text, (better, error))


def _tell_points_difference(chosen: _Weighed, other: _Weighed) -> Claim:
    better = chosen.lead_now - other.lead_now
    verdict = "the same" if not better else f"{abs(better)} {'better' if better > 0 else 'worse'}"
    text = f"If play stopped now: lead {signed(chosen.lead_now)} against {signed(other.lead_now)}, {verdict}"
    return Claim("difference", text, (chosen.lead_now, other.lead_now, better))


def _only(it: _Weighed, other: _Weighed) -> Iterator[Claim]:
    """Lists what one turn does and the other does not."""
    return (claim._replace(turn=str(it.turn)) for claim in it.effects if claim not in other.effects)


def contrast(position: AnyPosition, turn: Iterable[Any] | str, other: Iterable[Any] | str) -> tuple[list[Claim], ...]:
    """Lists what each of two turns does by the rules and the other does not.

    >>> import aquakit
    >>> mine, theirs = contrast(aquakit.start("romana2-5x4"), "b3=+@E4 xR1 *d", "b3=+@E4 x-")
    >>> mine[0].text, theirs[0].text
    ('Closes R1 at length 1: podium 1, 1 point', 'Lengthens R1 by 1, to 1: podium 1 if closed now')
    """
    why = position.room("board.why").why
    mine, theirs = (why(position, *read_turn(position, each)) for each in (turn, other))
    return [claim for claim in mine if claim not in theirs], [claim for claim in theirs if claim not in mine]
