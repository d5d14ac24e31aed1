"""Right answers on the page: a dot plot per corpus, and the numbers beside what needs no understanding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.documents import FamilyScore, ScoreEntry, ShowDocument
from nliprobe.report.chapters import Chapter, plain_title, probe_chapter, section
from nliprobe.report.likely import by_certainty
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import (
    between,
    blind,
    chance_lines,
    constant_words,
    group_remarks,
    has_own_section,
    label_shares,
    percent,
    sentences,
    signed,
)
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from markupsafe import Markup

COLUMNS = (
    "system", "corpus", "accuracy", "95 % interval", "best constant", "gold labels", "labels weighted alike",
    "macro F1", "n", "unanswered",
)  # fmt: skip
FAMILY_COLUMNS = ("systems", "seeds", "corpus", "probe", "accuracy", "sd", "gain")
# The plots of further corpora are opened by those who want them; the scorecard has them all in small.
_OPEN = 4
_ABOUT = (
    "How often the answer is the gold label; no answer counts as wrong. Hollow dots are systems that cannot use the "
    "premise: they never see it, or always answer the same. The last line is the best constant answer."
)


def accuracy_sections(document: ShowDocument) -> list[dict[str, object]]:
    """Prepare a chapter for the pairs as they are, and one for each probe that gives its cases a label."""
    chapters: list[dict[str, object]] = []
    controls = blind(document["run"]["systems"])
    for probe in dict.fromkeys(entry["probe"] for entry in document["scores"]):
        if has_own_section(probe):
            continue
        entries = by_certainty([entry for entry in document["scores"] if entry["probe"] == probe])
        corpora = dict.fromkeys(entry["corpus"] for entry in entries)
        chance = sentences(chance_lines(entries) if probe != IDENTITY else [])
        sizes = ((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)
        chapters.append(
            {
                "chapter": _chapter(probe),
                "about": " ".join([_ABOUT, *chance, *sentences(group_remarks(sizes))]),
                "plots": [
                    {"corpus": corpus, "svg": _plot([item for item in entries if item["corpus"] == corpus], controls)}
                    for corpus in corpora
                ],
                "open": _OPEN,
                "columns": COLUMNS,
                "rows": [_row(entry) for entry in entries],
            }
        )
    return chapters


def family_rows(entries: Sequence[FamilyScore]) -> list[tuple[str, ...]]:
    """Write the rows under ``FAMILY_COLUMNS``: a mean over seeds each."""
    return [
        (entry["family"], str(len(entry["systems"])), entry["corpus"], entry["probe"], percent(entry["accuracy"]),
         percent(entry["sd"]), signed(entry["gain"]))
        for entry in entries
    ]  # fmt: skip


def _chapter(probe: str) -> Chapter:
    if probe == IDENTITY:
        return section("accuracy")
    return probe_chapter(probe, "accuracy", f"Right answers: {plain_title(probe)}")


def _plot(entries: Sequence[ScoreEntry], controls: Iterable[str]) -> Markup:
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


def _row(entry: ScoreEntry) -> tuple[str, ...]:
    return (
        entry["system"], entry["corpus"], percent(entry["accuracy"]), between(entry["ci95"]),
        constant_words(entry["constant"]), label_shares(entry), percent(entry["balanced"]), percent(entry["macro_f1"]),
        f"{entry['n']:,}", f"{entry['unanswered']:,}",
    )  # fmt: skip
