"""Each ruling of the rules page by its id, on a position made for it."""

from __future__ import annotations

from typing import Any

import pytest
from crafted import craft, lengths, tiles_for, tokens

from aquakit.errors import IllegalTurn
from aquakit.romana import Layout, Position

ALL_CLOSED_4 = {f"{colour}{n}": 0 for colour in "RYGB" for n in (1, 2, 3)}


def only_open(*names: str) -> dict[str, int]:
    return {name: 0 for name in ALL_CLOSED_4 if name not in names}


Y1_BEFORE_R3: dict[str, Any] = {
    # Red's R3 and Yellow's Y1 stand before g7 from west and east; Red sees a curve, which walls Yellow in.
    "tiles": {"d7": "L", "e7": "-", "f7": "-", "h7": "J"},
    "builders": {"E7": "c"},
    "reserve": "s",
}

THREE_BY_THREE = """
game = "romana"
name = "three"
title = "The smallest board"
columns = 3
rows = 3
players = ["R", "G"]
reserve = ""
podiums = [1, 1, 2]
[stock]
c = 4
s = 4
b = 4
d = 4
[builders]
c = 3
s = 2
b = 0
d = 0
j = 0
[[reservoirs]]
colour = "R"
squares = ["a3", "b3"]
outlets = ["a3S"]
[[reservoirs]]
colour = "G"
squares = ["b1", "c1"]
outlets = ["c1N"]
"""


class TestR1StockIsLayoutData:
    def test_default_is_21_of_each_kind(self) -> None:
        assert Position.start("romana4").stock == {"c": 21, "s": 21, "b": 21, "d": 21}

    def test_a_layout_may_split_the_tiles_otherwise(self) -> None:
        layout = Layout.loads(THREE_BY_THREE.replace("s = 4", "s = 1"))
        assert Position.start(layout).stock["s"] == 1


class TestR2ReservoirsAreLayoutData:
    def test_aqueducts_of_a_player_follow_the_colours_and_outlets_in_order(self) -> None:
        names = [(a.name, a.owner) for a in Position.start("romana2").aqueducts]
        assert names == [(f"{c}{n}", p) for p, colours in ((1, "YB"), (2, "RG")) for c in colours for n in (1, 2, 3)]

    def test_outlets_face_the_squares_before_them(self) -> None:
        facing = [a.facing for a in Position.start("romana3").aqueducts]
        assert facing == ["c8", "d7", "e7", "f8", "k6", "j5", "j4", "k3", "f1", "e2", "d2", "c1"]


class TestR3NoTileJoinsTwoOutlets:
    def position(self, tiles: dict[str, str], **closed: int) -> Position:
        # R2 comes to d7 from the west and sees a curve; R3 comes from the north, off its outlet, and sees the joker.
        return craft(tiles={"c7": "L", **tiles}, builders={"Nd": "j", "Nc": "c"}, reserve="", closed=closed)

    def test_not_even_two_of_the_same_owner(self) -> None:
        assert tiles_for(self.position({}), "d7") == set("|L+N7")
        with pytest.raises(IllegalTurn, match=r"would join two aqueducts .*R3"):
            self.position({}).act("d7=J@Nd")

    def test_not_a_closed_one(self) -> None:
        assert tiles_for(self.position({}, R2=1), "d7") == set("|L+N")

    def test_not_one_of_length_0(self) -> None:
        # R2 has come down to c3; across c2 lies Blue's outlet B2 without a tile.
        column = {f"c{row}": "|" for row in range(3, 8)}
        p = craft(tiles=column, builders={"Sc": "j"}, reserve="")
        assert tiles_for(p, "c2") == set("LJZN")

    def test_not_through_a_loose_path_that_starts_and_ends_at_the_square(self) -> None:
        loop = {"e7": "7", "e6": "J", "d6": "L"}
        assert tiles_for(self.position(loop), "d7") == set("|L7")
        for tile in "+N":
            with pytest.raises(IllegalTurn, match="R3"):
                self.position(loop).act(f"d7={tile}@Nd")

    def test_a_loose_path_alone_may_be_passed_from_end_to_end(self) -> None:
        # Without R2 the same loose path leads R3 back to d7, which it crosses twice.
        loop = {"e7": "7", "e6": "J", "d6": "L"}
        p = craft(tiles=loop, builders={"Nd": "j"}, reserve="").act("d7=+@Nd")
        r3 = next(a for a in p.aqueducts if a.name == "R3")
        assert r3.squares == ("d7", "d6", "e6", "e7", "d7")
        assert (r3.length, r3.end, r3.facing) == (5, "d7", "c7")


