// The leads expected over a game, a line for each player, with signs where a turn was a mistake.

import { s } from "../dom.js";

const [LEFT, WIDE, MIDDLE, HIGH] = [30, 264, 55, 45];

/** Draws the leads after each turn, with gaps where nothing is known; `who` has a chip for each player, and signs
 * { at, player, sign, label, onclick } can be clicked. */
export function drawGraph(leads, index, who, signs = []) {
  const known = leads.flatMap((lead) => lead ?? []);
  if (leads.filter((lead) => lead).length < 2) return null;
  const most = Math.max(5, ...known.map(Math.abs));
  const x = (i) => LEFT + (WIDE * i) / Math.max(1, leads.length - 1);
  const y = (lead) => MIDDLE - (HIGH * lead) / most;
  const lines = who.map(({ text, colour }, p) => {
    let d = "";
    leads.forEach((lead, i) => (d += lead ? `${d && leads[i - 1] ? "L" : "M"}${x(i)} ${y(lead[p])}` : ""));
    const last = leads.findLastIndex((lead) => lead);
    return s("g", {}, s("path", { class: `graph stroke-${colour} dash-${p}`, d }), s("text", { x: x(last) + 3, y: y(leads[last][p]) + 4 }, text));
  });
  const scale = [most, 0, -most].map((lead) => s("text", { class: "scale", x: 26, y: y(lead) + 3 }, `${lead > 0 ? "+" : ""}${Math.round(lead)}`));
  const marks = signs.filter(({ at }) => leads[at]).map(({ at, player, sign, label, onclick }) =>
    s("g", { class: "sign", role: "button", tabindex: "-1", "aria-label": label, onclick },
      s("title", {}, label), s("circle", { class: `stroke-${who[player].colour}`, cx: x(at), cy: y(leads[at][player]), r: 5 }), s("text", { x: x(at), y: y(leads[at][player]) + 3 }, sign)));
  return s("svg", { class: "graphs", viewBox: "0 0 310 110", role: signs.length ? "group" : "img", "aria-label": "expected lead over the game" },
    s("path", { class: "axis", d: `M30 10V100M30 55H294` }), s("path", { class: "here", d: `M${x(index)} 10V100` }), ...scale, ...lines, ...marks);
}

/** Gets the turn that a click on such a drawing of so many turns is nearest to. */
export function findTurn(event, turns) {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const along = ((310 * (event.clientX - left)) / width - LEFT) / WIDE;
  return Math.max(0, Math.min(turns, Math.round(along * turns)));
}
