// What was planned, as ghosts above the picture, with their numbers above all else.

import { corner } from "./geometry.js";
import { s } from "./dom.js";
import { canals } from "./marks.js";

/** The part of a square in which the number of a planned tile stands. */
const TAG = 45;

/** Shows plans on a surface: `show` takes ghosts { on, look, label, piece, turns, latest } and pieces above them. */
export function makePlanned({ planned, numbers, piecesOf, boxOf, drawPiece, scale }) {
  let plan = { ghosts: [], above: [] };

  function lay() {
    // Of two ghosts in one place the later one stands for both.
    const ghosts = [...new Map(plan.ghosts.map((ghost) => [ghost.on, ghost])).values()];
    const placed = ghosts.map((ghost) => ({ ...ghost, box: boxOf(ghost.on) })).filter(({ box }) => box);
    const above = placed.length ? plan.above.flatMap(piecesOf).map((piece) => piece.cloneNode(true)) : [];
    planned.replaceChildren(...placed.map(drawGhost), ...above);
    // What can be chosen lies between, so that it stays visible and no number is hidden.
    const names = plan.above.map(boxOf).filter((box) => box);
    numbers.replaceChildren(...placed.filter(({ label }) => label).map((ghost) => drawLabel(ghost, names)));
  }

  function drawGhost(ghost) {
    const { box, look } = ghost;
    const kind = { class: `plan ${look}${ghost.latest ? " latest" : ""}`, "data-plan": ghost.on };
    if (look === "tile") {
      const square = (name, size) => s("rect", { class: name, x: box.x - size / 2, y: box.y - size / 2, width: size, height: size, rx: 4 });
      return s("g", kind, square("plate", 45), s("g", { class: "art" }, drawPiece(ghost, box, 1)), square("halo", 44), square("edge", 44));
    }
    if (look === "mark") return s("g", kind);
    const water = (name) => canals(look, box, 2).map((path) => (path.setAttribute("class", name), path));
    return s("g", kind, ...water("halo"), ...water("edge"));
  }

  /** Writes a ghost's number: on a canal, above a piece, or on a tile where it hides no piece; large enough on a small board. */
  function drawLabel({ box, look, label, latest }, pieces) {
    const most = look === "tile" ? TAG / (0.6 * label.length + 0.3) : Infinity;
    const size = Math.min(most, Math.max(12.5, Math.min(22, 10.5 / scale())));
    const tag = { width: Math.max(1.1, 0.6 * label.length + 0.3) * size, height: 1.1 * size };
    const { x, y } = {
      tile: corner({ ...box, width: TAG, height: TAG }, tag, pieces),
      mark: { x: box.x + box.width / 2, y: box.y - box.height / 2 },
    }[look] ?? box;
    return s("g", { class: `number${latest ? " latest" : ""}` },
      s("rect", { x: x - tag.width / 2, y: y - tag.height / 2, ...tag, rx: 3 }),
      s("text", { x, y: y + 0.36 * size, "font-size": size }, label));
  }

  return {
    lay,
    show(ghosts, above = []) {
      plan = { ghosts, above };
      lay();
    },
  };
}
