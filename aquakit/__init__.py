"""aquakit: explore, solve and teach water-building board games.

The few names people use are imported when first asked for, so that `import aquakit` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from aquakit.core import plugins
from aquakit.core.version import VERSION

if TYPE_CHECKING:
    from aquakit.aquadukt.planner.canals.plan import plan_canals
    from aquakit.core.games import load_layout, parse, start
    from aquakit.core.record import Record
    from aquakit.drawing import plots
    from aquakit.engine.analysis import analyse
    from aquakit.engine.batch import batch
    from aquakit.engine.bots import bot
    from aquakit.engine.matches.match import match
    from aquakit.engine.review import review
    from aquakit.engine.solve import solve
    from aquakit.keeping.resuming import games, resume
    from aquakit.puzzle.collection import puzzles
    from aquakit.romana.planner.longest.longest import longest
    from aquakit.romana.planner.plan.plan import plan
    from aquakit.romana.planner.timing.timing import timing
    from aquakit.widgets import Board, Explorer
    from aquakit.widgets.newgame.play import play

__version__ = VERSION

__all__ = [
    "Board",
    "Explorer",
    "Record",
    "analyse",
    "batch",
    "bot",
    "games",
    "load_layout",
    "longest",
    "match",
    "parse",
    "plan",
    "plan_canals",
    "play",
    "plots",
    "puzzles",
    "resume",
    "review",
    "solve",
    "start",
    "timing",
]

_HOME = {
    "Board": "aquakit.widgets",
    "Explorer": "aquakit.widgets",
    "Record": "aquakit.core.record",
    "analyse": "aquakit.engine.analysis",
    "batch": "aquakit.engine.batch",
    "bot": "aquakit.engine.bots",
    "games": "aquakit.keeping.resuming",
    "load_layout": "aquakit.core.games",
    "longest": "aquakit.romana.planner.longest.longest",
    "match": "aquakit.engine.matches.match",
    "parse": "aquakit.core.games",
    "plan": "aquakit.romana.planner.plan.plan",
    "plan_canals": "aquakit.aquadukt.planner.canals.plan",
    "play": "aquakit.widgets.newgame.play",
    "puzzles": "aquakit.puzzle.collection",
    "resume": "aquakit.keeping.resuming",
    "review": "aquakit.engine.review",
    "solve": "aquakit.engine.solve",
    "start": "aquakit.core.games",
    "timing": "aquakit.romana.planner.timing.timing",
}


for _game in ("aquakit.romana", "aquakit.aquadukt"):
    plugins.add_game(_game)
for _name, _room in {
    "Board": "aquakit.widgets.board",
    "Explorer": "aquakit.widgets.explorer",
    "Trainer": "aquakit.widgets.trainer",
    "ExerciseBoard": "aquakit.widgets.exercise",
    "bot": "aquakit.engine.bots",
    "Forest": "aquakit.engine.search.forest",
}.items():
    plugins.lend(_name, f"{_room}:{_name}")
plugins.lend("tell", "aquakit.board.telling:tell")
for _room, _module in {
    "board.facts": "aquakit.board.plain_facts",
    "board.telling": "aquakit.board.plain_telling",
    "board.why": "aquakit.board.plain_why",
    "policy": "aquakit.engine.search.plain_policy",
}.items():
    plugins.stand_in(_room, _module)


def __getattr__(name: str) -> Any:
    if name == "plots":
        return import_module("aquakit.drawing.plots")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'aquakit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
