"""Reviews judge every decision of a game fairly, keep what is finished, and turn mistakes into puzzles."""

from __future__ import annotations

import json
import random
import threading
import tomllib
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

import aquakit
from aquakit.core.record import Record
from aquakit.engine.analysis import Analysis
from aquakit.engine.judged import BLUNDER, INACCURACY, MISTAKE, SIGNS, judge
from aquakit.engine.review import Review, review
from aquakit.errors import InvalidOption, InvalidRecord

mpl.use("Agg")

NEAR_THE_END = "romana2-5x4 F##+7/.|.../.L.F./L+##J ..cs./.bd./..c.s/.bd. dj -,- *.*,*.* 2.3.1.3 2 0"
BEST, BAD = "e2=Z@E2 xG2 *j", "e2=N@E2 *j"
WALLS_IN_YELLOW = (
    "romana4 F.##...##.7/...L--.J.../.........../.........../.........../.........../.........../L.##...##.J "
    ".........../.c....../.........../........ csbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 19.19.21.21 1 0"
)


def random_game(layout: str, seed: int) -> Record:
    """Records a game of random turns; dice are rolled often."""
    record, chance = Record(aquakit.start(layout)), random.Random(seed)
    node = record.root
    while not node.position.is_over:
        p, actions = node.position, []
        while not actions or (p.played and not p.is_over):
            options = p.actions()
            actions.append(
                options[0] if str(options[0]) == "roll" and chance.random() < 0.5 else chance.choice(options)
            )
            p = p.act(actions[-1])
        node = node.play(actions)
    return record


def small(record: Record, **options: Any) -> Review:
    return review(record, **{"playouts": 400, "threads": 1, "progress": False} | options)


@pytest.fixture(scope="module")
def romana() -> Review:
    return small(random_game("romana2-5x4", 3))


@pytest.fixture(scope="module")
def aquadukt() -> Review:
    return small(random_game("aquadukt2-6x5", 1))


@pytest.fixture(scope="module")
def mistaken() -> Review:
    record = Record(aquakit.parse(NEAR_THE_END))
    record.root.play(BAD)
    return small(record, playouts=2000)


# Judging


def test_marks_go_by_the_loss_and_never_by_chance() -> None:
    sure = 0.01
    assert [judge(loss, sure) for loss in (0.0, INACCURACY / 2, INACCURACY, MISTAKE, BLUNDER)] == list(SIGNS)
    assert judge(BLUNDER, BLUNDER) == "good"


@pytest.mark.parametrize("game", ["romana", "aquadukt"])
def test_every_decision_is_compared_with_the_best(game: str, request: pytest.FixtureRequest) -> None:
    found: Review = request.getfixturevalue(game)
    assert found.is_complete
    for judged in found.turns:
        assert judged.loss == pytest.approx(judged.best_lead - judged.lead)
        assert judged.loss >= 0
        assert judged.mark == judge(judged.loss, judged.loss_stderr)
        assert (judged.mark == "best") == (judged.best == judged.turn)
        assert judged.as_good[0] == judged.best
        assert judged.sign == SIGNS[judged.mark]


def test_every_turn_of_the_main_line_is_judged(romana: Review) -> None:
    nodes = romana.record.root.main()[1:]
    first = {judged.number: judged for judged in reversed(romana.turns)}
    assert sorted(first) == [node.number for node in nodes]
    for node in nodes:
        judged = first[node.number]
        assert judged.position == str(node.parent.position)
        assert judged.player == node.parent.position.player
        assert str(node.turn).startswith(judged.turn)


def test_turns_are_cut_where_the_die_decides(aquadukt: Review) -> None:
    for judged in aquadukt.turns:
        moment = aquakit.parse(judged.position)
        assert not moment.is_chance
        assert "die" not in judged.turn
        assert judged.player == moment.player
    assert any(judged.turn == "roll" for judged in aquadukt.turns)
    assert any("roll, die" in judged.position for judged in aquadukt.turns)


def test_another_players_pick_is_that_players_decision() -> None:
    record = Record(aquakit.parse(WALLS_IN_YELLOW))
    record.root.play("g7=7@E7 x- *c")
    mine, other = small(record).turns
    assert (mine.player, mine.turn, mine.number) == (1, "g7=7@E7 x-", 1)
    assert (other.player, other.turn, other.number) == (2, "*c", 1)


def test_nobody_is_judged_by_hidden_events() -> None:
    record = Record(aquakit.start("aquadukt2-6x5", events=True))
    record.root.play("spring 2.2")
    (judged,) = small(record).turns
    assert judged.position.endswith(" ??")


def test_a_mistake_is_found_with_the_better_turn(mistaken: Review) -> None:
    (judged,) = mistaken.turns
    assert (judged.turn, judged.best, judged.mark) == (BAD, BEST, "mistake")
    assert judged.loss > 5 * judged.loss_stderr


def test_the_same_seed_gives_the_same_review(romana: Review) -> None:
    assert small(romana.record).turns == romana.turns


def test_few_playouts_are_made_up_for() -> None:
    record = Record(aquakit.start("romana4"))
    record.root.play("c7=L@Nc x-")
    (judged,) = small(record, playouts=1).turns
    assert judged.playouts >= 100
    assert judged.stderr > 0


# Going on


