"""The podium race as a chart: everything in it can be read without colour."""

from __future__ import annotations

import matplotlib as mpl
import pytest

from aquakit.drawing.plots import STROKES
from aquakit.errors import InvalidOption
from aquakit.romana import Position
from aquakit.romana.planner.timing.result import Timing
from aquakit.romana.planner.timing.timing import timing

mpl.use("Agg")

FAST = {"R1": [2, 4, 6], "R2": [3, 3, 3], "Y1": [3, 5, 6], "G1": {"lengths": [2, 2], "ends": 2}}


@pytest.fixture(scope="module")
def result() -> Timing:
    return timing(Position.start("romana4"), rounds=3, growth=FAST, rivals=[{}, {"Y1": 1}])


def boxes(axes) -> dict[str, tuple[float, float]]:
    return {text.get_text(): text.get_position() for text in axes.texts}


def test_every_workman_stands_at_its_podium_with_its_name(result: Timing) -> None:
    axes = result.race(scenario=0)
    places = boxes(axes)
    for workman in result.takings(0):
        x, y = places[workman.aqueduct]
        assert abs(y - workman.podium) <= 0.25
        if workman.round is not None:
            assert workman.round <= x < workman.round + 1


def test_each_player_has_a_stroke_and_a_name(result: Timing) -> None:
    axes = result.race()
    lines = {line.get_label(): line.get_linestyle() for line in axes.get_lines() if line.get_label()[0] != "_"}
    assert list(lines) == ["Red (plans)", "Yellow", "Green", "Blue"]
    assert list(lines.values()) == list(STROKES)


def test_a_drop_from_a_full_podium_is_shown(result: Timing) -> None:
    axes = result.race(scenario=0)
    crosses = [line.get_ydata()[0] for line in axes.get_lines() if line.get_marker() == "x"]
    wanted = [w.length for w in result.takings(0) if w.length > w.podium]
    assert sorted(crosses) == sorted(wanted)


def test_the_title_names_the_scenario(result: Timing) -> None:
    assert "scenario 2 of 2" in result.race(scenario=1).get_title()
    with pytest.raises(InvalidOption, match="scenario"):
        result.race(scenario=2)


def test_it_can_be_drawn_into_given_axes(result: Timing) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert result.race(axes) is axes


def test_the_ground_shows_through(result: Timing) -> None:
    axes = result.race()
    assert axes.figure.patch.get_alpha() == 0
    assert axes.get_facecolor()[3] == 0
