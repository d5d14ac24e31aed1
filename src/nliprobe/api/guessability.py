"""How far the labels of a corpus can be guessed, from a spec string to a file and ``nliprobe/data-guessability/1``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.api.guessability_documents import (
    AgainstDocument,
    GuessabilityDocument,
    LabelDocument,
    TrainingDocument,
)
from nliprobe.api.marks import measure_document
from nliprobe.base.errors import UsageError
from nliprobe.corpora.evidence.counts import share_of
from nliprobe.corpora.hard_sets import HardSet, find_hard_pairs, open_if_here, released_hard_set
from nliprobe.stats.kappa import kappa_of
from nliprobe.stats.matches import Matches, Measure, pooled_matches
from nliprobe.task.facet_writer import PAIR_ID, require_facet_file, write_facets
from nliprobe.task.source import Source
from nliprobe.task.sources import open_source, origin
from nliprobe.training.guessability import FOLDS, Guess, Guessability, Progress, guessability
from nliprobe.training.guessers import MEMBERS

SCHEMA = "nliprobe/data-guessability/1"
YES, NO = "yes", "no"
# Digits of a score in the file: a fifth one would pretend that the ensemble knows it.
_DIGITS = 4


def data_guessability(
    text: str,
    out: Path | None = None,
    root: Path | None = None,
    *,
    train: Sequence[str] = (),
    against: Sequence[str] = (),
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> GuessabilityDocument:
    """Measure how far the label of each pair of a corpus can be guessed from its hypothesis alone.

    Args:
        text: the corpus: ``snli/test``, ``file:my.csv``.
        out: where to write a line per labelled pair (CSV, TSV, JSON lines or Parquet, by its ending), which
            ``snli/test?facets=FILE&where=guessable:no`` reads; without it, nothing is written.
        root: the folder above the corpora.
        train: corpora that the ensemble learns from; without any it learns from the other folds of the corpus.
        against: hard subsets to compare with, such as ``snli-hard``; without any, the released one of the corpus if
            it is on this machine.
        folds: how many folds, at least 2.
        seed: of folds and training.
        progress: is told how many of how many steps are done.
    """
    if folds < 2:
        raise UsageError(f"The number of folds should be at least 2, not {folds}.")
    if out is not None:
        require_facet_file(out)
    source = open_source(text, root)
    subsets: list[Source] = [open_source(name, root) for name in against]
    notes: list[str] = []
    if not against and (name := released_hard_set(source)):
        released = open_if_here(name, root)
        subsets += [] if released is None else [released]
        notes += [] if released is not None else [f"The released hard subset {name} is not on this machine."]
    teachers = [open_source(name, root) for name in train]
    # Before anything is learnt, because a subset of another corpus is an error.
    hard = [find_hard_pairs(list(source.pairs()), origin(source).name, subset) for subset in subsets]
    guesses = guessability(source, teachers, folds=folds, seed=seed, progress=progress)
    if out is not None:
        write_facets(out, [_row(guess) for guess in guesses.guesses])
    return _document(guesses, [_against(guesses, each) for each in hard], notes, out)


def _row(guess: Guess) -> dict[str, str | int | float]:
    return {
        PAIR_ID: guess.pair_id,
        "guessability": round(guess.score, _DIGITS),
        "guessable": YES if guess.guessable else NO,
        "guessers": sum(guess.right),
        "guess": str(guess.answer),
    }


def _document(
    result: Guessability, compared: list[AgainstDocument], notes: list[str], out: Path | None
) -> GuessabilityDocument:
    guesses = result.guesses
    groups = [guess.group for guess in guesses]
    right = [guess.guessable for guess in guesses]
    counts = {label: sum(guess.gold == label for guess in guesses) for label in result.labels}
    most = max(result.labels, key=lambda label: counts[label])
    accuracy = share_of(right, groups)
    if accuracy.ci95 is None or accuracy.ci95.low <= counts[most] / len(guesses):
        notes = [
            *notes,
            f"Guesses are not shown to be better than always {most}: whether a pair is guessable then says little more "
            "than which label it has.",
        ]
    return {
        "schema": SCHEMA,
        "corpus": result.corpus,
        "file": None if out is None else str(out),
        "pairs": result.pairs,
        "scored": len(guesses),
        "groups": len(set(groups)),
        "skipped": dict(result.skipped),
        "folds": result.folds,
        "seed": result.seed,
        "training": _training(result),
        "accuracy": measure_document(accuracy),
        "constant": {"label": str(most), "accuracy": counts[most] / len(guesses)},
        "chance": 1 / len(result.labels),
        "members": [
            {
                "name": member.name,
                "accuracy": measure_document(share_of([guess.right[place] for guess in guesses], groups)),
            }
            for place, member in enumerate(MEMBERS)
        ],
        "hard": sum(not each for each in right),
        "labels": [_label(str(label), [guess for guess in guesses if guess.gold == label]) for label in result.labels],
        "against": compared,
        "notes": notes,
    }


def _label(name: str, guesses: Sequence[Guess]) -> LabelDocument:
    groups = [guess.group for guess in guesses]
    return {
        "label": name,
        "pairs": len(guesses),
        "hard": sum(not guess.guessable for guess in guesses),
        "hard_share": measure_document(share_of([not guess.guessable for guess in guesses], groups)),
        "mean_score": sum(guess.score for guess in guesses) / len(guesses),
    }


def _training(result: Guessability) -> TrainingDocument | None:
    training = result.training
    if training is None:
        return None
    return {
        "corpora": list(training.corpora),
        "pairs": training.pairs,
        "shared": training.shared,
        "other_labels": training.other,
        "skipped": dict(training.skipped),
    }


def _against(result: Guessability, hard: HardSet) -> AgainstDocument:
    """Compare the pairs that the ensemble gets wrong with a hard subset, over the pairs that have a guess."""
    import numpy as np

    ours = np.array([not guess.guessable for guess in result.guesses])
    theirs = np.array([guess.pair_id in hard.ids for guess in result.guesses])
    groups = [guess.group for guess in result.guesses]
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    clusters = np.array([numbers[group] for group in groups], dtype=np.int64)
    matches = [Matches(int(a and b), int(a and not b), int(b and not a)) for a, b in zip(ours, theirs, strict=True)]
    scores = pooled_matches(matches, groups)
    share = float(theirs.mean())
    precision = scores.precision.value
    kappa: Measure = kappa_of(ours, theirs, clusters)
    return {
        "name": hard.name,
        "matched_by": hard.by.value,
        "size": hard.size,
        "matched": int(theirs.sum()),
        "unmatched": hard.unmatched,
        "share": share,
        "hard": int(ours.sum()),
        "hard_share": float(ours.mean()),
        "precision": measure_document(scores.precision),
        "recall": measure_document(scores.recall),
        "lift": precision / share if precision is not None and share else None,
        "kappa": measure_document(kappa),
    }
