// The list of the keys, over the board: it closes by its button, by Escape, and by a click elsewhere.

import { button, h } from "../dom.js";
import STYLE_KEYS from "./keys.css";

const CHOOSING = [
  ["↑ and ↓", "from choice to choice; with Shift, arrows go where they point"],
  ["Enter or space", "choose"],
];
const ALWAYS = [
  ["i", "about the next piece"],
  ["f", "flip the board"],
  ["?", "these keys"],
];
const PLAYING = [
  ["← and →", "one turn back, one turn on"],
  ...CHOOSING,
  ["a letter or digit on a button", "choose that; 0 closes none, a digit builds so many houses"],
  ["Escape, or a click elsewhere", "one step back in the turn"],
  ["t or the wheel", "the next tile"],
  [", and .", "undo (u too) and redo: back to your own last turn"],
  ...ALWAYS,
];
const EDITING = [
  ["R or the wheel", "turn the piece; with Shift, R turns it the other way"],
  ["M", "take the piece up, and choose where it goes"],
  ["Escape", "put down what was taken up"],
  ["Delete", "take the piece away"],
  ["← and →", "take back the last change, make it again"],
  ...CHOOSING,
  ...ALWAYS,
];

/** Makes the list, and the button that shows it; clicks on the stage that close it do nothing else. */
export function makeKeys(model, stage) {
  const help = button("?", "keys (?)", toggle, { class: "tool keys", "aria-expanded": "false" });
  const title = h("strong", {});
  const list = h("dl", {});
  const head = h("div", { class: "title" }, title, button("×", "close the list of keys (Escape)", close, { class: "close" }));
  const element = h("section", { class: "keylist", "aria-label": "keys", tabindex: "-1", hidden: true }, h("style", {}, STYLE_KEYS), head, list);

  function toggle() {
    if (element.hidden) open();
    else close();
  }

  function open() {
    const isEdited = Boolean(model.get("draft"));
    title.textContent = isEdited ? "Keys of the editor" : "Keys";
    list.replaceChildren(...(isEdited ? EDITING : PLAYING).flatMap(([key, does]) => [h("dt", {}, key), h("dd", {}, does)]));
    show(true);
  }

  function close() {
    const held = element.contains(element.getRootNode().activeElement);
    show(false);
    if (held) help.focus({ preventScroll: true });
  }

  function show(isShown) {
    element.hidden = !isShown;
    help.setAttribute("aria-expanded", String(isShown));
    const change = isShown ? "addEventListener" : "removeEventListener";
    document[change]("keydown", onKey, true);
    document[change]("click", onClick, true);
  }

  function onKey(event) {
    if (event.key !== "Escape") return;
    close();
    if (event.composedPath().includes(element.getRootNode())) swallow(event);
  }

  function onClick(event) {
    const path = event.composedPath();
    if (path.includes(element) || path.includes(help)) return;
    close();
    if (path.includes(stage)) swallow(event);
  }

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  return { element, help, toggle, dispose: () => show(false) };
}
