"""Without Numba and OR-Tools the kit's core works, and what needs them says so: this is how it runs in a browser.

Every test runs Python of its own in which neither package can be imported, nor in the processes that it starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import aquakit
from aquakit.engine.bots import GreedyBot

ROOT = Path(__file__).parents[1]
BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite", "ortools"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""
TREE = "numba: is not installed, but needed for the tree search"
EXACT = "numba: is not installed, but needed for the exact search"
PLANS = "numba: is not installed, but needed for plans, as there is no ortools either"
MODEL = "ortools: is not installed, but needed for the solver CP-SAT"


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Gets the environment of a Python that finds neither package, with data folders of its own."""
    folder = tmp_path_factory.mktemp("blocked")
    (folder / "sitecustomize.py").write_text(BLOCK, "utf-8")  # every Python imports it when it starts
    return {**os.environ, "PYTHONPATH": str(folder), "XDG_DATA_HOME": str(folder / "data"), "PYTHONIOENCODING": "utf-8"}


def call(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )


def run(environment: dict[str, str], code: str) -> str:
    """Runs a cell's code and gets what it prints; a traceback fails the test."""
    done = call(environment, "-c", dedent(code))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("package", ["numba", "llvmlite", "ortools.sat.python.cp_model"])
def test_the_packages_are_really_out_of_reach(blocked: dict[str, str], package: str) -> None:
    done = call(blocked, "-c", f"import {package}")
    assert f"No module named '{package.partition('.')[0]}" in done.stderr


# What works


def test_positions_are_played_drawn_and_written(blocked: dict[str, str]) -> None:
    said = run(
        blocked,
        """
        import aquakit
        p = aquakit.start("romana4")
        print([str(action) for action in p.actions()][:2], len(p.actions()))
        p = p.play("c7=L@Nc x-")
        print(p.player, p.aqueducts[1].length, p.scores(), aquakit.parse(str(p)) == p)
        q = aquakit.start("aquadukt2", seed=1).play("spring 4.3").play("canal 4.3h, canal 4.3h")
        print(q.supply["e4"], aquakit.parse(str(q)) == q)
        print(sum(1 for _ in aquakit.start("romana2-5x4").turns()))
        for each in (p, q):
            print(each.svg().startswith("<svg"), len(each.diagram().splitlines()) > 8, len(each.graph()) > 0)
        """,
    )
    assert said.splitlines() == [
        "['b8=L@Nc', 'b8=F@Nc'] 19",
        "2 1 (0, 0, 0, 0) True",
        "2 True",
        "15",
        "True True True",
        "True True True",
    ]


def test_records_and_own_boards_are_read(blocked: dict[str, str], tmp_path: Path) -> None:
    said = run(
        blocked,
        f"""
        from pathlib import Path
        import aquakit
        board = Path({str(tmp_path)!r}) / "mine.toml"
        board.write_text(aquakit.load_layout("romana2-5x4").text.replace("romana2-5x4", "mine"))
        p = aquakit.start(board)
        record = aquakit.Record(p)
        node = record.root.play("b3=|@Sb")
        node.comment = "a start"
        record.save(Path({str(tmp_path)!r}) / "game.txt")
        again = aquakit.Record.load(Path({str(tmp_path)!r}) / "game.txt")
        print(p.layout.name, again.root.main(), again.root.main()[1].comment)
        """,
    )
    assert said == "mine [<Node: start>, <Node: 1. b3=|@Sb x->] a start\n"


def test_small_counts_and_playouts_run_plainly(blocked: dict[str, str]) -> None:
    code = "import aquakit\np = aquakit.start({!r})\nprint(p.perft({}), p.playouts(5, seed=3))"
    for layout, depth in (("romana4", 3), ("aquadukt2", 2)):
        p = aquakit.start(layout)
        assert run(blocked, code.format(layout, depth)) == f"{p.perft(depth)} {p.playouts(5, seed=3)}\n"


def test_the_greedy_bot_plays_the_same_turns_as_when_it_is_compiled(blocked: dict[str, str]) -> None:
    play = """
        import aquakit
        for name in ("romana2-7x6", "aquadukt2"):
            p, bot, turns = aquakit.start(name, **({"seed": 4} if "aqua" in name else {})), aquakit.bot("greedy", 5), []
            while len(turns) < 12:
                turns += (made := bot(p) if not p.is_chance else p.actions()[:1])
                for action in made:
                    p = p.act(action)
            print(*turns, sep="; ")
        """
    compiled = call(dict(os.environ), "-c", dedent(play))
    assert compiled.stdout.count("; ") >= 22
    assert run(blocked, play) == compiled.stdout


