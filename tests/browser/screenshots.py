"""Draws every state of the boards in a real notebook, to out/screenshots: `make screenshots`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from board_page import BoardPage, write
from notebook_house import House, launch
from playwright.sync_api import FloatRect, Page, sync_playwright

from aquakit.cli.demo import AQUADUKT, ROMANA

sys.path.append(str(Path(__file__).parent.parent))  # where the helpers of all tests lie
from tiny_puzzles import EQUAL, HARD_TURN, RIGHT, WRONG, make_hard_set, write_set

FOLDER = Path(__file__).parent.parent.parent / "out" / "screenshots"
LAPTOP = {"width": 1366, "height": 768}
NARROW = {"width": 380, "height": 1400}
MARGIN = 12
PARTS = "header, .stage, .scrub, .tabs, .question, .panel, .newgame"
"""What is seen of a board and an explorer; the frame around them is as wide as the notebook."""

JOKER = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "..j......../b......s/..cs...bd../d......c csbd -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 1 0"
)
HELD = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "..cs...bd../b......s/..cs...bd../d......c csd -,bj,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 2 0"
)
PICK = (
    "romana4 F.##...##.7/...L--.J.../.........../.........../.........../.........../.........../L.##...##.J "
    ".........../.c....../.........../........ bj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 19.19.21.21 1 0"
)
ROMANA_OVER = (
    "romana2 FF##...##+7/.+N|...+L+./...|..F++../.......+.../.....|-J.../...Z......Z/..++...ZF+N/L-##...##NJ "
    ".c...jdsc.b/d..b..../s...cbs.s.d/..db.c.. - -,- 5.0.2.0.0.0,0.0.0.0.6.1 16.16.11.15 - 2"
)
AQUADUKT_OVER = (
    "aquadukt2 _.B3A2A3B1A1A4B2.._/A2.A3..A2B1...../.A2..^A1B2...B3./...^.^.^.A1B1./..A3A1^.B3...B1A1/.....^B4....^/"
    ".....B1B4...../_...A4B2^...._ 0.0.0.0,0.0.0.0 7.7,5.0,11.4,2.2,1.6 "
    "7.7:NWwwwswnw;7.7:Swsss;5.0:nene;5.0:E;11.4:s;11.4:Wne;2.2:nen;1.6:nws;1.6:se 0 - 0 mmmfmfmm"
)
STUDY = """
record = Record(start("romana4"), {"event": "Club evening", "player 1": "Ada", "player 2": "Grace"})
first = record.root.play("c7=L@Nc x-")
first.comment = "A long way to go: the curve leads east, between the two reservoirs."
record.root.play("d7=|@Nd x-").play("h7=|@Sh x-")
record.root.play("b8=L@Nc *j").comment = "Walled in at once, for the joker."
node = first
for turn in ("i7=L@W8 e4=L x-", "h2=|@Sh x-", "c2=N@Sc x-", "b8=+@E8 xR2 *j"):
    node = node.play(turn)
node.comment = "Three points are safe."
x = Explorer(record)
x.go(node)
x
"""
BOT = """
import time

def bot(position):
    time.sleep(30)

b = Board(start("romana4"), players={2: bot})
b.play("c7=L@Nc")
b
"""


TRAINER = """
import os, tempfile
import aquakit
from aquakit.training.progress import Progress

data = os.environ["AQUAKIT_DATA"]
progress = Progress(os.path.join(tempfile.mkdtemp(dir=data), "progress.sqlite"))
t = aquakit.puzzles(os.path.join(data, "{}.toml")).trainer(first={!r}, progress=progress)
"""


EXERCISE = """
import os, tempfile
os.chdir(tempfile.mkdtemp(dir=os.environ["AQUAKIT_DATA"]))
open("workshop.toml", "w").close()
from aquakit.workshop import exercise, people
people.leave()
e = exercise({!r}).ask()
"""


JOINED = ("people.join('Ada')",)


NEW_GAME = 'import aquakit\nb = aquakit.play("romana4", players={2: "greedy", 3: "random"}, names={1: "Ada"})\nb'


def exercise(name: str, *after: str) -> str:
    """Writes the cell that asks an exercise, in a workshop's folder of its own."""
    return "\n".join([EXERCISE.format(name), *after, "e"])


