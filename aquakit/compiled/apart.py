"""The process that compiles for another one: `python -m aquakit.compiled.apart`, started by `ahead.py` alone.

Requests come in as pickles, and each function that is done goes out as a line. Its end is the end of its input, even in
the middle of something, so that nothing is left behind by a process that is killed.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
from importlib import import_module
from queue import SimpleQueue
from typing import Any

from aquakit.compiled import ahead, cache, jit
from aquakit.compiled.line import CompileRequest


def main() -> None:
    """Does what is asked for until nothing can be asked any more."""
    requests = SimpleQueue[CompileRequest]()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what else is printed is no answer
    present = -1

    def say(**told: Any) -> None:
        out.write(json.dumps({"job": present, **told}) + "\n")

    def read() -> None:
        try:
            while True:
                requests.put(CompileRequest(*pickle.load(sys.stdin.buffer)))
        finally:
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    ahead.listen(lambda name: say(finished=name))
    while True:
        request = requests.get()
        present = request.number
        try:
            whole = compile_function(request)
        except Exception:  # it is tried once more where it is needed, and told there
            whole = False
        say(whole=whole)


def compile_function(request: CompileRequest) -> bool:
    """Compiles a function and what it calls; nothing if it is made of something else here."""
    cache.keep_at(request.places)
    source, *homes = map(import_module, request.source)
    twin = jit.bind(source, *homes, fast=True)
    if not jit.is_made_of(twin, request.digest):
        return False
    getattr(twin, request.function).compile(request.signature)
    return True


if __name__ == "__main__":
    main()