class TestR4HeldBuildersOfAPlayerWithoutWorkmen:
    def test_stay_out_of_play(self) -> None:
        gone = {"Y1": 0, "Y2": 0, "Y3": 0}
        p = craft(closed=gone, held={2: "j"}, reserve="csbd")
        after = p.play("b8=F@Nc x-")
        assert after.player == 3
        assert after.held == ("", "j", "", "")
        assert "j" not in after.builders.values()


class TestR5NoLegalTile:
    def test_a_builder_in_sight_that_offers_none_counts_as_not_in_sight(self) -> None:
        # Red's only workman R2 stands above c4, Blue's B2 below it: a bridge would join them.
        column = {"c7": "|", "c6": "|", "c5": "|", "c3": "|", "c2": "|"}
        p = craft(tiles=column, builders={"Nc": "b", "Na": "j", "Sk": "s"}, closed=only_open("R2", "B2"), reserve="")
        assert p.phase == "advance"
        assert tokens(p) == {"@Nc", "@Na", "@Sk"}

    def test_no_builder_in_sight_advances_any_one_the_joker_too(self) -> None:
        p = craft(builders={"Na": "j", "Sk": "s"}, closed=only_open("R2"), reserve="")
        assert tokens(p) == {"@Na", "@Sk"}
        after = p.act("@Na")
        assert after.builders == {"Nb": "j", "Sk": "s"}

    def test_an_extension_that_exists_must_be_made(self) -> None:
        with pytest.raises(IllegalTurn, match="must be made"):
            Position.start("romana4").act("@Nc")

    def test_an_advance_past_a_fountain_brings_no_extra_tile(self) -> None:
        p = craft(builders={"Nk": "s"}, closed=only_open("R2"), tiles={"c7": "|"}, reserve="")
        assert p.act("@Nk").phase == "close"

    def test_nothing_in_stock_is_no_legal_tile(self) -> None:
        p = craft(stock="0.0.0.0")
        assert p.phase == "advance"


class TestR6ExtraTileBesideAnEnd:
    def test_not_before_any_end_open_or_closed_or_of_length_0(self) -> None:
        p = craft(
            tiles={"c7": "|", "d7": "L"},
            builders={"E1": "s"},
            closed={"R3": 1, "G3": 0},
            reserve="",
            player="3",
        )
        p = p.act("j1=-@E1")  # the builder passes the fountain to Sk
        assert p.phase == "extra"
        squares = {action.square for action in p.actions()}
        assert "e7" not in squares  # before R3, closed
        assert "h2" not in squares  # before G3, closed at length 0
        assert "i2" not in squares  # before G2, open at length 0
        assert "c6" not in squares  # before R2, open
        assert "k2" not in squares  # before G1, which has run on through the printed curve
        assert {"e6", "a4", "j2"} <= squares
        with pytest.raises(IllegalTurn, match=r"before the end of R3 .*R6"):
            p.act("e7=-")

    def test_none_where_every_empty_square_is_before_an_end(self) -> None:
        layout = Layout.loads(THREE_BY_THREE)
        p = craft(layout, tiles={"a1": "|", "b2": "|"}, builders={"Nc": "s"}, player="2").act("c2=|@Nc")
        assert p.builders == {"E3": "s"}
        assert p.phase == "close"


class TestR7OneExtraTileAtMost:
    def test_two_fountains_passed(self) -> None:
        # The builder on Nc steps over E3, E2 and E1 to Sc.
        layout = Layout.loads(THREE_BY_THREE)
        p = craft(layout, builders={"Nc": "s", "E3": "c", "E2": "c", "E1": "c"}, player="2").act("c2=|@Nc")
        assert p.builders["Sc"] == "s"
        assert tokens(p) == {"a1=|", "a1=-", "b2=|", "b2=-"}
        assert p.act("b2=-").phase == "close"

    def test_all_the_way_round_to_its_own_square(self) -> None:
        layout = Layout.loads(THREE_BY_THREE.replace("c = 3\ns = 2", "c = 11\ns = 1"))
        crowd = dict.fromkeys(layout.path_names, "c") | {"Na": "s"}
        p = craft(layout, builders=crowd)
        after = p.act("a2=|@Na")
        assert after.builders["Na"] == "s"
        assert after.phase == "extra"
        after = after.act("b2=|")
        assert after.phase == "close"


