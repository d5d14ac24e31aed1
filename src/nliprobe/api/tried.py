"""Trying systems on a pair that somebody typed: what can be done to it, and the file that keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from nliprobe.base.registry import Spec
from nliprobe.corpora.case_file import PARAMETERS, WrittenPair, pairs_as_csv, pairs_as_jsonl
from nliprobe.probes import PROBES
from nliprobe.probes.offers import KnownEdit, known_edit, offered_cases
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair

__all__ = [
    "CASE_FILES",
    "CASE_FILE_PARAMETERS",
    "KnownEdit",
    "Offer",
    "WrittenPair",
    "case_file",
    "known_edit",
    "offers",
]

CASE_FILE_PARAMETERS: Final = PARAMETERS
# The forms of a case file, with what browsers call them.
CASE_FILES: Final = {"jsonl": "application/x-ndjson", "csv": "text/csv"}


class Offer(NamedTuple):
    """An edit whose effect is known: the case that a probe makes of a pair, and what the probe does, in words."""

    case: Case
    what: str


def offers(pair: Pair) -> list[Offer]:
    """Return the edits of a pair whose effect is known."""
    return [Offer(case, PROBES.get(Spec.parse(case.probe).name).about.line) for case in offered_cases(pair)]


def case_file(pairs: Sequence[WrittenPair], form: str) -> str:
    """Write pairs as a file of the form ``jsonl`` or ``csv``, which ``file:`` reads with ``CASE_FILE_PARAMETERS``."""
    return {"jsonl": pairs_as_jsonl, "csv": pairs_as_csv}[form](pairs)