def board(position: str, *after: str, options: str = "") -> str:
    """Writes the cell that shows a position, with something done to it."""
    return "\n".join([f"b = Board({position}{options})", *after, "b"])


def explorer(position: str, *after: str) -> str:
    """Writes the cell that shows an explorer."""
    return "\n".join([f"x = Explorer({position})", *after, "x"])


def planner(position: str, question: str, *after: str) -> str:
    """Writes the cell that shows an explorer with a plan."""
    return explorer(position, f"x.plan({question})", "x.wait_for_plan()", *after)


def trainer(puzzle: str, *after: str, puzzles: str = "tiny") -> str:
    """Writes the cell that shows a trainer with a puzzle, with progress of its own."""
    return "\n".join([TRAINER.format(puzzles, puzzle), *after, "t"])


def answered(puzzle: str, answer: str, *after: str) -> str:
    """Writes the cell that shows a trainer whose puzzle was answered."""
    return trainer(puzzle, f"t.answer({answer!r})", "t.wait()", *after)


def tiles(line: str, *after: str) -> str:
    """Writes the cell that shows a trainer in which an aqueduct was lengthened and handed in."""
    return trainer("long", f"t.play({line!r})", "t.choose('check')", "t.wait()", *after)


def wait_for_status(there: BoardPage) -> None:
    """Waits until a verdict that takes long says how far it has come."""
    there.board.locator(".busy .how", has_text="best so far").wait_for()


def wait_for_explorer(there: BoardPage) -> None:
    """Waits until the explorer is there."""
    there.page.locator("section.board").nth(1).locator(".tabs").wait_for()


def wait_for_progress(there: BoardPage) -> None:
    """Waits until a plan that takes long has found something."""
    tab("Lines")(there)
    there.board.locator(".planner .status", has_text="best so far").wait_for()


def tab(title: str) -> Callable[[BoardPage], None]:
    """Gets what turns to a tab of the explorer."""
    return lambda there: there.board.get_by_role("tab", name=title, exact=True).click()


def hover(selector: str) -> Callable[[BoardPage], None]:
    """Gets what points at something on the board."""
    return lambda there: there.board.locator(selector).first.hover(force=True)


def press(*keys: str) -> Callable[[BoardPage], None]:
    """Gets what presses keys after the first choice has the focus."""

    def do(there: BoardPage) -> None:
        there.board.locator(".layer [role=button]").first.focus()
        for key in keys:
            there.page.keyboard.press(key)

    return do


def edit_badly(there: BoardPage) -> None:
    """Edits a position so that it is none."""
    tab("Edit")(there)
    there.board.locator(".edit").click()
    there.settle()
    there.board.locator('.piece[data-kind="curve"]').first.click()
    there.settle()
    there.click("c7", "d7")
    there.choice("d7").focus()
    there.page.keyboard.press("r")
    there.settle()
    there.page.mouse.move(1, 1)


def lay_canal(there: BoardPage) -> None:
    """Lays the first of two canals."""
    there.click("canal 3.3h")
    there.page.mouse.move(1, 1)


PLAYED = """
b = Board("romana4", players=dict.fromkeys((2, 3, 4), "greedy"), seed=1)
for _ in range(3):
    b.play(next(iter(b.position.turns())))
    b.wait()
b
"""
PLAYED_DICE = PLAYED.replace('"romana4"', 'start("aquadukt4", seed=1)').replace(
    "next(iter(b.position.turns()))", '"spring 3.5"'
)
PLAYED_DICE = PLAYED_DICE.replace("range(3)", "range(1)")
Scene = tuple[str, Callable[[BoardPage], None] | None]


def push_later(there: BoardPage) -> None:
    """Goes on by hand to the second turn of what is shown."""
    for _ in range(2):
        there.board.locator('[data-choice="later"]').click()
        there.settle()


