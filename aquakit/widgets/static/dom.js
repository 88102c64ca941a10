// Makes elements. Texts are set as texts, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Makes an HTML element; attributes that begin with on are listeners. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Makes a button that says in words what it does. */
export function button(text, label, onclick, attributes = {}) {
  return h("button", { type: "button", title: label, "aria-label": label, onclick, ...attributes }, text);
}

/** Tells whether people point with their fingers here. */
export const isCoarse = () => window.matchMedia("(pointer: coarse)").matches;

/** Makes the shadow root of a widget, which keeps its styles apart; JupyterLab leaves the keys pressed in it alone. */
export function openShadow(el) {
  const host = h("div", { "data-lm-suppress-shortcuts": "true" });
  el.append(host);
  return host.attachShadow({ mode: "open" });
}

/** What finds out, for each widget, whether Python is gone. */
const finders = new WeakMap();

/** Has it found out whether Python is gone whenever a widget cannot send; `find` says that on the page and tells whether it is. */
export function onLost(model, find) {
  finders.set(model, find);
}

/** Makes the function by which a widget asks Python for something. */
export function makeAsk(model) {
  return (what, details = {}) => {
    try {
      model.send({ do: what, ...details });
    } catch (problem) {
      if (!finders.get(model)?.()) throw problem;
    }
  };
}

/** How many parts further on one looks for a part that was there before. */
const AHEAD = 12;

/** Puts a new picture in place of the old one, keeping what is equal, so that nothing flickers and little is drawn. */
export function replaceParts(old, fresh) {
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  let next = old.firstChild;
  const dropUntil = (end) => {
    while (next !== end) {
      const gone = next;
      next = next.nextSibling;
      gone.remove();
    }
  };
  for (const part of [...fresh.childNodes]) {
    let same = next;
    for (let i = 0; i < AHEAD && same && !same.isEqualNode(part); i++) same = same.nextSibling;
    if (same?.isEqualNode(part)) {
      dropUntil(same);
      next = same.nextSibling;
    } else old.insertBefore(part, next);
  }
  dropUntil(null);
}

/** Puts rows in a list. Those that stay in their order are not touched, so that focus is kept, and no click gets lost. */
export function replaceRows(list, rows) {
  for (const row of [...list.children]) if (!rows.includes(row)) row.remove();
  rows.forEach((row, i) => list.children[i] !== row && list.insertBefore(row, list.children[i] ?? null));
}

// Turns in words, with small pictures of their pieces; notation stands beside them.

/** Draws a turn in words, given as parts { words, icon, joint }. */
export function drawTold(told, drawIcon) {
  return h("span", { class: "told" }, ...told.flatMap(({ words, icon, joint }, i) => [i ? joint : null, icon ? drawIcon(icon) : null, words]));
}

/** Says a turn in words. */
export function sayTold(told) {
  return told.map(({ words, joint }, i) => (i ? joint : "") + words).join("");
}

/** Draws a turn in words and, small, as it is written; where there are no words, only that. */
export function drawTurn(told, turn, drawIcon) {
  return told.length ? [drawTold(told, drawIcon), h("span", { class: "notation" }, turn)] : [turn];
}
