// The marks of what can be chosen: rings, squares, dots, canals, and notes beside them.

import { s } from "./dom.js";

/** What is clicked on a point or a segment reaches at least so many pixels, where there is room. */
const GRASP = 10;

/** Widens what is clicked while the board is small, at most to a share of the way to the next one. */
export const widen = (scale, size, most) => Math.max(size, Math.min(most, GRASP / scale));

/** A place beside ringed pieces is marked in its middle, so that no ring covers a piece that reaches into it. */
export const outlineOf = (look, name) => (look === "ring" && !name.includes("=") ? "middle" : look);

/** Draws the mark of a choice around a box; `scale` says how many pixels a unit has. */
export function outline(look, box, scale) {
  const rect = (inset, r, kind) =>
    s("rect", {
      class: kind, rx: r, x: box.x - box.width / 2 + inset, y: box.y - box.height / 2 + inset,
      width: Math.max(1, box.width - 2 * inset), height: Math.max(1, box.height - 2 * inset),
    });
  switch (look) {
    case "ring":
      return box.width < 30 ? [rect(-1.5, 7, "rim"), rect(-1.5, 7, "mark")] : [rect(-3, 9, "rim"), rect(-3, 9, "mark")];
    case "middle":
      return [rect(0, 4, "area"), rect(11, 4, "mark")];
    case "dot":
      return [s("circle", { class: "area", cx: box.x, cy: box.y, r: widen(scale, 12, 22) }), s("circle", { class: "mark", cx: box.x, cy: box.y, r: 4.6 })];
    case "single":
    case "double":
      return [grip(box, scale), ...canals(look, box)];
    default:
      return [rect(3, 5, "mark")];
  }
}

/** What is clicked on a segment: it leaves the ends free, where springs are pointed at. */
function grip(box, scale) {
  const [along, across] = [Math.max(box.width, box.height) - 16, 2 * widen(scale, 10, 16)];
  const [width, height] = box.width > box.height ? [along, across] : [across, along];
  return s("rect", { class: "area", x: box.x - width / 2, y: box.y - height / 2, width, height });
}

export function canals(look, box, gap = 9) {
  const across = box.width > box.height;
  const half = Math.max(box.width, box.height) / 2 - gap;
  return (look === "double" ? [-4, 4] : [0]).map((shift) => {
    const d = across ? `M${box.x - half} ${box.y + shift}h${2 * half}` : `M${box.x + shift} ${box.y - half}v${2 * half}`;
    return s("path", { class: "mark", d });
  });
}

export function drawNote({ note, look }, box) {
  const width = 7 * note.length + 8;
  const within = look === "single" || look === "double";
  const [x, y] = within ? [box.x, box.y] : [box.x + box.width / 2 + 2, box.y - box.height / 2 - 2];
  return s("g", { class: "note" }, s("rect", { x: x - width / 2, y: y - 8, width, height: 16, rx: 8 }), s("text", { x, y: y + 4 }, note));
}
