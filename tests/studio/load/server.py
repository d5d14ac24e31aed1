"""``nliprobe serve`` as a process of its own, which can be killed and started again at the same address."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-for-tests-only"
_START_SECONDS = 120


def environment() -> dict[str, str]:
    """Return the environment of programs that import the tests and what they test."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NLIPROBE_OWNER_TOKEN": TOKEN}


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """The server of one store."""

    def __init__(self, place: str, folder: Path, files: int | None = None) -> None:
        """Prepare a server that can open so many files, if that is said."""
        self.port, self._files = free_port(), files
        self._command = [sys.executable, "-m", "nliprobe", "serve", str(folder), "--database", place]
        self._command += ["--port", str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.DEVNULL,
            preexec_fn=None if self._files is None else self._limit,
        )
        limit = time.monotonic() + _START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, "the server has ended by itself"
                assert time.monotonic() < limit, "the server does not answer"
                time.sleep(0.02)

    def _limit(self) -> None:
        assert self._files is not None
        resource.setrlimit(resource.RLIMIT_NOFILE, (self._files, self._files))

    def kill(self, number: int = signal.SIGKILL) -> int:
        """End it, by default without a chance to finish anything."""
        assert self._process is not None
        assert self._process.poll() is None, "the server has ended by itself"
        self._process.send_signal(number)
        return self._process.wait(timeout=30)
