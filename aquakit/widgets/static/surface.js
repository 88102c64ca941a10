// The picture of a board and the sheets above it: draws the picture that Python sends, and knows where things lie on it.

import { around, reach, toBox } from "./geometry.js";
import { replaceParts, s } from "./dom.js";

/** What is left free around a part that lies on the picture, and how low it may be, in pixels. */
const FREE = 8;
const LOWEST_FREE = 80;
const DARK_RULES = "@media(prefers-color-scheme:dark){";

/** Makes the sheets: the picture, what is planned, what can be chosen, and numbers above all. */
export function makeSurface(model) {
  const picture = s("svg");
  const planned = s("svg", { "aria-hidden": "true" });
  const layer = s("svg", { class: "layer" });
  const numbers = s("svg", { "aria-hidden": "true" });
  let painted = ""; // what the picture was drawn from
  let place = ""; // where the panel is
  let views = []; // how large the picture is with its panel in each place
  let width = 0; // of the stage, in pixels
  const known = new Map(); // where pieces of the picture are

  /** Draws the picture, if it is another one; tells so by its title. */
  function paint(dark) {
    // While only picks change, the picture stays.
    if (painted === `${dark} ${model.get("picture")}`) return null;
    painted = `${dark} ${model.get("picture")}`;
    known.clear();
    const fresh = new DOMParser().parseFromString(model.get("picture"), "image/svg+xml").documentElement;
    const style = fresh.querySelector("style");
    style.textContent = style.textContent.replace(DARK_RULES, dark ? "@media all{" : "@media not all{");
    for (const name of ["width", "height", "style"]) fresh.removeAttribute(name);
    fresh.setAttribute("aria-hidden", "true");
    views = findViews(fresh);
    putPanel(fresh);
    replaceParts(picture, document.importNode(fresh, true));
    layer.setAttribute("class", `layer ${own("root")}`);
    for (const sheet of [planned, numbers]) sheet.setAttribute("class", `layer planned ${own("root")}`);
    view();
    return fresh.querySelector("title").textContent;
  }

  const panelsOf = (svg) => [...svg.querySelectorAll(":scope > [data-panel]")];

  function findViews(svg) {
    const found = panelsOf(svg).map((panel) => [panel.dataset.panel, panel.dataset.view]);
    return (found.length ? found : [["", svg.getAttribute("viewBox")]]).map(([place, view]) => {
      const [, , width, height] = view.split(" ").map(Number);
      return { place, width, height, view };
    });
  }

  /** Shows the panel in its place, and hides the others. */
  function putPanel(svg) {
    for (const panel of panelsOf(svg)) {
      if (panel.dataset.panel === shownView().place) panel.removeAttribute("display");
      else panel.setAttribute("display", "none");
    }
  }

  const shownView = () => views.find((view) => view.place === place) ?? views[0];

  function view() {
    for (const sheet of [picture, planned, layer, numbers]) sheet.setAttribute("viewBox", shownView().view);
  }

  const prefix = () => picture.getAttribute("class").replace(/root$/, "");
  const own = (...names) => names.map((name) => prefix() + name).join(" ");

  function piecesOf(name) {
    const [attribute] = name.split("=", 1);
    return [...picture.querySelectorAll(`[data-${attribute}="${CSS.escape(name.slice(attribute.length + 1))}"]`)];
  }

  /** Gets where a place or a piece of the picture is, in the picture's units; nothing while it is not shown. */
  function boxOf(name) {
    const place = model.get("places")[name];
    if (place) return toBox(place);
    if (!known.has(name)) known.set(name, measure(name));
    return known.get(name);
  }

  function measure(name) {
    // What stands in a panel that is hidden has no size.
    return boxAround(piecesOf(name).map((piece) => piece.getBoundingClientRect()).filter((rect) => rect.width));
  }

  /** Gets the box around parts of the page, in the picture's units. */
  function boxAround(rects) {
    const matrix = layer.getScreenCTM();
    if (!matrix || !rects.length) return null;
    const { a, e, f } = matrix;
    return around(
      rects.map((r) => ({
        x: (r.x + r.width / 2 - e) / a,
        y: (r.y + r.height / 2 - f) / a,
        width: r.width / a,
        height: r.height / a,
      })),
    );
  }

  /** Gets the room below what the panel beside the board shows, in pixels of the stage; nothing if it is too low. */
  function findFree() {
    const panel = panelsOf(picture).find((each) => each.dataset.panel === "beside");
    if (shownView().place !== "beside" || !panel) return null;
    const whole = picture.getBoundingClientRect();
    // The first part is the card that all lies on.
    const rects = [...panel.children].slice(1).map((part) => part.getBoundingClientRect());
    const [left, right, bottom] = [Math.min(...rects.map((r) => r.left)), Math.max(...rects.map((r) => r.right)), Math.max(...rects.map((r) => r.bottom))];
    const height = whole.bottom - bottom - 2 * FREE;
    return height < LOWEST_FREE ? null : { left: left - whole.left, top: bottom - whole.top + FREE, width: right - left, height };
  }

  function drawPiece({ piece, turns }, box, size) {
    const turned = turns && model.get("flip") ? " rotate(180)" : "";
    const parts = piece.split(" ").map((name) => s("use", { href: `#${prefix()}${name}` }));
    return s("g", { transform: `translate(${box.x} ${box.y}) scale(${size})${turned}` }, ...parts);
  }

  function drawRay(from, to, colour) {
    const [a, b] = [boxOf(from), boxOf(to)];
    if (!a || !b) return s("g");
    const [start, end] = reach(a, b);
    const d = `M${start.x} ${start.y}L${end.x} ${end.y}`;
    return s("g", { class: "ray" }, s("path", { class: own("halo"), d }), s("path", { class: own("sight", `stroke-${colour}`), d }));
  }

  return {
    picture, planned, layer, numbers, paint, piecesOf, boxOf, boxAround, findFree, drawPiece, drawRay,
    /** Draws a piece by itself. */
    drawIcon: (piece) => s("svg", { class: `icon ${own("root")}`, viewBox: "-26 -26 52 52", "aria-hidden": "true" }, drawPiece({ piece }, { x: 0, y: 0 }, 1)),
    /** Gets how many pixels a unit of the picture has. */
    scale: () => (width ? width / layer.viewBox.baseVal.width : 1),
    middle() {
      const { width, height } = layer.viewBox.baseVal;
      return { x: width / 2, y: height / 2 };
    },
    width: () => width,
    place: () => place,
    views: () => views,
    /** Puts the panel in a place, and takes over the width that the board has now. */
    resize(pixels, where) {
      [width, place] = [pixels, where];
      putPanel(picture);
      view();
      known.clear();
    },
  };
}
