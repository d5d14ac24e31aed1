"""The columns of a run's Parquet files; reading and writing whole files, each shard with its record."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError
from nliprobe.base.files import read_json, write_atomic, write_sealed
from nliprobe.base.hashing import digest_bytes
from nliprobe.store.record import ShardRecord
from nliprobe.task.case import IDENTITY, Case, Prediction, Status
from nliprobe.task.edits import edits_to_json
from nliprobe.task.labels import SETS
from nliprobe.task.pair import Premise
from nliprobe.task.rule_forms import rule_text
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]


# Columns of pairs that runs of earlier versions do not have.
ADDED = ("grade", "outside", "alone", "sentences")
COLUMNS = ("label", "p_e", "p_n", "p_c", "status", "raw")
_LABELS = {str(item): item for item in SETS if item}
_STATUSES = {item.value: item for item in Status}


def answer_schema() -> dict[str, pl.DataType | type[pl.DataType]]:
    """Return the types of the columns of answers."""
    import polars as pl

    shares = dict.fromkeys(COLUMNS[1:4], pl.Float32)
    return {"label": pl.String, **shares, "status": pl.String, "raw": pl.String}


def answer_columns(answers: Sequence[Prediction]) -> list[Sequence[object]]:
    """Return answers as columns, in the order of :func:`answer_schema`."""
    shares = [answer.probabilities or (None, None, None) for answer in answers]
    return [
        [None if answer.label is None else str(answer.label) for answer in answers],
        *([item[place] for item in shares] for place in range(3)),
        [answer.status for answer in answers],
        [answer.raw for answer in answers],
    ]


def to_predictions(rows: pl.DataFrame) -> list[Prediction]:
    """Return the answers that some rows hold; a column that never had a value may be missing."""
    nothing = [None] * rows.height
    label, p_e, p_n, p_c, status, raw = (rows[name].to_list() if name in rows.columns else nothing for name in COLUMNS)
    shares = [None if item == (None, None, None) else item for item in zip(p_e, p_n, p_c, strict=True)]
    try:
        return [
            Prediction(None if letters is None else _LABELS[letters], share, _STATUSES[state], text)
            for letters, share, state, text in zip(label, shares, status, raw, strict=True)
        ]
    except KeyError as error:
        raise StoreError(f"An answer has {error} where a label or a status should be. Make it again.") from error


# To read one row, its whole group is read. Groups of 8,192 rows make shards 1 % larger, groups of 2,048 rows 10 %.
ROWS_PER_GROUP = 8192
FrameColumns = dict[str, "pl.DataType | type[pl.DataType]"]


def schema(name: str) -> FrameColumns:
    """Return the columns of one kind of file: pairs, facets, cases or predictions of a run, or answers in the cache."""
    import polars as pl

    text = pl.String
    schemas: dict[str, FrameColumns] = {
        "pairs": {
            "pair_id": text,
            "corpus": text,
            "kind": text,
            "premise": text,
            "hypothesis": text,
            "gold": text,
            "group": text,
            "evidence": pl.List(pl.Int32),
            "program": text,
            "grade": text,
            "outside": pl.Boolean,
            "alone": pl.Boolean,
            "sentences": pl.List(pl.Int32),
        },
        "facets": {"pair_id": text, "case_id": text, "name": text, "value": text},
        "cases": {
            "case_id": text,
            "pair_id": text,
            "corpus": text,
            "probe": text,
            "bases": pl.List(text),
            "gold": text,
            "expects": text,
            "edits": text,
            "certainty": text,
        },
        "predictions": {"case_id": text, "input_id": text, **answer_schema()},
        # An input id as two numbers, by which answers are found: its first 64 bits and the rest.
        "cache": {"high": pl.UInt64, "low": pl.UInt64, **answer_schema()},
    }
    return schemas[name]


def case_frames(corpora: Sequence[str], cases: Sequence[Case]) -> dict[str, pl.DataFrame]:
    """Return the cases, pairs and facets of one shard as frames; ``corpora`` names the corpus of each case.

    A pair belongs to the shard that asks it as it is, so every pair is written exactly once.
    """
    identities = [(corpus, case.source) for corpus, case in zip(corpora, cases, strict=True) if case.probe == IDENTITY]
    evidence = [pair.evidence for _, pair in identities]
    facets = [(pair.id, None, facet.name, facet.value) for _, pair in identities for facet in pair.facets] + [
        (case.source.id, case.id, facet.name, facet.value) for case in cases for facet in case.facets
    ]
    return {
        "pairs": _frame(
            "pairs",
            [
                [pair.id for _, pair in identities],
                [corpus for corpus, _ in identities],
                ["table" if isinstance(pair.premise, Table) else "text" for _, pair in identities],
                _premise_texts([pair.premise for _, pair in identities]),
                [pair.hypothesis for _, pair in identities],
                [None if pair.gold is None else str(pair.gold) for _, pair in identities],
                [pair.group or pair.id for _, pair in identities],
                [None if item is None else list(item.units) for item in evidence],
                [pair.program for _, pair in identities],
                [None if item is None else item.grade.value for item in evidence],
                [None if item is None else item.outside for item in evidence],
                [None if item is None else item.alone for item in evidence],
                [[place for span in pair.sentences for place in span] or None for _, pair in identities],
            ],
        ),
        "facets": _frame("facets", [[facet[column] for facet in facets] for column in range(4)]),
        "cases": _frame(
            "cases",
            [
                [case.id for case in cases],
                [case.source.id for case in cases],
                list(corpora),
                [case.probe for case in cases],
                _lists([case.bases for case in cases]),
                [None if case.gold is None else str(case.gold) for case in cases],
                _rule_texts([case.expects for case in cases]),
                [edits_to_json(case.edits) if case.edits else None for case in cases],
                [case.certainty for case in cases],
            ],
        ),
    }


def _premise_texts(premises: Sequence[Premise]) -> list[str]:
    """Write premises; the pairs of a table come together and share one object, which is written once."""
    tables = {id(premise): premise for premise in premises if isinstance(premise, Table)}
    texts = {identity: table.to_json() for identity, table in tables.items()}
    return [premise if isinstance(premise, str) else texts[id(premise)] for premise in premises]


def _rule_texts(rules: Sequence[Rule | None]) -> list[str | None]:
    """Write rules in their short form; by identity, because hashing a rule takes longer than looking it up."""
    texts: dict[int, str | None] = {id(None): None}
    for rule in rules:
        if id(rule) not in texts and rule is not None:
            texts[id(rule)] = rule_text(rule)
    return [texts[id(rule)] for rule in rules]


def _lists(ids: Sequence[Sequence[str]]) -> pl.Series:
    """Make a column of lists of ids; they are joined and split again, which is ten times faster than list by list."""
    import polars as pl

    joined = pl.Series([" ".join(item) for item in ids], dtype=pl.String)
    empty = pl.lit([], dtype=pl.List(pl.String))
    return pl.select(pl.when(joined != "").then(joined.str.split(" ")).otherwise(empty)).to_series()


def prediction_frame(case_ids: Sequence[str], input_ids: Sequence[str], answers: Sequence[Prediction]) -> pl.DataFrame:
    """Return the answers to the cases of one shard as a frame."""
    return _frame("predictions", [list(case_ids), list(input_ids), *answer_columns(answers)])


def cache_frame(input_ids: Sequence[str], answers: Sequence[Prediction]) -> pl.DataFrame:
    """Return the answers to some inputs as a frame of the cache."""
    import polars as pl

    keys = [pl.Series(part) for part in input_keys(input_ids)]
    return _frame("cache", [*keys, *answer_columns(answers)])


def input_keys(input_ids: Sequence[str]) -> tuple[Keys, Keys]:
    """Return each input id as two numbers, by which answers are found: its first 64 bits and the other 32."""
    import numpy as np

    numbers = np.frombuffer(bytes.fromhex("".join(input_ids)), dtype=[("high", ">u8"), ("low", ">u4")])
    return numbers["high"].astype(np.uint64), numbers["low"].astype(np.uint64)


def _frame(name: str, columns: Sequence[Sequence[object] | pl.Series]) -> pl.DataFrame:
    import polars as pl

    kinds = schema(name)
    return pl.DataFrame(
        [pl.Series(column, values, dtype=kind) for (column, kind), values in zip(kinds.items(), columns, strict=True)]
    )


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """Return a frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer, compression="zstd", compression_level=1, statistics=False, row_group_size=ROWS_PER_GROUP
    )
    return buffer.getvalue()


