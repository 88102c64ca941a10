"""Runs a real Jupyter server for the browser tests: one house for JupyterLab, Notebook 7 and Voilà."""

from __future__ import annotations

import ast
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlencode

import nbformat
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page, Playwright

CHROMIUM_FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Pages see this machine alone: what a test shows must not depend on the internet.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--no-proxy-server",
)
NO_CHROMIUM = "Chromium is not installed"
PATIENCE = 60
VIEWPORT = {"width": 1280, "height": 900}

# What asks questions, changes files behind a test's back or looks for something on the internet is switched off.
SERVER_FLAGS = (
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port=0",
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
    "--LabApp.expose_app_in_browser=True",
    "--JupyterNotebookApp.expose_app_in_browser=True",
)
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


def chromium() -> str | None:
    """Finds the system's Chromium."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def trouble(text: str, source: str) -> bool:
    """Tells whether an error in a page comes from a widget or its kernel, and not from the page around it.

    `text` holds the trace, if there is one; `source` is the address of the script.
    """
    # Of marimo's scripts only a widget's own are files of the notebook.
    if any(sign in text + source for sign in ("blob:", "anywidget", "/@file/")):
        return True
    # Notebook 7 and Voilà make errors of their own, which lead to their own scripts.
    return "net::ERR_NAME_NOT_RESOLVED" not in text and not re.search(r"https?://\S+\.js\b", f"{text} {source}")


def launch(playwright: Playwright) -> Browser:
    """Starts the system's Chromium without a window."""
    # Chromium's sandbox refuses to run as root, which is what containers do.
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    return playwright.chromium.launch(executable_path=chromium(), args=flags, headless=True)


