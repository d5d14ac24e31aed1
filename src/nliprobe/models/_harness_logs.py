"""Answers in the logs of harnesses: lm-evaluation-harness, and Inspect.

An answer to an exported case is found by the id that the export gave it, any other one by premise and hypothesis. What
a log says about the order of samples is never used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeGuard

from nliprobe.base.errors import DataError
from nliprobe.base.records.files import record_files
from nliprobe.base.records.json_text import read_json_lines
from nliprobe.base.records.read import Format, Numbered, Record, RecordFile
from nliprobe.base.records.text import parse_json, read_lines, read_text
from nliprobe.models._foreign_samples import choices_of, chosen, read_answer, scores_of, texts_of
from nliprobe.models.written_label import read_label
from nliprobe.task.labels import LabelMap

# The field by which exported cases are found again.
ID = "nliprobe_id"
LM_EVAL, INSPECT = "lm-evaluation-harness", "Inspect"
_SAMPLES = "samples_*.jsonl"
_OF_LM_EVAL = ("doc_id", "doc", "resps")
_INSPECT_BEGINS = re.compile(r'\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":')
_BEGINNING = 500


@dataclass(frozen=True, slots=True)
class HarnessLog(RecordFile):
    """A log, read as records with the id of a case and its answer."""

    harness: str = ""
    labels: LabelMap | None = None

    def _read(self) -> Numbered:
        if self.harness == LM_EVAL:
            for number, sample in read_json_lines(self.path, self.encoding):
                yield number, self._of_lm_eval(number, sample)
            return
        content = parse_json(read_text(self.path, self.encoding), str(self.path))
        samples = content.get("samples") if isinstance(content, dict) else None
        if not isinstance(samples, list) or not samples:
            raise DataError(
                f"{self.path} is a log of Inspect without samples: the evaluation was stopped before the first, or "
                "samples were not logged (--no-log-samples)."
            )
        for number, sample in enumerate(samples, 1):
            yield number, self._of_inspect(number, sample)

    def _of_lm_eval(self, number: int, sample: Record) -> Record:
        doc, answers = sample.get("doc"), sample.get("filtered_resps") or sample.get("resps")
        if not _is_ours(doc):
            return self._foreign_lm_eval(number, sample, answers)
        labels = doc.get("labels")
        values = self._likelihoods(number, answers, labels if isinstance(labels, list) else [])
        return {"id": doc[ID], "logits": dict(zip(map(str, _list(labels)), values, strict=True))}

    def _foreign_lm_eval(self, number: int, sample: Record, answers: object) -> Record:
        texts, words = self._texts(number, sample.get("doc")), choices_of(sample.get("arguments"))
        first = answers[0] if isinstance(answers, list) and answers else None
        if isinstance(first, str) and words is None:
            # A task that lets the model write its answer.
            return {**texts, "prediction": read_answer(first, self.labels), "raw": first}
        values = self._likelihoods(number, answers, words or [])
        try:
            return {**texts, "logits": scores_of(words or [], values, self.labels)}
        except DataError as error:
            raise self._unreadable(number, str(error)) from error

    def _likelihoods(self, number: int, answers: object, labels: Sequence[object]) -> list[float]:
        if not isinstance(answers, list) or not answers or len(answers) != len(labels):
            raise self._unreadable(number, "its answers should be one likelihood for each label")
        try:
            return [_likelihood(answer) for answer in answers]
        except (TypeError, ValueError, IndexError):
            raise self._unreadable(number, f"its answers should be likelihoods, not {str(answers)[:60]}") from None

    def _of_inspect(self, number: int, sample: object) -> Record:
        if not isinstance(sample, Mapping):
            raise self._unreadable(number, "it should be an object")
        doc = sample.get("metadata")
        if not _is_ours(doc):
            return self._foreign_inspect(number, sample)
        words = [str(word) for word in _list(doc.get("choices"))]
        labels = dict(zip(words, map(str, _list(doc.get("labels"))), strict=False))
        raw = _completion(sample)
        said = _scored(sample)
        if said is None and raw is not None:
            said = read_label(raw, words).word
        record: Record = {"id": doc[ID], "prediction": labels.get(said or "")}
        return {**record, "raw": raw} if raw is not None else record

    def _foreign_inspect(self, number: int, sample: Mapping[str, object]) -> Record:
        texts, raw = self._texts(number, sample.get("metadata")), _completion(sample)
        answers = _scorer_answers(sample)
        if len(answers) > 1:
            names = ", ".join(answers)
            raise self._unreadable(number, f"it has the answers of several scorers ({names}): log those of one")
        said, choices = next(iter(answers.values()), raw or ""), _list(sample.get("choices"))
        try:
            label = chosen(said, choices, self.labels) if choices else read_answer(said, self.labels)
        except DataError as error:
            raise self._unreadable(number, str(error)) from error
        return {**texts, "prediction": label, **({"raw": raw} if raw is not None else {})}

    def _texts(self, number: int, doc: object) -> Record:
        texts = texts_of(doc)
        if texts is not None:
            return texts
        raise self._unreadable(
            number,
            f"it has neither {ID}, which nliprobe export writes, nor premise and hypothesis, so that nothing says "
            "which case it answers (its place in the log says nothing). Write a file of answers with ids instead",
        )

    def _unreadable(self, number: int, why: str) -> DataError:
        return DataError(f"{self.where(number)}: this sample of {self.harness} cannot be read: {why}.")


def log_files(path: Path) -> list[RecordFile]:
    """Return the logs of samples in a folder that lm-evaluation-harness wrote; nothing for any other path."""
    if path.suffix.lower() == ".eval" and path.is_file():
        raise DataError(
            f"{path} is a log of Inspect in its packed format, which nliprobe does not read. Convert it to "
            "JSON with Inspect's own command 'inspect log convert'."
        )
    if not path.is_dir() or not any(path.glob(_SAMPLES)):
        return []
    return record_files(path / _SAMPLES)


def as_log(file: RecordFile, labels: LabelMap | None = None) -> RecordFile:
    """Return a file as a log if it is one, otherwise as it is; ``labels`` says what the words of its tasks mean."""
    harness = _harness(file)
    if not harness:
        return file
    known = {item.name: getattr(file, item.name) for item in fields(RecordFile)}
    return HarnessLog(**known, harness=harness, labels=labels)


def _harness(file: RecordFile) -> str:
    if file.format is Format.JSONL:
        first = next((record for _, record in file.records()), None)
        return LM_EVAL if first is not None and all(name in first for name in _OF_LM_EVAL) else ""
    if file.format is Format.JSON:
        beginning = ""
        for _, line in read_lines(file.path, file.encoding):
            beginning += line[:_BEGINNING]
            if len(beginning) >= _BEGINNING:
                break
        return INSPECT if _INSPECT_BEGINS.match(beginning) else ""
    return ""


def _likelihood(answer: object) -> float:
    """Read the likelihood of a label; logs hold it as a number or as text, beside whether it is the likeliest text."""
    first = answer[0] if isinstance(answer, list) else answer
    # Several answers to one request are lists in a list.
    first = first[0] if isinstance(first, list) else first
    if not isinstance(first, str | float | int):
        raise TypeError(first)
    return float(first)


def _is_ours(doc: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(doc, Mapping) and isinstance(doc.get(ID), str)


def _completion(sample: Mapping[str, object]) -> str | None:
    output = sample.get("output")
    raw = output.get("completion") if isinstance(output, Mapping) else None
    return raw if isinstance(raw, str) else None


def _scorer_answers(sample: Mapping[str, object]) -> dict[str, str]:
    """Return what each scorer of a sample took for the answer."""
    scores = sample.get("scores")
    found = scores.items() if isinstance(scores, Mapping) else ()
    answers = {name: score.get("answer") for name, score in found if isinstance(score, Mapping)}
    return {str(name): answer for name, answer in answers.items() if isinstance(answer, str)}


def _scored(sample: Mapping[str, object]) -> str | None:
    """Return the word that the scorer of an exported suite read."""
    scores = sample.get("scores")
    score = scores.get("label") if isinstance(scores, Mapping) else None
    answer = score.get("answer") if isinstance(score, Mapping) else None
    return answer if isinstance(answer, str) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
