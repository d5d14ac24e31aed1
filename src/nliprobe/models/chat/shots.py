"""Examples for few-shot prompts, drawn from a file with the same number of each label."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nliprobe.base.errors import DataError, where
from nliprobe.base.halves import whole_json
from nliprobe.base.limited import read_limited
from nliprobe.base.seeds import draws
from nliprobe.models.chat.prompt import Shot, read_shot
from nliprobe.task.labels import LabelSet

_MOST_BYTES = 64_000_000
_REMEDY = "A few hundred examples to draw from are enough."


def draw_shots(path: Path, count: int, seed: int, labels: Mapping[LabelSet, str]) -> tuple[Shot, ...]:
    """Draw examples from a file of JSON lines with premise, hypothesis and label.

    Each label has the same number of them; if the count is no multiple of the number of labels, the first labels have
    one more. Their order is drawn, too. The same file, count and seed give the same examples.

    Args:
        path: the file.
        count: how many examples.
        seed: of the draw.
        labels: the words for labels, in which the file may name them.
    """
    pools: dict[LabelSet, list[Shot]] = {label: [] for label in labels}
    for number, line in enumerate(read_limited(path, _MOST_BYTES, _REMEDY).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(whole_json(line))
        except (ValueError, RecursionError):
            raise DataError(f"{where(path, number)} is not JSON: examples are JSON lines.") from None
        shot = read_shot(record, labels, where(path, number))
        pools[shot.label].append(shot)
    random = draws(seed, "shots", str(count))
    drawn: list[Shot] = []
    for place, (label, pool) in enumerate(pools.items()):
        wanted = count // len(pools) + (place < count % len(pools))
        distinct = list(dict.fromkeys(pool))
        if len(distinct) < wanted:
            raise DataError(
                f"{path} has {len(distinct)} examples of {labels[label]}, but shots={count} needs {wanted} of them."
            )
        drawn += random.sample(distinct, wanted)
    random.shuffle(drawn)
    return tuple(drawn)
