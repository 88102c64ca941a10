"""What holds for the drafts of every game: they keep a position, take any change, and the game's reader judges them."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import EVERY_GAME

import aquakit
from aquakit.board.draft import BaseDraft, Tools, draft
from aquakit.core.games import layout_names
from aquakit.core.notation import split_moment
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition


def edit(made: BaseDraft, data: st.DataObject, changes: int) -> BaseDraft:
    """Puts pieces and sets fields at random."""
    for _ in range(changes):
        if data.draw(st.booleans()):
            tools = data.draw(st.sampled_from(on_board(made)))
            made = made.put(data.draw(st.sampled_from(tools.places)), data.draw(st.sampled_from(tools.ids)))
        else:
            field = data.draw(st.sampled_from(made.fields()))
            made = made.set(field.name, data.draw(st.sampled_from(field.values)))
    return made


def on_board(made: BaseDraft) -> list[Tools]:
    """Lists the palettes whose pieces are put on places of the board."""
    return [tools for tools in made.tools() if tools.places]


def move(made: BaseDraft, data: st.DataObject) -> BaseDraft:
    """Takes something up and puts it where it can be put, or away."""
    grip = data.draw(st.sampled_from(made.grips()))
    tools = made.palette(grip.title)
    return made.move(grip, data.draw(st.sampled_from([*tools.places, *tools.beside, ""])))


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
    for tools in on_board(made):
        for place in data.draw(st.lists(st.sampled_from(tools.places), max_size=5)):
            (former,) = [piece for piece in tools.ids if made.put(place, piece) == made]
            assert made.put(place, data.draw(st.sampled_from(tools.ids))).put(place, former) == made


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_what_is_dropped_and_taken_back_leaves_no_trace_on_a_balanced_draft(p: Any, data: st.DataObject) -> None:
    made = draft(p).balance()
    for tools in on_board(made):
        for place in data.draw(st.lists(st.sampled_from(tools.places), max_size=5)):
            (former,) = [piece for piece in tools.ids if made.put(place, piece) == made]
            dropped = made.drop(tools.title, data.draw(st.sampled_from(tools.ids)), place)
            assert dropped.balance() == dropped
            assert dropped.drop(tools.title, former, place) == made


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_whatever_is_moved_what_was_balanced_stays_so_and_what_was_set_otherwise_stays_too(
    p: Any, data: st.DataObject
) -> None:
    balanced, edited = draft(p).balance(), edit(draft(p), data, 3)
    for _ in range(4):
        balanced = move(balanced, data)
        assert balanced.balance() == balanced
    was = {field.name: field.value for field in edited.fields()}
    right = {field.name: field.value for field in edited.balance().fields()}
    moved = move(edited, data)
    now = {field.name: field.value for field in moved.fields()}
    assert all(now[name] == was[name] for name in was if was[name] != right[name] and "held" not in name)


@settings(max_examples=60)
@given(EVERY_GAME, st.data())
def test_a_piece_moved_there_and_back_leaves_no_trace(p: Any, data: st.DataObject) -> None:
    made = draft(p).balance()
    taken = [grip for grip in made.grips() if "=" not in grip.on]
    assume(taken)
    grip = data.draw(st.sampled_from(taken))
    free = [place for place in made.palette(grip.title).places if place not in {other.on for other in taken}]
    assume(free)
    target = data.draw(st.sampled_from(free))
    moved = made.move(grip, target)
    assert moved.grip(target).piece == grip.piece
    assert moved.move(moved.grip(target), grip.on) == made
    assert made.move(grip, "").drop(grip.title, grip.piece, grip.on) == made


@settings(max_examples=80)
@given(EVERY_GAME, st.data())
def test_what_is_wrong_is_said_in_words_and_named(p: Any, data: st.DataObject) -> None:
    made = edit(draft(p), data, data.draw(st.integers(1, 8)))
    trouble = made.trouble()
    assert (trouble is None) == (made.problem() is None)
    if trouble is not None:
        fields = {field.name for field in made.fields()}
        assert set(trouble.fields) <= fields
        assert not set(trouble.on) & fields
        codes = r"builders? [csbdj]\b|tiles? [csbd]\b|\bs[1-9]\b|[1-9]!|\(\*\)|:[nesw]+\b|times [mf]\b"
        assert not re.search(codes, trouble.text, re.IGNORECASE), trouble.text
        assert not re.search(r"\b[ABCD][1-4]\b", trouble.text), trouble.text  # squares have small letters


@pytest.mark.parametrize("layout", layout_names())
def test_every_field_and_piece_is_named_in_words(layout: str) -> None:
    made = draft(aquakit.start(layout))
    for field in made.fields():
        assert all(len(option.label) > 1 and "!" not in option.label for option in field.options)
        assert len({option.label for option in field.options}) == len(field.options)
    for tools in made.tools():
        assert all(piece.kind for piece in tools.pieces)
        for piece in tools.ids:
            ring = [piece]
            while (turned := tools.turned(ring[-1])) != piece:
                ring.append(turned)
            assert len({tools.find(each).kind for each in ring}) == 1
            assert tools.turned(ring[-1], -1) == (ring[-2] if len(ring) > 1 else piece)


@pytest.mark.parametrize("layout", ["romana4", "aquadukt4"])
@pytest.mark.parametrize("wrong", ["", "z9", "workman=Q9", "podium=99", "player=9", "held=9c", "held", None])
def test_wrong_grips_targets_and_palettes_are_refused(layout: str, wrong: Any) -> None:
    made = draft(aquakit.start(layout))
    grip = made.grips()[0]
    with pytest.raises(InvalidOption, match=r"^place: "):
        made.grip(wrong)
    with pytest.raises(InvalidOption, match=r"^place: "):
        made.drop(grip.title, grip.piece, wrong)
    with pytest.raises(InvalidOption, match=r"^palette: "):
        made.drop(wrong, grip.piece, grip.on)
    with pytest.raises(InvalidOption, match=r"^piece: "):
        made.drop(grip.title, "none such", grip.on)
    if wrong:
        with pytest.raises(InvalidOption, match=r"^place: "):
            made.move(grip, wrong)


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
