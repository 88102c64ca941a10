"""Each ruling of the rules page by its id, and the rules around it, on positions made for them."""

from __future__ import annotations

import itertools
import re

import pytest
from aquadukt_crafted import craft, tokens

from aquakit.aquadukt import Layout, Position
from aquakit.errors import IllegalTurn, InvalidOption

BIG_MAP = """
game = "aquadukt"
name = "crowded"
title = "Twenty-four mountains with hardly room for them"
players = 2
tiles = [8, 8, 8, 4]
mountains = 24
springs = 5
canals = 36
spring_distance = 5
mountain_distance = 5
events = {{mineral = 24, foul = 0}}
map = '''
{map}
'''
"""


class TestQ1RegionMapIsData:
    def test_the_default_map_has_20_regions_of_4_to_6_squares(self) -> None:
        regions = Layout.load("aquadukt2").regions
        assert len(regions) == 20
        assert {len(squares) for squares in regions} == {4, 5, 6}
        assert sum(map(len, regions)) == 92

    def test_an_edited_map_changes_what_the_die_names(self) -> None:
        text = (Layout.folder / "aquadukt2.toml").read_text("utf-8")
        edited = text.replace("HHIFGGPPSSQQ", "HHFFGGPPSSQQ").replace('"aquadukt2"', '"mine"')
        p = Position.start(Layout.loads(edited)).act("roll").act("die 6")
        assert "c3" in {action.square for action in p.actions()}
        assert "c3" not in {action.square for action in Position.start("aquadukt2").act("roll").act("die 6").actions()}


class TestQ2SpringsAreFiveStepsApart:
    def test_steps_are_counted_along_grid_lines(self) -> None:
        p = craft(springs="6.4")
        legal = tokens(p, "spring")
        assert {"spring 6.8", "spring 2.4", "spring 4.2", "spring 6.4"}.isdisjoint(legal)
        assert {"spring 1.4", "spring 3.2", "spring 9.6", "spring 4.7"} <= legal
        with pytest.raises(IllegalTurn, match=r"6.8 is 4 steps from the spring on 6.4, fewer than 5 \[Q2\]"):
            p.act("spring 6.8")

    def test_the_rim_is_allowed_and_the_missing_corners_are_not_there(self) -> None:
        legal = tokens(craft(), "spring")
        assert len(legal) == 113
        assert "spring 0.1" in legal
        assert "spring 0.0" not in legal

    def test_no_spring_where_a_canal_touches(self) -> None:
        p = craft(springs="6.4", canals="6.4:eeeeee")
        assert "spring 11.4" not in tokens(p, "spring")
        assert "spring 12.4" not in tokens(p, "spring")
        with pytest.raises(IllegalTurn, match=r"a canal touches 12\.4"):
            p.act("spring 12.4")

    def test_only_while_springs_are_left(self) -> None:
        p = craft(springs="1.1,6.1,11.1,3.6,9.6")
        assert tokens(p, "spring") == set()
        with pytest.raises(IllegalTurn, match="no spring is left"):
            p.act("spring 6.8")


class TestQ3ArmsNeverTouch:
    def test_no_branching_crossing_touching_or_looping(self) -> None:
        # One arm of 3.3 has gone round: its end 4.4 lies beside 4.3 (its own point) and 3.4 is free.
        p = craft(springs="3.3,8.3", canals="3.3:en;8.3:w")
        assert tokens(p, "canal") == {
            *("canal 3.4h", "canal 4.4h", "canal 4.4v"),  # on from the end 4.4; 4.3v is the way it came
            *("canal 2.3h", "canal 3.3v", "canal 3.2v"),  # a second arm from the spring 3.3
            *("canal 6.3h", "canal 7.3v", "canal 7.2v"),  # on from the end 7.3
            *("canal 8.3h", "canal 8.3v", "canal 8.2v"),  # a second arm from the spring 8.3
            *("canal 3.3h", "canal 7.3h"),  # doubled from the springs on
        }

    def test_an_arm_does_not_reach_another_spring_or_arm(self) -> None:
        p = craft(springs="3.3,8.3", canals="3.3:eeee;8.3:n")
        assert "canal 7.3h" not in tokens(p, "canal")
        with pytest.raises(IllegalTurn, match=r"the far point of 7\.3h is not free \[Q3\]"):
            p.act("canal 7.3h")

    def test_at_most_two_arms_start_at_a_spring(self) -> None:
        p = craft(springs="3.3", canals="3.3:n;3.3:s")
        assert "canal 3.3h" not in tokens(p, "canal")
        with pytest.raises(IllegalTurn, match="no arm's end and at no spring with fewer than two arms"):
            p.act("canal 3.3h")

    def test_doubles_run_from_the_spring_on(self) -> None:
        p = craft(springs="3.3", canals="3.3:Nnn")
        assert "canal 3.4v" in tokens(p, "canal")
        with pytest.raises(IllegalTurn, match=r"the segment before 3\.5v is not double"):
            p.act("canal 3.5v")
        with pytest.raises(IllegalTurn, match=r"3\.3v is double already"):
            p.act("canal 3.3v")

    def test_a_segment_may_be_doubled_in_the_turn_it_was_laid(self) -> None:
        p = craft(springs="3.3").play("canal 3.3v, canal 3.3v")
        assert p.arms[0].steps == "N"

    def test_a_canal_at_a_time_while_canals_are_left(self) -> None:
        p = craft("aquadukt2-6x5", mountains=("a5", "f4"), springs="0.2", canals="0.2:EEEEen")
        assert p.canals_left == 2
        assert p.play("canal 4.2h, canal 5.2v").canals_left == 0
        assert p.play("canal 4.2h, stop").canals_left == 1


