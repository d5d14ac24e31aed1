"""Read the facts of a premise, be it a table or a text."""

from __future__ import annotations

from nliprobe.probes._facts import Facts, facts_of
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table


def facts_of_premise(premise: Premise) -> Facts:
    """Return what a premise says as facts that mentions can be compared with."""
    return facts_of(premise) if isinstance(premise, Table) else Facts((), (), frozenset(), frozenset())