class House:
    """Holds a Jupyter server with a folder of notebooks while it is used as a context.

    Each way to open a notebook starts from the same state: no earlier workspace, no questions, the light theme unless
    told. All but `open_voila` and `open_export` leave a page that the other methods can work on. Kernels get the
    environment that runs this, and what is given.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder / "notebooks"
        self.log = folder / "server.log"
        self._jupyter = folder / "jupyter"
        self._environment = dict(environment or {})
        self._token = secrets.token_hex(16)
        self._server: subprocess.Popen[bytes] | None = None
        self._url = ""
        self._opened = 0

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True)
        self._set(SETTINGS)
        flags = [*SERVER_FLAGS, *(["--allow-root"] if os.getuid() == 0 else [])]
        flags += [f"--ServerApp.root_dir={self.folder}", f"--IdentityProvider.token={self._token}"]
        # The user's own configuration stays out; extensions and kernels come from the environment that runs the tests.
        env = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")} | {
            "JUPYTER_CONFIG_DIR": str(self._jupyter / "config"),
            "JUPYTER_DATA_DIR": str(self._jupyter / "data"),
            "JUPYTER_RUNTIME_DIR": str(self._jupyter / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(self._jupyter / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(self._jupyter / "workspaces"),
            "IPYTHONDIR": str(self._jupyter / "ipython"),
            **self._environment,
        }
        with self.log.open("wb") as log:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *flags], env=env, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            self._url = self._wait_for_address()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

    def write(self, name: str, cells: Iterable[str | Mapping[str, Any]]) -> Path:
        """Writes a notebook: a text is a cell of code, anything else a cell of nbformat."""
        made = [nbformat.v4.new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        # Without the kernel's name the notebook would ask for one.
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path = self.folder / name
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel}), path)
        return path

    def open_lab(self, page: Page, name: str, *, dark: bool = False) -> None:
        """Opens a notebook in JupyterLab and waits for its kernel."""
        self._opened += 1
        self._open(page, f"lab/workspaces/test-{self._opened}/tree", name, dark)

    def open_notebook7(self, page: Page, name: str, *, dark: bool = False) -> None:
        """Opens a notebook in Notebook 7 and waits for its kernel."""
        self._open(page, "notebooks", name, dark)

    def open_voila(self, page: Page, name: str, *, dark: bool = False) -> None:
        """Opens a notebook as a Voilà page, which runs all its cells, and waits until it shows."""
        page.goto(self._address("voila/render", name, theme="dark" if dark else "light"))
        page.wait_for_selector("#rendered_cells", state="visible")

    def run_all(self, page: Page) -> None:
        """Runs all cells of the open notebook, waits for their end and fails where one raised an error."""
        self.command(page, "notebook:run-all-cells")
        raised = _evaluate(
            page,
            """() => jupyterapp.shell.currentWidget.context.model.toJSON().cells
                .flatMap((cell) => cell.outputs ?? [])
                .filter((output) => output.output_type === "error")
                .map((error) => `${error.ename}: ${error.evalue}`)""",
        )
        assert not raised, raised
        self.settle(page)

    def command(self, page: Page, name: str, **args: Any) -> None:
        """Executes a command of JupyterLab or Notebook 7 and waits for its end."""
        # What a command returns may be the whole application, which cannot be handed over.
        _evaluate(page, "async ([name, args]) => { await jupyterapp.commands.execute(name, args); }", [name, args])

    def settle(self, page: Page) -> None:
        """Waits until the kernel has answered whatever the open notebook told it, such as clicks on widgets."""
        # An answer can make a widget send what it held back, so the quiet has to last.
        _evaluate(
            page,
            """async () => {
                for (let quiet = 0; quiet < 3; quiet = unanswered.size ? 0 : quiet + 1)
                    await new Promise((resolve) => setTimeout(resolve, 10));
            }""",
        )

    def tell(self, page: Page, code: str) -> None:
        """Runs code in the open notebook's kernel, without a cell, after earlier clicks are answered."""
        self._execute(page, code, "None")

    def ask(self, page: Page, expression: str) -> Any:
        """Gets a value of plain Python from the open notebook's kernel, after earlier clicks are answered."""
        return ast.literal_eval(self._execute(page, "", expression))

    def save(self, page: Page) -> None:
        """Saves the open notebook."""
        self.command(page, "docmanager:save")

    def reload(self, page: Page) -> None:
        """Saves the open notebook and loads its page again; the kernel lives on."""
        self.settle(page)
        self.save(page)
        page.reload()
        self._wait_for_kernel(page)

    def restart(self, page: Page) -> None:
        """Restarts the open notebook's kernel, which forgets everything."""
        _evaluate(
            page,
            """async () => {
                await jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart();
                unanswered.clear();
            }""",
        )

    def change_theme(self, page: Page, *, dark: bool) -> None:
        """Changes the theme while a notebook is open."""
        self.command(page, "apputils:change-theme", theme=_theme(dark))
        page.wait_for_selector(f"body[data-jp-theme-light='{str(not dark).lower()}']", state="attached")

    def export_html(self, name: str) -> Path:
        """Exports a notebook as it was last saved."""
        path = (self.folder / name).with_suffix(".html")
        path.write_text(HTMLExporter().from_filename(str(self.folder / name))[0], "utf-8")
        return path

    def open_export(self, page: Page, path: Path) -> None:
        """Opens an exported notebook from its file, without a server and without the internet."""
        page.goto(path.as_uri())

    def end_kernels(self) -> None:
        """Ends all kernels, so that a test's kernels do not slow down the next one."""
        for kind in ("sessions", "kernels"):
            for running in json.loads(self._request("GET", f"api/{kind}")):
                try:
                    self._request("DELETE", f"api/{kind}/{running['id']}")
                except urllib.error.HTTPError as error:
                    # A page of Voilà that was closed may have ended its kernel meanwhile.
                    if error.code != 404:
                        raise

    def _open(self, page: Page, place: str, name: str, dark: bool) -> None:
        self._set({"@jupyterlab/apputils-extension/themes": {"theme": _theme(dark)}})
        page.goto(self._address(place, name))
        self._wait_for_kernel(page)

    def _wait_for_kernel(self, page: Page) -> None:
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext")
        _evaluate(
            page,
            """async () => {
                await jupyterapp.restored;
                const panel = jupyterapp.shell.currentWidget;
                await panel.revealed;
                await panel.sessionContext.ready;
                const kernel = panel.sessionContext.session.kernel;
                await kernel.info;
                window.unanswered = new Set();
                kernel.anyMessage.connect((_, { msg, direction }) => {
                    const { header, content, channel } = msg;
                    if (direction === "send") {
                        if (channel === "shell") unanswered.add(header.msg_id);
                    } else if (header.msg_type === "status") {
                        if (content.execution_state === "idle") unanswered.delete(msg.parent_header.msg_id);
                    } else if (header.msg_type === "error") {
                        // What Python raises while it answers a widget would otherwise be seen by nobody.
                        console.error(`Python: ${content.ename}: ${content.evalue}`);
                    }
                });
            }""",
        )

    def _execute(self, page: Page, code: str, expression: str) -> str:
        # Clicks and code may run in different threads of the kernel, so that no order is sure.
        self.settle(page)
        reply = _evaluate(
            page,
            """async ([code, value]) => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const run = kernel.requestExecute({ code, store_history: false, user_expressions: { value } });
                return (await run.done).content;
            }""",
            [code, expression],
        )
        answer = reply if reply["status"] == "error" else reply["user_expressions"]["value"]
        assert answer["status"] == "ok", f"{answer['ename']}: {answer['evalue']}"
        return answer["data"]["text/plain"]

    def _set(self, settings: Mapping[str, Mapping[str, Any]]) -> None:
        for plugin, values in settings.items():
            path = self._jupyter / "settings" / f"{plugin}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values), "utf-8")

    def _wait_for_address(self) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._server.poll() is None:
            path = self._jupyter / "runtime" / f"jpserver-{self._server.pid}.json"
            # The file is there a moment before it is complete.
            if path.exists() and (text := path.read_text("utf-8")).endswith("}"):
                return json.loads(text)["url"]
            time.sleep(0.05)
        raise RuntimeError(f"the Jupyter server did not start:\n{self.log.read_text('utf-8', 'replace')}")

    def _address(self, place: str, name: str, **query: str) -> str:
        return f"{self._url}{place}/{quote(name)}?{urlencode({'token': self._token} | query)}"

    def _request(self, method: str, place: str) -> bytes:
        request = urllib.request.Request(
            self._url + place, method=method, headers={"Authorization": f"token {self._token}"}
        )
        # A proxy set for the internet does not lead to this machine.
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            return answer.read()


def _evaluate(page: Page, script: str, argument: object = None) -> Any:
    # Unlike all its other waits, playwright's wait for a promise has no end.
    late = f"new Promise((_, reject) => setTimeout(() => reject(new Error('no answer in {PATIENCE} s')), {PATIENCE}e3))"
    return page.evaluate(f"(argument) => Promise.race([({script})(argument), {late}])", argument)


def _theme(dark: bool) -> str:
    return "JupyterLab Dark" if dark else "JupyterLab Light"
