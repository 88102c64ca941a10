// The trainer: a board that asks puzzles, with verdicts, hints, solutions and what comes next beside it.

import { keepPlace, makeHints, makeVerdict } from "./asking.js";
import { mountBoard } from "./board.js";
import { button, drawTurn, h, makeAsk, openShadow, sayTold } from "./dom.js";
import { scrollTo } from "./panels/log.js";
import STYLE_EXPLORER from "./explorer.css";
import STYLE_TRAINER from "./trainer.css";

/** How one stands with a puzzle, as a sign in the list. */
const STANDINGS = { new: "·", missed: "✗", learning: "↻", known: "✓" };
const HARDEST = 5;

/** The question: which puzzle this is, and what is asked. */
function makeQuestion(model, ask) {
  const list = h("select", { class: "contents", "aria-label": "puzzle", onchange: () => ask("puzzle", { id: list.value }) });
  const level = h("span", { class: "level" });
  const title = h("h3", {});
  const goal = h("p", { class: "goal" });
  let listed = "";
  function draw() {
    const [task, contents] = [model.get("task"), model.get("contents")];
    const key = JSON.stringify(contents);
    if (listed !== key) list.replaceChildren(...contents.map(({ id, title: text, state }, i) => h("option", { value: id }, `${STANDINGS[state]} ${i + 1}. ${text}`)));
    listed = key;
    list.value = task.id;
    level.replaceChildren(h("span", { "aria-hidden": "true" }, "●".repeat(task.difficulty) + "○".repeat(HARDEST - task.difficulty)), h("span", { class: "spoken" }, `difficulty ${task.difficulty} of ${HARDEST}`));
    level.title = `difficulty ${task.difficulty} of ${HARDEST}`;
    title.textContent = task.title;
    goal.textContent = task.goal;
  }
  return { element: h("div", { class: "question" }, h("div", { class: "row" }, h("span", { class: "faint set" }, model.get("task").set), list, level), title, goal), draw };
}

/** A schedule of closings, for puzzles that are not answered on the board. */
function makeForm(model, ask) {
  const rows = h("div", { class: "rows" });
  const hand = h("button", { type: "submit", class: "hand" }, "Check this schedule");
  const element = h("form", { class: "schedule", "aria-label": "your schedule" }, rows, hand);
  let drawn = "";
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const closings = [...rows.querySelectorAll("select")].filter(({ value }) => value).map(({ name, value }) => `${name}@${value}`);
    ask("answer", { text: closings.join(" ") || "wait" });
  });
  function draw() {
    const { form, stage, id, tried } = model.get("task");
    element.hidden = !form;
    if (!form) return;
    const key = `${id} ${JSON.stringify(form)}`;
    if (drawn !== key) {
      const rounds = Array.from({ length: form.rounds }, (_, i) => h("option", { value: i + 1 }, i ? `close in round ${i + 1}` : "close now, in round 1"));
      rows.replaceChildren(...form.rows.map(({ name, note }) =>
        h("label", {}, h("strong", {}, name), h("small", { class: "faint" }, note), h("select", { name }, h("option", { value: "" }, "leave open"), ...rounds.map((option) => option.cloneNode(true))))));
    }
    drawn = key;
    // What was handed in is shown again, also on a page that was loaded meanwhile.
    const closings = new Map(tried.split(" ").map((token) => token.split("@")));
    for (const control of element.elements) {
      control.disabled = stage !== "trying";
      if (tried && control.name) control.value = closings.get(control.name) ?? "";
    }
  }
  return { element, draw };
}

function drawSign({ text, colour }) {
  return h("span", { class: `chip colour-${colour}` }, text);
}

