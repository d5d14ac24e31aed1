"""Compute the tables of docs/results/executable-tables.md from the runs that ``benchmarks/gpu/keep_tables.py`` makes.

``python -m scripts.executable_page RUNS`` prints them. ± is the standard deviation over seeds, and square brackets are
95 % intervals by table; three seeds count as one system that was asked three times.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.analysis.cases import RunData, SystemAnswers, read_run
from nliprobe.analysis.facet_values import facet_members, rows_by_value
from nliprobe.analysis.scores import share_interval
from nliprobe.analysis.summary import summarise
from nliprobe.stats.grouped import group_sums, mean_difference_interval
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import C, E, LabelSet, N

Rows = NDArray[np.int64]
Marks = NDArray[np.bool_]
FLIP, DELETE = "counterfactual.flip", "rows.delete?n=1"
SEEDS = 3
# The names of the page, and those of the runs; what has a number there is one seed of a family.
SYSTEMS = {
    "svm": "svm",
    "svm-hypothesis": "svm-hypothesis",
    "svm-made": "svm-made",
    "svm-made-hypothesis": "svm-made-hypothesis",
    "small": "small",
    "small-hypothesis": "small-hypothesis",
    "minilm": "para",
    "minilm-hypothesis": "hypothesis",
    "minilm-made": "made",
    "minilm-made-hypothesis": "made-hypothesis",
}
READERS = ("svm", "svm-made", "small", "minilm", "minilm-made")


class Asked(NamedTuple):
    """A run that was read."""

    folder: RunFolder
    data: RunData

    @classmethod
    def read(cls, path: Path) -> Asked:
        """Read a run."""
        folder = RunFolder.open(path)
        return cls(folder, read_run(folder))

    def seeds(self, name: str) -> list[SystemAnswers]:
        """Return a system of the page: itself, or each of its seeds."""
        names = {SYSTEMS[name], *(f"{SYSTEMS[name]}-{seed}" for seed in range(SEEDS))}
        return [system for system in self.data.systems if system.name in names]

    def rows(self, probe: str, labels: Sequence[LabelSet] = (E, N, C)) -> Rows:
        """Return the cases of a probe with these gold labels."""
        cases = self.data.cases
        asked = cases.probe == cases.probes.index(probe)
        return np.flatnonzero(asked & np.isin(cases.gold, [label.mask for label in labels]))

    def right(self, name: str, rows: Rows) -> list[Marks]:
        """Mark what each seed of a system answers right."""
        return [system.answers[rows] == self.data.cases.gold[rows] for system in self.seeds(name)]

    def share(self, marks: Sequence[Marks], rows: Rows) -> str:
        """Write a share of cases: mean, deviation over seeds, and the interval."""
        _, groups = np.unique(self.data.cases.group[rows], return_inverse=True)
        interval = share_interval(np.concatenate(marks), np.tile(groups, len(marks)))
        shares = [100 * float(one.mean()) for one in marks]
        spread = f" ± {stdev(shares):.1f}" if len(shares) > 1 else ""
        ends = "" if interval is None else f" [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
        return f"{fmean(shares):.1f}{spread}{ends}"

    def accuracy(self, name: str, rows: Rows) -> str:
        """Write how often a system is right."""
        return self.share(self.right(name, rows), rows)


def row(*cells: str) -> str:
    """Write a row of a table."""
    return f"| {' | '.join(cells)} |"


def accuracies(asked: Asked) -> Iterator[str]:
    """Yield accuracy and gain of every system."""
    gains = {entry["system"]: entry for entry in summarise(asked.folder)["gains"]}
    for name in SYSTEMS:
        own = [gains[system.name] for system in asked.seeds(name) if system.name in gains]
        points = [100 * entry["gain"] for entry in own]
        by_seed = [
            f"{100 * entry['gain']:+.1f} [{100 * entry['ci95'][0]:+.1f}, {100 * entry['ci95'][1]:+.1f}] "
            f"adjusted p {entry['p_holm']:.3f}"
            for entry in own
            if entry["ci95"] is not None
        ]
        mean = f"{fmean(points):+.1f}: " if points else ""
        yield row(name, asked.accuracy(name, asked.rows("gold")), mean + ", ".join(by_seed))


def by_label(asked: Asked) -> Iterator[str]:
    """Yield how often each system is right on E, N and C, and on E and C together."""
    for name in SYSTEMS:
        yield row(name, *(asked.accuracy(name, asked.rows("gold", some)) for some in ((N,), (E,), (C,), (E, C))))


def by_facet(asked: Asked, facet: str) -> Iterator[str]:
    """Yield accuracy on the pairs with each value of a facet, then on those of them that are E or C."""
    every, decided = asked.rows("gold"), asked.rows("gold", (E, C))
    for value, members in rows_by_value(facet_members(asked.folder, asked.data, facet)).items():
        rows, some = np.intersect1d(members, every), np.intersect1d(members, decided)
        cells = [asked.accuracy(name, rows) for name in READERS]
        yield row(value, str(len(rows)), *cells, *(asked.accuracy(name, some) for name in READERS[2:]))


def flips(asked: Asked, labels: Sequence[LabelSet]) -> Iterator[str]:
    """Yield how often systems are right on both sides of a flip, on one, or on none, for originals of these labels."""
    cases = asked.data.cases
    rows = asked.rows(FLIP)
    rows = rows[np.isin(cases.gold[cases.base[rows]], [label.mask for label in labels])]
    bases = cases.base[rows]
    yield f"{len(rows):,} flips of {len(np.unique(bases)):,} pairs"
    for name in SYSTEMS:
        both = list(zip(asked.right(name, bases), asked.right(name, rows), strict=True))
        one_sided = ([one & ~two for one, two in both], [~one & two for one, two in both])
        parts = ([one & two for one, two in both], *one_sided, [~one & ~two for one, two in both])
        yield row(name, *(asked.share(marks, rows) for marks in parts))


def deletions(asked: Asked) -> Iterator[str]:
    """Yield accuracy after a row was deleted: of all, and of those that became neutral by it."""
    cases = asked.data.cases
    rows = asked.rows(DELETE)
    new = rows[(cases.gold[rows] == N.mask) & (cases.gold[cases.base[rows]] != N.mask)]
    yield f"{len(rows):,} deletions, {len(new):,} of them make an E or C pair neutral"
    for name in SYSTEMS:
        yield row(name, asked.accuracy(name, rows), asked.accuracy(name, new))


def by_seed(asked: Asked, name: str) -> Iterator[str]:
    """Yield for each seed how often it is right on E and C pairs, and on both sides where E and C are exchanged."""
    cases = asked.data.cases
    decided, changed = asked.rows("gold", (E, C)), asked.rows(FLIP)
    changed = changed[cases.gold[cases.base[changed]] != N.mask]
    before, after = asked.right(name, cases.base[changed]), asked.right(name, changed)
    for system, *marks in zip(asked.seeds(name), asked.right(name, decided), before, after, strict=True):
        yield row(system.name, asked.share(marks[:1], decided), asked.share([marks[1] & marks[2]], changed))


def missing_only(asked: Asked) -> Iterator[str]:
    """Yield what a reader gets who sees which rows are missing, and gives one label wherever none is."""
    cases = asked.data.cases
    every = asked.rows("gold")
    missing = rows_by_value(facet_members(asked.folder, asked.data, "form"))["N-missing"]
    gold = cases.gold[every]
    counts = {str(label): len(np.intersect1d(missing, every)) + int((gold == label.mask).sum()) for label in (E, C)}
    yield f"accuracy {100 * max(counts.values()) / len(every):.1f} ({counts} of {len(every):,})"
    if FLIP in cases.probes:
        rows = asked.rows(FLIP)
        ends = cases.gold[rows[np.isin(cases.base[rows], missing)]]
        both = max(int((ends == label.mask).sum()) for label in (E, C))
        yield f"right on both sides of a flip {100 * both / len(rows):.1f}"


def twins(asked: Asked) -> Iterator[str]:
    """Yield accuracy on real tables and on their twins, and the difference."""
    cases = asked.data.cases
    worlds = rows_by_value(facet_members(asked.folder, asked.data, "world"))
    every = asked.rows("gold")
    real, made = (np.intersect1d(worlds[world], every) for world in ("real", "fictional"))
    _, groups = np.unique(cases.group[np.concatenate([real, made])], return_inverse=True)
    for name in SYSTEMS:
        pairs = list(zip(asked.right(name, real), asked.right(name, made), strict=True))
        marks = sum(np.concatenate([one.astype(np.int64), -two.astype(np.int64)]) for one, two in pairs)
        sums, _ = group_sums(np.asarray(marks, dtype=np.int64), groups)
        interval = mean_difference_interval(sums / len(pairs), np.bincount(groups[: len(real)]))
        assert interval is not None
        bias = 100 * float(sums.sum()) / len(pairs) / len(real)
        seeds = ", ".join(f"{100 * (float(one.mean()) - float(two.mean())):+.1f}" for one, two in pairs)
        ends = f"[{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"
        yield row(name, asked.accuracy(name, real), asked.accuracy(name, made), f"{bias:+.1f} {ends} ({seeds})")


def main(runs: Path) -> None:
    """Print every table."""
    tables, paired = Asked.read(runs / "tables"), Asked.read(runs / "twins")
    parts = {
        "Accuracy, 9,000 pairs": accuracies(tables),
        "Accuracy, real tables and twins": accuracies(paired),
        "By label: N, E, C, E and C": by_label(tables),
        **{f"By {name}": by_facet(tables, name) for name in ("reasoning", "capability", "category")},
        "Flips: both, original only, counterfactual only, neither": flips(tables, (E, N, C)),
        "Flips between E and C": flips(tables, (E, C)),
        "Flips of N": flips(tables, (N,)),
        "By seed: E and C, both sides of flips between E and C": by_seed(tables, "minilm-made"),
        "Deletions": deletions(tables),
        "Twins": twins(paired),
        "Who sees which rows are missing, 9,000 pairs": missing_only(tables),
        "Who sees which rows are missing, real tables and twins": missing_only(paired),
    }
    for title, lines in parts.items():
        print(f"\n{title}", *lines, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
