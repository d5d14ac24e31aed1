"""Tiny run folders, made with the store's own helpers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from nliprobe.base.fields import Fields
from nliprobe.base.hashing import digest_text
from nliprobe.store.frames import case_frames, prediction_frame
from nliprobe.store.record import Counts, RunRecord, SkippedPairs, SuiteRecord, SystemRecord, SystemStatus
from nliprobe.store.run import RunFolder
from nliprobe.task.case import IDENTITY, Case, Certainty, Prediction, Shares, Status
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import Relation

# Case id to label; None is an answer that never came, a missing id was never asked.
Answers = Mapping[str, str | None]


class Asked(NamedTuple):
    """A system, its answers, and the text it reads for some cases; for each of the others it reads another one.

    ``shares`` are the probabilities of E, N and C that it gives to some cases.
    """

    name: str
    answers: Answers
    partition: str = "E|N|C"
    premise: str = "full"
    texts: Mapping[str, str] = {}
    shares: Mapping[str, Shares] = {}


def pair(name: str, gold: str | None = None, group: str = "", base: str = "", facets: Sequence[Facet] = ()) -> Case:
    """A pair asked as it is, under its own name for easy reading; perhaps made from another pair."""
    labels = None if gold is None else LabelSet.of(gold)
    bases = (base,) if base else ()
    source = Pair(name, f"premise of {name}", "hypothesis", labels, group, facets=tuple(facets), bases=bases)
    return Case(name, IDENTITY, source, source.premise, source.hypothesis, gold=labels, bases=bases)


def derived(
    name: str,
    base: Case,
    probe: str = "rows.delete",
    relation: str | None = "E>EN N>N C>NC",
    gold: str | None = None,
    certainty: Certainty = Certainty.CERTAIN,
    bases: tuple[str, ...] | None = None,
) -> Case:
    """A case made from another one."""
    return Case(
        name,
        probe,
        base.source,
        "edited",
        "hypothesis",
        bases=(base.id,) if bases is None else bases,
        gold=None if gold is None else LabelSet.of(gold),
        expects=None if relation is None else Relation.parse(relation),
        certainty=certainty,
    )


class MakeRun(Protocol):
    """:func:`write_run` with the folder chosen."""

    def __call__(
        self,
        cases: Mapping[str, Sequence[Case]],
        systems: Sequence[Asked],
        *,
        partitions: Mapping[str, str] | None = None,
        shard: int | None = None,
        suite: Mapping[str, object] | None = None,
        status: str = "complete",
        skipped: Sequence[SkippedPairs] = (),
        notes: Mapping[str, Sequence[str]] | None = None,
    ) -> RunFolder: ...


def write_run(
    folder: Path,
    cases: Mapping[str, Sequence[Case]],
    systems: Sequence[Asked],
    *,
    partitions: Mapping[str, str] | None = None,
    shard: int | None = None,
    suite: Mapping[str, object] | None = None,
    status: str = "complete",
    skipped: Sequence[SkippedPairs] = (),
    notes: Mapping[str, Sequence[str]] | None = None,
) -> RunFolder:
    """Write a run into a new folder below one: cases by corpus, systems, and how many cases a shard holds.

    Without a number, a shard holds three cases, or as many as make four shards of the run: each shard is several files,
    and to write and read hundreds of them takes longer than anything that is tested with them.
    """
    flat = [(corpus, case) for corpus, items in cases.items() for case in items]
    shard = max(3, -(-len(flat) // 4)) if shard is None else shard
    said: dict[str, object] = {
        "hash": "abc",
        "seed": 0,
        "corpora": [
            {"name": name, "digest": "d", "partition": (partitions or {}).get(name, "E|N|C")} for name in cases
        ],
        "probes": [],
        **(suite or {}),
    }
    record = RunRecord(
        "0.1.0",
        "3.11",
        "2024-01-01T00:00:00Z",
        SuiteRecord.read(Fields("suite", said)),
        shard,
        skipped=tuple(skipped),
    )
    records = [
        SystemRecord(
            system.name,
            f"folder-{number}",
            system.name,
            system.name,
            partition=Partition.parse(system.partition),
            premise=system.premise,
            train=("some/train",),
            notes=tuple((notes or {}).get(system.name, ())),
        )
        for number, system in enumerate(systems)
    ]
    run = RunFolder.create(folder / f"run{len(list(folder.iterdir()))}", record, records)
    for number, start in enumerate(range(0, len(flat), shard)):
        part = flat[start : start + shard]
        frames = case_frames([corpus for corpus, _ in part], [case for _, case in part])
        for kind, frame in frames.items():
            run.write(kind, number, frame)
        for place, system in enumerate(systems):
            ids = [case.id for _, case in part if case.id in system.answers]
            predictions = [_prediction(system.answers[name], system.shares.get(name)) for name in ids]
            inputs = [digest_text(system.texts.get(name, f"only {name}")) for name in ids]
            run.write(f"predictions/folder-{place}", number, prediction_frame(ids, inputs, predictions))
    if SystemStatus(status) is SystemStatus.COMPLETE:
        pairs = sum(case.probe == IDENTITY for _, case in flat)
        run.settle(Counts(len(flat), pairs, -(-len(flat) // shard)), skipped)
        for item, system in zip(records, systems, strict=True):
            # A system that was not asked everything is never complete.
            if all(case.id in system.answers for _, case in flat):
                run.finish(item, "2024-01-02T00:00:00Z")
    return run


def _prediction(label: str | None, shares: Shares | None) -> Prediction:
    return Prediction(None, status=Status.NO_ANSWER) if label is None else Prediction(LabelSet.of(label), shares)
