"""What pages say to boards: whatever it is, a message that does not fit is refused in a line and changes nothing."""

from __future__ import annotations

import json
import math
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_puzzles import make_set

import aquakit
from aquakit import Board, Explorer
from aquakit.training.progress import Progress
from aquakit.widgets.messages import BOOK, PAGE
from aquakit.widgets.modules import STATIC
from aquakit.widgets.trainer import Trainer
from aquakit.workshop import exercise, people

DEEP: Any = []
for _ in range(5000):
    DEEP = [DEEP]
JUNK: dict[str, Any] = {
    "none": None,
    "a flag": True,
    "a whole number": 3,
    "a negative one": -1,
    "a huge one": 10**30,
    "more digits than Python writes": 10**5000,
    "a fraction": 1.5,
    "no number": math.nan,
    "infinity": -math.inf,
    "a list": ["nothing"],
    "a table": {"at": "0"},
    "something deep": DEEP,
    "half a character": "\ud800",
    "half a character among others": "b3\udfff",
    "a huge text": "7" * (BOOK + 1),
    "another text": "<b>nothing</b>\x00",
}
"""What stands in a field where something else is expected."""
REFUSED = {
    "decision": 10**6,
    "id": "nothing",
    "number": "nothing",
    "at": "9.9",
    "index": 10**6,
    "text": "nothing",
    "turn": "nothing",
    "question": "nothing",
    "verify": "nothing",
    "title": "nothing",
    "piece": "nothing",
    "field": "nothing",
    "value": "nothing",
    "path": "../nothing",
    "source": "nothing",
    "target": "nothing",
    "by": 1,
    "step": 10**6,
    "name": " ",
    "layout": "nothing",
    "players": [{"bot": "nothing", "name": ""}],
    "wishes": {"nothing": True},
    "strength": "nothing",
}
"""What has the form that is expected and is refused all the same, so that a message changes nothing if it is heard."""
SAID = {"problem", "step", "walk", "said", "misread"}
"""Traits that tell of a refusal, or that are shown once."""


@pytest.fixture(autouse=True)
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Works in a workshop's folder; what lies beside it must stay."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / people.MARK).write_text("")
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("AQUAKIT_PERSON", raising=False)
    monkeypatch.chdir(folder)
    yield folder
    people._waiting.clear()
    people.leave()


ROMANA, AQUADUKT = aquakit.start("romana2-5x4"), aquakit.start("aquadukt2-6x5", seed=1)
TURNS = {ROMANA: "b3=+@E4 x-", AQUADUKT: next(iter(AQUADUKT.turns()))}


def play(board: Board) -> Board:
    """Plays a turn, so that there is something to lose."""
    board.play(TURNS[board.position])
    return board


def train(first: str) -> Trainer:
    return Trainer(make_set(), progress=Progress("progress.sqlite"), first=first)


BOARDS: dict[str, Callable[[], Any]] = {
    "board, romana": lambda: play(Board(ROMANA)),
    "board, aquadukt": lambda: play(Board(AQUADUKT)),
    "explorer, romana": lambda: play(Explorer(ROMANA)),
    "explorer, aquadukt": lambda: play(Explorer(AQUADUKT)),
    "new game, romana": lambda: play(aquakit.play("romana2-5x4")),
    "new game, form": lambda: aquakit.play(),
    "trainer, romana": lambda: train("five"),
    "trainer, aquadukt": lambda: train("roll"),
    "turn, romana": lambda: exercise("podium-3").ask(),
    "number, romana": lambda: exercise("podium-1").ask(),
    "option, aquadukt": lambda: exercise("water-dry").ask(),
    "gaps, aquadukt": lambda: exercise("water-complete").ask(),
}
every_board = pytest.mark.parametrize("make", BOARDS.values(), ids=BOARDS)


def look(board: Board, *left_out: str) -> dict[str, Any]:
    """Gets all that a board keeps and shows, but for what it says of a refusal."""
    shown = {name: value for name, value in board.get_state().items() if name not in SAID | {*left_out}}
    files = {str(path): path.read_bytes() for path in Path.cwd().parent.rglob("*") if path.suffix in (".txt", ".jsonl")}
    return {**shown, "record": str(board.record), "node": board.node.path, "mode": board.mode, "files": files}


def list_malformed(board: Board) -> Iterator[tuple[str, Any]]:
    """Lists messages of every name that the board knows, with all that can be wrong with each."""
    for junk in JUNK.values():
        yield "", junk
        yield "", {"do": junk}
    yield "", {}
    for name, message in board._hears.items():
        good = {"do": name, **{field: REFUSED[field] for field in message.fields}}
        for field in message.fields:
            yield name, {key: value for key, value in good.items() if key != field}
            for junk in JUNK.values():
                yield name, {**good, field: junk}
        yield name, {**good, "more": 1}
        if message.fields:
            yield name, good


