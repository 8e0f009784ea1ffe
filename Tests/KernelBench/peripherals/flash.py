"""Flash with real timing, after a queue with a fixed number of places.

Nothing runs in the background: an operation is the time at which it will be done.
"""

import collections
import time

_PIECE = 20  # bytes that a SoftDevice is given at a time


class Flash:
    """`erase` seconds for a page, `piece` seconds for 20 bytes; both 0 for flash that takes no time."""

    def __init__(self, places: int, erase: float, piece: float):
        self._places, self._erase, self._piece = places, erase, piece
        self._ends = collections.deque()  # of the operations in the queue
        self._idle_at = 0.0

    def has_place(self) -> bool:
        now = time.monotonic()
        while self._ends and self._ends[0] <= now:
            self._ends.popleft()
        return len(self._ends) < self._places

    def busy(self) -> float:
        """Seconds until everything is done."""
        return max(0.0, self._idle_at - time.monotonic())

    def erase(self, pages: int = 1, queued: bool = True):
        self._do(pages * self._erase, queued)

    def write(self, count: int, queued: bool = True):
        self._do(-(-count // _PIECE) * self._piece, queued)

    def _do(self, seconds: float, queued: bool):
        self._idle_at = time.monotonic() + self.busy() + seconds
        if queued:
            self._ends.append(self._idle_at)
