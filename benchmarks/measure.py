"""What all benchmarks share: medians of repeats, processes with their peak memory, results as JSON."""

from __future__ import annotations

import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results"
_START_SECONDS = 120


class Finished(NamedTuple):
    """A process that ended well: its wall time, its peak memory, and the time of all cores that it took."""

    seconds: float
    peak_mb: float
    cpu_seconds: float


def median_of(work: Callable[[], object], repeats: int) -> float:
    """The median wall time of a function."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_process(command: Sequence[str], env: Mapping[str, str] | None = None, fine: Collection[int] = (0,)) -> Finished:
    """Run a command to its end; another exit status than a fine one stops the benchmark."""
    # Where Python is told to keep no bytecode it compiles every file anew: 0.3 s that no installed package needs.
    around = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env={**around, **(env or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in fine:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors.decode()}")
    return Finished(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def nliprobe(*words: str) -> list[str]:
    """The command line of this environment."""
    return [sys.executable, "-m", "nliprobe", *words]


@contextmanager
def serving(
    command: Callable[[int], Sequence[str]], env: Mapping[str, str]
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a server until the end of the block; its process and its port are given when it answers.

    Args:
        command: the words that start it at a port.
        env: its whole environment.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(command(port), env=env, stdout=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + _START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > limit:
                    raise SystemExit("the server does not answer") from None
                time.sleep(0.05)
        yield process, port
    finally:
        process.terminate()
        process.wait()


def corpora() -> Path | None:
    """The folder of real corpora, if there is one with InfoTabS."""
    root = os.environ.get("NLIPROBE_DATA", "")
    return Path(root) if root and (Path(root) / "infotabs").is_dir() else None


def in_folder(name: str, folder: Path | None, measure: Callable[[Path, Path], None]) -> None:
    """Measure with the corpora, in a folder that stays or in one that is removed afterwards."""
    root = corpora()
    if root is None:
        print(f"{name}: NLIPROBE_DATA has no InfoTabS; skipped")
    elif folder is not None:
        measure(folder, root)
    else:
        with tempfile.TemporaryDirectory() as made:
            measure(Path(made), root)


def report(name: str, result: Mapping[str, object]) -> None:
    """Print a result and keep it."""
    content = {"benchmark": name, "python": platform.python_version(), "cores": os.cpu_count(), **result}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(content, indent=1))
