// The best turn, for whoever asks: in words, how sure that is, and why.

import { button, drawTurn, h, sayTold } from "../dom.js";
import STYLE_ADVICE from "./advice.css";

/** Makes the answer, and the button that asks for it; `seen` is called when there will be one to see. */
export function makeAdvice(model, ask, drawIcon, seen) {
  const about = "think for two seconds, then show the best turn and why";
  const start = button("Best turn?", about, () => {
    seen();
    ask("advise");
  }, { class: "advise" });
  const body = h("div", { class: "answer", role: "status", "aria-live": "polite" });
  const element = h("section", { class: "advice", "aria-label": "best turn" }, h("style", {}, STYLE_ADVICE), body);
  let drawn = "";

  function drawAnswer({ turn, told, sure, why, also }) {
    const best = h("p", { class: "best" }, ...drawTurn(told, turn, drawIcon));
    const others = also.length ? h("p", {}, `About as good: ${also.map(sayTold).join("; ")}.`) : null;
    const play = button("Play it", `play the best turn: ${sayTold(told)}`, () => ask("play_best"), { class: "playbest" });
    const hide = button("Hide", "take the best turn from the board", () => ask("clear_advice"), { class: "hide" });
    return [h("h4", {}, "Best turn"), best, h("p", {}, sure), h("ul", {}, ...why.map((text) => h("li", {}, text))), others, h("div", { class: "row" }, play, hide)];
  }

  function draw() {
    const { refusal, running, problem, answer } = model.get("adviser");
    start.disabled = running || Boolean(refusal);
    start.textContent = running ? "Thinking …" : "Best turn?";
    start.title = refusal ? `there is no best turn: ${refusal}` : about;
    const key = JSON.stringify([running, problem, answer]);
    if (key === drawn) return;
    drawn = key;
    element.hidden = !running && !problem && !answer;
    const parts = running ? [h("p", {}, "Thinking …")] : problem ? [h("p", { class: "wrong" }, problem)] : answer ? drawAnswer(answer) : [];
    body.replaceChildren(...parts.filter((part) => part));
  }

  return { element, start, draw };
}
