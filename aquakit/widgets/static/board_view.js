// The board alone, as a widget.

import { mountBoard } from "./board.js";

export default {
  render({ model, el }) {
    const host = document.createElement("div");
    host.setAttribute("data-lm-suppress-shortcuts", "true");
    el.append(host);
    return mountBoard(model, host.attachShadow({ mode: "open" })).dispose;
  },
};
