"""Themes come from the answer's line: each is found where a player would see it, and not where it is missing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from aquakit.aquadukt.puzzles import themes as themes_aquadukt
from aquakit.engine.solve import solve
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.making.sources import places
from aquakit.puzzle.model import LINE, Proof, Puzzle, PuzzleError
from aquakit.puzzle.themes import all_themes, find_themes, in_order
from aquakit.romana import Position
from aquakit.romana.board.why import standing
from aquakit.romana.puzzles import themes_studies
from aquakit.romana.puzzles.themes import TURNS, TurnsStory
from tests.aquadukt.aquadukt_crafted import craft as craft_city
from tests.romana.crafted import craft

SMALL = "romana2-5x4"
ALONE = "1!"


def has(theme: str, position: Position, line: str, *accepted: str, value: int = 0) -> bool:
    """Tells whether a line of turns has a theme; without answers given, its first turn is the only one."""
    turns = line.split(LINE)
    asked = Puzzle.draft("plan" if position.is_solo else "duel", str(position), len(turns))
    return TURNS[theme](TurnsStory(asked, Proof(value, accepted or (turns[0],), 1, line, "by hand", "nothing")))


# Tiles and water


def test_a_tile_before_a_rivals_end_walls_it_in() -> None:
    tiles = {"c7": "|", "c6": "L", "d6": "-", "h7": "|", "h6": "J", "g6": "-", "f6": "-"}
    p = craft("romana2", tiles=tiles, builders={"E6": "c"}, player="2")
    assert has("wall-in", p, "e6=7@E6 x- *j")
    assert not has("wall-in", craft(builders={"Nc": "s"}), "c7=|@Nc x-")


def test_walling_in_the_own_end_counts_only_while_play_goes_on() -> None:
    p = craft(tiles={"c7": "|", "c6": "L", "d7": "|"}, builders={"E6": "s", "Ng": "c"}, player=ALONE)
    assert not has("wall-in", p, "d6=-@E6 *j"), "after the last turn all is scored anyway"
    assert has("wall-in", p, "d6=-@E6 *j / +jNd e6=-@Nd x-")


def test_the_rim_is_an_end_of_its_own() -> None:
    p = craft(tiles={"c7": "J", "b7": "-"}, builders={"E7": "s", "Nd": "c"}, player=ALONE)
    line = "a7=-@E7 *d / +dNa d7=L@Nd x-"
    assert has("rim", p, line)
    assert not has("wall-in", p, line)
    walled = craft(tiles={"c7": "|", "c6": "L", "d7": "|"}, builders={"E6": "s", "Ng": "c"}, player=ALONE)
    assert not has("rim", walled, "d6=-@E6 *j / +jNd e6=-@Nd x-")


def test_one_tile_for_two_aqueducts_is_shared() -> None:
    p = craft(tiles={"c7": "|", "c6": "L", "d7": "|"}, builders={"E6": "b"})
    assert has("shared-tile", p, "d6=+@E6 x-")
    assert not has("shared-tile", craft(builders={"Nc": "b"}), "c7=+@Nc x-")


@pytest.mark.parametrize(("tile", "turn", "twice"), [("+", "d7=7@E6 x-", True), ("|", "d7=7@E6", False)])
def test_a_bridge_is_passed_twice_when_the_aqueduct_comes_back(tile: str, turn: str, twice: bool) -> None:
    p = craft(tiles={"c7": tile, "c6": "L", "d6": "J"}, builders={"E6": "c"}, reserve="", closed={"R3": 1})
    assert has("bridge-twice", p, turn) == twice


def test_water_that_runs_on_over_two_loose_segments_is_a_chain() -> None:
    chain = craft(tiles={"c6": "|", "c5": "|"}, builders={"Nc": "s"})
    assert has("loose-chain", chain, "c7=|@Nc x-")
    assert not has("loose-chain", craft(tiles={"c6": "|"}, builders={"Nc": "s"}), "c7=|@Nc x-")


def test_an_extra_tile_that_the_water_reaches_later_is_the_fountains() -> None:
    p = craft(builders={"W8": "s", "Sa": "s"}, player=ALONE)
    assert has("fountain", p, "b8=-@W8 a6=| x- / a7=|@Sa h5=| x-", "b8=-@W8")
    assert not has("fountain", p, "b8=-@W8 h5=| x- / a7=|@Na x-", "b8=-@W8")
    assert has("fountain", p, "b8=-@W8 h5=| x-", "b8=-@W8 h5=|"), "the answer names it"


def test_a_kind_that_is_used_up_lets_its_builder_lay_any_other() -> None:
    assert has("out-of-stock", craft(builders={"Nc": "s"}, stock="3.0.3.3"), "c7=L@Nc x-")
    assert not has("out-of-stock", craft(builders={"Nc": "j"}, reserve="csbd"), "c7=L@Nc x-")
    assert not has("out-of-stock", craft(builders={"Nc": "c"}), "c7=L@Nc x-")


# Closing and podiums


def test_closing_now_must_be_in_every_answer() -> None:
    p = craft(tiles={"c7": "|"}, builders={"E7": "s"})
    assert has("close-now", p, "c6=|@E7 xR2 *j", "xR2")
    assert not has("close-now", p, "c6=|@E7 xR2 *j", "c6=|@E7")
    assert not has("close-now", p, "c6=|@E7 x-", "x-")


def test_who_waits_comes_higher_later() -> None:
    p = craft(tiles={"c7": "|"}, builders={"E7": "s", "E6": "s"}, player=ALONE)
    line = "c6=|@E7 x- / c5=|@E6 x-"
    assert has("wait", p, line, "c6=|@E7 x-")
    assert not has("wait", p, line, "c6=|@E7"), "closing would be as good"
    assert not has("wait", p, "c6=|@E7 x-", "c6=|@E7 x-"), "nothing is higher at the end of this line"


def test_a_full_podium_squeezes_who_closes() -> None:
    p = craft(tiles={"c7": "|"}, builders={"E7": "s"}, closed={"Y1": 2})
    assert has("podium-squeeze", p, "c6=|@E7 xR2 *j")
    p = craft(tiles={"c7": "|"}, builders={"E7": "s"})
    assert not has("podium-squeeze", p, "c6=|@E7 xR2 *j")


def test_who_takes_a_rivals_podium_squeezes_the_rival() -> None:
    p = craft(tiles={"c7": "|", "h7": "|", "h6": "|"}, builders={"E7": "s"})
    assert has("podium-squeeze", p, "c6=|@E7 xR2 *j")
    assert not has("podium-squeeze", p, "c6=|@E7 x-")


# Builders


def test_the_joker_builds_or_is_picked() -> None:
    assert has("joker", craft(builders={"Nc": "j"}, reserve="csbd"), "c7=L@Nc x-")
    assert not has("joker", craft(builders={"Nc": "c"}), "c7=L@Nc x-")
    p = craft(tiles={"c7": "|"}, builders={"E7": "s"})
    assert has("joker", p, "c6=|@E7 xR2 *j", "xR2 *j")
    assert not has("joker", p, "c6=|@E7 xR2 *j", "xR2 *j", "xR2 *b")


def test_picks_and_placements_must_be_named_by_every_answer() -> None:
    p = craft(tiles={"c7": "|"}, builders={"E7": "s"})
    assert has("reserve-pick", p, "c6=|@E7 xR2 *b", "xR2 *b", "xR2 *c")
    assert not has("reserve-pick", p, "c6=|@E7 xR2 *b", "xR2")
    p = craft(held={1: "b"}, reserve="csdj", builders={"E7": "s"})
    assert has("placement", p, "+bNc c7=+@Nc x-", "+bNc")
    assert has("placement", p, "+bNc c7=+@Nc x-", "c7=+@Nc")  # from Sc, W7 and others it would be the same tile
    assert not has("placement", p, "+bNc c7=+@Nc x-", "c7=+@Nc", "any")
    free = [action.path for action in p.actions() if action.what == "place"]
    assert not has("placement", p, "+bNc c7=+@Nc x-", *(f"c7=+@{path}" for path in free))
    p = craft(held={1: "b"}, reserve="csdj", builders={"Nc": "s"})
    assert not has("placement", p, "+bNb c7=|@Nc x-", "c7=|@Nc")


def test_a_turn_without_a_tile_can_be_about_which_builder_moves_on() -> None:
    p = craft(builders={"Ng": "c", "Sa": "s"})
    assert has("advance", p, "@Ng", "@Ng")
    assert not has("advance", p, "@Ng", "any")


def test_the_same_tile_by_the_wrong_builder_is_another_turn() -> None:
    p = craft(builders={"Nc": "s", "W8": "s"})
    assert has("right-builder", p, "c7=|@Nc x-", "c7=|@Nc")
    assert not has("right-builder", p, "c7=|@Nc x-", "c7=|@Nc", "c7=|@W8")
    assert not has("right-builder", craft(builders={"Nc": "s"}), "c7=|@Nc x-", "c7=|@Nc")


def test_a_builder_that_one_moved_comes_into_sight_for_the_next_turn() -> None:
    p = craft(builders={"Nc": "c", "E7": "s"}, player=ALONE)
    assert has("builder-in-sight", p, "c7=L@Nc x- / d7=L@Nd *j")
    assert not has("builder-in-sight", p, "c7=L@Nc x- / d7=-@E7 *j"), "this one was in sight without help"


@pytest.mark.parametrize(("yellow", "hidden"), [({"h7": "|"}, True), ({"h7": "|", "h6": "|"}, False)])
def test_a_builder_leaves_the_next_rivals_sight(yellow: dict[str, str], hidden: bool) -> None:
    # Yellow stands in row 7 or in row 6, and Red's builder goes from E7 to E6.
    p = craft(tiles={"c7": "|"} | yellow, builders={"E7": "s"})
    assert has("builder-out-of-sight", p, "c6=|@E7 x-", "c6=|@E7") == hidden
    assert not has("builder-out-of-sight", p, "c6=|@E7 x-", "x-"), "by whom it is laid does not matter"


def test_a_builder_that_the_rival_does_not_need_may_be_seen_or_not() -> None:
    p = craft(tiles={"c7": "|", "h7": "|"}, builders={"E7": "s", "Sh": "s"})
    assert not has("builder-out-of-sight", p, "c6=|@E7 x-", "c6=|@E7"), "the other one lays the same tiles"


# Plans and threats


def test_less_now_for_more_later_is_an_investment() -> None:
    p = craft(tiles={"c6": "|", "c5": "|"}, builders={"Nc": "s", "Nd": "s"}, player=ALONE)
    assert has("invest", p, "d7=|@Nd x- / c7=|@Nc x-")
    assert not has("invest", p, "c7=|@Nc x- / d7=|@Nd x-")


MEETING = {"c7": "|", "c6": "L", "d6": "-", "h7": "|", "h6": "J", "g6": "-"}
"""Red comes from the west and Yellow from the east, on row 6."""


def test_an_aqueduct_escapes_from_being_walled_in() -> None:
    p = craft("romana2", tiles=MEETING | {"f6": "-"}, builders={"E6": "c"}, player="2")
    assert has("escape", p, "e6=J@E6 x- *j"), "Yellow could have laid a curve there"
    alone = {square: tile for square, tile in MEETING.items() if square < "e"}
    assert not has("escape", craft("romana2", tiles=alone, builders={"E6": "c"}, player="2"), "e6=J@E6 x-")


def test_a_rival_can_be_left_without_a_way_out() -> None:
    walls = {"f7": "-", "f5": "-"}
    p = craft("romana2", tiles=MEETING | walls, builders={"E6": "c"}, player="2")
    assert has("dead-end", p, "e6=7@E6 x-")
    assert not has("dead-end", craft("romana2", tiles=MEETING, builders={"E6": "c"}, player="2"), "e6=7@E6 x-")


def test_who_must_move_can_be_in_zugzwang() -> None:
    text = "romana2-5x4 F##+7/.LN../...FZ/L+##J ..cs./.b.d/..cs./.b.d dj -,- *.*,*.* 2.4.1.1 1 0"
    p = Position.parse(text)
    best = solve(p, turns=1)
    before = standing(p, 1)
    assert best.value is not None
    assert best.value < before[0] - before[1]
    assert has("zugzwang", p, str(best.turns[0]), value=int(best.value))
    start = Position.start(SMALL)
    best = solve(start, turns=1)
    assert not has("zugzwang", start, str(best.turns[0]), value=int(best.value or 0))


# What is no turn


def measure(kind: str, position: Position, line: str, given: dict[str, Any], horizon: int = 0) -> frozenset[str]:
    """Finds the themes of a line of a study that is no turn."""
    asked = Puzzle.draft(kind, str(position), horizon, given)
    worth = find_kind(kind).worth(asked, line)
    return find_themes(asked, Proof(worth, (line if kind == "timing" else f"any {worth}",), 1, line, "", ""))


def test_a_long_way_comes_back_takes_loose_tiles_and_rounds_corners() -> None:
    loop = measure("longest", craft(closed={"R3": 1}), "c7=+ c6=L d6=J d7=7 b7=-", {"aqueduct": "R2"})
    assert "bridge-twice" in loop
    assert not loop & {"corner", "loose-chain"}
    corner = measure("longest", craft(), "b8=-", {"aqueduct": "R1"})
    assert corner == {"corner"}
    loose = measure("longest", craft(tiles={"c6": "|", "c5": "|"}), "c7=|", {"aqueduct": "R2"})
    assert loose == {"loose-chain"}


def test_a_long_way_can_use_up_the_stock_and_help_another() -> None:
    few = measure("longest", craft(stock="3.1.3.3"), "c7=|", {"aqueduct": "R2"})
    assert few == {"last-tiles"}
    p = craft(tiles={"c7": "|", "c6": "L", "d7": "|"})
    assert measure("longest", p, "d6=+", {"aqueduct": "R2"}) == {"shared-tile"}


TWO_LONG = {"c7": "|", "c6": "|", "c5": "|", "h7": "|", "h6": "|", "h5": "|"}
"""R2 and Y1 are 3 long each."""


def test_a_round_later_the_podium_is_gone() -> None:
    p = craft(tiles=TWO_LONG, closed={"R1": 1, "R3": 7})
    growth = {"R2": [4, 4, 4], "Y1": [4, 4, 4]}
    assert measure("timing", p, "R2@1", {"growth": growth, "rivals": {"Y1": 1}}, 3) == {"close-now", "race"}
    assert measure("timing", p, "R2@1", {"growth": growth, "rivals": {"Y1": 3}}, 3) == {"close-now"}


def test_what_grows_is_closed_later() -> None:
    p = craft(tiles=TWO_LONG, closed={"R1": 1, "R3": 7})
    assert measure("timing", p, "R2@3", {"growth": {"R2": [4, 5, 6]}}, 3) == {"wait"}
    assert measure("timing", p, "R2@3", {"growth": {"R2": [3, 3, 3]}}, 3) == set()


def test_it_can_matter_what_is_closed_first() -> None:
    p = craft(tiles=TWO_LONG | {"d7": "|", "d6": "|"}, closed={"R1": 1})
    assert "order" in measure("timing", p, "R2@1 R3@2", {"growth": {"R2": [4, 4], "R3": [3, 5]}}, 2)
    assert "order" not in measure("timing", p, "R2@1 R3@2", {"growth": {"R2": [4, 4], "R3": [2, 2]}}, 2)


def test_what_must_stay_open_is_named_by_the_answer() -> None:
    p = craft(tiles=TWO_LONG, closed={"R1": 1, "R3": 7})
    asked = Puzzle.draft("timing", str(p), 2, {"growth": {"R2": [3, 3]}})
    assert "leave-open" in find_themes(asked, Proof(11, ("R2@-",), 1, "wait", "", ""))
    assert "leave-open" not in find_themes(asked, Proof(11, ("any",), 1, "wait", "", ""))


# Aquädukt


def watered(city: object, line: str, **given: object) -> frozenset[str]:
    """Finds the themes of some canals."""
    canals = line.count("canal")
    asked = Puzzle.draft("canals", str(city), canals, given)
    return find_themes(asked, Proof(0, ("by hand",), 1, line, "", ""))


def test_canals_show_what_they_are_about() -> None:
    city = craft_city(tiles={"d5": "A4", "d4": "A2", "e7": "B3"}, springs="3.4")
    found = watered(city, "canal 3.4h, stop")
    assert {"spring", "two-houses", "big-house", "all-watered"} <= found
    assert not found & {"double-canal", "shared-canal", "long-way", "two-arms", "cut-off"}


def test_a_second_canal_reaches_one_square_further() -> None:
    city = craft_city(tiles={"d6": "A3"}, springs="3.4")
    assert "double-canal" in watered(city, "canal 3.4h, canal 3.4h")
    assert "double-canal" not in watered(city, "canal 3.4v, canal 3.5h")


def test_water_for_a_rival_is_shared_or_kept_away() -> None:
    city = craft_city(tiles={"d5": "A2", "d4": "B3"}, springs="3.4")
    assert "shared-canal" in watered(city, "canal 3.4h, stop")
    assert "shared-canal" not in watered(city, "canal 3.4h, stop", alone=True)
    both = craft_city(tiles={"d5": "A3", "d4": "B3", "b4": "A1"}, springs="3.4")
    assert "cut-off" in watered(both, "canal 2.4h, canal 1.4h")


def test_canals_that_water_nothing_lead_to_one_that_does() -> None:
    city = craft_city(tiles={"g5": "A4"}, springs="3.4")
    found = watered(city, "canal 3.4h, canal 4.4h / canal 5.4h, canal 6.4h")
    assert "long-way" in found
    assert "two-arms" not in found


def test_two_arms_share_the_canals() -> None:
    city = craft_city(tiles={"d5": "A2", "b5": "A2"}, springs="3.4")
    assert "two-arms" in watered(city, "canal 3.4h, canal 2.4h / canal 1.4h, stop")


def built(city: object, roll: str, line: str) -> frozenset[str]:
    """Finds the themes of a house after a roll."""
    asked = Puzzle.draft("house", f"{city} : roll, {roll}", 0)
    return find_themes(asked, Proof(0, (line.split(",")[0],), 1, line, "", ""))


def test_houses_show_what_they_are_about() -> None:
    wet = craft_city(springs="0.4", canals="0.4:e", tiles={"b6": "B2"})  # a4 and a5 of region 4 have water
    assert built(wet, "die 4", "decline") == {"wait-for-the-die"}
    assert "dry-house" in built(wet, "die 4", "4 b4, stop")
    assert "big-house" in built(wet, "die 4", "4 b4, stop")
    assert "contested-house" in built(wet, "die 4", "4 b4, stop")
    assert "lowest-first" in built(wet, "die 4", "1 a4, stop")


def test_the_last_house_of_a_region_drives_out_the_dry() -> None:
    tiles = {"a4": "B2", "b4": "A1", "a5": "A1", "b5": "A1", "a6": "A1"}
    city = craft_city(tiles=tiles, springs="1.7", canals="1.7:s")
    found = built(city, "die 4", "1 b6, stop")
    assert {"last-house", "cut-off"} <= found


# All of them


def test_every_theme_that_can_be_found_is_described_for_people() -> None:
    found = {*TURNS, *themes_studies.LONGEST, *themes_studies.TIMING, *themes_aquadukt.CANALS, *themes_aquadukt.HOUSE}
    assert found == set(all_themes())
    assert in_order(frozenset(["invest", "zugzwang"])) == ("zugzwang", "invest")


def turn_round(text: str) -> str:
    """Turns names on the small board by half a turn, and exchanges the players, who sit opposite each other."""
    tiles = str.maketrans("LJF7", "7FJL")

    def square(name: str) -> str:
        return f"{'edcba'['abcde'.index(name[0])]}{5 - int(name[1])}"

    def path(name: str) -> str:
        return "SNWE"["NSEW".index(name[0])] + (
            "edcba"["abcde".index(name[1])] if name[0] in "NS" else str(5 - int(name[1]))
        )

    made = []
    for token in text.split():
        if found := re.fullmatch(r"([a-e]\d)=(.)(?:@(\w+))?", token):
            tail = f"@{path(found[3])}" if found[3] else ""
            made.append(f"{square(found[1])}={found[2].translate(tiles)}{tail}")
        elif token[0] == "@":
            made.append(f"@{path(token[1:])}")
        elif token[0] == "+":
            made.append(f"+{token[1]}{path(token[2:])}")
        else:
            made.append(token.translate(str.maketrans("RG", "GR")) if token[0] == "x" else token)
    return " ".join(made)


def turn_position(text: str) -> str:
    """Turns a position of the small board by half a turn, and exchanges the players."""
    fields = text.split()
    fields[1] = fields[1][::-1].translate(str.maketrans("LJF7", "7FJL"))
    sides = fields[2].split("/")
    fields[2] = "/".join([*sides[2:], *sides[:2]])
    for i in (4, 5):
        fields[i] = ",".join(reversed(fields[i].split(",")))
    fields[7] = str(3 - int(fields[7]))
    return " ".join(fields)


@pytest.mark.parametrize("seed", range(3))
def test_the_board_turned_round_has_the_same_themes(seed: int) -> None:
    for place in list(places(SMALL, seed))[2:6]:
        asked = Puzzle.draft("duel", str(place.position), 3)
        proof = find_kind("duel").prove(asked)
        turned = Puzzle.draft("duel", turn_position(asked.position), 3)
        accepted = tuple(sorted(map(turn_round, proof.accepted)))
        line = LINE.join(map(turn_round, proof.line.split(LINE)))
        again = Proof(proof.value, accepted, proof.margin, line, proof.method, proof.searched)
        assert find_themes(turned, again) == find_themes(asked, proof) == find_themes(asked, proof)


def test_a_mountain_is_what_it_is_about_if_without_its_event_another_answer_is_right() -> None:
    city = "aquadukt2-6x5 ..A3.._/.....^/.^..../B3A4B3A3../_..B4._ 3.3.0.0,3.3.0.0 3.4,3.0 3.4:ee;3.4:ww;3.0:nwww 4 1 0"
    themes = {}
    for events in ("fm", "-"):
        asked = Puzzle.draft("house", f"{city} {events} : roll, die 1", 2)
        themes[events] = find_themes(asked, find_kind("house").prove(asked))
    assert "mountain" in themes["fm"]
    assert "mountain" not in themes["-"]


def test_a_mountain_decides_too_where_no_canal_would_pay_without_its_event() -> None:
    hills = (
        "aquadukt3 _A4...A3C1A1..._/..^.^.A3B4..../.^B4.B3C3..C3A4../A3.....C3.B3A3.A1/.C3..A1A1C2..B1C1B1/"
        "B4C4A1B1.A1C4.^A4B4C4/^A3.C1A4B3.C3..^C2/_...C1C4A3B3..B3_ 0.7.0.0,4.7.1.0,2.5.0.0 4.2,8.7,11.3 "
        "4.2:NNNN;4.2:SS;8.7:EEe;8.7:www;11.3:E;11.3:ww 12 3 0"
    )
    asked = Puzzle.draft("canals", f"{hills} mmmfmf", 2)
    with pytest.raises(PuzzleError, match="0 canals can do as well"):
        find_kind("canals").prove(Puzzle.draft("canals", f"{hills} -", 2))
    assert "mountain" in find_themes(asked, find_kind("canals").prove(asked))