class TestQ4MountainsDoNotBlock:
    def test_a_double_canal_waters_two_squares_deep_behind_a_mountain(self) -> None:
        mountains = ("d5", "b8", "c8", "e8", "f8", "g8", "h8", "i8")
        p = craft(mountains=mountains, tiles={"d6": "A1"}, springs="3.4", canals="3.4:E")
        # The segment 3.4h lies between d4 and d5; behind the mountain on d5 stands a house.
        assert p.supply["d6"] == 1
        assert p.scores() == (1, 0)

    def test_at_the_rim_there_is_one_side(self) -> None:
        p = craft(springs="3.0", canals="3.0:E")
        assert {square: n for square, n in p.supply.items() if n} == {"d1": 2, "d2": 1}

    def test_missing_squares_are_nothing(self) -> None:
        p = craft(springs="1.0", canals="1.0:N")
        # West of 1.0v would lie the missing corner a1.
        assert {square: n for square, n in p.supply.items() if n} == {"b1": 2, "c1": 1}


class TestQ5SupplyCountsCanals:
    @pytest.mark.parametrize(
        ("springs", "canals", "supply"),
        [
            ("3.3", "3.3:e", 1),  # a single canal beside d4
            ("3.3", "3.3:E", 2),  # a double one beside it
            ("3.3", "3.3:en", 2),  # two single ones beside it
            ("5.6", "5.6:SSS", 1),  # a double one a square off
            ("5.6", "5.6:sss", 0),  # a single one a square off
        ],
    )
    def test_supply_of_d4(self, springs: str, canals: str, supply: int) -> None:
        assert craft(springs=springs, canals=canals).supply["d4"] == supply

    def test_two_doubles_each_one_square_off(self) -> None:
        # 2.3v lies west of c4, 5.3v east of e4: each a square off d4, on both sides.
        p = craft(springs="2.6,7.6", canals="2.6:SSS;7.6:WWSSS")
        assert p.supply["d4"] == 2

    def test_one_beside_it_and_a_double_one_square_off(self) -> None:
        # 3.3h is single below d4; 5.3v is double one square east of d4, behind e4.
        p = craft(springs="3.3,5.6", canals="3.3:e;5.6:SSS")
        assert p.supply["e4"] == 2
        assert p.supply["d4"] == 2


class TestQ6IdleGamesEnd:
    def test_after_three_rounds_in_which_nothing_was_put_down(self) -> None:
        p = craft(idle=5).act("roll").act("die 7").act("decline")
        assert p.is_over
        assert p.idle == 6

    def test_declining_a_later_roll_is_not_idle(self) -> None:
        p = craft(idle=5).play("roll, die 7, 3 e4, roll, die 8, decline")
        assert (p.idle, p.is_over, p.player) == (0, False, 2)

    def test_a_pass_counts_and_is_the_only_action_where_nothing_is_possible(self) -> None:
        canals = "1.1:NN;6.1:NNN;6.1:WW;11.1:NNNNNN;3.6:NN;3.6:SS;9.6:N"
        p = craft(springs="1.1,6.1,11.1,3.6,9.6", canals=canals, hands="0.0.0.0,0.0.0.0", player="2", idle=1)
        assert [str(action) for action in p.actions()] == ["pass"]
        assert p.play("pass").idle == 2

    def test_who_can_do_something_cannot_pass(self) -> None:
        with pytest.raises(IllegalTurn, match="another action is possible"):
            craft().act("pass")


