// The log: each turn in words, whose it was, what it brought; and the way back to any of them.

import { button, drawTold, h } from "../dom.js";
import { drawChip } from "./sheet.js";
import STYLE_LOG from "./log.css";

/** How long bots take for an answer, in seconds, and in words. */
const PACES = [
  [0, "at once"],
  [1, "one second"],
  [3, "three seconds"],
  [8, "slowly"],
];

/** Draws a row of the game: the start, or a turn. */
export function drawRow(row, drawIcon, attributes, ...more) {
  return h(
    "li",
    { "data-at": row.at, ...attributes },
    h("span", { class: "number" }, row.number ? `${row.number}.` : ""),
    h("span", { class: "mover" }, ...row.who.map(drawChip)),
    row.turn ? drawTold(row.told, drawIcon) : h("span", { class: "told" }, "start"),
    ...row.gained.map(({ who, points }) => h("span", { class: "gained" }, ...who.map(drawChip), `${points > 0 ? "+" : "−"}${Math.abs(points)}`)),
    ...more,
  );
}

/** Lets only the list scroll to what is shown, below what covers its top; never the notebook around it. */
export function scrollTo(list, row, covered = 0) {
  if (!row) return;
  const [room, box] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  const above = room.top + covered - box.top;
  if (above > 0) list.scrollTop -= above;
  else list.scrollTop += Math.max(0, Math.min(box.bottom - room.bottom, -above));
}

/** Makes the log of a board that has no other list of its turns. */
export function makeLog(model, ask, drawIcon) {
  const list = h("ol", { class: "turns", "aria-label": "turns of this game", tabindex: "0" });
  const replay = button("Replay", "", () => ask("replay"), { class: "replay" });
  const pace = h("select", { class: "pace", "aria-label": "how long bots take" }, ...PACES.map(([seconds, words]) => h("option", { value: seconds }, words)));
  pace.addEventListener("change", () => {
    model.set("pace", Number(pace.value));
    model.save_changes();
  });
  const bots = h("label", {}, "Bots answer ", pace);
  const element = h("section", { class: "log", "aria-label": "log" }, h("style", {}, STYLE_LOG), h("div", { class: "row" }, h("h4", {}, "Log"), replay, bots), list);
  let drawn = "";

  function draw() {
    const count = model.get("replayable");
    replay.disabled = !count;
    const label = count > 1 ? `show the last ${count} turns again` : "show the last turn again";
    replay.title = label;
    replay.setAttribute("aria-label", `Replay: ${label}`);
    bots.hidden = !model.get("has_bots");
    if (pace.getRootNode().activeElement !== pace) pace.value = String(model.get("pace"));
    const rows = model.get("tree").filter((row) => row.on_line);
    const key = JSON.stringify([model.get("seen"), rows]);
    if (key === drawn) return;
    drawn = key;
    list.replaceChildren(...rows.map((row) => drawRow(row, drawIcon, { "aria-current": row.at === model.get("seen") ? "step" : null, onclick: () => ask("go", { at: row.at }) })));
    reveal();
  }

  /** Scrolls to the turn on the board, also when the log has got another place. */
  const reveal = () => scrollTo(list, list.querySelector("[aria-current]"));

  return { element, draw, reveal };
}
