// Which game is on the board: a new one, one that is opened from a file, or one that was played before.

import { button, h } from "../dom.js";
import STYLE_GAMES from "./games.css";

/** Makes a list of games, each a button; gets what fills it. */
function makeList(label, onclick) {
  const list = h("ul", { class: "games", "aria-label": label });
  const fillList = (rows) => list.replaceChildren(...rows.map(({ id, words, about }) =>
    h("li", {}, button(words, about, () => onclick(id), { class: "game", "data-game": id }))));
  return { list, fillList };
}

export function makeGames(model, ask) {
  const fresh = button("New game", "choose a game, a board and who plays; the present game is kept", () => ask("ask"), { class: "fresh" });
  const open = button("Open a game", "open a record from a file", () => ask("files"), { class: "opener", "aria-expanded": "false" });
  const recent = button("Recent games", "list the games that were played last", () => ask("recent"), { class: "recent", "aria-expanded": "false" });
  const upload = h("input", { type: "file", accept: ".txt,text/plain", "aria-label": "a record from this computer" });
  upload.addEventListener("change", async () => {
    const [file] = upload.files;
    if (file) ask("open", { text: await file.text() });
    upload.value = "";
  });
  const files = makeList("records in this folder", (path) => ask("load", { path }));
  const nothing = h("p", { class: "faint" }, "There are no records in this folder.");
  const opening = h("div", { class: "opening" }, h("h4", {}, "Records in this folder"), nothing, files.list, h("label", { class: "file" }, "From this computer: ", upload));
  const played = makeList("recent games", (number) => ask("reopen", { number }));
  const none = h("p", { class: "faint" }, "No game is kept yet.");
  const kepts = h("div", { class: "kepts" }, h("h4", {}, "Recent games"), none, played.list);
  const element = h("div", {}, h("style", {}, STYLE_GAMES), h("div", { class: "row" }, fresh, open, recent), opening, kepts);
  let drawn = "";

  function draw() {
    const [kept, record, here] = [model.get("recent"), model.get("opening"), model.get("has_files")];
    const key = JSON.stringify([kept, record, here]);
    if (key === drawn) return;
    drawn = key;
    opening.hidden = !record.shown;
    opening.firstChild.hidden = !here;
    open.setAttribute("aria-expanded", String(record.shown));
    nothing.hidden = !here || record.rows.length > 0;
    files.fillList(record.rows.map(({ name, words }) => ({ id: name, words: `${name}: ${words}`, about: `open ${name}: ${words}` })));
    recent.hidden = !kept.can;
    recent.setAttribute("aria-expanded", String(kept.shown));
    kepts.hidden = !kept.shown;
    none.hidden = kept.rows.length > 0;
    played.fillList(kept.rows.map(({ number, words }) => ({ id: number, words, about: `open game ${number}: ${words}` })));
  }

  return { element, draw };
}
