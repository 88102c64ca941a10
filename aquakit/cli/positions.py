"""The commands about a position: start, show, legal, turns, play, random."""

from __future__ import annotations

import random as randomness
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from aquakit import aquadukt
from aquakit.cli.common import (
    Force,
    Json,
    LayoutOption,
    PositionArgument,
    Words,
    check_record_option,
    check_words,
    find_layout,
    print_json,
    print_lines,
    read_position,
    say,
    write_picture,
)
from aquakit.core import games
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Record
from aquakit.errors import InvalidOption

History = list[tuple[AnyPosition, BaseTurn[Any]]]
"""Each position of a game and the turn played there."""


def print_start(
    layout: Annotated[str, typer.Argument(help="A layout's name or file.")],
    setup: Annotated[bool, typer.Option("--setup", help="Aqua Romana: before the setup.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Aquädukt: draws the mountains.")] = None,
    events: Annotated[bool, typer.Option("--events", help="Aquädukt: with events under the mountains.")] = False,
) -> None:
    """Print the start of a game, to be used with the other commands."""
    given = {"setup": setup or None, "seed": seed, "events": events or None}
    say(games.start(find_layout(layout), **{name: value for name, value in given.items() if value is not None}))


def show(
    position: PositionArgument,
    svg: Annotated[str | None, typer.Option(help="Write a picture to this file, - for standard output.")] = None,
    theme: Annotated[str, typer.Option(help="light, dark or auto")] = "light",
    size: Annotated[int | None, typer.Option(help="The picture's width in pixels.")] = None,
    sight: Annotated[str, typer.Option(help="Aqueducts whose sight lines to draw, such as R1,R2.")] = "",
    last: Annotated[str | None, typer.Option(help="The last turn, to be marked.")] = None,
    flip: Annotated[bool, typer.Option(help="See the board from the other side.")] = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Show a position as text, as data, or as a picture."""
    p = read_position(position, layout)
    if svg is None:
        if (theme, size, sight, last, flip) != ("light", None, "", None, False):
            raise InvalidOption("svg", "is missing", "a file for the picture that the other options change")
        print_json(p.describe()) if as_json else say(p.diagram())
        return
    if as_json or not svg:
        raise InvalidOption("svg", repr(svg), "a file or -, and not together with --json")
    options: dict[str, Any] = {"theme": theme, "size": size, "last": last, "flip": flip}
    if sight:
        options["sight"] = [name.strip() for name in sight.split(",")]
    picture = p.svg(**options)
    if svg == "-":
        say(picture)
    else:
        write_picture(svg, picture)
        say(svg)


def legal(position: PositionArgument, layout: LayoutOption = None, as_json: Json = False) -> None:
    """List the legal actions of the decision at hand."""
    p = read_position(position, layout)
    actions = [str(action) for action in p.actions()]
    if as_json:
        print_json({"position": str(p), "player": p.player, "phase": p.phase, "actions": actions})
    else:
        print_lines(actions)


def turns(
    position: PositionArgument,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many.")] = None,
    dice: Annotated[str, typer.Option(help="Aquädukt: the turns with houses for given rolls, such as 7,3,12.")] = "",
    words: Words = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """List the complete legal turns, those without dice if the game has any."""
    check_words(words=words, as_json=as_json)
    p = read_position(position, layout)
    found = islice(_turns_with(p, dice) if dice else p.turns(), limit)
    if count:
        number = sum(1 for _ in found)
        if as_json:
            print_json({"position": str(p), "turns": number})
        else:
            say(number)
    elif as_json:
        print_json({"position": str(p), "turns": [str(turn) for turn in found]})
    else:
        for turn in found:
            say(p.tell(turn, "full") if words else turn)


def _turns_with(p: AnyPosition, dice: str) -> Iterator[Any]:
    """Lists the turns for given rolls."""
    if not isinstance(p, aquadukt.Position):
        raise InvalidOption("dice", f"{p.layout.name} has no die", "a position of Aquädukt")
    rolls = dice.split(",")
    if not all(re.fullmatch("[0-9]{1,9}", roll.strip()) for roll in rolls):
        raise InvalidOption("dice", repr(dice), "numbers joined by commas, such as 7,3,12")
    return p.turns(dice=map(int, rolls))


def play(
    position: PositionArgument,
    turns: Annotated[list[str], typer.Argument(help="Turns in order, each in quotes.")],
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Play turns and print the position after them."""
    p = read_position(position, layout)
    for turn in turns:
        p = p.play(turn)
    if as_json:
        print_json(p.describe())
    else:
        say(p)


def random(
    position: PositionArgument = "romana4",
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    turns: Annotated[int | None, typer.Option(min=0, help="Stop after this many turns and print the position.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write the game as a record to this file too.")] = None,
    force: Force = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Play random legal games: a position and its turn per line, at the end the totals."""
    start = read_position(position, layout)
    if turns is None and getattr(start, "is_solo", False):
        raise InvalidOption("turns", "is missing", "a number, since a study position has no end to play to [S1]")
    if record is not None and count > 1:
        raise InvalidOption("record", f"{count} games are asked for", "one game to record")
    check_record_option(record, force=force)
    played: Iterable[tuple[History, AnyPosition]] = (
        play_randomly(start, randomness.Random(f"{seed}/{number}"), turns) for number in range(count)
    )
    if record is not None:
        played = list(played)
        _record_game(start, played[0][0], seed).save(record)
    if as_json:
        print_json([_game_as_data(history, last) for history, last in played])
        return
    for history, last in played:
        if turns is not None:
            say(last)
        else:
            print_lines([f"{p}\t{turn}" for p, turn in history])
            say(f"{last}\t{','.join(map(str, last.scores()))}\n")


def _record_game(start: AnyPosition, history: History, seed: int) -> Record:
    made = Record(start, {"event": "Random game", "seed": str(seed)})
    node = made.root
    for _, turn in history:
        node = node.play(turn)
    return made


def _game_as_data(history: History, last: AnyPosition) -> dict[str, Any]:
    rows = [{"position": str(p), "turn": str(turn)} for p, turn in history]
    return {"turns": rows, "last": str(last), "scores": list(last.scores())}


def play_randomly(p: AnyPosition, draw: randomness.Random, turns: int | None) -> tuple[History, AnyPosition]:
    """Plays random actions, to the end or for a number of turns; gets the turns played and the last position."""
    history: History = []
    while not p.is_over and (turns is None or len(history) < turns):
        before, actions = p, []
        while True:
            actions.append(draw.choice(p.actions()))
            p = p.act(actions[-1])
            if not p.played:
                break
        history.append((before, p.turn_type(actions)))
    return history, p
