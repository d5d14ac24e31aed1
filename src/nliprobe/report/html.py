"""The HTML report: one self-contained file per run that needs no network and executes nothing from the run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import FamilyScore, Gain, Rate, ScoreEntry, ShowDocument, Transitions
from nliprobe.analysis.evidence.drawn import DrawnPair
from nliprobe.analysis.facet_documents import FacetsDocument
from nliprobe.report.artifacts import artifact_section
from nliprobe.report.case_section import CaseSection
from nliprobe.report.checklist_page import checklist_section
from nliprobe.report.consistency import consistency_section
from nliprobe.report.counterfactuals import counterfactual_section
from nliprobe.report.evidence_page import evidence_section
from nliprobe.report.expectations import expectation_section
from nliprobe.report.facets import breakdown_section, facet_section
from nliprobe.report.following import following_section, shown_following
from nliprobe.report.knowledge import knowledge_section
from nliprobe.report.likely import by_certainty, nothing_reached, shows_likely, unreached_words
from nliprobe.report.pages import render_page
from nliprobe.report.perturbed import perturbed_section
from nliprobe.report.stress import stress_section
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.swap_page import swap_section
from nliprobe.report.transition_graph import graph_of, transition_graph
from nliprobe.report.two_way import two_way_section
from nliprobe.report.uncounted import without_uncounted
from nliprobe.report.verdict import verdicts
from nliprobe.report.words import (
    NOTHING,
    between,
    blind,
    chance_lines,
    constant_words,
    group_remarks,
    has_own_section,
    label_shares,
    note_lines,
    percent,
    plural,
    probability,
    sentences,
    skipped_line,
)
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from markupsafe import Markup

_ABOUT_ACCURACY = (
    "How often the answer is the gold label; no answer counts as wrong. Hollow dots are systems that cannot use the "
    "premise: they never see it, or always answer the same. The last line is the best constant answer."
)


def html_report(
    document: ShowDocument,
    cases: CaseSection,
    provenance: Mapping[str, object],
    facets: Sequence[FacetsDocument] = (),
    checklist: ChecklistDocument | None = None,
    drawn: Sequence[DrawnPair] = (),
    artifacts: ArtifactsDocument | None = None,
) -> str:
    """Write a run as a page.

    Args:
        document: the summary of the run.
        cases: failing cases to read.
        provenance: what else is known about where the numbers come from.
        facets: breakdowns of the run; each becomes a section.
        checklist: what systems do on templates, if the run has some.
        drawn: pairs to look at, with the units that people need and systems use.
        artifacts: what systems make of words that point to a label, if that was looked at.
    """
    document = without_uncounted(document)
    run = document["run"]
    return render_page(
        "report.html",
        title=f"Does it reason or guess? {run['folder']}",
        facts=", ".join(
            [
                plural(run["cases"], "case"),
                plural(len(run["systems"]), "system"),
                " and ".join(corpus["name"] for corpus in run["corpora"]),
            ]
        ),
        verdicts=verdicts(document),
        warnings=run["integrity"]["warnings"],
        scorecards=_scorecards(document),
        families=_families(document["families"]),
        gains=_gains(document["gains"]),
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
        cases=cases,
        skipped=[skipped_line(**item) for item in document["skipped"]],
        notes=note_lines(document["notes"]),
        provenance=[(key, _plain(value)) for key, value in provenance.items()],
    )


def _scorecards(document: ShowDocument) -> list[dict[str, object]]:
    cards: list[dict[str, object]] = []
    controls = blind(document["run"]["systems"])
    for probe in dict.fromkeys(entry["probe"] for entry in document["scores"]):
        if has_own_section(probe):
            continue
        entries = by_certainty([entry for entry in document["scores"] if entry["probe"] == probe])
        corpora = dict.fromkeys(entry["corpus"] for entry in entries)
        cards.append(
            {
                "title": "Accuracy" if probe == IDENTITY else f"Accuracy after {probe}",
                "about": " ".join(
                    [
                        _ABOUT_ACCURACY,
                        *sentences(chance_lines(entries) if probe != IDENTITY else []),
                        *sentences(group_remarks(_sizes(entries))),
                    ]
                ),
                "plots": [
                    {
                        "corpus": corpus,
                        "svg": _score_plot([item for item in entries if item["corpus"] == corpus], controls),
                    }
                    for corpus in corpora
                ],
                "rows": [_score_row(entry) for entry in entries],
            }
        )
    return cards


def _score_plot(entries: Sequence[ScoreEntry], controls: Iterable[str]) -> Markup:
    from markupsafe import Markup

    dots = []
    for entry in entries:
        if entry["accuracy"] is not None:
            ends = entry["ci95"] or [entry["accuracy"], entry["accuracy"]]
            dots.append(Dot(entry["system"], entry["accuracy"], ends[0], ends[1], entry["system"] in controls))
    constants = [entry["constant"] for entry in entries if entry["constant"] is not None]
    if constants:
        best = max(constants, key=lambda constant: constant["accuracy"])
        dots.append(Dot(f"always {best['label']}", best["accuracy"], best["accuracy"], best["accuracy"], True))
    return Markup(dot_plot(dots, low=0.0, high=1.0, unit="percent"))


def _score_row(entry: ScoreEntry) -> dict[str, str]:
    return {
        "system": entry["system"],
        "corpus": entry["corpus"],
        "accuracy": percent(entry["accuracy"]),
        "ends": between(entry["ci95"]),
        "constant": constant_words(entry["constant"]),
        "shares": label_shares(entry),
        "balanced": percent(entry["balanced"]),
        "f1": percent(entry["macro_f1"]),
        "n": f"{entry['n']:,}",
        "unanswered": f"{entry['unanswered']:,}",
    }


def _sizes(entries: Sequence[ScoreEntry] | Sequence[Transitions]) -> Iterable[tuple[str, int, int]]:
    return ((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)


def _families(entries: Sequence[FamilyScore]) -> list[dict[str, object]]:
    return [
        {
            "family": entry["family"],
            "seeds": len(entry["systems"]),
            "corpus": entry["corpus"],
            "probe": entry["probe"],
            "accuracy": percent(entry["accuracy"]),
            "sd": percent(entry["sd"]),
            "gain": NOTHING if entry["gain"] is None else f"{100 * entry['gain']:+.1f}",
        }
        for entry in entries
    ]


def _gains(gains: Sequence[Gain]) -> dict[str, object] | None:
    from markupsafe import Markup

    if not gains:
        return None
    dots = []
    for gain in gains:
        ends = gain["ci95"] or [gain["gain"], gain["gain"]]
        dots.append(Dot(f"{gain['system']}, {gain['corpus']}", gain["gain"], ends[0], ends[1]))
    low = min(-0.05, *(dot.low for dot in dots))
    high = max(0.05, *(dot.high for dot in dots))
    return {
        "svg": Markup(dot_plot(dots, low=low, high=high, unit="points")),
        "rows": [
            {
                "system": gain["system"],
                "corpus": gain["corpus"],
                "gain": f"{100 * gain['gain']:+.1f}",
                "ends": between(gain["ci95"], sign=True),
                "p": probability(gain["p_holm"]),
                "control": gain["control"],
                "control_accuracy": percent(gain["control_accuracy"]),
            }
            for gain in gains
        ],
    }


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
                "name": probe,
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


def _rate(rate: Rate) -> str:
    return NOTHING if rate["rate"] is None else f"{percent(rate['rate'])} %"


def _allowed_or(rate: Rate) -> str:
    return "any allowed" if rate["rate"] is None and rate["n"] else percent(rate["rate"])


def _plain(value: object) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if value is not None else NOTHING