SCENES: dict[str, Scene] = {
    "start": (board('start("romana4")'), None),
    "start-flipped": (board('start("romana4")', options=", flip=True"), None),
    "middle-game": (board(repr(ROMANA)), None),
    "focus": (board('start("romana4")'), press("Shift+ArrowRight")),
    "keys": (board('start("romana4")'), lambda there: there.board.locator(".keys").click()),
    "sight-lines": (board('start("romana4")', 'b.choose("R2")'), None),
    "ghosts": (board(repr(JOKER), 'b.choose("R2")', 'b.choose("Nc")'), None),
    "ghosts-two": (board('start("romana4")', 'b.choose("R2")', 'b.choose("Nc")'), None),
    "extra-tile": (board('start("romana4")', 'b.choose("R2")', 'b.choose("W8")', 'b.choose("c7=L@W8")'), None),
    "closing": (board(repr(ROMANA), "for choice in ('R2', 'c7=Z@E8'): b.choose(choice)"), None),
    "reserve-pick": (board('start("romana4")', "for choice in ('R1', 'Nc', 'b8=L@Nc'): b.choose(choice)"), None),
    "reserve-pick-of-another": (board(f'parse("{PICK}").act("g7=7@E7").act("x-")'), None),
    "placing-held-builder": (board(repr(HELD)), hover('[data-choice="+bE4"] .mark')),
    "setup": (board('start("romana4", setup=True)'), None),
    "setup-where": (board('start("romana4", setup=True)', "b.choose('c')"), None),
    "game-over": (board(repr(ROMANA_OVER)), None),
    "hover-facts": (board(repr(ROMANA)), hover("[data-workman=R3]")),
    "highlights-and-arrows": (
        board(repr(ROMANA), 'b.highlights = {"d4": "best", "e5": "?"}', 'b.arrows = [("Nd", "d4"), ("E5", "d4")]'),
        None,
    ),
    "problem": (board('start("romana4")', 'try: b.position = "romana4 nonsense"', "except ValueError: pass"), None),
    "bot-thinking": (BOT, None),
    "bot-stopped": (BOT.replace("\nb\n", "\nb.stop()\nb\n"), None),
    "log": (PLAYED, None),
    "replay": (PLAYED, lambda there: (there.board.locator(".replay").click(), push_later(there))),
    "log-of-dice": (PLAYED_DICE, None),
    "new-game": (NEW_GAME, None),
    "new-game-form": (NEW_GAME, lambda there: there.board.locator(".fresh").click()),
    "explorer-variations": (STUDY, None),
    "explorer-scores": (explorer(repr(ROMANA)), tab("Scores")),
    "explorer-lines": (
        explorer(
            repr(ROMANA),
            'x.lines = [{"turn": "d4=+@E5", "note": "keeps the way open"}, "a7=+@E7 *c", "c7=Z@E8 xR3 *c"]',
        ),
        tab("Lines"),
    ),
    "explorer-line-shown": (
        explorer('start("romana4")', 'x.lines = [{"turn": "c7=L@Nc", "then": ["h7=+@Nh"]}]', "x.show_line(1)"),
        tab("Lines"),
    ),
    "explorer-game": (STUDY, tab("Game")),
    "explorer-recent": (STUDY, lambda there: (tab("Game")(there), there.board.locator(".recent").click())),
    "explorer-open": (STUDY, lambda there: (tab("Game")(there), there.board.locator(".opener").click())),
    "explorer-new-game": (STUDY, lambda there: (tab("Game")(there), there.board.locator(".fresh").click())),
    "explorer-nothing-to-review": (explorer('start("romana4")'), tab("Review")),
    "explorer-review": (
        STUDY.replace("\nx\n", "\nx.review(0.3)\nx.wait_for_review()\nx\n"),
        lambda there: (tab("Review")(there), there.board.locator(".mistake").first.click()),
    ),
    "explorer-reviewing": (STUDY.replace("\nx\n", "\nx.review(60)\nx\n"), tab("Review")),
    "explorer-best-turn": (explorer(repr(AQUADUKT), "x.advise()", "x.wait_for_advice()"), tab("Lines")),
    "planner": (explorer(repr(ROMANA)), tab("Lines")),
    "planner-plan": (planner(repr(ROMANA), '"plan", 4'), tab("Lines")),
    "planner-plan-step": (planner(repr(ROMANA), '"plan", 4', "x.plan_shown = 2"), tab("Lines")),
    "planner-two-proofs": (planner(repr(ROMANA), '"plan", 2, verify=True'), tab("Lines")),
    "planner-study": (planner('start("romana2-5x4").solo(1)', '"plan", 3'), tab("Lines")),
    "planner-timing": (planner(repr(ROMANA), '"timing"'), tab("Lines")),
    "planner-longest": (planner(repr(ROMANA), '"longest"'), tab("Lines")),
    "planner-canals": (planner(repr(AQUADUKT), '"canals", 8'), tab("Lines")),
    "planner-running": (explorer(repr(ROMANA), 'x.plan("plan", 8)'), wait_for_progress),
    "planner-refused": (explorer(repr(ROMANA_OVER)), tab("Lines")),
    "explorer-aquadukt": (explorer(repr(AQUADUKT), 'x.play("canal 3.3h, canal 3.3h")'), tab("Scores")),
    "editor": (explorer(repr(ROMANA)), lambda there: (tab("Edit")(there), there.board.locator(".edit").click())),
    "editor-error": (explorer('start("romana4")'), edit_badly),
    "editor-aquadukt": (
        explorer(repr(AQUADUKT)),
        lambda there: (tab("Edit")(there), there.board.locator(".edit").click()),
    ),
    "trainer-question": (trainer("two-turns"), None),
    "trainer-focus": (
        trainer("two-turns"),
        lambda there: (there.board.locator(".hint").focus(), there.page.keyboard.press("Tab")),
    ),
    "trainer-hints": (trainer("two-turns", "t.hint()", "t.hint()"), None),
    "trainer-checking": (trainer("hard", f"t.play({HARD_TURN!r})", puzzles="hard"), wait_for_status),
    "trainer-right": (answered("five", RIGHT), None),
    "trainer-equal": (answered("five", EQUAL), None),
    "trainer-wrong": (answered("two-turns", WRONG), None),
    "trainer-refutation": (answered("two-turns", WRONG, "t.redo()"), None),
    "trainer-solution": (trainer("two-turns", "t.show_solution()", "t.redo()"), None),
    "trainer-solution-after-miss": (answered("two-turns", WRONG, "t.hint()", "t.show_solution()"), None),
    "trainer-problem": (trainer("two-turns", "try: t.play('a1=+@E7')", "except ValueError: pass"), None),
    "trainer-analysis": (trainer("five", "t.size = 480", "t.analyse()"), wait_for_explorer),
    "trainer-seen-before": (answered("five", WRONG, "t.next()", "t.show_solution()", "t.turn_to('five')"), None),
    "trainer-timing": (trainer("close"), None),
    "trainer-timing-wrong": (answered("close", "R1@1 R3@2"), None),
    "trainer-timing-race": (answered("close", "R1@1 R3@2", "for _ in range(3): t.redo()"), None),
    "trainer-timing-solution": (trainer("close", "t.show_solution()"), None),
    "trainer-longest": (trainer("long", "t.play('b3=Z a3=F')"), None),
    "trainer-longest-slip": (tiles("b3=Z a3=F a2=L b2=-", "for _ in range(3): t.redo()"), None),
    "trainer-longest-unfinished": (tiles("b3=Z a3=F"), None),
    "trainer-longest-solution": (trainer("long", "t.show_solution()", "t.step_to(6)"), None),
    "trainer-duel": (trainer("reply"), None),
    "trainer-duel-pick": (answered("pick", "d3=+@Ne", "t.redo()"), None),
    "trainer-endgame-refutation": (answered("end", "e3=Z@W4 c3=N x-", "t.redo()"), None),
    "trainer-canals": (trainer("water"), None),
    "trainer-canals-wrong": (
        trainer("water", "while t.offer['choices']: t.choose(t.offer['choices'][0]['id'])", "t.wait()"),
        None,
    ),
    "trainer-canals-solution": (trainer("water", "t.show_solution()", "t.redo()", "t.redo()"), None),
    "trainer-house": (trainer("roll", "t.choose('c3')"), None),
    "trainer-house-wrong": (answered("roll", "1 c3"), None),
    "trainer-house-refutation": (answered("roll", "1 c3", "t.redo()"), None),
    "exercise-turn": (exercise("graph-stroke"), None),
    "exercise-turn-right": (exercise("graph-stroke", *JOINED, "e.answer('d4=J@W5 x-'); e.wait()"), None),
    "exercise-turn-wrong": (exercise("graph-stroke", *JOINED, "e.hint(); e.answer('d4=+@Nd x-'); e.wait()"), None),
    "exercise-choose": (exercise("rules-legal"), None),
    "exercise-choose-right": (exercise("rules-legal", *JOINED, "e.answer('e4=7@E3'); e.wait()"), None),
    "exercise-choose-wrong": (exercise("rules-legal", *JOINED, "e.hint(); e.answer('g3=+@E5'); e.wait()"), None),
    "exercise-number": (exercise("rules-tiles"), None),
    "exercise-number-right": (exercise("rules-tiles", *JOINED, "e.answer(7); e.wait()"), None),
    "exercise-number-wrong": (exercise("rules-tiles", *JOINED, "e.hint(); e.hint(); e.answer(6); e.wait()"), None),
    "exercise-position": (exercise("graph-complete"), None),
    "exercise-position-filling": (exercise("graph-complete", *JOINED, "e.choose('c3'); e.choose('c3=|')"), None),
    "exercise-position-right": (exercise("graph-complete", *JOINED, "e.answer('d4=J c3=|'); e.wait()"), None),
    "exercise-position-wrong": (
        exercise("graph-complete", *JOINED, "e.hint(); e.answer('d4=L c3=|'); e.wait()"),
        None,
    ),
    "exercise-position-canals": (exercise("water-complete", *JOINED, "e.choose('3.2v')"), None),
    "exercise-solution": (exercise("water-complete", *JOINED, "e.show_solution()"), None),
    "exercise-problem": (exercise("rules-tiles", "try: e.answer('many')", "except ValueError: pass"), None),
    "aquadukt-start": (board('start("aquadukt4", seed=7)'), None),
    "aquadukt-spring": (board('start("aquadukt4", seed=7)', 'b.play("spring 4.4")', 'b.choose("spring")'), None),
    "aquadukt-spring-reason": (
        board('start("aquadukt4", seed=7)', 'b.play("spring 4.4")', 'b.choose("spring")'),
        hover('[data-refusal="5.5"]'),
    ),
    "aquadukt-houses": (board(repr(AQUADUKT), "b.enter(4)"), None),
    "aquadukt-values": (board(repr(AQUADUKT), "b.enter(4)", 'b.choose("b5")'), None),
    "aquadukt-canals": (board(repr(AQUADUKT)), None),
    "aquadukt-second-canal": (board(repr(AQUADUKT)), lay_canal),
    "aquadukt-hover-facts": (board(repr(AQUADUKT)), hover('[data-spring="11.7"]')),
    "aquadukt-hover-region": (board(repr(AQUADUKT)), hover('[data-number="3"]')),
    "aquadukt-over-with-events": (board(repr(AQUADUKT_OVER)), None),
    "aquadukt-hidden-events": (board('start("aquadukt2", seed=3, events=True)', options=", hide=True"), None),
}
SMALL = ("start", "new-game", "new-game-form", "sight-lines", "ghosts", "reserve-pick", "setup",
         "explorer-variations", "explorer-scores", "explorer-review", "explorer-best-turn", "explorer-open",
         "editor-error", "aquadukt-start", "aquadukt-spring", "aquadukt-canals", "planner-plan", "planner-timing",
         "planner-longest", "planner-canals", "trainer-question", "trainer-hints", "trainer-checking", "trainer-right",
         "trainer-refutation", "trainer-solution", "trainer-timing", "trainer-timing-race", "trainer-longest-slip",
         "trainer-duel-pick", "trainer-endgame-refutation", "trainer-canals", "trainer-house-wrong",
         "exercise-turn", "exercise-choose-wrong", "exercise-position-filling", "exercise-number-right")  # fmt: skip


