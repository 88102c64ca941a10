"""Runs marimo with a notebook for the browser tests, as `House` runs Jupyter."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import Literal

from notebook_house import PATIENCE

# Nothing is asked, and nothing looks for something on the internet.
CONFIG = """
[display]
theme = "{theme}"
[runtime]
auto_instantiate = true
[save]
autosave = "off"
"""


def write_notebook(path: Path, *cells: str) -> None:
    """Writes a notebook of cells; marimo finds out by itself which names each makes and needs."""
    made = [f"@app.cell\ndef _():\n{indent(code, '    ')}\n    return\n" for code in cells]
    path.write_text("\n\n".join(["import marimo\n\napp = marimo.App()", *made]), "utf-8")


@contextmanager
def serve(notebook: Path, mode: Literal["edit", "run"], *, dark: bool = False) -> Iterator[str]:
    """Shows a notebook in marimo's editor, or as an app; gets its address."""
    folder = notebook.parent / "marimo"
    config = folder / "config" / "marimo" / "marimo.toml"
    config.parent.mkdir(parents=True)
    config.write_text(CONFIG.format(theme="dark" if dark else "light"), "utf-8")
    # The user's own configuration stays out.
    homes = {f"XDG_{kind.upper()}_HOME": str(folder / kind) for kind in ("config", "state", "cache")}
    token, port = secrets.token_hex(16), _free_port()
    flags = ["--headless", "--host=127.0.0.1", f"--port={port}", f"--token-password={token}"]
    flags += ["--skip-update-check"] if mode == "edit" else []
    log = folder / "server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "marimo", mode, str(notebook), *flags],
            env=os.environ | homes,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(port):
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"marimo did not start:\n{log.read_text('utf-8', 'replace')}")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}?access_token={token}"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _free_port() -> int:
    # marimo would take 0 for none given, and then a port that another test may be about to take.
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def _answers(port: int) -> bool:
    with socket.socket() as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0
