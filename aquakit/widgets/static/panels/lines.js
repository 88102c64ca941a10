// The analysis: its lines, the chances, and the leads over the game.

import { button, drawTurn, h, replaceRows, s, sayTold } from "../dom.js";

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

/** The leads expected over the game, a line for each player; gaps where nothing is known. */
function drawGraph(leads, index, colours) {
  const known = leads.flatMap((lead) => lead ?? []);
  if (leads.filter((lead) => lead).length < 2) return null;
  const most = Math.max(5, ...known.map(Math.abs));
  const x = (i) => 30 + (264 * i) / Math.max(1, leads.length - 1);
  const y = (lead) => 55 - (45 * lead) / most;
  const lines = colours.map((colour, p) => {
    let d = "";
    leads.forEach((lead, i) => (d += lead ? `${d && leads[i - 1] ? "L" : "M"}${x(i)} ${y(lead[p])}` : ""));
    const last = leads.findLastIndex((lead) => lead);
    return s("g", {}, s("path", { class: `graph stroke-${colour} dash-${p}`, d }), s("text", { x: x(last) + 3, y: y(leads[last][p]) + 4 }, colour));
  });
  const scale = [most, 0, -most].map((lead) => s("text", { class: "scale", x: 26, y: y(lead) + 3 }, `${lead > 0 ? "+" : ""}${Math.round(lead)}`));
  return s("svg", { class: "graphs", viewBox: "0 0 310 110", role: "img", "aria-label": "expected lead over the game" },
    s("path", { class: "axis", d: `M30 10V100M30 55H294` }), s("path", { class: "here", d: `M${x(index)} 10V100` }), ...scale, ...lines);
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
  const start = button("Analyse", "analyse what the board shows", () => ask("analyse"), { class: "analyse" });
  const stop = button("Stop", "stop the analysis", () => ask("rest"), { class: "rest" });
  const found = h("div", {});
  const element = h("div", {}, h("div", { class: "row" }, start, stop, h("label", {}, count, " lines"), h("label", {}, box, " show on the board")), found, list);
  function draw() {
    const [thinking, evaluation, lines] = [model.get("analysing"), model.get("evaluation"), model.get("lines")];
    box.checked = model.get("show_lines");
    if (count.getRootNode().activeElement !== count) count.value = model.get("line_count");
    start.hidden = thinking;
    stop.hidden = !thinking;
    const graph = evaluation && drawGraph(model.get("graph"), model.get("index"), evaluation.who.map((chips) => chips[0].colour));
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
