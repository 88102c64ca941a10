"""Compact answers: the decisions that matter stand for all whole turns that contain them.

A compact answer is some tokens in the order of a turn. Every legal whole turn that contains them is best, and every
best turn contains those of some answer; so what changes nothing is left open. The same serves other answers that are
made of tokens, such as schedules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Generic, TypeVar

from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.words import count
from aquakit.errors import InvalidPosition
from aquakit.puzzle.model import LINE, Proof

ANY = "any"
"""The compact answer that stands for all there is."""
MOST_TURNS = 60_000
"""The most whole turns of a position that are looked through."""
Tokens = tuple[str, ...]
P = TypeVar("P", bound=AnyPosition)


def write(tokens: Sequence[str]) -> str:
    """Writes a compact answer."""
    return " ".join(tokens) or ANY


def read(answer: str) -> Tokens:
    """Reads a compact answer."""
    return () if answer == ANY else tuple(answer.split())


def contains(turn: Sequence[str], tokens: Sequence[str]) -> bool:
    """Checks whether a whole turn contains all tokens in this order.

    >>> contains(["c7=|@Nc", "xR2", "*b"], ["c7=|@Nc", "*b"]), contains(["*c", "*b"], ["*b", "*c"])
    (True, False)
    """
    rest = iter(turn)
    return all(token in rest for token in tokens)


def matches(position: AnyPosition, attempt: str, answer: str) -> bool:
    """Checks whether a legal whole turn, or the first one of a line, is among those that an answer stands for.

    As everywhere, a turn may leave out what is understood.
    """
    turn, _ = position.carry_out(attempt.split(LINE)[0])
    return contains([str(action) for action in turn], read(answer))


def shared_tokens(proof: Proof) -> Tokens:
    """Lists the tokens that all accepted answers have, in their order."""
    first, *rest = (read(answer) for answer in proof.accepted)
    return tuple(token for token in first if all(token in answer for answer in rest))


def decide(start: P, attempt: str) -> tuple[BaseTurn[Any], P]:
    """Carries out the player's own decisions of a turn; the picks of others, which come last, may be left out."""
    done, end = start.follow(start.turn_type.parse(attempt))
    if end.played and (understood := end.understood(None)) is not None:
        done.append(understood)
    own, moment = list[Any](), start
    for action in done:
        if moment.player != start.player:
            break
        moment = moment.act(action)
        own.append(action)
    if not own or (moment.played and moment.player == start.player):
        start.carry_out(attempt)  # says what is missing
    return start.turn_type(own), moment


def go_on(position: AnyPosition, done: Sequence[Any], line: str) -> str:
    """Gets how a line goes on after some actions, if it begins with them: the rest of the turn, and further turns."""
    first, *turns = line.split(LINE)
    whole = position.carry_out(first)[0]
    if tuple(whole[: len(done)]) != tuple(done):
        return ""
    rest = str(position.turn_type(whole[len(done) :]))
    return LINE.join([rest, *turns] if rest else turns)


# Compressing


def compress(turns: Iterable[Sequence[str]], best: Iterable[Sequence[str]], by: Callable[[str], int]) -> list[Tokens]:
    """Finds few short answers that stand for the best of all turns and for no other; `by` says which tokens decide.

    For each best turn that no answer stands for yet it takes a shortest one; of these the one that stands for most,
    then the one whose tokens decide. The same turns give the same answers, in whatever order they come.
    """
    return Compressing(turns, best, by).run()


