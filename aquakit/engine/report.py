"""How a review is written and drawn: a line and a row for each decision, and the course of the leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aquakit.drawing.plots import NEUTRAL, STROKES, dress
from aquakit.engine.judged import SIGNS, Judged

NOTE = "Leads are expected ones, estimated by playouts and written with their standard errors."
HEADS = ("", "player", "turn", "lead", "best", "lead", "loss", "mark", "notation")
"""What the cells of a decision are called; the last is written beside its words."""


def tell_loss(judged: Judged) -> str:
    """Says what a turn is worth and, if another was better, what it cost."""
    lead = f"{judged.lead:+.2f} ± {judged.stderr:.2f}"
    if judged.mark == "best":
        return f"{lead}  best"
    loss = f"{judged.loss:.2f} ± {judged.loss_stderr:.2f}"
    return f"{lead}  {judged.mark}, lost {loss}: {judged.best} has {judged.best_lead:+.2f}"


def cells(judged: Judged, names: Sequence[str]) -> tuple[str, ...]:
    """Writes a decision as a row of a table."""
    return (
        str(judged.number),
        names[judged.player - 1],
        f"{judged.turn} {judged.sign}",
        f"{judged.lead:+.2f} ± {judged.stderr:.2f}",
        "" if judged.mark == "best" else judged.best,
        "" if judged.mark == "best" else f"{judged.best_lead:+.2f} ± {judged.best_stderr:.2f}",
        f"{judged.loss:.2f} ± {judged.loss_stderr:.2f}" if judged.loss else "0",
        judged.mark,
    )


def write_turns(judged: Judged) -> str:
    """Writes the turn and, if another was better, that one."""
    return judged.turn if judged.mark == "best" else f"{judged.turn}; best {judged.best}"


def plot_leads(
    ax: Any, players: Mapping[str, str], course: Mapping[int, Sequence[float]], decisions: Iterable[Judged]
) -> Any:
    """Draws each player's lead before every turn, with signs where a turn was a mistake.

    Players have names and colours; the course has each turn's number and the players' leads before it.
    """
    import matplotlib.pyplot as plt

    if ax is None:
        figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
        figure.patch.set_alpha(0)
    for place, (name, colour) in enumerate(players.items()):
        leads = [leads[place] for leads in course.values()]
        ax.plot(list(course), leads, STROKES[place % len(STROKES)], color=colour, label=name, linewidth=2)
    _plot_signs(ax, list(players.values()), course, decisions)
    _label(ax)
    return ax


def _plot_signs(
    ax: Any, colours: Sequence[str], course: Mapping[int, Sequence[float]], decisions: Iterable[Judged]
) -> None:
    """Writes the signs beside the players' lines, of mistakes and blunders the turn's number too."""
    for judged in filter(lambda judged: judged.sign, decisions):
        point = judged.number, course[judged.number][judged.player - 1]
        ax.plot(*point, "o", color=colours[judged.player - 1], markersize=7, markeredgecolor=NEUTRAL)
        text = judged.sign if judged.mark == "inaccuracy" else f"{judged.number}{judged.sign}"
        style = {"ha": "center", "va": "center", "color": NEUTRAL, "weight": "bold"}
        ax.annotate(text, point, xytext=(0, 12), textcoords="offset points", **style)


def _label(ax: Any) -> None:
    """Gives the plot its names and its zero line."""
    signs = "   ".join(f"{sign} {mark}" for mark, sign in SIGNS.items() if sign)
    dress(ax, signs, "before turn; a finished game ends with its result", "expected lead in points")
    ax.margins(y=0.15)
    ax.axhline(0, color=NEUTRAL, linewidth=0.8)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False, labelcolor=NEUTRAL)
