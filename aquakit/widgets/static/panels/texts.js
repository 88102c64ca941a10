// Texts and files: the position in and out, the record opened and saved.

import { button, h } from "../dom.js";

/** Texts and files: the position in and out, the record opened and saved. */
export function makeTexts(model, ask) {
  const text = h("textarea", { rows: 5, class: "position", spellcheck: "false", "aria-label": "position text", "aria-describedby": "misread" });
  const said = h("p", { class: "said", role: "status" });
  const misread = h("p", { class: "misread", role: "status", id: "misread" });
  const copy = button("Copy", "copy the position text", async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The text is marked: copy it with the keyboard.";
    }
  });
  const read = button("Show this position", "show the position that the text describes", () => ask("read", { text: text.value }), { class: "read" });
  const path = h("input", { type: "text", class: "path", "aria-label": "file", placeholder: "game.txt", spellcheck: "false" });
  const open = button("Open", "open the record in this file", () => ask("load", { path: path.value }), { class: "open" });
  const save = button("Save", "save the record to this file", () => ask("save", { path: path.value }), { class: "save" });
  const files = h("div", { class: "row" }, path, open, save);
  const question = h("span", {});
  const replace = button("Replace", "replace the file that is there by this record", () => ask("replace"), { class: "replace" });
  const there = h("p", { class: "row there", role: "status" }, question, replace);
  const download = button("Download", "download the record to this computer", () => {
    const link = h("a", { href: URL.createObjectURL(new Blob([model.get("game")], { type: "text/plain" })), download: "game.txt" });
    link.click();
    URL.revokeObjectURL(link.href);
  });
  const heads = h("dl", { class: "heads" });
  let [shown, typed, asked] = [null, false, false];
  text.addEventListener("input", () => (typed = true));
  read.addEventListener("click", () => (asked = true));
  function draw() {
    said.textContent = model.get("said");
    misread.textContent = model.get("misread");
    // What has been typed stays until it is shown.
    if (asked && !misread.textContent) typed = false;
    if (shown !== model.get("position") && !typed) text.value = model.get("position");
    [shown, asked] = [model.get("position"), false];
    text.setAttribute("aria-invalid", String(Boolean(misread.textContent)));
    files.hidden = !model.get("has_files");
    there.hidden = !model.get("there");
    question.textContent = there.hidden ? "" : `${model.get("there")} is there already.`;
    download.disabled = !model.get("game");
    heads.replaceChildren(...Object.entries(model.get("headers")).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
  const element = h("div", {}, h("h4", {}, "This game"), heads, files, there, h("div", { class: "row" }, download), said,
    h("h4", {}, "This position"), text, misread, h("div", { class: "row" }, read, copy));
  return { element, draw };
}
