"""Runs to read in the studio: tables with edits and evidence, texts that are hostile, two systems that disagree."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.runs import Asked, write_run

from nliprobe.base.hashing import digest
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, identity_case
from nliprobe.task.edits import Edits, apply_edits, delete_unit, replace_in_hypothesis, update_unit
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import DELETE, SAME
from nliprobe.task.rules import Rule
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, row_text

# What must never become markup, wherever it stands.
SCRIPT = "<script>alert(1)</script>"
ROWS = (Row("Born", ("1 May 1900", "Ghent")), Row("Died", ("1980",)), Row("Known for", ("Painting",)))
PAINTER = Table("Ada Painter", ROWS, "Person")


def edited(pair: Pair, name: str, probe: str, edits: Edits, rule: Rule | None, gold: str | None = None) -> Case:
    """A case made from a pair by edits."""
    asked = apply_edits(pair.premise, pair.hypothesis, edits)
    return Case(
        digest(pair.id, name),
        probe,
        pair,
        *asked,
        bases=(identity_case(pair).id,),
        gold=None if gold is None else LabelSet.of(gold),
        expects=rule,
        edits=edits,
        certainty=Certainty.CERTAIN if rule is not SAME else Certainty.LIKELY,
    )


def cases() -> list[Case]:
    """A table with three edits, five pairs of one template, and a hostile pair."""
    units = Rows(PAINTER)
    one = Pair(
        "tables/1",
        PAINTER,
        "Ada died after 1970.",
        LabelSet.of("E"),
        "T1",
        Evidence((1,)),
        facets=(Facet("author", "W1"),),
    )
    made = [
        identity_case(one),
        edited(one, "delete", "rows.delete", (delete_unit(units, 1),), DELETE.relation),
        edited(one, "update", "rows.update", (update_unit(units, 1, row_text(Row("Died", ("1960",)))),), None, "C"),
        edited(one, "words", "typos", (replace_in_hypothesis(one.hypothesis, (4, 8), "passed"),), SAME),
    ]
    for place, name in enumerate(("Ann", "Ben", "Cem", "Dan", "Eve")):
        facets = (Facet("template", "boolean.and"), Facet("value:NAME", name))
        pair = Pair(
            f"boolean/{place}",
            f"{name} sings and dances.",
            f"{name} sings.",
            LabelSet.of("E"),
            "boolean.and",
            facets=facets,
        )
        made.append(identity_case(pair))
    hostile = Pair(
        f"evil/{SCRIPT}", f"premise {SCRIPT}", f"says {SCRIPT} &amp; “more”", LabelSet.of("N"), f"group {SCRIPT}",
        facets=(Facet(f"facet {SCRIPT}", f"value {SCRIPT}"),),
    )  # fmt: skip
    return [*made, identity_case(hostile)]


def write_tables(folder: Path, *, complete: bool = True) -> RunFolder:
    """Write the run below a folder; one that is not complete lacks the last answers of the second system."""
    all_cases = cases()
    first = {case.id: "E" for case in all_cases}
    second = {case.id: "EN"[place % 2] for place, case in enumerate(all_cases)}
    shares = {case.id: (0.7, 0.2, 0.1) for case in all_cases}
    if not complete:
        second = dict(list(second.items())[:6])
    systems = [Asked("one", first, shares=shares), Asked(f"two {SCRIPT}", second)]
    return write_run(folder, {"some/dev": all_cases}, systems, status="complete" if complete else "running")


CASES = {name: digest("tables/1", name) for name in ("delete", "update", "words")}
