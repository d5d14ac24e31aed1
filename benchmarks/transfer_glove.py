"""Why mean GloVe gets less here than was published: its width, words without a vector, and how texts are split.

``python benchmarks/transfer_glove.py [TASK …]`` prints a line per task; docs/guide/transfer.md shows the result.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from nliprobe.corpora.transfer.task import Metric, TransferTask
from nliprobe.corpora.transfer.tasks import TASKS, open_task
from nliprobe.language.tokens import tokens
from nliprobe.language.vectors import Vectors
from nliprobe.models.glove import Glove
from nliprobe.stats.correlation import pearson
from nliprobe.training.transfer import run_task

WIDTHS = (25, 50, 75)
PUBLISHED_WIDTH = 300
# The principal directions are those of the most frequent words.
FREQUENT = 20_000
# Words that this copy of the vectors lacks, and similar ones that it has; numbers are replaced, too.
SIMILAR = {"a": "an", "i": "me", "n't": "not", "'s": "is", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am",
           "'d": "would", "t": "not", "u.s": "america"}  # fmt: skip


def replaced(text: str) -> list[str]:
    return ["three" if word.isdigit() else SIMILAR.get(word, word) for word in tokens(text)]


def spaces(text: str) -> list[str]:
    return text.lower().split()


def directions(vectors: Vectors) -> NDArray[np.float64]:
    """Return the principal directions of the words, the strongest first."""
    words = vectors.take(range(min(FREQUENT, len(vectors))))
    words = words - words.mean(axis=0)
    turned: NDArray[np.float64] = np.linalg.eigh(words.T @ words)[1][:, ::-1]
    return turned


def score(task: TransferTask, split: Callable[[str], list[str]], turn: NDArray[np.float64] | None = None) -> float:
    """Return the main measure of a task in percent."""
    with patch("nliprobe.models.glove.tokens", split):
        model = Glove()
        parts = [model.embed(texts) for texts in (task.first, task.second) if texts]
    first, *second = parts if turn is None else [(part @ turn).astype(np.float32) for part in parts]
    answered = run_task(task, first, second[0] if second else None)
    gold = np.array(task.targets, dtype=np.float64)[answered.places]
    if task.metric is Metric.PEARSON:
        return 100 * (pearson(gold, answered.answers) or 0.0)
    return 100 * float((gold == answered.answers).mean())


def main(names: list[str]) -> None:
    vectors = Glove().vectors
    turn = directions(vectors)
    for name in names or list(TASKS):
        task = open_task(name)
        whole = score(task, tokens)
        narrow = [score(task, tokens, turn[:, :width]) for width in WIDTHS]
        # Through all widths but the first, where the loss is no longer a line.
        sizes = [math.log2(width) for width in (*WIDTHS[1:], vectors.dimensions)]
        line = np.polyfit(sizes, [*narrow[1:], whole], 1)
        print(
            f"{name}: {whole:.1f};",
            ", ".join(f"{value:.1f} with {width}" for width, value in zip(WIDTHS, narrow, strict=True)),
            f"and {np.polyval(line, math.log2(PUBLISHED_WIDTH)):.1f} by extrapolation to {PUBLISHED_WIDTH};",
            f"missing words replaced {score(task, replaced) - whole:+.1f},",
            f"split at spaces {score(task, spaces) - whole:+.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
