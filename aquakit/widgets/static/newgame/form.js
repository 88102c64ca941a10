// The form for a new game: which game, on which board, who plays. Python says what can be chosen.

import { button, h } from "../dom.js";
import { watchDark } from "../theme.js";
import STYLE_PLAY from "./play.css";

/** Shows which player is meant: the signs, and the name unless it is a sign itself. */
export function showSeat({ name, chips }) {
  const signs = chips.map(({ text, colour }) => h("span", { class: `chip colour-${colour}`, "aria-hidden": String(text !== name) }, text));
  return chips.some(({ text }) => text === name) ? signs : [...signs, name];
}

/** Makes the form; it keeps what was chosen, so that another game like the last one is two clicks away. */
function makeNewGame(model, ask) {
  const { games, strengths } = model.get("form");
  const layouts = games.flatMap((game) => game.layouts.map((layout) => ({ ...layout, game })));
  const pictures = []; // each with what draws it again
  let [game, layout] = [games[0], games[0].layouts[0]];

  // A choice of one among several, each shown by more than a word

  function pick(name, value, chosen, onchange, ...shown) {
    return h("label", { class: `pick ${name}` }, h("input", { type: "radio", name, value, checked: chosen, onchange }), ...shown);
  }

  function drawPicture(text) {
    const image = h("img", { alt: "" });
    const paint = (dark) => {
      const fixed = text.replace("@media(prefers-color-scheme:dark){", dark ? "@media all{" : "@media not all{");
      image.src = `data:image/svg+xml,${encodeURIComponent(fixed)}`;
    };
    pictures.push(paint);
    return image;
  }

  // The parts

  const gameRow = h("div", { class: "picks" }, ...games.map((each) => pick("game", each.name, each === game, () => takeGame(each), h("span", {}, each.title))));
  const cards = new Map(layouts.map((each) => [each.name, pick("layout", each.name, false, () => takeLayout(each), drawPicture(each.picture), h("span", { class: "words" }, h("strong", {}, each.title), h("small", {}, each.summary)))]));
  const layoutRow = h("div", { class: "picks cards" });
  const seatRows = h("div", { class: "seats" });
  const wishRows = h("div", { class: "wishes" });
  const problem = h("p", { class: "problem", role: "alert" });
  const back = button("Back to the game", "Back to the game", () => ask("leave"));
  const element = h(
    "form",
    { class: "newgame", "aria-label": "new game", onsubmit: begin, onkeydown: onKey },
    h("fieldset", {}, h("legend", {}, "Game"), gameRow),
    h("fieldset", {}, h("legend", {}, "Board"), layoutRow),
    h("fieldset", {}, h("legend", {}, "Players"), seatRows, wishRows),
    problem,
    h("div", { class: "row" }, h("button", { type: "submit", class: "begin" }, "Start"), back),
  );

  function onKey(event) {
    if (event.key === "Escape" && !back.hidden) ask("leave");
    // The board's own keys are not meant here.
    event.stopPropagation();
  }

  // What is chosen

  function takeGame(chosen) {
    game = chosen;
    layoutRow.replaceChildren(...game.layouts.map(({ name }) => cards.get(name)));
    wishRows.replaceChildren(...Object.entries(game.wishes).map(([name, words]) => h("label", {}, h("input", { type: "checkbox", name }), words)));
    takeLayout(game.layouts[0]);
  }

  function takeLayout(chosen) {
    const kept = readSeats();
    layout = chosen;
    cards.get(layout.name).querySelector("input").checked = true;
    seatRows.replaceChildren(...layout.seats.map((seat, i) => seatRow(seat, kept[i] ?? { bot: i ? strengths[1].bot : "", name: "" })));
  }

  function seatRow(seat, kept) {
    const { name } = seat;
    // A bot that is not among those offered was given by code.
    const chosen = !kept.bot || strengths.some(({ bot }) => bot === kept.bot) ? kept.bot : strengths[1].bot;
    const person = h("input", { class: "name", placeholder: "name, if you like", maxlength: 40, value: kept.name, "aria-label": `name of ${name}`, autocomplete: "off" });
    const bots = strengths.map(({ bot, name: strength, words }) => h("option", { value: bot, selected: bot === chosen }, `Bot, ${strength}: ${words}`));
    const who = h("select", { "aria-label": `who plays ${name}`, onchange: () => (person.hidden = Boolean(who.value)) }, h("option", { value: "" }, "A person"), ...bots);
    person.hidden = Boolean(who.value);
    return h("div", { class: "seat" }, h("span", { class: "colour" }, ...showSeat(seat)), who, person);
  }

  const readSeats = () => [...seatRows.children].map((row) => ({ bot: row.querySelector("select").value, name: row.querySelector(".name").value }));

  function begin(event) {
    event.preventDefault();
    const wishes = Object.fromEntries([...wishRows.querySelectorAll("input")].map(({ name, checked }) => [name, checked]));
    ask("begin", { layout: layout.name, players: readSeats(), wishes });
  }

  function draw() {
    const asking = model.get("asking");
    element.hidden = !asking;
    back.hidden = asking === "first";
    problem.textContent = model.get("problem");
  }

  /** Begins with what is on the board, if that can be chosen here. */
  function takeOver() {
    const { layout: name, seats } = model.get("table");
    const known = layouts.find((each) => each.name === name);
    takeGame(known && model.get("asking") !== "first" ? known.game : games[0]);
    if (!known || model.get("asking") === "first") return;
    takeLayout(known);
    gameRow.querySelector(`[value="${game.name}"]`).checked = true;
    seatRows.replaceChildren(...layout.seats.map((seat, i) => seatRow(seat, { bot: seats[i].bot, name: seats[i].bot ? "" : seats[i].who })));
  }

  takeOver();
  const dispose = watchDark((dark) => pictures.forEach((paint) => paint(model.get("theme") === "auto" ? dark : model.get("theme") === "dark")));
  return { element, draw, dispose };
}

/** Where the focus goes when the form comes, and when it goes. */
const FIRST = { form: [".newgame input:checked"], board: ['.layer [tabindex="0"]', ".actions button", ".stage"] };

/** Shows the form in place of a board whenever it is asked for. Make it before the board, which has to be there before it
 * is drawn; then `hold` its frame. */
export function mountForm(model, ask, root) {
  let [frame, form] = [null, null];
  let held = false; // whether the focus was where it cannot stay
  const before = () => {
    if (!frame) return;
    const asking = Boolean(model.get("asking"));
    // Its pictures are many, so they come when they are needed.
    if (asking && !form) frame.prepend((form = makeNewGame(model, ask)).element);
    held = frame.classList.contains("asking") !== asking && frame.contains(root.activeElement);
    frame.classList.toggle("asking", asking);
    form?.draw();
  };
  const after = () => {
    if (!held) return;
    const places = FIRST[model.get("asking") ? "form" : "board"];
    const [first] = places.map((place) => frame.querySelector(place)).filter(Boolean);
    first.focus({ preventScroll: true });
  };
  model.on("change:step", before);
  return {
    hold(element) {
      frame = element;
      root.append(h("style", {}, STYLE_PLAY));
      model.on("change:step", after);
      before();
    },
    dispose() {
      model.off("change:step", before);
      model.off("change:step", after);
      form?.dispose();
    },
  };
}
