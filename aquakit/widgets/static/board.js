// Shows a board and what can be chosen on it. Python says what is legal; what is clicked goes back to Python.

import { around, beside, corner, fan, nearest, reach, step, toBox, walkFrames } from "./geometry.js";
import { button, h, replaceParts, s } from "./dom.js";
import { watchDark } from "./theme.js";
import STYLE from "./board.css";

const DARK_RULES = "@media(prefers-color-scheme:dark){";
/** Below this many pixels a choice is hard to hit and gets a button too. */
const SMALLEST = 22;
/** With more small choices than these, buttons would be no help. */
const MOST_BUTTONS = 8;
/** So wide, in pixels, is a board at most unless it is told otherwise: then it can be seen at one glance. */
const WIDEST = 760;
const GHOST = 46;
/** The part of a square in which the number of a planned tile stands. */
const TAG = 45;
/** A piece on trial is at least so wide in pixels, where there is room, and what is clicked on a point or a segment. */
const EASY = 30;
const GRASP = 10;
/** Milliseconds that a walk takes for each unit of its way, and at most. */
const PACE = 2.6;
const LONGEST_WALK = 1600;
const KEYS = [
  ["arrow keys", "go from choice to choice"],
  ["Enter or space", "choose"],
  ["Escape", "one step back"],
  ["t or the wheel", "the next tile"],
  ["i", "about the next piece"],
  ["u, r", "undo, redo a turn"],
  ["f", "flip the board"],
];