def test_an_interrupt_keeps_what_is_finished(romana: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    run, runs = Analysis.run, []

    def interrupted(self: Analysis, **options: Any) -> Analysis:
        runs.append(self)
        if len(runs) == 3:
            raise KeyboardInterrupt
        return run(self, **options)

    monkeypatch.setattr(Analysis, "run", interrupted)
    found = small(romana.record)
    assert not found.is_complete
    assert found.turns == romana.turns[:2]
    assert "2 decisions of" in repr(found)
    assert found.go_on(progress=False) is found
    assert found.is_complete
    assert found.turns == romana.turns


def test_a_review_is_followed_and_stopped_and_goes_on(romana: Review) -> None:
    stop, seen = threading.Event(), list[int]()

    def follow(found: Review) -> None:
        seen.append(len(found.turns))
        if len(seen) == 2:
            stop.set()

    found = Review(romana.record, playouts=300, threads=1).go_on(progress=False, stop=stop, on_update=follow)
    assert seen == [1, 2]
    assert len(found.turns) == 2
    assert found.go_on(progress=False).is_complete


def test_every_decision_has_its_moment(romana: Review) -> None:
    for judged in romana.turns:
        assert str(romana.moment(judged)) == judged.position


def test_progress_is_shown_on_request(mistaken: Review, capsys: pytest.CaptureFixture[str]) -> None:
    small(mistaken.record, progress=True)
    assert "1/1" in capsys.readouterr().err
    small(mistaken.record)
    assert capsys.readouterr().err == ""


# Reading


def test_the_biggest_mistakes_come_first(romana: Review, aquadukt: Review) -> None:
    for found in (romana, aquadukt):
        losses = [judged.loss for judged in found.mistakes(100)]
        assert losses == sorted(losses, reverse=True)
        assert len(losses) == sum(bool(judged.sign) for judged in found.turns)
        assert found.mistakes(1) == found.mistakes(100)[:1]


def test_a_review_is_a_table_and_plain_data(romana: Review) -> None:
    frame = romana.frame()
    assert len(frame) == len(romana.turns)
    assert {"number", "player", "turn", "lead", "best", "best_lead", "loss", "loss_stderr", "mark"} <= set(frame)
    data = json.loads(json.dumps(romana.json(), allow_nan=False))
    assert [row["mark"] for row in data["turns"]] == [judged.mark for judged in romana.turns]
    assert (data["layout"], data["complete"]) == ("romana2-5x4", True)


def test_a_review_can_be_read(mistaken: Review) -> None:
    text = str(mistaken)
    assert f"1. {BAD} ?" in text
    assert "Green: " in text
    assert "1 mistake" in text
    assert "estimated" in text
    assert BEST in repr(mistaken)


def test_html_is_escaped(mistaken: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistaken, "names", lambda: ["<Red>", "<Green>"])
    html = mistaken._repr_html_()
    assert "<td>&lt;Green&gt;</td>" in html
    assert "&lt;Green&gt;: " in html
    assert "<Green>" not in html


# The plot


def test_the_plot_shows_leads_and_signs(romana: Review) -> None:
    axes = romana.plot()
    lines = {line.get_label(): line for line in axes.get_lines()}
    red, green = (lines[name].get_ydata() for name in ("Red", "Green"))
    assert list(red) == pytest.approx([-lead for lead in green])
    final = romana.record.root.main()[-1].position.scores()
    assert red[-1] == final[0] - final[1]
    assert [text.get_text() for text in axes.texts] == [
        judged.sign if judged.mark == "inaccuracy" else f"{judged.number}{judged.sign}"
        for judged in romana.turns
        if judged.sign
    ]
    assert axes.figure.patch.get_alpha() == 0
    assert lines["Red"].get_linestyle() != lines["Green"].get_linestyle()


def test_a_plot_can_be_drawn_into_given_axes(romana: Review) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert romana.plot(axes) is axes


# Puzzles


def test_puzzles_are_positions_with_something_missed(mistaken: Review) -> None:
    (puzzle,) = mistaken.puzzles()
    assert (puzzle.position, puzzle.player, puzzle.played) == (NEAR_THE_END, 2, BAD)
    assert puzzle.best[0] == BEST
    assert puzzle.value == mistaken.turns[0].best_lead
    assert puzzle.loss == mistaken.turns[0].loss


def test_puzzles_are_saved_under_stable_names(mistaken: Review, tmp_path: Path) -> None:
    (path,) = mistaken.save(tmp_path / "new" / "folder")
    data = tomllib.loads(path.read_text("utf-8"))
    assert set(data) == {"position", "player", "best", "value", "played", "loss", "turn"}
    assert (data["position"], data["player"], data["played"], data["turn"]) == (NEAR_THE_END, 2, BAD, 1)
    assert data["best"][0] == BEST
    assert mistaken.save(path.parent) == [path]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_is_no_folder(mistaken: Review, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InvalidOption, match="folder"):
        mistaken.save(file)


def test_a_good_game_makes_no_puzzles() -> None:
    record = Record(aquakit.parse(NEAR_THE_END))
    record.root.play(BEST)
    found = small(record, playouts=2000)
    assert [judged.mark for judged in found.turns] == ["best"]
    assert found.puzzles() == found.mistakes() == ()


# Asking wrongly


def test_reviews_need_a_record_and_one_limit(romana: Review) -> None:
    with pytest.raises(InvalidRecord):
        review("no record")
    with pytest.raises(InvalidOption, match="both"):
        Review(romana.record, seconds=1, playouts=1)
    with pytest.raises(InvalidOption, match="seconds"):
        small(romana.record, seconds=-1, playouts=None)
    with pytest.raises(InvalidOption):
        romana.mistakes(0)


def test_the_kit_knows_reviews() -> None:
    assert aquakit.review is review
