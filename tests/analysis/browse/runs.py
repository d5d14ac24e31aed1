"""Random small runs for the case browser: texts and tables, edits, facets, systems that miss answers."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st
from tests.analysis.runs import Asked, write_run

from nliprobe.base.hashing import digest
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, identity_case
from nliprobe.task.edits import Edits, apply_edits, delete_unit, insert_unit, permute_units, replace_in_hypothesis
from nliprobe.task.labels import SETS
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.relations import DELETE, INSERT, SAME, UNCONSTRAINED
from nliprobe.task.rules import Close, Or
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, row_text

WORDS = ("a", "the", "Man", "café", "1984", "snow-white", "naïve", "über", "x_y", "\u4eac")
CORPORA = ("some/dev", "other/test")
SYSTEMS = ("one", "two", "three")
# It holds by the labels alone where they stay, and asks for something everywhere.
CLOSE = Or((SAME, Close(0.1)))
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
facets = st.lists(st.builds(Facet, st.sampled_from(("genre", "rows")), st.sampled_from(("1", "2"))), max_size=3)


@st.composite
def pairs(draw: st.DrawFn, name: str) -> list[Case]:
    """A pair as it is, and cases made from it."""
    premise: Premise = draw(texts)
    if draw(st.booleans()):
        rows = draw(st.lists(texts, min_size=1, max_size=3))
        premise = Table(draw(texts), tuple(Row(f"key {place}", (text, "same")) for place, text in enumerate(rows)))
    gold = draw(st.sampled_from((None, *SETS[1:])))
    pair = Pair(name, premise, draw(texts), gold, draw(st.sampled_from(("", "T1", "T2"))), facets=tuple(draw(facets)))
    cases = [identity_case(pair)]
    for place in range(draw(st.integers(0, 3))):
        edits = draw(_edits(pair))
        asked = apply_edits(pair.premise, pair.hypothesis, edits)
        rule = draw(st.sampled_from((None, SAME, DELETE.relation, INSERT.relation, UNCONSTRAINED, CLOSE)))
        cases.append(
            Case(
                digest(name, str(place)),
                draw(st.sampled_from(("rows.delete", "swap"))),
                pair,
                *asked,
                bases=(cases[0].id,),
                gold=draw(st.sampled_from((None, *SETS[1:]))),
                expects=rule,
                edits=edits,
                certainty=draw(st.sampled_from(tuple(Certainty))),
                facets=tuple(draw(facets)),
            )
        )
    return cases


@st.composite
def _edits(draw: st.DrawFn, pair: Pair) -> Edits:
    word = draw(st.sampled_from(WORDS))
    if isinstance(pair.premise, Table):
        units = Rows(pair.premise)
        size = len(pair.premise.rows)
        return (
            draw(
                st.sampled_from(
                    (
                        delete_unit(units, 0),
                        insert_unit(units, 0, row_text(Row("new", (word, 'a "quoted"\nline')))),
                        permute_units(units, tuple(reversed(range(size)))),
                    )
                )
            ),
        )
    return (replace_in_hypothesis(pair.hypothesis, (0, min(2, len(pair.hypothesis))), word),)


@st.composite
def answered(draw: st.DrawFn) -> tuple[dict[str, list[Case]], list[Asked]]:
    """Cases by corpus, and systems with answers to some of them; the last system may have been asked less."""
    cases = {
        corpus: [case for place in range(draw(st.integers(1, 3))) for case in draw(pairs(f"{corpus}/{place}"))]
        for corpus in CORPORA
    }
    ids = [case.id for items in cases.values() for case in items]
    labels = st.sampled_from((None, "E", "N", "C", "NC"))
    asked = [Asked(name, {case_id: draw(labels) for case_id in ids}) for name in SYSTEMS[:2]]
    part = draw(st.integers(0, len(ids)))
    return cases, [*asked, Asked(SYSTEMS[2], {case_id: draw(labels) for case_id in ids[:part]}, partition="E|NC")]


def write(folder: Path, made: tuple[dict[str, list[Case]], list[Asked]]) -> RunFolder:
    """Write such a run below a folder."""
    cases, systems = made
    return write_run(folder, cases, systems)
