"""Exporting to one CSV file: ``cases.csv``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.api._frames import guarded_cells
from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import open_origin
from nliprobe.api.exchange.rows import rows
from nliprobe.api.exchange.written import exporting
from nliprobe.base.files import writing

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say

NAME = "cases.csv"


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write ``cases.csv``: a row per case, and of a run per case and system.

    Cells that a spreadsheet would run as a formula get an apostrophe in front, and the column ``guarded`` names them.
    """
    import polars as pl

    origin = open_origin(request)
    with exporting(request, origin) as (tally, document), writing(tally.add(NAME, 0)) as stream:
        for number, frame in enumerate(rows(origin, tally)):
            cells = guarded_cells(frame.with_columns(pl.col("bases").list.join(" ")))
            stream.write(cells.write_csv(include_header=number == 0).encode("utf-8"))
            tally.add(NAME, len(frame))
    return document
