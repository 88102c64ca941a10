// An exercise: a question beside its board, answered there or in a form, with verdict, hints and who answers.

import { keepPlace, makeHints, makeVerdict } from "./asking.js";
import { mountBoard } from "./board.js";
import { button, h, makeAsk, openShadow } from "./dom.js";
import STYLE_EXPLORER from "./explorer.css";
import STYLE_TRAINER from "./trainer.css";
import STYLE_EXERCISE from "./exercise.css";

/** Under this name the browser remembers who answers, so that each notebook need not ask. */
const REMEMBERED = "aquakit.person";

function remember(name) {
  try {
    if (name) localStorage.setItem(REMEMBERED, name);
    else localStorage.removeItem(REMEMBERED);
  } catch {
    // Where the browser keeps nothing, people are asked again.
  }
}

function recall() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

/** What is asked. */
function makeAsked(model) {
  const { lesson, title, question } = model.get("task");
  return h("div", { class: "question" }, h("span", { class: "faint set" }, lesson), h("h3", {}, title), h("p", { class: "goal" }, question));
}

/** A number or an option, for what is not answered on the board. */
function makeAnswer(model, ask) {
  const { form, id } = model.get("task");
  if (!form) return { element: h("div", {}), draw: () => {} };
  const hand = h("button", { type: "submit", class: "hand" }, "Check");
  const inputs = form.options
    ? form.options.map((text) => h("input", { type: "radio", name: id, value: text, required: true }))
    : [h("input", { type: "text", inputmode: "numeric", name: id, size: "8", autocomplete: "off", required: true, "aria-label": `your answer${form.unit ? ` in ${form.unit}` : ""}` })];
  const fields = form.options
    ? [h("div", { class: "options", role: "radiogroup", "aria-label": "options" }, ...inputs.map((input) => h("label", {}, input, h("span", {}, input.value))))]
    : [h("label", { class: "entry" }, "Your answer: ", inputs[0], form.unit ? h("span", { class: "faint" }, form.unit) : null)];
  const read = () => (form.options ? inputs.find((input) => input.checked)?.value : inputs[0].value.trim());
  const submit = (event) => {
    event.preventDefault();
    const text = read();
    if (text) ask("answer", { text });
  };
  const element = h("form", { class: "answer", "aria-label": "your answer", onsubmit: submit }, ...fields, hand);
  let stage = "";
  function draw() {
    const task = model.get("task");
    const trying = task.stage === "trying";
    for (const control of [...inputs, hand]) control.disabled = !trying;
    // What was handed in is shown again, also on a page that was loaded meanwhile.
    const { tried } = task.form;
    if (tried) for (const input of inputs) form.options ? (input.checked = input.value === tried) : (input.value = tried);
    else if (trying && stage && stage !== "trying" && form.options) inputs.forEach((input) => (input.checked = false));
    stage = task.stage;
  }
  return { element, draw };
}

/** A right answer, once it was asked for. */
function makeSolution(model) {
  const element = h("section", { class: "solution", "aria-label": "answer", "aria-live": "polite" });
  function draw() {
    const { solution } = model.get("task");
    element.hidden = !solution;
    element.replaceChildren(...(solution ? [h("h4", {}, "A right answer: ", h("span", { class: "told" }, solution.answer), " ", solution.text ? h("span", { class: "notation" }, solution.text) : null), h("p", {}, solution.because)] : []));
  }
  return { element, draw };
}

/** What can be asked for. */
function makeRequests(model, ask) {
  const hint = button("Hint", "give the next hint", () => ask("hint"), { class: "hint" });
  const retry = button("Try again", "answer again", () => ask("retry"), { class: "retry" });
  const show = button("Show answer", "show a right answer and why", () => ask("solution"), { class: "show" });
  const element = h("div", { class: "row asking", role: "group", "aria-label": "this exercise" }, hint, retry, show);
  function draw() {
    const { stage, verdict, hints, hints_left: left, solution } = model.get("task");
    const right = verdict?.outcome === "right";
    hint.hidden = !left || right || Boolean(solution) || stage === "checking";
    hint.textContent = `${hints.length ? "Next hint" : "Hint"} (${left} left)`;
    hint.setAttribute("aria-label", `give ${hints.length ? "the next" : "a"} hint, ${left} left`);
    retry.hidden = stage !== "judged";
    retry.classList.toggle("main", stage === "judged" && !right);
    show.hidden = right || Boolean(solution) || stage === "checking";
  }
  return { element, draw };
}

/** Who answers: asked once in a workshop, and kept by the browser. */
function makePerson(model, ask) {
  const name = h("input", { type: "text", maxlength: "60", autocomplete: "name", required: true, "aria-label": "your name" });
  const join = (event) => {
    event.preventDefault();
    remember(name.value.trim());
    ask("join", { name: name.value });
  };
  const form = h("form", { class: "row join", "aria-label": "your name", onsubmit: join }, h("label", {}, "Your name: ", name), h("button", { type: "submit", class: "enter" }, "Join"), h("span", { class: "faint" }, "Your answers are kept under it, in this folder."));
  const kept = h("span", {});
  const leave = () => {
    remember("");
    ask("leave");
  };
  const other = button("Somebody else?", "answer under another name", leave, { class: "other" });
  const known = h("div", { class: "row standing faint" }, kept, other);
  function draw() {
    const { person, kept: file, is_fixed: fixed } = model.get("task");
    form.hidden = person !== null;
    known.hidden = person === null;
    other.hidden = Boolean(fixed);
    kept.textContent = person === null ? "" : `${fixed === "alone" ? "Your answers are" : `Answers of ${person} are`} kept in ${file}.`;
  }
  return { element: h("div", { class: "person" }, form, known), draw };
}

export default {
  render({ model, el }) {
    const root = openShadow(el);
    const ask = makeAsk(model);
    const board = mountBoard(model, root);
    const asked = makeAsked(model);
    const parts = [makeVerdict(model, ask), makeAnswer(model, ask), makeHints(model), makeSolution(model), makeRequests(model, ask), makePerson(model, ask)];
    const left = h("div", { class: "left" });
    const panel = h("div", { class: "panel" }, ...parts.map(({ element }) => element));
    root.append(h("style", {}, STYLE_EXPLORER), h("style", {}, STYLE_TRAINER), h("style", {}, STYLE_EXERCISE));
    // The board's section is the frame, so that its colours, keys and focus hold for the panel too.
    left.append(...board.element.childNodes);
    board.element.classList.add("explorer", "trainer", "exercise");
    board.element.setAttribute("data-exercise", model.get("task").id);
    board.element.append(asked, left, panel);
    board.putAside(panel);

    const draw = () => {
      const { stage, marks, form } = model.get("task");
      keepPlace(root, [panel], left, stage === "trying" && !form, () => parts.forEach((part) => part.draw()));
      board.showPlan(marks);
      board.element.dataset.stage = stage;
    };
    model.on("change:step", draw);
    draw();
    const known = recall();
    if (known && model.get("task").person === null) ask("join", { name: known });
    return () => {
      model.off("change:step", draw);
      for (const { dispose } of parts) dispose?.();
      board.dispose();
    };
  },
};
