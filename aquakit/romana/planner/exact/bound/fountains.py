"""An upper bound on the extra tiles that can still come and matter."""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import State, Tables, sees


@kernel
def in_own_sight(t: Tables, s: State, me: int, p: int) -> bool:
    """Checks whether some own open workman sees a path square."""
    rest = s.open & t.mine[me]
    while rest:
        if sees(t, s, lowest_bit(rest), p):
            return True
        rest &= rest - 1
    return False
