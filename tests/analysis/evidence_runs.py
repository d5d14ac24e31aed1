"""Runs over pairs with evidence, and models whose use of evidence is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tests.analysis.runs import Asked

from nliprobe.task.case import IDENTITY, Case
from nliprobe.task.edits import Edits, apply_edits, delete_unit, keep_unit
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.relations import UNCONSTRAINED
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, Sentences, Units

# Reads the units of a premise as texts, and the hypothesis.
Model = Callable[[Sequence[str], str], str | None]


def table_pair(
    name: str,
    gold: str,
    marked: Iterable[int],
    *,
    rows: int = 4,
    group: str = "",
    grade: Grade = Grade.GOLD,
    alone: bool = False,
) -> Pair:
    """A table whose rows say ``yes`` where they are needed for E and ``no`` where they are needed for C."""
    places = tuple(marked)
    says = {place: {"E": "yes", "C": "no"}.get(gold, "maybe") for place in places}
    table = Table(f"Title {name}", tuple(Row(f"Key {place}", (says.get(place, "other"),)) for place in range(rows)))
    evidence = Evidence(places, grade, alone=alone)
    return Pair(name, table, f"{len(places)} rows", LabelSet.of(gold), group or name, evidence)


def passage_pair(name: str, gold: str, marked: Iterable[int], *, size: int = 5, alone: bool = False) -> Pair:
    """The same as a passage."""
    places = tuple(marked)
    says = {"E": "yes", "C": "no"}.get(gold, "maybe")
    parts = [f"Sentence {place} says {says if place in places else 'other'}." for place in range(size)]
    starts = [sum(len(part) + 1 for part in parts[:place]) for place in range(size)]
    spans = tuple((start, start + len(part)) for start, part in zip(starts, parts, strict=True))
    evidence = Evidence(places, alone=alone)
    hypothesis = f"{len(places)} rows" if not alone else "any row"
    return Pair(name, " ".join(parts), hypothesis, LabelSet.of(gold), name, evidence, sentences=spans)


def units_of(pair: Pair) -> Units:
    premise = pair.premise
    return Rows(premise) if isinstance(premise, Table) else Sentences(premise, pair.sentences)


def cases_of(
    pair: Pair,
    *,
    delete: Iterable[int] | None = None,
    keep: Iterable[int] = (),
    whole: bool = True,
    probe: str = "rows.delete",
) -> list[Case]:
    """The pair as it is, without each of some units (by default all), with some alone, and without the evidence."""
    units, marked = units_of(pair), () if pair.evidence is None else pair.evidence.units
    cases = [Case(pair.id, IDENTITY, pair, pair.premise, pair.hypothesis, gold=pair.gold)]
    taken = range(len(units)) if delete is None else delete
    cases += [_edited(pair, f"without {place}", (delete_unit(units, place),), probe) for place in taken]
    cases += [_edited(pair, f"only {place}", (keep_unit(units, place),), "sentences.keep") for place in keep]
    if whole and marked and marked[-1] < len(units) > len(marked):
        edits = []
        left = units
        for place in reversed(marked):
            edits.append(delete_unit(left, place))
            left = left.delete(place)
        cases.append(_edited(pair, "without all", tuple(edits), f"{probe}?which=all-relevant"))
    return cases


def _edited(pair: Pair, name: str, edits: Edits, probe: str) -> Case:
    premise, hypothesis = apply_edits(pair.premise, pair.hypothesis, edits)
    return Case(f"{pair.id} {name}", probe, pair, premise, hypothesis, (pair.id,), expects=UNCONSTRAINED, edits=edits)


def asked(name: str, model: Model, cases: Iterable[Case], *, partition: str = "E|N|C", premise: str = "full") -> Asked:
    """A system that answers as the model does."""
    answers = {case.id: model(_texts(case.premise), case.hypothesis) for case in cases}
    return Asked(name, answers, partition, premise)


def _texts(premise: Premise) -> list[str]:
    if isinstance(premise, Table):
        return [f"{row.key} {' '.join(row.values)}" for row in premise.rows]
    return [f"{part}." for part in premise.rstrip(".").split(". ")]


def perfect(units: Sequence[str], hypothesis: str) -> str:
    """Answer by the units that are needed: as many as the hypothesis names, or any of them."""
    yes, no = (sum(unit.rstrip(".").endswith(f" {word}") for unit in units) for word in ("yes", "no"))
    needed = 1 if hypothesis == "any row" else int(hypothesis.split()[0])
    return "E" if yes >= needed else "C" if no >= needed else "N"


def ignorer(units: Sequence[str], hypothesis: str) -> str:
    """Answer without looking at the premise."""
    return "E"


def first_row_reader(units: Sequence[str], hypothesis: str) -> str:
    """Answer by the first unit only."""
    return perfect(units[:1], hypothesis)
