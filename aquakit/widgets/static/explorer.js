// The explorer: a board with the game's tree, the scores, analysis lines, texts and a position editor beside it.

import { mountBoard } from "./board.js";
import { button, drawTold, drawTurn, h, makeAsk, openShadow, replaceRows, s, sayTold } from "./dom.js";
import { makeRecent } from "./panels/recent.js";
import { makeEditor } from "./panels/editor.js";
import STYLE_EXPLORER from "./explorer.css";

/** Makes a list of tabs; gets its element. Each tab is { id, title, panel }. */
function makeTabs(tabs) {
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

/** The moves of the game, one a row, variations further in. */
function makeMoves(model, ask, drawIcon) {
  const list = h("ol", { class: "moves", role: "tree", "aria-label": "moves", tabindex: "0", onkeydown: onKey });
  const comment = h("textarea", { rows: 3, maxlength: 20000, "aria-label": "comment on this turn", placeholder: "a comment on this turn" });
  let [at, said] = ["", ""]; // the turn that the comment is on, and its text as Python knows it
  const keep = () => {
    if (comment.value !== said) ask("comment", { at, text: comment.value });
    said = comment.value;
  };
  comment.addEventListener("change", keep);
  const promote = button("Promote", "make this variation come first", () => ask("promote", { at: model.get("at") }));
  const remove = button("Delete", "delete this turn and what follows", () => ask("delete", { at: model.get("at") }));
  const copy = button("Copy", "copy this turn as it is written", () => {
    navigator.clipboard?.writeText(model.get("tree").find((row) => row.at === model.get("at"))?.turn ?? "");
  }, { class: "copy" });
  const written = h("input", { type: "checkbox" });
  written.addEventListener("change", () => {
    model.set("notation", written.checked);
    model.save_changes();
  });
  const restore = button("Bring back", "bring back what was deleted or replaced last", () => ask("restore"));

  function onKey(event) {
    const rows = model.get("tree");
    const at = rows.findIndex((row) => row.at === model.get("at"));
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      if (rows[to]) ask("go", { at: rows[to].at });
    } else if (event.key === "ArrowLeft") ask("previous");
    else if (event.key === "ArrowRight") ask("next");
    else if (event.key === "Delete") ask("delete", { at: model.get("at") });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function drawRow(row) {
    const here = row.at === model.get("at");
    return h(
      "li",
      {
        role: "treeitem", class: row.level ? "variation" : "main", "data-at": row.at, "aria-level": row.level + 1,
        "aria-selected": String(here), style: `--level: ${row.level}`, onclick: () => ask("go", { at: row.at }),
      },
      h("span", { class: "number" }, row.number ? `${row.number}.` : ""),
      h("span", { class: "who" }, ...row.who.map(drawChip)),
      row.turn ? drawTold(row.told, drawIcon) : h("span", { class: "told" }, "start"),
      row.turn ? h("span", { class: "turn notation" }, row.turn) : null,
      row.comment ? h("span", { class: "comment" }, row.comment) : null,
    );
  }

  function draw() {
    const rows = model.get("tree");
    const here = rows.find((row) => row.at === model.get("at"));
    list.replaceChildren(...rows.map(drawRow));
    // What is being typed belongs to its turn, also when the board moves on meanwhile.
    if (at !== model.get("at")) keep();
    if (at !== model.get("at") || comment.getRootNode().activeElement !== comment) comment.value = said = here?.comment ?? "";
    at = model.get("at");
    promote.disabled = !here?.promotable;
    remove.disabled = copy.disabled = !here?.number;
    written.checked = model.get("notation");
    restore.disabled = !model.get("can_restore");
    const row = list.querySelector('[aria-selected="true"]');
    // Only the list scrolls, never the notebook around it.
    if (row) list.scrollTop = Math.max(row.offsetTop + row.offsetHeight - list.clientHeight, Math.min(list.scrollTop, row.offsetTop));
  }

  return { element: h("div", {}, list, h("div", { class: "row" }, promote, remove, restore, copy, h("label", {}, written, " notation")), comment), draw };
}

/** The way through the line on the board: buttons and a slider. */
function makeScrub(model, ask) {
  const slider = h("input", { type: "range", min: 0, "aria-label": "turn", oninput: () => ask("scrub", { index: Number(slider.value) }) });
  const tools = [
    ["«", "to the start", "first"],
    ["‹", "one turn back", "previous"],
    ["›", "one turn on", "next"],
    ["»", "to the end", "last"],
  ].map(([sign, label, does]) => button(sign, label, () => ask(does), { class: `tool ${does}` }));
  const where = h("output", {});
  function draw() {
    slider.max = model.get("length");
    slider.value = model.get("index");
    where.textContent = `${model.get("index")} / ${model.get("length")}`;
  }
  return { element: h("div", { class: "scrub row" }, ...tools.slice(0, 2), slider, ...tools.slice(2), where), draw };
}

function drawChip({ text, colour, sure }) {
  return h("span", { class: `chip colour-${colour}${sure ? "" : " unsure"}` }, text);
}

function drawCell(cell) {
  return typeof cell === "string" ? h("td", {}, cell) : h("td", {}, ...cell.map(drawChip));
}

function drawTable({ title, head, rows }) {
  return h("figure", {}, h("figcaption", {}, title), h("div", { class: "scroll", tabindex: "0" },
    h("table", {}, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(drawCell)))))));
}

