"""What systems make of artifacts: accuracy where words point to the right label and where they point to another one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.artifacts.differences import lost, lost_alike
from nliprobe.analysis.artifacts.documents import FEATURES, Feature
from nliprobe.analysis.artifacts.features import feature_answers
from nliprobe.analysis.artifacts.parts import Answered, best_rival, part_numbers
from nliprobe.analysis.artifacts.pointing import PointingWords, in_labels, pointed_labels, pointing
from nliprobe.analysis.artifacts.run_documents import (
    POINTINGS,
    RUN_SCHEMA,
    ArtifactEntry,
    ArtifactsDocument,
    ControlLost,
    Pointing,
    UsedWords,
)
from nliprobe.analysis.artifacts.run_texts import RunTexts
from nliprobe.analysis.artifacts.texts import Texts
from nliprobe.analysis.artifacts.words import LabelledTexts, WordChoice, label_words
from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, SystemAnswers, gold_labels, read_run
from nliprobe.analysis.controls import is_control
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.scores import block_numbers
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.task.case import Certainty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

NO_WORDS = "no word is associated with a label strongly enough"
NO_POINTED = "no hypothesis has one of the words that point to a label"
NO_WRONG = "no hypothesis has words that point to a wrong label only"
NO_RIGHT = "no hypothesis has words that point to its gold label only"


class _Corpus(NamedTuple):
    """The labelled cases of one corpus of a run: their rows, what is counted of them, and what their words point to.

    The words themselves are not kept: those of a million hypotheses take 80 MB.
    """

    rows: NDArray[np.int64]
    features: Mapping[Feature, NDArray[np.float64]]
    words: PointingWords
    pointed: NDArray[np.uint8]


def run_artifacts(
    run: RunFolder,
    words: PointingWords | None = None,
    choice: WordChoice | None = None,
    *,
    derived: bool = True,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    data: RunData | None = None,
) -> ArtifactsDocument:
    """Compare the answers of systems with what words, lengths and overlap give away.

    Args:
        run: the run folder.
        words: the words that point to labels; by default they are chosen on the run's own pairs, corpus by corpus.
        choice: how they are chosen then.
        derived: whether cases that probes made count, too, beside the pairs as they are.
        certainty: which cases count.
        data: the run as :func:`read_run` gives it, if it has been read already.
    """
    data = read_run(run) if data is None else data
    wanted = data.cases.wanted(certainty) & (data.cases.gold != 0)
    if not derived:
        wanted &= data.cases.as_they_are
    corpora = dict(_corpora(run, data, wanted, words, choice or WordChoice()))
    return ArtifactsDocument(
        schema=RUN_SCHEMA,
        run=run.path.resolve().name,
        integrity=integrity(run),
        own=words is None,
        words=[
            UsedWords(
                corpus=name,
                chosen_on=list(corpus.words.chosen_on),
                words={label: list(chosen) for label, chosen in corpus.words.words.items()},
            )
            for name, corpus in corpora.items()
        ],
        entries=[
            entry
            for item in asked_slices(data, wanted)
            if item.part.corpus in corpora
            for entry in _entries(data, item, corpora[item.part.corpus])
        ],
        notes=run.notes,
    )


def _corpora(
    run: RunFolder, data: RunData, wanted: NDArray[np.bool_], words: PointingWords | None, choice: WordChoice
) -> Iterator[tuple[str, _Corpus]]:
    import numpy as np

    cases, original = data.cases, data.cases.as_they_are
    texts = RunTexts(run, cases, edited=bool((wanted & ~original).any()))
    for number, name in enumerate(cases.corpora):
        rows = np.flatnonzero(wanted & (cases.corpus == number))
        if not len(rows):
            continue
        read = texts.of(rows)
        chosen = words
        if chosen is None:
            chosen = _own_words(data, name, rows, read, original[rows], choice)
        features = {feature: read.feature(feature) for feature in FEATURES}
        yield name, _Corpus(rows, features, chosen, pointed_labels(read, chosen))
        # While the next corpus is read, this one is no longer needed.
        del read


def _own_words(
    data: RunData,
    corpus: str,
    rows: NDArray[np.int64],
    texts: Texts,
    original: NDArray[np.bool_],
    choice: WordChoice,
) -> PointingWords:
    """Choose words on the pairs of the run as they are."""
    import numpy as np

    partition = data.partitions[corpus]
    labels = block_numbers(partition)[data.cases.gold[rows]]
    kept = original & (labels < len(partition.blocks))
    _, clusters = np.unique(data.cases.group[rows[kept]], return_inverse=True)
    names = tuple(str(block) for block in partition.blocks)
    labelled = LabelledTexts(texts.where(kept), labels[kept], clusters.astype(np.int64), names)
    return PointingWords((corpus,), pointing(label_words(labelled, choice).words))


def _entries(data: RunData, item: AskedSlice, corpus: _Corpus) -> Iterator[ArtifactEntry]:
    """Yield what one system makes of the cases of one corpus and probe; nothing if none has a single gold label."""
    import numpy as np

    system, part = item.system, item.part.where(item.asked)
    partition = gold_labels(data.partitions[part.corpus], system.partition)
    single = block_numbers(partition)[data.cases.gold[part.rows]] < len(partition.blocks)
    ambiguous, part = int((~single).sum()), part.where(single)
    if not len(part.rows):
        return
    places = np.searchsorted(corpus.rows, part.rows)
    answered = Answered(data, system, part, partition)
    where = _pointing(in_labels(corpus.pointed[places], partition), answered.gold)
    features = {name: values[places] for name, values in corpus.features.items()}
    family = len(FEATURES) * len(partition.blocks)
    yield ArtifactEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        partition=str(partition),
        n=len(part.rows),
        groups=len(np.unique(part.clusters)),
        ambiguous=ambiguous,
        blind=is_control(data, system),
        words={name: part_numbers(answered.where(marks)) for name, marks in where.items()},
        lost=lost(answered, where["right"], where["wrong"]),
        lost_alike=lost_alike(answered, where["right"], where["wrong"]),
        control=_control_lost(answered, where),
        missing=_missing(corpus.words, where),
        features={name: feature_answers(answered, values, family) for name, values in features.items()},
    )


def _pointing(pointed: NDArray[np.uint8], gold: NDArray[np.uint8]) -> dict[Pointing, NDArray[np.bool_]]:
    """Mark the cases by where their words point, given masks in the labels that are told apart."""
    hits = (pointed & gold) != 0
    marks = (pointed == gold, (pointed != 0) & ~hits, hits & (pointed != gold), pointed == 0)
    return dict(zip(POINTINGS, marks, strict=True))


def _control_lost(answered: Answered, where: dict[Pointing, NDArray[np.bool_]]) -> ControlLost | None:
    best: SystemAnswers | None = best_rival(answered)
    if best is None:
        return None
    other = Answered(answered.data, best, answered.part, answered.partition)
    return ControlLost(system=best.name, lost=lost_alike(other, where["right"], where["wrong"]))


def _missing(words: PointingWords, where: dict[Pointing, NDArray[np.bool_]]) -> str | None:
    if not words:
        return NO_WORDS
    if where["none"].all():
        return NO_POINTED
    if not where["wrong"].any():
        return NO_WRONG
    return None if where["right"].any() else NO_RIGHT
