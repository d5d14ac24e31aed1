"""Read tables from users' files and folders, and give every table an id."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean, option
from nliprobe.base.records.files import one_delimiter
from nliprobe.corpora._parts import path_and_options
from nliprobe.corpora.infobox._checks import check, table_from
from nliprobe.corpora.infobox._columns import WIDEST_KEYED, read_columns
from nliprobe.corpora.infobox._decode import decode
from nliprobe.corpora.infobox._draft import Draft, plain
from nliprobe.corpora.infobox._objects import read_objects
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.pages import PageOptions, read_page
from nliprobe.task.table import Table

_KINDS = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv",
}  # fmt: skip
STDIN = "-"
FORMS = ("auto", "infobox", "grid")


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How files become tables.

    Attributes:
        page: how pages of HTML are read.
        title: the title of the only table; it replaces the title in the file.
        category: the category of all tables.
        min_rows: tables with fewer rows are left out.
    """

    page: PageOptions = field(default_factory=PageOptions)
    title: str = ""
    category: str = ""
    min_rows: int = 1


@dataclass(frozen=True, slots=True)
class FileForm:
    """The parameters of one file or folder of tables: ``results.csv?form=grid&header=2&encoding=cp1252``.

    Attributes:
        form: ``infobox`` for keys and values, ``grid`` for many columns; ``auto`` to see.
        header: how many lines of a CSV file name its columns, if it is a many-column table.
        delimiter: what separates the fields of a CSV file: a character, or tab, comma, semicolon, pipe.
        encoding: of a file without a byte order mark; UTF-8 by default.
    """

    form: str = "auto"
    header: int = 1
    delimiter: str = ""
    encoding: str = ""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UsageError(f"'form' should be {', '.join(FORMS)}, not '{self.form}'.")
        if self.header < 1:
            raise UsageError(f"'header' should be a number of lines, at least 1, not {self.header}.")


@dataclass(frozen=True, slots=True)
class Imported:
    """A table with its id, its place in a file, and the sub-heading above its rows."""

    id: str
    table: Table
    place: str
    section: str = ""


def read_tables(sources: Sequence[str], notes: Notes, options: ImportOptions | None = None) -> list[Imported]:
    """Read the tables of files and folders, in the order given; files of a folder are sorted by name.

    A source may be followed by the parameters of :class:`FileForm`.
    """
    options = options or ImportOptions()
    tables: list[Imported] = []
    taken: set[str] = set()
    split = [path_and_options(source, FileForm) for source in sources]
    for source, form in _files(split, notes):
        drafts = list(read_drafts(source, notes, options.page, form))
        several = len({draft.title for draft in drafts}) > 1
        for draft in drafts:
            table = table_from(draft, notes, title=plain(options.title), category=plain(options.category))
            if not table.rows:
                notes.add("no-rows", draft.place, table.title)
                continue
            stem = "table" if source == STDIN else "_".join(Path(source).stem.split())
            if not table.title:
                notes.add("untitled", draft.place, stem)
                table = table.retitle(stem.replace("_", " "))
            if len(table.rows) < options.min_rows:
                notes.add("left-out", draft.place, table.title)
                continue
            place = f"{draft.place}, '{plain(draft.section)}'" if draft.section else draft.place
            check(table, place, notes)
            base = plain(draft.name) or (_slug(table.title) if several else stem)
            base = f"{base}-{_slug(draft.section)}" if draft.section and not draft.name else base
            tables.append(Imported(_free(base, taken), table, place, plain(draft.section)))
    if options.title and len(tables) > 1:
        raise UsageError(f"{option('title')} is for one table, but {len(tables)} were found.")
    return tables


def read_drafts(
    source: str, notes: Notes, options: PageOptions, form: FileForm, *, widest: int = WIDEST_KEYED
) -> Iterator[Draft]:
    """Yield the tables of one file as it gives them; ``widest`` columns of a CSV file may be keys and values."""
    place = "standard input" if source == STDIN else source
    try:
        content = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    except OSError as error:
        raise DataError(f"Cannot read {place}: {error.strerror or error}.") from error
    if not content.strip():
        raise DataError(f"{place} is empty: expected a table as HTML, JSON or CSV.")
    kind = _kind(source, content)
    text = decode(content, place, form.encoding, declared=kind == "html")
    if kind == "html":
        return read_page(text, place, notes, replace(options, form=form.form))
    if kind in ("json", "jsonl"):
        return read_objects(text, place, lines=kind == "jsonl", form=form.form)
    delimiter = one_delimiter(form.delimiter)
    return read_columns(
        text, place, tabs=kind == "tsv", form=form.form, delimiter=delimiter, header=form.header, widest=widest
    )


def _kind(source: str, content: bytes) -> str:
    if source != STDIN:
        kind = _KINDS.get(Path(source).suffix.lower())
        if kind is None:
            known = ", ".join(_KINDS)
            raise UsageError(f"The name of {source} does not say what it is. Expected a name that ends in {known}.")
        return kind
    first = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "html" if first == b"<" else "json" if first in (b"{", b"[") else "csv"


def _files(sources: Sequence[tuple[str, FileForm]], notes: Notes) -> Iterator[tuple[str, FileForm]]:
    if [source for source, _ in sources].count(STDIN) > 1:
        raise UsageError("Standard input (-) can be read only once.")
    for source, form in sources:
        path = Path(source)
        if source == STDIN or path.is_file():
            yield source, form
        elif path.is_dir():
            inside = sorted(item for item in path.iterdir() if item.is_file() and not item.name.startswith("."))
            known = [item for item in inside if item.suffix.lower() in _KINDS]
            for item in inside:
                if item not in known:
                    notes.add("other-files", str(item))
            if not known:
                raise NotFoundError(f"The folder {path} holds no file that ends in {', '.join(_KINDS)}.")
            yield from ((str(item), form) for item in known)
        else:
            siblings = [item.name for item in path.parent.iterdir()] if path.parent.is_dir() else []
            hint = did_you_mean(path.name, siblings)
            raise NotFoundError(f"There is no file {source}. {hint if hint.startswith('Did') else ''}".rstrip())


def _slug(text: str) -> str:
    """Join the words by hyphens in lower case: short, but readable in a column of a spreadsheet."""
    return "-".join(re.findall(r"\w+", text.casefold()))[:60] or "table"


def _free(base: str, taken: set[str]) -> str:
    name, times = base, 1
    while name in taken:
        times += 1
        name = f"{base}-{times}"
    taken.add(name)
    return name
