// Shows a board and what can be chosen on it. Python says what is legal; what is clicked goes back to Python.

import { walkFrames } from "./geometry.js";
import { button, h, makeAsk } from "./dom.js";
import { watchDark } from "./theme.js";
import { makeSurface } from "./surface.js";
import { makeChoices } from "./choices.js";
import { makePlanned } from "./planned.js";
import { makeFacts } from "./facts.js";
import STYLE from "./board.css";

/** So wide, in pixels, is a board at most unless it is told otherwise: then it can be seen at one glance. */
const WIDEST = 760;
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
  const ask = makeAsk(model);
  let walks = []; // the animations of the last walk
  let dark = false;

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
  const surface = makeSurface(model);
  const stage = h("div", { class: "stage", role: "group", tabindex: "-1" }, surface.picture, surface.planned, surface.layer, surface.numbers);
  const say = { prompt: (text) => (prompt.textContent = text), problem: (text) => (problem.textContent = text) };
  const choices = makeChoices(model, surface, actions, ask, say);
  const planned = makePlanned(surface);
  const facts = makeFacts(model, surface, stage);
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

  // What is drawn

  function draw() {
    keepFocus(() => {
      paint();
      tell();
      layOffer();
    });
    element.dataset.step = model.get("step");
  }

  function paint() {
    element.style.setProperty("--widest", `${model.get("size") ?? WIDEST}px`);
    element.toggleAttribute("data-dark", dark);
    const title = surface.paint(dark);
    if (title !== null) stage.setAttribute("aria-label", title);
  }

  function tell() {
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

  function layOffer() {
    // A piece is where it walks to.
    for (const last of walks) last.finish();
    walks = [];
    choices.find();
    surface.layer.replaceChildren();
    planned.lay();
    facts.hide();
    choices.lay();
    // What grew does not shrink again, so that the board does not jump under the pointer.
    const height = `${head.offsetHeight}px`;
    if (head.style.minHeight !== height) head.style.minHeight = height;
  }

  function walk() {
    const way = model.get("walk");
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches || !model.get("animate");
    if (!way || still) return;
    const points = way.places.map(surface.boxOf);
    if (points.some((point) => !point)) return;
    const frames = walkFrames(points);
    const duration = Math.min(LONGEST_WALK, PACE * frames[frames.length - 1].way);
    const steps = frames.map(({ x, y, offset }) => ({ transform: `translate(${x}px, ${y}px)`, offset }));
    walks = surface.piecesOf(way.piece).map((piece) => piece.animate(steps, { duration, easing: "ease-in-out" }));
  }

  // Keys and focus

  /** Lets something be drawn again; a focus that was on the board stays there. */
  function keepFocus(redraw) {
    const held = [stage, actions].some((part) => part.contains(root.activeElement));
    const key = held && root.activeElement.dataset.choice;
    redraw();
    if (held && !choices.takeFocus(key)) (actions.querySelector("button, input") ?? stage).focus();
  }

  function onKey(event) {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
    const does = {
      Escape: () => ask("back"),
      u: () => ask("undo"),
      r: () => ask("redo"),
      f: turnRound,
      t: () => choices.cycle(1),
      i: () => tellNext(event.shiftKey ? -1 : 1),
      I: () => tellNext(-1),
      "?": toggleKeys,
    }[event.key];
    if (does) does();
    else if (!choices.onKey(event, root.activeElement)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function tellNext(by) {
    const words = facts.tellNext(by);
    if (words !== null) prompt.textContent = words;
  }

  function turnRound() {
    model.set("flip", !model.get("flip"));
    model.save_changes();
  }

  function toggleKeys() {
    keys.hidden = !keys.hidden;
    help.setAttribute("aria-expanded", String(!keys.hidden));
  }

  // What changes

  const onStep = () => {
    draw();
    walk();
  };
  const onFacts = () => facts.read();
  const onDark = () => {
    const theme = model.get("theme");
    dark = theme === "auto" ? pageDark : theme === "dark";
    draw();
    // While JupyterLab changes its theme nothing is shown for a moment, and no change of size tells when it is over.
    if (surface.width() && !stage.clientWidth) requestAnimationFrame(lay);
  };
  let pageDark = false;
  model.on("change:step", onStep);
  model.on("change:facts", onFacts);
  model.on("change:theme", onDark);
  facts.read();
  const endTheme = watchDark((isDark) => {
    pageDark = isDark;
    onDark();
  });
  /** Lays out what can be chosen for the size that the board has now. */
  function lay() {
    surface.resize(stage.clientWidth);
    head.style.minHeight = "";
    keepFocus(layOffer);
  }

  // Pieces can be found only while the board is shown, which it may not be yet.
  const shown = new ResizeObserver(() => {
    if (stage.clientWidth !== surface.width()) lay();
  });
  shown.observe(stage);

  return {
    element,
    drawIcon: surface.drawIcon,
    /** Shows what was planned as ghosts above the picture; an empty list takes them away. */
    showPlan: planned.show,
    dispose() {
      model.off("change:step", onStep);
      model.off("change:facts", onFacts);
      model.off("change:theme", onDark);
      endTheme();
      shown.disconnect();
    },
  };
}
