// Whether a page is dark, by what notebooks say of themselves.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

// The file is a module without a package that says so, which not every Node takes for one.
const source = await readFile(new URL("../../aquakit/widgets/static/theme.js", import.meta.url), "utf8");
const { saysDark, watchDark } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const says = (page) => saysDark({ classes: [], ...page });

test("a page that says nothing is neither", () => {
  assert.equal(says({}), null);
  assert.equal(says({ jupyter: undefined, vscode: undefined, colab: null, scheme: undefined }), null);
  assert.equal(says({ jupyter: "", vscode: "", colab: "", scheme: "", classes: ["notebook"] }), null);
});

test("JupyterLab, Notebook 7 and Voilà say whether their theme is light", () => {
  assert.equal(says({ jupyter: "true" }), false);
  assert.equal(says({ jupyter: "false" }), true);
});

test("VS Code names the kind of its theme", () => {
  const kinds = { "vscode-light": false, "vscode-dark": true, "vscode-high-contrast": true, "vscode-high-contrast-light": false };
  for (const [vscode, dark] of Object.entries(kinds)) assert.equal(says({ vscode }), dark, vscode);
});

test("Colab and books have a theme", () => {
  for (const name of ["colab", "scheme"]) {
    assert.equal(says({ [name]: "dark" }), true);
    assert.equal(says({ [name]: "light" }), false);
    assert.equal(says({ [name]: "auto" }), null);
  }
});

test("other pages have a class", () => {
  for (const name of ["dark", "dark-theme", "theme-dark"]) assert.equal(says({ classes: ["page", name] }), true);
  for (const name of ["light", "light-theme", "theme-light"]) assert.equal(says({ classes: ["page", name] }), false);
  assert.equal(says({ classes: ["darkroom", "highlight"] }), null);
});

test("a notebook's own word counts for more than a class", () => {
  assert.equal(says({ jupyter: "true", classes: ["dark"] }), false);
  assert.equal(says({ jupyter: "false", vscode: "vscode-light", colab: "light", scheme: "light" }), true);
  assert.equal(says({ vscode: "vscode-dark", scheme: "light" }), true);
  assert.equal(says({ scheme: "light", classes: ["dark"] }), false);
  assert.equal(says({ scheme: "auto", classes: ["dark"] }), true);
});

/** Makes a page as far as the theme looks at it; gets what stands in for the browser. */
function makePage() {
  const element = () => ({ dataset: {}, classList: [], getAttribute: () => null });
  const page = { documentElement: element(), body: element(), seen: [], watched: [], listeners: new Set() };
  const system = {
    matches: false,
    addEventListener: (_, does) => page.listeners.add(does),
    removeEventListener: (_, does) => page.listeners.delete(does),
  };
  class Observer {
    constructor(does) {
      page.change = does;
    }
    observe(part, { attributeFilter }) {
      page.watched.push([part, attributeFilter]);
    }
    disconnect() {
      page.watched = [];
    }
  }
  globalThis.document = page;
  globalThis.window = { matchMedia: () => system };
  globalThis.MutationObserver = Observer;
  return { page, system };
}

test("it is told at once, and whenever the page or the system changes, until it is ended", () => {
  const { page, system } = makePage();
  const told = [];
  const end = watchDark((dark) => told.push(dark));
  assert.deepEqual(told, [false]);
  system.matches = true;
  for (const does of page.listeners) does();
  assert.deepEqual(told, [false, true]);
  page.body.dataset.jpThemeLight = "true";
  page.change();
  assert.deepEqual(told, [false, true, false]);
  assert.deepEqual(page.watched.map(([part]) => part), [page.documentElement, page.body]);
  for (const name of ["class", "theme", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"]) {
    assert.ok(page.watched.every(([, names]) => names.includes(name)), name);
  }
  end();
  assert.deepEqual([page.watched.length, page.listeners.size], [0, 0]);
});

test("the page's attributes are read", () => {
  const { page } = makePage();
  const dark = () => {
    let said = null;
    watchDark((is) => (said = is))();
    return said;
  };
  assert.equal(dark(), false);
  page.documentElement.classList = ["dark"];
  assert.equal(dark(), true);
  page.body.dataset.theme = "light";
  assert.equal(dark(), false);
  page.documentElement.dataset.theme = "dark";
  assert.equal(dark(), true);
  page.documentElement.getAttribute = (name) => (name === "theme" ? "light" : null);
  assert.equal(dark(), false);
  page.body.dataset.vscodeThemeKind = "vscode-dark";
  assert.equal(dark(), true);
  page.body.dataset.jpThemeLight = "true";
  assert.equal(dark(), false);
});
