"""Compute the numbers of ``docs/results/zoo.md`` from what the package ships: answers, grids, transfer results.

The page holds marked blocks, which ``python scripts/swap_results.py`` writes and a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, cast

from nliprobe.analysis.grid import MOVED
from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json
from nliprobe.papers.blocks import fill_page, markdown_table
from nliprobe.papers.recipes import Cell, Folders
from nliprobe.papers.swap._measured import DEVIATION, MODELS
from nliprobe.papers.swap.answers_file import SWAP, SWAPPED, ZOO, shipped_answers
from nliprobe.papers.swap.grid_files import find_grids
from nliprobe.papers.swap.results import Spread, spread
from nliprobe.papers.swap.table1 import swap_rows, table1
from nliprobe.papers.swap.table2 import table2
from nliprobe.report.words import constant_words

if TYPE_CHECKING:
    from nliprobe.analysis.documents import ScoreEntry
    from nliprobe.analysis.grid_documents import GridDeviation, GridDocument, GridRow
    from nliprobe.models.violations import RuleViolations, Violations
    from nliprobe.papers.probe_answers import Answers

TOPIC = "zoo"
# How trainings went, and how often their networks break the rules of inference.
TRAININGS = Path(__file__).parent / "zoo.json"
_LABELS = ("E", "C", "N")
_TEST = "snli/test"
# What the original papers report on SNLI test after all of SNLI's training pairs.
_ORIGINAL = {"InferSent": 84.5, "DGA": 85.5, "ESIM": 88.0, "KIM": 88.6, "decomposable attention": 86.3}
# The tests of the page: certain labels, and of antonymy the released set, because MultiNLI gives few pairs of it.
_SHOWN = {
    "gold": "Unedited",
    "nli-stress/antonymy": "Antonymy",
    "stress.length": "Length Mismatch",
    "stress.negation": "Negation",
    "stress.overlap": "Word Overlap",
    "stress.spelling": "Spelling Error",
    "stress.numerical": "Numerical",
}


def fill_zoo(text: str) -> str:
    """Return the page with every marked block computed anew; other text stays as it is."""
    return fill_page(text, TOPIC, lambda name: BLOCKS[name]())


@cache
def zoo() -> dict[str, Answers]:
    """Return the answers of the networks by what the page calls them."""
    return shipped_answers(ZOO)


def accuracy_block() -> str:
    """Write the accuracy of each network on SNLI test, beside what its own paper and the swap paper's Table 1 have."""
    rows = []
    for name, answers in zoo().items():
        entries = _gold_scores(answers)
        theirs = _implied(name)
        rows.append(
            [
                name,
                str(_accuracy(entries)),
                _mean_interval([entry["ci95"] for entry in entries]),
                constant_words(entries[0]["constant"]),
                "" if theirs is None else f"{theirs:.1f}",
                f"{_ORIGINAL[name]:.1f}" if name in _ORIGINAL else "",
            ]
        )
    head = ["network", "accuracy", "95 % interval", "best constant", "swap paper", "its own paper"]
    return markdown_table(head, rows)


def swap_block() -> str:
    """Write Table 1 on SNLI test: per label, what stays right when the texts change places, ours and the paper's."""
    rows = []
    for name, answers in zoo().items():
        by_label = swap_rows(answers, _TEST, Folders())
        cells = []
        for label in _LABELS:
            before, after = (spread([row[key] for row in by_label[label]]) for key in ("original", "swapped"))
            paper = [table1.printed().get(Cell(f"{name} {label}", column)) for column in ("Test", "Swap-Test")]
            cells.append(f"{before.mean:.1f} → {after}")
            cells.append(
                "" if None in paper else " → ".join(f"{100 * value:.1f}" for value in paper if value is not None)
            )
        rows.append([name, *cells])
    head = ["network", *(text for label in _LABELS for text in (label, f"{label}, paper"))]
    return markdown_table(head, rows, texts=7)