def test_bots_without_search_play_matches(blocked: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "tournament.py"
    script.write_text(
        "import aquakit\n"
        "if __name__ == '__main__':\n"
        "    made = aquakit.match(['random', 'greedy'], 4, 'romana2-5x4', progress=False)\n"
        "    print([result.scores for result in made.results])\n",
        "utf-8",
    )
    done = call(blocked, str(script))
    here = aquakit.match(["random", "greedy"], 4, "romana2-5x4", progress=False)
    assert done.stdout == f"{[result.scores for result in here.results]}\n", done.stderr


def test_closure_timing_is_searched_plainly(blocked: dict[str, str]) -> None:
    code = (
        "import aquakit\nt = aquakit.timing(aquakit.start('romana4'), rounds=3, playouts=8)\nprint(t.value, t.proved)"
    )
    here = aquakit.timing(aquakit.start("romana4"), rounds=3, playouts=8)
    assert run(blocked, code) == f"{here.value} {here.proved}\n"


def test_boards_are_clicked_and_bots_answer(blocked: dict[str, str]) -> None:
    said = run(
        blocked,
        """
        import aquakit
        board = aquakit.start("romana4").board(players={2: aquakit.bot("greedy")})
        for choice in ("R2", "Nc", "c7=L@Nc", "x-"):
            board.choose(choice)
        board.wait()
        print(board.record.root.main()[1], board.position.player, board.problem)
        """,
    )
    assert said == "<Node: 1. c7=L@Nc x-> 3 \n"


def test_the_explorers_buttons_say_what_they_need(blocked: dict[str, str]) -> None:
    said = run(
        blocked,
        """
        import aquakit
        explorer = aquakit.Explorer(aquakit.start("romana2-5x4"))
        explorer.play("b3=|@Sb")
        explorer._hear(None, {"do": "analyse"}, None)
        print(explorer.problem, explorer.analysing)
        explorer._hear(None, {"do": "plan", "question": "plan", "number": 2, "verify": False}, None)
        explorer.wait_for_plan()
        print(explorer.planner["problem"])
        explorer.undo()
        print(explorer.position == explorer.record.start, len(explorer.record.root.main()))
        """,
    ).splitlines()
    assert said[0].startswith(TREE)
    assert said[0].endswith("expected pip install numba False")
    assert said[1] == f"{PLANS}; expected pip install numba"
    assert said[2] == "True 2"


def test_every_shipped_answer_is_judged_right(blocked: dict[str, str]) -> None:
    said = run(
        blocked,
        """
        from aquakit.puzzle.collection import all_puzzles
        from aquakit.puzzle.kinds import judge_attempt
        from aquakit.puzzle.kinds import find_way
        for puzzles in all_puzzles():
            for puzzle in puzzles.puzzles:
                answer = puzzles.answer(puzzle)
                verdict = judge_attempt(puzzle, find_way(puzzle).first(answer.line), answer)
                print(puzzle.id, puzzle.kind, verdict.right, verdict.value == puzzle.value, verdict.loss)
        """,
    )
    lines = [line.split() for line in said.splitlines()]
    assert len({kind for _, kind, *_ in lines}) == 7
    assert [line for line in lines if line[2:] != ["True", "True", "0"]] == []


def test_the_trainer_judges_by_the_stored_answers(blocked: dict[str, str]) -> None:
    said = run(
        blocked,
        """
        import aquakit
        from aquakit.puzzle.kinds import find_way
        puzzles = aquakit.puzzles("first-steps")
        puzzle = next(puzzle for puzzle in puzzles.puzzles if puzzle.kind == "plan")
        trainer, answer = puzzles.trainer(first=puzzle.id), puzzles.answer(puzzle)
        accepted = [set(text.split()) for text in answer.accepted]
        wrong = next(t for t in puzzle.start.turns() if not any(a <= set(map(str, t)) for a in accepted))
        trainer.play(wrong)
        trainer.wait()
        print(trainer.task["verdict"]["head"], trainer.verdict.loss == answer.margin, trainer.verdict.words, sep=" | ")
        trainer.retry()
        trainer.play(answer.line.split(" / ")[0])
        trainer.wait()
        print(trainer.task["verdict"]["head"], trainer.task["line"]["steps"][1:] != [], sep=" | ")
        trainer.hint()
        trainer.show_solution()
        told = find_way(puzzle).say_line(answer.line)
        print(trainer.task["solution"]["line"] == told, trainer.problem, sep=" | ")
        print([(attempt.outcome, attempt.loss) for attempt in trainer.progress.attempts()])
        """,
    ).splitlines()
    head, bound, words = said[0].split(" | ")
    assert head.startswith("Not the best: it loses at least ")
    assert bound == "True"
    assert words.endswith("how much exactly cannot be said here, for numba is not installed")
    assert said[1:3] == ["Right | True", "True | "]
    assert said[3].startswith("[('wrong', ")


# What says that it needs them


NEEDS = {
    "aquakit.analyse(p, playouts=10)": TREE,
    "aquakit.review(played)": TREE,
    "aquakit.bot('mcts:20')": "numba: is not installed, but needed for mcts bots",
    "aquakit.bot('planner:2')": "numba: is not installed, but needed for planner bots",
    "aquakit.match(['mcts:20', 'random'], 2)": "numba: is not installed, but needed for mcts bots",
    "aquakit.solve(p, turns=1)": EXACT,
    "aquakit.plan(p, turns=1)": PLANS,
    "aquakit.plan(p, turns=1, method='search')": "numba: is not installed, but needed for the planner's search",
    "aquakit.plan(p, turns=1, method='cpsat')": MODEL,
    "aquakit.longest(p)": MODEL,
    "aquakit.timing(p, rounds=3, growth={'R1': 1}, method='cpsat')": MODEL,
    "aquakit.plan_canals(q, canals=2)": MODEL,
    "p.playouts(10**9)": "numba: is not installed, but needed for 1,000,000,000 playouts",
    "hasty(p)": "numba: is not installed, but needed for counting sequences of",
    "p.runner(fast=True)": "numba: is not installed, but needed for the compiled engine",
}


@pytest.fixture(scope="module")
def messages(blocked: dict[str, str]) -> dict[str, str]:
    """Tries everything that needs a package, and gets what was said."""
    said = run(
        blocked,
        f"""
        import aquakit
        from aquakit.compiled import runner
        from aquakit.errors import AquakitError, MissingPackage

        p, q = aquakit.start("romana2-5x4"), aquakit.start("aquadukt2", seed=1).play("spring 4.3")
        played = aquakit.Record(p)
        played.root.play("b3=|@Sb")

        def hasty(position):
            runner.PATIENCE = 0.01
            return position.perft(30)

        for use in {list(NEEDS)}:
            try:
                print(f"it works: {{eval(use)!r}}"[:99])
            except MissingPackage as problem:
                assert isinstance(problem, AquakitError) and isinstance(problem, ImportError)
                print(problem)
        """,
    )
    return dict(zip(NEEDS, said.splitlines(), strict=True))


@pytest.mark.parametrize("use", NEEDS)
def test_what_needs_a_package_says_which_and_how_to_get_it(messages: dict[str, str], use: str) -> None:
    package = NEEDS[use].partition(":")[0]
    assert messages[use].startswith(NEEDS[use])
    assert messages[use].endswith(f"; expected pip install {package}")


# The command line


def command(environment: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    done = call(environment, "-m", "aquakit.cli", *arguments)
    return done.returncode, done.stdout, done.stderr


def test_the_command_line_shows_and_lists(blocked: dict[str, str]) -> None:
    code, out, err = command(blocked, "show", "romana4")
    assert (code, err) == (0, "")
    assert out.count("\n") > 12
    code, out, err = command(blocked, "puzzle", "list")
    assert (code, err) == (0, "")
    assert "first-steps-01" in out
    assert command(blocked, "perft", "romana4", "3") == (0, "4261\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "romana2-5x4", "--turns", "1"), f"aquakit: {PLANS}; expected pip install numba\n"),
        (("analyse", "romana2-5x4", "--playouts", "10"), f"aquakit: {TREE}"),
        (("longest", "romana2-5x4"), f"aquakit: {MODEL}"),
        (
            ("warm",),
            "aquakit: numba: is not installed, but needed for the compiled engine; expected pip install numba\n",
        ),
    ],
)
def test_commands_that_need_a_package_end_with_one_line(
    blocked: dict[str, str], arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = command(blocked, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_puzzles_are_solved_on_the_command_line(blocked: dict[str, str]) -> None:
    puzzles = aquakit.puzzles("first-steps")
    puzzle = next(puzzle for puzzle in puzzles.puzzles if puzzle.kind == "endgame")
    line = puzzles.answer(puzzle).line.split(" / ")[0]
    code, out, err = command(blocked, "puzzle", "solve", puzzle.id, line)
    assert (code, err) == (0, "")
    assert out.startswith("Right: ")
    other = str(GreedyBot()(puzzle.start))  # no shipped puzzle is solved by what the greedy bot plays
    code, out, err = command(blocked, "puzzle", "solve", puzzle.id, other)
    assert (code, err) == (1, "")
    assert "lose at least" in out
    assert "numba is not installed" in out
