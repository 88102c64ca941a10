// The review of the game: who lost how much, the leads over the game, and each mistake with the better turn.

import { button, drawTurn, h, sayTold } from "../dom.js";
import { drawGraph, findTurn } from "./graph.js";
import { drawChip, drawTable } from "./sheet.js";
import STYLE_REVIEW from "./review.css";

export function makeReview(model, ask, drawIcon) {
  let chosen = null; // the mistake that was clicked; its better turn stays marked while the board is there
  let [drawn, listed] = ["", ""];
  const strength = h("select", { "aria-label": "how thorough" });
  const go = button("Review this game", "look for mistakes in every turn of the game", () => push(), { class: "go" });
  const bar = h("progress", { "aria-label": "turns reviewed" });
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const about = h("p", { class: "faint" }, "Every turn is compared with the best one that can be found. Meanwhile you can go on.");
  const table = h("div", {});
  const plot = h("div", { class: "plot" });
  const list = h("ol", { class: "mistakes", "aria-label": "mistakes" });
  const note = h("p", { class: "faint" });
  const element = h("div", { class: "review" }, h("style", {}, STYLE_REVIEW), h("div", { class: "row" }, go, strength), bar, status, about, table, note, plot, list);

  function push() {
    if (model.get("reviewer").running) ask("stop_review");
    else ask("review", { strength: strength.value });
  }

  function look(mistake) {
    model.set("mistake_shown", mistake);
    model.save_changes();
  }

  function choose(mistake) {
    chosen = mistake;
    ask("to_mistake", { index: mistake });
  }

  function drawState({ strengths, refusal, running, stopping, status: text, done, last, problem }) {
    const labels = JSON.stringify(strengths);
    if (strength.dataset.labels !== labels) {
      const value = strength.value || strengths[0].id;
      strength.replaceChildren(...strengths.map(({ id, label }) => h("option", { value: id }, label)));
      strength.value = value;
    }
    strength.dataset.labels = labels;
    strength.hidden = running;
    go.textContent = stopping ? "Stopping …" : running ? "Stop" : "Review this game";
    const label = refusal || (running ? "stop the review; what is found stays" : "look for mistakes in every turn of the game");
    go.title = label;
    go.setAttribute("aria-label", `${go.textContent}: ${label}`);
    go.disabled = stopping || (!running && Boolean(refusal));
    bar.hidden = !running;
    [bar.max, bar.value] = [Math.max(1, last), done];
    const said = problem || text || (refusal ? `There is nothing to review: ${refusal}.` : "");
    if (status.textContent !== said) status.textContent = said;
    status.classList.toggle("wrong", Boolean(problem));
  }

  function drawPlot({ course, who, mistakes }) {
    const signs = mistakes.map(({ number, player, sign, lost }, i) => ({
      at: number - 1, player: player - 1, sign, label: `turn ${number}: ${lost}`,
      onclick: (event) => {
        event.stopPropagation();
        choose(i);
      },
    }));
    const graph = drawGraph(course, model.get("index"), who, signs);
    graph?.addEventListener("click", (event) => ask("to_reviewed", { index: findTurn(event, course.length - 1) }));
    plot.replaceChildren(...(graph ? [graph, h("p", { class: "faint" }, "Leads expected over the game; click to go there.")] : []));
  }

  function drawSide(name, { told, turn, why }) {
    return h("span", { class: `side ${name.toLowerCase()}` }, h("strong", {}, `${name}: `), ...drawTurn(told, turn, drawIcon), ...why.map((text) => h("small", {}, text)));
  }

  function drawMistake({ number, who, sign, mark, lost, played, better }, i) {
    const label = `go to turn ${number}, ${mark}, ${lost}; played ${sayTold(played.told)}; better ${sayTold(better.told)}`;
    // Only the better turn of this very moment can be shown; pointing at another row takes nothing from the board.
    const [point, leave] = [() => model.get("mistake_here") === i && look(i), () => model.get("mistake_here") === i && look(chosen)];
    const looking = { onmouseenter: point, onmouseleave: leave, onfocus: point, onblur: leave };
    const head = h("span", { class: "head" }, h("span", { class: "number" }, `${number}.`), ...who.map(drawChip), h("strong", {}, `${sign} ${mark}`), h("span", {}, lost));
    const row = button("", label, () => choose(i), { class: "mistake", ...looking });
    row.append(head, drawSide("Played", played), drawSide("Better", better));
    return h("li", {}, row);
  }

  function draw() {
    drawState(model.get("reviewer"));
    const found = model.get("findings");
    about.hidden = Boolean(found || model.get("reviewer").refusal);
    const key = JSON.stringify(found);
    if (key !== drawn) {
      table.replaceChildren(...(found ? [h("div", { class: "sheet" }, drawTable(found.table))] : []));
      note.textContent = found?.note ?? "";
      // Rows only come behind the others while a review runs, and those that are there keep the focus.
      const mistakes = found?.mistakes ?? [];
      const keys = mistakes.map((mistake) => JSON.stringify(mistake));
      if (!keys.join().startsWith(listed)) list.replaceChildren();
      list.append(...mistakes.slice(list.children.length).map((mistake, j) => drawMistake(mistake, list.children.length + j)));
      listed = keys.join();
      if (!found) chosen = null;
    }
    drawn = key;
    if (found) drawPlot(found);
    else plot.replaceChildren();
    [...list.children].forEach((row, i) => {
      if (i === model.get("mistake_here")) row.firstChild.setAttribute("aria-current", "step");
      else row.firstChild.removeAttribute("aria-current");
    });
  }

  return { element, draw };
}
