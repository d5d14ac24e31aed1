"""A file of the cache of answers, under a name that is its digest and under one of an earlier version."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.base.hashing import digest, digest_bytes
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet

BEFORE = Path(__file__).parents[2] / "store" / "data" / "answers-before.parquet"
IDS = [digest(str(number)) for number in range(20)]


@cache
def example() -> bytes:
    """A file of twenty answers with probabilities."""
    answers = {name: Prediction(LabelSet.of("ENC"[place % 3]), (0.5, 0.25, 0.25)) for place, name in enumerate(IDS)}
    with tempfile.TemporaryDirectory() as name:
        AnswerCache(Path(name)).add(answers)
        [path] = Path(name).glob("*.parquet")
        return path.read_bytes()


def seeds() -> list[bytes]:
    """Return a file of today and one of an earlier version."""
    return [example(), BEFORE.read_bytes()]


def run(data: bytes, folder: Path) -> None:
    """Open caches of the file, look answers up, and add to them."""
    for name in (digest_bytes(data), "0" * 32):
        place = folder / name
        place.mkdir()
        (place / f"{name}.parquet").write_bytes(data)
        cached = AnswerCache(place)
        cached.get(IDS)
        cached.add({IDS[0]: Prediction(LabelSet.of("E"))})
        cached.merge()


TARGET = Target("cache_shard", seeds, run)
