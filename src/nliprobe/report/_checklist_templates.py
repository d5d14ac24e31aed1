"""The table of all templates on the page of a checklist."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.checklist.documents import ChecklistDocument, TemplateEntry
from nliprobe.report._checklist_words import gold_labels, shares, written
from nliprobe.report.words import NOTHING, around


def template_parts(document: ChecklistDocument) -> list[dict[str, object]]:
    """Prepare the templates of each capability, a line per template with all systems."""
    lines: dict[str, list[TemplateEntry]] = {}
    for entry in document["template_table"]:
        lines.setdefault(entry["template"], []).append(entry)
    parts: list[dict[str, object]] = []
    for capability in dict.fromkeys(entry["capability"] for entry in document["capabilities"]):
        inside = [line for line in lines.values() if line[0]["capability"] == capability]
        parts.append({"capability": capability, "rows": [_template(line, document["systems"]) for line in inside]})
    return parts


def _template(line: Sequence[TemplateEntry], systems: Sequence[str]) -> dict[str, object]:
    first = line[0]
    by_system = {entry["system"]: entry for entry in line}
    examples = [
        {"kind": kind, "system": entry["system"], **example}
        for entry in line
        for kind, example in (("right", entry["right"]), ("wrong", entry["wrong"]))
        if example is not None
    ]
    return {
        "name": first["template"],
        "gold": gold_labels(first),
        "distinct": count(first["distinct"]),
        "written": written(first),
        "cells": [
            {
                "accuracy": around(entry["accuracy"], entry["ci95"]) if (entry := by_system.get(system)) else NOTHING,
                "verdict": entry["verdict"] if entry else "",
                "instead": unbroken(shares(entry["instead"])) if entry and entry["instead"] else "",
            }
            for system in systems
        ],
        # One example of each kind is enough to see what the template asks.
        "examples": [next(item for item in examples if item["kind"] == kind) for kind in _kinds(examples)],
    }


def _kinds(examples: Sequence[dict[str, object]]) -> list[object]:
    return list(dict.fromkeys(item["kind"] for item in examples))


def unbroken(listed: str) -> str:
    """Write a list so that lines break between its items only."""
    return ", ".join(item.replace(" ", "\u00a0") for item in listed.split(", "))


def count(number: int | None) -> str:
    """Write a count, or the sign for a missing value."""
    return NOTHING if number is None else f"{number:,}"
