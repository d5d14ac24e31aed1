"""Output to a program that stops reading, such as ``head`` or a pager that the user leaves."""

from __future__ import annotations

import io
import sys


class _Output(io.FileIO):
    """Discards what nobody reads: the verb ends as it would have, with its own exit code."""

    def write(self, data: bytes) -> int | None:  # type: ignore[override]
        """Write bytes, or discard them if the reader has ended."""
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(data)


def outlive_readers() -> None:
    """Let standard output end quietly; without this, ``nliprobe ls | head`` would be an error."""
    before = sys.stdout
    if not isinstance(before, io.TextIOWrapper) or before.isatty():
        return
    before.flush()
    raw = _Output(before.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding=before.encoding, errors=before.errors)
