"""Turning a user's own tables into a corpus that ``file:`` reads, with the document ``nliprobe/data-import/1``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from nliprobe.base.errors import UsageError, option
from nliprobe.base.files import write_atomic
from nliprobe.corpora.infobox.hypotheses import pair_lines, read_hypotheses, table_lines, template
from nliprobe.corpora.infobox.notes import KINDS, Notes
from nliprobe.corpora.infobox.read import ImportOptions, read_tables

SCHEMA = "nliprobe/data-import/1"


class TableDocument(TypedDict):
    """One imported table."""

    id: str
    title: str
    section: str
    category: str
    rows: int
    hypotheses: int
    place: str


class FindingDocument(TypedDict):
    """Things of one kind that were left out, changed or noticed as odd."""

    kind: str
    level: str
    count: int
    text: str
    examples: list[str]


class ImportDocument(TypedDict):
    """What an import did."""

    schema: str
    written: str | None
    template: str | None
    content: str
    tables: list[TableDocument]
    pairs: int
    labels: dict[str, int]
    warnings: int
    findings: list[FindingDocument]


@dataclass(frozen=True, slots=True)
class Import:
    """An import: what was found, and the text of the corpus (pairs, or tables where there are no hypotheses)."""

    document: ImportDocument
    text: str


def import_tables(
    sources: Sequence[str],
    hypotheses: str | Path | None = None,
    *,
    options: ImportOptions | None = None,
    labels: str = "",
    out: Path | None = None,
    sheet: Path | None = None,
    force: bool = False,
    strict: bool = False,
) -> Import:
    """Read tables, and write them as pairs (or as tables) to ``out`` and a file to fill in to ``sheet``.

    A source may have the parameters of :class:`FileForm`, the hypotheses those of :class:`HypothesisOptions`. With
    ``strict``, nothing is written when there is a warning.
    """
    for path in (out, sheet):
        if path is not None and path.exists() and not force:
            raise UsageError(f"{path} is already there. Choose another name, or overwrite it with {option('force')}.")
    if out is not None and out == sheet:
        raise UsageError(f"The corpus and the template cannot both be {out}.")
    notes = Notes()
    tables = read_tables(sources, notes, options)
    pairs = [] if hypotheses is None else read_hypotheses(hypotheses, tables, notes, labels)
    text = table_lines(tables)
    if hypotheses is not None:
        text = pair_lines(pairs, sections=any(item.section for item in tables))
    stopped = (strict and notes.warnings > 0) or not (tables if hypotheses is None else pairs)
    if out is not None and not stopped:
        write_atomic(out, text.encode("utf-8"))
    if sheet is not None and not stopped:
        write_atomic(sheet, template(tables).encode("utf-8"))
    about = Counter(item.table.id for item in pairs)
    document = ImportDocument(
        schema=SCHEMA,
        written=None if out is None or stopped else str(out),
        template=None if sheet is None or stopped else str(sheet),
        content="tables" if hypotheses is None else "pairs",
        tables=[
            TableDocument(
                id=item.id,
                title=item.table.title,
                section=item.section,
                category=item.table.category,
                rows=len(item.table.rows),
                hypotheses=about[item.id],
                place=item.place,
            )
            for item in tables
        ],
        pairs=len(pairs),
        labels=dict(sorted(Counter(item.label or "none" for item in pairs).items())),
        warnings=notes.warnings,
        findings=[_finding(kind, number, notes) for kind, number in notes.counts.items()],
    )
    return Import(document, text)


def _finding(kind: str, number: int, notes: Notes) -> FindingDocument:
    wording = KINDS[kind]
    return FindingDocument(
        kind=kind,
        level="warning" if wording.warning else "note",
        count=number,
        text=wording.one if number == 1 else wording.many,
        examples=notes.examples(kind),
    )
