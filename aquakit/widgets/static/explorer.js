// The explorer: a board with the game's tree, the scores, analysis lines, texts and a position editor beside it.

import { mountBoard } from "./board.js";
import { h, makeAsk, openShadow } from "./dom.js";
import { mountForm } from "./newgame/form.js";
import { makeAdvice } from "./panels/advice.js";
import { makeEditor } from "./panels/editor.js";
import { makeGames } from "./panels/games.js";
import { makeLines } from "./panels/lines.js";
import { makeMoves, makeScrub } from "./panels/moves.js";
import { makePlanner } from "./panels/planner.js";
import { makeReview } from "./panels/review.js";
import { makeSheet } from "./panels/sheet.js";
import { makeTabs } from "./panels/tabs.js";
import { makeTexts } from "./panels/texts.js";
import STYLE_EXPLORER from "./explorer.css";

export default {
  render({ model, el }) {
    const root = openShadow(el);
    const ask = makeAsk(model);
    const form = mountForm(model, ask, root);
    const board = mountBoard(model, root, { moves: true });
    const parts = {
      moves: makeMoves(model, ask, board.surface.drawIcon),
      sheet: makeSheet(model),
      advice: makeAdvice(model, ask, board.surface.drawIcon, () => tabs.show("lines")),
      lines: makeLines(model, ask, board.surface.drawIcon),
      texts: makeTexts(model, ask),
      games: makeGames(model, ask),
      editor: makeEditor(model, ask, board),
      planner: makePlanner(model, ask, board),
      review: makeReview(model, ask, board.surface.drawIcon),
    };
    parts.lines.element.prepend(parts.advice.element);
    parts.lines.element.append(parts.planner.element);
    parts.texts.element.prepend(parts.games.element);
    const scrub = makeScrub(model, ask);
    // Below the board it is always seen; the bar above has no room beside the prompt on a small board.
    scrub.element.append(parts.advice.start);
    const tabs = makeTabs([
      { id: "moves", title: "Moves", panel: parts.moves.element },
      { id: "sheet", title: "Scores", panel: parts.sheet.element },
      { id: "lines", title: "Lines", panel: parts.lines.element },
      { id: "review", title: "Review", panel: parts.review.element },
      { id: "texts", title: "Game", panel: parts.texts.element },
      { id: "editor", title: "Edit", panel: parts.editor.element },
    ]);
    const left = h("div", { class: "left" });
    root.append(h("style", {}, STYLE_EXPLORER));
    // The board's section is the frame, so that its colours, keys and focus hold for the panels too.
    left.append(...board.element.childNodes, scrub.element);
    board.element.classList.add("explorer");
    board.element.append(left, tabs.element);
    board.putAside(tabs.element);
    form.hold(board.element);
    const draw = () => {
      board.element.classList.toggle("unwritten", !model.get("notation"));
      [scrub, ...Object.values(parts)].forEach((part) => part.draw());
    };
    const events = ["change:step", "change:lines", "change:show_lines", "change:said", "change:line_count", "change:line_words", "change:notation"];
    for (const event of events) model.on(event, draw);
    // The progress of a plan or of a review changes nothing else.
    const plans = ["change:planner", "change:plan_shown"];
    for (const event of plans) model.on(event, parts.planner.draw);
    const reviews = ["change:reviewer", "change:findings"];
    for (const event of reviews) model.on(event, parts.review.draw);
    draw();
    return () => {
      for (const event of events) model.off(event, draw);
      for (const event of plans) model.off(event, parts.planner.draw);
      for (const event of reviews) model.off(event, parts.review.draw);
      form.dispose();
      for (const part of Object.values(parts)) part.dispose?.();
      board.dispose();
    };
  },
};
