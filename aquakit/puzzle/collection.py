"""The sets of puzzles that come with the kit, and how a puzzle is found by its name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

from aquakit.core.files import find_shipped
from aquakit.core.layouts import is_path
from aquakit.puzzle.model import Puzzle, PuzzleError, PuzzleSet


def home() -> Path:
    """Gets the folder of the sets that come with the kit."""
    return find_shipped(Path(__file__).parent / "sets", "puzzles")


def set_names() -> tuple[str, ...]:
    """Lists the sets that come with the kit by name."""
    return tuple(sorted(path.stem for path in home().glob("*.toml")))


def puzzles(name: str | Path) -> PuzzleSet:
    """Gets a set of puzzles that comes with the kit by its name, or any other one by its file.

    >>> first_steps = puzzles("first-steps")
    >>> first_steps[0].id, len(first_steps) > 10
    ('first-steps-01', True)
    """
    if isinstance(name, Path) or is_path(str(name)):
        return PuzzleSet.load(name)
    if name not in set_names():
        known = ", ".join(set_names()) or "none is here"
        raise PuzzleError("puzzles", f"there is no set {name!r}", f"a file, or one of these sets: {known}")
    return PuzzleSet.load(home() / f"{name}.toml")


def all_puzzles() -> list[PuzzleSet]:
    """Gets all sets that come with the kit, from first steps to hard."""
    sets = [puzzles(name) for name in set_names()]
    return sorted(sets, key=lambda made: (fmean(puzzle.difficulty for puzzle in made.puzzles), made.name))


def find_puzzle(sets: Iterable[PuzzleSet], name: str) -> tuple[PuzzleSet, Puzzle]:
    """Finds a puzzle by its id, with its set."""
    for made in sets:
        for puzzle in made.puzzles:
            if puzzle.id == name:
                return made, puzzle
    raise PuzzleError("puzzle", f"there is no puzzle {name!r}", "an id that `aquakit puzzle list` shows")
