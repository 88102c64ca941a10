"""Lays planned springs and canals by the kernel's rules, and counts what they are worth."""

from __future__ import annotations

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import NONE, OVER, SPRING, TURN, State, Work, X, Y
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Action
from aquakit.aquadukt.planner.canals.result import CanalStep, IllegalPlan
from aquakit.aquadukt.position import Position


class CanalBoard:
    """A board on which springs and canals are put as the kernel allows, whoever's turn it is."""

    def __init__(self, position: Position, player: int, *, against: bool) -> None:
        self.layout: Layout = position.layout
        self.state: State = position.state
        self.player, self.against = player, against
        self._work = Work.new(self.layout.sizes)

    def points(self) -> int:
        """Gets the player's points less the others', or alone, as the kernel counts them."""
        kernel.count_points(self.layout.tables, self.state, self._work)
        totals = self._work.total[: self.layout.players]
        mine = totals[self.player - 1]
        return 2 * mine - sum(totals) if self.against else mine

    def put(self, action: Action) -> CanalStep:
        """Carries out a spring or a canal; one that the rules forbid is a fault of the planner."""
        t, s = self.layout.tables, self.state
        list_codes = kernel.springs if action.what == "spring" else kernel.canals
        names = self.layout.point_index if action.what == "spring" else self.layout.segment_index
        place = names[action.point or action.segment]
        codes = self._work.actions[: list_codes(t, s, self._work, 0)]
        code = next((code for code in codes if code >> X & 2047 == place), NONE)
        if code == NONE:
            raise IllegalPlan(f"a planned action is not legal: {action}")
        dry = self._dry()
        if code & 7 == SPRING:
            way = "spring"
            kernel.place_spring(t, s, place)
        else:
            way = "double" if s.canal[place] else "start" if s.head[code >> Y] == NONE else "extend"
            kernel.dig(t, s, place, code >> Y)
        wet = tuple(self.layout.square_names[q] for q in sorted(dry - self._dry()))
        return CanalStep(str(action), way, wet, self.points())

    def _dry(self) -> set[int]:
        s = self.state
        return {q for q, tile in enumerate(s.tile) if kernel.FREE < tile < kernel.MOUNTAIN and s.supply[q] == 0}

    def finish(self) -> Position:
        """Gets the position, at the start of a turn of the player whose turn it was.

        If no canal is left that may be a round too late; then it is the next player's turn, or the end if there is
        no other player.
        """
        t, s = self.layout.tables, self.state
        s.phase, s.idle, s.rolls = TURN, 0, 0
        if kernel.ends_after(t, s, (s.player - 1) % t.players):
            s.player = (s.player + 1) % t.players
        if kernel.ends_after(t, s, (s.player - 1) % t.players):
            for region in range(t.regions):
                kernel.remove_dry_tiles(t, s, region)
            s.phase = OVER
        return Position(self.layout, s)
