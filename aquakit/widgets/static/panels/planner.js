// The planner: what can be planned here, how far it has come, and what was found.

import { button, drawTurn, h, sayTold } from "../dom.js";
import { drawTable } from "./sheet.js";

/** The planner: what can be planned here, how far it has come, and what was found, which the board shows as ghosts. */
export function makePlanner(model, ask, board) {
  const numbers = new Map(); // what was typed for each question
  const twice = h("input", { type: "checkbox", class: "twice" });
  const second = h("label", { class: "second" }, twice, " check by a second method");
  let [wanted, drawn, begun, ticked] = ["", "", 0, null];
  const what = h("select", { class: "what", "aria-label": "what to plan" });
  const number = h("input", { type: "number", class: "count", onkeydown: (event) => event.key === "Enter" && !go.disabled && push() });
  const unit = h("span", {});
  const field = h("label", {}, number, " ", unit);
  const go = button("Go", "", () => push(), { class: "go" });
  const clock = h("span", { class: "clock faint", "aria-hidden": "true" });
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const found = h("div", { class: "found" });
  const element = h("section", { class: "planner", "aria-label": "planner" }, h("div", { class: "heading" }, h("h4", {}, "Planner"), second), h("div", { class: "row" }, what, field, go, clock), status, found);
  what.addEventListener("change", () => {
    wanted = what.value;
    draw();
  });
  twice.addEventListener("change", () => (ticked = twice.checked));
  number.addEventListener("input", () => numbers.set(wanted, number.value));
  // The seconds count by themselves: to hear each of them would be tiresome.
  const tick = () => (clock.textContent = model.get("planner").running ? `${Math.floor((performance.now() - begun) / 1000)} s` : "");
  const timer = setInterval(tick, 500);

  function push() {
    const { running, stopping } = model.get("planner");
    if (stopping) ask("clear_plan");
    else if (running) ask("stop_plan");
    else ask("plan", { question: wanted, number: field.hidden ? null : Number(number.value), verify: !second.hidden && twice.checked });
  }

  function drawChoice({ questions, asked, running, stopping }) {
    if (!questions.some(({ id }) => id === wanted)) wanted = asked?.id ?? questions[0].id;
    if (running) wanted = asked.id;
    const key = questions.map(({ id }) => id).join(" ");
    if (what.dataset.key !== key) what.replaceChildren(...questions.map(({ id, label }) => h("option", { value: id }, label)));
    what.dataset.key = key;
    what.value = wanted;
    const question = questions.find(({ id }) => id === wanted);
    what.title = question.about;
    drawNumber(question.number, asked?.id === wanted ? asked.number : null);
    second.hidden = !question.second;
    second.title = question.second;
    // Until somebody ticks it, it shows what was asked for last.
    if (running || ticked === null) twice.checked = Boolean(asked?.verify);
    else twice.checked = ticked;
    what.disabled = number.disabled = twice.disabled = running;
    const refusal = running ? "" : question.refusal;
    const label = refusal || (stopping ? "do not wait for the best so far" : running ? "stop and show the best so far" : `find ${question.about}`);
    go.textContent = stopping ? "Give up" : running ? "Stop" : "Go";
    go.disabled = Boolean(refusal);
    go.title = label;
    go.setAttribute("aria-label", `${go.textContent}: ${label}`);
  }

  function drawNumber(range, asked) {
    field.hidden = !range;
    if (!range) return;
    [number.min, number.max] = [range.least, range.most];
    unit.textContent = range.label;
    const value = String(numbers.get(wanted) ?? asked ?? range.usual);
    if (number.value !== value) number.value = value;
  }

  function drawStatus({ status: text, problem, answer }) {
    const said = problem || text || answer?.summary[0] || "";
    if (status.textContent !== said) status.textContent = said;
    status.classList.toggle("wrong", Boolean(problem));
  }

  function drawAnswer({ answer, turns }) {
    const key = JSON.stringify([answer, turns]);
    if (key === drawn) return;
    drawn = key;
    if (!answer) return found.replaceChildren();
    const take = {
      add: () => button("Put into the game", "add these turns to the game as a variation", () => ask("add_plan"), { class: "add" }),
      open: () => button("Open as a game of its own", "open these turns as a new game; Bring back returns to this one", () => ask("open_plan"), { class: "openplan" }),
    }[turns];
    const steps = answer.steps.map(({ text, note, told }, i) => {
      const step = button("", `show step ${i + 1} on the board: ${sayTold(told) || text}`, () => show(i + 1), { class: "turn" });
      step.replaceChildren(...drawTurn(told, text, board.surface.drawIcon));
      return h("li", {}, step, note ? h("span", { class: "note" }, note) : null);
    });
    found.replaceChildren(
      ...answer.summary.slice(1).map((line) => h("p", {}, line)),
      ...(answer.table ? [h("div", { class: "sheet" }, drawTable(answer.table))] : []),
      ...(steps.length ? [h("ol", { class: "steps" }, ...steps)] : []),
      h("div", { class: "row" }, take ? take() : null, button("Clear", "take the plan from the board", () => ask("clear_plan"), { class: "clear" })),
    );
  }

  function show(count) {
    model.set("plan_shown", count);
    model.save_changes();
  }

  function sendPlan({ answer }) {
    const steps = answer?.steps ?? [];
    const shown = Math.min(model.get("plan_shown") ?? steps.length, steps.length);
    // While all is shown from the first, no step is the one gone to.
    const latest = model.get("plan_shown") == null ? -1 : shown - 1;
    board.showPlan(steps.slice(0, shown).flatMap(({ ghosts }, i) => ghosts.map((ghost) => ({ ...ghost, latest: i === latest }))), answer?.above);
    found.querySelectorAll(".steps .turn").forEach((step, i) => {
      if (i === latest) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
      step.closest("li").classList.toggle("later", i >= shown);
    });
  }

  function draw() {
    const state = model.get("planner");
    element.hidden = !state.questions.length;
    if (element.hidden) return board.showPlan([]);
    begun = performance.now() - 1000 * state.seconds;
    drawChoice(state);
    drawStatus(state);
    drawAnswer(state);
    sendPlan(state);
    tick();
  }

  return { element, draw, dispose: () => clearInterval(timer) };
}
