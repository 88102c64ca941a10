// A board with a form for a new game, and a row that says who plays.

import { mountBoard } from "../board.js";
import { button, h, makeAsk, openShadow } from "../dom.js";
import { mountForm, showSeat } from "./form.js";
import STYLE_EXPLORER from "../explorer.css";

/** Says who plays which colour, and leads to another game. */
function makeWho(model, ask) {
  const fresh = button("New game", "New game", () => ask("ask"), { class: "fresh" });
  const element = h("div", { class: "who", role: "group", "aria-label": "players" });
  let drawn = "";
  function draw() {
    const { seats } = model.get("table");
    if (drawn === JSON.stringify(seats)) return;
    drawn = JSON.stringify(seats);
    const alone = seats.filter(({ bot }) => !bot).length === 1;
    element.replaceChildren(
      ...seats.map((seat) => h("span", {}, ...showSeat(seat), h("strong", {}, seat.who || (alone ? "you" : "a person")))),
      fresh,
    );
  }
  return { element, draw };
}

export default {
  render({ model, el }) {
    const ask = makeAsk(model);
    const root = openShadow(el);
    const form = mountForm(model, ask, root);
    const who = makeWho(model, ask);
    model.on("change:step", who.draw);
    const board = mountBoard(model, root);
    root.append(h("style", {}, STYLE_EXPLORER));
    board.element.querySelector(".stage").before(who.element);
    who.draw();
    form.hold(board.element);
    return () => {
      model.off("change:step", who.draw);
      form.dispose();
      board.dispose();
    };
  },
};
