"""What all plots share, so that they can be read on light and on dark ground and without colour."""

from __future__ import annotations

from typing import Any

NEUTRAL = "#767676"
"""Readable on light and on dark ground."""
STROKES = ("-", "--", "-.", ":")
"""The players' lines, so that they can be told apart without colour."""


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
