// Says in the bar that an earlier game goes on, and over the board that Python is gone or does not answer: nothing moves.

import { button, h, onLost } from "../dom.js";
import STYLE_KEPT from "./kept.css";

/** Milliseconds after which one who has clicked should have seen something, and then those for a plain answer. */
const SOON = 2000;
const PLAINLY = 3000;

/** Makes what is said, in the bar or on the stage of a board; whatever is clicked or pressed on the board has to be answered. */
export function makeKept(model, element, stage, ask) {
  const words = h("span", {});
  const anew = button("Begin anew", "Begin anew: a new game from the start; this one stays in aquakit.games()", () => ask("anew"), { class: "anew" });
  const away = button("×", "put this note away", () => (note.hidden = true), { class: "away" });
  const note = h("div", { class: "kept", role: "status", hidden: true }, h("style", {}, STYLE_KEPT), words, anew, away);
  const bar = element.querySelector("header");
  let state = ""; // "gone" or "waiting" while Python does not answer
  let shown = "";
  let timer = 0;
  let asked = 0; // counts questions and answers

  function draw() {
    const { keeps, going_on } = model.get("kept");
    const again = keeps ? "Run this cell again: the game is kept." : "Run this cell again.";
    const text = {
      gone: `Python was restarted or has ended. ${again}`,
      waiting: `Python does not answer yet: it may be busy with another cell. If it was stopped: ${again[0].toLowerCase()}${again.slice(1)}`,
    }[state] ?? going_on;
    // What goes on must cover no choice; of a board that does not answer nothing can be chosen.
    const place = state ? stage : bar;
    if (note.parentElement !== place) place.append(note);
    anew.hidden = Boolean(state);
    away.hidden = state === "gone";
    note.classList.toggle("wrong", Boolean(state));
    if (text === shown) return;
    words.textContent = shown = text;
    note.hidden = !text;
  }

  function become(next) {
    clearTimeout(timer);
    timer = 0;
    if (next === state) return;
    state = next;
    element.toggleAttribute("data-gone", state === "gone");
    draw();
  }

  /** Waits for something to be shown; if nothing is, asks plainly whether Python is there. */
  function expect() {
    if (state !== "gone" && !timer) timer = setTimeout(check, SOON);
  }

  function check() {
    clearTimeout(timer);
    const mine = ++asked;
    timer = setTimeout(() => become("waiting"), PLAINLY);
    // A new Python hears the question, does not know the board, and is idle again without an answer.
    const gone = () => mine === asked && become("gone");
    const status = ({ content }) => content.execution_state === "idle" && setTimeout(gone, 100);
    try {
      // Jupyter looks for what it tells; marimo, which tells nothing, calls whatever it is given.
      model.send({ do: "here" }, Object.assign(() => {}, { iopub: { status } }));
    } catch {
      gone();
    }
  }

  function answered() {
    asked += 1;
    become("");
  }

  // Some houses tell when Python ends or is there again, but not which of the two.
  const onLive = () => check();
  onLost(model, () => {
    check();
    return state === "gone";
  });
  model.on("change:step", answered);
  model.on("msg:custom", answered);
  model.on("comm_live_update", onLive);
  for (const event of ["click", "keydown"]) element.addEventListener(event, expect, true);
  return {
    draw,
    dispose() {
      clearTimeout(timer);
      model.off("change:step", answered);
      model.off("msg:custom", answered);
      model.off("comm_live_update", onLive);
    },
  };
}
