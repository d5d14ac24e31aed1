"""The summary of a checklist as a page, and its first parts as a section of the report of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nliprobe.analysis.checklist.documents import (
    BinCounts,
    CapabilityEntry,
    ChecklistDocument,
    Effect,
    ReadingExample,
    VariationEntry,
)
from nliprobe.report._checklist_templates import count, template_parts, unbroken
from nliprobe.report._checklist_words import (
    FEW_WORDS,
    common_placeholders,
    effect_line,
    effect_place,
    extreme_lines,
    facts,
    fit_line,
    main_cell,
    main_rate,
    reading_lines,
    sentences,
    shares,
    significant_effects,
    skew_line,
    some_few,
)
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.cells import TableCell, cell
from nliprobe.report.heatmap import HeatCell, HeatRow, heat_map
from nliprobe.report.pages import render_page
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import NOTHING, around, between, constant_words, percent, signed
from nliprobe.task.labels import NAMES

# Nobody looks at pictures of more effects than this; the table lists all significant ones.
_DRAWN_EFFECTS, _DRAWN_VALUES, _OPEN_ROWS = 4, 30, 10
_VARIATION_COLUMNS = ("template", "right", "varies", "right there", "difference")


def checklist_page(document: ChecklistDocument) -> str:
    """Write the summary as a page that needs no network."""
    return render_page(
        "checklist.html",
        title=f"What can it reason about? {document['source']}",
        first="Summary",
        facts=facts(document),
        warnings=document["integrity"]["warnings"],
        sentences=sentences(document),
        letters=list(NAMES.items()),
        checklist=checklist_section(document),
        variations=_variations(document),
        effects=[_effects(document, system) for system in document["systems"] if document["effects"]],
        surrogates=_surrogates(document),
        templates=template_parts(document),
        variation_columns=_VARIATION_COLUMNS,
        notes=document["notes"],
    )


def checklist_section(document: ChecklistDocument) -> dict[str, object]:
    """Prepare what the report of a run shows as well: heat map, bins, labels, and the contrast with benchmarks."""
    from markupsafe import Markup

    counted = document["n"] is not None
    return {
        "about": (
            "Percent right with 95 % intervals over templates; no answer counts as wrong. The last column is "
            "what the best constant answer gets."
            if counted
            else "Mean accuracy over templates, with 95 % intervals over templates. The last column is the "
            "share of templates on which the best constant answer is right."
        ),
        "extremes": extreme_lines(document),
        "few": FEW_WORDS if some_few(document) else "",
        "heat": Markup(_capability_map(document)),
        "counted": counted,
        "rows": list(_capability_rows(document)),
        "bins": Markup(bar_chart([_bin_bar(entry) for entry in document["bins"]], "Templates by accuracy")),
        "bin_columns": ("system", *(f"{name} %" for name in _bin_names(document)), "failed", "unsure", "passed"),
        "bin_cells": [
            (entry["system"], *(entry["bins"].values()), entry["failed"], entry["unsure"], entry["passed"])
            for entry in document["bins"]
        ],
        "skew": skew_line(document),
        "reading_lines": reading_lines(document),
        "readings": list(_readings(document)),
        "labels": Markup(_label_map(document)),
        "contrasts": [
            {
                "system": item["system"],
                "corpus": item["corpus"],
                "there": percent(item["accuracy"]),
                "here": percent(item["checklist_accuracy"]),
                "difference": signed(item["difference"]),
                "ends": between(item["ci95"], sign=True),
            }
            for item in document["contrasts"]
        ],
    }


def _capability_map(document: ChecklistDocument) -> str:
    entries = [*document["capabilities"], *document["overall"]]
    cells = {(entry["capability"], entry["system"]): entry for entry in entries}
    groups = {entry["capability"]: entry["group"] or "whole suite" for entry in entries}
    rows = []
    for name, group in groups.items():
        in_row = [cells.get((name, system)) for system in document["systems"]]
        rows.append(HeatRow(name or "all", (*map(_accuracy, in_row), _constant(in_row)), group))
    columns = [*document["systems"], "best constant"]
    return heat_map(columns, rows, "Accuracy by capability and system, in percent")


def _accuracy(entry: CapabilityEntry | None) -> HeatCell:
    if entry is None:
        return HeatCell(None, NOTHING)
    rate, ends = main_rate(entry)
    about = f"{entry['system']}, {entry['capability'] or 'all'}: {between(ends)}"
    balanced = f"with labels weighted alike {percent(entry['balanced'])}"
    return HeatCell(rate, main_cell(entry), f"{about}, {balanced}, {entry['templates']} templates")


def _constant(in_row: list[CapabilityEntry | None]) -> HeatCell:
    """Return the best constant answer; systems that tell fewer labels apart may have another one."""
    known = [entry for entry in in_row if entry is not None and entry["constant"] is not None]
    best = max(known, key=lambda entry: entry["constant"]["accuracy"] if entry["constant"] else 0.0, default=None)
    if best is None or best["constant"] is None:
        return HeatCell(None, NOTHING)
    return HeatCell(best["constant"]["accuracy"], constant_words(best["constant"]))


def _readings(document: ChecklistDocument) -> Iterator[dict[str, object]]:
    for item in document["readings"]:
        yield {
            "template": item["template"] or "all",
            "system": item["system"],
            "n": f"{item['n']:,}",
            "first": around(item["first"]["rate"], item["first"]["ci95"]),
            "second": around(item["second"]["rate"], item["second"]["ci95"]),
            "neither": around(item["neither"]["rate"], item["neither"]["ci95"]),
            "shown": _example(item["example"]),
        }


def _example(example: ReadingExample | None) -> str:
    if example is None:
        return ""
    said = f"first {example['first']}, second {example['second']}; says {example['answer'] or 'nothing'}"
    return f"{example['premise']} → {example['hypothesis']} ({said})"


def _bin_names(document: ChecklistDocument) -> list[str]:
    return list(document["bins"][0]["bins"]) if document["bins"] else []


def _capability_rows(document: ChecklistDocument) -> Iterator[dict[str, str]]:
    for entry in [*document["capabilities"], *document["overall"]]:
        yield {
            "capability": entry["capability"] or "all",
            "system": entry["system"],
            "templates": f"{entry['templates']:,}",
            "n": count(entry["n"]),
            "distinct": count(entry["distinct"]),
            "accuracy": percent(entry["accuracy"]),
            "ends": between(entry["ci95"]),
            "mean": around(entry["template_mean"], entry["template_mean_ci95"]),
            "balanced": around(entry["balanced"], entry["balanced_ci95"]),
            "constant": constant_words(entry["constant"]),
            "shares": _by_label({label: rate["share"] for label, rate in entry["labels"].items()}),
            "labels": _by_label({label: rate["accuracy"] for label, rate in entry["labels"].items()}),
        }


def _by_label(rates: Mapping[str, float | None]) -> str:
    return unbroken(", ".join(f"{label} {percent(rate)}" for label, rate in rates.items()))


def _bin_bar(entry: BinCounts) -> Bar:
    pieces = tuple((f"bin{place}", float(count)) for place, count in enumerate(entry["bins"].values()))
    words = _verdicts(entry)
    return Bar(entry["system"], pieces, f"failed {words['failed']}, unsure {words['unsure']}, passed {words['passed']}")


def _verdicts(entry: BinCounts) -> dict[str, int]:
    return {"failed": entry["failed"], "unsure": entry["unsure"], "passed": entry["passed"]}


def _label_map(document: ChecklistDocument) -> str:
    rows = []
    for label in document["labels"]:
        by_system = [entry["labels"].get(label) for entry in document["overall"]]
        rates = [None if rate is None else rate["accuracy"] for rate in by_system]
        rows.append(HeatRow(f"gold {label}", tuple(HeatCell(rate, percent(rate)) for rate in rates)))
    balanced = [(entry["balanced"], around(entry["balanced"], entry["balanced_ci95"])) for entry in document["overall"]]
    rows.append(HeatRow("labels alike", tuple(HeatCell(*item) for item in balanced)))
    return heat_map([entry["system"] for entry in document["overall"]], rows, "Accuracy by gold label, in percent")


def _variations(document: ChecklistDocument) -> list[dict[str, object]]:
    sections: list[dict[str, object]] = []
    for system in document["systems"]:
        rows = [_variation(item) for item in document["variations"] if item["system"] == system]
        if rows:
            sections.append({"system": system, "first": rows[:_OPEN_ROWS], "others": rows[_OPEN_ROWS:]})
    return sections


def _variation(item: VariationEntry) -> list[TableCell]:
    gold, of_gold = ", ".join(item["gold"]), ", ".join(item["of_gold"])
    return [
        cell(item["template"], f"gold {gold}"),
        cell(percent(item["accuracy"]), unbroken(shares(item["answers"]))),
        cell(item["of"], f"gold {of_gold}", item["change"] or ""),
        cell(percent(item["of_accuracy"]), unbroken(shares(item["of_answers"]))),
        cell(signed(item["difference"]), between(item["ci95"], sign=True)),
    ]


def _effects(document: ChecklistDocument, system: str) -> dict[str, object]:
    from markupsafe import Markup

    effects = significant_effects(document, system)
    return {
        "system": system,
        "about": f"{effect_line(document, system)}.",
        "maps": [
            {
                "title": f"{item['placeholder']} in {effect_place(item)}",
                "more": len(item["values"]) - _DRAWN_VALUES,
                "svg": Markup(_effect_map(item)),
            }
            for item in effects[:_DRAWN_EFFECTS]
        ],
        "rows": [
            {
                "template": effect_place(item),
                "placeholder": item["placeholder"],
                "worst": f"{item['values'][0]['value']} {percent(item['values'][0]['accuracy'])}",
                "best": f"{item['values'][-1]['value']} {percent(item['values'][-1]['accuracy'])}",
                "range": f"{100 * item['range']:.1f}",
                "p": f"{item['p']:.2g}",
                "q": f"{item['q']:.2g}",
            }
            for item in effects
        ],
    }


def _effect_map(effect: Effect) -> str:
    """Draw values down and genders across, as in Tables 5 and 6 of the paper."""
    genders = sorted({gender for value in effect["values"] for gender in value["genders"]})
    rows = []
    for value in effect["values"][:_DRAWN_VALUES]:
        cells = [HeatCell(value["accuracy"], f"{percent(value['accuracy'])} (n {value['n']:,})")]
        for gender in genders:
            cell = value["genders"].get(gender)
            share = cell["correct"] / cell["n"] if cell else None
            cells.append(HeatCell(share, NOTHING if cell is None else f"{percent(share)} (n {cell['n']:,})"))
        rows.append(HeatRow(value["value"], tuple(cells)))
    title = f"Accuracy by {effect['placeholder']} in {effect_place(effect)}, in percent"
    return heat_map(["all", *genders], rows, title)


def _surrogates(document: ChecklistDocument) -> list[dict[str, object]]:
    from markupsafe import Markup

    sections: list[dict[str, object]] = []
    for fitted in document["surrogates"]:
        dots = [Dot(name, value, value, value) for name, value in common_placeholders(fitted)]
        reach = max([0.1, *(abs(dot.value) for dot in dots)])
        sections.append(
            {
                "system": fitted["system"],
                "about": fit_line(fitted),
                "plot": Markup(dot_plot(dots, low=-reach, high=reach, unit="points")) if dots else "",
                "rows": [
                    {
                        "feature": item["feature"],
                        "kind": item["kind"],
                        "templates": item["templates"],
                        "points": signed(item["coefficient"]),
                    }
                    for item in fitted["coefficients"]
                ],
            }
        )
    return sections
