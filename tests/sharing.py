"""Shares the tests out among workers (`pytest -n`) so that all of them are busy to the end.

A file stays with one worker: its tests share fixtures, and the cells of a notebook follow one another. Files that use
the same costly thing, such as a Jupyter server, form one share. Long shares come first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from xdist.scheduler import LoadScopeScheduling

MOST_WORKERS = 8
"""More would collect tests longer than they run them."""

SHARES: dict[str, tuple[str, ...]] = {
    # Each share starts one Jupyter server; two of them let the other workers have the processors half of the time.
    "one browser": (
        "tests/browser/test_trainer_in_lab.py",
        "tests/browser/test_explorer_in_lab.py",
        "tests/browser/test_explorer_games_in_lab.py",
        "tests/browser/test_newgame_in_lab.py",
        "tests/browser/test_kept_in_lab.py",
        "tests/browser/test_rehearsal.py",
        "tests/browser/test_house.py",
        "tests/browser/test_other_houses.py",
    ),
    "another browser": (
        "tests/browser/test_board_in_lab.py",
        "tests/browser/test_going_back_in_lab.py",
        "tests/browser/test_log_in_lab.py",
        "tests/browser/test_fits_in_lab.py",
        "tests/browser/test_touch_in_lab.py",
        "tests/browser/test_engine_in_lab.py",
        "tests/browser/test_planner_in_lab.py",
        "tests/browser/test_exercise_in_lab.py",
    ),
    # They compile the same exhaustive search, which only tests need.
    "trying everything": (
        "tests/romana/planner/test_deferred_builders.py",
        "tests/romana/planner/test_search.py",
    ),
    "the site": ("tests/browser/test_site_in_browser.py", "tests/test_site.py"),
}
"""Files that stay together, by the name of their share."""

FIRST = (
    "one browser",
    "another browser",
    "tests/browser/test_lite.py",
    "trying everything",
    "the site",
    "tests/work/test_batch.py",
    "tests/engine/test_analysis.py",
    "tests/test_without_compilers.py",
    "tests/aquadukt/planner/test_canals.py",
    "tests/romana/planner/test_plan.py",
    "tests/puzzle/test_generate.py",
    "tests/widgets/test_explorer.py",
    "tests/test_every_game.py",
    "tests/test_cli_planner.py",
)
"""Shares and files that take long, the longest first; notebooks come next, then all the rest."""

_share_of = {file: share for share, files in SHARES.items() for file in files}


def find_share(nodeid: str) -> str:
    """Gets the share that a test belongs to: what its file is part of, or the file itself."""
    file = nodeid.partition("::")[0]
    return _share_of.get(file, file)


def order(nodeids: Iterable[str]) -> list[int]:
    """Gets the places of tests in the order in which they are handed out."""
    ranks = {share: rank for rank, share in enumerate(FIRST)}
    shares = [find_share(nodeid) for nodeid in nodeids]

    def rank(place: int) -> int:
        share = shares[place]
        return ranks.get(share, len(ranks) if share.endswith(".ipynb") else len(ranks) + 1)

    return sorted(range(len(shares)), key=rank)


def count_workers() -> int:
    """Gets the number of workers for this machine: some more than processors, since tests in browsers mostly wait."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors + 2, MOST_WORKERS)


class ShareScheduling(LoadScopeScheduling):
    """Hands out one share after the other, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return find_share(nodeid)
