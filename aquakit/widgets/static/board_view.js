// The board alone, as a widget.

import { mountBoard } from "./board.js";
import { openShadow } from "./dom.js";

export default {
  render({ model, el }) {
    return mountBoard(model, openShadow(el)).dispose;
  },
};
