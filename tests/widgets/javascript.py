"""Finds what runs the widgets' JavaScript without a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache

from playwright._impl._driver import compute_driver_executable


@cache
def node() -> str:
    """Finds a Node that can run tests: the system's, if it is new enough, or the one that playwright brings."""
    found = shutil.which("node")
    if found:
        version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if (major := re.match(r"v(\d+)", version)) and int(major[1]) >= 20:
            return found
    return compute_driver_executable()[0]