/** The tables of the score sheet. */
function makeSheet(model) {
  const element = h("div", { class: "sheet" });
  function draw() {
    element.replaceChildren(...model.get("sheet").map(drawTable));
  }
  return { element, draw };
}

/** The chances to win, as a bar with one part for each player. */
function drawBar({ win, who, score, note, playouts }) {
  const parts = win.map((chance, i) =>
    h("span", { class: `part colour-${who[i][0].colour}`, style: `flex-grow: ${Math.max(0.001, chance)}` },
      chance > 0.08 ? `${who[i].map((chip) => chip.text).join("")} ${Math.round(100 * chance)} %` : null));
  const words = win.map((chance, i) => `${who[i].map((chip) => chip.text).join("")} wins ${Math.round(100 * chance)} %, ${score[i].toFixed(1)} points`);
  return h("div", { class: "evaluation" },
    h("div", { class: "bar", role: "img", "aria-label": words.join("; "), title: words.join("\n") }, ...parts),
    h("p", { class: "faint" }, `${note}; ${playouts.toLocaleString("en")} playouts, estimated`));
}

/** The leads expected over the game, a line for each player; gaps where nothing is known. */
function drawGraph(leads, index, colours) {
  const known = leads.flatMap((lead) => lead ?? []);
  if (leads.filter((lead) => lead).length < 2) return null;
  const most = Math.max(5, ...known.map(Math.abs));
  const x = (i) => 30 + (264 * i) / Math.max(1, leads.length - 1);
  const y = (lead) => 55 - (45 * lead) / most;
  const lines = colours.map((colour, p) => {
    let d = "";
    leads.forEach((lead, i) => (d += lead ? `${d && leads[i - 1] ? "L" : "M"}${x(i)} ${y(lead[p])}` : ""));
    const last = leads.findLastIndex((lead) => lead);
    return s("g", {}, s("path", { class: `graph stroke-${colour} dash-${p}`, d }), s("text", { x: x(last) + 3, y: y(leads[last][p]) + 4 }, colour));
  });
  const scale = [most, 0, -most].map((lead) => s("text", { class: "scale", x: 26, y: y(lead) + 3 }, `${lead > 0 ? "+" : ""}${Math.round(lead)}`));
  return s("svg", { class: "graphs", viewBox: "0 0 310 110", role: "img", "aria-label": "expected lead over the game" },
    s("path", { class: "axis", d: `M30 10V100M30 55H294` }), s("path", { class: "here", d: `M${x(index)} 10V100` }), ...scale, ...lines);
}

