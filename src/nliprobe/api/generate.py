"""Generating a suite from templates into a file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api._frames import guarded_cells
from nliprobe.api._generate_tables import table_frames
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import require_writable, write_atomic, writing
from nliprobe.templates.render import Rendered
from nliprobe.templates.suite import TemplateTally, frames, render_suite, skew, tally
from nliprobe.templates.tables.source import TableSource
from nliprobe.templates.template import Template

if TYPE_CHECKING:
    import polars

# Rows per Parquet file; a larger suite becomes a folder of shards, so that memory stays bounded.
ROWS_PER_FILE = 250_000
_SUFFIXES = (".parquet", ".jsonl", ".tsv", ".csv")


def generate(
    templates: Sequence[Template],
    out: Path,
    *,
    n: int | None = None,
    seed: int = 0,
    workers: int = 1,
    advance: Callable[[int], None] = lambda rows: None,
) -> list[TemplateTally]:
    """Write the examples of templates, and count them per template; the ending of the file says its format."""
    if not templates:
        raise UsageError("There is no template to generate from.")
    counts: list[TemplateTally] = []

    def counted() -> Iterator[Rendered]:
        for rendered in render_suite(templates, n, seed, workers):
            counts.append(tally(rendered))
            advance(1)
            yield rendered

    _write(lambda: frames(counted()), out)
    if not out.suffix:
        _card(out, counts, "A behavioural checklist")
    return counts


def generate_tables(source: TableSource, out: Path, *, advance: Callable[[int], None]) -> list[TemplateTally]:
    """Write the pairs of table templates, and count them per template; the ending of the file says its format."""
    suite = source.suite()
    _write(lambda: table_frames(suite.pairs(), advance), out)
    counts = [
        TemplateTally(one.template, one.capability, one.asked, one.distinct, one.tried, False, one.labels)
        for one in suite.tallies
    ]
    if not out.suffix:
        _card(out, counts, "Executable hypotheses about tables")
    return counts


def _write(parts: Callable[[], Iterator[polars.DataFrame]], out: Path) -> None:
    """Write frames in the format that the ending of the file says; without an ending, a folder for datasets."""
    hub = not out.suffix
    if not hub and out.suffix not in _SUFFIXES:
        raise UsageError(
            f"{out} should end in {', '.join(_SUFFIXES)}, or have no ending for a folder that datasets can read."
        )
    require_writable(out)
    if hub or out.suffix == ".parquet":
        _parquet(parts(), out, hub=hub)
    else:
        _lines(parts(), out)


def document(counts: Sequence[TemplateTally], seed: int) -> dict[str, object]:
    """Return what was generated, as JSON."""
    return {
        "schema": "nliprobe/generate/2",
        "seed": seed,
        "examples": sum(one.distinct for one in counts),
        "templates": [asdict(one) for one in counts],
        "labels": skew(counts),
    }


def _parquet(parts_in: Iterator[polars.DataFrame], out: Path, *, hub: bool) -> None:
    """Write one file, or shards in a folder if there are more rows than one file should hold."""
    import polars

    folder = out / "data" if hub else out.with_suffix("")
    parts: list[polars.DataFrame] = []
    rows = number = 0

    def write(path: Path) -> None:
        # Made in memory, because Polars has errors of its own for a disk that is full.
        content = io.BytesIO()
        polars.concat(parts).write_parquet(content, compression="zstd", statistics=False)
        write_atomic(path, content.getbuffer())
        parts.clear()

    for one in parts_in:
        parts.append(one)
        rows += len(one)
        if rows >= ROWS_PER_FILE:
            write(folder / f"test-{number:05}.parquet")
            rows, number = 0, number + 1
    if parts:
        write(folder / f"test-{number:05}.parquet" if hub or number else out)


def _lines(parts_in: Iterator[polars.DataFrame], out: Path) -> None:
    with writing(out) as stream:
        for number, one in enumerate(parts_in):
            if out.suffix == ".jsonl":
                text = one.write_ndjson()
            elif out.suffix == ".csv":
                text = guarded_cells(one).write_csv(include_header=number == 0)
            else:
                # Public TSV files do not quote, so a tab or a line break of an example would end its field.
                _require_no_breaks(one, out)
                text = guarded_cells(one).write_csv(include_header=number == 0, separator="\t", quote_style="never")
            stream.write(text.encode("utf-8"))


def _require_no_breaks(examples: polars.DataFrame, out: Path) -> None:
    import polars

    broken = examples.filter(polars.any_horizontal(polars.all().str.contains(r"[\t\r\n]")))
    if len(broken):
        raise DataError(
            f"{out} cannot hold {broken['id'][0]}, which has a tab or a line break: write .csv, .jsonl or .parquet."
        )


def _card(folder: Path, counts: Sequence[TemplateTally], title: str) -> None:
    """Write the files by which Hugging Face's datasets finds the data."""
    rows = sum(one.distinct for one in counts)
    text = (
        "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: test\n    path: data/test-*.parquet\n---\n\n"
        f"# {title}\n\n{rows:,} examples of {len(counts)} templates, made by nliprobe.\n"
    )
    write_atomic(folder / "README.md", text.encode("utf-8"))
    summary = json.dumps([asdict(one) for one in counts], indent=1)
    write_atomic(folder / "templates.json", (summary + "\n").encode("utf-8"))
