"""What holds in every position that legal play reaches, on all layouts."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from random_games import ROMANA

from aquakit.romana import Position
from aquakit.romana.kernel import CODES, KIND_OF, KINDS


@settings(max_examples=150)
@given(ROMANA)
def test_nothing_is_lost(p: Position) -> None:
    """Builders and tiles are where the layout's supply is."""
    builders = Counter(p.builders.values()) + Counter(p.reserve) + Counter("".join(p.held))
    supply = Counter(dict(zip(KINDS, p.layout.builders, strict=True)))
    assert builders + Counter(dict(zip(KINDS, p.state.spare, strict=True))) == supply
    laid = Counter(KINDS[KIND_OF[CODES.index(tile)]] for tile in p.tiles.values())
    laid -= Counter(KINDS[KIND_OF[code]] for code in p.layout.printed.values())
    most = dict(zip(KINDS, p.layout.stock, strict=False))
    assert all(laid[kind] + left <= most[kind] for kind, left in p.stock.items())


@settings(max_examples=150)
@given(ROMANA)
def test_no_open_aqueduct_is_walled_in_at_a_turns_start(p: Position) -> None:
    """Closing by construction leaves no end that could never be extended [R8]."""
    if p.played:
        return
    reservoirs = {p.layout.square_names[q] for pair in p.layout.reservoirs.values() for q in pair}
    faced = Counter(a.facing for a in p.aqueducts)
    for a in p.aqueducts:
        if a.open and len(p.tiles) > len(p.layout.printed):
            assert a.facing is not None
            assert a.facing not in p.tiles
            assert a.facing not in reservoirs
            assert faced[a.facing] < 4


@settings(max_examples=100)
@given(ROMANA)
def test_podiums_are_never_higher_than_the_length_nor_overfull(p: Position) -> None:
    taken = Counter(a.podium for a in p.aqueducts if a.podium)
    assert all(count <= p.layout.podiums[podium - 1] for podium, count in taken.items())
    assert all(a.podium <= min(a.length, len(p.layout.podiums)) for a in p.aqueducts if a.podium)
    assert sum(p.scores()) <= sum(podium * count for podium, count in taken.items()) + 9 * 2


@settings(max_examples=60)
@given(ROMANA)
def test_closed_stays_closed_and_podiums_stay_taken(p: Position) -> None:
    before = {a.name: a.podium for a in p.aqueducts if not a.open}
    for action in p.actions()[:5]:
        after = {a.name: a.podium for a in p.act(action).aqueducts}
        assert all(after[name] == podium for name, podium in before.items())
