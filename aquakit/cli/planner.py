"""The planners on the command line: plan, timing, longest, canals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aquakit.board.telling import tell_line
from aquakit.cli.common import (
    Force,
    Json,
    LayoutOption,
    PositionArgument,
    Words,
    ask,
    check_record_option,
    check_words,
    hear_best,
    hear_games,
    hear_points,
    print_json,
    print_lines,
    read_position,
    say,
    say_stopped,
    show_progress,
    stopped_by_interrupt,
    write_picture,
)
from aquakit.cli.options import command_of
from aquakit.core.files import read_text
from aquakit.core.layouts import is_file
from aquakit.core.tomlfile import load_toml
from aquakit.errors import InvalidOption

if TYPE_CHECKING:
    from aquakit.aquadukt.planner.canals.result import CanalLayout
    from aquakit.planning.listing import Listing
    from aquakit.romana.planner.plan.result import Plan
    from aquakit.romana.planner.timing.result import Timing

PlayerNumber = Annotated[int | None, typer.Option(min=1, help="Whose plan; else the player to move.")]
Picture = Annotated[str | None, typer.Option(help="Draw a picture to this file, or to - instead of the text.")]
NoLimit = Annotated[float | None, typer.Option(help="Stop after so long; else when it is proved.", show_default=False)]
Limit = Annotated[float, typer.Option(help="Stop after so long.")]
CHARTS = (".png", ".svg", ".pdf")


# What these commands share


def _check_picture(svg: str | None, *, as_json: bool) -> None:
    if svg is not None and (not svg or (svg == "-" and as_json)):
        raise InvalidOption("svg", repr(svg), "a file, or - without --json")
    if svg is not None and svg != "-":
        _check_folder("svg", Path(svg))


def _check_folder(option: str, path: Path | None) -> None:
    """Checks before the work whether there is a place for its result."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise InvalidOption(option, f"{path} cannot be written", "a file in a folder that is there")


def _print_found(found: Any, lines: list[str], data: dict[str, Any], svg: str | None, *, as_json: bool) -> None:
    """Prints what was found, as text, as data or as a picture; a picture's file comes after the answer."""
    if svg == "-":
        say(found.svg())
        return
    print_json(found.json() | data) if as_json else print_lines(lines)
    if svg is not None:
        write_picture(svg, found.svg())
        say(f"picture in {svg}", error=True)


# plan


@dataclass(frozen=True)
class PlanOptions:
    """The options of `plan`."""

    position: PositionArgument
    turns: Annotated[int, typer.Option(help="How many turns the player has.")]
    player: PlayerNumber = None
    closed_only: Annotated[bool, typer.Option("--closed-only", help="Count only closed aqueducts.")] = False
    no_closing: Annotated[bool, typer.Option("--no-closing", help="Close none voluntarily.")] = False
    first: Annotated[str | None, typer.Option(help="The turn to begin with, in quotes.")] = None
    forbid: Annotated[list[str] | None, typer.Option(help="A square or an action not to use; can be repeated.")] = None
    seconds: NoLimit = None
    method: Annotated[str, typer.Option(help="auto, search or cpsat")] = "auto"
    verify: Annotated[bool, typer.Option("--verify", help="Let the method that did not prove it confirm it.")] = False
    alternatives: Annotated[bool, typer.Option("--alternatives", help="List all first builds as good.")] = False
    all_plans: Annotated[int | None, typer.Option("--all", min=1, help="List up to so many plans as good.")] = None
    record: Annotated[Path | None, typer.Option(help="Write the plan as a record to this file.")] = None
    force: Force = False
    svg: Picture = None
    words: Words = False
    layout: LayoutOption = None
    as_json: Json = False


def plan_turns(given: PlanOptions) -> None:
    """Aqua Romana: find the most podium points in some turns alone; stopped early, print the best so far."""
    _check_plan_options(given)
    found, stopped = _ask_for_plan(given)
    listings: dict[str, Listing | None] = {}
    if not stopped:
        with stopped_by_interrupt(is_told=True) as stop, suppress(KeyboardInterrupt), show_progress():
            listings.update(_list_as_good(found, given))
        stopped = stop.is_set()
    _print_plan(found, listings, given)
    if stopped:
        say_stopped()
    if found.points is None:
        raise typer.Exit(1)


