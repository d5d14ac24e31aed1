"""Read the answers of a model to probes of corpora: a word of letters per pair, one letter per case.

The files are ``answers/NAME.json.gz`` of a paper. For each corpus and probe they hold a digest over the ids of all
cases, so that answers never apply to other cases than those that were asked. A user's folder with files of the same
names can replace them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeGuard, cast

from nliprobe.base.errors import DataError
from nliprobe.papers.answer_files import (
    NotMeasuredError,
    RecordedAnswers,
    find_answer_file,
    read_answer_file,
    seeds_words,
)
from nliprobe.task.labels import LETTERS

# The letter of a case that the model reads exactly like the pair it was made from.
UNCHANGED = "="
_TEXTS = ("system", "encoder", "represent", "premise", "made_by")


class AskedCorpus(NamedTuple):
    """A corpus that was asked: its digest, the hash of the suite, and for each probe a digest over its cases' ids."""

    digest: str
    suite: str
    cases: Mapping[str, str]


@dataclass(frozen=True)
class Answers(RecordedAnswers):
    """The answers of one model, trained with several seeds.

    Attributes:
        represent: how it reads tables.
        asked: the corpora and probes that were asked.
        seeds: the answers by seed, corpus and probe: a word per pair, separated by spaces.
    """

    represent: str
    asked: Mapping[str, AskedCorpus]
    seeds: Mapping[str, Mapping[str, Mapping[str, str]]]

    @property
    def by(self) -> str:
        """What produced the answers, for the reader of a table."""
        reading = "no premise" if self.premise == "none" else self.represent
        return f"{self.encoder}, {reading}, trained on {' and '.join(self.train)}, {seeds_words(self.seeds)}"

    @property
    def name(self) -> str:
        """The short name of the model, for rows and pictures."""
        return {"all-MiniLM-L6-v2": "MiniLM"}.get(self.encoder, self.encoder)

    def has(self, corpus: str, probe: str) -> bool:
        """Tell whether the cases of a probe on a corpus were asked."""
        return corpus in self.asked and probe in self.asked[corpus].cases

    def to(self, corpus: str, probe: str, digest: str, sizes: Sequence[int]) -> list[list[str]]:
        """Return the answers to the cases of a probe, for each seed a word per pair.

        Args:
            corpus: the corpus.
            probe: the spec of the probe.
            digest: the digest over the ids of the cases that the probe makes here.
            sizes: how many cases it makes of each pair.
        """
        if not self.has(corpus, probe):
            raise NotMeasuredError(f"{self.path} has no answers to {probe} on {corpus}. Ask the model: {self.made_by}.")
        asked = self.asked[corpus].cases[probe]
        if digest != asked:
            raise NotMeasuredError(
                f"{self.path} answers other cases of {probe} on {corpus} (digest {asked}) than nliprobe makes here "
                f"({digest}): the probe or your copy of the corpus is another one. Get the released files of the "
                f"corpus, or ask the model again: {self.made_by}."
            )
        words = [answers[corpus][probe].split(" ") for answers in self.seeds.values()]
        for seed, of_seed in zip(self.seeds, words, strict=True):
            if [len(word) for word in of_seed] != list(sizes):
                _refuse(self.path, f"a word per pair and a letter per case for {probe} on {corpus}, seed {seed}")
        return words


def find_probe_answers(name: str, folder: Path | None, shipped: Path) -> Answers | None:
    """Return the answers of a name: from the user's folder if it has them, else those of the package, else None."""
    path = find_answer_file(name, folder, shipped)
    return None if path is None else read_answers(path)


def read_answers(path: Path) -> Answers:
    """Read a file of answers and check everything that can be checked without the corpora."""
    content = read_answer_file(path, _TEXTS, partial(_refuse, path))
    asked, seeds = _asked(content.get("asked"), path), content.get("seeds")
    if not isinstance(seeds, dict) or not seeds or not all(isinstance(answers, dict) for answers in seeds.values()):
        _refuse(path, "answers for each seed under 'seeds'")
    for seed, answers in seeds.items():
        if answers.keys() != asked.keys():
            _refuse(path, f"answers of seed {seed} to {', '.join(asked)}, as under 'asked'")
        for corpus, probes in answers.items():
            if not _is_texts(probes) or probes.keys() != asked[corpus].cases.keys():
                _refuse(path, f"a text of letters for each probe on {corpus}, seed {seed}, as under 'asked'")
            for probe, letters in probes.items():
                if odd := sorted(set(letters) - {*LETTERS, UNCHANGED, " "}):
                    _refuse(path, f"only E, N, C, = and spaces for {probe} on {corpus}, seed {seed}, not {odd[0]!r}")
    texts = {name: str(content[name]) for name in _TEXTS}
    return Answers(path=path, train=tuple(cast("list[str]", content["train"])), asked=asked, seeds=seeds, **texts)


def _asked(content: object, path: Path) -> dict[str, AskedCorpus]:
    if not isinstance(content, dict) or not content:
        _refuse(path, "what was asked under 'asked'")
    asked: dict[str, AskedCorpus] = {}
    for corpus, entry in content.items():
        texts = [entry.get(name) for name in ("digest", "suite")] if isinstance(entry, dict) else [None]
        if not all(isinstance(text, str) for text in texts) or not _is_texts(entry.get("cases")):
            _refuse(path, f"a digest, a suite, and digests of cases by probe under 'asked', '{corpus}'")
        asked[corpus] = AskedCorpus(entry["digest"], entry["suite"], entry["cases"])
    return asked


def _is_texts(value: object) -> TypeGuard[dict[str, str]]:
    return isinstance(value, dict) and bool(value) and all(isinstance(text, str) for text in value.values())


def _refuse(path: Path, expected: str) -> NoReturn:
    raise DataError(f"{path} should hold {expected}. Make it again with python -m nliprobe.papers.write_answers.")