/** The analysis: its lines, the chances, and the leads over the game. */
function makeLines(model, ask, drawIcon) {
  const list = h("ol", { class: "lines" });
  let rows = new Map(); // by turn
  const set = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => set("show_lines", box.checked));
  const count = h("input", { type: "number", min: 1, max: 20, class: "count", "aria-label": "number of lines" });
  count.addEventListener("change", () => set("line_count", Number(count.value)));
  const start = button("Analyse", "analyse what the board shows", () => ask("analyse"), { class: "analyse" });
  const stop = button("Stop", "stop the analysis", () => ask("rest"), { class: "rest" });
  const found = h("div", {});
  const element = h("div", {}, h("div", { class: "row" }, start, stop, h("label", {}, count, " lines"), h("label", {}, box, " show on the board")), found, list);
  function draw() {
    const [thinking, evaluation, lines] = [model.get("analysing"), model.get("evaluation"), model.get("lines")];
    box.checked = model.get("show_lines");
    if (count.getRootNode().activeElement !== count) count.value = model.get("line_count");
    start.hidden = thinking;
    stop.hidden = !thinking;
    const graph = evaluation && drawGraph(model.get("graph"), model.get("index"), evaluation.who.map((chips) => chips[0].colour));
    found.replaceChildren(...[evaluation && drawBar(evaluation), graph].filter((part) => part));
    const kept = lines.map(({ turn, note }, i) => {
      // The line under the pointer, or with the focus, is drawn alone.
      const [look, leave] = [() => set("line_shown", turn), () => set("line_shown", "")];
      const looking = { onmouseenter: look, onmouseleave: leave, onfocus: look, onblur: leave };
      const row = rows.get(turn) ?? h("li", {}, button("", "", () => ask("play", { turn }), { class: "turn", ...looking }), h("span", { class: "note" }));
      const told = model.get("line_words")[turn] ?? [];
      rows.delete(turn);
      if (row.dataset.told !== String(told.length)) row.firstChild.replaceChildren(...drawTurn(told, turn, drawIcon));
      row.dataset.told = told.length;
      for (const name of ["title", "aria-label"]) row.firstChild.setAttribute(name, `play line ${i + 1}: ${sayTold(told) || turn}`);
      row.lastChild.textContent = note;
      return row;
    });
    rows = new Map(lines.map(({ turn }, i) => [turn, kept[i]]));
    replaceRows(list, lines.length ? kept : [h("p", { class: "faint" }, thinking ? "Thinking …" : "No lines yet.")]);
  }
  return { element, draw };
}

