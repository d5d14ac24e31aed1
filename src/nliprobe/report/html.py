"""The HTML report: one self-contained file per run that needs no network and executes nothing from the run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.cases import is_swap
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import Rate, ShowDocument, Transitions
from nliprobe.analysis.evidence.drawn import DrawnPair
from nliprobe.analysis.facet_documents import FacetsDocument
from nliprobe.analysis.failures import Failures
from nliprobe.report.accuracy import FAMILY_COLUMNS, accuracy_sections, family_rows
from nliprobe.report.artifacts import artifact_section
from nliprobe.report.chapters import Chapter, probe_chapter
from nliprobe.report.checklist_page import checklist_section
from nliprobe.report.consistency import consistency_section
from nliprobe.report.counterfactuals import counterfactual_section
from nliprobe.report.drawn import MarksByPair
from nliprobe.report.evidence_page import evidence_section
from nliprobe.report.expectations import expectation_section
from nliprobe.report.facets import breakdown_section, facet_section
from nliprobe.report.failing import shown_failure
from nliprobe.report.following import following_section, shown_following
from nliprobe.report.head import fact_line, gain_values, hero_values
from nliprobe.report.hero import hero
from nliprobe.report.knowledge import knowledge_section
from nliprobe.report.likely import nothing_reached, shows_likely, unreached_words
from nliprobe.report.pages import render_page
from nliprobe.report.perturbed import perturbed_section
from nliprobe.report.scorecard import scorecard
from nliprobe.report.stress import stress_section
from nliprobe.report.swap_page import swap_section
from nliprobe.report.transition_graph import graph_of, transition_graph
from nliprobe.report.two_way import two_way_section
from nliprobe.report.uncounted import without_uncounted
from nliprobe.report.verdict import verdicts
from nliprobe.report.words import (
    NOTHING,
    between,
    blind,
    group_remarks,
    note_lines,
    percent,
    plural,
    sentences,
    skipped_line,
)


def html_report(
    document: ShowDocument,
    failing: Failures,
    provenance: Mapping[str, object],
    facets: Sequence[FacetsDocument] = (),
    checklist: ChecklistDocument | None = None,
    drawn: Sequence[DrawnPair] = (),
    marks: MarksByPair | None = None,
    artifacts: ArtifactsDocument | None = None,
) -> str:
    """Write a run as a page.

    Args:
        document: the summary of the run.
        failing: failing cases to read.
        provenance: what else is known about where the numbers come from.
        facets: breakdowns of the run; each becomes a section.
        checklist: what systems do on templates, if the run has some.
        drawn: pairs to look at, with the units that people need and systems use.
        marks: the same for failing cases, by system and pair.
        artifacts: what systems make of words that point to a label, if that was looked at.
    """
    from markupsafe import Markup

    document = without_uncounted(document)
    run = document["run"]
    known = marks or {}
    cases = [shown_failure(item, known.get((item["system"], item["pair_id"]))) for item in failing["shown"]]
    top = hero(document)
    return render_page(
        "report.html",
        title=f"Does it reason or guess? {run['folder']}: {top.answer}",
        heading=top.answer,
        first="The answer",
        facts=fact_line(document),
        hero=hero_values(document, top, checklist),
        card=scorecard(document, checklist, artifacts),
        verdicts=verdicts(document),
        warnings=run["integrity"]["warnings"],
        accuracies=accuracy_sections(document),
        family_columns=FAMILY_COLUMNS,
        families=family_rows(document["families"]),
        gains=gain_values(top, document["gains"]),
        two_way=two_way_section(document["two_way"], blind(run["systems"])),
        stress=stress_section(document["stress"], run["systems"]),
        following=following_section(shown_following(document), blind(run["systems"])),
        knowledge=knowledge_section(document["knowledge"], blind(run["systems"])),
        swap=swap_section(document["swap"], blind(run["systems"])),
        consistency=consistency_section(document["consistency"], blind(run["systems"])),
        probes=_probes(document),
        expectations=expectation_section(document["expectations"], run["about"], blind(run["systems"])),
        evidence=evidence_section(document["evidence"], drawn, blind(run["systems"])),
        counterfactuals=counterfactual_section(document["counterfactuals"]),
        perturbed=perturbed_section(document["perturbations"]),
        artifacts=None if artifacts is None else artifact_section(artifacts),
        facets=[*map(breakdown_section, document["breakdowns"]), *map(facet_section, facets)],
        checklist=None if checklist is None else checklist_section(checklist),
        failing=bool(cases),
        failing_about=_about_failures(failing),
        failures=Markup(_embedded(cases)),
        skipped=[skipped_line(**item) for item in document["skipped"]],
        notes=note_lines(document["notes"]),
        provenance=[(key, _plain(value)) for key, value in provenance.items()],
    )


def _sizes(entries: Sequence[Transitions]) -> Iterable[tuple[str, int, int]]:
    return ((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)


def _probes(document: ShowDocument) -> list[dict[str, object]]:
    from markupsafe import Markup

    unseeing = blind(document["run"]["systems"])
    sections: list[dict[str, object]] = []
    for probe in dict.fromkeys(entry["probe"] for entry in document["transitions"]):
        entries = [entry for entry in document["transitions"] if entry["probe"] == probe]
        likely = shows_likely(entries)
        drawn = [entry for entry in entries if not nothing_reached([entry])]
        labels = list(dict.fromkeys(label for entry in entries for label in entry["labels"]))
        about = document["run"]["about"].get(probe)
        sections.append(
            {
                "chapter": _transitions_chapter(probe),
                "about": about["line"] if about else "",
                "broken": about["broken"] if about else "",
                "labels": labels,
                "graphs": [
                    {
                        "svg": Markup(transition_graph(graph_of(entry))),
                        "system": entry["system"],
                        "corpus": entry["corpus"],
                        "n": f"{entry['n']:,}",
                        "prohibited": _prohibited(entry["prohibited_overall"]),
                        "bad": entry["prohibited_overall"]["count"] > 0,
                        "changed": _rate(entry["changed"]),
                        "likely": _likely_words(entry) if likely else "",
                        "unreached": unreached_words(entry, unseeing),
                    }
                    for entry in drawn
                ],
                "groups": " ".join(sentences(group_remarks(_sizes(entries)))),
                "unreached": [
                    f"{entry['system']}, {entry['corpus']}: {unreached_words(entry, unseeing)}"
                    for entry in entries
                    if nothing_reached([entry])
                ],
                "likely": likely,
                "rows": [row for entry in drawn for row in _transition_rows(entry, labels)],
            }
        )
    return sections


def _transitions_chapter(probe: str) -> Chapter:
    """Name the chapter; swapping has another one already, about right answers."""
    return probe_chapter(probe, title="Where answers go when the texts are swapped" if is_swap(probe) else "")


def _likely_words(entry: Transitions) -> str:
    likely = entry["likely"]
    return f"likely only: {likely['n']:,} cases, {_prohibited(likely['prohibited_overall'])}"


def _prohibited(rate: Rate) -> str:
    """Write a share of prohibited changes, or that the edit can justify any change."""
    if rate["n"] and rate["rate"] is None:
        return "any change allowed"
    return f"{_rate(rate)} prohibited"


def _transition_rows(entry: Transitions, labels: Sequence[str]) -> Iterable[dict[str, object]]:
    for old in entry["labels"]:
        shares, banned = entry["row_percent"][old], entry["prohibited_counts"][old]
        rate, probable = entry["prohibited"][old], entry["likely"]["prohibited"][old]
        yield {
            "system": entry["system"],
            "corpus": entry["corpus"],
            "label": old,
            "cells": [
                {
                    "share": NOTHING if (share := shares.get(new)) is None else f"{share:.1f}",
                    "prohibited": banned.get(new, 0) > 0,
                }
                for new in labels
            ],
            "n": f"{rate['n']:,}",
            "rate": _allowed_or(rate),
            "ends": between(rate["ci95"]),
            "likely_n": f"{probable['n']:,}",
            "likely_rate": _allowed_or(probable),
            "likely_ends": between(probable["ci95"]),
        }


def _about_failures(failing: Failures) -> str:
    total = sum(int(item["n"]) for item in failing["totals"])
    shown = len(failing["shown"])
    which = "All of them are here" if shown == total else f"A random sample of {shown:,} of them is here"
    return f"{plural(total, 'case')} in which a system was wrong or changed its answer where it must not. {which}."


def _embedded(content: object) -> str:
    """Write JSON that cannot end the script element that contains it."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _rate(rate: Rate) -> str:
    return NOTHING if rate["rate"] is None else f"{percent(rate['rate'])} %"


def _allowed_or(rate: Rate) -> str:
    return "any allowed" if rate["rate"] is None and rate["n"] else percent(rate["rate"])


def _plain(value: object) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if value is not None else NOTHING
