// The analysis: its lines, the chances, and the leads over the game.

import { button, drawTurn, h, replaceRows, sayTold } from "../dom.js";
import { drawGraph } from "./graph.js";

/** The chances to win, as a bar with one part for each player. */
function drawBar({ win, who, score, note, playouts }) {
  const parts = win.map((chance, i) =>
    h("span", { class: `part colour-${who[i][0].colour}`, style: `flex-grow: ${Math.max(0.001, chance)}` },
      chance > 0.08 ? `${who[i].map((chip) => chip.text).join("")} ${Math.round(100 * chance)} %` : null));
  const words = win.map((chance, i) => `${who[i].map((chip) => chip.text).join("")} wins ${Math.round(100 * chance)} %, ${score[i].toFixed(1)} points`);
  return h("div", { class: "evaluation" },
    h("div", { class: "bar", role: "img", "aria-label": words.join("; "), title: words.join("\n") }, ...parts),
    h("p", { class: "faint" }, `${note}; ${playouts.toLocaleString("en")} playouts, estimated`));
}

/** The analysis: its lines, the chances, and the leads over the game. */
export function makeLines(model, ask, drawIcon) {
  const list = h("ol", { class: "lines" });
  let rows = new Map(); // by turn
  let gone = false; // a line that goes with its board loses the focus too, when nobody hears it any more
  const set = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => set("show_lines", box.checked));
  const count = h("input", { type: "number", min: 1, max: 20, class: "count", "aria-label": "number of lines" });
  count.addEventListener("change", () => set("line_count", Number(count.value)));
  const start = button("Analyse", "analyse what the board shows, until you stop it", () => {
    // Two answers at once would contradict each other for a while.
    if (model.get("adviser")?.answer) ask("clear_advice");
    ask("analyse");
  }, { class: "analyse" });
  const stop = button("Stop", "stop the analysis", () => ask("rest"), { class: "rest" });
  const found = h("div", {});
  const element = h("div", {}, h("div", { class: "row" }, start, stop, h("label", {}, count, " lines"), h("label", {}, box, " show on the board")), found, list);
  function draw() {
    const [thinking, evaluation, lines] = [model.get("analysing"), model.get("evaluation"), model.get("lines")];
    box.checked = model.get("show_lines");
    if (count.getRootNode().activeElement !== count) count.value = model.get("line_count");
    start.hidden = thinking;
    stop.hidden = !thinking;
    const graph = evaluation && drawGraph(model.get("graph"), model.get("index"), evaluation.who.map(([chip]) => chip));
    found.replaceChildren(...[evaluation && drawBar(evaluation), graph].filter((part) => part));
    const kept = lines.map(({ turn, note }, i) => {
      // The line under the pointer, or with the focus, is drawn alone.
      const look = () => set("line_shown", turn);
      const leave = () => gone || set("line_shown", "");
      const looking = { onmouseenter: look, onmouseleave: leave, onfocus: look, onblur: leave };
      const row = rows.get(turn) ?? h("li", {}, button("", "", () => ask("show", { turn }), { class: "turn", ...looking }), h("span", { class: "note" }));
      const told = model.get("line_words")[turn] ?? [];
      rows.delete(turn);
      if (row.dataset.told !== String(told.length)) row.firstChild.replaceChildren(...drawTurn(told, turn, drawIcon));
      row.dataset.told = told.length;
      for (const name of ["title", "aria-label"]) row.firstChild.setAttribute(name, `go through line ${i + 1}: ${sayTold(told) || turn}`);
      row.lastChild.textContent = note;
      return row;
    });
    rows = new Map(lines.map(({ turn }, i) => [turn, kept[i]]));
    replaceRows(list, lines.length ? kept : [h("p", { class: "faint" }, thinking ? "Thinking …" : "No lines yet.")]);
  }
  return { element, draw, dispose: () => (gone = true) };
}