@every_board
def test_malformed_messages_are_refused_in_a_line_and_change_nothing(make: Callable[[], Any], club: Path) -> None:
    (club.parent / "nothing").write_text("a file outside of the folder")
    board = make()
    before = look(board, "planner")
    for name, content in list_malformed(board):
        board.set_trait("problem", "")
        board._hear(board, content, [])
        said = board.problem or (name == "plan" and board.planner["problem"])
        assert look(board, "planner") == before, content
        if name == "advance" and type(content.get("step")) is int and not said:
            continue  # what is shown may have gone on by then
        assert said, content
        assert "\n" not in said
        assert len(said) < 1000
        said.encode()
        assert name != "plan" or not board.planner["running"]
    json.dumps(board.get_state())
    board.close()


@every_board
def test_malformed_envelopes_are_refused_too(make: Callable[[], Any], capsys: pytest.CaptureFixture[str]) -> None:
    board = make()
    before = look(board)
    spoiled: list[Any] = [
        *JUNK.values(),
        {},
        *({"method": junk} for junk in JUNK.values()),
        *({"method": "update", "state": junk} for junk in JUNK.values() if not isinstance(junk, dict)),
        {"method": "update", "state": {3: 3}},
        {"method": "update", "state": {"flip": True}, "buffer_paths": [["flip"]]},
        {"method": "update", "state": {"flip": True}, "buffer_paths": 7},
        {"method": "custom", "content": {"do": "choose"}},
        {"method": "custom", "content": None},
    ]
    for data in spoiled:
        board.set_trait("problem", "")
        board._handle_msg({"content": {"data": data}, "buffers": [b"x"]})
        assert board.problem, data
        assert look(board) == before, data
    assert capsys.readouterr() == ("", "")
    board.close()


@every_board
def test_a_page_sets_what_it_may_and_nothing_else(make: Callable[[], Any]) -> None:
    board = make()
    before = look(board)
    settable = {"position", "picked", "highlights", "arrows", "flip", "theme", "animate", "size"}
    settable |= {"lines", "show_lines", "line_count", "plan_shown", "notation"}
    flags = ("flip", "animate", "show_lines", "notation")
    for name in (*board.keys, "comm", "log", "nonsense", "__class__", "coordinates", "hide"):
        for junk in JUNK.values():
            if (name in flags and junk is True) or (name, junk) in (("line_count", 3), ("pace", 3), ("pace", 1.5)):
                continue
            if name in ("size", "plan_shown") and (junk is None or junk == 3):
                continue
            board.set_trait("problem", "")
            board.set_state({name: junk})
            assert look(board) == before, (name, junk)
            assert not (name in settable and name in board.keys) or board.problem, (name, junk)
    board.set_state({"highlights": dict.fromkeys(["b3"], "x" * PAGE)})
    assert "highlights: is too much" in board.problem
    assert look(board) == before
    board.close()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(string.printable, max_size=12)
    | st.text(st.characters(categories=["Cs", "Cc", "Lu"]), max_size=3)
    | st.sampled_from(["", "0", "0.0", "b3", "R2", "roll", "spring", "nothing", "../x", "/etc/hosts", "player", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@every_board
@given(data=st.data())
def test_whatever_a_page_says_nothing_is_raised_and_the_board_stays_whole(
    make: Callable[[], Any], data: st.DataObject
) -> None:
    people.leave()
    board = make()
    # What is begun in the background is another matter.
    names = sorted(board._hears.keys() - {"plan", "analyse", "advise", "resume", "review"})
    fields = sorted({field for message in board._hears.values() for field in message.fields})
    for _ in range(3):
        before = look(board)
        board.set_trait("problem", "")
        if data.draw(st.booleans()):
            name = data.draw(st.sampled_from(names))
            wanted = board._hears[name].fields if data.draw(st.booleans()) else fields
            content = data.draw(st.fixed_dictionaries({"do": st.just(name), **dict.fromkeys(wanted, JSON)}) | JSON)
            board._hear(board, content, [])
            changes = name in ("open", "load")  # of a damaged record, what can be read is opened
        else:
            state = data.draw(st.dictionaries(st.sampled_from(sorted(board.keys)), JSON, max_size=1))
            board.set_state(state)
            changes = False
        if board.problem and not changes:
            assert look(board) == before
        json.dumps(board.get_state()).encode()
        assert board.record.at(board.node.path) is board.node
    board.close()


def test_pages_say_what_boards_know() -> None:
    """Reads the pages' own code: a click that its board refuses would otherwise be found by people."""
    known = {name: set(message.fields) for make in BOARDS.values() for name, message in make()._hears.items()}
    said = {}
    for file in STATIC.rglob("*.js"):
        for name, _, details in re.findall(r'\bask\("(\w+)"(, \{(.*?)\}\))?', file.read_text("utf-8")):
            fields = re.findall(r"(?:^|, )(\w+)(?=[:,]|$)", details.strip())
            said[file.name, name] = set(fields)
    assert {name for _, name in said} >= {"choose", "scrub", "save", "replace", "plan", "puzzle", "answer", "join"}
    for (file, name), fields in said.items():
        assert fields == known[name], (file, name)