def edited(name: str, **values: int) -> Layout:
    """Loads a built-in layout with other numbers, under a name of its own."""
    text = (Layout.folder / f"{name}.toml").read_text("utf-8").replace(f'"{name}"', '"mine"')
    for key, value in values.items():
        text, count = re.subn(rf"^{key} = \d+$", f"{key} = {value}", text, flags=re.MULTILINE)
        assert count == 1
    return Layout.loads(text)


def steps_between(p: Position) -> list[int]:
    """Counts the steps between any two of a position's mountains."""
    places = [divmod(p.layout.square_index[name], p.layout.columns) for name in p.mountains]
    return [abs(ay - by) + abs(ax - bx) for (ay, ax), (by, bx) in itertools.combinations(places, 2)]


class TestQ7EventsKeepMountainsApart:
    @pytest.mark.parametrize("name", ["aquadukt2", "aquadukt3", "aquadukt4", "aquadukt2-6x5"])
    def test_no_square_lies_beside_two_drawn_mountains(self, name: str) -> None:
        layout = Layout.load(name)
        for seed in range(2000):
            p = Position.start(layout, seed=seed, events=True)
            assert len(p.mountains) == layout.mountains
            squares = [layout.square_index[mountain] for mountain in p.mountains]
            beside = [other for q in squares for side in range(4) if (other := layout.neighbour(q, side)) is not None]
            assert len(beside) == len(set(beside))
            assert not set(beside) & set(squares)

    def test_drawings_are_seeded_and_reach_the_whole_map(self) -> None:
        starts = [Position.start("aquadukt2", seed=seed, events=True) for seed in range(300)]
        assert starts[7] == Position.start("aquadukt2", seed=7, events=True)
        assert {name for p in starts for name in p.mountains} == {
            name for region in starts[0].layout.regions for name in region
        }

    def test_without_events_mountains_stand_anywhere_and_as_they_always_did(self) -> None:
        p = Position.start("aquadukt2", seed=0)
        assert sorted(p.mountains) == ["d5", "e4", "e6", "f5", "g1", "h5", "h6", "l3"]
        assert min(min(steps_between(Position.start("aquadukt2", seed=seed))) for seed in range(20)) == 1

    def test_given_mountains_keep_their_distance_too(self) -> None:
        for near, steps in (("c4", "1 step"), ("d4", "2 steps"), ("c5", "2 steps")):
            with pytest.raises(InvalidOption, match=rf"^mountains: c3 and {near} are {steps} apart; .*3 steps .*Q7"):
                Position.start("aquadukt4", mountains=["c3", near, "f5", "h6"], events=True)
        for events in (True, "mmff"):
            p = Position.start("aquadukt4", mountains=["c3", "d5", "f4", "h6"], events=events)
            assert min(steps_between(p)) == 3

    def test_given_mountains_without_events_and_written_ones_stand_anywhere(self) -> None:
        side_by_side = ["c3", "c4", "f5", "h6"]
        p = Position.start("aquadukt4", mountains=side_by_side)
        assert set(p.mountains) == set(side_by_side)
        text = str(p).removesuffix("-") + "mmff"
        assert str(Position.parse(text)) == text

    def test_events_are_drawn_from_six_mineral_and_two_foul(self) -> None:
        starts = [Position.start("aquadukt3", seed=seed, events=True) for seed in range(300)]
        drawn = {"".join(sorted(p.mountains.values())) for p in starts}
        assert drawn == {"mmmmmm", "fmmmmm", "ffmmmm"}

    @pytest.mark.parametrize("distance", [1, 2, 6])
    def test_a_layout_may_say_another_distance(self, distance: int) -> None:
        layout = edited("aquadukt4", mountain_distance=distance)
        found = [min(steps_between(Position.start(layout, seed=seed, events=True))) for seed in range(300)]
        assert min(found) == distance

    # Drawing one mountain after the other hardly ever or never gets as many as there is room for.
    @pytest.mark.parametrize(
        ("name", "distance", "most"),
        [
            ("aquadukt2", 5, 8),
            ("aquadukt3", 6, 7),
            ("aquadukt4", 9, 4),
            ("aquadukt2-6x5", 3, 6),
            ("aquadukt2-6x5", 7, 2),
        ],
    )
    def test_what_can_be_drawn_is_drawn_and_what_cannot_is_an_error(self, name: str, distance: int, most: int) -> None:
        layout = edited(name, mountain_distance=distance, mountains=most, mineral=9)
        starts = [Position.start(layout, seed=seed, events=True) for seed in range(8)]
        assert all(min(steps_between(p)) >= distance for p in starts)
        assert len(set(starts)) > 1
        layout = edited(name, mountain_distance=distance, mountains=most + 1, mineral=9)
        with pytest.raises(InvalidOption, match=rf"^events: no room on mine for {most + 1} mountains .*\[Q7\]"):
            Position.start(layout, events=True)
        assert len(Position.start(layout).mountains) == most + 1

    def test_a_search_without_end_is_given_up_in_words(self) -> None:
        text = BIG_MAP.format(map="\n".join(["A" * 20] * 14))
        with pytest.raises(InvalidOption, match=r"^events: no drawing was found .*expected mountains given"):
            Position.start(Layout.loads(text), events=True)


