// What can be chosen: laid over the picture, as buttons beside it, and reached by keys.

import { fan, hit, nearest, step } from "./geometry.js";
import { h, isCoarse, s } from "./dom.js";
import { drawNote, outline, outlineOf, widen } from "./marks.js";

/** Below this many pixels a choice is hard to hit and gets a button too. */
const SMALLEST = 22;
/** With more small choices than these, buttons would be no help. */
const MOST_BUTTONS = 8;
const GHOST = 46;
/** A ring reaches so far beyond what it surrounds, its line included. */
const RING = 5;
/** A piece on trial is at least so wide in pixels, where there is room. */
const EASY = 30;
/** So wide in pixels is what a finger hits, where no other choice is nearer. */
const FINGER = 40;

/** Lays out what is offered on a surface and in `actions`; `ask` tells Python, and `say` tells people. */
export function makeChoices(model, { layer, boxOf, boxAround, drawPiece, drawRay, scale, middle }, actions, ask, say) {
  let choices = []; // what can be reached by arrow keys: { element, box, boxes, choose }; buttons have no box
  let taken = []; // the boxes of the picture that choices lie on
  let open = []; // what is offered
  let buttons = new Map(); // those in `actions`, by what they offer
  let ghosts = null; // the pieces on trial: { shown, show, list }
  const choose = (id) => ask("choose", { decision: model.get("decision"), id });
  /** The second click of a double click was meant for what has been chosen already. */
  const once = (act) => (event) => event.detail > 1 || act();

  /** Finds all pieces before anything is laid over them, since the page would have to be laid out again for each. */
  function find() {
    for (const { on } of model.get("offer").choices) on.forEach(boxOf);
  }

  function lay() {
    const offer = model.get("offer");
    [choices, taken] = [[], []];
    const before = buttons;
    buttons = new Map();
    for (const [from, to] of offer.rays) layer.append(drawRay(from, to, offer.colour));
    for (const refusal of offer.refusals) layRefusal(refusal);
    const thinking = model.get("bot") === "thinking";
    open = thinking ? [] : offer.choices;
    for (const choice of open.filter((c) => !["ghost", "button"].includes(c.look))) layChoice(choice);
    layGhosts(open.filter((c) => c.look === "ghost"));
    if (choices.length) choices[0].element.setAttribute("tabindex", "0");
    addSmall(open, before);
    for (const choice of open.filter((c) => c.look === "button" || c.named)) addButton(choice, before);
    fill([...buttons.values(), ...(offer.entry && !thinking ? [makeEntry(offer.entry)] : [])]);
  }

  /** Puts elements in `actions`. Those that stay are not taken out: what is being pressed just then would be lost. */
  function fill(bar) {
    if (bar.every((element, i) => element === actions.children[i])) {
      while (actions.children.length > bar.length) actions.lastChild.remove();
    } else actions.replaceChildren(...bar);
  }

  function addButton(choice, before) {
    const what = JSON.stringify(choice);
    const element = before.get(what) ?? makeButton(choice);
    buttons.set(what, element);
    choices.push({ element });
  }

  function makeButton(choice) {
    const label = choice.label.charAt(0).toUpperCase() + choice.label.slice(1);
    const key = choice.key ? h("kbd", { "aria-hidden": "true" }, choice.key) : null;
    const attributes = { type: "button", "data-choice": choice.id, title: label, "aria-keyshortcuts": choice.key || null };
    return h("button", { ...attributes, onclick: choice.again ? () => choose(choice.id) : once(() => choose(choice.id)) }, label, key);
  }

  function makeEntry({ label, least, most }) {
    const input = h("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": `${label}, ${least} to ${most}` });
    const enter = (event) => {
      event.preventDefault();
      ask("enter", { decision: model.get("decision"), number: input.value });
    };
    return h("form", { class: "entry", onsubmit: enter }, h("label", {}, `${label} `, input), h("button", { type: "submit" }, "Set"));
  }

  function focusable(label, boxes, choose, attributes, ...shapes) {
    const target = s("g", { role: "button", tabindex: "-1", "aria-label": label, ...attributes, onclick: once(choose) }, s("title", {}, label), ...shapes);
    choices.push({ element: target, box: boxes[0], boxes, choose });
    return target;
  }

  function layChoice(choice) {
    const marks = choice.on.map((name) => [outlineOf(choice.look, name), boxOf(name)]).filter(([, box]) => box);
    if (!marks.length) return;
    const boxes = marks.map(([, box]) => box);
    taken.push(...boxes.map((box) => ({ ...box, width: box.width + 2 * RING, height: box.height + 2 * RING })));
    const target = focusable(
      choice.label, boxes, () => choose(choice.id),
      { class: `choice ${choice.look}`, "data-choice": choice.id, "data-on": choice.on.join(" ") },
      ...marks.flatMap(([look, box]) => outline(look, box, scale())),
      choice.note ? drawNote(choice, boxes[0]) : null,
    );
    if (choice.piece) target.append(s("g", { class: "trial" }, drawPiece(choice, boxes[0], 1)));
    layer.append(target);
  }

  function layRefusal({ place, reason }) {
    const box = boxOf(place);
    if (!box) return;
    const d = `M${box.x - 3.4} ${box.y - 3.4}l6.8 6.8m0-6.8l-6.8 6.8`;
    layer.append(
      focusable(reason, [box], () => say.problem(reason), { class: "refusal", "aria-disabled": "true", "data-refusal": place }, s("circle", { class: "area", cx: box.x, cy: box.y, r: widen(scale(), 10, 22) }), s("path", { d })),
    );
  }

  /** Lays pieces on trial: one on the place itself, and all of them in a row beside it if there are several. */
  function layGhosts(list) {
    ghosts = null;
    if (!list.length) return;
    const place = boxOf(list[0].on[0]);
    const view = layer.viewBox.baseVal;
    const large = Math.max(GHOST, Math.min((isCoarse() ? FINGER : EASY) / scale(), (view.width - 14) / list.length - 6));
    const row = fan(place, list.length, large, 6, { x: 4, y: 4, width: view.width - 8, height: view.height - 8 });
    const trial = s("g", { class: "trial shown" });
    const plate = ({ x, y }, size) => s("rect", { class: "plate", x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 4 });
    const show = (index) => {
      ghosts.shown = index;
      trial.replaceChildren(plate(place, 44), drawPiece(list[index], place, 1));
      choices.forEach(({ element: e }) => e.classList.toggle("current", e.dataset.choice === list[index].id));
    };
    taken.push(place, ...(list.length > 1 ? [row.frame] : []));
    const target = s("g", { class: "place", onclick: once(() => choose(list[ghosts.shown].id)), onwheel: turnWheel }, trial,
      s("rect", { class: "area", x: place.x - 24, y: place.y - 24, width: 48, height: 48 }));
    layer.append(target);
    if (list.length > 1) {
      const f = row.frame;
      layer.append(s("rect", { class: "fan", x: f.x - f.width / 2, y: f.y - f.height / 2, width: f.width, height: f.height, rx: 8 }));
    }
    list.forEach((choice, i) => {
      const box = list.length > 1 ? row.boxes[i] : place;
      const target = focusable(choice.label, [box], () => choose(choice.id),
        { class: "choice ghost", "data-choice": choice.id, "data-on": choice.on.join(" "), onpointerenter: () => show(i), onfocus: () => show(i), onwheel: turnWheel },
        ...(list.length > 1 ? [plate(box, large - 2), drawPiece(choice, box, large / 50)] : []),
        s("rect", { class: "mark", x: box.x - large / 2, y: box.y - large / 2, width: large, height: large, rx: 5 }));
      layer.append(target);
    });
    ghosts = { shown: 0, show, list };
    show(0);
  }

  function turnWheel(event) {
    event.preventDefault();
    cycle(event.deltaY < 0 ? -1 : 1);
  }

  /** Puts the next piece on trial. */
  function cycle(by) {
    if (!ghosts) return;
    ghosts.show(step(ghosts.shown, by, ghosts.list.length));
    moveFocus(choices.find(({ element: e }) => e.classList.contains("current")));
    say.prompt(`${model.get("offer").prompt}: ${ghosts.list[ghosts.shown].label}`);
  }

  /** Gives choices that are too small to hit, as in a narrow window, a button as well; a finger finds the nearest. */
  function addSmall(open, before) {
    if (isCoarse()) return;
    const small = open.filter((choice) => {
      const boxes = choice.look === "ring" && !choice.named ? choice.on.map(boxOf).filter((box) => box) : [];
      return boxes.length && Math.max(...boxes.map((box) => Math.min(box.width, box.height))) * scale() < SMALLEST;
    });
    if (small.length <= MOST_BUTTONS) small.forEach((choice) => addButton(choice, before));
  }

  /** Finds the choice that is nearest to a point beside all of them, as far as a finger reaches. */
  function findNear(point) {
    const least = FINGER / scale();
    const reached = choices.flatMap((choice) => (choice.boxes ?? []).map((box) => ({ choice, box })));
    const wide = reached.map(({ box }) => ({ ...box, width: Math.max(box.width, least), height: Math.max(box.height, least) }));
    return reached[hit(wide, point)]?.choice;
  }

  // Focus

  function moveFocus(choice) {
    if (!choice) return;
    // Tab goes through all buttons, but to one choice on the board.
    if (choice.box) {
      for (const { element: e, box } of choices) if (box) e.setAttribute("tabindex", "-1");
      choice.element.setAttribute("tabindex", "0");
    }
    choice.element.focus({ preventScroll: true });
  }

  /** Gives the focus to the choice with this id, or else to a safe one, or another; tells whether there was one. */
  function takeFocus(id) {
    const byId = (wanted) => choices.find(({ element: e }) => wanted && e.dataset.choice === wanted);
    const current = choices.find(({ element: e }) => e.classList.contains("current"));
    moveFocus(byId(id) ?? byId(open.find((choice) => choice.safe)?.id) ?? current ?? choices[0]);
    return choices.length > 0;
  }

  /** Does what a key means for a choice that has the focus, or for all of them; tells whether it means something. */
  function onKey(event, focused) {
    const at = choices.findIndex(({ element: e }) => e === focused);
    const keyed = open.find(({ key }) => key && key === event.key.toLowerCase());
    if (keyed) event.repeat || choose(keyed.id);
    else if (["ArrowUp", "ArrowDown"].includes(event.key) && !event.shiftKey) {
      // Without a choice the page around would scroll.
      if (choices.length) moveFocus(choices[at < 0 ? 0 : step(at, event.key === "ArrowUp" ? -1 : 1, choices.length)]);
    } else if (event.key.startsWith("Arrow") && event.shiftKey && choices.length) {
      const boxes = choices.map(({ element: e, box }) => box ?? boxAround([e.getBoundingClientRect()]));
      const next = nearest(boxes, at < 0 ? middle() : boxes[at], event.key);
      moveFocus(choices[next < 0 ? Math.max(at, 0) : next]);
    } else if ((event.key === "Enter" || event.key === " ") && choices[at]?.choose) event.repeat || choices[at].choose();
    else return false;
    return true;
  }

  return { find, lay, cycle, findNear, takeFocus, onKey, taken: () => taken };
}