class TestR8FourEndsInOneEmptySquare:
    from_the_north = {"d7": "|", "d6": "|"}  # R3
    from_the_south = {"d2": "|", "d3": "|", "d4": "|"}  # B1
    from_the_west = {"b8": "F", "b7": "|", "b6": "|", "b5": "L", "c5": "-"}  # R1
    from_the_east = {"h7": "|", "h6": "|", "h5": "J", "g5": "-", "f5": "-"}  # Y1, one tile short

    def position(self, **fewer: str) -> Position:
        tiles = {**self.from_the_north, **self.from_the_south, **self.from_the_west, **self.from_the_east, **fewer}
        return craft(tiles=tiles, builders={"E5": "s"}, player="2")

    def test_all_four_are_closed(self) -> None:
        p = self.position().act("e5=-@E5")
        podiums = {a.name: a.podium for a in p.aqueducts if not a.open}
        assert podiums == {"Y1": 6, "B1": 3, "R1": 5, "R3": 2}

    def test_the_owners_pick_mover_first_then_clockwise(self) -> None:
        p = self.position().act("e5=-@E5")
        owners = []
        while p.phase == "pick":
            owners.append(p.player)
            p = p.act(p.actions()[0])
        assert owners == [2, 4, 1, 1]
        assert p.held == ("bd", "c", "", "s")

    def test_three_ends_leave_it_open(self) -> None:
        p = self.position(d4=".").act("e5=-@E5")
        assert p.phase == "close"
        assert all(a.open for a in p.aqueducts)


class TestR9VoluntaryClosing:
    def test_also_after_a_turn_without_a_tile(self) -> None:
        p = craft(tiles={"c7": "|"}, builders={"Na": "s"}, closed=only_open("R2"), reserve="c")
        p = p.act("@Na")
        assert tokens(p) == {"x-", "xR2"}
        assert p.act("xR2").phase == "pick"

    def test_not_of_length_0(self) -> None:
        p = craft(tiles={"c7": "|"}, builders={"Na": "s"}, closed=only_open("R1", "R2")).act("@Na")
        with pytest.raises(IllegalTurn, match=r"length 0 .*R9"):
            p.act("xR1")

    def test_not_after_an_own_one_was_closed_by_construction(self) -> None:
        # R1 has run through the printed curve to a7; the tile there turns it against the rim.
        p = craft(tiles={"b8": "-", "c7": "|"}, builders={"Na": "c"}, reserve="")
        assert lengths(p)["R1"] == 2
        p = p.act("a7=J@Na")
        assert p.player == 2
        assert next(a for a in p.aqueducts if a.name == "R1").podium == 3
        assert next(a for a in p.aqueducts if a.name == "R2").open

    def test_allowed_if_only_another_players_was_closed(self) -> None:
        p = craft(**Y1_BEFORE_R3).act("g7=7@E7")
        assert tokens(p) == {"x-", "xR3"}
        p = p.act("x-")
        assert (p.phase, p.player, p.mover) == ("pick", 2, 1)
        assert next(a for a in p.aqueducts if a.name == "Y1").podium == 1


class TestR10IdleRoundEndsTheGame:
    def test_as_many_turns_in_a_row_as_there_are_players(self) -> None:
        p = craft(builders={"Na": "s"}, tiles={"c7": "|"}, idle=3)
        p = p.play("@Na x-")
        assert p.is_over
        assert str(p).split(" ")[7:] == ["-", "4"]

    def test_a_tile_resets_the_count(self) -> None:
        assert craft(idle=3).play("b8=F@Nc x-").idle == 0

    def test_skipped_players_count(self) -> None:
        p = craft(builders={"Nc": "s"}, closed=only_open("R2"), tiles={"c7": "|"}, reserve="")
        p = p.play("c6=|@Nc x-")
        assert (p.player, p.idle) == (1, 3)
        assert p.play("@Nd x-").is_over

    def test_open_aqueducts_are_scored_from_the_last_tile_layer_on(self) -> None:
        # Red and Yellow both have length 2; the one whose turn ended last takes podium 2.
        tiles = {"c7": "|", "c6": "|", "h7": "|", "h6": "|"}
        state = {"tiles": tiles, "builders": {"Na": "s"}, "closed": only_open("R2", "Y1"), "reserve": ""}
        p = craft(player="1", idle=3, **state).play("@Na x-")
        assert {a.name: a.podium for a in p.aqueducts if a.length} == {"R2": 2, "Y1": 1}
        p = craft(player="2", idle=1, **state).play("@Na x-")
        assert p.is_over  # Green and Blue are skipped, and the count is full at Blue's turn
        assert {a.name: a.podium for a in p.aqueducts if a.length} == {"R2": 2, "Y1": 1}

    def test_no_picks_at_the_end(self) -> None:
        p = craft(builders={"Na": "s"}, tiles={"c7": "|"}, idle=3).play("@Na x-")
        assert p.reserve == "csbdj"