def _check_plan_options(given: PlanOptions) -> None:
    """Checks before the work what the planner itself does not know of."""
    check_words(words=given.words, as_json=given.as_json)
    if given.turns == 1 and given.first is not None and (given.alternatives or given.all_plans is not None):
        raise InvalidOption("turns", "1, which is given by --first", "2 or more if what is as good is to be listed")
    check_record_option(given.record, force=given.force)
    _check_folder("record", given.record)
    _check_picture(given.svg, as_json=given.as_json)


def _ask_for_plan(given: PlanOptions) -> tuple[Plan, bool]:
    from aquakit.romana.planner.plan.plan import plan

    return ask(
        plan,
        read_position(given.position, given.layout),
        hear_points,
        turns=given.turns,
        player=given.player,
        closed_only=given.closed_only,
        closing=not given.no_closing,
        first=given.first,
        forbid=given.forbid or (),
        seconds=given.seconds,
        method=given.method,
        verify=given.verify,
    )


def _print_plan(found: Plan, listings: dict[str, Listing | None], given: PlanOptions) -> None:
    """Prints a plan and what is as good, and writes the files asked for."""
    heads = {"alternatives": "builds after that" if found.begun else "first builds", "plans": "plans"}
    tell = partial(_tell_as_good, found) if given.words else _write_as_good
    lines = [line for name, listing in listings.items() for line in _write_listing(heads[name], listing, tell)]
    data = {name: _listing_as_data(listing) for name, listing in listings.items()}
    text = found.in_words() if given.words else str(found)
    _print_found(found, [text, *lines], data, given.svg, as_json=given.as_json)
    if given.record is not None and found.points is not None:
        found.record().save(given.record)
        say(f"record in {given.record}", error=True)


def _list_as_good(found: Plan, given: PlanOptions) -> Iterator[tuple[str, Listing | None]]:
    """Lists what was asked for: first builds, whole plans; nothing where the plan is not proved."""
    if given.alternatives:
        yield "alternatives", found.alternatives(seconds=given.seconds) if found.proved else None
    if given.all_plans is not None:
        yield "plans", found.enumerate(given.all_plans, seconds=given.seconds) if found.proved else None


def _write_listing(what: str, listing: Listing | None, tell: Callable[[Any], str]) -> Iterator[str]:
    if listing is None:
        yield f"{what} as good: not listed, since the plan is not proved"
        return
    yield f"{what} as good{'' if listing.complete else ', perhaps not all'}:"
    for item in listing:
        yield f"  {tell(item)}"


def _write_as_good(item: Any) -> str:
    """Writes a build, or the turns of a plan."""
    return item if isinstance(item, str) else " / ".join(map(str, item))


def _tell_as_good(found: Plan, item: Any) -> str:
    """Says a build, or the turns of a plan, in words."""
    from aquakit.romana.board.telling import tell_action
    from aquakit.romana.notation import Turn

    start = found.question.position
    if isinstance(item, str):
        return tell_action(start, Turn.read_action(item))
    return " / ".join(tell_line(start, item, "full"))


def _listing_as_data(listing: Listing | None) -> dict[str, Any] | None:
    if listing is None:
        return None
    found = [item if isinstance(item, str) else [str(turn) for turn in item] for item in listing]
    return {"found": found, "complete": listing.complete}


# timing


