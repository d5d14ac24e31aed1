"""Queues of uncertain cases from Python: from pairs in memory and from runs, whatever the premise."""

from __future__ import annotations

from pathlib import Path

import pytest

import nliprobe
from nliprobe.api.review import export_review, merge_review, review_summary, settle_review
from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.review.files import append_decisions, read_queue
from nliprobe.people.review.records import judged
from nliprobe.task.case import Certainty

PAIRS = [
    {"premise": "Ann has 5 dogs.", "hypothesis": "Ann owns 5 dogs.", "label": "entailment"},
    {"premise": "Ben has 7 cats.", "hypothesis": "Ben owns 9 cats.", "label": "contradiction"},
    {"premise": "Eve has a car.", "hypothesis": "Eve owns 3 cars.", "label": "neutral"},
]


def test_pairs_in_memory_give_a_queue(tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    number = export_review(path, nliprobe.pairs(PAIRS), ["swap"])
    items = list(read_queue(path).items.values())
    assert number == len(items)
    assert {item.probe for item in items} == {"swap"}
    [neutral] = [item for item in items if item.gold == "N"]
    assert (neutral.original, neutral.perturbed) == ("Eve owns 3 cars.", "Eve has a car.")
    assert (neutral.premise, neutral.before) == ("Eve owns 3 cars.", "Eve has a car.")


def test_a_queue_of_a_run_is_that_of_its_probes(tmp_path: Path) -> None:
    made, of_run = tmp_path / "made.jsonl", tmp_path / "run.jsonl"
    probes = ["hypothesis", "swap", "counterfactual.retitle"]
    everything = frozenset(Certainty)
    on = ["builtin/sentences-dev", "builtin/tables-dev"]
    export_review(made, on, probes, certainty=everything)
    run = nliprobe.run("majority", on, probes, tmp_path / "run", train="builtin/tables-dev", doctor=False)
    export_review(of_run, run=run.path, certainty=everything)
    # A run keeps the cases of a shard together, not those of a pair.
    assert sorted(of_run.read_bytes().splitlines()) == sorted(made.read_bytes().splitlines())


def test_draws_per_rule_are_those_of_the_seed(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("first", "again", "other")]
    for path, seed in zip(paths, (0, 0, 1), strict=True):
        export_review(path, ["builtin/tables-dev"], "hypothesis.negation", n=3, seed=seed)
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again
    assert first != other


def test_summary_merge_and_corpus_from_python(tmp_path: Path) -> None:
    path, other = tmp_path / "queue.jsonl", tmp_path / "other.jsonl"
    export_review(path, ["builtin/tables-dev"], "hypothesis.negation", n=5)
    other.write_bytes(path.read_bytes())
    first, second, *_ = read_queue(path).items.values()
    append_decisions(path, [judged(first, first.expected)])
    append_decisions(other, [judged(first, first.expected), judged(second, "N")])
    merged = merge_review(path, other)
    assert (merged["taken"], merged["agreement"]["count"], merged["agreement"]["n"]) == (1, 1, 1)
    summary = review_summary(path)
    assert (summary["all"]["accepted"], summary["all"]["fixed"]) == (1, 1)
    corpus = settle_review(path, tmp_path / "settled.jsonl")
    assert corpus.cases == 2
    run = nliprobe.run("majority", corpus.spec, train="builtin/tables-dev", doctor=False)
    [entry] = run.summary()["perturbations"]
    assert (entry["made_by"], entry["originals"]) == ("corpus", 1)


def test_what_cannot_be_exported_is_said(tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    with pytest.raises(UsageError, match="either corpora and probes, or a run"):
        export_review(path)
    with pytest.raises(UsageError, match="Name the probes"):
        export_review(path, ["builtin/tables-dev"])
    with pytest.raises(DataError, match="no case is likely or needs a person"):
        export_review(path, ["builtin/tables-dev"], "rows.permute")
    assert not path.exists()
