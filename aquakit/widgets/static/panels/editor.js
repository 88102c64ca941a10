// The position editor: pieces are dragged or clicked onto the board and turned there, the rest is set in a form. What can
// be taken up, and what takes it, comes from Python.

import { around, hit } from "../geometry.js";
import { button, h, s } from "../dom.js";
import { outline } from "../marks.js";
import STYLE_EDITOR from "./editor.css";

/** A pointer that moves fewer pixels clicks; one that moves further drags. */
const STILL = 6;
/** Milliseconds between two turns by the wheel: one notch of it may tell several times. */
const NOTCH = 90;
/** A point or a segment is hit from so many pixels away. */
const SLACK = 8;

/** Makes the editor's panel, and lets pieces be moved on the board while it is open. */
export function makeEditor(model, ask, { element: frame, stage, surface }) {
  const element = h("div", { class: "editor" });
  const start = button("Edit this position", "edit the position on the board", () => ask("edit"), { class: "edit" });
  const sheet = s("svg", { "aria-hidden": "true" }); // what is not on the board yet, what is wrong, and where a piece would go
  let drag = null; // the piece that is dragged: { grip, x, y, ghost, target }
  let over = null; // where the pointer is on the board, in the picture's units
  let dragged = false; // whether the click to come ends a drag
  let turned = 0; // when the wheel last turned something
  surface.layer.after(sheet);
  frame.before(h("style", {}, STYLE_EDITOR));
  const draft = () => model.get("draft");

  // The panel

  function drawField({ name, label, value, options, most }) {
    const change = (event) => ask("set", { field: name, value: event.target.value });
    const wrong = draft().wrong_fields.includes(name);
    const control = options.length
      ? h("select", { name, onchange: change, "aria-invalid": String(wrong) },
          ...options.map((option) => h("option", { value: option.value, selected: option.value === value }, option.label)))
      : h("input", { name, onchange: change, value, type: "number", min: 0, max: most, "aria-invalid": String(wrong) });
    return h("label", {}, h("span", {}, label), control);
  }

  function drawPalette({ title, pieces }) {
    const [group, chosen] = draft().tool;
    return h("fieldset", { class: "palette" }, h("legend", {}, title),
      ...pieces.map((piece) => {
        const { id, label, icon, kind, look } = piece;
        const made = button(icon ? surface.drawIcon(icon) : h("span", { class: `icon ${id && look}` }, id ? "" : "∅"), label, () => ask("tool", { title, piece: id }),
          { class: "piece", "data-piece": id, "data-kind": kind, "data-tools": title, "aria-pressed": String(group === title && chosen === id),
            onpointerdown: (event) => id && begin(event, piece), onwheel: (event) => piece.turns && turnBy(event, () => turnPiece(piece, step(event))) });
        made.append(h("span", {}, kind));
        return made;
      }));
  }

  function drawForm() {
    const { fields } = draft();
    return [...new Set(fields.map((field) => field.group))].map((group) =>
      h("fieldset", {}, h("legend", {}, group), ...fields.filter((field) => field.group === group).map(drawField)));
  }

  function drawPanel() {
    const { problem, tools } = draft();
    const held = element.getRootNode().activeElement;
    const key = held && element.contains(held) ? held.getAttribute("name") ?? held.dataset.kind : null;
    const tool = held?.dataset?.tools;
    const at = element.parentElement?.scrollTop;
    element.replaceChildren(
      h("div", { class: "editing" },
        h("p", { class: problem ? "problem" : "fine", role: "status" }, problem || "This position is valid."),
        h("div", { class: "row" }, button("Take over", "go on from this position", () => ask("finish"), { class: "finish", disabled: Boolean(problem) }),
          button("Balance", "set what lies beside the board to what the board leaves", () => ask("balance")), button("Cancel", "leave the position as it was", () => ask("cancel")))),
      ...tools.map(drawPalette),
      h("p", { class: "faint" }, "Drag pieces, or choose one and click. The wheel or R turns, M moves, Delete takes away."),
      ...drawForm(),
    );
    if (at) element.parentElement.scrollTop = at;
    const again = tool ? `[data-tools="${CSS.escape(tool)}"][data-kind="${CSS.escape(key)}"]` : `[name="${CSS.escape(key ?? "")}"]`;
    if (key != null) element.querySelector(again)?.focus({ preventScroll: true });
  }

  function draw() {
    stage.classList.toggle("edited", Boolean(draft()));
    if (draft()) drawPanel();
    else {
      drag?.ghost?.remove();
      drag = null;
      element.replaceChildren(h("p", {}, "Put pieces on the board, set stock and player, and go on from there."), start);
    }
    drawSheet();
  }

  // What lies over the board

  function drawSheet() {
    sheet.setAttribute("class", `${surface.layer.getAttribute("class")} planned edits`);
    sheet.setAttribute("viewBox", surface.layer.getAttribute("viewBox") ?? "0 0 1 1");
    const { pending, wrong } = draft() ?? { pending: [], wrong: [] };
    const shapes = [
      ...pending.map(drawPending),
      ...wrong.map((on) => drawMark("wrong", on)),
      draft()?.lifted ? drawMark("lifted", draft().lifted) : null,
      drag?.target ? drawMark("target", drag.target) : null,
    ];
    sheet.replaceChildren(...shapes.filter((shape) => shape));
  }

  function drawPending(piece) {
    const box = surface.boxOf(piece.on);
    if (!box) return null;
    if (!piece.icon && piece.id) return s("g", { class: "pending" }, ...outline(piece.look, box, surface.scale()));
    const size = Math.min(44, Math.max(26, box.width - 6));
    const plate = s("rect", { class: "plate", x: box.x - size / 2, y: box.y - size / 2, width: size, height: size, rx: 4 });
    const cross = `M${box.x - 7} ${box.y - 7}l14 14m0-14l-14 14`;
    return s("g", { class: "pending" }, plate, piece.id ? surface.drawPiece({ ...piece, piece: piece.icon }, box, size / 52) : s("path", { d: cross }));
  }

  function drawMark(kind, on) {
    const box = surface.boxOf(on);
    if (!box) return null;
    const [width, height] = [Math.max(18, box.width + 2), Math.max(18, box.height + 2)];
    return s("rect", { class: kind, "data-at": on, x: box.x - width / 2, y: box.y - height / 2, width, height, rx: 6 });
  }

  // Where the pointer is

  function pointOf({ clientX, clientY }) {
    const matrix = surface.layer.getScreenCTM();
    return matrix && new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  }

  /** Finds the name among some that a point is on. */
  function find(names, point, slack = 0) {
    const known = names.map((name) => [name, surface.boxOf(name)]).filter(([, box]) => box);
    const at = point ? hit(known.map(([, box]) => box), point, slack) : -1;
    return at < 0 ? "" : known[at][0];
  }

  const gripAt = (point, grips = draft().grips) => {
    const on = find(grips.map((grip) => grip.on), point);
    return grips.find((grip) => grip.on === on);
  };
  const targetsOf = (title) => draft().tools.find((tools) => tools.title === title).targets;
  const isOff = (point) => !point || hit([around(Object.keys(model.get("places")).map(surface.boxOf))], point) < 0;

  // Dragging

  function begin(event, grip) {
    dragged = false;
    if (event.button || !grip || drag) return;
    drag = { grip, x: event.clientX, y: event.clientY, ghost: null, target: "", pointer: event.pointerId };
  }

  function onDown(event) {
    if (!draft()) return;
    begin(event, gripAt(pointOf(event)));
  }

  function onMove(event) {
    over = draft() && stage.contains(event.composedPath()[0]) ? pointOf(event) : null;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STILL) return;
    drag.ghost ??= takeUp(drag.grip);
    const rect = frame.getBoundingClientRect();
    drag.ghost.style.transform = `translate(${event.clientX - rect.x}px, ${event.clientY - rect.y}px)`;
    drag.target = targetAt(event);
    drawSheet();
    event.preventDefault();
  }

  function takeUp({ icon, kind }) {
    const ghost = h("div", { class: "dragged", "aria-hidden": "true" }, icon ? surface.drawIcon(icon) : kind);
    frame.append(ghost);
    return ghost;
  }

  const targetAt = (event) => find(targetsOf(drag.grip.title), pointOf(event), SLACK / surface.scale());

  function onUp(event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { grip, ghost } = drag;
    const target = ghost && event.type === "pointerup" ? targetAt(event) : "";
    const off = isOff(pointOf(event));
    drag = null;
    if (!ghost) return;
    ghost.remove();
    dragged = true;
    // A browser that gives no click after a drag must not lose the next one.
    setTimeout(() => (dragged = false));
    if (target && !grip.on) ask("drop", { title: grip.title, piece: grip.id, target });
    else if (target && target !== grip.on) ask("move", { source: grip.on, target });
    else if (grip.on && off && event.type === "pointerup") ask("move", { source: grip.on, target: "" });
    drawSheet();
  }

  function onClick(event) {
    if (!dragged) return;
    dragged = false;
    event.preventDefault();
    event.stopPropagation();
  }

  // Turning

  const step = (event) => (event.deltaY < 0 ? -1 : 1);

  function turnBy(event, turn) {
    event.preventDefault();
    event.stopPropagation();
    if (event.timeStamp - turned < NOTCH) return;
    turned = event.timeStamp;
    turn();
  }

  function turnPiece({ title, id }, by) {
    ask("tool", { title, piece: id });
    ask("turn", { source: "", by });
  }

  function onWheel(event) {
    if (!draft()) return;
    const does = turning(pointOf(event));
    if (does) turnBy(event, () => does(step(event)));
  }

  /** Gets what turns the piece at a point: the one there, or else the one in the hand where it can be put. */
  function turning(point) {
    const grip = gripAt(point, draft().grips.filter(({ turns }) => turns));
    if (grip) return (by) => ask("turn", { source: grip.on, by });
    const [title, id] = draft().tool;
    const palette = draft().tools.find((tools) => tools.title === title);
    const piece = palette.pieces.find((each) => each.id === id);
    return piece?.turns && find(palette.targets, point) ? (by) => ask("turn", { source: "", by }) : null;
  }

  // Keys

  function onKey(event) {
    if (!draft() || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const does = keyDoes(event);
    if (!does) return;
    does();
    event.preventDefault();
    event.stopPropagation();
  }

  function keyDoes({ key, target, shiftKey }) {
    const on = target.dataset?.choice ?? "";
    const grip = on ? draft().grips.find((each) => each.on === on) : gripAt(over);
    if (key === "r" || key === "R") {
      const by = shiftKey ? -1 : 1;
      const piece = draft().tools.flatMap(({ pieces }) => pieces).find(({ title, id }) => title === target.dataset?.tools && id === target.dataset.piece);
      if (piece) return () => turnPiece(piece, by);
      const turn = on ? turning(surface.boxOf(on)) : turning(over);
      return () => turn?.(by);
    }
    if (key === "m" || key === "M") return () => grip && ask("lift", { source: grip.on });
    if (key === "Delete" || key === "Backspace") return () => grip && ask("move", { source: grip.on, target: "" });
    return null;
  }

  const heard = [
    [stage, "pointerdown", onDown],
    [stage, "wheel", onWheel],
    [frame, "keydown", onKey],
    [frame, "click", onClick],
    [window, "pointermove", onMove],
    [window, "pointerup", onUp],
    [window, "pointercancel", onUp],
  ];
  for (const [where, what, does] of heard) where.addEventListener(what, does, { capture: true, passive: false });
  const sizes = new ResizeObserver(drawSheet);
  sizes.observe(stage);

  return {
    element,
    draw,
    dispose() {
      for (const [where, what, does] of heard) where.removeEventListener(what, does, { capture: true });
      sizes.disconnect();
    },
  };
}
