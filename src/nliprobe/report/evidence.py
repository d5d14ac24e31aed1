"""Model evidence for people: which rows or sentences systems use, beside what could be had without a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.documents import LEVEL, Rate
from nliprobe.analysis.evidence.documents import KIND_NAMES, Baseline, EvidenceEntry, KeyUse, Kinds, Mean
from nliprobe.report._tables import new_table
from nliprobe.report.words import NOTHING, around, group_remarks, percent, plural
from nliprobe.task.evidence import GRADE_WORDS, Grade

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

EVIDENCE_COLUMNS = ("system", "precision", "recall", "all", "some", "others", "none")
_METHODS = {
    "delete": "a {unit} is used if the answer changes without it",
    "keep": "a {unit} is used if it alone gives the answer, E or C, that the whole premise gives",
}
# Nobody reads a longer list of keys on a line; the page and the JSON document have them all.
_MOST_KEYS = 4
# The longest name of what needs no model fits.
_NAME = 18


def evidence_groups(entries: Sequence[EvidenceEntry]) -> list[list[EvidenceEntry]]:
    """Put together what can be compared: entries of one corpus, grade of evidence, kind of unit and method."""
    groups: dict[tuple[str, str, str, str], list[EvidenceEntry]] = {}
    for entry in entries:
        place = entry["corpus"], entry["grade"], entry["unit"], entry["method"]
        groups.setdefault(place, []).append(entry)
    return list(groups.values())


def group_title(group: Sequence[EvidenceEntry]) -> str:
    """Write the title of a group: ``Rows used, infotabs/dev, gold evidence``."""
    entry = group[0]
    alone = " alone" if entry["method"] == "keep" else ""
    return f"{entry['unit'].capitalize()}s used{alone}, {entry['corpus']}, {entry['grade']} evidence"


def group_lines(group: Sequence[EvidenceEntry]) -> list[str]:
    """Say what a group is about: what is used, what is needed, which pairs, and what is left out."""
    entry, unit = group[0], group[0]["unit"]
    lines = [
        _METHODS[entry["method"]].format(unit=unit),
        f"needed {unit}s: {entry['grade']} evidence, {GRADE_WORDS[Grade(entry['grade'])].replace('unit', unit)}",
        f"pairs with gold E or C and a needed {unit}: {_counts(group)}",
        "right: the right answers among these pairs, and what they rest on",
        f"all, some: of the needed {unit}s are used; others: only others are; none: no {unit} is",
        f"precision is 0 where no {unit} is used{_where_some(group)}",
    ]
    lines += _left_out(group)
    return lines + group_remarks((item["corpus"], item["n"], item["groups"]) for item in group)


def system_lines(entry: EvidenceEntry) -> list[str]:
    """Say more about one system: how many units it uses, where they are, which keys, what happens without all."""
    if not entry["n"]:
        return []
    unit = entry["unit"]
    used, needed = entry["used_per_pair"]["mean"], entry["marked_per_pair"]["mean"]
    places = ", ".join(
        f"{item['position']} {percent(item['used']['rate'])} ({percent(item['marked']['rate'])})"
        for item in entry["positions"]
    )
    lines = [
        f"{used:.2f} {unit}s used per pair, {needed:.2f} needed; used % by place (needed): {places}",
        f"no {unit} used: {around(*_both(entry['kinds']['nothing']))} % of all pairs, "
        f"{around(*_both(entry['nothing_of_wrong']))} % of those that use no needed one",
    ]
    without = entry["without_all"]
    if without["n"]:
        rate = around(without["rate"], without["ci95"])
        lines.append(f"without all needed {unit}s, {rate} % of its {without['n']:,} answers E and C become N")
        whole = entry["grounded"]
        share = around(whole["rate"], whole["ci95"])
        lines.append(
            f"both, every needed {unit} used and N without all of them: {share} % of {plural(whole['n'], 'pair')}"
        )
    unread = entry["unread"]
    if unread["units"]:
        pieces = f"{plural(unread['marked'], f'needed {unit}')} in {plural(unread['pairs'], 'pair')}"
        lines.append(f"{plural(unread['units'], unit)} never reach it and cannot be used, among them {pieces}")
    return [*lines, *_key_lines(entry)]


def kind_cells(kinds: Kinds) -> list[str]:
    """Write the shares of the four kinds."""
    return [percent(kinds[kind]["rate"]) for kind in KIND_NAMES]


def entry_cells(entry: EvidenceEntry) -> list[str]:
    """Write the cells of a system below ``EVIDENCE_COLUMNS``."""
    if not entry["n"]:
        return [entry["system"], *[NOTHING] * 6]
    # What cannot be otherwise has no interval.
    means = ["0.0", "0.0"] if reads_nothing(entry) else [mean_words(entry[name]) for name in ("precision", "recall")]
    return [entry["system"], *means, *kind_cells(entry["kinds"])]


def reads_nothing(entry: EvidenceEntry) -> bool:
    """Tell whether no unit at all reaches a system, so that it uses none by construction."""
    return entry["unread"]["units"] == sum(item["used"]["n"] for item in entry["positions"])


def right_cells(entry: EvidenceEntry) -> list[str]:
    """Write the cells of the line below a system: what its right answers rest on."""
    return [f"right {percent(entry['accuracy']['rate'])}", "", "", *kind_cells(entry["right"])]


def baseline_cells(baseline: Baseline, unit: str) -> list[str]:
    """Write the cells of something without a model."""
    shares = (baseline["all"], baseline["partial"], baseline["irrelevant_only"], baseline["nothing"])
    head = [baseline_name(baseline, unit), percent(baseline["precision"]), percent(baseline["recall"])]
    return [*head, *map(percent, shares)]


def baseline_name(baseline: Baseline, unit: str) -> str:
    """Name something without a model in the words of the premise: ``every row``."""
    return baseline["name"].replace("unit", unit)


def group_rows(group: Sequence[EvidenceEntry]) -> list[list[str]]:
    """Write a group as rows: each system, what its right answers rest on, and what needs no model."""
    rows: list[list[str]] = []
    for entry in group:
        name, *cells = right_cells(entry)
        rows += [entry_cells(entry), *([[f"{entry['system']}, {name}", *cells]] if entry["n"] else [])]
    best = largest(group)
    return rows + [baseline_cells(baseline, best["unit"]) for baseline in best["baselines"]]


def mean_words(value: Mean) -> str:
    """Write an average of shares in percent, with its interval."""
    return around(value["mean"], value["ci95"])


def over_used(entry: EvidenceEntry, *, more: bool) -> list[KeyUse]:
    """Return the keys whose rows a system surely uses more, or less, often than people need them."""
    sure = [item for item in entry["keys"]["keys"] if item["label"] == "all" and item["p_holm"] < LEVEL]
    return [item for item in sure if (item["difference"] > 0) == more]


def evidence_parts(entries: Sequence[EvidenceEntry], controls: Collection[str]) -> list[RenderableType]:
    """Turn what a run says about evidence into things that Rich can print.

    Args:
        entries: the entries of the document.
        controls: the systems that cannot use their premise; more is said about the others only.
    """
    from rich.text import Text

    parts: list[RenderableType] = []
    for group in evidence_groups(entries):
        title = Text(group_title(group), style="bold cyan").append("  percent of pairs", style="not bold dim")
        parts += ["", title, _table(group, controls)]
        parts += [Text(line, style="dim") for line in group_lines(group)]
        for entry in group:
            if entry["system"] not in controls:
                lines = system_lines(entry)
                parts += [Text(entry["system"], style="bold"), *(Text(f"  {line}") for line in lines)] if lines else []
    return parts


def _table(group: Sequence[EvidenceEntry], controls: Collection[str]) -> Table:
    from rich.text import Text

    table = new_table()
    for place, name in enumerate(EVIDENCE_COLUMNS):
        if place:
            table.add_column(name.capitalize(), justify="right", no_wrap=True)
        else:
            table.add_column(name.capitalize(), overflow="fold", min_width=_NAME)
    for entry in group:
        name, *cells = entry_cells(entry)
        table.add_row(Text(name), *cells, style="" if entry["system"] in controls else "bold")
        if entry["n"]:
            name, *cells = right_cells(entry)
            table.add_row(*(Text(cell, style="dim") for cell in (f"  {name}", *cells)), end_section=True)
    for baseline in largest(group)["baselines"]:
        table.add_row(*(Text(cell, style="dim") for cell in baseline_cells(baseline, group[0]["unit"])))
    return table


def largest(group: Sequence[EvidenceEntry]) -> EvidenceEntry:
    """Return the entry with most pairs; systems that did not answer all have fewer."""
    return max(group, key=lambda entry: entry["n"])


def _counts(group: Sequence[EvidenceEntry]) -> str:
    sizes = dict.fromkeys(f"{entry['n']:,} of {entry['pairs']:,} measured" for entry in group)
    if len(sizes) == 1:
        return next(iter(sizes))
    return ", ".join(f"{entry['system']} {entry['n']:,} of {entry['pairs']:,} measured" for entry in group)


def _where_some(group: Sequence[EvidenceEntry]) -> str:
    parts = [
        f"{mean_words(entry['precision_where_some'])} ({entry['system']}, n {entry['precision_where_some']['n']:,})"
        for entry in group
        if entry["precision_where_some"]["n"]
    ]
    return f"; over pairs with a used one it is {', '.join(parts)}" if parts else ""


def _left_out(group: Sequence[EvidenceEntry]) -> Iterator[str]:
    said: dict[tuple[str, int], list[str]] = {}
    for entry in group:
        for item in entry["left_out"]:
            said.setdefault((item["reason"], item["n"]), []).append(entry["system"])
    for (reason, n), systems in said.items():
        whose = "" if len(systems) == len(group) else f" ({', '.join(systems)})"
        yield f"{plural(n, 'pair')} left out{whose}: {reason}"


def _key_lines(entry: EvidenceEntry) -> Iterator[str]:
    for more, words in ((True, "more often than people need them"), (False, "less often than people need them")):
        keys = over_used(entry, more=more)
        if keys:
            shown = ", ".join(f"{item['key']} {100 * item['difference']:+.0f}" for item in keys[:_MOST_KEYS])
            rest = f" and {len(keys) - _MOST_KEYS} more" if len(keys) > _MOST_KEYS else ""
            yield f"keys used {words} (points): {shown}{rest}"


def _both(rate: Rate) -> tuple[float | None, list[float] | None]:
    return rate["rate"], rate["ci95"]