class TestR11Bonus:
    def test_two_workmen_on_one_podium_both_get_it(self) -> None:
        closed = {"R1": 7, "R2": 3, "R3": 2, "Y1": 7, "Y2": 3, "Y3": 1}
        p = craft(closed=ALL_CLOSED_4 | closed, player="-")
        assert p.scores() == (7 + 4 + 3 + 3 + 2 + 2, 7 + 4 + 3 + 3 + 1, 0, 0)

    def test_workmen_with_0_points_get_none(self) -> None:
        p = craft(closed=ALL_CLOSED_4 | {"R1": 1}, player="-")
        assert p.scores() == (5, 0, 0, 0)

    def test_the_printed_example(self) -> None:
        podiums = {"B": (17, 5, 0), "G": (14, 4, 1), "Y": (12, 6, 3), "R": (11, 7, 2)}
        closed = {f"{colour}{n}": value for colour, row in podiums.items() for n, value in enumerate(row, start=1)}
        red, yellow, green, blue = craft(closed=closed, player="-").scores()
        assert {"B": blue, "G": green, "Y": yellow, "R": red} == {"B": 26, "G": 22, "Y": 23, "R": 20}


class TestR12ReadyMadeArrangement:
    @pytest.mark.parametrize(
        ("layout", "path"),
        [
            ("romana2", "..cs...bd../b......s/..cs...bd../d......c"),
            ("romana3", "...cs.....b/...cs.../c.....bd.../d..bd..s"),
            ("romana4", "..cs...bd../b......s/..cs...bd../d......c"),
        ],
    )
    def test_of_the_default_layouts(self, layout: str, path: str) -> None:
        assert str(Position.start(layout)).split(" ")[2] == path

    def test_a_layout_without_one_spreads_the_kinds(self) -> None:
        layout = Layout.loads(THREE_BY_THREE.replace("c = 3\ns = 2\nb = 0\nd = 0", "c = 2\ns = 1\nb = 1\nd = 1"))
        # Five builders on twelve path squares: indices 0, 2, 4, 7, 9.
        assert Position.start(layout).builders == {"Na": "c", "Nc": "s", "E2": "b", "Sb": "d", "W1": "c"}

    def test_the_setup_places_the_same_builders_in_turn(self) -> None:
        p = Position.start("romana3", setup=True)
        players = []
        while p.phase == "setup":
            players.append(p.player)
            p = p.act(p.actions()[-1])
        assert players == [1, 2, 3] * 4
        assert p.player == 1
        assert sorted(p.builders.values()) == sorted("csbd" * 3)


class TestR13WhereTheExtraTileMayNotLie:
    def position(self) -> Position:
        # R2 ends on c7 and faces c6; R3 ends on e7, coming from the west, and faces f7. Green's builder passes E1|Sk.
        tiles = {"c7": "|", "d7": "L", "e7": "-"}
        return craft(tiles=tiles, builders={"E1": "s"}, reserve="", player="3").act("j1=-@E1")

    def test_only_the_square_that_an_end_faces(self) -> None:
        squares = {action.square for action in self.position().actions()}
        assert {"c6", "f7"}.isdisjoint(squares)
        # Neighbours of the tiles on which aqueducts end, but not before the end.
        assert {"b7", "e6", "d6"} <= squares

    def test_there_not_even_a_tile_that_does_not_join_on(self) -> None:
        # A straight from north to south on f7 would wall R3 in without joining it.
        with pytest.raises(IllegalTurn, match=r"before the end of R3 .*R13"):
            self.position().act("f7=|")

    def test_elsewhere_in_any_orientation(self) -> None:
        p = self.position()
        for square in ("b7", "e6"):
            assert {action.tile for action in p.actions() if action.square == square} == set("|-")


