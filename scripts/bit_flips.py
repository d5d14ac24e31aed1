"""Flip single bits in all files of a run and of its cache, and count whether any number changes without a word.

    python scripts/bit_flips.py --flips 1000 --out flips.json

A run of two systems over built-in tables is made, with several shards and a cache. For each flip a random bit of a
random file is turned over. Then ``show`` and ``compare`` read the run, or a new run is made with the flipped cache.
What they give must be the same as before, or an error, or carry a warning. Anything else is a silently wrong number.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import nliprobe
from nliprobe.base.errors import NliprobeError

ON, PROBES = "builtin/tables-dev", ("gold", "rows.delete", "inv.surface")
LABELS = "entailment,neutral,contradiction"


def one(premises: Sequence[str], hypotheses: Sequence[str]) -> list[list[float]]:
    """Answer by content, with probabilities, so that the cache has some to lose."""
    return [_shares(f"one {premise} {hypothesis}") for premise, hypothesis in zip(premises, hypotheses, strict=True)]


def two(premises: Sequence[str], hypotheses: Sequence[str]) -> list[list[float]]:
    """Answer by content, otherwise than the first."""
    return [_shares(f"two {premise} {hypothesis}") for premise, hypothesis in zip(premises, hypotheses, strict=True)]


def _shares(text: str) -> list[float]:
    parts = [1 + byte for byte in blake2b(text.encode(), digest_size=3).digest()]
    return [part / sum(parts) for part in parts]


@dataclass(frozen=True)
class Ground:
    """A run, its cache, and what they give when nothing is wrong."""

    folder: Path
    shown: str
    compared: str

    @property
    def run(self) -> Path:
        """The run folder."""
        return self.folder / "run"

    @property
    def cache(self) -> Path:
        """The cache of the answers."""
        return self.folder / "cache"

    def files(self) -> list[Path]:
        """Return every file of the run and of the cache of answers."""
        every = (*self.run.rglob("*"), *(self.cache / "answers").rglob("*"))
        return sorted(path for path in every if path.is_file())


def ask(out: Path) -> None:
    """Make a run of both systems, with the cache that the environment names."""
    systems = [nliprobe.system(asked, version="1", labels=LABELS) for asked in (one, two)]
    nliprobe.run(systems, ON, PROBES, out, labels=LABELS, shard_size=300)


def prepare(folder: Path) -> Ground:
    """Make the run, and read what it gives."""
    os.environ["NLIPROBE_CACHE"] = str(folder / "cache")
    ask(folder / "run")
    return Ground(folder, *numbers(folder / "run"))


def numbers(run: Path) -> tuple[str, str]:
    """Return every number that ``show`` and ``compare`` give, as JSON; an unfinished or partial run is an error."""
    opened = nliprobe.open_run(run)
    shown = opened.summary()
    compared = nliprobe.compare(opened, left="one", right="two").document
    for warnings in (shown["run"]["integrity"]["warnings"], compared["systems"][0]["integrity"]["warnings"]):
        if warnings:
            raise Warned(" ".join(warnings))
    # Times and the name of the folder differ between two runs of the same suite.
    head = {key: value for key, value in shown["run"].items() if key not in ("folder", "created", "finished")}
    systems = [{**system, "folder": ""} for system in compared["systems"]]
    return json.dumps({**shown, "run": head}, sort_keys=True), json.dumps(
        {**compared, "systems": systems}, sort_keys=True
    )


class Warned(NliprobeError):
    """A result that says that it is not whole."""


def flip(path: Path, chosen: random.Random) -> None:
    """Turn one bit of a file over."""
    content = bytearray(path.read_bytes())
    place = chosen.randrange(len(content))
    content[place] ^= 1 << chosen.randrange(8)
    path.write_bytes(content)


def trial(ground: Ground, path: Path, chosen: random.Random) -> str:
    """Flip one bit, look, put the file back, and say how it went: same, error, warned, WRONG or TRACEBACK."""
    kept, before = path.read_bytes(), set(ground.files())
    flip(path, chosen)
    try:
        if ground.run in path.parents:
            return _judge(ground, ground.run)
        again = ground.folder / "again"
        try:
            ask(again)
            return _judge(ground, again)
        finally:
            shutil.rmtree(again, ignore_errors=True)
    except Warned:
        return "warned"
    except NliprobeError:
        return "error"
    except Exception as error:
        print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
        return "TRACEBACK"
    finally:
        for new in set(ground.files()) - before:
            new.unlink()
        path.write_bytes(kept)


def _judge(ground: Ground, run: Path) -> str:
    return "same" if numbers(run) == (ground.shown, ground.compared) else "WRONG"


def flips(count: int, seed: int, folder: Path) -> dict[str, Counter[str]]:
    """Try many flips, and count how they went, for files of the run and for files of the cache."""
    chosen = random.Random(f"bit flips {seed}")
    ground = prepare(folder)
    counts = {"run": Counter[str](), "cache": Counter[str]()}
    for _ in range(count):
        path = chosen.choice(ground.files())
        kind = "run" if ground.run in path.parents else "cache"
        counts[kind][trial(ground, path, chosen)] += 1
    return counts


def main(words: Sequence[str] | None = None) -> int:
    """Flip bits as asked on the command line; the exit code is 1 if a number was silently wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        counts = flips(options.flips, options.seed, Path(name))
    result = {"flips": options.flips, "seed": options.seed, **{kind: dict(found) for kind, found in counts.items()}}
    print(json.dumps(result))
    if options.out is not None:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(any(found["WRONG"] or found["TRACEBACK"] for found in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
