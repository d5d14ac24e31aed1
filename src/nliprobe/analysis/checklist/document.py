"""The behavioural summary of a checklist: the document behind ``nliprobe show RUN --checklist``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, read_run
from nliprobe.analysis.checklist.bins import bin_counts
from nliprobe.analysis.checklist.capabilities import capability_entries, label_order
from nliprobe.analysis.checklist.cases import ChecklistCases, answered, read_checklist
from nliprobe.analysis.checklist.contrasts import contrasts
from nliprobe.analysis.checklist.documents import ChecklistDocument, LabelSkew, TemplateEntry, begin_document
from nliprobe.analysis.checklist.lexicon_effects import drawn_values, lexicon_effects
from nliprobe.analysis.checklist.readings import reading_entries
from nliprobe.analysis.checklist.rows import template_entries
from nliprobe.analysis.checklist.surrogate import surrogate
from nliprobe.analysis.checklist.variations import variations
from nliprobe.analysis.integrity import integrity
from nliprobe.task.case import Certainty
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    from nliprobe.analysis.checklist.wording import TemplateWording
    from nliprobe.store.run import RunFolder


def checklist_document(
    run: RunFolder,
    *,
    patterns: Sequence[TemplateWording] = (),
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    seed: int = 0,
    data: RunData | None = None,
    within: bool = True,
) -> ChecklistDocument:
    """Summarise what the systems of a run do on templates.

    Args:
        run: the run folder; an interrupted run is summarised as far as it went.
        patterns: the templates as they are written, for the surrogate; templates of the run that are not among them
            are left out of it.
        certainty: which cases count.
        seed: of permutations and folds; the same seed gives the same document.
        data: the run as :func:`read_run` gives it, if it has been read already.
        within: whether to look for effects of drawn values within templates as well, which takes most of the time.
    """
    import numpy as np

    data = read_run(run) if data is None else data
    checklist = read_checklist(run, data, certainty=certainty)
    rows = np.concatenate([checklist.rows, checklist.readings.rows])
    corpora = [data.cases.corpora[number] for number in np.unique(data.cases.corpus[rows])]
    document = begin_document(
        run.path.resolve().name,
        corpora=corpora,
        templates=len(checklist.units),
        n=len(checklist.rows),
        distinct=len(np.unique(checklist.text)),
        labels=_skew(checklist),
        notes=_notes(checklist, patterns),
        integrity=integrity(run),
    )
    drawn = drawn_values(checklist) if within and len(checklist.rows) else None
    for system in data.systems:
        given = answered(checklist, data, system)
        taken = reading_entries(checklist.readings, data, system, run)
        if not given.asked.any() and not taken:
            document["notes"].append(f"{system.name} has not been asked yet.")
            continue
        document["readings"] += taken
        document["systems"].append(given.name)
        verdict = run.system(system.name).doctor
        document["notes"] += [f"{system.name}: {line}" for line in (verdict.remarks if verdict is not None else ())]
        if not given.asked.any():
            continue
        whole, *by_capability = capability_entries(checklist, given)
        entries = template_entries(checklist, given, run, patterns=patterns)
        known = {entry["template"]: accuracy for entry, accuracy in _accuracies(entries)}
        fitted = surrogate(given.name, patterns, known, seed=seed)
        document["overall"].append(whole)
        document["capabilities"] += by_capability
        document["bins"].append(bin_counts(given.name, [accuracy for _, accuracy in _accuracies(entries)]))
        document["template_table"] += entries
        document["variations"] += variations(entries, checklist.units)
        document["effects"] += [] if drawn is None else lexicon_effects(checklist, given, drawn, seed=seed)
        document["surrogates"] += [] if fitted is None else [fitted]
    document["contrasts"] = contrasts(data, document["overall"], corpora, certainty=certainty)
    return document


def _accuracies(entries: Sequence[TemplateEntry]) -> list[tuple[TemplateEntry, float]]:
    return [(entry, entry["accuracy"]) for entry in entries if entry["accuracy"] is not None]


def _skew(checklist: ChecklistCases) -> dict[str, LabelSkew]:
    import numpy as np

    by_label: dict[str, LabelSkew] = {}
    for mask in label_order(int(mask) for mask in np.unique(checklist.gold)):
        labelled = checklist.gold == mask
        by_label[str(SETS[mask])] = LabelSkew(
            n=int(labelled.sum()),
            distinct=len(np.unique(checklist.text[labelled])),
            templates=len(np.unique(checklist.unit[labelled])),
        )
    return by_label


def _notes(checklist: ChecklistCases, patterns: Sequence[TemplateWording]) -> list[str]:
    notes = []
    if checklist.readings.units:
        notes.append(
            f"Templates with two readings are in no accuracy: {len(checklist.readings.units)}. Which reading is taken "
            "is shown apart."
        )
    if checklist.older:
        notes.append(
            f"Left out: {checklist.older:,} examples of second readings, as an earlier version asked them beside the "
            "first ones."
        )
    templates = {unit.template for unit in checklist.units}
    unknown = templates - {pattern.id for pattern in patterns}
    if unknown and unknown == templates:
        notes.append("How the templates are written is not known, so there is no surrogate.")
    elif unknown:
        examples = ", ".join(sorted(unknown)[:3]) + (" and others" if len(unknown) > 3 else "")
        notes.append(
            "Left out of the surrogate, because how they are written is not known: "
            f"{len(unknown)} of {len(templates)} templates ({examples})."
        )
    return notes
