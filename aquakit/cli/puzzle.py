"""The puzzles' commands: list, show, solve, check, make, retell."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from aquakit.cli.common import (
    Dask,
    Json,
    Words,
    Workers,
    check_words,
    print_json,
    print_lines,
    print_table,
    say,
    say_stopped,
    stopped_by_interrupt,
    write_picture,
)
from aquakit.core import games
from aquakit.core.words import count, join
from aquakit.errors import AquakitError, ProofFailure
from aquakit.puzzle import collection
from aquakit.puzzle.asking import judge_answer
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.making import certify
from aquakit.puzzle.model import Answer, Puzzle, PuzzleSet, write_number
from aquakit.puzzle.roster import kind_names
from aquakit.puzzle.texts import split_explanation
from aquakit.puzzle.themes import all_themes
from aquakit.training.judging import Judging
from aquakit.training.verdict import Verdict
from aquakit.work.executors import find_executor

puzzle_app = typer.Typer(help="Solve puzzles, and work with their files.")

Files = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file of puzzles, or a folder of them, instead of those that come with the kit."),
]
Id = Annotated[str, typer.Argument(help="A puzzle's id, as the list shows it.")]

LEVELS = range(1, 6)
FEWEST_LEVELS = 3
"""Every kind is there in so many difficulties at least."""
HINT, SOLUTION, QUIT = "?", "!", ("", "q", "quit")


def _read_sets(files: list[Path] | None) -> list[PuzzleSet]:
    """Gets the sets in some files and folders, or those that come with the kit."""
    if not files:
        return collection.all_puzzles()
    return [PuzzleSet.load(file) for file in certify.find_files(files)]


# list


@puzzle_app.command("list")
def list_puzzles(
    files: Files = None,
    stats: Annotated[bool, typer.Option("--stats", help="Count them by kind, theme and difficulty.")] = False,
    as_json: Json = False,
) -> None:
    """List puzzles, or count them."""
    sets = _read_sets(files)
    if stats:
        _print_stats([puzzle for made in sets for puzzle in made.puzzles], as_json=as_json)
    elif as_json:
        print_json([_describe(made, puzzle) for made in sets for puzzle in made.puzzles])
    else:
        for made in sets:
            say(f"{made.name}: {made.title}, {count(len(made), 'puzzle')}\n{made.text}")
            print_table(
                ["id", "kind", "board", "difficulty", "title"],
                ([p.id, p.kind, p.start.layout.name, "*" * p.difficulty, p.title] for p in made.puzzles),
            )


def _describe(made: PuzzleSet, puzzle: Puzzle) -> dict[str, Any]:
    """Collects what a list tells of a puzzle, as plain data without its answer."""
    told = puzzle.model_dump(exclude={"hints"})
    return {"set": made.name, **told, "goal": find_kind(puzzle.kind).goal(puzzle)}


def _print_stats(puzzles: list[Puzzle], *, as_json: bool) -> None:
    """Prints how many puzzles there are of each kind, theme and difficulty, and what is missing."""
    rows = list(_count(puzzles))
    missing = list(_find_missing(puzzles))
    if as_json:
        data = [{"kind": kind, "theme": theme, "counts": counts} for kind, theme, counts in rows]
        print_json({"puzzles": len(puzzles), "table": data, "missing": missing})
        return
    cells = ([kind, theme, *(str(n or "") for n in counts), str(sum(counts))] for kind, theme, counts in rows)
    print_table(["kind", "theme", *map(str, LEVELS), "all"], cells, right=len(LEVELS) + 1)
    boards = Counter(puzzle.start.layout.name for puzzle in puzzles)
    say(f"boards: {', '.join(f'{name} {boards[name]}' for name in games.layout_names())}")
    say(f"{count(len(puzzles), 'puzzle')}; missing: {join(missing) if missing else 'nothing'}")


def _count(puzzles: list[Puzzle]) -> Iterator[tuple[str, str, list[int]]]:
    """Counts by kind, then by kind and theme, in each difficulty."""
    for kind in kind_names():
        of_kind = [puzzle for puzzle in puzzles if puzzle.kind == kind]
        for theme in ["(all)", *sorted({theme for puzzle in of_kind for theme in puzzle.themes})]:
            chosen = [puzzle for puzzle in of_kind if theme == "(all)" or theme in puzzle.themes]
            levels = Counter(puzzle.difficulty for puzzle in chosen)
            yield kind, theme, [levels[level] for level in LEVELS]


def _find_missing(puzzles: list[Puzzle]) -> Iterator[str]:
    """Lists the kinds, difficulties, themes and boards that a full collection would have."""
    for kind in kind_names():
        levels = {puzzle.difficulty for puzzle in puzzles if puzzle.kind == kind}
        if not levels:
            yield f"kind {kind}"
        elif len(levels) < FEWEST_LEVELS:
            yield f"{kind} in other difficulties than {join(sorted(map(str, levels)))}"
    themes = {theme for puzzle in puzzles for theme in puzzle.themes}
    yield from (f"theme {theme}" for theme in all_themes() if theme not in themes)
    boards = {puzzle.start.layout.name for puzzle in puzzles}
    yield from (f"board {board}" for board in games.layout_names() if board not in boards)


# show


@puzzle_app.command("show")
def show_puzzle(
    name: Id,
    files: Files = None,
    answer: Annotated[bool, typer.Option("--answer", help="Show the answer too.")] = False,
    svg: Annotated[str | None, typer.Option(help="Write a picture of the position to this file.")] = None,
    words: Words = False,
    as_json: Json = False,
) -> None:
    """Show a puzzle: its board as text, and what is asked."""
    check_words(words=words, as_json=as_json)
    made, puzzle = collection.find_puzzle(_read_sets(files), name)
    if svg is not None:
        write_picture(svg, puzzle.start.svg())
    if as_json:
        told = _describe(made, puzzle)
        print_json(told | ({"answer": made.answer(puzzle).model_dump()} if answer else {}))
        return
    print_lines(_tell(puzzle))
    if answer:
        print_lines(["", *_tell_answer(puzzle, made.answer(puzzle), words=words)])


def _tell(puzzle: Puzzle) -> Iterator[str]:
    yield f"{puzzle.id}: {puzzle.title} ({puzzle.kind}, difficulty {puzzle.difficulty})"
    yield ""
    yield puzzle.start.diagram()
    yield ""
    yield find_kind(puzzle.kind).goal(puzzle)


def _tell_line(puzzle: Puzzle, line: str, attempt: str = "", *, words: bool) -> str:
    """Writes a line from the puzzle's start or from after an attempt, or says it in words."""
    if not words:
        return line
    way = find_way(puzzle)
    return way.say_line(line, way.follow(attempt) if attempt else None)


