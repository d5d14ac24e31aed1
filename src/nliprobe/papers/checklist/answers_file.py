"""Read a model's answers to the checklist and other parts of the library, one letter per example.

The files are ``answers/NAME.json.gz``.

They are labels and not scores, so that every number of a table is computed from them. For benchmarks only counts are
shipped, because their pairs are not in the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, NoReturn, cast

from nliprobe.base.errors import DataError
from nliprobe.papers.answer_files import NotMeasuredError as NotMeasuredError
from nliprobe.papers.answer_files import RecordedAnswers, read_answer_file, seeds_words
from nliprobe.task.labels import LETTERS

# The parts of the library that answers are shipped for.
CHECKLIST, PAPER, READINGS = "checklist", "checklist-paper", "checklist-readings?n=100"
SHIPPED = Path(__file__).parent / "answers"
ENDING = ".json.gz"
WITH_PREMISE, HYPOTHESIS_ONLY = "nli", "hypothesis"
# The same models on the cells of tables 5 and 6.
CELLS_WITH_PREMISE, CELLS_HYPOTHESIS_ONLY = "cells-nli", "cells-hypothesis"
# How the model is asked.
MEASURE = (
    "python benchmarks/gpu/job.py OUT SECONDS benchmarks/gpu/checklist_minilm.json on a machine with a GPU, then "
    "python scripts/checklist_results.py --answers OUT"
)
_TEXTS = ("system", "encoder", "premise", "made_by", "digest")


class Part(NamedTuple):
    """The digest of a part of the library, and the answers of each seed to it."""

    digest: str
    seeds: Mapping[str, str]


@dataclass(frozen=True)
class Answers(RecordedAnswers):
    """The answers of one model, trained with several seeds.

    Attributes:
        digest: the digest of the checklist that was asked.
        seeds: the answers of each seed, in the order of the checklist.
        more: digests and answers to other parts of the library, by the name of the part.
        counts: for each benchmark and seed, how many answers are right, and of how many pairs.
    """

    digest: str
    seeds: Mapping[str, str]
    more: Mapping[str, Part]
    counts: Mapping[str, Mapping[str, tuple[int, int]]]

    def by(self, asked: str = "the checklist of nliprobe") -> str:
        """Return what produced the answers, for the reader of a table."""
        reading = ", no premise" if self.premise == "none" else ""
        return (
            f"{self.encoder}{reading}, trained on {' and '.join(self.train)}, asked {asked}, {seeds_words(self.seeds)}"
        )

    def to(self, digest: str, examples: int, part: str = CHECKLIST) -> list[str]:
        """Return the answers to a part of the library, one text of letters per seed; raise if it was another one."""
        asked = Part(self.digest, self.seeds) if part == CHECKLIST else self.more.get(part, Part("none", {}))
        if digest != asked.digest:
            raise NotMeasuredError(
                f"{self.path} answers another {part} (digest {asked.digest}) than the one here ({digest}): the "
                f"templates have changed since. Ask the model again: {MEASURE}."
            )
        for seed, letters in asked.seeds.items():
            if len(letters) != examples:
                _refuse(self.path, f"{examples:,} answers of seed {seed} to {part}, not {len(letters):,}")
        return list(asked.seeds.values())

    def benchmark(self, name: str) -> list[float]:
        """Return the percentage of right answers to a benchmark, one number per seed."""
        return [100 * right / n for right, n in self.counts.get(name, {}).values()]


def has_answers(name: str) -> bool:
    """Whether answers of a name come with the package."""
    return (SHIPPED / f"{name}{ENDING}").is_file()


@cache
def shipped_answers(name: str) -> Answers:
    """Return the answers of a name that come with the package; raise if there are none."""
    if not has_answers(name):
        raise NotMeasuredError(f"There are no answers '{name}' in {SHIPPED}. Ask the model: {MEASURE}.")
    return read_answers(SHIPPED / f"{name}{ENDING}")


def read_answers(path: Path) -> Answers:
    """Read a file of answers and check everything that can be checked without the suite."""
    content = read_answer_file(path, _TEXTS, partial(_refuse, path))
    train = cast("list[str]", content["train"])
    more = content.get("more", {})
    if not isinstance(more, dict) or not all(isinstance(part, dict) and "digest" in part for part in more.values()):
        _refuse(path, "a digest and seeds for each part of the library under 'more'")
    texts = {name: str(content[name]) for name in _TEXTS}
    return Answers(
        path=path,
        train=tuple(train),
        seeds=_seeds(content.get("seeds"), path),
        more={name: Part(str(part["digest"]), _seeds(part.get("seeds"), path)) for name, part in more.items()},
        counts=_counts(content.get("counts"), path),
        **texts,
    )


def _seeds(seeds: object, path: Path) -> dict[str, str]:
    if not isinstance(seeds, dict) or not seeds or not all(isinstance(letters, str) for letters in seeds.values()):
        _refuse(path, "a text of letters for each seed under 'seeds'")
    for seed, letters in seeds.items():
        if odd := sorted(set(letters) - set(LETTERS)):
            _refuse(path, f"only the letters E, N and C for seed {seed}, not {odd[0]!r}")
    return seeds


def _counts(content: object, path: Path) -> dict[str, dict[str, tuple[int, int]]]:
    counts: dict[str, dict[str, tuple[int, int]]] = {}
    if not isinstance(content, dict):
        _refuse(path, "counts of right answers by benchmark under 'counts'")
    for corpus, seeds in content.items():
        if not isinstance(seeds, dict) or not all(_is_count(count) for count in seeds.values()):
            _refuse(path, f"[right, pairs] for each seed under 'counts', '{corpus}'")
        counts[corpus] = {seed: (int(right), int(n)) for seed, (right, n) in seeds.items()}
    return counts


def _is_count(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2 or not all(type(number) is int for number in value):
        return False
    return bool(0 <= value[0] <= value[1] and value[1])


def _refuse(path: Path, expected: str) -> NoReturn:
    raise DataError(
        f"{path} should hold {expected}. Make it again with python -m nliprobe.papers.checklist.write_answers."
    )
