"""Certain perturbations carry the right label: what two readers say of those of the 300 pairs chosen beforehand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.probes.test_samples import PAIRS, rows_of

from nliprobe.base.hashing import digest
from nliprobe.probes.suite import Suite, probe_specs
from nliprobe.stats.intervals import wilson
from nliprobe.task.case import Case, Certainty
from nliprobe.task.source import Pool
from nliprobe.task.sources import open_source

JUDGED = {row["id"]: row for row in rows_of("probes/samples/judged.csv")}
KINDS = {"number", "temporal", "quantifier", "entity", "negation", "modifier"}


def certain_of(corpus: str, root: Path) -> list[Case]:
    source = open_source(corpus, root)
    suite = Suite.build([source], list(probe_specs(["hypothesis"])))
    made = [item for _, item in suite.items(source, Pool.of(source))]
    return [
        case
        for case in made
        if isinstance(case, Case) and case.probe.startswith("hypothesis.") and case.certainty is Certainty.CERTAIN
    ]


def facet(case: Case, name: str) -> str:
    [value] = [item.value for item in case.facets if item.name == name]
    return value


@pytest.fixture(scope="module")
def alpha1(data: Path) -> list[Case]:
    return certain_of("infotabs/alpha1", data)


def test_alpha1_gives_many_of_both_effects_and_all_kinds(alpha1: list[Case]) -> None:
    effects = Counter(facet(case, "effect") for case in alpha1)
    assert len(alpha1) >= 900
    assert min(effects["preserve"], effects["flip"]) >= 300, effects
    assert {facet(case, "kind") for case in alpha1} == KINDS


def test_readers_give_certain_perturbations_the_expected_label(alpha1: list[Case], data: Path) -> None:
    """Those that nobody has read count as wrong: read them (samples/README.md) after a change of the rules."""
    chosen = {row["pair_id"] for row in PAIRS}
    cases = [case for case in [*alpha1, *certain_of("infotabs/alpha3", data)] if case.source.id in chosen]
    assert len(cases) >= 150
    wrong: list[str] = []
    for case in cases:
        row = JUDGED.get(digest("judged", case.source.id, case.hypothesis)[:12])
        if row is None or {row["first_reader"], row["second_reader"]} != {str(case.gold)}:
            wrong.append(f"{'not read' if row is None else 'judged otherwise'}: {case.source.id} {facet(case, 'rule')}")
    interval = wilson(len(cases) - len(wrong), len(cases))
    assert interval is not None
    assert interval.low >= 0.92, "\n".join(wrong)


def test_readers_agree_and_were_not_given_one_label_only() -> None:
    assert sum(row["first_reader"] == row["second_reader"] for row in JUDGED.values()) >= 0.9 * len(JUDGED)
    labels = Counter(row["first_reader"] for row in JUDGED.values())
    assert labels["E"] >= 20, labels
    assert {row["kind"] for row in JUDGED.values()} == KINDS
