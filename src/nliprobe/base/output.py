"""Keep standard output for the document of a command: what anything else writes there goes to standard error."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from nliprobe.base.errors import StoreError

_document: TextIO | None = None


class _Output(io.FileIO):
    """Discards what nobody reads: the command ends as it would have, with its own exit code."""

    _broken = False

    def write(self, data: bytes) -> int | None:  # type: ignore[override]
        """Write bytes, or discard them if the reader has ended; a full disk is an error, once."""
        if self._broken:
            return len(data)
        try:
            return super().write(data)
        except BrokenPipeError:
            self._broken = True
            return len(data)
        except OSError as error:
            # The rest is discarded, too: it is still in the buffers, which are emptied again at the end.
            self._broken = True
            raise StoreError(f"Cannot write to standard output: {error.strerror or error}.") from error


def claim_stdout(*, for_prints: bool = False) -> None:
    """Take standard output for :func:`stdout`, unless it is a terminal.

    What a model prints, what libraries write to file descriptor 1 and what child programs inherit would else end
    between the braces of a JSON document; it goes to standard error.

    Args:
        for_prints: whether ``print`` still writes to standard output, for commands that only show their help.
    """
    global _document
    before = sys.stdout
    if not isinstance(before, io.TextIOWrapper) or before.isatty():
        return
    before.flush()
    raw: io.FileIO = _Output(os.dup(before.fileno()), "w")
    # A letter that the encoding of the terminal lacks is not worth an error.
    errors = "backslashreplace" if before.errors == "strict" else before.errors
    _document = io.TextIOWrapper(io.BufferedWriter(raw), encoding=before.encoding, errors=errors)
    try:
        os.dup2(2, before.fileno())
    except OSError:  # standard error is closed: nobody wants to read what goes there
        os.dup2(os.open(os.devnull, os.O_WRONLY), before.fileno())
    # Not the old stream, which may have been made for a file: it cannot be told that it writes to a pipe now.
    others = io.BufferedWriter(io.FileIO(before.fileno(), "w", closefd=False))
    printed = io.TextIOWrapper(others, encoding=before.encoding, errors="backslashreplace", line_buffering=True)
    sys.stdout = _document if for_prints else printed


def stdout() -> TextIO:
    """Return the stream for the document of a command, which is ``sys.stdout`` unless it was claimed."""
    return sys.stdout if _document is None else _document


def flush_stdout() -> None:
    """Write what is still in the buffers; a full disk is a :class:`StoreError`."""
    try:
        stdout().flush()
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"Cannot write to standard output: {error.strerror or error}.") from error
