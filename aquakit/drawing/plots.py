"""Plots for notebooks, in the field's words: means with their errors, shares with their intervals, distributions.

All of them can be read on light and on dark ground and without colour. A plot is drawn on new axes unless `ax` is
given, and the axes come back, for whatever else one wants to draw there.

>>> from matplotlib.figure import Figure
>>> means({"greedy": 2.0, "random": -2.0}, {"greedy": 0.5, "random": 0.5}, ax=Figure().subplots()).get_ylabel()
'mean ± 2 errors'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from aquakit.drawing.svg import COLOURS

NEUTRAL = "#767676"
"""Readable on light and on dark ground."""
STROKES = ("-", "--", "-.", ":")
"""The players' lines, so that they can be told apart without colour."""
SHADES = ("#2a7fb8", "#c8651b", "#3a8f5c", "#9a5bb5")
SIGNS = ("o", "s", "^", "D")
HATCHES = ("", "//", "..", "xx")
"""What tells groups apart: shades on points and bars, and signs and hatches for whoever does not see them."""
WIDE, HIGH = 6.5, 3.4
"""The usual size in inches."""
ERRORS = 2
"""So many standard errors are drawn to either side: they catch the true mean about 19 times in 20."""


# What all plots share


def dress(ax: Any, title: str, x: str, y: str) -> None:
    """Gives a plot its title and the names of its axes, with only these two drawn and nothing behind them."""
    ax.set_facecolor("none")
    ax.set_title(title, color=NEUTRAL, fontsize="medium")
    ax.set_xlabel(x, color=NEUTRAL)
    ax.set_ylabel(y, color=NEUTRAL)
    ax.tick_params(colors=NEUTRAL)
    for name, spine in ax.spines.items():
        spine.set_color(NEUTRAL)
        spine.set_visible(name in ("left", "bottom"))


