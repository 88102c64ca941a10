// Finds out whether the page around a board is dark, in the notebooks that there are, and tells when that changes.

/** Decides from what a page says of itself; null if it says nothing. */
export function saysDark({ jupyter, vscode, colab, classes, scheme }) {
  if (jupyter === "true" || jupyter === "false") return jupyter === "false";
  if (vscode) return vscode.includes("dark") || vscode === "vscode-high-contrast";
  if (colab === "dark" || colab === "light") return colab === "dark";
  if (scheme === "dark" || scheme === "light") return scheme === "dark";
  if (classes.includes("dark") || classes.includes("dark-theme") || classes.includes("theme-dark")) return true;
  if (classes.includes("light") || classes.includes("light-theme") || classes.includes("theme-light")) return false;
  return null;
}

function readPage() {
  const { documentElement: html, body } = document;
  return saysDark({
    jupyter: body.dataset.jpThemeLight,
    vscode: body.dataset.vscodeThemeKind,
    colab: html.getAttribute("theme"),
    classes: [...html.classList, ...body.classList],
    scheme: html.dataset.theme || body.dataset.theme,
  });
}

/** Calls back at once and whenever it becomes dark or light; gets what ends it. */
export function watchDark(tell) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const look = () => tell(readPage() ?? system.matches);
  const observer = new MutationObserver(look);
  const attributeFilter = ["class", "theme", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"];
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true, attributeFilter });
  }
  system.addEventListener("change", look);
  look();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", look);
  };
}
