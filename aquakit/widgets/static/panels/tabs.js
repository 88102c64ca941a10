// Tabs: one panel at a time beside the board.

import { h } from "../dom.js";

/** Makes a list of tabs; gets its element. Each tab is { id, title, panel }. */
export function makeTabs(tabs) {
  const heads = tabs.map(({ id, title }) =>
    h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => show(id) }, title),
  );
  const show = (shown) => {
    tabs.forEach(({ id, panel }, i) => {
      panel.hidden = id !== shown;
      heads[i].setAttribute("aria-selected", String(id === shown));
      heads[i].tabIndex = id === shown ? 0 : -1;
    });
  };
  const turn = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const at = heads.indexOf(event.target);
    const next = (at + by + heads.length) % heads.length;
    show(tabs[next].id);
    heads[next].focus({ preventScroll: true });
    event.preventDefault();
    event.stopPropagation();
  };
  for (const { id, panel } of tabs) {
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
  }
  show(tabs[0].id);
  return { element: h("div", { class: "tabs" }, h("div", { role: "tablist", onkeydown: turn }, ...heads), ...tabs.map((tab) => tab.panel)), show };
}