def record_path(shard: Path) -> Path:
    """Return the file of a shard's record, which is next to the shard."""
    return shard.with_suffix(".json")


def write_shard(path: Path, content: bytes, rows: int) -> ShardRecord:
    """Write the bytes of a shard and its record.

    The record is written first. If the process is killed in between, a record without a shard remains, and the shard is
    simply written again; a killed process never leaves a shard without a record.
    """
    record = ShardRecord(rows, len(content), digest_bytes(content))
    if path.exists() and _recorded(path) != record.content:
        # Otherwise a kill would leave the new record next to the old shard, which looks like damage.
        path.unlink(missing_ok=True)
    write_sealed(record_path(path), asdict(record))
    write_atomic(path, content)
    return record


def _recorded(path: Path) -> object:
    try:
        return read_json(record_path(path)).get("content")
    except StoreError:
        return None


def read_frame(path: Path, columns: Sequence[str] | None = None, *, content: bytes | None = None) -> pl.DataFrame:
    """Read a Parquet shard; a damaged one is a :class:`StoreError` that names it.

    Args:
        path: the file.
        columns: which columns to read; by default all.
        content: its bytes, if they have been read already.
    """
    import polars as pl

    source = path if content is None else io.BytesIO(content)
    try:
        return pl.read_parquet(source, columns=list(columns) if columns else None, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, MemoryError) as error:
        raise unreadable_file(path, error) from error


def read_pairs(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Read a shard of pairs; columns that earlier versions did not write are empty."""
    import polars as pl

    kinds = schema("pairs")
    wanted = list(columns or kinds)
    try:
        written = pl.read_parquet_schema(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, MemoryError) as error:
        raise unreadable_file(path, error) from error
    frame = read_frame(path, [name for name in wanted if name in written or name not in ADDED])
    empty = [pl.lit(None, dtype=kinds[name]).alias(name) for name in wanted if name not in frame.columns]
    return frame.with_columns(empty).select(wanted)


def unreadable_file(path: Path, error: BaseException) -> StoreError:
    """Return the error for a file that Polars cannot read; it panics at some that are damaged."""
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    return StoreError(f"The file {path} is damaged ({reason}).")


def row_count(path: Path) -> int | None:
    """Return the number of rows that a shard's footer gives, or none if it is missing or damaged."""
    import polars as pl

    if not path.is_file():
        return None
    try:
        return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, MemoryError):
        return None
