"""Shows lessons as pages without code, or as slides, by Voilà: on this computer alone, behind a token."""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlencode

from aquakit.errors import InvalidOption, missing
from aquakit.workshop import leash
from aquakit.workshop.served import SERVED

HOST = "127.0.0.1"
SHARE = Path(__file__).with_name("share")
"""Holds the templates of the pages: nothing in them is fetched from the internet."""


def serve(target: Path, *, slides: bool = False, port: int = 8866, browser: bool = True) -> int:
    """Shows a notebook, or those of a folder, until it is ended; gets Voilà's exit code."""
    if importlib.util.find_spec("voila") is None:
        raise missing("voila", "pages without code", "lab")
    target = check_target(target)
    port = find_port(port)
    token = secrets.token_urlsafe(16)
    # The token is handed over where other users of this computer cannot read it.
    places = [str(SHARE), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    env = {**os.environ, "JUPYTER_TOKEN": token, "JUPYTER_PATH": os.pathsep.join(places), SERVED: "1"}
    address = f"http://{HOST}:{port}/?{urlencode({'token': token})}"
    with tempfile.TemporaryDirectory(prefix="aquakit-", ignore_cleanup_errors=True) as private:

        def tell() -> None:
            print(f"{'Slides' if slides else 'Lessons'} at {address}", flush=True)
            print("Whoever has this address can see them, from this computer only. Ctrl-C ends it.", flush=True)
            if browser:
                webbrowser.open(write_redirect(Path(private), address).as_uri())

        return _run(list_command(target, slides=slides, port=port), env, port, tell)


def write_redirect(folder: Path, address: str) -> Path:
    """Writes a page that leads to an address, for this user's eyes: everybody can read a browser's command line."""
    page = folder / "lessons.html"
    page.touch(mode=0o600)
    link = escape(address)
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><title>aquakit</title><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={link}"><p><a href="{link}">The lessons</a>\n',
        "utf-8",
    )
    return page


def check_target(target: Path) -> Path:
    """Checks that there is something to show."""
    target = target.expanduser().absolute()
    if target.is_dir():
        if not any(target.glob("*.ipynb")):
            raise InvalidOption("target", f"{target} holds no notebooks", "a folder that `workshop start` made")
    elif target.suffix != ".ipynb" or not target.is_file():
        raise InvalidOption("target", f"there is no notebook {target}", "a notebook, or a folder of them")
    return target


def find_port(wanted: int) -> int:
    """Finds a port that is free: the one wanted, or for 0 any."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as problem:
            raise InvalidOption("port", f"{wanted} cannot be used: {problem.strerror}", "another one, or 0") from None
        return int(probe.getsockname()[1])


def list_command(target: Path, *, slides: bool, port: int) -> list[str]:
    """Lists the words of the command that starts Voilà."""
    return [
        *(sys.executable, "-m", leash.__name__, str(target)),
        f"--port={port}",
        f"--Voila.ip={HOST}",
        "--Voila.auto_token=True",
        f"--template={'aquakit-slides' if slides else 'aquakit'}",
        "--strip_sources=True",
        "--no-browser",
        # The tree of folders that JupyterLab draws would offer to make new notebooks.
        "--classic-tree",
        "--Voila.log_level=WARN",
    ]


def _run(command: list[str], env: dict[str, str], port: int, tell: Callable[[], None]) -> int:
    """Runs a server until it ends or is ended, and never leaves it behind; tells when it answers."""
    before = signal.signal(signal.SIGTERM, _end)
    # Whatever becomes of this process, the input ends with it, and then the server does.
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE)
    try:
        while process.poll() is None and not _answers(port):
            time.sleep(0.1)
        if process.poll() is None:
            tell()
        return process.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        signal.signal(signal.SIGTERM, before)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _end(*_: object) -> NoReturn:
    raise SystemExit(0)
