// The moves of the game as a tree, and the way through the line on the board.

import { button, h } from "../dom.js";
import { drawRow, scrollTo } from "./log.js";

/** The moves of the game, one a row, variations further in. */
export function makeMoves(model, ask, drawIcon) {
  const list = h("ol", { class: "moves", role: "tree", "aria-label": "moves", tabindex: "0", onkeydown: onKey });
  const comment = h("textarea", { rows: 3, maxlength: 20000, "aria-label": "comment on this turn", placeholder: "a comment on this turn" });
  let [at, said] = ["", ""]; // the turn that the comment is on, and its text as Python knows it
  const keep = () => {
    if (comment.value !== said) ask("comment", { at, text: comment.value });
    said = comment.value;
  };
  comment.addEventListener("change", keep);
  const promote = button("Promote", "make this variation come first", () => ask("promote", { at: model.get("at") }));
  const remove = button("Delete", "delete this turn and what follows", () => ask("delete", { at: model.get("at") }));
  const copy = button("Copy", "copy this turn as it is written", () => {
    navigator.clipboard?.writeText(model.get("tree").find((row) => row.at === model.get("at"))?.turn ?? "");
  }, { class: "copy" });
  const written = h("input", { type: "checkbox" });
  written.addEventListener("change", () => {
    model.set("notation", written.checked);
    model.save_changes();
  });
  const restore = button("Bring back", "bring back what was deleted or replaced last", () => ask("restore"));

  function onKey(event) {
    const rows = model.get("tree");
    const at = rows.findIndex((row) => row.at === model.get("at"));
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      if (rows[to]) ask("go", { at: rows[to].at });
    } else if (event.key === "ArrowLeft") ask("earlier");
    else if (event.key === "ArrowRight") ask("later");
    else if (event.key === "Delete") ask("delete", { at: model.get("at") });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function draw() {
    const rows = model.get("tree");
    const here = rows.find((row) => row.at === model.get("at"));
    list.replaceChildren(...rows.map((row) => drawRow(
      row, drawIcon,
      {
        role: "treeitem", class: row.level ? "variation" : "main", "aria-level": row.level + 1,
        "aria-selected": String(row === here), style: `--level: ${row.level}`, onclick: () => ask("go", { at: row.at }),
      },
      row.turn ? h("span", { class: "turn notation" }, row.turn) : null,
      row.comment ? h("span", { class: "comment" }, row.comment) : null,
    )));
    // What is being typed belongs to its turn, also when the board moves on meanwhile.
    if (at !== model.get("at")) keep();
    if (at !== model.get("at") || comment.getRootNode().activeElement !== comment) comment.value = said = here?.comment ?? "";
    at = model.get("at");
    promote.disabled = !here?.promotable;
    remove.disabled = copy.disabled = !here?.number;
    written.checked = model.get("notation");
    restore.disabled = !model.get("can_restore");
    reveal();
  }

  const reveal = () => scrollTo(list, list.querySelector('[aria-selected="true"]'));
  // What is drawn before it has a place on the page has nothing to scroll yet.
  new ResizeObserver(reveal).observe(list);

  return { element: h("div", {}, list, h("div", { class: "row" }, promote, remove, restore, copy, h("label", {}, written, " notation")), comment), draw };
}

/** The way through the line on the board: buttons and a slider. */
export function makeScrub(model, ask) {
  const slider = h("input", { type: "range", min: 0, "aria-label": "turn", oninput: () => ask("scrub", { index: Number(slider.value) }) });
  const tools = [
    ["«", "to the start", "first"],
    ["‹", "one turn back (←)", "earlier", "previous"],
    ["›", "one turn on (→)", "later", "next"],
    ["»", "to the end", "last"],
  ].map(([sign, label, does, name = does]) => button(sign, label, () => ask(does), { class: `tool ${name}` }));
  const where = h("output", {});
  function draw() {
    slider.max = model.get("length");
    slider.value = model.get("index");
    where.textContent = `${model.get("index")} / ${model.get("length")}`;
  }
  return { element: h("div", { class: "scrub row" }, ...tools.slice(0, 2), slider, ...tools.slice(2), where), draw };
}