def shoot(page: Page, boxes: Sequence[FloatRect], name: str) -> None:
    """Draws the part of a page around some boxes, with a margin."""
    view = page.viewport_size
    assert view is not None
    left = max(0, min(box["x"] for box in boxes) - MARGIN)
    top = max(0, min(box["y"] for box in boxes) - MARGIN)
    right = min(view["width"], max(box["x"] + box["width"] for box in boxes) + MARGIN)
    bottom = min(view["height"], max(box["y"] + box["height"] for box in boxes) + MARGIN)
    clip: FloatRect = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    page.screenshot(path=FOLDER / f"{name}.png", clip=clip)


def play_scene(there: BoardPage, name: str, suffix: str = "") -> None:
    """Shows a scene and draws it."""
    cell, act = SCENES[name]
    there.page.mouse.move(1, 1)
    shown = there.show(cell)
    if act:
        act(there)
        there.settle()
    shown.evaluate("board => board.scrollIntoView()")
    # A trainer may have an explorer below.
    boxes = [box for part in there.page.locator("section.board").locator(PARTS).all() if (box := part.bounding_box())]
    shoot(there.page, boxes, name + suffix)


def in_lab(there: BoardPage, wanted: tuple[str, ...]) -> None:
    """Draws scenes in JupyterLab on a small laptop, light and dark, the main ones also in a narrow window."""
    house, page = there.house, there.page
    scenes = [name for name in SCENES if name.startswith(wanted)]
    page.set_viewport_size(LAPTOP)
    for name in scenes:
        play_scene(there, name)
    there.show("b = Board(start('romana4'))\nb", "b", "")
    there.click("R2")
    there.page.mouse.move(1, 1)
    page.screenshot(path=FOLDER / "two-views.png")
    house.change_theme(page, dark=True)
    for name in scenes:
        play_scene(there, name, "-dark")
    house.change_theme(page, dark=False)
    page.set_viewport_size(NARROW)
    for name in (name for name in scenes if name in SMALL):
        play_scene(there, name, "-narrow")


