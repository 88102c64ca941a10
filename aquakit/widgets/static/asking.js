// What every question beside a board has: a verdict, hints one by one, and a focus that is never lost.

import { button, h } from "./dom.js";

const SIGNS = { right: "✓", equal: "✓", wrong: "✗" };

/** The verdict, and while it is being found a sign of that and a way to stop it. */
export function makeVerdict(model, ask) {
  const said = h("div", { class: "said", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const clock = h("span", { class: "clock faint", "aria-hidden": "true" });
  const how = h("span", { class: "how faint" });
  const halt = button("Stop", "stop checking; this try does not count", () => ask("stop"), { class: "halt" });
  const busy = h("div", { class: "row busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), "Checking …", clock, how, halt);
  let [drawn, begun] = ["", 0];
  const timer = setInterval(() => (clock.textContent = busy.hidden ? "" : `${Math.floor((performance.now() - begun) / 1000)} s`), 500);
  /** How far it has come, where that is told. */
  const drawStatus = () => (how.textContent = model.get("status") ?? "");
  function draw() {
    const { stage, verdict } = model.get("task");
    if (busy.hidden && stage === "checking") begun = performance.now();
    busy.hidden = stage !== "checking";
    drawStatus();
    const key = JSON.stringify([verdict, stage === "checking"]);
    if (key === drawn) return;
    drawn = key;
    said.className = `said ${verdict?.outcome ?? ""}`;
    if (!verdict) return said.replaceChildren(...(stage === "checking" ? [h("span", { class: "spoken" }, "Checking your answer")] : []));
    said.replaceChildren(h("strong", {}, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict.outcome]), verdict.head), ...[verdict.words, ...(verdict.reasons ?? [])].map((text) => h("p", {}, text)));
  }
  busy.hidden = true;
  model.on("change:status", drawStatus);
  const dispose = () => {
    clearInterval(timer);
    model.off("change:status", drawStatus);
  };
  return { element: h("div", { class: "verdict" }, busy, said), draw, dispose };
}

/** The hints given so far. */
export function makeHints(model) {
  const element = h("ol", { class: "hints", "aria-label": "hints", "aria-live": "polite" });
  let drawn = "";
  function draw() {
    const { hints } = model.get("task");
    const key = JSON.stringify(hints);
    if (drawn === key) return;
    drawn = key;
    element.hidden = !hints.length;
    element.replaceChildren(...hints.map((text) => h("li", {}, text)));
  }
  return { element, draw };
}

/** Draws anew; whoever pushed a button that is gone stands on the board while playing, and else at what comes next. */
export function keepPlace(root, parts, board, playing, redraw) {
  const last = root.activeElement;
  const held = parts.some((part) => part.contains(last));
  redraw();
  if (!held || (last.isConnected && !last.disabled && last.offsetParent)) return;
  const onBoard = playing && board.querySelector('.layer [tabindex="0"], .actions button');
  const [panel] = parts;
  const first = panel.querySelector(".main:not([hidden])") ?? [...panel.querySelectorAll("button, input, select")].find((e) => e.offsetParent && !e.disabled);
  (onBoard || first)?.focus({ preventScroll: true });
}
