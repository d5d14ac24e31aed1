"""Perturbed hypotheses in the reports: right answers on originals, and where the label stays and where it flips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.counterfactual.documents import SetScore
from nliprobe.analysis.perturbed.documents import PerturbationEntry, PerturbedScore, Twin
from nliprobe.report._tables import new_table
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.counterfactuals import subsampled_words
from nliprobe.report.words import (
    NOTHING,
    around,
    constant_words,
    group_remarks,
    percent,
    plural,
    probability,
    sentences,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

TITLE = "Perturbed hypotheses"
ABOUT = "percent right on originals, and where the label stays and where it flips, with 95 % interval"
COLUMNS = ("system", "corpus", "set", "n", "accuracy", "lost from originals", "p", "80 % subsamples", "best constant")
KIND_COLUMNS = ("system", "corpus", "kind", "label", "n", "accuracy", "best constant")
LEGEND = (
    "preserved: the label of the original stays; whoever follows the premise is as often right as on the originals of "
    "these",
    "flipped: entailment becomes contradiction, or the reverse; whoever goes by the wording of the hypothesis is wrong "
    "where it was right",
    "no answer counts as wrong; only labels that a rule is certain of count, and they are not balanced: compare with "
    "the best constant answer",
)


def perturbed_rows(entries: Iterable[PerturbationEntry]) -> list[list[str]]:
    """Write the rows under ``COLUMNS``, a row per system and set."""
    rows: list[list[str]] = []
    for entry in entries:
        rows.append(
            [*_head(entry), "original", f"{entry['originals']:,}", *_score(entry["original"], NOTHING, NOTHING)]
        )
        for item in entry["effects"]:
            lost = around(item["difference"], item["difference_ci95"], sign=True)
            score = _score(item["score"], lost, probability(item["p"]))
            rows.append([*_head(entry), item["effect"], f"{item['n']:,}", *score])
    return rows


def kind_rows(entries: Iterable[PerturbationEntry]) -> list[list[str]]:
    """Write the rows under ``KIND_COLUMNS``, a row per system, kind and effect."""
    return [
        [
            *_head(entry),
            item["kind"],
            item["effect"],
            f"{item['n']:,}",
            around(item["accuracy"], item["ci95"]),
            constant_words(item["constant"]),
        ]
        for entry in entries
        for item in entry["kinds"]
    ]


def perturbed_lines(entries: Sequence[PerturbationEntry]) -> list[str]:
    """Say what stands beside the accuracies: sizes, chance, systems without premise, what is likely only."""
    lines = [
        f"{_set_title(alike[0])}: {line}"
        for alike in _sets(entries)
        for line in (*_set_lines(alike), *_constants(alike))
    ]
    return [*lines, *group_remarks((item["corpus"], item["originals"], item["groups"]) for item in entries)]


def perturbed_parts(entries: Sequence[PerturbationEntry]) -> list[RenderableType]:
    """Show perturbed hypotheses on the console: a table per corpus, with remarks."""
    from rich.text import Text

    if not entries:
        return []
    title = Text(TITLE, style="bold cyan").append(f"  {ABOUT}", style="not bold dim")
    parts: list[RenderableType] = ["", title]
    for alike in _sets(entries):
        parts += [Text(_set_title(alike[0])), _table(alike)]
        parts += [*(Text(line, style="dim") for line in _set_lines(alike)), ""]
    sizes = ((item["corpus"], item["originals"], item["groups"]) for item in entries)
    return [*parts, *(Text(line, style="dim") for line in (*LEGEND, *group_remarks(sizes)))]


def perturbed_section(entries: Sequence[PerturbationEntry]) -> dict[str, object] | None:
    """Prepare the section of the page; None if the run has no perturbed hypotheses."""
    from markupsafe import Markup

    if not entries:
        return None
    plots = [
        {
            "title": _set_title(alike[0]),
            "svg": Markup(bar_chart(_bars(alike), _set_title(alike[0]), scale=1.0)),
            "lines": [*_set_lines(alike), *_constants(alike)],
        }
        for alike in _sets(entries)
    ]
    sizes = ((item["corpus"], item["originals"], item["groups"]) for item in entries)
    return {
        "title": TITLE,
        "lead": "Percent right on originals, and on hypotheses that were changed so that the label stays or flips.",
        "about": " ".join(sentences([*LEGEND, *group_remarks(sizes)])),
        "plots": plots,
        "tables": [
            {"columns": list(COLUMNS), "rows": perturbed_rows(entries), "texts": 3},
            {"columns": list(KIND_COLUMNS), "rows": kind_rows(entries), "texts": 4},
        ],
    }


def _table(entries: Sequence[PerturbationEntry]) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold", min_width=8)
    for name in ("Original", "Preserved", "Flipped"):
        table.add_column(name, justify="right")
    for entry in entries:
        scores = _scores(entry)
        table.add_row(Text(entry["system"]), *(_accuracy(scores.get(name)) for name in _NAMES))
    scores = _scores(entries[0])
    constants = [scores[name]["constant"] if name in scores else None for name in _NAMES]
    table.add_row(Text("best constant", style="dim"), *(Text(constant_words(item), style="dim") for item in constants))
    return table


_NAMES = ("original", "preserved", "flipped")


def _scores(entry: PerturbationEntry) -> dict[str, SetScore]:
    return {"original": entry["original"], **{item["effect"]: item["score"] for item in entry["effects"]}}


def _accuracy(score: SetScore | None) -> str:
    return NOTHING if score is None else around(score["accuracy"], score["ci95"])


def _bars(entries: Sequence[PerturbationEntry]) -> list[Bar]:
    """Draw for each system its three sets; systems that do not see the premise come last."""
    bars = []
    for entry in sorted(entries, key=lambda item: item["premise_free"]):
        for name, score in _scores(entry).items():
            shade = " blind" if entry["premise_free"] else ""
            ends = None if score["ci95"] is None else (score["ci95"][0], score["ci95"][1])
            bars.append(
                Bar(f"{name}, {entry['system']}", ((f"{name}{shade}", score["accuracy"]),), _accuracy(score), ends)
            )
    return bars


def _sets(entries: Iterable[PerturbationEntry]) -> list[list[PerturbationEntry]]:
    """Return the entries over the same perturbed hypotheses."""
    sets: dict[tuple[str, str], list[PerturbationEntry]] = {}
    for entry in entries:
        sets.setdefault((entry["corpus"], entry["made_by"]), []).append(entry)
    return list(sets.values())


def _set_title(entry: PerturbationEntry) -> str:
    return entry["corpus"] if entry["made_by"] == "probes" else f"{entry['corpus']}, pairs of the corpus"


def _set_lines(entries: Sequence[PerturbationEntry]) -> list[str]:
    first = entries[0]
    sizes = [_size(item) for item in first["effects"]]
    chance = percent(first["original"]["chance"])
    lines = [f"{plural(first['originals'], 'original')}; {'; '.join(sizes)}; guessing gets {chance}"]
    lines += [_twin_line(entry, twin) for entry in entries for twin in entry["twins"]]
    for item in first["likely"]:
        shares = (
            f"{entry['system']} {percent(one['accuracy'])}"
            for entry in entries
            for one in entry["likely"]
            if one["effect"] == item["effect"]
        )
        lines.append(f"{item['n']:,} more {item['effect']} whose label is likely only: {', '.join(shares)}")
    return lines


def _size(item: PerturbedScore) -> str:
    return (
        f"{item['n']:,} {item['effect']}, of {plural(item['originals'], 'pair')} in {plural(item['groups'], 'group')}"
    )


def _twin_line(entry: PerturbationEntry, twin: Twin) -> str:
    gaps = (f"{gap['set']} {around(gap['gap'], gap['ci95'], sign=True)}" for gap in twin["gaps"])
    return f"{entry['system']} minus {twin['control']}, which sees no premise: {', '.join(gaps)}"


def _constants(entries: Sequence[PerturbationEntry]) -> list[str]:
    words = (f"{name} {constant_words(score['constant'])}" for name, score in _scores(entries[0]).items())
    return [f"the best constant answer gets: {', '.join(words)}"]


def _head(entry: PerturbationEntry) -> list[str]:
    return [entry["system"], _set_title(entry)]


def _score(score: SetScore, lost: str, p: str) -> list[str]:
    return [_accuracy(score), lost, p, subsampled_words(score), constant_words(score["constant"])]
