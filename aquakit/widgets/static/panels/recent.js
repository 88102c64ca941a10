// The games that were kept, listed when somebody asks for them; a click opens one where it stood.

import { button, h } from "../dom.js";
import STYLE_RECENT from "./recent.css";

export function makeRecent(model, ask) {
  const show = button("Recent games", "list the games that were played last", () => ask("recent"), { class: "recent" });
  const list = h("ul", { class: "games", "aria-label": "recent games" });
  const none = h("p", {}, "No game is kept yet.");
  const element = h("div", {}, h("style", {}, STYLE_RECENT), h("h4", {}, "Games"), show, none, list);
  let drawn = "";
  function draw() {
    const games = model.get("recent");
    const key = JSON.stringify(games);
    if (key === drawn) return;
    drawn = key;
    element.hidden = !games.can;
    none.hidden = !games.shown || games.rows.length > 0;
    list.replaceChildren(...games.rows.map(({ number, words }) =>
      h("li", {}, button(words, `open game ${number}: ${words}`, () => ask("reopen", { number }), { class: "game", "data-game": number }))));
  }
  return { element, draw };
}
