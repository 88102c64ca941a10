// Shows a board and what can be chosen on it. Python says what is legal; what is clicked goes back to Python.

import { arrange, walkFrames } from "./geometry.js";
import { button, h, isCoarse, makeAsk } from "./dom.js";
import { watchDark } from "./theme.js";
import { makeSurface } from "./surface.js";
import { makeRoom } from "./room.js";
import { makeChoices } from "./choices.js";
import { makePlanned } from "./planned.js";
import { makeFacts } from "./facts.js";
import { makeKept } from "./over/kept.js";
import { makeKeys } from "./over/keys.js";
import { makeLog } from "./panels/log.js";
import STYLE from "./board.css";
import STYLE_TOUCH from "./over/touch.css";

/** A unit of the picture has so many pixels at most, unless a size is asked for. */
const LARGEST = 1.4;
/** However low a window is, a board is not made lower than this many pixels. */
const LOWEST = 300;
/** The bar above it is so many pixels wide where there is room, as in board.css. */
const BAR = 660;
/** Milliseconds that a walk takes for each unit of its way, and at most. */
const PACE = 2.6;
const LONGEST_WALK = 1600;
/** What a click on the board may be meant for. */
const ON_BOARD = ".choice, .refusal, .place, .fan, .problem, .log";
const FACTS = ["change:facts", "change:facts_of"];

