"""Section 6: which rows a model uses, compared with those that people need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nliprobe.papers.evidence._relevant import GOLD, NOTES, PLACES, PROBE, is_source
from nliprobe.papers.evidence.answers_file import find_answers
from nliprobe.papers.probe_answers import UNCHANGED
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds

if TYPE_CHECKING:
    from nliprobe.analysis.evidence.documents import UseMeasures
    from nliprobe.analysis.evidence.measures import UnitUse
    from nliprobe.papers.asked import MadeCorpus
    from nliprobe.papers.probe_answers import Answers

_NOTES = [
    "The paper's model, RoBERTa-large fine-tuned on InfoTabS, is not available. Columns of ours are of the model named "
    "under 'by', which takes its place.",
    "A row counts as used if the answer changes without it. Measured are pairs with the gold label E or C and at least "
    "one relevant row, and two rows in the table.",
    "'No row at all' is printed as '46 %' of the cases 'in the 52 % of pairs where the model completely misses "
    "relevant rows'; it may be meant of all pairs, so ours has both.",
    "Precision is 0 for pairs in which no row is used; 'precision where some row is used' leaves them out.",
]


@recipe("evidence:section6", "Rows that a model uses, compared with those that people need")
def section6(folders: Folders) -> Computed:
    """Compare the rows whose deletion changes the answer with those that people needed."""
    values: dict[Cell, float | Value | None] = dict.fromkeys(section6.printed())
    notes: list[str] = []
    for column, name, corpus in PLACES:
        answers = find_answers(name, folders.answers)
        if answers is None or not answers.has(corpus, PROBE):
            notes.append(f"{column}: not measured (there are no answers '{name}' to {PROBE} on {corpus}).")
            continue
        values |= _column(answers, column, corpus, folders)
    values |= _people(folders)
    return Computed(values, [*_NOTES, *NOTES, *notes])


def _column(answers: Answers, column: str, corpus: str, folders: Folders) -> dict[Cell, float | Value | None]:
    from nliprobe.analysis.evidence.measures import use_measures
    from nliprobe.papers.asked import make_cases

    made = make_cases(corpus, [PROBE], folders.root)
    measured = [use_measures(use) for use in _uses(answers, made)]
    values: dict[Cell, float | Value | None] = {Cell("pairs", column): Value(measured[0]["n"], answers.by)}
    for row in _numbers(measured[0]):
        per_seed = [_numbers(one)[row] for one in measured]
        shares = [share for share, _ in per_seed]
        values[Cell(row, column)] = over_seeds(shares, [ends for _, ends in per_seed], answers.by)
    return values


def _uses(answers: Answers, made: MadeCorpus) -> Iterator[UnitUse]:
    """Yield for each seed which rows people needed and which ones the model used."""
    from nliprobe.analysis.evidence.measures import unit_use

    gold, deleted = made.probes["gold"], made.probes[PROBE]
    chosen = [
        (place, pair, pair.evidence)
        for place, pair in enumerate(made.pairs)
        if is_source(pair) and str(pair.gold) in ("E", "C") and pair.evidence is not None and pair.evidence.units
        if deleted.sizes[place]
    ]
    befores = answers.to(made.name, "gold", gold.digest, gold.sizes)
    afters = answers.to(made.name, PROBE, deleted.digest, deleted.sizes)
    for before, after in zip(befores, afters, strict=True):
        yield unit_use(
            [deleted.sizes[place] for place, _, _ in chosen],
            [evidence.units for _, _, evidence in chosen],
            [
                [row for row, letter in enumerate(after[place]) if letter not in (before[place], UNCHANGED)]
                for place, _, _ in chosen
            ],
            [before[place] == str(pair.gold) for place, pair, _ in chosen],
            [pair.group for _, pair, _ in chosen],
        )


def _numbers(measures: UseMeasures) -> dict[str, tuple[float | None, list[float] | None]]:
    """Return what the section prints, in percent, each with its interval."""
    averages = {
        "precision": measures["precision"],
        "precision where some row is used": measures["precision_where_some"],
        "recall": measures["recall"],
    }
    kinds, right = measures["kinds"], measures["right"]
    rates = {
        "all relevant rows": kinds["all"],
        "exactly the relevant rows": measures["exact"],
        "some relevant rows": kinds["partial"],
        "no relevant row": measures["wrong"],
        "no row at all, of pairs with no relevant row": measures["nothing_of_wrong"],
        "no row at all": kinds["nothing"],
        "right": measures["accuracy"],
        "right, all relevant rows": right["all"],
        "right, some relevant rows": right["partial"],
    }
    numbers = {name: (_percent(one["mean"]), _ends(one["ci95"])) for name, one in averages.items()}
    numbers |= {name: (_percent(one["rate"]), _ends(one["ci95"])) for name, one in rates.items()}
    wrong = [right["irrelevant_only"]["rate"], right["nothing"]["rate"]]
    known = [share for share in wrong if share is not None]
    numbers["right, no relevant row"] = (100 * sum(known) if len(known) == len(wrong) else None, None)
    return numbers


def _people(folders: Folders) -> dict[Cell, float | Value | None]:
    """Return in how many E and C pairs people marked no row."""
    from nliprobe.api.sources import open_source
    from nliprobe.papers.evidence._counting import share
    from nliprobe.papers.evidence._marks import by

    corpus = next(place.corpus for place in PLACES if place.column == GOLD)
    pairs = [pair for pair in open_source(corpus, folders.root).pairs() if str(pair.gold) in ("E", "C")]
    nothing = [pair.evidence is None or not pair.evidence.units for pair in pairs]
    return {Cell("no row at all", "people"): share(nothing, [pair.group for pair in pairs], by(folders))}


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _ends(ci95: list[float] | None) -> list[float] | None:
    return None if ci95 is None else [100 * end for end in ci95]
