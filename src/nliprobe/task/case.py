"""Cases, which are asked; inputs, which a model reads for them; and predictions, which it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from nliprobe.base.hashing import SEPARATOR, begin_digest, digest, digest_text, finish_digest
from nliprobe.task.edits import Edits, edits_to_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.rules import Rule

Segments = tuple[str, ...]


# Half-precision softmax outputs are off by about this much; more means that they are no probabilities.
TOLERANCE = 1e-3


class Certainty(StrEnum):
    """How sure the expectation of a case is."""

    CERTAIN = "certain"
    LIKELY = "likely"
    NEEDS_PERSON = "needs a person"


class Case(NamedTuple):
    """A pair to be asked: the source pair as ``edits`` change it, and what is expected of the answer.

    ``gold`` says which labels are right; ``expects`` is a rule over the answers to the case and to its bases. A case is
    a tuple, because runs make millions of them and a frozen dataclass takes four times as long to make.
    """

    id: str
    probe: str
    source: Pair
    premise: Premise
    hypothesis: str
    bases: tuple[str, ...] = ()
    gold: LabelSet | None = None
    expects: Rule | None = None
    edits: Edits = ()
    certainty: Certainty = Certainty.CERTAIN
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class Skip:
    """A pair to which a probe does not apply, with the reason in a few words."""

    probe: str
    reason: str


IDENTITY = "gold"
# How many of the 24 digits of an input id tell texts apart, whatever key is part of the id.
TEXT_DIGITS = 12
IDENTITY_VERSION = 1
_IDENTITY_PREFIX = SEPARATOR.join([IDENTITY, str(IDENTITY_VERSION), ""])


class CaseIds:
    """Makes the ids of one probe's cases: hash(probe, version, parameters, base ids, edits)."""

    __slots__ = ("_prefix",)

    def __init__(self, probe: str, version: int, params: str = "") -> None:
        self._prefix = digest(probe, str(version), params) + SEPARATOR

    def of(self, bases: tuple[str, ...], edits: Edits) -> str:
        """Return the id of the case with these bases and edits."""
        return digest_text(self._prefix + SEPARATOR.join(bases) + SEPARATOR + edits_to_json(edits))


def keyed_input_id(text_id: str, key: str) -> str:
    """Return the id of an input that a model looks up by a key.

    Its first half is that of the text's own id, so inputs of the same text are recognised whatever their keys.
    """
    return text_id[:TEXT_DIGITS] + digest_text(text_id + SEPARATOR + key)[TEXT_DIGITS:]


def identity_id(pair_id: str) -> str:
    """Return the id of the case that asks a pair as it is: the base of everything derived from the pair."""
    return digest_text(_IDENTITY_PREFIX + pair_id)


def identity_case(pair: Pair) -> Case:
    """Ask a pair as it is, with what its corpus says about its label and its relation to other pairs."""
    return Case(
        identity_id(pair.id),
        IDENTITY,
        pair,
        pair.premise,
        pair.hypothesis,
        bases=tuple([identity_id(name) for name in pair.bases]) if pair.bases else (),
        gold=pair.gold,
        expects=pair.expects,
    )


class Status(StrEnum):
    """Whether a model answered."""

    OK = "ok"
    NO_ANSWER = "no answer"
    FAILED = "failed"


# Probabilities of E, N and C; None for labels that a two-way model does not tell apart.
Shares: TypeAlias = tuple[float | None, float | None, float | None]


class Prediction(NamedTuple):
    """An answer: a label (a block such as NC from a two-way model), and probabilities of E, N, C if there are any.

    A two-way model that tells E from NC has a probability of E only.
    """

    label: LabelSet | None
    probabilities: Shares | None = None
    status: Status = Status.OK
    raw: str | None = None


class Input(NamedTuple):
    """What a model reads: the premise as segments whose join is its text, and the hypothesis.

    ``key`` is the pair's id where the pair is asked as it is, else the case's id. Only models that look
    answers up use it, and for them it is part of ``id``. ``form`` is how a premise that is a table was written, such as
    ``json``. Only models that are told so use it, and for them it is part of ``id``, too.
    """

    id: str
    segments: Segments
    hypothesis: str
    key: str = ""
    form: str = ""

    @property
    def premise(self) -> str:
        """The premise as one text."""
        return "".join(self.segments)


def input_id(premise: str, hypothesis: str) -> str:
    """Return the id of what a model reads, the same as that of :class:`InputIds`."""
    return digest_text(f"{len(premise)}{SEPARATOR}{premise}{SEPARATOR}{hypothesis}")


class InputIds:
    """Makes the ids of one premise with many hypotheses: the premise is hashed once."""

    __slots__ = ("_begun",)

    def __init__(self, premise: str) -> None:
        self._begun = begin_digest(f"{len(premise)}{SEPARATOR}{premise}{SEPARATOR}")

    def of(self, hypothesis: str) -> str:
        """Return the id of the premise with a hypothesis."""
        return finish_digest(self._begun, hypothesis)