/** Builds a board for a model inside a shadow root; `own` says what it brings itself. Gets its element and what ends it. */
export function mountBoard(model, root, own = {}) {
  const ask = makeAsk(model);
  let walks = []; // the animations of the last walk
  let dark = false;
  let ticking = 0; // what goes on by itself

  // The parts

  const prompt = h("p", { class: "prompt", role: "status", "aria-live": "polite" });
  const problem = h("p", { class: "problem", role: "alert" });
  const spinner = h("span", { class: "spinner", "aria-hidden": "true" });
  const halt = button("Stop", "Stop the bot", () => ask("stop"));
  const resume = button("Let it play", "Let it play on", () => ask("resume"));
  const undo = button("↶", "undo, back to your own last turn (,)", () => ask("undo"), { class: "tool undo" });
  const redo = button("↷", "redo (.)", () => ask("redo"), { class: "tool redo" });
  const flip = button("⇅", "flip the board (f)", () => turnRound(), { class: "tool flip" });
  const actions = h("div", { class: "actions" });
  const back = h("button", { type: "button", class: "back", title: "one step back (Escape)", onclick: () => goBack() }, "Back");
  const surface = makeSurface(model);
  const stage = h("div", { class: "stage", role: "group", tabindex: "-1" }, surface.picture, surface.planned, surface.layer, surface.numbers);
  stage.append(problem);
  stage.addEventListener("click", clickElsewhere);
  problem.addEventListener("click", () => (problem.textContent = ""));
  const say = { prompt: (text) => (prompt.textContent = text), problem: (text) => (problem.textContent = text) };
  const choices = makeChoices(model, surface, actions, ask, say);
  const planned = makePlanned(surface);
  const facts = makeFacts(model, surface, stage, choices.taken);
  const keys = makeKeys(model, stage);
  const head = h("header", {}, prompt, h("span", { class: "tools" }, spinner, halt, resume, undo, redo, flip, keys.help), actions);
  const element = h(
    "section",
    // JupyterLab would keep Enter from breaking lines and from sending forms.
    { class: "board", "data-lm-suppress-shortcuts": "true", onkeydown: onKey, onbeforeinput: (event) => event.stopPropagation() },
    head,
    keys.element,
    stage,
  );
  root.append(h("style", {}, STYLE, STYLE_TOUCH), element);
  const kept = makeKept(model, element, stage, ask);
  const room = makeRoom(element);
  // Boards with tasks have no log, and an explorer lists the turns itself.
  const log = model.get("tree")?.length && !own.moves ? makeLog(model, ask, surface.drawIcon) : null;

  // What is drawn

  function draw() {
    keepFocus(() => {
      paint();
      tell();
      layOffer();
      placeLog();
      log?.draw();
    });
    goOn();
    element.dataset.step = model.get("step");
  }

  function paint() {
    element.toggleAttribute("data-dark", dark);
    const title = surface.paint(dark);
    if (title === null) return;
    stage.setAttribute("aria-label", title);
    fitIn();
  }

  /** Makes the board as large as the window shows whole, with its panel below or beside it; tells whether that is new. */
  function fitIn() {
    const size = model.get("size");
    const free = room.measure(stage);
    const space = size ? { width: Math.min(size, free.width), height: Infinity } : { ...free, height: Math.max(LOWEST, free.height) };
    const best = arrange(surface.views(), space, size ? Infinity : LARGEST);
    const width = Math.max(0, Math.floor(best.width * best.scale));
    element.style.setProperty("--widest", `${width}px`);
    // What stands beside the board keeps its place, whatever the bar above it says.
    element.style.setProperty("--left", `${Math.max(width, Math.min(BAR, free.width))}px`);
    if (width === surface.width() && best.place === surface.place()) return false;
    surface.resize(width, best.place);
    return true;
  }

  /** Puts the log where the picture leaves room for it, or else below the board. */
  function placeLog() {
    if (!log) return;
    const free = surface.findFree();
    const inside = Boolean(free);
    log.element.classList.toggle("inside", inside);
    log.element.classList.toggle("apart", !inside);
    const place = inside ? stage : element;
    if (log.element.parentElement !== place) place.append(log.element);
    for (const side of ["left", "top", "width", "height"]) log.element.style[side] = inside ? `${free[side]}px` : "";
    log.reveal();
  }

  function tell() {
    const { prompt: text } = model.get("offer");
    const bot = model.get("bot");
    if (prompt.textContent !== text) prompt.textContent = text;
    prompt.classList.remove("brief");
    problem.textContent = model.get("problem");
    spinner.hidden = halt.hidden = bot !== "thinking";
    resume.hidden = bot !== "stopped";
    kept.draw();
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
    back.textContent = model.get("offer").back;
    if (canBack()) actions.append(back);
    facts.tellAgain();
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

  /** What is shown by itself goes on after a while, unless nobody sees it. */
  function goOn() {
    clearTimeout(ticking);
    const showing = model.get("showing");
    if (showing?.pause && element.isConnected) ticking = setTimeout(() => ask("advance", { step: showing.at }), showing.pause);
  }

  // Going back

  const canBack = () => model.get("can_back") && model.get("bot") !== "thinking";

  function goBack() {
    if (canBack()) ask("back", { decision: model.get("decision") });
  }

  /**
   * What lies beside all choices takes one back; not while a piece walks, for it may have been meant for that. A finger
   * that is near a choice means it.
   */
  function clickElsewhere(event) {
    if (event.detail > 1 || event.target.closest(ON_BOARD)) return;
    const near = isCoarse() && choices.findNear(surface.boxAround([new DOMRect(event.clientX, event.clientY)]));
    if (near) near.choose();
    else if (!walks.some((last) => last.playState === "running")) goBack();
  }

  // Keys and focus

  /** Lets something be drawn again; a focus that was on the board stays there. */
  function keepFocus(redraw) {
    const held = [stage, actions].some((part) => part.contains(root.activeElement));
    const key = held && root.activeElement.dataset.choice;
    const asked = facts.asked();
    redraw();
    if (held && !choices.takeFocus(key)) (actions.querySelector("input") ?? stage).focus({ preventScroll: true });
    if (asked) facts.keep(asked);
  }

  function onKey(event) {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
    const does = {
      Escape: goBack,
      u: () => ask("undo"),
      ",": () => ask("undo"),
      ".": () => ask("redo"),
      ArrowLeft: () => ask("earlier"),
      ArrowRight: () => ask("later"),
      f: turnRound,
      t: () => choices.cycle(1),
      i: () => tellNext(event.shiftKey ? -1 : 1),
      I: () => tellNext(-1),
      "?": keys.toggle,
    }[event.key];
    const isChoice = !typing && choices.onKey(event, root.activeElement);
    if (!isChoice && !does) return;
    if (!isChoice) does();
    event.preventDefault();
    event.stopPropagation();
  }

  function tellNext(by) {
    const words = facts.tellNext(by);
    if (words === null) return;
    prompt.textContent = words;
    prompt.classList.add("brief");
  }

  function turnRound() {
    model.set("flip", !model.get("flip"));
    model.save_changes();
  }

  // What changes

  const onStep = () => {
    draw();
    walk();
  };
  const onFacts = () => {
    facts.read();
    facts.tellAgain();
  };
  const onDark = () => {
    const theme = model.get("theme");
    dark = theme === "auto" ? pageDark : theme === "dark";
    draw();
    // While JupyterLab changes its theme nothing is shown for a moment, and no change of size tells when it is over.
    if (surface.width() && !stage.clientWidth) requestAnimationFrame(() => keepFocus(layOffer));
  };
  let pageDark = false;
  model.on("change:step", onStep);
  for (const event of FACTS) model.on(event, onFacts);
  model.on("change:theme", onDark);
  facts.read();
  const endTheme = watchDark((isDark) => {
    pageDark = isDark;
    onDark();
  });
  // Pieces can be found only while the board is shown, which it may not be yet.
  const endRoom = room.watch(() => {
    if (fitIn()) keepFocus(layOffer);
    placeLog();
  });

  return {
    element,
    stage,
    surface,
    /** Keeps room for a part that stands beside the board where it is wide enough. */
    putAside: room.putAside,
    /** Shows what was planned as ghosts above the picture; an empty list takes them away. */
    showPlan: planned.show,
    dispose() {
      model.off("change:step", onStep);
      for (const event of FACTS) model.off(event, onFacts);
      model.off("change:theme", onDark);
      clearTimeout(ticking);
      endTheme();
      endRoom();
      kept.dispose();
      keys.dispose();
    },
  };
}