class TestR14KindOfTheExtraTile:
    def extra(self, builder: str, tile: str, **state: Any) -> Position:
        """Lays Green's tile on j1 with a builder that passes the fountain to Sk."""
        return craft(builders={"E1": builder}, reserve="", player="3", **state).act(f"j1={tile}@E1")

    def test_after_a_joker_that_of_the_tile_just_laid(self) -> None:
        assert {action.tile for action in self.extra("j", "-").actions()} == set("|-")
        assert {action.tile for action in self.extra("j", "J").actions()} == set("LJF7")

    def test_after_a_substitute_that_of_the_tile_just_laid(self) -> None:
        p = self.extra("s", "+", stock="5.0.5.5")
        assert {action.tile for action in p.actions()} == set("+")

    def test_any_if_that_kind_is_gone_by_then(self) -> None:
        assert {action.tile for action in self.extra("j", "-", stock="5.1.0.5").actions()} == set("LJF7ZN")
        assert {action.tile for action in self.extra("s", "-", stock="5.1.0.5").actions()} == set("LJF7ZN")

    def test_none_if_nothing_is_left(self) -> None:
        assert self.extra("j", "-", stock="0.1.0.0").phase == "close"


class TestR15SeveralPicks:
    def test_all_of_one_player_before_the_next(self) -> None:
        # As for [R8], but Red, whose R1 and R3 both end before d5, lays the last tile.
        four = TestR8FourEndsInOneEmptySquare
        tiles = four.from_the_north | four.from_the_south | four.from_the_west | four.from_the_east | {"e5": "-"}
        p = craft(tiles={**tiles, "d6": "."}, builders={"Nd": "s"}).act("d6=|@Nd")
        picked = []
        while p.phase == "pick":
            picked.append(p.player)
            p = p.act(p.actions()[0])
        assert picked == [1, 1, 2, 4]
        assert p.held == ("cs", "b", "", "d")


class TestS1StudyPosition:
    def test_the_others_take_no_turns_and_pick_nothing(self) -> None:
        p = craft(**Y1_BEFORE_R3, player="1!").play("g7=7@E7 x-")
        assert (p.player, p.is_solo) == (1, True)
        assert next(a for a in p.aqueducts if a.name == "Y1").podium == 1
        assert (p.reserve, p.held) == ("s", ("", "", "", ""))

    def test_the_player_alone_picks(self) -> None:
        p = craft(**Y1_BEFORE_R3, player="1!").play("g7=7@E7 xR3 *s")
        assert (p.reserve, p.held[0], p.phase) == ("", "s", "place")

    def test_the_idle_count_stays_and_nothing_ends(self) -> None:
        p = craft(builders={"Na": "s"}, closed=only_open("R2"), player="1!", idle=2)
        for _ in range(6):
            p = p.play(str(next(p.turns())))
            assert (p.player, p.idle, p.is_over) == (1, 2, False)

    def test_without_a_workman_there_is_no_further_action(self) -> None:
        p = craft(builders={"Na": "s"}, tiles={"c7": "|"}, closed=only_open("R2"), player="1!", reserve="")
        p = p.play("@Na xR2")
        assert p.is_over
        assert p.actions() == []
        assert str(p).endswith(" 1! 0")

    def test_solo_makes_one_of_any_turns_start(self) -> None:
        p = Position.start("romana4").solo(3)
        assert str(p).split(" ")[7] == "3!"
        assert p.play(next(p.turns())).player == 3


class TestS2ValueOfAPlan:
    def test_open_aqueducts_count_without_bonus(self) -> None:
        p = craft(tiles={"c7": "|", "c6": "|", "d7": "|"}, closed={"R1": 5, "B1": 2}, player="1!")
        # R2 of length 2 finds podium 2 taken and goes to 1; then R3 of length 1 finds none.
        assert p.study_points() == 5 + 1 + 0

    def test_there_is_no_bonus_at_any_time(self) -> None:
        p = craft(builders={"Na": "s"}, tiles={"c7": "|"}, closed=only_open("R2") | {"B1": 5}, player="1!", reserve="")
        assert p.scores() == (0, 0, 0, 5)
        after = p.play("@Na xR2")
        assert after.is_over
        assert after.scores() == (after.study_points(), 0, 0, 5) == (1, 0, 0, 5)
        assert after.stopped(1).scores() == (1 + 3, 0, 0, 5 + 4)