def panels(number: int, *, wide: float = 9, high: float = HIGH) -> list[Any]:
    """Makes axes side by side, which share their height, to draw plots on.

    >>> len(panels(2))
    2
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, number, sharey=True, figsize=(wide, high), layout="constrained", squeeze=False)
    figure.patch.set_alpha(0)
    return list(axes[0])


def _axes(ax: Any, high: float = HIGH) -> Any:
    return panels(1, wide=WIDE, high=high)[0] if ax is None else ax


def _rule(ax: Any, at: float | None, *, upright: bool) -> None:
    """Draws the line to compare with."""
    if at is not None:
        (ax.axvline if upright else ax.axhline)(at, color=NEUTRAL, linewidth=1, linestyle="--", zorder=0)


def _legend(ax: Any, title: str | None = None) -> None:
    if ax.get_legend_handles_labels()[1]:
        ax.legend(frameon=False, labelcolor=NEUTRAL, title=title).get_title().set_color(NEUTRAL)


def _table(values: Any) -> Any:
    """Makes a table with a column for each group: one, or several by the second level of the index."""
    import pandas as pd

    if isinstance(values, pd.DataFrame):
        return values
    made = pd.Series(values)
    if made.index.nlevels == 1:
        return made.to_frame("")
    return made.unstack().reindex(index=made.index.unique(0), columns=made.index.unique(1))


def _places(ax: Any, index: Any, *, sideways: bool, log: bool = False) -> list[float]:
    """Gets where the rows of a table are drawn: numbers where they lie, words one after the other."""
    from pandas.api.types import is_numeric_dtype

    axis = ax.yaxis if sideways else ax.xaxis
    if log:
        ax.set_xscale("log")
        ax.minorticks_off()
    if log or not is_numeric_dtype(index):
        places = list(index) if log else list(map(float, range(len(index))))
        axis.set_ticks(places, [f"{row:,}" if log else str(row) for row in index])
        return places
    axis.get_major_locator().set_params(integer=True)
    return list(index)


# Means and shares


def means(
    values: Any,
    errors: Any,
    *,
    title: str = "",
    x: str = "",
    y: str = "mean ± 2 errors",
    line: float | None = 0.0,
    joined: bool = False,
    log: bool = False,
    sideways: bool = False,
    crosses: bool = False,
    ax: Any = None,
) -> Any:
    """Draws means with two standard errors to either side, and the line to compare them with.

    `values` and `errors` are pandas Series; the second level of their index, or the columns of a table, are groups.
    What the index says stands below, or on the left if the plot lies `sideways`; `log` spreads numbers of playouts and
    the like. With `crosses`, what misses the line by more than two errors is a cross.

    >>> from matplotlib.figure import Figure
    >>> axes = means([1.0, 3.0], [0.5, 0.5], line=2.5, crosses=True, ax=Figure().subplots())
    >>> [drawn.lines[0].get_marker() for drawn in axes.containers]
    ['x', 'o']
    """
    table, spread = _table(values), ERRORS * _table(errors)
    look = _Look(line, joined=joined, log=log, sideways=sideways, crosses=crosses)
    return _draw_points(table, spread, spread, look, {"title": title, "x": x, "y": y}, ax)


def shares(
    values: Any,
    low: Any,
    high: Any,
    *,
    title: str = "",
    x: str = "",
    y: str = "share, 95 % interval",
    line: float | None = None,
    joined: bool = False,
    log: bool = False,
    ax: Any = None,
) -> Any:
    """Draws shares, such as win rates, with the ends of their intervals.

    >>> from matplotlib.figure import Figure
    >>> shares([0.5, 0.8], [0.3, 0.6], [0.7, 0.9], line=0.5, ax=Figure().subplots()).get_ylabel()
    'share, 95 % interval'
    """
    made = intervals(values, low, high, title=title, x=x, y=y, line=line, joined=joined, log=log, ax=ax)
    made.set_ylim(-0.03, 1.03)
    made.yaxis.set_major_formatter("{x:.0%}")
    return made


def intervals(
    values: Any,
    low: Any,
    high: Any,
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    line: float | None = None,
    joined: bool = False,
    log: bool = False,
    sideways: bool = False,
    ax: Any = None,
) -> Any:
    """Draws numbers with the ends of their intervals, such as ratings.

    >>> from matplotlib.figure import Figure
    >>> elo = intervals({"mcts:100": 120}, {"mcts:100": 40}, {"mcts:100": 210}, sideways=True, ax=Figure().subplots())
    >>> [label.get_text() for label in elo.get_yticklabels()]
    ['mcts:100']
    """
    table = _table(values)
    look = _Look(line, joined=joined, log=log, sideways=sideways)
    names = {"title": title, "x": x, "y": y}
    return _draw_points(table, table - _table(low), _table(high) - table, look, names, ax)


@dataclass(frozen=True)
class _Look:
    """How points are drawn."""

    line: float | None
    joined: bool = False
    log: bool = False
    sideways: bool = False
    crosses: bool = False

    def misses(self, low: float, high: float) -> bool:
        """Tells whether an interval misses the line and is to be shown as such."""
        return self.crosses and self.line is not None and not low <= self.line <= high


_MISSED = {"color": SHADES[1], "marker": "x", "markersize": 8, "markeredgewidth": 2.5}


def _draw_points(table: Any, below: Any, above: Any, look: _Look, names: dict[str, str], ax: Any) -> Any:
    """Draws the rows of a table one after the other, its columns beside each other."""
    sideways = look.sideways
    ax = _axes(ax, 1.2 + 0.35 * len(table) if sideways else HIGH)
    places = _places(ax, table.index, sideways=sideways, log=look.log)
    _rule(ax, look.line, upright=sideways)
    for number, group in enumerate(table):
        shift = 0.2 * (number - (len(table.columns) - 1) / 2)
        style = {"color": SHADES[number % 4], "ecolor": NEUTRAL, "marker": SIGNS[number % 4], "capsize": 3}
        if look.joined:
            ax.plot(places, table[group], STROKES[number % 4], color=style["color"], linewidth=1.8)
        for place, value, less, more in zip(places, table[group], below[group], above[group], strict=True):
            drawn = style | (_MISSED if look.misses(value - less, value + more) else {})
            at, error = place + shift, [[less], [more]]
            if sideways:
                ax.errorbar(value, at, xerr=error, linestyle="none", **drawn)
            else:
                ax.errorbar(at, value, yerr=error, linestyle="none", **drawn)
        if group:
            ax.plot([], [], style["marker"], color=style["color"], label=group)
    ax.margins(**{"y" if sideways else "x": 0.1})
    if sideways:
        ax.invert_yaxis()
        names = names | {"x": names["x"] or names["y"], "y": ""}
    dress(ax, **names)
    _legend(ax, table.columns.name)
    return ax


def bars(
    values: Any,
    errors: Any = None,
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    sideways: bool = False,
    percent: bool = False,
    colours: str = "",
    ax: Any = None,
) -> Any:
    """Draws bars, with two standard errors to either side if they are given, or with their numbers if not.

    `values` is a pandas Series; the second level of its index, or the columns of a table, are groups. `colours` are the
    letters of the players whose groups they are, such as RG.

    >>> from matplotlib.figure import Figure
    >>> axes = bars({"now": 3, "later": -2}, y="points gained", ax=Figure().subplots())
    >>> [text.get_text() for text in axes.texts]
    ['+3', '-2']
    """
    table, spread = _table(values), None if errors is None else ERRORS * _table(errors)
    ax = _axes(ax, 1.2 + 0.4 * len(table) if sideways else HIGH)
    places = _places(ax, table.index, sideways=sideways)
    thick = 0.8 / len(table.columns)
    for number, group in enumerate(table):
        at = [place + thick * (number - (len(table.columns) - 1) / 2) for place in places]
        shade = COLOURS[colours[number]].light if colours else SHADES[number % 4]
        look = {"color": shade, "edgecolor": NEUTRAL, "hatch": HATCHES[number % 4], "label": group or None}
        drawn = ax.barh(at, table[group], thick, **look) if sideways else ax.bar(at, table[group], thick, **look)
        if spread is None:
            ax.bar_label(drawn, fmt="%+g", padding=4, color=NEUTRAL)
        else:
            error = {"xerr" if sideways else "yerr": spread[group]}
            ends = (table[group], at) if sideways else (at, table[group])
            ax.errorbar(*ends, **error, fmt="none", ecolor=NEUTRAL, capsize=4, linewidth=1.5)
    (ax.axvline if sideways else ax.axhline)(0, color=NEUTRAL, linewidth=1)
    ax.margins(**{"x" if sideways else "y": 0.15})
    if sideways:
        ax.invert_yaxis()
    if percent:
        (ax.xaxis if sideways else ax.yaxis).set_major_formatter("{x:.0%}")
    dress(ax, title, x, y)
    _legend(ax, table.columns.name)
    return ax


def course(
    values: Any,
    low: Any,
    high: Any,
    *,
    title: str = "",
    x: str = "games",
    y: str = "",
    line: float = 0.5,
    ax: Any = None,
) -> Any:
    """Draws how a share goes on, game by game, within its interval.

    >>> from matplotlib.figure import Figure
    >>> len(course([1, 0.5], [0.2, 0.1], [1, 0.9], ax=Figure().subplots()).collections)
    1
    """
    ax, games = _axes(ax), range(1, len(values) + 1)
    ax.fill_between(games, low, high, alpha=0.3, color=SHADES[0], label="95 % interval")
    ax.plot(games, values, color=SHADES[0], linewidth=1.8, label="share")
    _rule(ax, line, upright=False)
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter("{x:.0%}")
    dress(ax, title, x, y)
    _legend(ax)
    return ax


# Distributions and pairs


def histogram(
    values: Iterable[float], *, title: str = "", x: str = "", y: str = "", mean: bool = False, ax: Any = None
) -> Any:
    """Draws how often each whole number came up, or what lies between two of them; a line stands at zero.

    >>> from matplotlib.figure import Figure
    >>> axes = histogram([-1, 2, 2], x="lead at the end", y="games", mean=True, ax=Figure().subplots())
    >>> [int(bar.get_height()) for bar in axes.patches]
    [1, 0, 0, 2]
    """
    found = list(values)
    ax, low, high = _axes(ax), floor(min(found)), ceil(max(found))
    half = 0.5 if all(float(value).is_integer() for value in found) else 0.0
    ax.hist(found, bins=[edge - half for edge in range(low, high + 2)], color=SHADES[0], edgecolor=NEUTRAL)
    ax.axvline(0, color=NEUTRAL, linewidth=1)
    if mean:
        ax.axvline(sum(found) / len(found), color=NEUTRAL, linewidth=2, linestyle="--", label="mean")
    dress(ax, title, x, y)
    _legend(ax)
    return ax


def scatter(
    across: Iterable[float], up: Iterable[float], *, title: str = "", x: str = "", y: str = "", ax: Any = None
) -> Any:
    """Draws a dot for each pair of numbers, such as a game's; lines stand at zero.

    >>> from matplotlib.figure import Figure
    >>> scatter([1, -2], [3, -4], x="loose tiles", y="lead", ax=Figure().subplots()).get_xlabel()
    'loose tiles'
    """
    ax = _axes(ax, 4)
    ax.axhline(0, color=NEUTRAL, linewidth=0.8)
    ax.axvline(0, color=NEUTRAL, linewidth=0.8)
    ax.plot(list(across), list(up), "o", color=SHADES[0], markeredgecolor=NEUTRAL, alpha=0.8)
    dress(ax, title, x, y)
    return ax


def win_rates(table: Any, *, title: str = "How often the bot of the row wins", ax: Any = None) -> Any:
    """Draws a table of who beats whom how often: a row and a column for each bot.

    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> rates = pd.DataFrame([[None, 0.75], [0.25, None]], ["mcts:100", "greedy"], ["mcts:100", "greedy"], dtype=float)
    >>> [text.get_text() for text in win_rates(rates, ax=Figure().subplots()).texts]
    ['75%', '25%']
    """
    ax = _axes(ax, 4)
    ax.imshow(table, cmap="PuOr", vmin=0, vmax=1, aspect="auto")
    for row, bot in enumerate(table.index):
        for column, other in enumerate(table.columns):
            if bot != other:
                rate = table.loc[bot, other]
                ink = "black" if 0.2 < rate < 0.8 else "white"
                ax.text(column, row, f"{rate:.0%}", ha="center", va="center", color=ink)
    ax.set_xticks(range(len(table.columns)), table.columns)
    ax.set_yticks(range(len(table.index)), table.index)
    dress(ax, title, "against", "bot")
    return ax


# Water


def water(graph: Any, *, title: str = "The water as a graph", ax: Any = None) -> Any:
    """Draws the graph of a position's water: a dot for each node, a line for each way of the water, and whose it is.

    >>> import aquakit
    >>> from matplotlib.figure import Figure
    >>> position = aquakit.start("romana2-5x4").play("b3=+@E4")
    >>> axes = water(position.graph(), ax=Figure().subplots())
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['R1', 'loose']
    """
    import networkx as nx

    ax, places = _axes(ax, 5.2), dict(graph.nodes(data="pos"))
    nx.draw_networkx_nodes(graph, places, node_size=9, node_color=NEUTRAL, ax=ax)
    owners: dict[str, dict[tuple[Any, Any], str]] = {}
    for a, b, data in graph.edges(data=True):
        name = data.get("aqueduct") or ""
        if data.get("canals") != 0:  # a segment that holds none has no water
            owners.setdefault(name[:1], {})[a, b] = name or ("canals" if "canals" in data else "loose")
    for number, (owner, lines) in enumerate(sorted(owners.items(), key=lambda pair: pair[0] or "~")):
        shade, stroke, width = (COLOURS[owner].light, STROKES[number % 3], 4) if owner else (NEUTRAL, ":", 2.5)
        nx.draw_networkx_edges(graph, places, list(lines), width, shade, stroke, ax=ax)
        ax.plot([], [], stroke, color=shade, linewidth=width, label=", ".join(sorted(set(lines.values()))))
        for name in sorted(set(lines.values())) if owner else ():
            end = places[graph.path(name).end_node]
            ax.annotate(name, end, xytext=(-17, -13), textcoords="offset points", color=NEUTRAL)
    dress(ax, title, "", "")
    layout = graph.position.layout
    ax.tick_params(left=True, bottom=True, labelleft=True, labelbottom=True)
    ax.set_xticks([column + 0.5 for column in range(layout.columns)], "abcdefghijklmnopqrstuvwxyz"[: layout.columns])
    ax.set_yticks([row + 0.5 for row in range(layout.rows)], range(1, layout.rows + 1))
    style = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "handlelength": 3.5}
    ax.legend(frameon=False, labelcolor=NEUTRAL, **style)
    return ax