def drop_block() -> str:
    """Write the drop of C and N on SNLI test with its interval, and the paper's."""
    rows = []
    for name, answers in zoo().items():
        by_label = swap_rows(answers, _TEST, Folders())
        cells = []
        for label in ("C", "N"):
            drop = spread([row["drop"] for row in by_label[label]])
            paper = table1.printed().get(Cell(f"{name} {label}", "Diff-Test"))
            cells += [str(drop), _mean_interval([row["drop_ci95"] for row in by_label[label]])]
            cells.append("" if paper is None else f"{100 * paper:.1f}")
            verdicts = {row["verdict"] for row in by_label[label]}
            cells.append(verdicts.pop() if len(verdicts) == 1 else "the seeds differ")
        rows.append([name, *cells])
    head = [
        "network",
        *(f"{label}, {text}" for label in ("C", "N") for text in ("drop", "interval", "paper", "reading")),
    ]
    return markdown_table(head, rows, texts=9)


def shares_block() -> str:
    """Write the swap test of InferSent by the share of its training pairs that were swapped, on SNLI test."""
    rows = []
    for name, answers in shipped_answers(SWAPPED).items():
        by_label = swap_rows(answers, _TEST, Folders())
        entries = _gold_scores(answers)
        cells = []
        for label in _LABELS:
            before, after = (spread([row[key] for row in by_label[label]]) for key in ("original", "swapped"))
            cells.append(f"{before} → {after}")
        rows.append(
            [
                name.rpartition(", ")[2],
                str(_accuracy(entries)),
                _mean_interval([entry["ci95"] for entry in entries]),
                *cells,
            ]
        )
    return markdown_table(["training pairs", "accuracy", "95 % interval", *_LABELS], rows)


def rules_block() -> str:
    """Write how often base networks and those trained with rules break each rule, in percent of the sets."""
    rows = []
    for name in ("decatt", "adv-decatt", "esim", "adv-esim"):
        seeds = [read["violations"] for read in _trainings()[name].values()]
        for kind, what in (
            ("real", "sentences of SNLI dev"),
            ("generated", "changed at random"),
            ("searched", "the worst of eight"),
        ):
            rows.append([f"`{name}`", what, *(_broken(rules) for rules in _by_rule(seeds, kind))])
    return markdown_table(["network", "sets", "R1", "R2", "R3", "R4", "R5"], rows, texts=2)


def scores_block(condition: str) -> Callable[[], str]:
    """Return what writes the scores of one grid: per network and test, S with each share, over both genres."""

    def write() -> str:
        grid = _grid(condition)
        rows = []
        for model in _models(grid):
            for test, shown in _SHOWN.items():
                genres = [
                    row for row in grid["rows"] if (row["model"], row["test"], row["likely"]) == (model, test, False)
                ]
                constant = genres[0]["constant"]
                rows.append(
                    [
                        MODELS[model],
                        shown,
                        f"{sum(row['n'] for row in genres):,}",
                        "" if constant is None else constant_words(constant),
                        *(_both(genres, share) for share in grid["shares"]),
                    ]
                )
        shares = [f"S {100 * share:g} %" for share in grid["shares"]]
        return markdown_table(["network", "test", "n", "best constant", *shares], rows, texts=2)

    return write


def deviations_block(condition: str) -> Callable[[], str]:
    """Return what writes the deviations of one grid, beside the paper's; a star marks what chance alone may give."""

    def write() -> str:
        grid = _grid(condition)
        found = {(item["model"], item["test"]): item for item in grid["deviations"] if not item["likely"]}
        rows = []
        for model in _models(grid):
            paper = [table2.printed().get(Cell(f"{MODELS[model]} {test}", DEVIATION)) for test in _SHOWN.values()]
            cells = [_deviation(found[model, test]) for test in _SHOWN]
            shown = [
                cell + ("" if own is None else f" (paper {own:.3f})") for cell, own in zip(cells, paper, strict=True)
            ]
            rows.append([MODELS[model], *shown])
        return markdown_table(["network", *_SHOWN.values()], rows)

    return write


