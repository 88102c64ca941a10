// Tables, such as those of the score sheet, and the chips that stand for players in them.

import { h } from "../dom.js";

export function drawChip({ text, colour, sure }) {
  return h("span", { class: `chip colour-${colour}${sure ? "" : " unsure"}` }, text);
}

function drawCell(cell) {
  return typeof cell === "string" ? h("td", {}, cell) : h("td", {}, ...cell.map(drawChip));
}

export function drawTable({ title, head, rows }) {
  return h("figure", {}, h("figcaption", {}, title), h("div", { class: "scroll", tabindex: "0" },
    h("table", {}, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(drawCell)))))));
}

/** The tables of the score sheet. */
export function makeSheet(model) {
  const element = h("div", { class: "sheet" });
  function draw() {
    element.replaceChildren(...model.get("sheet").map(drawTable));
  }
  return { element, draw };
}
