"""Counterfactuals in the reports: right answers on originals, and on what was made from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.counterfactual.documents import ControlCounts, CounterfactualEntry, CrossedCounts, SetScore
from nliprobe.report._tables import new_table
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.words import around, constant_words, group_remarks, percent, plural, probability, sentences
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

TITLE = "Counterfactuals"
ABOUT = "percent right on originals and on what was made from them, with 95 % interval; no answer counts as wrong"
COLUMNS = ("system", "corpus", "made by", "label", "n", "original", "counterfactual", "difference", "p")
CROSSED = ("both right", "only original", "only counterfactual", "both wrong")
LEGEND = (
    "Both, Orig., Other, None: percent of pairs answered right on both sides, on one of them, on neither",
    "difference: points lost from the originals to their counterfactuals",
    "flipped: whoever follows the premise is as often right as on the originals; whoever follows the hypothesis alone, "
    "or what is known of the title, is wrong where it was right",
    "preserved: whoever follows the premise is as often right as on the originals",
)


def made_by(entry: CounterfactualEntry) -> str:
    """Say what made the counterfactuals of an entry, and how the rows that were moved are known to be relevant."""
    maker = "people" if entry["probe"] == IDENTITY else entry["probe"]
    return f"{maker}, {entry['grade']} evidence" if entry["grade"] else maker


def counterfactual_cells(entry: CounterfactualEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    return [
        entry["system"],
        entry["corpus"],
        made_by(entry),
        entry["effect"],
        f"{entry['n']:,}",
        around(entry["original"]["accuracy"], entry["original"]["ci95"]),
        around(entry["counterfactual"]["accuracy"], entry["counterfactual"]["ci95"]),
        around(entry["difference"], entry["difference_ci95"], sign=True),
        probability(entry["p"]),
    ]


def crossed_cells(entry: CounterfactualEntry) -> list[str]:
    """Write the cells of one row under ``CROSSED``, in percent."""
    return [percent(share) for share in _shares(entry["crossed"], entry["n"])]


def counterfactual_lines(entries: Sequence[CounterfactualEntry]) -> list[str]:
    """Say what stands beside the accuracies: constant answers, chance, systems without premise, what is left out."""
    lines: list[str] = []
    for first in firsts(entries):
        about = [*_set_lines(same_set(entries, first)), _constant_line(first)]
        lines += [f"{first['corpus']}, {made_by(first)}: {line}" for line in about]
    return [*lines, *group_remarks((item["corpus"], item["n"], item["groups"]) for item in entries)]


def counterfactual_parts(entries: Sequence[CounterfactualEntry]) -> list[RenderableType]:
    """Show counterfactuals on the console: a table per corpus and maker, with remarks."""
    from rich.text import Text

    if not entries:
        return []
    title = Text(TITLE, style="bold cyan").append(f"  {ABOUT}", style="not bold dim")
    parts: list[RenderableType] = ["", title]
    for first in firsts(entries):
        alike = same_set(entries, first)
        parts += [Text(_set_title(first)), _table(alike)]
        parts += [*(Text(line, style="dim") for line in _set_lines(alike)), ""]
    sizes = ((item["corpus"], item["n"], item["groups"]) for item in entries)
    return [*parts, *(Text(line, style="dim") for line in (*LEGEND, *group_remarks(sizes)))]


def _table(entries: Sequence[CounterfactualEntry]) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold", min_width=8)
    for name in ("Original", entries[0]["effect"].capitalize(), "Difference", "Both", "Orig.", "Other", "None"):
        table.add_column(name, justify="right")
    for entry in entries:
        _, _, _, _, _, original, counterfactual, difference, _ = counterfactual_cells(entry)
        table.add_row(Text(entry["system"]), original, counterfactual, difference, *crossed_cells(entry))
    first = entries[0]
    ends = [first["original"]["constant"], first["counterfactual"]["constant"]]
    table.add_row(Text("best constant", style="dim"), *(Text(constant_words(item), style="dim") for item in ends))
    return table


def counterfactual_section(entries: Sequence[CounterfactualEntry]) -> dict[str, object] | None:
    """Prepare the section of the page; None if the run has no counterfactuals."""
    from markupsafe import Markup

    if not entries:
        return None
    plots = []
    for first in firsts(entries):
        alike, title = same_set(entries, first), _set_title(first)
        svg = Markup(bar_chart(_bars(alike), title, scale=1.0))
        plots.append({"title": title, "svg": svg, "lines": [*_set_lines(alike), _constant_line(first)]})
    sizes = ((item["corpus"], item["n"], item["groups"]) for item in entries)
    rows = [
        [
            *counterfactual_cells(entry),
            *crossed_cells(entry),
            subsampled_words(entry["original"]),
            subsampled_words(entry["counterfactual"]),
        ]
        for entry in entries
    ]
    columns = [*COLUMNS, *CROSSED, "80 % subsamples: original", "counterfactual"]
    return {
        "title": TITLE,
        "lead": "Percent right on originals and on what was made from them; no answer counts as wrong.",
        "about": " ".join(sentences([*LEGEND[1:], *group_remarks(sizes)])),
        "plots": plots,
        "tables": [{"columns": columns, "rows": rows, "texts": 4}],
    }


def _bars(entries: Sequence[CounterfactualEntry]) -> list[Bar]:
    """Draw for each system its originals and counterfactuals; systems that do not see the premise come last."""
    bars = []
    for entry in sorted(entries, key=lambda item: item["premise_free"]):
        for kind, score in (("original", entry["original"]), (entry["effect"], entry["counterfactual"])):
            name = f"{kind}, {entry['system']}"
            blind = " blind" if entry["premise_free"] else ""
            text = around(score["accuracy"], score["ci95"])
            ends = None if score["ci95"] is None else (score["ci95"][0], score["ci95"][1])
            bars.append(Bar(name, ((f"{kind}{blind}", score["accuracy"]),), text, ends))
    return bars


def firsts(entries: Iterable[CounterfactualEntry]) -> list[CounterfactualEntry]:
    """Return the first entry of each set of counterfactuals: of a corpus, maker, effect and grade."""
    kept: dict[tuple[str, ...], CounterfactualEntry] = {}
    for entry in entries:
        kept.setdefault(_key(entry), entry)
    return list(kept.values())


def same_set(entries: Iterable[CounterfactualEntry], first: CounterfactualEntry) -> list[CounterfactualEntry]:
    """Return the entries over the same set of counterfactuals."""
    return [entry for entry in entries if _key(entry) == _key(first)]


def _key(entry: CounterfactualEntry) -> tuple[str, ...]:
    return entry["corpus"], entry["probe"], entry["effect"], entry["grade"] or ""


def _set_title(entry: CounterfactualEntry) -> str:
    return f"{entry['corpus']}, made by {made_by(entry)}: the label is {entry['effect']}"


def _set_lines(entries: Sequence[CounterfactualEntry]) -> list[str]:
    """Say what stands beside the accuracies on one set of counterfactuals."""
    first = entries[0]
    size = f"{plural(first['n'], 'counterfactual')} of {plural(first['originals'], 'pair')}"
    lines = [f"{size} in {plural(first['groups'], 'group')}; guessing gets {percent(first['original']['chance'])}"]
    if first["identical"]:
        lines.append(f"{plural(first['identical'], 'premise')} equal to that of the original left out")
    lines += [_control_line(entry, control) for entry in entries for control in entry["controls"]]
    likely = [entry for entry in entries if entry["likely"]["n"]]
    if likely:
        shares = (
            f"{entry['system']} {percent(entry['likely']['original'])} → {percent(entry['likely']['counterfactual'])}"
            for entry in likely
        )
        lines.append(f"{likely[0]['likely']['n']:,} more whose label is likely only: {', '.join(shares)}")
    return lines


def _shares(counts: CrossedCounts, n: int) -> list[float]:
    return [counts[name] / n for name in ("both", "only_original", "only_counterfactual", "neither")]


def _constant_line(entry: CounterfactualEntry) -> str:
    ends = [constant_words(entry["original"]["constant"]), constant_words(entry["counterfactual"]["constant"])]
    return f"the best constant answer gets {ends[0]} on the originals and {ends[1]} on the counterfactuals"


def _control_line(entry: CounterfactualEntry, control: ControlCounts) -> str:
    """Say how much of what is right on one side alone agrees with a system without premise (Table 15)."""
    lost, won = entry["crossed"]["only_original"], entry["crossed"]["only_counterfactual"]
    return (
        f"{entry['system']}: where only the original is right ({lost:,}), {control['control']} gets "
        f"{control['right']['only_original']:,} of these originals right; where only the counterfactual is ({won:,}), "
        f"{control['right']['only_counterfactual']:,}"
    )


def subsampled_words(score: SetScore) -> str:
    """Write mean and standard deviation over random subsamples of 80 %, as the paper prints accuracies."""
    spread = "" if score["sd80"] is None else f" ±{100 * score['sd80']:.2f}"
    return f"{percent(score['mean80'])}{spread}"
