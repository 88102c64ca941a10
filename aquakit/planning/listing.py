"""What a planner lists: equally good answers, and whether these are all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Listing(tuple[Any, ...]):
    """What was found, in order; `complete` says whether that is all there is.

    >>> Listing.of(["b6=+@E6", "c4=Z@E4"], complete=True).complete
    True
    """

    complete: bool

    @classmethod
    def of(cls, items: Iterable[Any], *, complete: bool) -> Listing:
        """Makes a listing.

        >>> Listing.of([1, 2], complete=False)
        (1, 2)
        """
        made = cls(items)
        made.complete = complete
        return made
