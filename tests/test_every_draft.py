"""What holds for the drafts of every game: they keep a position, take any change, and the game's reader judges them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import EVERY_GAME

import aquakit
from aquakit.board.draft import BaseDraft, draft
from aquakit.core.games import layout_names
from aquakit.core.notation import split_moment
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition


def edit(made: BaseDraft, data: st.DataObject, changes: int) -> BaseDraft:
    """Puts pieces and sets fields at random."""
    for _ in range(changes):
        if data.draw(st.booleans()):
            tools = data.draw(st.sampled_from(made.tools()))
            made = made.put(data.draw(st.sampled_from(tools.places)), data.draw(st.sampled_from(tools.ids)))
        else:
            field = data.draw(st.sampled_from(made.fields()))
            values = field.options or tuple(map(str, range(field.most + 1)))
            made = made.set(field.name, data.draw(st.sampled_from(values)))
    return made


@settings(max_examples=150)
@given(EVERY_GAME)
def test_a_draft_keeps_the_position_it_begins_with(p: Any) -> None:
    made = draft(p)
    assert made.text == split_moment(str(p))[0]
    assert made.problem() is None
    assert made == type(made)(str(p))
    if not p.played:
        assert made.position() == p
        assert made.changes(p) == {}


@settings(max_examples=80)
@given(EVERY_GAME, st.data())
def test_any_change_leads_to_a_draft_that_the_reader_judges(p: Any, data: st.DataObject) -> None:
    made = edit(draft(p), data, data.draw(st.integers(1, 12)))
    again = type(made)(made.text)
    for twin in (again, pickle.loads(pickle.dumps(made)), eval(repr(made), {"Draft": type(made)})):
        assert twin == made
        assert hash(twin) == hash(made)
        assert twin.fields() == made.fields()
    problem = made.problem()
    try:
        read = aquakit.parse(made.text)
    except AquakitError:
        assert isinstance(problem, InvalidPosition)
        with pytest.raises(InvalidPosition) as caught:
            made.position()
        assert str(caught.value) == str(problem)
    else:
        assert problem is None
        assert made.position() == read
        assert made.changes(read) == {}


@pytest.mark.parametrize("layout", layout_names())
def test_every_piece_can_be_put_on_every_of_its_places_and_is_told(layout: str) -> None:
    p = aquakit.start(layout)
    made = draft(p)
    places = [place for tools in made.tools() for place in tools.places]
    assert len(places) == len(set(places))
    for tools in made.tools():
        for place in tools.places:
            for piece in tools.ids:
                changes = made.put(place, piece).changes(p)
                assert changes == {place: piece} or (changes == {} and made.put(place, piece) == made)


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_what_is_put_and_taken_back_leaves_no_trace(p: Any, data: st.DataObject) -> None:
    made = edit(draft(p), data, 3)
    for tools in made.tools():
        for place in data.draw(st.lists(st.sampled_from(tools.places), max_size=5)):
            (former,) = [piece for piece in tools.ids if made.put(place, piece) == made]
            assert made.put(place, data.draw(st.sampled_from(tools.ids))).put(place, former) == made


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_what_is_put_by_clicking_and_taken_back_leaves_no_trace(p: Any, data: st.DataObject) -> None:
    made = draft(p)
    made = data.draw(st.sampled_from([made, made.balance(), edit(made, data, 3)]))
    for tools in made.tools():
        for place in data.draw(st.lists(st.sampled_from(tools.places), max_size=5)):
            (former,) = [piece for piece in tools.ids if made.put(place, piece) == made]
            piece = data.draw(st.sampled_from(tools.ids))
            clicked = made.put_and_fit(place, piece)
            assert clicked in (made.put(place, piece), made.put(place, piece).balance())
            assert made in (clicked.put(place, former), clicked.put(place, former).balance())


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_a_value_set_again_is_no_change(p: Any, data: st.DataObject) -> None:
    made = edit(draft(p), data, 3)
    names = [field.name for field in made.fields()]
    assert len(names) == len(set(names))
    for field in made.fields():
        assert made.set(field.name, field.value) == made


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_a_balanced_draft_is_balanced(p: Any, data: st.DataObject) -> None:
    made = edit(draft(p), data, 6)
    balanced = made.balance()
    assert balanced.balance() == balanced
    assert balanced.changes(p) == made.changes(p)


@pytest.mark.parametrize("layout", layout_names())
def test_every_icon_is_in_the_picture(layout: str) -> None:
    p = aquakit.start(layout)
    picture = p.svg()
    prefix = p.room("board.art").take_pen("light").prefix
    for tools in draft(p).tools():
        for icon in " ".join(piece.icon for piece in tools.pieces).split():
            assert f'id="{prefix}{icon}"' in picture


@pytest.mark.parametrize("layout", ["romana4", "aquadukt4"])
@pytest.mark.parametrize("wrong", ["", "z9", "c77", "R1", "7", None, 3, []])
def test_wrong_places_pieces_and_fields_are_refused(layout: str, wrong: Any) -> None:
    made = draft(aquakit.start(layout))
    with pytest.raises(InvalidOption, match=r"^place: "):
        made.put(wrong, "")
    with pytest.raises(InvalidOption, match=r"^field: "):
        made.set(wrong, "1")


@pytest.mark.parametrize("layout", ["romana4", "aquadukt4"])
@pytest.mark.parametrize("wrong", ["x", "-1", "01", "999", " 1", "", None, 1, []])
def test_values_of_the_wrong_kind_are_refused(layout: str, wrong: Any) -> None:
    made = draft(aquakit.start(layout))
    for name in ("player", "idle"):
        with pytest.raises(InvalidOption, match=f"^{name}: "):
            made.set(name, wrong)
    with pytest.raises(InvalidOption, match=r"^piece: "):
        made.put("c5", wrong or "nothing")


@settings(max_examples=200)
@given(EVERY_GAME, st.data())
def test_damaged_texts_are_held_or_refused_but_never_crash(p: Any, data: st.DataObject) -> None:
    text = str(p)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from(" ./,;*-!#:^_?0123456789sabcdjmfnewABFLJNSZ+|x\n<é"))
    damaged = text[:at] + letter + text[at + 1 :]
    kind = type(draft(p))
    try:
        made = kind(damaged)
    except InvalidPosition:
        with pytest.raises(InvalidPosition):
            type(p).parse(damaged)
    else:
        assert kind(made.text) == made
        made.balance().problem()


@pytest.mark.parametrize("text", [None, 3, "", "romana4", "nowhere 1 2 3 4 5 6 7 8"])
@pytest.mark.parametrize("layout", ["romana4", "aquadukt4"])
def test_texts_without_a_shape_are_refused(layout: str, text: Any) -> None:
    with pytest.raises(InvalidPosition):
        type(draft(aquakit.start(layout)))(text)


def test_a_draft_lies_on_its_own_board() -> None:
    made = draft(aquakit.start("romana4"))
    with pytest.raises(InvalidOption, match=r"^shown: lies on romana2"):
        made.changes(aquakit.start("romana2"))
    assert made != draft(aquakit.start("aquadukt4"))
