"""Read answers of models that were trained elsewhere, one letter per pair: ``answers/NAME.json.gz``.

They are labels and not scores, so that every number of a table is computed from them. A user's folder with files of
the same names can replace them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeGuard, cast

from nliprobe.base.errors import DataError
from nliprobe.papers.answer_files import RecordedAnswers, find_answer_file, read_answer_file, seeds_words
from nliprobe.task.labels import LETTERS

SHIPPED = Path(__file__).parent / "answers"
# The answers that the tables need, by how the premise is read; snli- and multinli- were trained on sentences.
NAMES = (
    "hypothesis",
    "dummy",
    "swapped",
    "snli-para",
    "snli-wmd-1",
    "multinli-para",
    "multinli-wmd-1",
    "para",
    "wmd-1",
    "wmd-3",
    "struct",
    "tabattn",
)
_TEXTS = ("system", "encoder", "represent", "premise", "made_by")
_PREMISES = {"none": "no premise", "dummy": "dummy premise"}


@dataclass(frozen=True)
class Answers(RecordedAnswers):
    """The answers of one model, trained with several seeds, to whole splits.

    Attributes:
        represent: how it reads tables.
        digests: the digest of each split that was asked.
        seeds: the answers by seed and split, in the order of the corpus.
        note: what a reader of a table should know about them, a sentence or nothing.
    """

    represent: str
    digests: Mapping[str, str]
    seeds: Mapping[str, Mapping[str, str]]
    note: str = ""

    @property
    def by(self) -> str:
        """What produced the answers, for the reader of a table."""
        reading = _PREMISES.get(self.premise, self.represent)
        if self.premise == "swapped":
            reading += ", swapped premises"
        return f"{self.encoder}, {reading}, trained on {' and '.join(self.train)}, {seeds_words(self.seeds)}"

    def to(self, split: str, digest: str, gold: str) -> list[str]:
        """Return the answers to a split, one text of letters per seed; raise if they answer another version of it."""
        if digest != self.digests[split]:
            raise DataError(
                f"{self.path} answers another {split} (digest {self.digests[split]}) than the one here ({digest}). "
                "Get the released files of InfoTabS, or make the answers again from yours."
            )
        for seed, answers in self.seeds.items():
            if len(answers[split]) != len(gold):
                raise DataError(
                    f"{self.path}: seed {seed} has {len(answers[split]):,} answers to {split}, which has "
                    f"{len(gold):,} pairs. Make the file again with python -m nliprobe.papers.infotabs.write_answers."
                )
        return [answers[split] for answers in self.seeds.values()]


def find_answers(name: str, folder: Path | None) -> Answers | None:
    """Return the answers of a name: from the user's folder if it has them, else the shipped ones, else None."""
    path = find_answer_file(name, folder, SHIPPED)
    return None if path is None else read_answers(path)


def read_answers(path: Path) -> Answers:
    """Read a file of answers and check everything that can be checked without the corpus."""
    content = read_answer_file(path, _TEXTS, partial(_refuse, path))
    train = cast("list[str]", content["train"])
    digests, seeds = content.get("digests"), content.get("seeds")
    if not _is_texts(digests):
        _refuse(path, "a digest for each corpus under 'digests'")
    if not isinstance(seeds, dict) or not seeds or not all(_is_texts(answers) for answers in seeds.values()):
        _refuse(path, "for each seed a text of letters for each corpus under 'seeds'")
    for seed, answers in seeds.items():
        if answers.keys() != digests.keys():
            _refuse(path, f"answers of seed {seed} to {', '.join(digests)}, as under 'digests'")
        for split, letters in answers.items():
            if odd := sorted(set(letters) - set(LETTERS)):
                _refuse(path, f"only the letters E, N and C for {split}, seed {seed}, not {odd[0]!r}")
    texts = {name: str(content[name]) for name in _TEXTS}
    note = str(content.get("note", ""))
    return Answers(path=path, train=tuple(train), digests=digests, seeds=seeds, note=note, **texts)


def _is_texts(value: object) -> TypeGuard[dict[str, str]]:
    return isinstance(value, dict) and bool(value) and all(isinstance(text, str) for text in value.values())


def _refuse(path: Path, expected: str) -> NoReturn:
    raise DataError(
        f"{path} should hold {expected}. Make it again with python -m nliprobe.papers.infotabs.write_answers."
    )
