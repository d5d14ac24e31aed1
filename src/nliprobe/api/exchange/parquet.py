"""Exporting to Parquet files: ``data/00000.parquet`` and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import open_origin
from nliprobe.api.exchange.rows import rows
from nliprobe.api.exchange.written import exporting, write_parquet

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write Parquet files with a row per case, and of a run per case and system; texts are as they are."""
    origin = open_origin(request)
    with exporting(request, origin) as (tally, document):
        for number, frame in enumerate(rows(origin, tally)):
            write_parquet(frame, tally.add(f"data/{number:05d}.parquet", len(frame)))
    return document