@dataclass(frozen=True)
class TimingOptions:
    """The options of `timing`."""

    position: PositionArgument
    player: PlayerNumber = None
    rounds: Annotated[int | None, typer.Option(help="How many rounds; else 6.", show_default=False)] = None
    growth: Annotated[
        list[str] | None,
        typer.Option(help="R1=3,4,6 (lengths), R2=0.5 (a round), or a TOML file of such lines; can be repeated."),
    ] = None
    rivals: Annotated[
        list[str] | None,
        typer.Option(
            help="playouts, replies, engine (everybody plays on by its search), nobody, or rounds such as Y1=2,B1=3; "
            "repeated, each is a scenario."
        ),
    ] = None
    aim: Annotated[str, typer.Option(help="expected or worst")] = "expected"
    closed_only: Annotated[bool, typer.Option("--closed-only", help="Count only closed aqueducts.")] = False
    waits: Annotated[int, typer.Option(help="Compare closing now with waiting up to so many rounds.")] = 3
    playouts: Annotated[int, typer.Option(help="Without growth: estimate it by so many playouts.")] = 24
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same playouts.")] = 0
    games: Annotated[int, typer.Option(help="Games of the engine: the more, the smaller the errors.")] = 100
    per_decision: Annotated[int, typer.Option(help="Playouts for each decision in the engine's games.")] = 200
    seconds: Limit = 30
    method: Annotated[str, typer.Option(help="auto, search or cpsat")] = "auto"
    words: Annotated[bool, typer.Option("--words", help="Say the schedule in sentences instead of a table.")] = False
    race: Annotated[Path | None, typer.Option(help="Draw who takes which podium when: a .png, .svg or .pdf.")] = None
    layout: LayoutOption = None
    as_json: Json = False


def time_closings(given: TimingOptions) -> None:
    """Aqua Romana: find out when to close which aqueduct; stopped early, print what is known."""
    check_words(words=given.words, as_json=given.as_json)
    if given.race is not None and given.race.suffix not in CHARTS:
        raise InvalidOption("race", str(given.race), f"a file that ends with {', '.join(CHARTS)}")
    _check_folder("race", given.race)
    found, stopped = _ask_for_timing(given)
    print_json(found.json()) if given.as_json else say(found.in_words() if given.words else found)
    if given.race is not None:
        _draw_race(found, given.race)
        say(f"chart in {given.race}", error=True)
    if stopped:
        say_stopped()


def _ask_for_timing(given: TimingOptions) -> tuple[Timing, bool]:
    from aquakit.romana.planner.timing.timing import timing

    return ask(
        timing,
        read_position(given.position, given.layout),
        hear_games,
        player=given.player,
        rounds=given.rounds,
        growth=parse_growth(given.growth or []),
        rivals=parse_rivals(given.rivals or []),
        aim=given.aim,
        closed_only=given.closed_only,
        waits=given.waits,
        playouts=given.playouts,
        seed=given.seed,
        seconds=given.seconds,
        method=given.method,
        games=given.games,
        per_decision=given.per_decision,
    )


def parse_growth(words: list[str]) -> dict[str, Any] | None:
    """Reads what is expected of aqueducts: lengths, growth in a round, or a file of those.

    >>> parse_growth(["R1=3,4,6", "R2=0.5"])
    {'R1': [3, 4, 6], 'R2': 0.5}
    """
    made: dict[str, Any] = {}
    for word in words:
        name, sign, text = (part.strip() for part in word.partition("="))
        entries = {name: _read_course(word, text)} if sign else _read_growth_file(word)
        twice = sorted(made.keys() & entries.keys())
        if twice:
            raise InvalidOption("growth", f"{twice[0]} is given twice", "each aqueduct once")
        made |= entries
    return made or None


def _read_course(word: str, text: str) -> Any:
    try:
        return [int(part) for part in text.rstrip(",").split(",")] if "," in text else float(text)
    except ValueError:
        expected = "lengths such as R1=3,4,6, growth in a round such as R2=0.5, or a file"
        raise InvalidOption("growth", repr(word), expected) from None


def _read_growth_file(path: str) -> dict[str, Any]:
    expected = "R1=3,4,6, or a TOML file with lines such as R1 = [3, 4, 6]"
    if not is_file(path):
        raise InvalidOption("growth", f"{path!r} is no file", expected)
    return load_toml(read_text(path, InvalidOption, expected), path, InvalidOption)


def parse_rivals(words: list[str]) -> Any:
    """Reads what the rivals are expected to close: a habit, rounds, or several scenarios of those.

    >>> parse_rivals(["Y1=2,weight=3", "nobody"])
    [{'Y1': 2, 'weight': 3.0}, {}]
    """
    if not words:
        return None
    if words in (["playouts"], ["replies"], ["engine"]):
        return words[0]
    scenarios = [_read_scenario(word) for word in words]
    return scenarios[0] if len(scenarios) == 1 and "weight" not in scenarios[0] else scenarios