/** The planner: what can be planned here, how far it has come, and what was found, which the board shows as ghosts. */
function makePlanner(model, ask, board) {
  const numbers = new Map(); // what was typed for each question
  let [wanted, drawn, begun] = ["", "", 0];
  const what = h("select", { class: "what", "aria-label": "what to plan" });
  const number = h("input", { type: "number", class: "count", onkeydown: (event) => event.key === "Enter" && !go.disabled && push() });
  const unit = h("span", {});
  const field = h("label", {}, number, " ", unit);
  const go = button("Go", "", () => push(), { class: "go" });
  const clock = h("span", { class: "clock faint", "aria-hidden": "true" });
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const found = h("div", { class: "found" });
  const element = h("section", { class: "planner", "aria-label": "planner" }, h("h4", {}, "Planner"), h("div", { class: "row" }, what, field, go, clock), status, found);
  what.addEventListener("change", () => {
    wanted = what.value;
    draw();
  });
  number.addEventListener("input", () => numbers.set(wanted, number.value));
  // The seconds count by themselves: to hear each of them would be tiresome.
  const tick = () => (clock.textContent = model.get("planner").running ? `${Math.floor((performance.now() - begun) / 1000)} s` : "");
  const timer = setInterval(tick, 500);

  function push() {
    const { running, stopping } = model.get("planner");
    if (stopping) ask("clear_plan");
    else if (running) ask("stop_plan");
    else ask("plan", { question: wanted, number: field.hidden ? null : Number(number.value) });
  }

  function drawChoice({ questions, asked, running, stopping }) {
    if (!questions.some(({ id }) => id === wanted)) wanted = asked?.id ?? questions[0].id;
    if (running) wanted = asked.id;
    const key = questions.map(({ id }) => id).join(" ");
    if (what.dataset.key !== key) what.replaceChildren(...questions.map(({ id, label }) => h("option", { value: id }, label)));
    what.dataset.key = key;
    what.value = wanted;
    const question = questions.find(({ id }) => id === wanted);
    what.title = question.about;
    drawNumber(question.number, asked?.id === wanted ? asked.number : null);
    what.disabled = number.disabled = running;
    const refusal = running ? "" : question.refusal;
    const label = refusal || (stopping ? "do not wait for the best so far" : running ? "stop and show the best so far" : `find ${question.about}`);
    go.textContent = stopping ? "Give up" : running ? "Stop" : "Go";
    go.disabled = Boolean(refusal);
    go.title = label;
    go.setAttribute("aria-label", `${go.textContent}: ${label}`);
  }

  function drawNumber(range, asked) {
    field.hidden = !range;
    if (!range) return;
    [number.min, number.max] = [range.least, range.most];
    unit.textContent = range.label;
    const value = String(numbers.get(wanted) ?? asked ?? range.usual);
    if (number.value !== value) number.value = value;
  }

  function drawStatus({ status: text, problem, answer }) {
    const said = problem || text || answer?.summary[0] || "";
    if (status.textContent !== said) status.textContent = said;
    status.classList.toggle("wrong", Boolean(problem));
  }

  function drawAnswer({ answer, turns }) {
    const key = JSON.stringify([answer, turns]);
    if (key === drawn) return;
    drawn = key;
    if (!answer) return found.replaceChildren();
    const take = {
      add: () => button("Put into the game", "add these turns to the game as a variation", () => ask("add_plan"), { class: "add" }),
      open: () => button("Open as a game of its own", "open these turns as a new game; Bring back returns to this one", () => ask("open_plan"), { class: "openplan" }),
    }[turns];
    const steps = answer.steps.map(({ text, note, told }, i) => {
      const step = button("", `show step ${i + 1} on the board: ${sayTold(told) || text}`, () => show(i + 1), { class: "turn" });
      step.replaceChildren(...drawTurn(told, text, board.surface.drawIcon));
      return h("li", {}, step, note ? h("span", { class: "note" }, note) : null);
    });
    found.replaceChildren(
      ...answer.summary.slice(1).map((line) => h("p", {}, line)),
      ...(answer.table ? [h("div", { class: "sheet" }, drawTable(answer.table))] : []),
      ...(steps.length ? [h("ol", { class: "steps" }, ...steps)] : []),
      h("div", { class: "row" }, take ? take() : null, button("Clear", "take the plan from the board", () => ask("clear_plan"), { class: "clear" })),
    );
  }

  function show(count) {
    model.set("plan_shown", count);
    model.save_changes();
  }

  function sendPlan({ answer }) {
    const steps = answer?.steps ?? [];
    const shown = Math.min(model.get("plan_shown") ?? steps.length, steps.length);
    // While all is shown from the first, no step is the one gone to.
    const latest = model.get("plan_shown") == null ? -1 : shown - 1;
    board.showPlan(steps.slice(0, shown).flatMap(({ ghosts }, i) => ghosts.map((ghost) => ({ ...ghost, latest: i === latest }))), answer?.above);
    found.querySelectorAll(".steps .turn").forEach((step, i) => {
      if (i === latest) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
      step.closest("li").classList.toggle("later", i >= shown);
    });
  }

  function draw() {
    const state = model.get("planner");
    element.hidden = !state.questions.length;
    if (element.hidden) return board.showPlan([]);
    begun = performance.now() - 1000 * state.seconds;
    drawChoice(state);
    drawStatus(state);
    drawAnswer(state);
    sendPlan(state);
    tick();
  }

  return { element, draw, dispose: () => clearInterval(timer) };
}