class TestQ8AFullRegionIsRolledAgain:
    full = {"a7": "A1", "b7": "A2", "c8": "B1"}
    mountains = ("b8", "d8", "e8", "f8", "g8", "h8", "i8", "j8")

    def test_a_roll_names_a_region_with_a_free_square(self) -> None:
        p = craft(mountains=self.mountains, tiles=self.full).act("roll")
        assert p.is_chance
        assert "die 1" not in tokens(p, "die")
        assert len(p.actions()) == 19
        with pytest.raises(IllegalTurn, match="region 1 has no free square"):
            p.act("die 1")

    def test_such_a_throw_costs_none_of_the_three(self) -> None:
        p = craft(mountains=self.mountains, tiles=self.full)
        turn = "roll, die 7, 1 e4, roll, die 7, 2 f4, roll, die 8, 3 a2"
        assert turn in {str(found) for found in p.turns(dice=(1, 7, 1, 1, 7, 1, 8))}


class TestQ9RemovedHousesLeaveTheGame:
    def test_a_full_region_loses_its_dry_tiles_at_once_and_for_good(self) -> None:
        tiles = {"e3": "B4", "f3": "A2", "e4": "B1"}
        p = craft(tiles=tiles, springs="4.3", canals="4.3:e")
        p = p.play("roll, die 7, 1 f4, stop")
        # Only e3 and e4 have water; f3 and the new tile on f4 leave the game.
        assert p.tiles == {"e3": "B4", "e4": "B1"}
        assert p.hands[0] == (7, 7, 8, 4)

    def test_at_the_end_too(self) -> None:
        p = craft(tiles={"e3": "B4"}, hands="8.8.8.4,8.8.8.3", idle=5).play("roll, die 7, decline")
        assert p.is_over
        assert p.tiles == {}
        assert p.hands[1] == (8, 8, 8, 3)


class TestQ10TheLastRoundHasAllActions:
    def position(self, player: str) -> Position:
        # The arm along the middle holds all canals but two.
        return craft("aquadukt2-6x5", mountains=("a5", "f4"), springs="0.2", canals="0.2:EEEEE", player=player)

    def test_springs_and_houses_after_the_last_canal(self) -> None:
        p = self.position("1").play("canal 5.2h, canal 5.2h")
        assert (p.canals_left, p.player, p.is_over) == (0, 2, False)
        assert "spring 3.5" in tokens(p, "spring")
        assert tokens(p, "roll") == {"roll"}
        assert tokens(p, "canal") == set()
        assert p.play("spring 3.5").is_over

    def test_no_round_is_left_if_the_last_player_laid_it(self) -> None:
        assert self.position("2").play("canal 5.2h, canal 5.2h").is_over


class TestHouses:
    def test_only_the_lowest_value_on_a_watered_square(self) -> None:
        p = craft(springs="4.3", canals="4.3:e", hands="0.8.8.4,8.8.8.4").act("roll").act("die 7")
        assert {a.value for a in p.actions() if a.square == "e4"} == {2}
        assert {a.value for a in p.actions() if a.square == "f4"} == {2, 3, 4}
        with pytest.raises(IllegalTurn, match="only the lowest value, 2"):
            p.act("4 e4")
        with pytest.raises(IllegalTurn, match="no tile of value 1 left"):
            p.act("1 f4")
        with pytest.raises(IllegalTurn, match="lies in region 8, the die shows 7"):
            p.act("2 a2")

    def test_the_freed_squares_can_be_built_on_in_the_same_turn(self) -> None:
        tiles = {"e3": "B4", "f3": "A2", "e4": "B1"}
        p = craft(tiles=tiles).act("roll").act("die 7").act("1 f4").act("roll").act("die 7")
        assert {a.square for a in p.actions() if a.what == "house"} == {"e3", "f3", "e4", "f4"}

    def test_three_rolls_at_most(self) -> None:
        p = craft().play("roll, die 7, 1 e4, roll, die 7, 2 f4, roll, die 8, 3 a2")
        assert p.player == 2
        with pytest.raises(IllegalTurn, match="turn is complete before"):
            craft().play("roll, die 7, 1 e4, roll, die 7, 2 f4, roll, die 8, 3 a2, stop")

    def test_nothing_follows_decline(self) -> None:
        assert craft().play("roll, die 7, decline").player == 2

    def test_without_a_tile_there_is_no_roll(self) -> None:
        p = craft(hands="0.0.0.0,8.8.8.4")
        assert tokens(p, "roll") == set()
        with pytest.raises(IllegalTurn, match="player 1 has no tile left"):
            p.act("roll")
        p = craft(hands="1.0.0.0,8.8.8.4").play("roll, die 7, 1 e4")
        assert p.player == 2


