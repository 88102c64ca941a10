"""The lessons that come with the kit or lie in a workshop's folder, and how an exercise is found by its name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from aquakit.core.files import find_shipped
from aquakit.core.layouts import is_path
from aquakit.workshop.asking import Exercise
from aquakit.workshop.checks import ExerciseError
from aquakit.workshop.lesson import Lesson
from aquakit.workshop.people import find_folder

OWN = "exercises"
"""The folder in a workshop's folder for a leader's own exercises."""


def home() -> Path:
    """Gets the folder of the exercises that come with the kit."""
    return find_shipped(Path(__file__).parent / "sets", "exercises")


def lesson_files() -> dict[str, Path]:
    """Lists the lessons' files by their names; in a workshop's folder, its own ones come before those of the kit."""
    folder = find_folder()
    places = [home(), *([folder / OWN] if folder else [])]
    return {path.stem: path for place in places for path in sorted(place.glob("*.toml"))}


def load_lesson(name: str | Path) -> Lesson:
    """Gets a lesson by its name, or any other one by its file."""
    if isinstance(name, Path) or is_path(str(name)):
        return Lesson.load(name)
    files = lesson_files()
    if name not in files:
        known = ", ".join(files) or "none is here"
        raise ExerciseError("lesson", f"there is no lesson {name!r}", f"a file, or one of: {known}")
    return _load(files[name], files[name].stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _load(path: Path, _: int) -> Lesson:
    """Reads a file once for each of its versions."""
    return Lesson.load(path)


def exercises(lesson: str | Path) -> tuple[str, ...]:
    """Lists the names of a lesson's exercises, in the order in which they are asked.

    >>> exercises("rules")[0]
    'rules-first-turn'
    """
    return tuple(question.id for question in load_lesson(lesson).questions)


def exercise(name: str, lesson: str | Path | None = None) -> Exercise:
    """Gets an exercise by its name, to be asked; of a file of your own, give that as the lesson.

    >>> exercise("rules-tiles")
    <Exercise rules-tiles: How long is it?>
    """
    if lesson is not None:
        found = load_lesson(lesson)
        return Exercise(found, found[name])
    holders, broken = _find(name)
    if len(holders) == 1:
        return Exercise(holders[0], holders[0][name])
    if holders:
        names = " and ".join(holder.name for holder in holders)
        raise ExerciseError(f"exercise {name}", f"stands in the lessons {names}", "a name of its own for each exercise")
    if broken is not None:  # the exercise may stand in the file that cannot be read
        raise broken
    raise ExerciseError("exercise", f"there is no exercise {name!r}", "a name that `aquakit workshop list` shows")


def _find(name: str) -> tuple[list[Lesson], ExerciseError | None]:
    """Gets the lessons that have an exercise, and what is wrong with a file that cannot be read."""
    holders: list[Lesson] = []
    broken: ExerciseError | None = None
    for known in lesson_files():
        try:
            lesson = load_lesson(known)
        except ExerciseError as problem:
            broken = broken or problem
        else:
            holders += [lesson] if any(question.id == name for question in lesson.questions) else []
    return holders, broken