def _tell_answer(puzzle: Puzzle, answer: Answer, *, words: bool) -> Iterator[str]:
    margin = "" if answer.margin is None else f"; anything else is at least {write_number(answer.margin)} worse"
    yield f"value {write_number(puzzle.value)}{margin}"
    accepted = [f"{find_way(puzzle).say(text)} ({text})" if words else text for text in answer.accepted]
    yield f"accepted: {'; '.join(accepted)}"
    yield f"line: {_tell_line(puzzle, answer.line, words=words)}"
    yield from split_explanation(answer.explanation, find_kind(puzzle.kind).other)
    yield f"proved by {answer.proof.method}: {answer.proof.searched} (aquakit {answer.proof.version})"


# solve


@puzzle_app.command("solve")
def solve_puzzle(
    name: Id,
    attempt: Annotated[str | None, typer.Argument(help="A whole turn, or what the kind of puzzle asks for.")] = None,
    files: Files = None,
    words: Words = False,
) -> None:
    """Solve a puzzle: give a turn, or be asked for one. The exit code is 0 if it is solved."""
    made, puzzle = collection.find_puzzle(_read_sets(files), name)
    if attempt is not None:
        verdict = _judge(puzzle, attempt, made.answer(puzzle))
        if verdict is None:
            say_stopped()
            return
        print_lines(_tell_verdict(puzzle, attempt, verdict, words=words))
        raise typer.Exit(0 if verdict.right else 1)
    print_lines([*_tell(puzzle), f"Your answer ({HINT} for a hint, {SOLUTION} for the solution, nothing to stop):"])
    raise typer.Exit(0 if _ask(puzzle, made.answer(puzzle), words=words) else 1)


def _judge(puzzle: Puzzle, attempt: str, answer: Answer) -> Verdict | None:
    """Judges an attempt; nothing if somebody interrupts that."""
    with stopped_by_interrupt() as stop:
        judging = Judging(attempt, partial(judge_answer, puzzle, answer), stop=stop)
        judging.run()
    if judging.failure is not None:
        raise judging.failure
    return judging.verdict


def _ask(puzzle: Puzzle, answer: Answer, *, words: bool) -> bool:
    """Asks for answers until one is right, or nobody wants to go on."""
    hints = iter(puzzle.hints)
    while (said := _read_line()) not in QUIT:
        if said == HINT:
            say(next(hints, f"That was the last hint; {SOLUTION} shows the solution."))
        elif said == SOLUTION:
            print_lines(_tell_answer(puzzle, answer, words=words))
            return False
        else:
            try:
                verdict = _judge(puzzle, said, answer)
            except ProofFailure:
                raise
            except AquakitError as problem:
                say(f"That is not possible: {problem}")
                continue
            if verdict is None:
                say("Stopped.")
                continue
            print_lines(_tell_verdict(puzzle, said, verdict, words=words))
            if verdict.right:
                print_lines(split_explanation(answer.explanation, find_kind(puzzle.kind).other))
                return True
    return False


def _read_line() -> str:
    """Reads what somebody types; nothing at the end of the input."""
    say("> ", end="", flush=True)
    return sys.stdin.readline().strip()


