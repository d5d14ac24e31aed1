"""Run the fuzz targets on many inputs: ``python -m tests.fuzz -n 100000``; inputs that fail are kept for a replay."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

from tests.fuzz.harness import FOUND, Failure, mutations, replays, target_names

# Of failures of one kind in one place, the first ones say enough.
_KEPT_PER_KIND = 3
_PROGRESS_SECONDS = 10.0


def main(words: list[str] | None = None) -> int:
    """Run the targets; return 1 if an input failed."""
    options = _options(words)
    if options.replay:
        return _replay(options.target[0], options.replay)
    names = options.target or target_names()
    failed = 0
    for place, name in enumerate(names):
        # The first targets get what does not divide evenly.
        inputs = options.inputs // len(names) + (place < options.inputs % len(names))
        failed += _fuzz(name, inputs, options.seed, options.save)
    if failed:
        print(
            f"{failed:,} inputs failed. Each is kept in {options.save}/TARGET/; run one again with\n"
            f"  python -m tests.fuzz --target TARGET --replay {options.save}/TARGET/FILE\n"
            f"and, once it is mended, move it to {FOUND}/TARGET/, which make test replays."
        )
    return 1 if failed else 0


def _options(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Run parsers on hostile inputs.")
    parser.add_argument("-n", "--inputs", type=int, default=100_000, help="inputs over all targets (100000)")
    parser.add_argument("--target", action="append", default=[], choices=target_names(), help="only this target")
    parser.add_argument("--seed", type=int, default=1, help="another number draws other inputs (1)")
    parser.add_argument("--save", type=Path, default=Path("fuzz-failures"), help="where failing inputs are kept")
    parser.add_argument("--replay", type=Path, help="run one kept input again (with --target)")
    options = parser.parse_args(words)
    if options.replay and len(options.target) != 1:
        parser.error("--replay needs one --target")
    return options


def _fuzz(name: str, inputs: int, seed: int, save: Path) -> int:
    kinds: Counter[str] = Counter()
    started = told = time.monotonic()
    done = 0
    for done, failure in enumerate(mutations(name, seed, range(inputs)), 1):
        if failure is not None:
            kinds[failure.kind] += 1
            if kinds[failure.kind] <= _KEPT_PER_KIND:
                print(f"\n{failure}\nkept as {_keep(failure, save)}\n", flush=True)
        if time.monotonic() - told > _PROGRESS_SECONDS:
            told = time.monotonic()
            print(f"  {name}: {done:,} of {inputs:,} inputs, {kinds.total():,} failed", flush=True)
    seconds = time.monotonic() - started
    print(f"{name}: {done:,} inputs in {seconds:.0f} s, {kinds.total():,} failed", flush=True)
    for kind, count in kinds.most_common():
        print(f"  {count:,} × {kind}")
    return kinds.total()


def _keep(failure: Failure, save: Path) -> Path:
    path = save / failure.target / sha256(failure.data).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(failure.data)
    return path


def _replay(name: str, path: Path) -> int:
    failure = next(replays(name, [path.read_bytes()]))
    print(failure or f"{name} withstands {path}.")
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main())
