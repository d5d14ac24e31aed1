"""Running the command line as users do: in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
WARM = Path(__file__).parent / "warm.py"
# For a process that may write only small files: Python would cut its compiled modules off, and fail with them later.
# And for one whose modules are edited within a second: Python would take the compiled ones.
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "nliprobe", *words]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NLIPROBE_") or name in (
        "NLIPROBE_CACHE", "NLIPROBE_DATA")}  # fmt: skip
    return {**kept, "COLUMNS": "120", **(extra or {})}


def nliprobe(
    *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a verb and check its exit code."""
    done = run_warm(words, cwd or Path.cwd(), environment(env))
    assert done.returncode == code, done.stdout + done.stderr
    if code in (1, 2):
        assert "Traceback" not in done.stderr
    return done


@cache
def _warm() -> subprocess.Popen[str]:
    """Start the process that runs commands; it ends with this one, whose end closes its input."""
    return subprocess.Popen([sys.executable, str(WARM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run_warm(words: Sequence[str], cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that need not import everything first."""
    others = {name for name, value in env.items() if name.startswith("PYTHON") and os.environ.get(name) != value}
    if others - {"PYTHONPATH"}:
        # What the interpreter reads when it starts; folders with more modules can also be added later.
        return subprocess.run(command(*words), capture_output=True, text=True, cwd=cwd, env=env, check=False)
    with Forked(words, cwd, env) as process:
        code = process.wait()
        return subprocess.CompletedProcess(command(*words), code, process.said(), process.complained())


class Forked:
    """A command in a process that was forked from one that has imported everything; one at a time."""

    def __init__(self, words: Sequence[str], cwd: Path, env: Mapping[str, str], module: str = "nliprobe") -> None:
        with ExitStack() as files:
            self._out, self._err = (files.enter_context(tempfile.NamedTemporaryFile()) for _ in range(2))
            self._files = files.pop_all()
        server = _warm()
        assert server.stdin is not None
        assert server.stdout is not None
        names = {"out": self._out.name, "err": self._err.name}
        told = {"module": module, "words": words, "cwd": str(cwd), "env": dict(env), **names}
        server.stdin.write(json.dumps(told) + "\n")
        server.stdin.flush()
        self._pid = int(server.stdout.readline())
        self._code = _reader().submit(server.stdout.readline)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.kill()
        self._files.close()

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code; raise TimeoutError if it has not ended by then."""
        return int(self._code.result(timeout))

    def kill(self) -> int:
        """Kill it unless it has ended, and return its exit code."""
        if not self._code.done():
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        return self.wait()

    def said(self) -> str:
        """Return what it wrote to standard output."""
        return Path(self._out.name).read_text(encoding="utf-8")

    def complained(self) -> str:
        """Return what it wrote to standard error."""
        return Path(self._err.name).read_text(encoding="utf-8")


@cache
def _reader() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "exit codes")


def nliprobe_json(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Any:
    """Run a verb with --format json and read its document."""
    return json.loads(nliprobe(*words, "--format", "json", cwd=cwd, env=env).stdout)
