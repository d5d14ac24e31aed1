"""Made-up answers to the checklist, so that tables and pages are tested without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nliprobe.papers.checklist import _gold, results
from nliprobe.papers.checklist.answers_file import CHECKLIST, HYPOTHESIS_ONLY, PAPER, READINGS, Answers, Part

Make = Callable[[str], Answers]
COUNTS = {"snli/dev": dict.fromkeys("012", (86, 100)), "multinli/dev-matched": dict.fromkeys("012", (7, 10))}


def always_right(name: str) -> Answers:
    """A model that is always right and takes the second reading, and a control that always answers E."""
    blind = name == HYPOTHESIS_ONLY
    return _made(name, lambda seed, text: "E" * len(text) if blind else text)


def of_three_minds(name: str) -> Answers:
    """A model whose first seed is always right, while the others always answer E or N; its control answers C too."""
    letter = {"0": "C", "1": "E", "2": "N"}
    blind = name == HYPOTHESIS_ONLY
    return _made(name, lambda seed, text: text if seed == "0" and not blind else letter[seed] * len(text))


def _made(name: str, say: Callable[[str, str], str]) -> Answers:
    golds = {part: _gold.suite(part) for part in (CHECKLIST, PAPER, READINGS)}
    parts = {
        part: Part(asked.digest, {seed: say(seed, asked.second if part == READINGS else asked.gold) for seed in "012"})
        for part, asked in golds.items()
    }
    whole = parts.pop(CHECKLIST)
    premise = "none" if name == HYPOTHESIS_ONLY else "full"
    return Answers(
        Path("made.json.gz"), name, "made", premise, ("snli/train",), "", whole.digest, whole.seeds, parts, COUNTS
    )  # fmt: skip


@contextmanager
def answering(make: Make, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put made answers in the place of those that are shipped."""
    _gold.scores.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(_gold, "shipped_answers", make)
        patch.setattr(results, "shipped_answers", make)
        yield
    _gold.scores.cache_clear()