/** A line to go through on the board: what refutes an answer, or the solution. */
function makeLine(model, ask, drawIcon) {
  const title = h("h4", {});
  const back = button("‹", "one step back", () => ask("step", { number: model.get("task").line.at - 1 }), { class: "tool previous" });
  const on = button("Step on ›", "show the next step on the board", () => ask("step", { number: model.get("task").line.at + 1 }), { class: "on" });
  const where = h("span", { class: "faint where", role: "status" });
  const steps = h("ol", { class: "steps", start: "0" });
  const buttons = h("div", { class: "row" }, back, on, where);
  const element = h("section", { class: "line", "aria-label": "line" }, title, buttons, steps);
  let [drawn, at] = ["", 0];
  function draw() {
    const { line } = model.get("task");
    element.hidden = !line;
    if (!line) return (drawn = "");
    title.textContent = line.title;
    const key = JSON.stringify([line.title, line.steps]);
    if (drawn !== key) {
      steps.replaceChildren(...line.steps.map(({ text, who, note, told }, i) => {
        const step = button("", `show step ${i}: ${sayTold(told) || text}`, () => ask("step", { number: i }), { class: "turn" });
        step.replaceChildren(...drawTurn(told, text, drawIcon));
        return h("li", {}, step, ...who.map(drawSign), note ? h("span", { class: "note" }, note) : null);
      }));
    }
    const moved = drawn !== key || at !== line.at;
    [drawn, at] = [key, line.at];
    [back.disabled, on.disabled] = [line.at === 0, line.at === line.steps.length - 1];
    where.textContent = `${line.at} of ${line.steps.length - 1}`;
    steps.querySelectorAll(".turn").forEach((turn, i) => (i === line.at ? turn.setAttribute("aria-current", "step") : turn.removeAttribute("aria-current")));
    // The buttons stay above what is gone through.
    if (moved && at > 0) scrollTo(element.closest(".panel") ?? steps, steps.children[at], buttons.offsetHeight);
  }
  return { element, draw };
}

/** What has been told: the solution, and the themes afterwards. */
function makeTold(model) {
  const solution = h("section", { class: "solution", "aria-label": "solution", "aria-live": "polite" });
  const themes = h("p", { class: "themes" });
  let drawn = "";

  function drawSolution({ value, accepted, more, line, explanation, proof, source }, stepped) {
    return [
      h("h4", {}, `Solution, worth ${value}`),
      ...explanation.map((text) => h("p", {}, text)),
      h("p", {}, accepted.length > 1 || more ? "All of these are best:" : "Best is:"),
      h("ul", {}, ...accepted.map(({ words, text }) => h("li", {}, h("span", { class: "told" }, words), " ", h("span", { class: "notation" }, text))), more ? h("li", {}, more) : null),
      stepped ? null : h("p", {}, "For example: ", line),
      h("p", { class: "faint" }, proof, h("br", {}), `Source: ${source}`),
    ].filter((part) => part);
  }

  function draw() {
    const task = model.get("task");
    const key = JSON.stringify([task.solution, task.themes, Boolean(task.line)]);
    if (drawn === key) return;
    drawn = key;
    solution.hidden = !task.solution;
    solution.replaceChildren(...(task.solution ? drawSolution(task.solution, task.line && !task.form) : []));
    themes.hidden = !task.themes.length;
    themes.replaceChildren(h("span", { class: "faint" }, "Themes: "), ...task.themes.flatMap(({ name, about }, i) => [i ? ", " : "", h("span", { title: about }, name.replaceAll("-", " "))]));
  }
  return { solution, themes, draw };
}

/** What can be asked for; `showAnalysis` brings the open explorer into view. */
function makeAsking(model, ask, showAnalysis) {
  const hint = button("Hint", "give the next hint", () => ask("hint"), { class: "hint" });
  const solution = button("Show solution", "show the solution and why", () => ask("solution"), { class: "show" });
  const retry = button("Try again", "begin this puzzle again", () => ask("retry"), { class: "retry" });
  const analyse = button("Analyse", "", () => ask(model.get("analysis") ? "close_analysis" : "analyse"), { class: "analyse" });
  const next = button("Next puzzle", "go to the puzzle that is due next", () => ask("next"), { class: "next" });
  const element = h("div", { class: "row asking", role: "group", "aria-label": "this puzzle" }, hint, solution, retry, analyse, next);
  // The page never scrolls by itself, so one must be told where the explorer is.
  const place = h("span", { role: "status" });
  const show = button("Show it", "scroll to the analysis", showAnalysis, { class: "show-analysis" });
  const opened = h("div", { class: "row opened faint" }, place, show);
  let wasOpen = false;
  function draw() {
    const { stage, verdict, hints, hints_left: left, solution: shown } = model.get("task");
    const [trying, best] = [stage === "trying", verdict && verdict.outcome !== "wrong"];
    hint.hidden = !trying || !left;
    hint.textContent = hints.length ? `Next hint (${left} left)` : `Hint (${left} left)`;
    hint.setAttribute("aria-label", `give ${hints.length ? "the next" : "a"} hint, ${left} left`);
    solution.hidden = Boolean(shown) || stage === "checking";
    retry.hidden = stage !== "judged";
    analyse.disabled = next.disabled = stage === "checking";
    const open = Boolean(model.get("analysis"));
    analyse.textContent = open ? "Close analysis" : "Analyse this position";
    const label = open ? "close the explorer" : "open the explorer with the position on the board; before you have solved the puzzle this counts as a hint";
    analyse.title = label;
    analyse.setAttribute("aria-label", `${analyse.textContent}: ${label}`);
    analyse.setAttribute("aria-expanded", String(open));
    place.textContent = open ? "The analysis is open below the board." : "";
    opened.hidden = !open;
    if (open && !wasOpen) scrollTo(element.closest(".panel"), opened);
    wasOpen = open;
    next.classList.toggle("main", Boolean(best || shown));
    retry.classList.toggle("main", stage === "judged" && !best && !shown);
  }
  return { element, opened, draw };
}