/** Builds a board for a model inside a shadow root; gets its element and what ends it. */
export function mountBoard(model, root) {
  const ask = (what, details = {}) => model.send({ do: what, ...details });
  let choices = []; // what can be reached by arrow keys: { element, box, choose }
  let ghosts = null; // the pieces on trial: { shown, show, list }
  let facts = new Map();
  let told = -1;
  let width = 0; // of the stage, in pixels
  let painted = ""; // what the picture was drawn from
  const known = new Map(); // where pieces of the picture are
  let walks = []; // the animations of the last walk
  let dark = false;
  let plan = { ghosts: [], above: [] }; // what was planned: { on, look, label, piece, turns, latest }, and pieces above it

  // The parts

  const prompt = h("p", { class: "prompt", role: "status", "aria-live": "polite" });
  const problem = h("p", { class: "problem", role: "alert" });
  const spinner = h("span", { class: "spinner", "aria-hidden": "true" });
  const halt = button("Stop", "stop the bot", () => ask("stop"));
  const resume = button("Let it play", "let the bot play on", () => ask("resume"));
  const undo = button("↶", "undo a turn (u)", () => ask("undo"), { class: "tool undo" });
  const redo = button("↷", "redo a turn (r)", () => ask("redo"), { class: "tool redo" });
  const flip = button("⇅", "flip the board (f)", () => turnRound(), { class: "tool flip" });
  const help = button("?", "keys", () => toggleKeys(), { class: "tool keys", "aria-expanded": "false" });
  const actions = h("div", { class: "actions" });
  const layer = s("svg", { class: "layer" });
  const planned = s("svg", { "aria-hidden": "true" });
  const numbers = s("svg", { "aria-hidden": "true" });
  const picture = s("svg");
  const card = h("div", { class: "card", hidden: true });
  const stage = h("div", { class: "stage", role: "group", tabindex: "-1" }, picture, planned, layer, numbers, card);
  const keys = h("dl", { class: "keylist", hidden: true }, ...KEYS.flatMap(([key, does]) => [h("dt", {}, key), h("dd", {}, does)]));
  const head = h("header", {}, prompt, actions, h("span", { class: "tools" }, spinner, halt, resume, undo, redo, flip, help));
  const element = h(
    "section",
    // JupyterLab would keep Enter from breaking lines and from sending forms.
    { class: "board", "data-lm-suppress-shortcuts": "true", onkeydown: onKey, onbeforeinput: (event) => event.stopPropagation() },
    head,
    keys,
    problem,
    stage,
  );
  root.append(h("style", {}, STYLE), element);

  // The picture

  function paint() {
    element.style.setProperty("--widest", `${model.get("size") ?? WIDEST}px`);
    element.toggleAttribute("data-dark", dark);
    // While only picks change, the picture stays.
    if (painted === `${dark} ${model.get("picture")}`) return;
    painted = `${dark} ${model.get("picture")}`;
    known.clear();
    const fresh = new DOMParser().parseFromString(model.get("picture"), "image/svg+xml").documentElement;
    const style = fresh.querySelector("style");
    style.textContent = style.textContent.replace(DARK_RULES, dark ? "@media all{" : "@media not all{");
    for (const name of ["width", "height", "style"]) fresh.removeAttribute(name);
    fresh.setAttribute("aria-hidden", "true");
    replaceParts(picture, document.importNode(fresh, true));
    layer.setAttribute("viewBox", fresh.getAttribute("viewBox"));
    layer.setAttribute("class", `layer ${own("root")}`);
    for (const sheet of [planned, numbers]) {
      sheet.setAttribute("viewBox", fresh.getAttribute("viewBox"));
      sheet.setAttribute("class", `layer planned ${own("root")}`);
    }
    stage.setAttribute("aria-label", fresh.querySelector("title").textContent);
  }

  const prefix = () => picture.getAttribute("class").replace(/root$/, "");
  const own = (...names) => names.map((name) => prefix() + name).join(" ");

  function piecesOf(name) {
    const [attribute] = name.split("=", 1);
    return [...picture.querySelectorAll(`[data-${attribute}="${CSS.escape(name.slice(attribute.length + 1))}"]`)];
  }

  /** Gets where a place or a piece of the picture is, in the picture's units; nothing while it is not shown. */
  function boxOf(name) {
    const place = model.get("places")[name];
    if (place) return toBox(place);
    if (!known.has(name)) known.set(name, measure(name));
    return known.get(name);
  }

  function measure(name) {
    const matrix = layer.getScreenCTM();
    const rects = piecesOf(name).map((piece) => piece.getBoundingClientRect());
    if (!matrix || !rects.length || !rects[0].width) return null;
    const { a, e, f } = matrix;
    return around(
      rects.map((r) => ({
        x: (r.x + r.width / 2 - e) / a,
        y: (r.y + r.height / 2 - f) / a,
        width: r.width / a,
        height: r.height / a,
      })),
    );
  }

  /** Gets how many pixels a unit of the picture has. */
  const scale = () => (width ? width / layer.viewBox.baseVal.width : 1);

  function draw() {
    keepFocus(() => {
      paint();
      say();
      layOffer();
    });
    element.dataset.step = model.get("step");
  }

  function say() {
    const { prompt: text } = model.get("offer");
    const bot = model.get("bot");
    if (prompt.textContent !== text) prompt.textContent = text;
    problem.textContent = model.get("problem");
    spinner.hidden = halt.hidden = bot !== "thinking";
    resume.hidden = bot !== "stopped";
    element.setAttribute("aria-busy", bot === "thinking");
    undo.disabled = !model.get("can_undo");
    redo.disabled = !model.get("can_redo");
  }

  // What can be chosen

  function layOffer() {
    const offer = model.get("offer");
    choices = [];
    // A piece is where it walks to. Pieces are found before anything is laid over them, since the page would have to be
    // laid out again for each.
    for (const last of walks) last.finish();
    walks = [];
    for (const { on } of offer.choices) on.forEach(boxOf);
    layer.replaceChildren();
    layPlan();
    actions.replaceChildren();
    hideFact();
    for (const [from, to] of offer.rays) layer.append(drawRay(from, to, offer.colour));
    for (const refusal of offer.refusals) layRefusal(refusal);
    const thinking = model.get("bot") === "thinking";
    const open = thinking ? [] : offer.choices;
    for (const choice of open.filter((c) => !["ghost", "button"].includes(c.look))) layChoice(choice);
    layGhosts(open.filter((c) => c.look === "ghost"));
    addSmall(open);
    for (const choice of open.filter((c) => c.look === "button")) actions.append(makeButton(choice));
    if (offer.entry && !thinking) actions.append(makeEntry(offer.entry));
    if (choices.length) choices[0].element.setAttribute("tabindex", "0");
    // What grew does not shrink again, so that the board does not jump under the pointer.
    const height = `${head.offsetHeight}px`;
    if (head.style.minHeight !== height) head.style.minHeight = height;
  }

  function drawRay(from, to, colour) {
    const [a, b] = [boxOf(from), boxOf(to)];
    if (!a || !b) return s("g");
    const [start, end] = reach(a, b);
    const d = `M${start.x} ${start.y}L${end.x} ${end.y}`;
    return s("g", { class: "ray" }, s("path", { class: own("halo"), d }), s("path", { class: own("sight", `stroke-${colour}`), d }));
  }

  function makeButton(choice) {
    return h("button", { type: "button", "data-choice": choice.id, title: choice.label, onclick: () => choose(choice.id) }, choice.label);
  }

  function makeEntry({ label, least, most }) {
    const input = h("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": `${label}, ${least} to ${most}` });
    const enter = (event) => {
      event.preventDefault();
      ask("enter", { number: input.value });
    };
    return h("form", { class: "entry", onsubmit: enter }, h("label", {}, `${label} `, input), h("button", { type: "submit" }, "Set"));
  }

  function focusable(label, box, choose, attributes, ...shapes) {
    const target = s("g", { role: "button", tabindex: "-1", "aria-label": label, ...attributes, onclick: choose }, s("title", {}, label), ...shapes);
    choices.push({ element: target, box, choose });
    return target;
  }

  function layChoice(choice) {
    const marks = choice.on.map((name) => [outlineOf(choice.look, name), boxOf(name)]).filter(([, box]) => box);
    if (!marks.length) return;
    const boxes = marks.map(([, box]) => box);
    const target = focusable(
      choice.label, boxes[0], () => choose(choice.id),
      { class: `choice ${choice.look}`, "data-choice": choice.id, "data-on": choice.on.join(" ") },
      ...marks.flatMap(([look, box]) => outline(look, box)),
      choice.note ? drawNote(choice, boxes[0]) : null,
    );
    if (choice.piece) target.append(s("g", { class: "trial" }, drawPiece(choice, boxes[0], 1)));
    layer.append(target);
  }

  function layRefusal({ place, reason }) {
    const box = boxOf(place);
    if (!box) return;
    const d = `M${box.x - 3.4} ${box.y - 3.4}l6.8 6.8m0-6.8l-6.8 6.8`;
    const tell = () => (problem.textContent = reason);
    layer.append(
      focusable(reason, box, tell, { class: "refusal", "aria-disabled": "true", "data-refusal": place }, s("circle", { class: "area", cx: box.x, cy: box.y, r: widen(10, 22) }), s("path", { d })),
    );
  }

  /** A place beside ringed pieces is marked in its middle, so that no ring covers a piece that reaches into it. */
  const outlineOf = (look, name) => (look === "ring" && !name.includes("=") ? "middle" : look);

  /** Widens what is clicked while the board is small, at most to a share of the way to the next one. */
  const widen = (size, most) => Math.max(size, Math.min(most, GRASP / scale()));

  function outline(look, box) {
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
        return [s("circle", { class: "area", cx: box.x, cy: box.y, r: widen(12, 22) }), s("circle", { class: "mark", cx: box.x, cy: box.y, r: 4.6 })];
      case "single":
      case "double":
        return [grip(box), ...canals(look, box)];
      default:
        return [rect(3, 5, "mark")];
    }
  }

  /** What is clicked on a segment: it leaves the ends free, where springs are pointed at. */
  function grip(box) {
    const [along, across] = [Math.max(box.width, box.height) - 16, 2 * widen(10, 16)];
    const [width, height] = box.width > box.height ? [along, across] : [across, along];
    return s("rect", { class: "area", x: box.x - width / 2, y: box.y - height / 2, width, height });
  }

  function canals(look, box, gap = 9) {
    const across = box.width > box.height;
    const half = Math.max(box.width, box.height) / 2 - gap;
    return (look === "double" ? [-4, 4] : [0]).map((shift) => {
      const d = across ? `M${box.x - half} ${box.y + shift}h${2 * half}` : `M${box.x + shift} ${box.y - half}v${2 * half}`;
      return s("path", { class: "mark", d });
    });
  }

  function drawNote({ note, look }, box) {
    const width = 7 * note.length + 8;
    const within = look === "single" || look === "double";
    const [x, y] = within ? [box.x, box.y] : [box.x + box.width / 2 + 2, box.y - box.height / 2 - 2];
    return s("g", { class: "note" }, s("rect", { x: x - width / 2, y: y - 8, width, height: 16, rx: 8 }), s("text", { x, y: y + 4 }, note));
  }

  function drawPiece({ piece, turns }, box, size) {
    const turned = turns && model.get("flip") ? " rotate(180)" : "";
    const parts = piece.split(" ").map((name) => s("use", { href: `#${prefix()}${name}` }));
    return s("g", { transform: `translate(${box.x} ${box.y}) scale(${size})${turned}` }, ...parts);
  }

  /** Lays pieces on trial: one on the place itself, and all of them in a row beside it if there are several. */
  function layGhosts(list) {
    ghosts = null;
    if (!list.length) return;
    const place = boxOf(list[0].on[0]);
    const view = layer.viewBox.baseVal;
    const large = Math.max(GHOST, Math.min(EASY / scale(), (view.width - 14) / list.length - 6));
    const row = fan(place, list.length, large, 6, { x: 4, y: 4, width: view.width - 8, height: view.height - 8 });
    const trial = s("g", { class: "trial shown" });
    const plate = ({ x, y }, size) => s("rect", { class: "plate", x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 4 });
    const show = (index) => {
      ghosts.shown = index;
      trial.replaceChildren(plate(place, 44), drawPiece(list[index], place, 1));
      choices.forEach(({ element: e }) => e.classList.toggle("current", e.dataset.choice === list[index].id));
    };
    const middle = s("g", { class: "place", onclick: () => choose(list[ghosts.shown].id), onwheel: turnWheel }, trial,
      s("rect", { class: "area", x: place.x - 24, y: place.y - 24, width: 48, height: 48 }));
    layer.append(middle);
    if (list.length > 1) {
      const f = row.frame;
      layer.append(s("rect", { class: "fan", x: f.x - f.width / 2, y: f.y - f.height / 2, width: f.width, height: f.height, rx: 8 }));
    }
    list.forEach((choice, i) => {
      const box = list.length > 1 ? row.boxes[i] : place;
      const target = focusable(choice.label, box, () => choose(choice.id),
        { class: "choice ghost", "data-choice": choice.id, "data-on": choice.on.join(" "), onpointerenter: () => show(i), onfocus: () => show(i), onwheel: turnWheel },
        ...(list.length > 1 ? [plate(box, large - 2), drawPiece(choice, box, large / 50)] : []),
        s("rect", { class: "mark", x: box.x - large / 2, y: box.y - large / 2, width: large, height: large, rx: 5 }));
      layer.append(target);
    });
    ghosts = { shown: 0, show, list };
    show(0);
  }

  // What was planned

  function layPlan() {
    // Of two ghosts in one place the later one stands for both.
    const ghosts = [...new Map(plan.ghosts.map((ghost) => [ghost.on, ghost])).values()];
    const placed = ghosts.map((ghost) => ({ ...ghost, box: boxOf(ghost.on) })).filter(({ box }) => box);
    const above = placed.length ? plan.above.flatMap(piecesOf).map((piece) => piece.cloneNode(true)) : [];
    planned.replaceChildren(...placed.map(drawPlanned), ...above);
    // What can be chosen lies between, so that it stays visible and no number is hidden.
    const names = plan.above.map(boxOf).filter((box) => box);
    numbers.replaceChildren(...placed.filter(({ label }) => label).map((ghost) => drawNumber(ghost, names)));
  }

  function drawPlanned(ghost) {
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
  function drawNumber({ box, look, label, latest }, pieces) {
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

  function turnWheel(event) {
    event.preventDefault();
    cycle(event.deltaY < 0 ? -1 : 1);
  }

  function cycle(by) {
    if (!ghosts) return;
    ghosts.show(step(ghosts.shown, by, ghosts.list.length));
    moveFocus(choices.find(({ element: e }) => e.classList.contains("current")));
    prompt.textContent = `${model.get("offer").prompt}: ${ghosts.list[ghosts.shown].label}`;
  }

  /** Gives choices that are too small to hit, as in a narrow window, a button as well. */
  function addSmall(open) {
    const small = open.filter((choice) => {
      const boxes = choice.look === "ring" ? choice.on.map(boxOf).filter((box) => box) : [];
      return boxes.length && Math.max(...boxes.map((box) => Math.min(box.width, box.height))) * scale() < SMALLEST;
    });
    if (small.length <= MOST_BUTTONS) for (const choice of small) actions.append(makeButton(choice));
  }

  function choose(id) {
    ask("choose", { id });
  }

  function turnRound() {
    model.set("flip", !model.get("flip"));
    model.save_changes();
  }

  // Keys and focus

  function moveFocus(choice) {
    if (!choice) return;
    for (const { element: e } of choices) e.setAttribute("tabindex", "-1");
    choice.element.setAttribute("tabindex", "0");
    choice.element.focus();
  }

  /** Lets something be drawn again; a focus that was on the board stays there. */
  function keepFocus(redraw) {
    const held = [stage, actions].some((part) => part.contains(root.activeElement));
    const key = held && root.activeElement.dataset.choice;
    redraw();
    if (held) restoreFocus(key);
  }

  function restoreFocus(key) {
    const same = choices.find(({ element: e }) => e.dataset.choice === key);
    const current = choices.find(({ element: e }) => e.classList.contains("current"));
    const first = actions.querySelector("button, input");
    if (same || current || choices.length) moveFocus(same ?? current ?? choices[0]);
    else if (first) first.focus();
    else stage.focus();
  }

  function onKey(event) {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
    const at = choices.findIndex(({ element: e }) => e === root.activeElement);
    const does = {
      Escape: () => ask("back"),
      u: () => ask("undo"),
      r: () => ask("redo"),
      f: turnRound,
      t: () => cycle(1),
      i: () => tellNext(event.shiftKey ? -1 : 1),
      I: () => tellNext(-1),
      "?": toggleKeys,
    }[event.key];
    if (does) does();
    else if (event.key.startsWith("Arrow") && choices.length && !event.target.matches?.("button")) {
      const from = at < 0 ? boxOfStage() : choices[at].box;
      const next = nearest(choices.map((choice) => choice.box), from, event.key);
      moveFocus(choices[next < 0 ? Math.max(at, 0) : next]);
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) choices[at].choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function boxOfStage() {
    const { width, height } = layer.viewBox.baseVal;
    return { x: width / 2, y: height / 2 };
  }

  function toggleKeys() {
    keys.hidden = !keys.hidden;
    help.setAttribute("aria-expanded", String(!keys.hidden));
  }

  // Facts about what is pointed at

  function readFacts() {
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

  function showFact(fact) {
    hideFact();
    if (!fact) return;
    const marks = fact.places.map(boxOf).filter((box) => box);
    const group = s("g", { class: "fact" }, ...fact.rays.map(([a, b]) => drawRay(a, b, fact.colour)));
    for (const box of marks) group.append(s("rect", { x: box.x - box.width / 2 + 2, y: box.y - box.height / 2 + 2, width: box.width - 4, height: box.height - 4, rx: 5 }));
    layer.prepend(group);
    card.replaceChildren(h("strong", {}, fact.title), ...fact.lines.map((line) => h("div", {}, line)));
    card.hidden = false;
    const zoom = scale();
    const piece = fact.on.map(boxOf).find((box) => box) ?? boxOfStage();
    const area = marks.length ? around([piece, ...marks].map((b) => ({ width: 48, height: 48, ...b }))) : { width: 48, height: 48, ...piece };
    const box = { x: area.x * zoom, y: area.y * zoom, width: area.width * zoom, height: area.height * zoom };
    const corner = beside(box, { width: card.offsetWidth, height: card.offsetHeight }, { width: stage.clientWidth, height: stage.clientHeight }, 8);
    card.style.left = `${corner.x}px`;
    card.style.top = `${corner.y}px`;
  }

  function hideFact() {
    card.hidden = true;
    layer.querySelector(".fact")?.remove();
  }

  function tellNext(by) {
    const all = model.get("facts").filter((fact) => fact.on.some(boxOf));
    if (!all.length) return;
    told = told < 0 ? (by > 0 ? 0 : all.length - 1) : step(told, by, all.length);
    showFact(all[told]);
    prompt.textContent = [all[told].title, ...all[told].lines].join("; ");
  }

  stage.addEventListener("pointerover", (event) => showFact(factAt(event.target)));
  stage.addEventListener("pointerleave", hideFact);
  stage.addEventListener("focusin", (event) => showFact(factAt(event.target)));
  stage.addEventListener("focusout", hideFact);

  // Walks

  function walk() {
    const way = model.get("walk");
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches || !model.get("animate");
    if (!way || still) return;
    const points = way.places.map(boxOf);
    if (points.some((point) => !point)) return;
    const frames = walkFrames(points);
    const duration = Math.min(LONGEST_WALK, PACE * frames[frames.length - 1].way);
    const steps = frames.map(({ x, y, offset }) => ({ transform: `translate(${x}px, ${y}px)`, offset }));
    walks = piecesOf(way.piece).map((piece) => piece.animate(steps, { duration, easing: "ease-in-out" }));
  }

  // What changes

  const onStep = () => {
    draw();
    walk();
  };
  const onFacts = () => readFacts();
  const onDark = () => {
    const theme = model.get("theme");
    dark = theme === "auto" ? pageDark : theme === "dark";
    draw();
    // While JupyterLab changes its theme nothing is shown for a moment, and no change of size tells when it is over.
    if (width && !stage.clientWidth) requestAnimationFrame(lay);
  };
  let pageDark = false;
  model.on("change:step", onStep);
  model.on("change:facts", onFacts);
  model.on("change:theme", onDark);
  readFacts();
  const endTheme = watchDark((isDark) => {
    pageDark = isDark;
    onDark();
  });
  /** Lays out what can be chosen for the size that the board has now. */
  function lay() {
    width = stage.clientWidth;
    known.clear();
    head.style.minHeight = "";
    keepFocus(layOffer);
  }

  // Pieces can be found only while the board is shown, which it may not be yet.
  const shown = new ResizeObserver(() => {
    if (stage.clientWidth !== width) lay();
  });
  shown.observe(stage);

  return {
    element,
    /** Draws a piece by itself. */
    drawIcon: (piece) => s("svg", { class: `icon ${own("root")}`, viewBox: "-26 -26 52 52", "aria-hidden": "true" }, drawPiece({ piece }, { x: 0, y: 0 }, 1)),
    /** Shows what was planned as ghosts above the picture; an empty list takes them away. */
    showPlan(ghosts, above = []) {
      plan = { ghosts, above };
      layPlan();
    },
    dispose() {
      model.off("change:step", onStep);
      model.off("change:facts", onFacts);
      model.off("change:theme", onDark);
      endTheme();
      shown.disconnect();
    },
  };
}