class TestEnd:
    tail = {"springs": "1.1,6.1,11.1,3.6,9.6", "hands": "0.0.0.0,0.0.0.0"}
    canals = "1.1:NN;6.1:NNN;6.1:WW;11.1:NNNNNN;3.6:NN;3.6:SS"  # 34 of 36

    def test_the_round_is_finished_after_the_last_canal(self) -> None:
        p = craft(canals=self.canals, **self.tail).play("canal 9.6v, canal 9.6v")
        assert (p.canals_left, p.player, p.is_over) == (0, 2, False)
        assert p.play("pass").is_over

    def test_at_once_if_the_last_player_laid_it(self) -> None:
        p = craft(canals=self.canals, player="2", **self.tail).play("canal 9.6v, canal 9.6v")
        assert p.is_over

    def test_dry_tiles_are_removed_and_watered_houses_count(self) -> None:
        tiles = {"g2": "A4", "f2": "B3", "a5": "B2"}
        p = craft(canals=self.canals, tiles=tiles, player="2", **self.tail)
        assert p.scores() == (4, 3)
        p = p.play("canal 9.6v, canal 9.6v")
        assert p.tiles == {"g2": "A4", "f2": "B3"}
        assert p.scores() == (4, 3)
        assert p.winners() == (1,)

    def test_ties_go_to_more_watered_tiles(self) -> None:
        tiles = {"g2": "A4", "f2": "B3", "f3": "B1"}
        p = craft(canals=self.canals, tiles=tiles, player="2", **self.tail).play("canal 9.6v, canal 9.6v")
        assert p.scores() == (4, 4)
        assert p.watered_tiles() == (1, 2)
        assert p.winners() == (2,)


class TestEvents:
    def position(self, events: str, canals: str) -> Position:
        mountains = ("e5", "b8", "d8", "f8", "h8", "j8", "l7", "a7")
        order = ["b8", "d8", "f8", "h8", "j8", "a7", "l7", "e5"]
        kinds = dict.fromkeys(order, "m") | {"e5": events, "b8": "f", "d8": "f" if events == "m" else "m"}
        return craft(
            mountains=mountains, tiles={"e4": "A3", "e6": "B1"}, springs="4.3", canals=canals,
            events="".join(kinds[name] for name in order),
        )  # fmt: skip

    def test_mineral_adds_two_where_the_supply_is_two(self) -> None:
        assert self.position("m", "4.3:e").scores() == (3, 0)
        assert self.position("m", "4.3:E").scores() == (5, 0)

    def test_foul_takes_all_where_the_supply_is_less_than_two(self) -> None:
        assert self.position("f", "4.3:e").scores() == (0, 0)
        assert self.position("f", "4.3:E").scores() == (3, 0)

    def test_each_mineral_counts(self) -> None:
        mountains = ("b8", "d8", "f8", "h8", "j8", "l7", "e5", "d4")
        p = craft(mountains=mountains, tiles={"e4": "A3"}, springs="4.3", canals="4.3:E", events="ffmmmmmm")
        assert (p.mountains["e5"], p.mountains["d4"]) == ("m", "m")
        assert p.scores() == (3 + 2 + 2, 0)

    def test_players_do_not_see_them(self) -> None:
        p = self.position("m", "4.3:E")
        view = p.view()
        assert str(view).endswith(" ????????")
        assert view.scores() == (3, 0)
        assert view.actions() == p.actions()
        assert set(view.mountains.values()) == {"?"}
        assert Position.parse(str(view)) == view
        moment = p.act("roll")
        assert str(moment.view()).endswith(" ???????? : roll")

    def test_a_tile_made_worthless_still_counts_for_ties(self) -> None:
        p = self.position("f", "4.3:e")
        assert p.watered_tiles() == (1, 0)
        assert p.winners() == (1,)
