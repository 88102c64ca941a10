"""Threads are waited for to their end, whatever interrupts that."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from aquakit.core.threads import Helper


def test_a_helper_can_be_waited_for_after_an_interrupt() -> None:
    end, ended = threading.Event(), threading.Event()

    def work() -> None:
        end.wait()
        ended.set()

    helper = Helper("test", work)
    helper.start()
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        helper.join()
    assert helper.is_alive()
    helper.join(0.01)
    assert not ended.is_set()
    end.set()
    helper.join()
    assert ended.is_set()
    assert not helper.is_alive()


def test_a_helper_that_never_began_is_not_waited_for() -> None:
    with pytest.raises(RuntimeError):
        Helper("test", print).join()
