"""What is read of all cases of a large run, in a process of its own.

A million cases take 450 MB and a core for seconds: whoever serves pages meanwhile has need of both. Run as a program,
it reads what is wanted from standard input and writes it to standard output, both as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from nliprobe.analysis.browse.background import FEW_CASES
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.api.reading import count_cases, read_comparison, read_report, read_verdicts
from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.studio.context import Part

_READ: Mapping[str, Callable[..., object]] = {
    "verdicts": read_verdicts,
    "comparison": read_comparison,
    "report": read_report,
}
# Memory that polars no longer needs goes back at once: a fifth less at the peak, for some seconds more. Polars sets its
# own way in the environment of whoever imports it, such as this process, so that it must be replaced.
_FRUGAL = {"_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}


class Apart:
    """Reads runs for the jobs of a studio, one at a time.

    Attributes:
        few: a run with at most so many cases is read at once: it takes less time than to start a process.
    """

    def __init__(self) -> None:
        self.few = FEW_CASES
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._closed = False

    def verdicts(self, path: Path) -> list[str]:
        """Say what a complete run shows, a text per system."""
        return cast("list[str]", self._read("verdicts", path))

    def comparison(self, path: Path, left: str, right: str) -> CompareDocument:
        """Compare two systems of a run by the cases that both were asked."""
        return cast("CompareDocument", self._read("comparison", path, left, right))

    def report(self, path: Path) -> str:
        """Write the report of a run as one self-contained page."""
        return cast("str", self._read("report", path))

    def close(self) -> None:
        """Stop what is being read, and begin nothing more."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.terminate()

    def _read(self, what: str, path: Path, *names: str) -> object:
        cases = count_cases(path)
        if cases is not None and cases <= self.few:
            return _READ[what](path, *names)
        command = [sys.executable, "-m", "nliprobe.studio.read.apart"]
        with self._lock:
            if self._closed:
                raise StoreError(f"The cases of {path.name} were not read, because the studio is being closed.")
            process = self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                # What goes wrong inside is told where the server's own log is.
                stdout=subprocess.PIPE,
                encoding="utf-8",
                env=os.environ | _FRUGAL,
                # Ctrl-C is for the server, which then ends this; here it would leave a traceback in the terminal.
                start_new_session=True,
            )
        with process:
            output, _ = process.communicate(json.dumps([what, str(path.resolve()), *names]))
        self._process = None
        if process.returncode:
            raise StoreError(f"The process that read the cases of {path.name} was stopped before its end.")
        answer = json.loads(output)
        if "problem" in answer:
            raise StoreError(answer["problem"])
        return answer["result"]


APART = Part(Apart, lambda studio: Apart())


def main() -> None:
    """Read what standard input asks for."""
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(5)
    what, path, *names = json.load(sys.stdin)
    try:
        answer: dict[str, object] = {"result": _READ[what](Path(path), *names)}
    except NliprobeError as error:
        answer = {"problem": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
