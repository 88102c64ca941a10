"""The engine beside a board in a real JupyterLab: the notebook stays responsive, and everything can be stopped."""

from __future__ import annotations

from board_page import BoardPage
from playwright.sync_api import expect


def test_a_board_answers_while_an_analysis_runs_beside_it(there: BoardPage) -> None:
    there.show("import aquakit\nfrom aquakit.engine.analysis import Analysis\nb = Board('romana4')\nb")
    there.tell("analysis = Analysis(b.position).start()")
    there.click_and_take_back(8)
    assert there.ask("analysis._thread.is_alive()")
    assert there.ask("analysis.playouts") > 1000
    there.tell("analysis.stop()")


def test_lines_appear_in_the_explorer_and_it_can_be_stopped(there: BoardPage) -> None:
    board = there.show("e = Explorer('romana4', line_count=2)\ne")
    board.get_by_role("tab", name="Lines").click()
    board.locator(".analyse").click()
    expect(board.locator(".lines li")).to_have_count(2, timeout=60_000)
    expect(board.locator(".evaluation .part")).to_have_count(4)
    there.click_and_take_back(4)
    assert there.ask("e.analysing") is True
    board.locator(".lines .turn").first.click()
    expect(there.prompt).to_contain_text(", turn 1 of")  # the lines may have changed places meanwhile
    board.locator('[data-choice="play"]').click()
    expect(there.prompt).to_contain_text("Yellow")
    expect(board.locator(".lines li")).to_have_count(2, timeout=60_000)
    expect(board.locator(".graphs .graph")).to_have_count(4, timeout=60_000)
    board.locator(".rest").click()
    expect(board.locator(".analyse")).to_be_visible()
    assert there.ask("(e.analysing, e.problem)") == (False, "")


def test_a_click_on_a_line_is_not_lost_when_the_lines_change_under_it(there: BoardPage) -> None:
    board = there.show("e = Explorer('romana4', lines=['c7=J@Nc', 'c7=L@Nc'])\ne")
    board.get_by_role("tab", name="Lines").click()
    line = board.locator(".lines .turn", has_text="c7=L@Nc")
    line.hover()
    there.page.mouse.down()
    there.tell("e.lines = [{'turn': 'c7=J@Nc', 'note': 'worse'}, {'turn': 'c7=L@Nc', 'note': 'better'}]")
    expect(board.locator(".lines .note")).to_have_text(["worse", "better"])
    there.page.mouse.up()
    expect(there.prompt).to_contain_text("Line 2, turn 1 of 1: curve on c7")
    assert there.ask("e.position.tiles['c7']") == "L"


def test_a_kernel_interrupt_keeps_what_an_analysis_has_found(there: BoardPage) -> None:
    there.show("from aquakit.engine.analysis import Analysis\na = Analysis(start('romana4'))\nBoard('romana4')")
    there.page.evaluate(
        """async () => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const run = kernel.requestExecute({ code: "a.run(seconds=120)", store_history: false });
            await new Promise((done) => setTimeout(done, 2000));
            await kernel.interrupt();
            await run.done;
        }"""
    )
    found = there.ask("a.playouts")
    assert found > 0
    there.tell("a.run(playouts=500)")
    assert there.ask("a.playouts") == found + 500
    assert all("KeyboardInterrupt" in trouble for trouble in there.troubles), there.troubles
    there.troubles.clear()