def elsewhere(house: House, page: Page) -> None:
    """Draws a board in Notebook 7, in Voilà and in an exported notebook, in light and dark."""
    name = write(house, f"b = Board({ROMANA!r})\nb", name="elsewhere.ipynb")
    board = page.locator("section.board")
    for dark, suffix in ((False, ""), (True, "-dark")):
        house.open_notebook7(page, name, dark=dark)
        house.run_all(page)
        board.wait_for()
        page.screenshot(path=FOLDER / f"notebook7{suffix}.png")
        house.open_voila(page, name, dark=dark)
        board.wait_for()
        page.screenshot(path=FOLDER / f"voila{suffix}.png")
    house.open_lab(page, name)
    house.run_all(page)
    house.save(page)
    house.open_export(page, house.export_html(name))
    page.screenshot(path=FOLDER / "exported-html.png")


@contextmanager
def trainers_at_home(folder: Path) -> Iterator[None]:
    """Keeps trainers' puzzles and progress in a folder, away from the user's own."""
    write_set(folder)
    make_hard_set().save(folder / "hard.toml")
    os.environ["AQUAKIT_DATA"] = str(folder)
    try:
        yield
    finally:
        del os.environ["AQUAKIT_DATA"]


def main(wanted: Sequence[str]) -> None:
    """Draws everything, or only the scenes whose names begin with one of the words that are given."""
    if not wanted:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        trainers_at_home(Path(folder)),
        House(Path(folder) / "house") as house,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        with BoardPage.opened(house, browser, reduced_motion="reduce") as there:
            in_lab(there, tuple(wanted) or ("",))
        if not wanted:
            elsewhere(house, browser.new_page(viewport=LAPTOP))
        house.end_kernels()
    for path in sorted(FOLDER.iterdir()):
        print(path.relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main(sys.argv[1:])
