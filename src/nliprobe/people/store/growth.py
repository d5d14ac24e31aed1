"""Tell PostgreSQL how its tables grow.

It looks by itself, but only every minute, and until then plans for a few rows: to choose among 4,000 new items took
45 ms instead of 2, and what a rater has done was searched in the work of all, so that judgements took ever longer.
So it is told when items come, and when much was written.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

LOOK_AT_ITEMS = text("ANALYZE items")
LOOK_AT_WORK = text("ANALYZE items, raters, work, judgements, log")
# After so many pieces of work, and then whenever there are so many times as many: by then the server looks by itself.
_FIRST, _TIMES = 100, 4


@dataclass
class Growth:
    """Counts what a process has written.

    Attributes:
        written: how many pieces of work so far.
        due: at how many the server should look again.
    """

    written: int = 0
    due: int = _FIRST

    def is_due(self, more: int) -> bool:
        """Count some more; tell whether the server should look now."""
        self.written += more
        if self.written < self.due:
            return False
        self.due = self.written * _TIMES
        return True
