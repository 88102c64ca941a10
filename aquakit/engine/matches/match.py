"""Lets bots play matches: fair seats, the same starts and dice for all, spread over processes or a cluster."""

from __future__ import annotations

import json
import math
import pickle
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from aquakit.core import games
from aquakit.core.layouts import BaseLayout
from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.version import VERSION
from aquakit.drawing.tables import write_table
from aquakit.engine.bots import NAMES, bot, name_bot
from aquakit.engine.matches.playing import MatchPlan, Player, play_game
from aquakit.engine.matches.results import FORM, MATCH, GameResult, MatchHead
from aquakit.engine.matches.standings import HEADS, Standing, rank_bots, write_row
from aquakit.errors import InvalidOption
from aquakit.work.executors import Processes, find_executor
from aquakit.work.journal import InvalidResults, Journal
from aquakit.work.progress import show_progress
from aquakit.work.spread import spread

if TYPE_CHECKING:
    from aquakit.core.record import Record

MOST_GAMES = 10**7
MOST_BOTS = 20


class Match:
    """The results of a match, all of it or as far as it was played.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> found = match(["greedy", "random"], 4, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False)
    >>> found.summary
    'Match on romana2-5x4, seed 0: 4 games'
    >>> found.is_complete, found.planned, len(found.results), found.head.bots, found.notes
    (True, 4, 4, ('greedy', 'random'), [])
    >>> [(standing.bot, standing.games) for standing in found.standings]
    [('greedy', 4), ('random', 4)]
    >>> list(found.games["bot_1"])
    ['greedy', 'random', 'greedy', 'random']
    """

    def __init__(
        self,
        head: MatchHead,
        results: Iterable[GameResult],
        planned: int | None = None,
        layout: BaseLayout | None = None,
        folder: Path | None = None,
    ) -> None:
        """Wraps results, in order; use `aquakit.match` or `Match.load`."""
        self.head = head
        """What makes the match the one it is: bots, layout, seed, version."""
        self.results = tuple(results)
        """The finished games."""
        self.planned = len(self.results) if planned is None else planned
        """How many games were asked for."""
        self._layout = layout
        self._folder = folder

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a match from the file of its results; a layout of one's own is found if it lies beside that.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path, executor = Path(folder, "results.jsonl"), ThreadPoolExecutor(1)
        ...     found = match(["greedy", "random"], 2, "romana2-5x4", executor=executor, path=path, progress=False)
        ...     Match.load(path).results == found.results
        True
        """
        head, results = MATCH.read(path)
        for result in results.values():
            if len(set(result.seats)) < 2:
                where = f"{path}, game {result.game}"
                raise InvalidResults(where, "has one bot in all seats", "bots against each other")
        return cls(head, results.values(), folder=Path(path).parent)

    @property
    def is_complete(self) -> bool:
        """Whether all games that were asked for are played."""
        return len(self.results) >= self.planned

    @property
    def standings(self) -> list[Standing]:
        """How each bot did."""
        return rank_bots(self.head.bots, self.results)

    @property
    def games(self) -> Any:
        """The games as a DataFrame: a row each, with the bot, the points, the share of the win and the time by seat."""
        import pandas as pd

        return pd.DataFrame([_row(result) for result in self.results])

    def table(self) -> Any:
        """Gets how each bot did as a DataFrame: a row each, with 95 % intervals; `Standing` says what is what.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> found = match(["greedy", "random"], 4, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False)
        >>> list(found.table()["games"])
        [4, 4]
        """
        import pandas as pd

        return pd.DataFrame([asdict(standing) for standing in self.standings]).set_index("bot")

    def record(self, game: int) -> Record:
        """Gets a game as a record, to look at it turn by turn.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> found = match(["greedy", "random"], 2, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False)
        >>> dict(found.record(1).headers)
        {'event': 'Match, game 1', 'player 1': 'random', 'player 2': 'greedy'}
        """
        from aquakit.core.record import Record

        found = next((result for result in self.results if result.game == game), None)
        if found is None:
            raise InvalidOption("game", show(game), "the number of a finished game")
        names = {f"player {seat}": name for seat, name in enumerate(found.seats, start=1)}
        made = Record(
            games.parse(found.start, self._layout, folder=self._folder), {"event": f"Match, game {game}", **names}
        )
        node = made.root
        for turn in found.turns:
            node = node.play(turn)
        return made

    def json(self) -> dict[str, Any]:
        """Gets everything but the games themselves as plain data; what is not a finite number is None.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> found = match(["greedy", "random"], 2, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False)
        >>> found.json()["bots"], len(found.json()["table"])
        (['greedy', 'random'], 2)
        """
        rows = [{name: _finite(value) for name, value in asdict(standing).items()} for standing in self.standings]
        return {**self.head.model_dump(mode="json"), "games": len(self.results), "planned": self.planned, "table": rows}

    # Showing

    @property
    def summary(self) -> str:
        """What was played, in a line."""
        played = len(self.results)
        count = f"{played} games" if self.is_complete else f"stopped after {played} of {self.planned} games"
        return f"Match on {self.head.layout}, seed {self.head.seed}: {count}"

    @property
    def notes(self) -> list[str]:
        """What should be known before trusting the numbers."""
        made = []
        seated = Counter(result.game % self.head.ways for result in self.results)
        if len({seated[way] for way in range(self.head.ways)}) > 1:
            made.append(f"seats are fair only after every {self.head.ways} games")
        different = len({(result.seats, result.start, result.turns) for result in self.results})
        if different < len(self.results):
            made.append(f"only {different} of the games differ, so that the intervals are too narrow")
        return made

    def rows(self) -> list[tuple[str, ...]]:
        """Gets the table for people to read: the heads, then a row for each bot.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> found = match(["greedy", "random"], 2, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False)
        >>> found.rows()[0][:3]
        ('bot', 'games', 'wins')
        """
        return [HEADS, *map(write_row, self.standings)]

    def __repr__(self) -> str:
        rows = self.rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(_pad, row, widths, count())) for row in rows]
        return "\n".join([f"<{self.summary}>", *lines, *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        heads, *rows = self.rows()
        return write_table(heads, rows, self.summary, *self.notes)


def _pad(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column else cell.ljust(width)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _row(result: GameResult) -> dict[str, Any]:
    row: dict[str, Any] = {"game": result.game, "seed": result.seed, "turns": len(result.turns)}
    for name, values in (
        ("bot", result.seats),
        ("score", result.scores),
        ("share", result.shares),
        ("seconds", result.seconds),
    ):
        row |= {f"{name}_{seat}": value for seat, value in enumerate(values, start=1)}
    return row


# Playing


def match(
    bots: Sequence[str | Player],
    games: int = 100,
    layout: str | Path | BaseLayout = "romana2",
    *,
    seed: int = 0,
    executor: Executor | None = None,
    path: str | Path | None = None,
    progress: bool = True,
    **options: Any,
) -> Match:
    """Lets bots play a match and gets its results.

    Bots are specs like "greedy" or "mcts:2000", or callables that answer a position with a turn. They change seats
    after every game; all ways to seat them get the same start and dice. Other options are those of the game's start.

    Games run in processes of their own, one for each core, or in any executor: for a Dask cluster, in
    `Client.get_executor()`. With a path, results are kept in a file, and the same call goes on where it stopped. An
    interrupt ends the match early: what is finished is returned, and kept.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> match(["greedy", "random"], 4, "romana2-5x4", executor=ThreadPoolExecutor(1), progress=False).is_complete
    True
    """
    planned = read_whole("games", games, least=1, most=MOST_GAMES)
    plan, board = _plan(bots, layout, read_whole("seed", seed, most=2**64), options)
    head = _head(plan, board)
    read_flag("progress", progress)
    with closing(Journal(MATCH, head, path, plan.owns)) as results:
        todo = [game for game in range(planned) if game not in results]
        with (
            show_progress(planned, planned - len(todo), "game", shown=progress) as bar,
            find_executor(executor, pieces=len(todo)) as pool,
            suppress(KeyboardInterrupt),
        ):
            for _, result in spread(pool, partial(play_game, _pack(plan, pool)), todo):
                results.add(result)
                bar.update()
        return Match(head, (result for result in results if result.game < planned), planned, board)


def _plan(
    bots: Sequence[str | Player], layout: str | Path | BaseLayout, seed: int, options: Mapping[str, Any]
) -> tuple[MatchPlan, BaseLayout]:
    if not isinstance(bots, Sequence) or isinstance(bots, str) or not 2 <= len(bots) <= MOST_BOTS:
        raise InvalidOption("bots", show(bots), f"a list of 2 to {MOST_BOTS} bots")
    game = games.game_of(layout)
    board = game.layout.load(layout)
    seats = len(game.start(board).scores())
    if seats < 2:
        raise InvalidOption("layout", f"{board.name} is for one player", "a layout for several players")
    plan = MatchPlan(game.name, board.text, board.ref, dict(options), _name(bots), tuple(bots), seats, seed)
    plan.start(0)
    return plan, board


def _name(bots: Sequence[str | Player]) -> tuple[str, ...]:
    """Gets each bot's name, of equal ones with a number."""
    names: list[str] = []
    for each in bots:
        if not isinstance(each, str) and not callable(each):
            raise InvalidOption("bots", show(each), f"{NAMES}; or something that is called with a position")
        made = bot(each) if isinstance(each, str) else each
        name = name_bot(made)
        numbered = chain([name], (f"{name} #{n}" for n in count(2)))
        names.append(next(each for each in numbered if each not in names))
    return tuple(names)


def _head(plan: MatchPlan, board: BaseLayout) -> MatchHead:
    try:
        options = json.loads(json.dumps(plan.options))
    except (TypeError, ValueError) as problem:
        raise InvalidOption("options", str(problem), "plain values, so that they can be kept in a file") from None
    stamp = sha256(board.text.encode()).hexdigest()[:16]
    return MatchHead(
        form=FORM,
        version=VERSION,
        bots=plan.names,
        layout=board.name,
        board=stamp,
        options=options,
        ways=len(plan.ways),
        seed=plan.seed,
    )


def _pack(plan: MatchPlan, pool: Executor) -> MatchPlan:
    """Pickles callables for other processes, so that what goes wrong there can be said clearly."""
    if not isinstance(pool, ProcessPoolExecutor | Processes):
        return plan
    return replace(plan, bots=tuple(map(_pickle, plan.bots, plan.names)))


def _pickle(made: str | bytes | Player, name: str) -> str | bytes:
    if isinstance(made, str | bytes):
        return made
    try:
        return pickle.dumps(made)
    except Exception as problem:
        expected = "a function or an object of a class that a module defines, or executor=ThreadPoolExecutor(1)"
        raise InvalidOption("bots", f"{name} cannot be sent to another process: {problem}", expected) from None