def _tell_verdict(puzzle: Puzzle, attempt: str, verdict: Verdict, *, words: bool) -> Iterator[str]:
    yield f"{'Right' if verdict.right else 'Not the best'}: {verdict.words}."
    if not verdict.right:
        yield from (f"- {reason}" for reason in verdict.reasons)
        if verdict.refutation:
            line = _tell_line(puzzle, verdict.refutation, "" if verdict.reasons else attempt, words=words)
            yield f"The best line {'with' if verdict.reasons else 'after'} it: {line}"


# check


@puzzle_app.command("check")
def check_puzzles(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files and folders; without, those of the kit.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Check only the puzzle with this id; can be repeated.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Check only puzzles with this tag; can be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep what is checked here; the same command goes on.")] = None,
    note: Annotated[bool, typer.Option("--note", help="Note in the files who else proved what stands there.")] = False,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Prove puzzles again from their positions alone, and fail on any difference."""
    begun = time.perf_counter()
    tasks = certify.list_tasks(paths or [collection.home()], only=only or (), tags=tag or ())
    done = list[certify.Checked]()
    try:
        with find_executor(workers=workers, dask=dask, pieces=len(tasks)) as pool:
            for number, checked in enumerate(certify.check_all(tasks, executor=pool, path=out), start=1):
                say("\n".join(_tell_checked(checked, number, len(tasks))), flush=True)
                done.append(checked)
    except KeyboardInterrupt:
        say_stopped()
    if note:
        for file, number in certify.note_witnesses(done):
            say(f"{file}: {count(number, 'new proof')} noted")
    seconds = time.perf_counter() - begun
    wrong = sum(bool(checked.differences) for checked in done)
    say(f"{count(len(tasks), 'puzzle')} proved again in {seconds:.0f} s, {wrong or 'none'} of them different")
    raise typer.Exit(1 if wrong else 0)


def _tell_checked(checked: certify.Checked, number: int, of: int) -> Iterator[str]:
    state = "ok" if not checked.differences else count(len(checked.differences), "difference")
    yield f"[{number:{len(str(of))}}/{of}] {checked.puzzle}: {state}, {checked.seconds:.1f} s"
    yield from map(str, checked.differences)


# make


@puzzle_app.command("make")
def make_puzzles(
    kind: Annotated[str, typer.Option(help=f"What is asked: {', '.join(kind_names())}.")],
    number: Annotated[int, typer.Option("--count", help="How many of them are to be in the file.")],
    seed: Annotated[int, typer.Option(help="The first game's number; each number is a game between bots.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The file to add them to; else made-KIND.toml here.")] = None,
    layout: Annotated[list[str] | None, typer.Option(help="Only on this board; can be repeated.")] = None,
    theme: Annotated[list[str] | None, typer.Option(help="Only with this theme, or another one given.")] = None,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Make puzzles from games between bots, proved; stopped and begun again, it goes on where it was."""
    from aquakit.puzzle.making.generate import make, say_tally

    path, tally = out or Path(f"made-{kind}.toml"), Counter[str]()
    stopped = False
    with find_executor(workers=workers, dask=dask) as pool:
        made = make(
            kind,
            number,
            seed,
            path=path,
            layouts=layout or (),
            themes=theme or (),
            executor=pool,
            progress=sys.stderr.isatty(),
            tally=tally,
        )
        with closing(made):
            try:
                for puzzle, _ in made:
                    told = f"difficulty {puzzle.difficulty}, {', '.join(puzzle.themes)}"
                    say(f"{puzzle.id}: {puzzle.title}, {told}", flush=True)
            except KeyboardInterrupt:
                stopped = True
    say(f"{say_tally(tally) or 'there are so many already'}; puzzles in {path}", error=True)
    if stopped:
        say_stopped()


# retell


@puzzle_app.command("retell")
def retell_puzzles(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders of puzzles, which are written anew.")],
    only: Annotated[list[str] | None, typer.Option(help="Only the puzzle with this id; can be repeated.")] = None,
    titles: Annotated[bool, typer.Option("--titles", help="New titles too, each of them once.")] = False,
    order: Annotated[bool, typer.Option("--order", help="Put each set in order, easy first, and number it.")] = False,
) -> None:
    """Write anew what the kit says about puzzles: themes, difficulty, hints, explanations. Answers stay as they are."""
    from aquakit.puzzle.making.author import arrange, retell

    tasks = certify.list_tasks(paths, only=only or ())
    chosen, taken = {task.puzzle.id for task in tasks}, set[str]()
    for file in certify.find_files(paths):
        known = PuzzleSet.load(file)
        names = [puzzle.id for puzzle in known.puzzles if puzzle.id in chosen]
        made = retell(known, only=names, titles=taken if titles else None) if names else known
        made = arrange(made) if order else made
        taken.update(puzzle.title for puzzle in made.puzzles)
        if made != known:
            made.save(file)
        say(f"{file}: {'written anew' if made != known else 'nothing new'}", flush=True)