def _grid(condition: str) -> GridDocument:
    grids = find_grids(None)
    if condition not in grids:
        raise DataError(f"There is no grid of {condition} in the package.")
    return grids[condition]


def _models(grid: GridDocument) -> list[str]:
    """Return the networks of a grid in the order of the paper."""
    names = [model["name"] for model in grid["models"]]
    return sorted(names, key=list(MODELS).index)


def _both(genres: Sequence[GridRow], share: float) -> str:
    """Return the scores on matched and on mismatched pairs."""
    scores = [score["accuracy"] for row in genres for score in row["scores"] if score["share"] == share]
    return " / ".join("–" if score is None else f"{100 * score:.1f}" for score in scores)


def _deviation(item: GridDeviation) -> str:
    if item["deviation"] is None:
        return "–"
    # What chance alone may give has a star.
    return f"{item['deviation']:.3f}" + ("" if item["reading"] == MOVED else r"\*")


def transfer_block() -> str:
    """Write Table 3: the vectors of InferSent on nine tasks, ours and the paper's."""
    from nliprobe.papers.swap.table3 import COLUMNS, table3

    computed = table3.compute(Folders()).values
    rows: list[str] = list(dict.fromkeys(cell.row for cell in computed))
    lines = []
    for row in rows:
        cells = []
        for column in COLUMNS:
            value, paper = computed.get(Cell(row, column.name)), table3.printed().get(Cell(row, column.name))
            ours = value if value is None or isinstance(value, float) else value.number
            digits = 3 if column.unit == 1.0 else 1
            cells.append(" / ".join("–" if one is None else f"{one:.{digits}f}" for one in (ours, paper)))
        lines.append([row, *cells])
    return markdown_table(["", *(column.name for column in COLUMNS)], lines)


@cache
def _trainings() -> dict[str, dict[str, dict[str, Violations]]]:
    return cast("dict[str, dict[str, dict[str, Violations]]]", read_json(TRAININGS)["networks"])


def _by_rule(seeds: Sequence[Violations], kind: str) -> Iterator[list[RuleViolations]]:
    """Yield for each rule what all seeds have."""
    return (list(rules) for rules in zip(*(seed[kind] for seed in seeds), strict=True))  # type: ignore[literal-required]


def _broken(rules: Sequence[RuleViolations]) -> str:
    shares = [rule["share"] for rule in rules if rule["share"] is not None]
    return str(spread(shares)) if shares else "–"


def _gold_scores(answers: Answers) -> list[ScoreEntry]:
    from nliprobe.analysis.scores import scores
    from nliprobe.papers.asked import asked_run, make_cases

    data = asked_run(answers, [make_cases(_TEST, [SWAP], None)])
    return [entry for entry in scores(data) if entry["probe"] == "gold"]


def _accuracy(entries: Sequence[ScoreEntry]) -> Spread:
    return spread([entry["accuracy"] for entry in entries if entry["accuracy"] is not None])


def _mean_interval(intervals: Sequence[Sequence[float] | None]) -> str:
    known = [interval for interval in intervals if interval is not None]
    return f"[{100 * fmean(low for low, _ in known):.1f}, {100 * fmean(high for _, high in known):.1f}]"


def _implied(name: str) -> float | None:
    """Return the accuracy on SNLI test that the swap paper's Table 1 implies: labels are about equally frequent."""
    shares = [table1.printed().get(Cell(f"{name} {label}", "Test")) for label in _LABELS]
    known = [share for share in shares if share is not None]
    return 100 * fmean(known) if len(known) == len(_LABELS) else None


BLOCKS: dict[str, Callable[[], str]] = {
    "accuracy": accuracy_block,
    "swap": swap_block,
    "drops": drop_block,
    "shares": shares_block,
    "rules": rules_block,
    "deviations-multinli": deviations_block("MultiNLI 20k"),
    "scores-multinli": scores_block("MultiNLI 20k"),
    "deviations-both": deviations_block("SNLI 100k and MultiNLI 20k"),
    "scores-both": scores_block("SNLI 100k and MultiNLI 20k"),
    "transfer": transfer_block,
}
