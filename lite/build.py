"""Builds a JupyterLite site with the notebooks: aquakit in the browser, with nothing to install.

The site holds Python for browsers (Pyodide) and the packages that aquakit needs there, so that it can be served without
a network. Packages that only Pyodide's own server has, such as NumPy, are fetched too if that can be reached now;
otherwise the browser asks for them when they are first imported. `python lite/build.py`, then any web server.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Iterable
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).parents[1]
RUNTIME = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE_VERSION}.tgz"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
KIT = "aquakit-boardgames"
KERNEL = ("micropip", "piplite", "ipykernel", "pyodide-kernel", "comm", "jedi", "ipython")
"""What a notebook's kernel loads when it starts; aquakit comes when a cell imports it."""
FROM_SERVER = ("numpy", "pandas", "matplotlib")
"""What aquakit needs for arrays, tables and plots alone: its core works without."""
PATIENCE = 10
"""Seconds until a server counts as out of reach."""

Lock = dict[str, Any]


def main() -> None:
    """Builds the site."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--output", type=Path, default=ROOT / "out" / "lite", help="where the site goes")
    output: Path = reader.parse_args().output
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        pyodide = home / "static" / "pyodide"  # where JupyterLite looks for a Pyodide of our own
        lock = unpack_runtime(pyodide)
        add_packages(lock, pyodide)
        (pyodide / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
        write_settings(home)
        build_site(home, output)
    size = sum(file.stat().st_size for file in output.rglob("*") if file.is_file())
    print(f"{output}: {size / 2**20:.0f} MB; to look at it: {sys.executable} -m http.server --directory {output}")


def fetch(url: str) -> bytes:
    """Gets a file from a server."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return bytes(answer.read())


def unpack_runtime(pyodide: Path) -> Lock:
    """Gets Pyodide itself, and the list of packages that exist for it."""
    print(f"Pyodide {PYODIDE_VERSION}", flush=True)
    pyodide.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(fetch(RUNTIME))) as archive:
        for name in FILES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (pyodide / name).write_bytes(member.read())
    lock: Lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    return lock


# Packages


def add_packages(lock: Lock, pyodide: Path) -> None:
    """Puts aquakit and what it needs beside Pyodide; what cannot be had now is left to the server."""
    packages: Lock = lock["packages"]
    for package in packages.values():
        package["file_name"] = f"{PYODIDE_CDN_URL}/{package['file_name']}"
    run_pip("wheel", "--no-deps", "--wheel-dir", str(pyodide), str(ROOT))
    for wheel in bundled_wheels():
        shutil.copy(wheel, pyodide)
    known = {describe(wheel)["name"]: wheel for wheel in pyodide.glob("*.whl")}
    waiting = [Requirement(name) for name in (*known, *KERNEL)]
    done: dict[str, Lock] = {}
    while waiting:
        todo = {canonicalize_name(wanted.name): wanted for wanted in waiting}
        todo = {name: wanted for name, wanted in todo.items() if name not in done}
        get_wheels([wanted for name, wanted in todo.items() if name not in known], lock, pyodide)
        known = {describe(wheel)["name"]: wheel for wheel in pyodide.glob("*.whl")}
        waiting = []
        for name in todo:
            done[name] = describe(known[name]) if name in known else packages[name]
            waiting += [Requirement(each) for each in done[name].pop("requires", done[name]["depends"])]
    packages |= done
    left = [name for name in FROM_SERVER if "://" in done[name]["file_name"]]
    packages[KIT]["depends"] = [name for name in packages[KIT]["depends"] if name not in left]
    print(f"{len(known)} packages; not here but on Pyodide's server: {', '.join(left) or 'none'}", flush=True)


def get_wheels(wanted: Iterable[Requirement], lock: Lock, pyodide: Path) -> None:
    """Gets wheels for browsers, from PyPI or, where it has none, from Pyodide's server."""
    compiled = {name for name, package in lock["packages"].items() if "wasm32" in package["file_name"]}
    plain = [str(each) for each in wanted if canonicalize_name(each.name) not in compiled]
    if plain and not download(plain, lock, pyodide):
        sys.exit(f"PyPI has no wheels for browsers of some of these: {', '.join(plain)}")
    for each in wanted:
        name = canonicalize_name(each.name)
        if name in compiled and not download([str(each)], lock, pyodide):
            take_from_server(lock["packages"][name], pyodide)


def download(wanted: list[str], lock: Lock, pyodide: Path) -> bool:
    """Lets pip look for wheels that this Pyodide can load."""
    abi, python = lock["info"]["abi_version"], lock["info"]["python"]
    version = "".join(python.split(".")[:2])
    tags = ["--platform", f"pyemscripten_{abi}_wasm32", "--python-version", python, "--implementation", "cp"]
    tags += ["--abi", f"cp{version}", "--abi", "abi3", "--abi", "none"]
    return run_pip("download", "--no-deps", "--only-binary", ":all:", *tags, "-d", str(pyodide), *wanted, check=False)


def take_from_server(package: Lock, pyodide: Path) -> None:
    """Gets a wheel from Pyodide's server, if that can be reached."""
    try:
        wheel = fetch(package["file_name"])
    except OSError:
        return
    if hashlib.sha256(wheel).hexdigest() != package["sha256"]:
        sys.exit(f"{package['file_name']} is not what it should be")
    (pyodide / package["file_name"].rpartition("/")[2]).write_bytes(wheel)


def bundled_wheels() -> list[Path]:
    """Lists what the kernel brings along."""
    extension = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi")
    return [wheel for wheel in extension.glob("*.whl") if not wheel.name.startswith("widgetsnbextension")]


def describe(wheel: Path) -> Lock:
    """Reads what Pyodide must know of a wheel."""
    name, version, *_ = parse_wheel_filename(wheel.name)
    with ZipFile(wheel) as archive:
        files = archive.namelist()
        text = next(archive.read(file) for file in files if file.endswith(".dist-info/METADATA")).decode()
    requires = [Requirement(line) for line in HeaderParser().parsestr(text).get_all("Requires-Dist") or ()]
    needed = [each for each in requires if each.marker is None or each.marker.evaluate(BROWSER)]
    tops = {file.partition("/")[0].partition(".")[0] for file in files if file.endswith((".py", ".so"))}
    return {
        "name": str(name),
        "version": str(version),
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": sorted({canonicalize_name(each.name) for each in needed}),
        "requires": [f"{each.name}{each.specifier}" for each in needed],
        "unvendored_tests": False,
    }


BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix", "extra": ""}
BROWSER |= {"platform_machine": "wasm32", "python_version": "3.14", "python_full_version": "3.14.0"}
"""What requirements are asked about."""


def run_pip(*arguments: str, check: bool = True) -> bool:
    """Runs pip quietly."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=check, stderr=None if check else subprocess.DEVNULL).returncode == 0


# The site


def write_settings(home: Path) -> None:
    """Writes what JupyterLite must know: which packages a kernel starts with."""
    kernel = {"loadPyodideOptions": {"packages": list(KERNEL)}, "disablePyPIFallback": True}
    plugins = {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}
    data = {"appName": "aquakit", "exposeAppInBrowser": True, "litePluginSettings": plugins}
    settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}
    (home / "jupyter-lite.json").write_text(json.dumps(settings), "utf-8")


def build_site(home: Path, output: Path) -> None:
    """Lets JupyterLite put the site together."""
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "jupyter", "lite", "build", "--no-sourcemaps", "--lite-dir", str(home)]
    command += ["--contents", str(ROOT / "notebooks"), "--output-dir", str(output)]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}")


if __name__ == "__main__":
    main()
