"""Turning the raw files of a CheckList suite into a corpus and answers, with the document of what was made of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypedDict

from nliprobe.base.errors import DataError, UsageError, flag, option
from nliprobe.base.files import writing
from nliprobe.corpora.raw_suites.examples import Example, read_examples
from nliprobe.corpora.raw_suites.predictions import Answer, read_predictions
from nliprobe.corpora.raw_suites.rows import Rows
from nliprobe.corpora.raw_suites.tests import About, about_of, read_tests
from nliprobe.task.labels import NAMES, LabelMap

SCHEMA: Final = "nliprobe/checklist-import/1"


class ChecklistImportDocument(TypedDict):
    """What was read and written.

    ``labels`` counts gold labels, ``compared`` the examples that are compared with the first one of their test case.
    ``source`` and ``system`` are the specs by which the corpus and the answers are used. ``notes`` says in sentences
    what the files do not hold.
    """

    schema: Literal["nliprobe/checklist-import/1"]
    raw: str
    written: str
    answers: str | None
    examples: int
    tests: int
    capabilities: list[str]
    labels: dict[str, int]
    compared: int
    answered: int | None
    source: str
    system: str | None
    notes: list[str]


@dataclass(frozen=True)
class _Row:
    example: Example
    about: About | None
    answer: Answer | None


def import_checklist(
    raw: str | Path,
    out: str | Path,
    *,
    tests: str | Path | None = None,
    predictions: str | Path | None = None,
    answers: str | Path | None = None,
    labels: str = "",
    force: bool = False,
) -> ChecklistImportDocument:
    """Write a corpus from a raw file, and answers from a file of predictions.

    CheckList finds a prediction by its line. The lines of all files are joined here, once and only if there are equally
    many of them; what is written has ids.

    Args:
        raw: the raw file, perhaps with the parameters of
            :class:`~nliprobe.corpora.raw_suites.examples.RawOptions`: ``raw.txt?premise=1&hypothesis=2``.
        out: the JSONL file of pairs to write.
        tests: a file with what is known about each line: its test, test case, capability, type and label.
        predictions: the file of predictions, with its form: ``preds.txt?form=pred_and_softmax``.
        answers: the JSONL file of answers to write.
        labels: what codes mean: ``entailment,neutral,contradiction``.
        force: whether existing files are overwritten.
    """
    target, answered = Path(out), None if answers is None else Path(answers)
    if (predictions is None) != (answered is None):
        raise UsageError(f"{option('predictions')} and {option('answers')} belong together: give both or none.")
    for path in (target, answered):
        if path is not None and path.exists() and not force:
            raise UsageError(f"{path} is already there. Choose another name, or overwrite it with {flag('force')}.")
    if target == answered:
        raise UsageError(f"The corpus and the answers cannot both be {target}.")
    spelled = LabelMap.parse(labels) if labels else LabelMap()
    rows = Rows()
    given: Counter[bool] = Counter()
    with ExitStack() as stack:
        pairs = stack.enter_context(writing(target))
        lines = None if answered is None else stack.enter_context(writing(answered))
        for row in _joined(raw, tests, predictions, spelled):
            record = rows.add(row.example, row.about)
            _write(pairs, record)
            if lines is not None and row.answer is not None:
                given[row.answer.label is not None] += 1
                _write(lines, {"id": record["id"]} | _answer(row.answer))
    return ChecklistImportDocument(
        schema=SCHEMA,
        raw=str(raw).partition("?")[0],
        written=str(target),
        answers=None if answered is None else str(answered),
        examples=rows.examples,
        tests=len(rows.tests),
        capabilities=sorted(rows.capabilities),
        labels={NAMES.get(name, name): number for name, number in sorted(rows.labels.items())},
        compared=rows.compared,
        answered=None if answered is None else given[True],
        source=f"file:{target}?{rows.parameters()}",
        system=None if answered is None else f"predictions:{answered}",
        notes=[*rows.notes(option("tests")), *_notes(str(predictions or ""), given)],
    )


def _joined(
    raw: str | Path, tests: str | Path | None, predictions: str | Path | None, labels: LabelMap
) -> Iterator[_Row]:
    """Join the lines of all files; a different number of them is an error, which is known only at the end."""
    abouts = None if tests is None else read_tests(tests, labels)
    given = None if predictions is None else read_predictions(predictions, labels)
    counts: Counter[str] = Counter()
    for example, about, answer in zip_longest(read_examples(raw), abouts or (), given or ()):
        counts["examples"] += example is not None
        counts["tests"] += about is not None
        counts["predictions"] += answer is not None
        if example is None:
            continue
        if tests is None and example.named:
            about = about_of(example.named, labels, example.place)
        yield _Row(example, about if about is not None and about.test else None, answer)
    for name, path in (("tests", tests), ("predictions", predictions)):
        if path is not None and counts[name] != counts["examples"]:
            hint = " Is the first line of one of them a header (header=1)?" if _near(counts, name) else ""
            raise DataError(
                f"{str(raw).partition('?')[0]} holds {counts['examples']:,} examples, but "
                f"{str(path).partition('?')[0]} holds {counts[name]:,} {name}: they should have a line for each "
                f"other, in the same order. Nothing was written.{hint}"
            )


def _near(counts: Counter[str], name: str) -> bool:
    return abs(counts[name] - counts["examples"]) == 1


def _answer(answer: Answer) -> dict[str, object]:
    label = None if answer.label is None else str(answer.label)
    shown: dict[str, object] = {"prediction": NAMES.get(label or "", label)}
    return shown | ({"probabilities": answer.probabilities} if answer.probabilities else {})


def _notes(predictions: str, given: Counter[bool]) -> Iterator[str]:
    if "form=pred_and_conf" in predictions:
        yield "The confidence of one label does not say the probabilities of all: it is not kept."
    if given[False]:
        yield f"{given[False]:,} predictions name no label: they are no answers."


def _write(stream: BinaryIO, record: dict[str, object]) -> None:
    stream.write((json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8"))