/** How one stands. */
function makeStanding(model) {
  const puzzle = h("p", {});
  const all = h("p", {});
  const lost = h("p", {}, "This is not written down: it is forgotten when the notebook ends.");
  function draw() {
    const { standing, tally, rating, is_kept: kept } = model.get("task");
    lost.hidden = kept;
    puzzle.textContent = `This puzzle: ${standing}.`;
    all.replaceChildren(`${tally}. Your rating: `, h("strong", {}, rating));
  }
  return { element: h("div", { class: "standing faint" }, puzzle, all, lost), draw };
}

/** Shows the explorer below while there is one. */
function makeAnalysis(model) {
  const element = h("div", { class: "analysis", style: "margin-top: 12px" });
  let [shown, view] = ["", null];
  async function draw() {
    const wanted = model.get("analysis") ?? "";
    const id = typeof wanted === "string" ? wanted.replace("IPY_MODEL_", "") : wanted.model_id;
    if (id === shown) return;
    shown = id;
    view?.remove();
    view = null;
    element.replaceChildren();
    if (!id) return;
    const child = await model.widget_manager.get_model(id);
    const made = await model.widget_manager.create_view(child);
    if (shown !== id) return made.remove();
    view = made;
    element.append(view.el);
  }
  return { element, draw, dispose: () => view?.remove() };
}

export default {
  render({ model, el }) {
    const root = openShadow(el);
    const ask = makeAsk(model);
    const board = mountBoard(model, root);
    const question = makeQuestion(model, ask);
    const analysis = makeAnalysis(model);
    const asking = makeAsking(model, ask, () => analysis.element.scrollIntoView({ block: "start" }));
    const [verdict, hints, form, line, told, standing] = [makeVerdict(model, ask), makeHints(model), makeForm(model, ask), makeLine(model, ask, board.surface.drawIcon), makeTold(model), makeStanding(model)];
    const parts = [question, verdict, form, hints, told, line, asking, standing];
    el.append(analysis.element);
    const left = h("div", { class: "left" });
    const panel = h("div", { class: "panel" }, verdict.element, form.element, hints.element, told.solution, line.element, told.themes, asking.element, asking.opened, standing.element);
    root.append(h("style", {}, STYLE_EXPLORER), h("style", {}, STYLE_TRAINER));
    // The board's section is the frame, so that its colours, keys and focus hold for the panel too.
    left.append(...board.element.childNodes);
    board.element.classList.add("explorer", "trainer");
    board.element.append(question.element, left, panel);
    board.putAside(panel);

    const draw = () => {
      keepPlace(root, [panel, question.element], left, model.get("task").stage === "trying", () => parts.forEach((part) => part.draw()));
      board.showPlan(model.get("task").marks);
      board.element.dataset.stage = model.get("task").stage;
    };
    const onAnalysis = () => {
      asking.draw();
      analysis.draw();
    };
    model.on("change:step", draw);
    model.on("change:analysis", onAnalysis);
    draw();
    onAnalysis();
    return () => {
      model.off("change:step", draw);
      model.off("change:analysis", onAnalysis);
      for (const { dispose } of [...parts, analysis]) dispose?.();
      board.dispose();
    };
  },
};