class Compressing:
    """All turns, with a mask for each token: bit i is set where turn i contains it."""

    def __init__(self, turns: Iterable[Sequence[str]], best: Iterable[Sequence[str]], by: Callable[[str], int]) -> None:
        self.turns = sorted(tuple(turn) for turn in turns)
        self._by = by
        good = {tuple(turn) for turn in best}
        self.good = [turn in good for turn in self.turns]
        self.best = _mask(len(self.turns), [i for i, is_good in enumerate(self.good) if is_good])
        self._all = _mask(len(self.turns), range(len(self.turns)))
        places: dict[str, list[int]] = {}
        for i, turn in enumerate(self.turns):
            for token in set(turn):
                places.setdefault(token, []).append(i)
        self._masks = {token: _mask(len(self.turns), found) for token, found in places.items()}

    def run(self) -> list[Tokens]:
        """Finds the answers, sorted."""
        left, found = self.best, list[Tokens]()
        for i, turn in enumerate(self.turns):
            if left >> i & 1:
                answer = self._shortest(turn, left)
                found.append(answer)
                left &= ~_mask(len(self.turns), self._list(answer, left))
        return sorted(self._needed(found))

    def _shortest(self, turn: Tokens, left: int) -> Tokens:
        """Finds the shortest tokens of a best turn that only best turns contain."""
        order = sorted(range(len(turn)), key=lambda place: (self._by(turn[place]), place))
        for size in range(len(turn) + 1):
            chosen: Tokens | None = None
            most = 0
            for places in combinations(order, size):
                tokens = tuple(turn[place] for place in sorted(places))
                covered = (self._mask(tokens) & left).bit_count()
                if covered > most and self._is_sound(tokens):
                    chosen, most = tokens, covered
            if chosen is not None:
                return chosen
        raise AssertionError(f"a turn that is not best contains {write(turn)}")

    def _mask(self, tokens: Tokens) -> int:
        """Gets the turns that contain tokens, in whatever order."""
        mask = self._all
        for token in tokens:
            mask &= self._masks[token]
        return mask

    def _is_sound(self, tokens: Tokens) -> bool:
        """Checks that no turn contains these tokens but best ones."""
        return next(self._list(tokens, self._all & ~self.best), None) is None

    def _list(self, tokens: Tokens, among: int) -> Iterator[int]:
        """Lists which of some turns contain tokens in their order."""
        return (i for i in _bits(self._mask(tokens) & among) if contains(self.turns[i], tokens))

    def _needed(self, answers: list[Tokens]) -> Iterator[Tokens]:
        """Leaves out answers whose turns all have another answer, long ones first."""
        lists = {answer: list(self._list(answer, self.best)) for answer in answers}
        times = [0] * len(self.turns)
        for i in (i for found in lists.values() for i in found):
            times[i] += 1
        for answer in sorted(lists, key=lambda answer: (-len(answer), answer)):
            if all(times[i] > 1 for i in lists[answer]):
                for i in lists[answer]:
                    times[i] -= 1
            else:
                yield answer


def _mask(size: int, places: Iterable[int]) -> int:
    """Gets a number with the given bits set, quickly."""
    made = bytearray(size // 8 + 1)
    for i in places:
        made[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(made, "little")


def _bits(mask: int) -> Iterator[int]:
    """Lists the bits that are set, lowest first."""
    for start, byte in enumerate(mask.to_bytes(mask.bit_length() // 8 + 1, "little")):
        while byte:
            yield 8 * start + (byte & -byte).bit_length() - 1
            byte &= byte - 1


# The turns of a position


@dataclass(frozen=True)
class Sorted(Generic[P]):
    """The whole turns of a position, the best ones apart."""

    turns: list[Tokens]
    best: list[Tokens]
    lost: list[tuple[P, P]]
    """The moments before and after each decision with which the value was lost."""

    def compress(self, by: Callable[[str], int]) -> tuple[str, ...]:
        """Gets the compact answers, as texts; `by` says which tokens decide."""
        return tuple(sorted(map(write, compress(self.turns, self.best, by))))


def sort_turns(position: P, keeps: Callable[[P, P], bool]) -> Sorted[P]:
    """Lists all whole turns, and those among them whose every decision keeps the value.

    `keeps` tells whether the value can still be had after a decision, given the moments before and after it.
    """
    made: Sorted[P] = Sorted([], [], [])
    waiting: list[tuple[P, Tokens]] = [(position, ())]
    while waiting:
        moment, tokens = waiting.pop()
        for action in moment.actions():
            after, done = moment.act(action), (*tokens, str(action))
            if not keeps(moment, after):
                made.lost.append((moment, after))
                rests = islice(after.turns(), MOST_TURNS + 1) if after.played else [()]
                made.turns.extend((*done, *map(str, rest)) for rest in rests)
            elif after.played:
                waiting.append((after, done))
            else:
                made.turns.append(done)
                made.best.append(done)
            if len(made.turns) > MOST_TURNS:
                raise InvalidPosition("position", f"has more than {count(MOST_TURNS, 'whole turn')}", "fewer turns")
    return made
