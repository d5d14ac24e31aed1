"""Summaries: makes the documents behind ``nliprobe show`` and ``nliprobe score``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, gold_labels, read_run
from nliprobe.analysis.consistency import consistency
from nliprobe.analysis.counterfactual.entries import counterfactuals
from nliprobe.analysis.documents import (
    SCORE_SCHEMA,
    SHOW_SCHEMA,
    CorpusHead,
    ProbeAbout,
    RunHead,
    ScoreDocument,
    ShowDocument,
    Skipped,
    SystemHead,
)
from nliprobe.analysis.evidence.entries import evidence_entries
from nliprobe.analysis.expectations import expectations
from nliprobe.analysis.facet_documents import Breakdown
from nliprobe.analysis.facets import breakdowns as own_breakdowns
from nliprobe.analysis.families import family_scores
from nliprobe.analysis.following import edit_facets, following
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.knowledge import knowledge
from nliprobe.analysis.perturbed.entries import perturbations
from nliprobe.analysis.scores import accuracy_gain, score_numbers, scores
from nliprobe.analysis.stress import stress
from nliprobe.analysis.swap.entries import swap
from nliprobe.analysis.transitions import transition_averages, transitions
from nliprobe.analysis.two_way import Scored as TwoWayScored
from nliprobe.analysis.two_way import is_two_way, parse_threshold, two_way, two_way_numbers
from nliprobe.task.case import Certainty, Prediction, Shares
from nliprobe.task.labels import LETTERS, THREE_WAY, LabelSet, Partition

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder


class Scored(NamedTuple):
    """One answered pair: its gold labels if known, the answer, and the group it belongs to, if any."""

    gold: LabelSet | None
    prediction: Prediction
    group: str


def summarise(
    run: RunFolder,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    data: RunData | None = None,
    threshold: str = "",
) -> ShowDocument:
    """Summarise a run: scores, gains, stress tests, transitions, expectations, what was skipped and noted.

    Args:
        run: the run folder; an interrupted run is summarised as far as it went.
        certainty: which cases count.
        data: the run as :func:`read_run` gives it, if it has been read already.
        threshold: which probability counts as the first of two labels: a number, or the name of a corpus of the run
            on which the best one is chosen; 0.5 by default.
    """
    data = read_run(run) if data is None else data
    cut = parse_threshold(threshold, data.partitions)
    followed = transitions(data, certainty=certainty)
    head, scored = _head(run, data), scores(data, certainty=certainty)
    gains = accuracy_gain(data, certainty=certainty)
    return ShowDocument(
        schema=SHOW_SCHEMA,
        run=head,
        scores=scored,
        gains=gains,
        breakdowns=own_breakdowns(run, data, certainty=certainty),
        two_way=two_way(data, cut, certainty=certainty),
        stress=stress(data, certainty=certainty),
        following=following(data, edit_facets(run, data), certainty=certainty),
        knowledge=knowledge(run, data, certainty=certainty),
        swap=swap(run, data),
        consistency=consistency(data, certainty=certainty),
        families=family_scores(head["systems"], scored, gains),
        transitions=followed,
        transition_averages=transition_averages(followed),
        expectations=expectations(data, certainty=certainty),
        evidence=evidence_entries(run, data),
        counterfactuals=counterfactuals(run, data, certainty=certainty),
        perturbations=perturbations(run, data, certainty=certainty),
        skipped=[
            Skipped(corpus=item.corpus, probe=item.probe, reason=item.reason, n=item.n) for item in run.record.skipped
        ],
        notes=run.notes,
    )


def score_document(
    corpus: str,
    system: str,
    answered: Iterable[Scored],
    *,
    corpus_partition: Partition = THREE_WAY,
    system_partition: Partition = THREE_WAY,
    notes: Sequence[str] = (),
    unmatched: int = 0,
    breakdowns: Sequence[Breakdown] = (),
) -> ScoreDocument:
    """Score the answers to one corpus without a run folder.

    Args:
        corpus: the name of the corpus.
        system: the name of what answered.
        answered: the pairs with their answers; pairs without gold are only counted.
        corpus_partition: how finely gold labels are told apart.
        system_partition: how finely the answers are.
        notes: what the user should know about the answers.
        unmatched: how many pairs are not in the file of answers; they are unanswered.
        breakdowns: the accuracies by facets, as :func:`scored_breakdown` makes them.
    """
    import numpy as np

    gold: list[int] = []
    answers: list[int] = []
    clusters: list[int] = []
    shares: list[Shares] = []
    numbers: dict[str, int] = {}
    unlabelled = 0
    for truth, prediction, group in answered:
        if not truth:
            unlabelled += 1
            continue
        gold.append(truth.mask)
        answers.append(0 if prediction.label is None else prediction.label.mask)
        shares.append(prediction.probabilities or (None, None, None))
        # A pair without a group is a group of its own.
        clusters.append(numbers.setdefault(group or f"pair {len(gold)}", len(numbers)))
    partition, labels = corpus_partition.join(system_partition), gold_labels(corpus_partition, system_partition)
    columns = TwoWayScored(
        np.array(gold, dtype=np.uint8),
        np.array(answers, dtype=np.uint8),
        np.array(clusters, dtype=np.int64),
        np.array(shares, dtype=np.float32).reshape(-1, len(LETTERS)),
    )
    return ScoreDocument(
        schema=SCORE_SCHEMA,
        corpus=corpus,
        system=system,
        unmatched=unmatched,
        notes=list(notes),
        breakdowns=list(breakdowns),
        two_way=two_way_numbers(columns, labels, system_partition) if is_two_way(labels) and gold else None,
        **score_numbers(columns.gold, columns.answers, columns.clusters, partition, unlabelled=unlabelled),
    )


def _head(run: RunFolder, data: RunData) -> RunHead:
    record = run.record
    return RunHead(
        folder=run.path.resolve().name,
        status=run.status.value,
        integrity=integrity(run),
        nliprobe=record.nliprobe,
        suite=record.suite.hash,
        seed=record.suite.seed,
        created=record.created,
        finished=run.finished,
        cases=len(data.cases.ids),
        corpora=[CorpusHead(name=name, partition=str(kind)) for name, kind in data.partitions.items()],
        probes=list(data.cases.probes),
        about={
            probe.spec: ProbeAbout(line=probe.about.line, broken=probe.about.broken, picture=probe.about.picture)
            for probe in run.record.suite.probes
            if probe.about is not None
        },
        systems=[
            SystemHead(
                name=item.name,
                partition=str(item.partition),
                represent=item.represent,
                premise=item.premise,
                train=list(item.train),
                family=item.family,
                constant=data.constants[answers.name],
                doctor=None if item.doctor is None else item.doctor.status,
            )
            for item, answers in zip(run.systems, data.systems, strict=True)
        ],
    )
