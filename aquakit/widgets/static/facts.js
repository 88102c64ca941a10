// Facts about what is pointed at: a card beside it, and what they speak of marked on the board.

import { around, beside, step } from "./geometry.js";
import { h, s } from "./dom.js";

/** Tells facts on a stage, beside the boxes that are `taken`; gets what reads, hides and goes through them. */
export function makeFacts(model, { picture, layer, boxOf, drawRay, scale, middle }, stage, taken) {
  const card = h("div", { class: "card", hidden: true });
  let facts = new Map(); // by the names of what they are about
  let told = -1;
  let pointed = null; // what has the pointer or the focus
  let asked = ""; // the fact that was asked for by a key since
  let pointer = null; // where the pointer is, for what it points at may be drawn anew
  stage.append(card);

  function read() {
    facts = new Map();
    for (const fact of model.get("facts")) for (const name of fact.on) facts.set(name, fact);
  }

  function factAt(target) {
    const refused = target.closest("[data-refusal]");
    if (refused) return { on: [refused.dataset.refusal], title: refused.getAttribute("aria-label"), lines: [], places: [], rays: [] };
    for (const name of (target.closest("[data-on]")?.dataset.on ?? "").split(" ")) if (facts.has(name)) return facts.get(name);
    for (let e = target; e && e !== picture; e = e.parentElement) {
      for (const [key, value] of Object.entries(e.dataset ?? {})) {
        const fact = facts.get(`${key}=${value}`);
        if (fact) return fact;
      }
    }
    return null;
  }

  function show(fact) {
    hide();
    if (!fact) return;
    const marks = fact.places.map(boxOf).filter((box) => box);
    const group = s("g", { class: "fact" }, ...fact.rays.map(([a, b]) => drawRay(a, b, fact.colour)));
    for (const box of marks) group.append(s("rect", { x: box.x - box.width / 2 + 2, y: box.y - box.height / 2 + 2, width: box.width - 4, height: box.height - 4, rx: 5 }));
    layer.prepend(group);
    card.replaceChildren(h("strong", {}, fact.title), ...fact.lines.map((line) => h("div", {}, line)));
    card.hidden = false;
    const zoom = scale();
    const zoomed = ({ x, y, width, height }) => ({ x: x * zoom, y: y * zoom, width: width * zoom, height: height * zoom });
    const piece = fact.on.map(boxOf).find((box) => box) ?? middle();
    const area = marks.length ? around([piece, ...marks].map((b) => ({ width: 48, height: 48, ...b }))) : { width: 48, height: 48, ...piece };
    // Where choices lie everywhere there may be room beside the board.
    const bounds = { width: Math.max(stage.clientWidth, stage.parentElement.clientWidth), height: stage.clientHeight };
    const spot = beside(zoomed(area), { width: card.offsetWidth, height: card.offsetHeight }, bounds, 8, taken().map(zoomed));
    card.style.left = `${spot.x}px`;
    card.style.top = `${spot.y}px`;
  }

  /** Tells about what is pointed at, once the facts are those of what is shown: they come after the picture. */
  function tellAgain() {
    if (pointer && !pointed?.isConnected) pointed = stage.getRootNode().elementFromPoint(...pointer);
    const known = model.get("facts_of") === model.get("decision");
    const fact = asked ? model.get("facts").find(({ name }) => name === asked) : pointed && stage.contains(pointed) && factAt(pointed);
    show(known ? fact : null);
  }

  function point(target, at = null) {
    [pointed, pointer, asked] = [target, at, ""];
    tellAgain();
  }

  function hide() {
    card.hidden = true;
    layer.querySelector(".fact")?.remove();
  }

  /** Tells the next fact, or the one before; gets it in words. */
  function tellNext(by) {
    const all = model.get("facts").filter((fact) => fact.on.some(boxOf));
    if (!all.length) return null;
    told = told < 0 ? (by > 0 ? 0 : all.length - 1) : step(told, by, all.length);
    asked = all[told].name;
    show(all[told]);
    return [all[told].title, ...all[told].lines].join("; ");
  }

  stage.addEventListener("pointerover", (event) => point(event.target, [event.clientX, event.clientY]));
  stage.addEventListener("pointermove", (event) => (pointer = [event.clientX, event.clientY]));
  stage.addEventListener("pointerleave", () => point(null));
  // Who plays by mouse has the focus somewhere too, and did not ask about what is there.
  stage.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(event.target));
  stage.addEventListener("focusout", () => point(null));
  return {
    read, hide, tellAgain, tellNext,
    asked: () => asked,
    /** Tells again what was asked for by a key, though the focus has been given anew. */
    keep(name) {
      asked = name;
      tellAgain();
    },
  };
}
