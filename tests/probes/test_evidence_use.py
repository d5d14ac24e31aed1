"""The probes that take units out or keep one, against models whose use of evidence is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.analysis.evidence_runs import (
    Model,
    asked,
    cases_of,
    first_row_reader,
    ignorer,
    passage_pair,
    perfect,
    table_pair,
)
from tests.analysis.runs import write_run

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.evidence.documents import EvidenceEntry
from nliprobe.analysis.evidence.entries import evidence_entries
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair

ROWS = ("rows.delete", "rows.delete?which=all-relevant")
SENTENCES = ("sentences.delete", "sentences.delete?which=all-relevant", "sentences.keep?which=each")
TABLES = [
    table_pair("a", "E", [0]),
    table_pair("b", "C", [1, 3]),
    table_pair("c", "E", [3]),
    table_pair("d", "C", [0, 1, 2], rows=3),
]
TOGETHER = [passage_pair("p", "E", [0]), passage_pair("q", "C", [1, 4]), passage_pair("r", "C", [4])]
ALONE = [
    passage_pair("s", "E", [0, 2], alone=True),
    passage_pair("t", "C", [1, 3, 4], alone=True),
    passage_pair("u", "E", [0, 1, 2], alone=True, size=3),
    passage_pair("v", "C", [3], alone=True),
]


def measured(folder: Path, pairs: Sequence[Pair], probes: Sequence[str], model: Model) -> dict[str, EvidenceEntry]:
    """Ask a model what the probes make of some pairs, and return what is said about it by method."""
    cases = [cases_of(pair, delete=(), whole=False)[0] for pair in pairs]
    made = [item for spec in probes for pair in pairs for item in build_probe(spec, 0).cases(pair, None)]
    # The pairs as they are go by short names here.
    cases += [item._replace(bases=(item.source.id,)) for item in made if isinstance(item, Case)]
    run = write_run(folder, {"x/dev": cases}, [asked("model", model, cases)])
    return {entry["method"]: entry for entry in evidence_entries(run, read_run(run))}


@pytest.mark.parametrize(
    ("pairs", "probes", "methods"),
    [
        (TABLES, ROWS, {"delete": 4}),
        (TOGETHER, SENTENCES[:2], {"delete": 3}),
        # Deleting tells about the pair with one sentence only; where all sentences suffice, none is left to delete.
        (ALONE, SENTENCES, {"delete": 1, "keep": 4}),
    ],
)
def test_a_perfect_user_scores_100_on_every_measure(
    tmp_path: Path, pairs: list[Pair], probes: Sequence[str], methods: dict[str, int]
) -> None:
    entries = measured(tmp_path, pairs, probes, perfect)
    assert {method: entry["n"] for method, entry in entries.items()} == methods
    for entry in entries.values():
        means = [entry["precision"]["mean"], entry["precision_where_some"]["mean"], entry["recall"]["mean"]]
        rates = [entry["exact"], entry["kinds"]["all"], entry["right"]["all"], entry["accuracy"]]
        rates += [entry["without_all"], entry["grounded"]]
        assert means == [1.0, 1.0, 1.0]
        assert [item["rate"] for item in rates] == [1.0] * len(rates)
        assert entry["used_counts"] == entry["marked_counts"]


@pytest.mark.parametrize("pairs", [TABLES, TOGETHER])
def test_a_model_that_ignores_the_premise_uses_nothing(tmp_path: Path, pairs: list[Pair]) -> None:
    entry = measured(tmp_path, pairs, ROWS if pairs is TABLES else SENTENCES[:2], ignorer)["delete"]
    assert entry["kinds"]["nothing"]["rate"] == 1.0
    assert (entry["recall"]["mean"], entry["without_all"]["rate"], entry["grounded"]["rate"]) == (0.0, 0.0, 0.0)


def test_a_model_that_ignores_the_premise_is_not_grounded_where_sentences_suffice_alone(tmp_path: Path) -> None:
    entry = measured(tmp_path, ALONE, SENTENCES, ignorer)["keep"]
    assert (entry["without_all"]["rate"], entry["grounded"]["rate"]) == (0.0, 0.0)
    assert entry["exact"]["count"] == 1  # the passage in which every sentence is needed


def test_a_model_that_reads_only_the_first_row_is_found_out_by_place(tmp_path: Path) -> None:
    entry = measured(tmp_path, TABLES, ROWS, first_row_reader)["delete"]
    by_place = {item["position"]: item["used"]["count"] for item in entry["positions"]}
    assert by_place == {"first": 1, "middle": 0, "last": 0}
    assert entry["kinds"]["nothing"]["count"] == 3
