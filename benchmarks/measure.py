"""What all benchmarks share: medians of repeats, processes with their peak memory, results as JSON."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results"


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
