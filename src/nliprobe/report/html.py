"""The HTML report: one self-contained file per run that needs no network and executes nothing from the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.cases import is_swap
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.evidence.drawn import DrawnPair
from nliprobe.analysis.facet_documents import FacetsDocument
from nliprobe.report.accuracy import FAMILY_COLUMNS, accuracy_sections, family_rows
from nliprobe.report.artifacts import artifact_section
from nliprobe.report.case_section import CaseSection
from nliprobe.report.chapters import Chapter, probe_chapter
from nliprobe.report.checklist_page import checklist_section
from nliprobe.report.consistency import consistency_section
from nliprobe.report.counterfactuals import counterfactual_section
from nliprobe.report.evidence_page import evidence_section
from nliprobe.report.expectations import expectation_section
from nliprobe.report.facets import breakdown_section, facet_section
from nliprobe.report.following import following_section, shown_following
from nliprobe.report.head import fact_line, gain_values, hero_values
from nliprobe.report.hero import hero
from nliprobe.report.knowledge import knowledge_section
from nliprobe.report.pages import render_page
from nliprobe.report.perturbed import perturbed_section
from nliprobe.report.scorecard import scorecard
from nliprobe.report.stress import stress_section
from nliprobe.report.swap_page import swap_section
from nliprobe.report.transition_section import transition_section
from nliprobe.report.two_way import two_way_section
from nliprobe.report.uncounted import without_uncounted
from nliprobe.report.verdict import verdicts
from nliprobe.report.words import (
    NOTHING,
    blind,
    note_lines,
    skipped_line,
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
        cases=cases,
        skipped=[skipped_line(**item) for item in document["skipped"]],
        notes=note_lines(document["notes"]),
        provenance=[(key, _plain(value)) for key, value in provenance.items()],
    )


def _probes(document: ShowDocument) -> list[dict[str, object]]:
    unseeing = blind(document["run"]["systems"])
    sections: list[dict[str, object]] = []
    for probe in dict.fromkeys(entry["probe"] for entry in document["transitions"]):
        about = document["run"]["about"].get(probe)
        sections.append(
            {
                "chapter": _transitions_chapter(probe),
                "about": about["line"] if about else "",
                "broken": about["broken"] if about else "",
                "moves": transition_section(
                    [entry for entry in document["transitions"] if entry["probe"] == probe], unseeing
                ),
            }
        )
    return sections


def _transitions_chapter(probe: str) -> Chapter:
    """Name the chapter; swapping has another one already, about right answers."""
    return probe_chapter(probe, title="Where answers go when the texts are swapped" if is_swap(probe) else "")


def _plain(value: object) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if value is not None else NOTHING