def _read_scenario(word: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for part in [] if word == "nobody" else word.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            made[name] = float(number) if name == "weight" else int(number)
        except ValueError:
            expected = "playouts, replies or engine alone, nobody, or rounds such as Y1=2,B1=3"
            raise InvalidOption("rivals", repr(word), expected) from None
    return made


def _draw_race(found: Timing, path: Path) -> None:
    """Draws the podium race to a file, which is there whole or not at all."""
    import matplotlib

    matplotlib.use("Agg")
    try:
        with TemporaryDirectory(dir=path.parent, prefix=".") as folder:
            drawn = Path(folder) / path.name
            found.race().figure.savefig(drawn)
            drawn.replace(path)
    except OSError as problem:
        raise InvalidOption("race", f"{path} cannot be written: {problem.strerror}", "a path in a folder") from None


# longest


def find_longest(
    position: PositionArgument,
    aqueduct: Annotated[str | None, typer.Option(help="The aqueduct to make longest, such as R1.")] = None,
    player: Annotated[int | None, typer.Option(min=1, help="Or whose podium sum to make best.")] = None,
    seconds: Limit = 30,
    svg: Picture = None,
    words: Words = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Aqua Romana: find the longest aqueduct, or best podium sum, still possible; stopped early, print the best."""
    from aquakit.romana.planner.longest.longest import longest

    check_words(words=words, as_json=as_json)
    _check_picture(svg, as_json=as_json)
    found, stopped = ask(
        longest, read_position(position, layout), hear_best, aqueduct=aqueduct, player=player, seconds=seconds
    )
    _print_found(found, [found.in_words() if words else str(found)], {}, svg, as_json=as_json)
    if stopped:
        say_stopped()


# canals


def lay_canals(
    position: PositionArgument,
    canals: Annotated[int, typer.Option(help="Up to so many canals.")],
    player: PlayerNumber = None,
    springs: Annotated[int, typer.Option(help="Up to so many new springs before.")] = 0,
    alone: Annotated[bool, typer.Option("--alone", help="Do not take the others' points off.")] = False,
    seconds: NoLimit = None,
    all_plans: Annotated[int | None, typer.Option("--all", min=1, help="List up to so many layouts as good.")] = None,
    svg: Picture = None,
    words: Words = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Aquädukt: find the best layout of some more canals; stopped early, print the best so far."""
    from aquakit.aquadukt.planner.canals.plan import plan_canals

    check_words(words=words, as_json=as_json)
    _check_picture(svg, as_json=as_json)
    options = {"canals": canals, "springs": springs, "player": player, "against": not alone, "seconds": seconds}
    found, stopped = ask(plan_canals, read_position(position, layout), hear_best, **options)
    listing: Listing | None = None
    if not stopped and all_plans is not None:
        with stopped_by_interrupt(is_told=True) as stop, suppress(KeyboardInterrupt):
            listing = found.alternatives(all_plans, seconds=seconds)
        stopped = stop.is_set()
    lines = [] if listing is None else _write_layouts(listing, found.tell if words else _write_pieces)
    data = {} if listing is None else {"layouts": _layouts_as_data(listing)}
    _print_found(found, [found.in_words() if words else str(found), *lines], data, svg, as_json=as_json)
    if stopped:
        say_stopped()


def _write_pieces(layout: CanalLayout) -> list[str]:
    return [*layout.springs, *layout.canals]


def _write_layouts(listing: Listing, say_pieces: Callable[[CanalLayout], list[str]]) -> list[str]:
    """Writes the layouts that are as good, in whatever way their springs and canals are said."""
    head = f"layouts as good{'' if listing.complete else ', perhaps not all'}:"
    return [head, *(f"  {', '.join(say_pieces(layout)) or 'no canal'}" for layout in listing)]


def _layouts_as_data(listing: Listing) -> dict[str, Any]:
    return {"found": [_write_pieces(layout) for layout in listing], "complete": listing.complete}


COMMANDS: dict[str, Callable[..., None]] = {
    "plan": command_of(PlanOptions, plan_turns),
    "timing": command_of(TimingOptions, time_closings),
    "longest": find_longest,
    "canals": lay_canals,
}
"""The commands by name, in the order in which help lists them."""
