"""Cases: pairs to be asked, with what must hold of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nliprobe.base.hashing import SEPARATOR, digest, digest_text
from nliprobe.task.edits import Edits, edits_to_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.rules import Rule


class Certainty(StrEnum):
    """How sure the expectation of a case is."""

    CERTAIN = "certain"
    LIKELY = "likely"
    NEEDS_PERSON = "needs a person"


@dataclass(frozen=True, slots=True)
class Case:
    """A pair to be asked: the source pair as ``edits`` change it, and what is expected of the answer.

    ``gold`` says which labels are right; ``expects`` is a rule over the answers to the case and to its bases.
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