/** Texts and files: the position in and out, the record opened and saved. */
function makeTexts(model, ask) {
  const text = h("textarea", { rows: 5, class: "position", spellcheck: "false", "aria-label": "position text", "aria-describedby": "misread" });
  const said = h("p", { class: "said", role: "status" });
  const misread = h("p", { class: "misread", role: "status", id: "misread" });
  const copy = button("Copy", "copy the position text", async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The text is marked: copy it with the keyboard.";
    }
  });
  const read = button("Show this position", "show the position that the text describes", () => ask("read", { text: text.value }), { class: "read" });
  const path = h("input", { type: "text", class: "path", "aria-label": "file", placeholder: "game.txt", spellcheck: "false" });
  const open = button("Open", "open the record in this file", () => ask("load", { path: path.value }), { class: "open" });
  const save = button("Save", "save the record to this file", () => ask("save", { path: path.value }), { class: "save" });
  const files = h("div", { class: "row" }, path, open, save);
  const question = h("span", {});
  const replace = button("Replace", "replace the file that is there by this record", () => ask("replace"), { class: "replace" });
  const there = h("p", { class: "row there", role: "status" }, question, replace);
  const upload = h("input", { type: "file", accept: ".txt,text/plain", "aria-label": "a record from this computer" });
  upload.addEventListener("change", async () => {
    const [file] = upload.files;
    if (file) ask("open", { text: await file.text() });
    upload.value = "";
  });
  const download = button("Download", "download the record to this computer", () => {
    const link = h("a", { href: URL.createObjectURL(new Blob([model.get("game")], { type: "text/plain" })), download: "game.txt" });
    link.click();
    URL.revokeObjectURL(link.href);
  });
  const heads = h("dl", { class: "heads" });
  let shown = null;
  function draw() {
    // What has been typed stays until another position is shown.
    if (shown !== model.get("position")) text.value = shown = model.get("position");
    said.textContent = model.get("said");
    misread.textContent = model.get("misread");
    text.setAttribute("aria-invalid", String(Boolean(misread.textContent)));
    files.hidden = !model.get("has_files");
    there.hidden = !model.get("there");
    question.textContent = there.hidden ? "" : `${model.get("there")} is there already.`;
    download.disabled = !model.get("game");
    heads.replaceChildren(...Object.entries(model.get("headers")).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
  const element = h("div", {}, h("h4", {}, "Position"), text, misread, h("div", { class: "row" }, read, copy), h("h4", {}, "Record"), heads,
    files, there, h("div", { class: "row" }, h("label", { class: "file" }, "Upload ", upload), download), said);
  return { element, draw };
}

export default {
  render({ model, el }) {
    const root = openShadow(el);
    const ask = makeAsk(model);
    const board = mountBoard(model, root);
    const parts = {
      moves: makeMoves(model, ask, board.surface.drawIcon),
      sheet: makeSheet(model),
      lines: makeLines(model, ask, board.surface.drawIcon),
      texts: makeTexts(model, ask),
      recent: makeRecent(model, ask),
      editor: makeEditor(model, ask, board),
      planner: makePlanner(model, ask, board),
    };
    parts.lines.element.append(parts.planner.element);
    parts.texts.element.append(parts.recent.element);
    const scrub = makeScrub(model, ask);
    const tabs = makeTabs([
      { id: "moves", title: "Moves", panel: parts.moves.element },
      { id: "sheet", title: "Scores", panel: parts.sheet.element },
      { id: "lines", title: "Lines", panel: parts.lines.element },
      { id: "texts", title: "Position", panel: parts.texts.element },
      { id: "editor", title: "Edit", panel: parts.editor.element },
    ]);
    const left = h("div", { class: "left" });
    root.append(h("style", {}, STYLE_EXPLORER));
    // The board's section is the frame, so that its colours, keys and focus hold for the panels too.
    left.append(...board.element.childNodes, scrub.element);
    board.element.classList.add("explorer");
    board.element.append(left, tabs.element);
    board.putAside(tabs.element);
    const draw = () => {
      board.element.classList.toggle("unwritten", !model.get("notation"));
      [scrub, ...Object.values(parts)].forEach((part) => part.draw());
    };
    const events = ["change:step", "change:lines", "change:show_lines", "change:said", "change:line_count", "change:line_words", "change:notation"];
    for (const event of events) model.on(event, draw);
    // A plan's progress changes nothing else.
    const plans = ["change:planner", "change:plan_shown"];
    for (const event of plans) model.on(event, parts.planner.draw);
    draw();
    return () => {
      for (const event of events) model.off(event, draw);
      for (const event of plans) model.off(event, parts.planner.draw);
      parts.planner.dispose();
      parts.editor.dispose();
      board.dispose();
    };
  },
};
