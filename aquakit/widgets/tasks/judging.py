"""Lets a judging run beside the notebook."""

from __future__ import annotations

from collections.abc import Callable

from aquakit.training.judging import Judging
from aquakit.widgets.background import Background


class BackgroundJudging:
    """A judging under way; what comes of it is heard in its thread, unless it was stopped."""

    def __init__(self, judging: Judging, heard: Callable[[Judging], None]) -> None:
        """Begins to judge."""
        self.judging = judging
        self._heard = heard
        self._background = Background(self._work, "aquakit judging")
        self._background.start()

    @property
    def is_working(self) -> bool:
        """Whether it is still at work, be it that its verdict is not wanted any more."""
        return self._background.is_working

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the verdict has been heard, or the work has ended without one."""
        self._background.wait(seconds)

    def _work(self) -> None:
        self.judging.run()
        if not self.judging.is_stopped:
            self._heard(self.judging)
