"""What the name of a column says about it: an answer, scores, a gold label, an id; whatever its case and separators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.models.answers import Scores
from nliprobe.task.labels import LabelMap, LabelSet

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREDICTED = frozenset({"pred", "preds", "predict", "predicted", "prediction", "predictions", "yhat"})
_ANSWERED = frozenset({"output", "outputs", "answer", "answers", "response", "responses", "guess"})
_SYSTEM = frozenset({"model", "system"})
_CLASS = frozenset({"label", "labels", "class", "classes"})
# Words that say nothing about which of several systems a column belongs to.
_NEUTRAL = _CLASS | _SYSTEM | _ANSWERED | frozenset({"y", "nli", "final"})
_PROBABILITIES = ("prob", "probs", "proba", "probas", "probability", "probabilities", "softmax")
_SCORES = {
    **dict.fromkeys(_PROBABILITIES, Scores.PROBABILITIES),
    **dict.fromkeys(("logit", "logits"), Scores.LOGITS),
    **dict.fromkeys(("score", "scores"), Scores.EITHER),
}
_LISTS = frozenset({"probs", "probas", "probabilities", "softmax", "logits", "scores"})
# Beside "predicted", these speak of something else than the answer: its id, its time, whether it is right.
_OTHER_WORDS = (
    "gold true truth reference ref correct right target id ids idx index time date seconds confidence conf entropy "
    "loss explanation reason rationale raw text prompt token tokens length count input inputs version"
)
_OTHER = frozenset(_OTHER_WORDS.split())
# The clearest names of ids first: a file may number its rows as "id" and name its pairs in another column.
_IDS = ("caseid", "pairid", "uid", "guid", "id", "exampleid", "sampleid", "instanceid", "itemid", "qid", "idx", "index")
_PREMISES = ("premise", "sentence1", "prem", "premisetext")
_HYPOTHESES = ("hypothesis", "sentence2", "hyp", "hypothesistext")


class Says(Enum):
    """What a name says that a column holds."""

    LABEL = "label"  # "label": the gold label beside an answer, the answer where there is no other
    ANSWER = "answer"
    SCORES = "scores"
    SCORE_OF = "score of"  # the score of one label


class Role(NamedTuple):
    """The role of a column by its name.

    Attributes:
        says: what the name says.
        system: the words that are left, which name a system where a file has several.
        kind: of scores.
        of: the label or the number of the label that a score belongs to.
        plural: whether the name of scores is a plural, so that a single number is not meant.
    """

    says: Says
    system: tuple[str, ...] = ()
    kind: Scores = Scores.EITHER
    of: str = ""
    plural: bool = False


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case.

    >>> words_of("predictedLabel"), words_of("Y-PRED"), words_of("predlabel")
    (['predicted', 'label'], ['y', 'pred'], ['pred', 'label'])
    """
    words: list[str] = []
    for word in map(str.lower, _WORD.findall(name)):
        if word == "hat" and words[-1:] == ["y"]:
            words[-1] = "yhat"
        else:
            words += _parts(word)
    return words


def role_of(name: str) -> Role | None:
    """Return what a name says, or none if it does not speak of labels, answers or scores.

    >>> role_of("bert_pred").system, role_of("prob_entailment").of, role_of("gold_label")
    (('bert',), 'entailment', None)
    """
    words = words_of(name)
    if not words or _OTHER & set(words):
        return None
    if words[0] == "p" and len(words) > 1 and label_named(" ".join(words[1:])):
        words[0] = "prob"
    score_words = [word for word in words if word in _SCORES]
    predicted = any(word in _PREDICTED for word in words)
    rest = [word for word in words if word not in _PREDICTED and word not in _NEUTRAL and word not in _SCORES]
    if score_words:
        kind = next((_SCORES[word] for word in score_words if _SCORES[word] is not Scores.EITHER), Scores.EITHER)
        of, system = _score_of(rest)
        if of:
            return Role(Says.SCORE_OF, system, kind, of)
        return Role(Says.SCORES, system, kind, plural=any(word in _LISTS for word in score_words))
    if predicted:
        return Role(Says.ANSWER, tuple(rest))
    if set(words) <= _CLASS:
        return Role(Says.LABEL) if words in (["label"], ["labels"]) else None
    if not rest and (set(words) & _ANSWERED or (set(words) & _SYSTEM and set(words) & _CLASS)):
        return Role(Says.ANSWER)
    return None


def label_named(text: str) -> LabelSet | None:
    """Return the label that a text names, without any declared codes."""
    try:
        return LabelMap().read(text)
    except DataError:
        return None


def id_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that hold ids by their names, the clearest first."""
    return tuple(_named(names, _IDS))


def text_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of premise and hypothesis by their names, if both are there."""
    premise, hypothesis = next(_named(names, _PREMISES), None), next(_named(names, _HYPOTHESES), None)
    return None if premise is None or hypothesis is None else (premise, hypothesis)


def _named(names: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    plain: dict[str, str] = {}
    for name in names:
        plain.setdefault(re.sub(r"[^a-z0-9]", "", name.lower()), name)
    return (plain[word] for word in wanted if word in plain)


def _score_of(rest: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return the label or number that words begin or end with, and the other words."""
    for size in (2, 1):
        for piece, others in ((rest[-size:], rest[:-size]), (rest[:size], rest[size:])):
            text = " ".join(piece)
            if len(piece) == size and ((size == 1 and text.isdigit()) or label_named(text)):
                return text, tuple(others)
    return "", tuple(rest)


def _parts(word: str) -> list[str]:
    """Divide a word that is written without separators: ``ypred``, ``modellabel``."""
    known = _PREDICTED | _NEUTRAL | _SCORES.keys()
    if word in known:
        return [word]
    for first in ("predicted", "prediction", "pred", "model", "gold", "y"):
        after = word.removeprefix(first)
        if after != word and after in (known | {"true"}):
            return [first, after]
    return [word]
