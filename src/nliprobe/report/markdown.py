"""The Markdown report: the numbers of a run as tables that a forge or a paper draft can show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.evidence.documents import EvidenceEntry
from nliprobe.analysis.swap.documents import Swap
from nliprobe.report import artifacts, consistency, facets, following, knowledge, stress, swap, two_way
from nliprobe.report._markdown_text import inline, paragraph
from nliprobe.report.counterfactuals import (
    COLUMNS as COMPARED,
)
from nliprobe.report.counterfactuals import CROSSED, TITLE, counterfactual_cells, counterfactual_lines, crossed_cells
from nliprobe.report.evidence import (
    EVIDENCE_COLUMNS,
    evidence_groups,
    group_lines,
    group_rows,
    group_title,
    system_lines,
)
from nliprobe.report.expectations import COLUMNS, broken_cell, expectation_cells
from nliprobe.report.likely import by_certainty, nothing_reached, shows_likely, unreached_words
from nliprobe.report.uncounted import without_uncounted
from nliprobe.report.verdict import verdicts
from nliprobe.report.words import (
    LEGEND,
    NOTHING,
    around,
    blind,
    chance_lines,
    constant_words,
    family_cell,
    has_own_section,
    note_lines,
    percent,
    probability,
    skipped_line,
)
from nliprobe.task.case import IDENTITY

# Doubtful neutrals per corpus that the report lists; the page and the JSON have more.
_DOUBTFUL = 20


def markdown_report(document: ShowDocument, words: ArtifactsDocument | None = None) -> str:
    """Write a run as Markdown.

    Args:
        document: the summary of the run.
        words: what systems make of words that point to a label, if that was looked at.
    """
    document = without_uncounted(document)
    run = document["run"]
    warnings = [f"**{inline(line)}**" for line in run["integrity"]["warnings"]]
    head = [f"# {inline(run['folder'])}", *warnings, *map(paragraph, verdicts(document))]
    parts = [*head, f"{run['cases']:,} cases. {LEGEND}"]
    for probe in dict.fromkeys(entry["probe"] for entry in document["scores"]):
        if has_own_section(probe):
            continue
        entries = [entry for entry in document["scores"] if entry["probe"] == probe]
        parts.append("## Accuracy" if probe == IDENTITY else f"## Accuracy after {inline(probe)}")
        parts.append(
            _table(
                ["system", "corpus", "accuracy", "best constant", "labels alike", "macro F1", "n", "unanswered"],
                (
                    [
                        entry["system"],
                        entry["corpus"],
                        around(entry["accuracy"], entry["ci95"]),
                        constant_words(entry["constant"]),
                        percent(entry["balanced"]),
                        percent(entry["macro_f1"]),
                        f"{entry['n']:,}",
                        f"{entry['unanswered']:,}",
                    ]
                    for entry in by_certainty(entries)
                ),
            )
        )
        if probe != IDENTITY:
            parts.append(_remarks(chance_lines(entries)))
    if document["families"]:
        parts.append("## Mean over seeds")
        means = ([item["family"], item["corpus"], item["probe"], family_cell(item)] for item in document["families"])
        parts.append(_table(["systems", "corpus", "probe", "mean ± sd over seeds"], means))
    if document["gains"]:
        parts.append("## Accuracy minus the best premise-free control")
        rows = (
            [
                gain["system"],
                gain["corpus"],
                around(gain["gain"], gain["ci95"], sign=True),
                probability(gain["p_holm"]),
                gain["control"],
            ]
            for gain in document["gains"]
        )
        parts.append(_table(["system", "corpus", "gain", "adj. p", "control"], rows))
    for item in document["breakdowns"]:
        parts += [f"## {item['corpus']} by {item['facet'].replace(',', ' × ')}"]
        parts.append(_table(facets.BREAKDOWN_COLUMNS, facets.breakdown_cells(item)))
    if document["two_way"]:
        parts += [f"## {two_way.TITLE}", _table(two_way.COLUMNS, map(two_way.two_way_cells, document["two_way"]))]
        parts.append(_remarks(two_way.two_way_remarks(document["two_way"])))
    if stressed := document["stress"]:
        parts += [f"## {stress.TITLE}", _table(stress.COLUMNS, map(stress.stress_cells, stressed))]
        parts.append(_remarks(stress.stress_remarks(stressed, run["systems"])))
    if followed := following.shown_following(document):
        parts += [f"## {following.TITLE}", _table(following.COLUMNS, following.following_cells(followed))]
        parts.append(_remarks(following.following_remarks(followed)))
    if known := document["knowledge"]:
        parts += [f"## {knowledge.TITLE}", _table(knowledge.COLUMNS, map(knowledge.knowledge_cells, known))]
        readings = knowledge.knowledge_readings(known, blind(run["systems"]))
        parts.append(_remarks([*readings, *knowledge.knowledge_remarks(known)]))
    parts += _swap(document["swap"])
    if consistent := document["consistency"]:
        parts += [
            f"## {consistency.TITLE}",
            _table(consistency.COLUMNS, map(consistency.consistency_cells, consistent)),
        ]
        parts.append(_remarks(consistency.consistency_remarks(consistent)))
    for probe in dict.fromkeys(entry["probe"] for entry in document["transitions"]):
        parts += [f"## {inline(probe)}", _transitions(document, probe)]
    parts += [] if words is None else _artifacts(words)
    expected, controls = document["expectations"], blind(run["systems"])
    if expected:
        rows = ([*expectation_cells(item), broken_cell(item, controls)] for item in expected)
        parts += ["## Expectations", _table([*COLUMNS, "broken %"], rows)]
    for group in evidence_groups(document["evidence"]):
        parts += [
            f"## {inline(group_title(group))}",
            _table(EVIDENCE_COLUMNS, group_rows(group)),
            _evidence_lines(group, controls),
        ]
    if compared := document["counterfactuals"]:
        rows = ([*counterfactual_cells(entry), *crossed_cells(entry)] for entry in compared)
        lines = [f"- {paragraph(line)}" for line in counterfactual_lines(compared)]
        parts += [f"## {TITLE}", _table([*COMPARED, *CROSSED], rows), "\n".join(lines)]
    left_out = [f"- {paragraph(skipped_line(**item))}" for item in document["skipped"]]
    notes = [f"- {paragraph(line)}" for line in note_lines(document["notes"])]
    parts += (["## Left out", "\n".join(left_out)] if left_out else []) + (
        ["## Notes", "\n".join(notes)] if notes else []
    )
    return "\n\n".join(parts) + "\n"


def _swap(document: Swap | None) -> list[str]:
    if document is None:
        return []
    parts = [f"## {swap.TITLE}"]
    if entries := document["entries"]:
        parts += [_table(swap.COLUMNS, swap.swap_cells(entries)), _remarks(swap.swap_readings(document))]
    parts.append(_remarks(swap.swap_remarks(document)))
    doubtful = [line for corpus in document["corpora"] for line in swap.doubtful_lines(corpus, _DOUBTFUL)]
    parts += ["Doubtful neutrals:", _remarks(doubtful)] if doubtful else []
    if any(entry["consistency"] for entry in entries):
        parts += ["### Consistency under swap", _table(swap.CONSISTENT, swap.consistency_cells(entries))]
        parts.append(_remarks(swap.consistency_remarks(entries)))
    return [part for part in parts if part]


def _transitions(document: ShowDocument, probe: str) -> str:
    entries = [entry for entry in document["transitions"] if entry["probe"] == probe]
    labels = list(dict.fromkeys(label for entry in entries for label in entry["labels"]))
    likely, controls = shows_likely(entries), blind(document["run"]["systems"])
    rows, remarks = [], []
    for entry in entries:
        words = unreached_words(entry, controls)
        remarks += [f"- {paragraph(entry['system'])}, {inline(entry['corpus'])}: {inline(words)}"] if words else []
        for old in () if nothing_reached([entry]) else entry["labels"]:
            shares, rate = entry["row_percent"][old], entry["prohibited"][old]
            cells = [NOTHING if (share := shares.get(new)) is None else f"{share:.1f}" for new in labels]
            probable = entry["likely"]["prohibited"][old]
            rates = [rate, probable] if likely else [rate]
            shown = [cell for item in rates for cell in (f"{item['n']:,}", around(item["rate"], item["ci95"]))]
            rows.append([entry["system"], entry["corpus"], old, *cells, *shown])
    header = ["system", "corpus", "before", *(f"to {label}" for label in labels), "n", "prohibited %"]
    table = _table([*header, *(["n likely", "prohibited % (likely)"] if likely else [])], rows)
    return "\n".join([table, "", *remarks]) if remarks else table


def _artifacts(document: ArtifactsDocument) -> list[str]:
    judged = [entry for entry in document["entries"] if entry["missing"] is None]
    if not judged:
        return []
    rows = [cells for entry in judged for cells in artifacts.word_rows(entry)]
    bins = [cells for entry in judged for cells in artifacts.feature_rows(entry)]
    lines = [line for entry in judged for line in artifacts.readings(entry)]
    return [
        f"## {artifacts.TITLE}",
        _remarks(lines),
        _table(artifacts.COLUMNS, rows),
        _table(artifacts.FEATURE_COLUMNS, bins),
        _remarks([*artifacts.word_lines(document), *artifacts.legend(document)]),
    ]


def _evidence_lines(group: Sequence[EvidenceEntry], controls: Sequence[str]) -> str:
    lines = group_lines(group)
    lines += [
        f"{entry['system']}: {line}"
        for entry in group
        if entry["system"] not in controls
        for line in system_lines(entry)
    ]
    return _remarks(lines)


def _remarks(lines: Iterable[str]) -> str:
    return "\n".join(f"- {paragraph(line)}" for line in lines)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(inline(cell) for cell in line) + " |" for line in lines)
