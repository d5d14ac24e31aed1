"""Kill processes that add systems to one run at the same time, and count whether a system or a number is lost.

    python scripts/kill_runs.py --kills 200 --out kills.json

Two processes each add a system to the same folder. At random moments one of them is killed (SIGKILL) and started again,
until both are done. Then the run must be sound and hold both systems, with the numbers of a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import nliprobe

ON, PROBES = "builtin/tables-dev", ("gold", "rows.delete", "rows.permute?n=3")
SYSTEMS = ("one", "two")
ROOT = Path(__file__).parents[1]


class Slow:
    """Answers by content, slowly enough that a kill hits the middle of things."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
        """Return a label per pair."""
        time.sleep(0.0001 * len(premises))
        return [
            "ENC"[blake2b(f"{self.name} {premise} {hypothesis}".encode(), digest_size=1).digest()[0] % 3]
            for premise, hypothesis in zip(premises, hypotheses, strict=True)
        ]


def add_system(name: str, out: Path) -> None:
    """Add one system to a run; one of the two keeps its answers in the cache, too."""
    version = "1" if name == SYSTEMS[0] else ""
    system = nliprobe.system(Slow(name), name=name, version=version)
    nliprobe.run([system], ON, PROBES, out, labels="entailment,neutral,contradiction", shard_size=200)


def numbers(run: Path) -> str:
    """Return every number that ``show`` gives about each system, whichever was added first."""
    shown = nliprobe.open_run(run).summary()
    kept = {key: shown[key] for key in ("scores", "transitions", "expectations", "skipped")}
    ordered = {key: sorted(json.dumps(entry, sort_keys=True) for entry in entries) for key, entries in kept.items()}
    return json.dumps({"cases": shown["run"]["cases"], **ordered})


def kill_runs(count: int, seed: int, folder: Path) -> dict[str, int]:
    """Kill processes until there were so many kills, and count rounds, lost systems and other numbers."""
    moments = random.Random(f"kills {seed}")
    os.environ["NLIPROBE_CACHE"] = str(folder / "cache")
    started = time.monotonic()
    for name in SYSTEMS:
        add_system(name, folder / "undisturbed")
    longest = time.monotonic() - started
    expected = numbers(folder / "undisturbed")
    tally = {"kills": 0, "rounds": 0, "lost": 0, "wrong": 0, "failed": 0, "leftovers": 0}
    while tally["kills"] < count:
        tally["rounds"] += 1
        out, cache = folder / f"run{tally['rounds']}", folder / f"cache{tally['rounds']}"
        tally["kills"] += _one_round(out, cache, moments, longest, tally)
        opened = nliprobe.open_run(out)
        tally["lost"] += set(opened.systems) != set(SYSTEMS) or not nliprobe.check(out)
        tally["wrong"] += numbers(out) != expected
        tally["leftovers"] += any(out.rglob("*.damaged"))
    return tally


def _one_round(out: Path, cache: Path, moments: random.Random, longest: float, tally: dict[str, int]) -> int:
    """Let two processes fill one run, and kill one of them at a time until both have ended by themselves."""
    kills = 0
    working = {name: _start(name, out, cache) for name in SYSTEMS}
    while working:
        until = time.monotonic() + moments.uniform(0, longest)
        while working and time.monotonic() < until:
            for name, process in list(working.items()):
                if process.poll() is not None:
                    tally["failed"] += process.returncode != 0
                    _close(working.pop(name))
            time.sleep(0.002)
        if working:
            victim = moments.choice(sorted(working))
            working[victim].kill()
            working[victim].wait()
            _close(working[victim])
            kills += 1
            working[victim] = _start(victim, out, cache)
    return kills


def _start(name: str, out: Path, cache: Path) -> subprocess.Popen[str]:
    """Start a process that adds a system, and wait until it has imported what it needs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.kill_runs", "--worker", name, "--run", str(out)],
        cwd=ROOT,
        env={**os.environ, "NLIPROBE_CACHE": str(cache)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if process.stdout is not None:
        process.stdout.readline()
    return process


def _close(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def main(words: Sequence[str] | None = None) -> int:
    """Kill as asked on the command line; the exit code is 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--worker", choices=SYSTEMS, help="Used by the script itself: the system to add.")
    parser.add_argument("--run", type=Path, help="Used by the script itself: the folder of the run.")
    options = parser.parse_args(words)
    if options.worker is not None:
        import polars  # noqa: F401 - imported before the clock starts

        print("ready", flush=True)
        add_system(options.worker, options.run)
        return 0
    with tempfile.TemporaryDirectory() as name:
        tally = kill_runs(options.kills, options.seed, Path(name))
    print(json.dumps(tally))
    if options.out is not None:
        options.out.write_text(json.dumps({"seed": options.seed, **tally}, indent=1) + "\n", encoding="utf-8")
    return int(bool(tally["lost"] or tally["wrong"] or tally["failed"]))


if __name__ == "__main__":
    sys.exit(main())
