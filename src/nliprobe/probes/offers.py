"""What can be done to one pair whose effect is known: the cases of all probes that need nothing but the pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from nliprobe.probes import PROBES
from nliprobe.probes._rows import has_sections, speaks_of_order
from nliprobe.task.case import IDENTITY, Case, Certainty
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.relations import DELETE, INSERT, PERMUTE, SWAPPED, UNCONSTRAINED, UnitEdit, together
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table
from nliprobe.task.table_diff import same_key, table_diff

_SWAP = "swap"


class KnownEdit(NamedTuple):
    """What is known about an edit.

    Attributes:
        name: the probe, or the kinds of edits of rows.
        expects: what must hold of the answer, compared with the answer before.
        certainty: how sure that is.
    """

    name: str
    expects: Rule
    certainty: Certainty = Certainty.CERTAIN


def offered_cases(pair: Pair) -> list[Case]:
    """Return all edits of a pair with a rule for the move of the answer, probe by probe.

    Probes that draw from other premises, or that need marked evidence or a gold label, make none.
    """
    return list(_cases(pair))


def _cases(pair: Pair) -> Iterator[Case]:
    for name in PROBES.names():
        kind = PROBES.get(name)
        if kind.needs_pool or kind.reads_evidence or name == IDENTITY:
            continue
        for made in kind(name=name).cases(pair, None):
            if not isinstance(made, Case) or made.expects is None:
                continue
            if (made.premise, made.hypothesis) != (pair.premise, pair.hypothesis):
                yield _without_gold(made)


def _without_gold(case: Case) -> Case:
    """Return a swap with what logic demands whatever the label is: that neutral stays neutral needs the gold label."""
    if case.probe != _SWAP or case.source.gold is not None:
        return case
    return case._replace(expects=SWAPPED, certainty=Certainty.CERTAIN)


def known_edit(pair: Pair, premise: Premise, hypothesis: str) -> KnownEdit | None:
    """Return what is known about the edit that turns a pair into another one; none if nothing is.

    An edit that somebody made by hand is known if a probe makes the same one, or if it only takes out, adds or moves
    rows of a table.
    """
    for case in offered_cases(pair):
        if (case.premise, case.hypothesis) == (premise, hypothesis):
            assert case.expects is not None
            return KnownEdit(case.probe, case.expects, case.certainty)
    if hypothesis != pair.hypothesis or not isinstance(pair.premise, Table) or not isinstance(premise, Table):
        return None
    return _known_rows(pair.premise, premise, hypothesis)


def _known_rows(before: Table, after: Table, hypothesis: str) -> KnownEdit | None:
    if (before.title, before.category, before.columns) != (after.title, after.category, after.columns):
        return None
    if before.columns:
        return _known_records(before, after, hypothesis)
    diff = table_diff(before, after)
    paired = [row for row in diff.rows if row.before is not None and row.after is not None]
    if any(row.changed for row in paired) or not after.rows:
        # Another value in a row may say anything; without rows there is no premise left.
        return None
    kinds: list[UnitEdit] = [*[DELETE] * bool(diff.removed), *[PERMUTE] * diff.reordered]
    certainty = Certainty.CERTAIN
    if diff.added:
        keys = {same_key(key) for key in before.keys}
        if any(same_key(after.rows[place].key) in keys for place in diff.added):
            return None
        # Drawn rows are of another thing; one that was typed may say again what another row says, and differently.
        kinds, certainty = [*kinds, INSERT], Certainty.LIKELY
    if not kinds:
        return None
    return KnownEdit(" + ".join(f"rows.{kind.name}" for kind in kinds), together(kinds), certainty)


def _known_records(before: Table, after: Table, hypothesis: str) -> KnownEdit | None:
    """Return what the probes of rows say about many-column tables: only the order of their rows says nothing."""
    old, new = Counter(before.rows), Counter(after.rows)
    if before.rows == after.rows or not after.rows:
        return None
    if old == new:
        likely = speaks_of_order(hypothesis) or has_sections(before)
        return KnownEdit("rows.permute", PERMUTE.relation, Certainty.LIKELY if likely else Certainty.CERTAIN)
    if new < old or old < new:
        # A record more or less can turn a count or a superlative in any direction.
        return KnownEdit("rows.delete" if new < old else "rows.insert", UNCONSTRAINED)
    return None
