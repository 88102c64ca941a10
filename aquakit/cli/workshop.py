"""The workshop's commands: start, sheet, serve, list, check, checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aquakit.cli.common import print_lines, print_table, say
from aquakit.core.words import count
from aquakit.errors import AquakitError
from aquakit.workshop.collection import lesson_files, load_lesson

if TYPE_CHECKING:
    from aquakit.workshop.sheet import Hardness

workshop_app = typer.Typer(help="Run workshops: lessons, exercises and results.")


@workshop_app.command("start")
def start_workshop(
    folder: Annotated[Path, typer.Argument(help="The folder to make; it must not be there, or be empty.")],
) -> None:
    """Lay out a clean copy of the lessons, in which people work."""
    from aquakit.workshop.folder import start

    lessons = start(folder)
    print_lines([f"{count(len(lessons), 'lesson')} in {folder}", *(f"  {name}" for name in lessons)])
    say(f"Open them with `jupyter lab {folder}`, or without code with `aquakit workshop serve {folder}`.")


@workshop_app.command("sheet")
def make_sheet(
    results: Annotated[list[Path], typer.Argument(help="Result files, or folders that hold some.")],
    out: Annotated[Path, typer.Option(help="What the two files are called, without .csv and .html.")] = Path("sheet"),
    force: Annotated[bool, typer.Option("--force", help="Write over a sheet that is there.")] = False,
) -> None:
    """Gather result files into one table, as CSV and as a page with a plot; broken ones are reported."""
    from aquakit.training.result_file import find_files, gather
    from aquakit.workshop.sheet import Sheet

    sheet = Sheet(gather(find_files(results)))
    for note in sheet.notes:
        say(f"aquakit: {note}", error=True)
    if not sheet.rows:
        say("aquakit: no result file could be read", error=True)
        raise typer.Exit(1)
    paths = sheet.save(out, force=force)
    print_table(
        ["exercise", "solved", "first try", "tries", "hints"],
        (list(_tell(hard)) for hard in sheet.hardness()),
        right=4,
    )
    say(f"{count(len(sheet.people), 'participant')}: {', '.join(map(str, paths))}")


def _tell(hard: Hardness) -> Iterator[str]:
    yield hard.exercise
    yield f"{hard.solved} of {hard.people}"
    yield str(hard.counts["first"])
    yield f"{hard.tries:.1f}"
    yield f"{hard.hints:.1f}"


@workshop_app.command("serve")
def serve_lessons(
    target: Annotated[Path, typer.Argument(help="A folder of lessons, or a notebook.")] = Path("."),
    slides: Annotated[bool, typer.Option("--slides", help="Show lessons as slides.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8866,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Show lessons as pages without code, on this computer alone, for those who have the address with its token."""
    from aquakit.workshop.serve import serve

    raise typer.Exit(serve(target, slides=slides, port=port, browser=browser))


@workshop_app.command("list")
def list_exercises() -> None:
    """List the exercises of all lessons."""
    for name in lesson_files():
        lesson = load_lesson(name)
        say(f"{lesson.name}: {lesson.title}, {count(len(lesson), 'exercise')}")
        print_table(["name", "type", "title"], ([q.id, q.type, q.title] for q in lesson.questions))


@workshop_app.command("check")
def check_exercises(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Lessons' files; without, all that are found here.")
    ] = None,
) -> None:
    """Check exercises: every right answer of a file must be accepted, and every typical mistake refused."""
    from aquakit.workshop.certify import check

    problems: list[str] = []
    number = 0
    for path in files or lesson_files().values():
        try:
            lesson = load_lesson(Path(path))
        except AquakitError as problem:
            problems.append(str(problem))
            say(problem)
            continue
        for question in lesson.questions:
            found = [f"{path}: {problem}" for problem in check(lesson, question)]
            print_lines(found or [f"{question.id}: ok"])
            problems += found
            number += 1
    say(f"{count(number, 'exercise')}, {count(len(problems), 'problem')}")
    raise typer.Exit(1 if problems else 0)


@workshop_app.command("checks")
def list_checks() -> None:
    """List what exercises can be checked by."""
    from aquakit.workshop.checks import all_checks

    print_table(
        ["form", "name", "given", "about"],
        ([c.form, c.name, ", ".join(c.model.model_fields), c.about] for c in all_checks()),
    )
