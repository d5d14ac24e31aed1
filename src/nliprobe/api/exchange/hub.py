"""Exporting to a Hugging Face dataset folder: Parquet files and a card that says what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import Origin, open_origin
from nliprobe.api.exchange.rows import (
    ANSWER_COLUMNS,
    CASE_COLUMNS,
    RunAnswers,
    answer_schema,
    case_frame,
    case_schema,
)
from nliprobe.api.exchange.written import Tally, exporting, in_words, write_parquet
from nliprobe.base.files import write_atomic
from nliprobe.store.frames import FrameColumns

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say

# Everything is asked, nothing is learnt from.
SPLIT = "test"
CASES, PREDICTIONS = "cases", "predictions"


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write the configuration ``cases`` and, of a run, ``predictions``; they are joined by the column ``case_id``."""
    origin = open_origin(request)
    with exporting(request, origin) as (tally, document):
        answers = None if origin.run is None else RunAnswers(origin.run)
        given = 0
        for number, batch in enumerate(origin.batches()):
            frame = case_frame(batch)
            write_parquet(frame, tally.add(f"{CASES}/{SPLIT}-{number:05d}.parquet", len(frame)))
            for answered in answers.of(batch) if answers is not None else ():
                write_parquet(answered, tally.add(f"{PREDICTIONS}/{SPLIT}-{given:05d}.parquet", len(answered)))
                given += 1
            tally.count(len(frame))
        write_atomic(tally.folder / "README.md", _card(origin, tally).encode("utf-8"))
    return document


def _card(origin: Origin, tally: Tally) -> str:
    import yaml

    columns: dict[str, FrameColumns] = {CASES: case_schema()}
    if origin.run is not None:
        columns[PREDICTIONS] = {"case_id": case_schema()["case_id"], **answer_schema()}
    head = {
        "pretty_name": "Cases of nliprobe",
        "task_categories": ["text-classification"],
        "task_ids": ["natural-language-inference"],
        "configs": [
            {"config_name": name, "data_files": [{"split": SPLIT, "path": f"{name}/*.parquet"}]}
            | ({"default": True} if name == CASES else {})
            for name in columns
        ],
        "dataset_info": [
            {"config_name": name, "features": _features(kinds), "splits": [_split(tally, name)]}
            for name, kinds in columns.items()
        ],
    }
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{_text(origin)}"


def _features(kinds: FrameColumns) -> list[dict[str, object]]:
    import polars as pl

    names = {pl.String: "string", pl.Float32: "float32"}
    return [
        {"name": name, "list": "string"} if kind == pl.List(pl.String) else {"name": name, "dtype": names[kind]}  # type: ignore[index]
        for name, kind in kinds.items()
    ]


def _split(tally: Tally, name: str) -> dict[str, object]:
    files = [item for item in tally.files() if item["name"].startswith(f"{name}/")]
    size = sum(item["bytes"] for item in files)
    return {"name": SPLIT, "num_bytes": size, "num_examples": sum(item["rows"] or 0 for item in files)}


def _text(origin: Origin) -> str:
    view = origin.view
    lines = [
        "# Cases of nliprobe",
        "",
        f"Pairs of {in_words(list(origin.partitions))}, asked as they are and as these probes change them: "
        f"{in_words([probe for probe in origin.probes if probe != 'gold'])}.",
        "",
        f"Suite `{origin.suite_hash}`. Tables are written with `{view.represent}`, the premise is `{view.control}`. "
        "The texts belong to their corpora, under the terms of these.",
        "",
    ]
    if origin.partial:
        lines += ["**The run was not complete when it was exported: cases or answers are missing.**", ""]
    sections = {CASES: CASE_COLUMNS}
    if origin.run is not None:
        sections[PREDICTIONS] = {"case_id": "the case that is answered", **ANSWER_COLUMNS}
    for name, columns in sections.items():
        lines += [f"## {name}", "", "| column | what it holds |", "| --- | --- |"]
        lines += [*(f"| `{column}` | {words} |" for column, words in columns.items()), ""]
    return "\n".join(lines)
