"""Values of positions by plain enumeration through the rules, to hold the solver against."""

from __future__ import annotations

from typing import Any


def lead(p: Any, me: int, last: int) -> int:
    """Gets a player's lead, with open aqueducts scored as at the end if the game goes on."""
    scores = (p if p.is_over or not hasattr(p, "stopped") else p.stopped(last)).scores()
    return scores[me - 1] - max(score for player, score in enumerate(scores, start=1) if player != me)


def value(p: Any, turns: int, me: int, last: int) -> float:
    """Gets the value after so many turns: one maximises, all others minimise, outcomes of the die are averaged."""
    if p.is_over or turns == 0:
        return lead(p, me, last)
    values = []
    for action in p.actions():
        after = p.act(action)
        ended = not after.played
        values.append(value(after, turns - ended, me, p.mover if ended else last))
    if p.is_chance:
        return sum(values) / len(values)
    return max(values) if p.player == me else min(values)


def best_turns(p: Any, turns: int) -> tuple[float, set[str]]:
    """Gets the value and all turns in which every decision is best for the one who decides."""
    me = p.player
    best, found = value(p, turns, me, p.mover), set()
    waiting = [(p, ())]
    while waiting:
        moment, actions = waiting.pop()
        for action in moment.actions():
            after = moment.act(action)
            ended = not after.played
            if value(after, turns - ended, me, moment.mover) == best:
                if ended or after.is_chance:
                    found.add(str(p.turn_type((*actions, action))))
                else:
                    waiting.append((after, (*actions, action)))
    return best, found
