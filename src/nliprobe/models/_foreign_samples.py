"""Answers to samples of tasks that nliprobe did not write: found by their texts, in words that the user declares.

Such a sample has no id of a corpus, so that premise and hypothesis must be in it as they are in the corpus. Its words
for labels may mean anything (False is a contradiction in one task, and no entailment in another), so that only the
names of labels are taken as they stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nliprobe.base.errors import DataError
from nliprobe.base.records.read import Record
from nliprobe.models._answer_names import text_columns
from nliprobe.models.written_label import read_label
from nliprobe.task.labels import LabelMap, LabelSet

_PLAIN = {"entailment": "E", "neutral": "N", "contradiction": "C", "not_entailment": "NC", "not entailment": "NC"}
_EXAMPLE = "True:E;Neither:N;False:C"
_FIRST = "A"


def texts_of(doc: object) -> Record | None:
    """Return premise and hypothesis of a sample, if it names both."""
    columns = text_columns([str(name) for name in doc]) if isinstance(doc, Mapping) else None
    if not isinstance(doc, Mapping) or columns is None:
        return None
    premise, hypothesis = (doc[name] for name in columns)
    if not isinstance(premise, str) or not isinstance(hypothesis, str):
        return None
    return {"premise": premise, "hypothesis": hypothesis}


def choices_of(arguments: object) -> list[str] | None:
    """Return the choices of a sample of lm-evaluation-harness, whose arguments are a request for each."""
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
    if not isinstance(requests, list) or not requests:
        return None
    words = [item.get("arg_1") if isinstance(item, Mapping) else None for item in requests]
    found = [word.strip() for word in words if isinstance(word, str)]
    return found if len(found) == len(words) else None


def label_of(word: str, declared: LabelMap | None) -> LabelSet:
    """Return what a choice of a task means; raise an error with half a sentence if nothing says it."""
    if declared is not None and declared.codes:
        label = declared.declared(word)
        if label is not None:
            return label
        raise DataError(f"its choice '{word:.40}' is not among the declared labels ({declared})")
    if word.lower() in _PLAIN:
        return LabelSet.of(_PLAIN[word.lower()])
    raise DataError(f"nothing says which label its choice '{word:.40}' means: declare all, as in labels={_EXAMPLE}")


def scores_of(words: Sequence[str], values: Sequence[float], declared: LabelMap | None) -> dict[str, float]:
    """Return the scores of the choices by the labels they mean."""
    scores: dict[str, float] = {}
    for word, value in zip(words, values, strict=True):
        label = str(label_of(word, declared))
        if label in scores:
            raise DataError(f"two of its choices mean {label}: {', '.join(words):.80}")
        scores[label] = value
    return scores


def read_answer(text: str, declared: LabelMap | None) -> str | None:
    """Return the label that a text answers by strict rules; None for a text that is no answer."""
    words = list(declared.codes) if declared is not None and declared.codes else list(_PLAIN)
    word = read_label(text, words).word
    return None if word is None else str(label_of(word, declared))


def chosen(answer: str, choices: Sequence[object], declared: LabelMap | None) -> str | None:
    """Return the label of a choice that is answered by its letter, from A; None for no letter of a choice."""
    place = ord(answer) - ord(_FIRST) if len(answer) == 1 else -1
    return str(label_of(str(choices[place]), declared)) if 0 <= place < len(choices) else None
