"""The table of all templates on the page of a checklist."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.checklist.documents import ChecklistDocument, TemplateEntry
from nliprobe.report._checklist_words import gold_labels, shares, written
from nliprobe.report.cells import TableCell, cell
from nliprobe.report.words import NOTHING, around


def template_parts(document: ChecklistDocument) -> list[dict[str, object]]:
    """Prepare the templates of each capability, a line per template with all systems."""
    lines: dict[str, list[TemplateEntry]] = {}
    for entry in document["template_table"]:
        lines.setdefault(entry["template"], []).append(entry)
    counted = document["n"] is not None
    words = ["template", "gold", *(["distinct"] if counted else [])]
    columns = [*words, *document["systems"], "examples" if counted else "written"]
    parts: list[dict[str, object]] = []
    for capability in dict.fromkeys(entry["capability"] for entry in document["capabilities"]):
        inside = [line for line in lines.values() if line[0]["capability"] == capability]
        rows = [_template(line, document["systems"], counted=counted) for line in inside]
        parts.append({"capability": capability, "columns": columns, "rows": rows})
    return parts


def _template(line: Sequence[TemplateEntry], systems: Sequence[str], *, counted: bool) -> list[object]:
    first = line[0]
    by_system = {entry["system"]: entry for entry in line}
    answered = [_answered(by_system.get(system)) for system in systems]
    examples = cell(written(first) or "", *_examples(line), long=True)
    return [
        first["template"],
        gold_labels(first),
        *([count(first["distinct"])] if counted else []),
        *answered,
        examples,
    ]


def _answered(entry: TemplateEntry | None) -> TableCell:
    """Write the accuracy of a system, and what it says where it is wrong."""
    if entry is None:
        return cell(NOTHING)
    instead = f"instead {unbroken(shares(entry['instead']))}" if entry["instead"] else ""
    return cell(around(entry["accuracy"], entry["ci95"]), instead, tone=entry["verdict"] or "")


def _examples(line: Sequence[TemplateEntry]) -> list[str]:
    """Write an example that was answered right and one that was not: enough to see what the template asks."""
    found: dict[str, str] = {}
    for entry in line:
        for kind, example in (("right", entry["right"]), ("wrong", entry["wrong"])):
            if example is not None and kind not in found:
                said = f"{kind} ({entry['system']} says {example['answer'] or 'nothing'})"
                found[kind] = f"{said}: {example['premise']} → {example['hypothesis']}"
    return list(found.values())


def unbroken(listed: str) -> str:
    """Write a list so that lines break between its items only."""
    return ", ".join(item.replace(" ", "\u00a0") for item in listed.split(", "))


def count(number: int | None) -> str:
    """Write a count, or the sign for a missing value."""
    return NOTHING if number is None else f"{number:,}"
