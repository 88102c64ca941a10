"""Plots for notebooks: what is drawn, where, and that groups can be told apart without colour."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

import aquakit
from aquakit.drawing.plots import NEUTRAL
from aquakit.drawing.svg import COLOURS

plots = aquakit.plots


@pytest.fixture
def ax() -> Any:
    return Figure().subplots()


def texts(things: Any) -> list[str]:
    return [thing.get_text() for thing in things]


def ends(container: Any, upright: bool = True) -> tuple[float, float]:
    """Gets the ends of the bar that an error is drawn as."""
    (segment,) = container.lines[2][0].get_segments()
    return tuple(sorted(float(point[int(upright)]) for point in segment))


def test_means_have_two_errors_to_either_side(ax: Any) -> None:
    plots.means(pd.Series([3.0, -1.0], ["now", "later"]), pd.Series([0.5, 1.0], ["now", "later"]), ax=ax)
    assert [ends(container) for container in ax.containers] == [(2.0, 4.0), (-3.0, 1.0)]
    assert texts(ax.get_xticklabels()) == ["now", "later"]
    assert ax.get_legend() is None


def test_groups_are_the_second_level_of_the_index_and_keep_their_order(ax: Any) -> None:
    index = pd.MultiIndex.from_tuples(
        [("4 to 6", "free"), ("4 to 6", "taken"), ("10 to 12", "free")], names=["length", "podium"]
    )
    plots.means(pd.Series([1.0, 2.0, 3.0], index), pd.Series([0.1, 0.1, 0.1], index), ax=ax)
    assert texts(ax.get_xticklabels()) == ["4 to 6", "10 to 12"]
    assert texts(ax.get_legend().get_texts()) == ["free", "taken"]
    assert ax.get_legend().get_title().get_text() == "podium"
    signs = {line.get_marker() for line in ax.lines if line.get_label() in ("free", "taken")}
    assert len(signs) == 2


def test_numbers_of_playouts_are_spread_and_written_out(ax: Any) -> None:
    share, low, high = (pd.Series(values, [100, 6400]) for values in ([0.4, 0.8], [0.2, 0.6], [0.6, 0.9]))
    plots.shares(share, low, high, log=True, ax=ax)
    assert ax.get_xscale() == "log"
    assert texts(ax.get_xticklabels()) == ["100", "6,400"]
    assert ends(ax.containers[1]) == pytest.approx((0.6, 0.9))


def test_what_misses_the_line_is_a_cross(ax: Any) -> None:
    plots.means([1.0, 3.0, 9.0], [0.5, 0.5, 0.5], line=3.5, crosses=True, ax=ax)
    assert [container.lines[0].get_marker() for container in ax.containers] == ["x", "o", "x"]


def test_ratings_lie_sideways_the_first_on_top(ax: Any) -> None:
    bots = ["mcts:400", "greedy"]
    plots.intervals(*(pd.Series(v, bots) for v in ([120, 0], [40, -50], [210, 50])), sideways=True, line=0, ax=ax)
    assert texts(ax.get_yticklabels()) == bots
    assert ax.yaxis_inverted()
    assert ends(ax.containers[0], upright=False) == (40, 210)


def test_bars_of_players_have_their_colours_and_a_hatch(ax: Any) -> None:
    table = pd.DataFrame({"Red": [2.0, 1.0], "Green": [0.5, 3.0]}, ["opening", "end"])
    plots.bars(table, table / 10, colours="RG", ax=ax)
    red, green = (container for container in ax.containers if hasattr(container, "patches"))
    shades = [Figure().add_subplot().bar([0], [1], color=COLOURS[letter].light)[0].get_facecolor() for letter in "RG"]
    assert [red[0].get_facecolor(), green[0].get_facecolor()] == shades
    assert red[0].get_hatch() != green[0].get_hatch()
    assert not ax.texts, "errors are drawn, so no numbers are written"


def test_a_histogram_has_a_bar_for_each_whole_number(ax: Any) -> None:
    plots.histogram([-2, 0, 0, 1], ax=ax)
    assert [(bar.get_x() + 0.5, bar.get_height()) for bar in ax.patches] == [(-2, 1), (-1, 0), (0, 2), (1, 1)]


def test_what_lies_between_whole_numbers_is_counted_together(ax: Any) -> None:
    plots.histogram([-0.4, 0.2, 0.7, 1.5], ax=ax)
    assert [int(bar.get_height()) for bar in ax.patches][:3] == [1, 2, 1]


def test_whose_water_it_is_can_be_seen_without_colour(ax: Any) -> None:
    position = aquakit.start("romana2-5x4").play("b3=+@E4").play("d2=+@W1")
    plots.water(position.graph(), ax=ax)
    assert texts(ax.get_legend().get_texts())[-2:] == ["R1", "loose"]
    strokes = [line.get_linestyle() for line in ax.get_legend().get_lines()]
    assert len(set(strokes)) == len(strokes)
    assert {text.get_text() for text in ax.texts} >= {"R1"}
    assert texts(ax.get_xticklabels()) == list("abcde")


def test_canals_are_water_too_and_empty_segments_are_not(ax: Any) -> None:
    position = aquakit.start("aquadukt2-6x5", seed=4).play("spring 3.2").play("canal 3.2h, canal 4.2h")
    plots.water(position.graph(), ax=ax)
    assert texts(ax.get_legend().get_texts()) == ["canals"]


def test_plots_are_readable_on_any_ground(ax: Any) -> None:
    plots.scatter([1], [2], title="A dot is a game", x="loose tiles", y="lead", ax=ax)
    assert ax.get_facecolor()[3] == 0
    assert ax.title.get_color() == ax.xaxis.label.get_color() == NEUTRAL
