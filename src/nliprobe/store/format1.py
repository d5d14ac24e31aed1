"""Reading format 1, the runs of earlier versions. This docstring is the migration rule.

A folder of format 1 has one ``run.json`` for everything and no digests. It is read, and never written:

- What ``run.json`` says under ``suite``, ``shard_size``, ``counts`` and ``skipped`` becomes the record of the run. What
  early versions did not write yet is empty; a corpus or system without a partition tells E, N and C apart.
- Each entry of its list ``systems`` becomes the record of a system, in the order of the list. The status and the end of
  the run are those of each system; ``notes`` are handed to the systems they name.
- Shards go through :func:`upgrade` when they are read. What cases asked for under ``relation`` and under
  ``check`` becomes the one rule they expect: the relation, the check, or both joined by *and*. If the check says the
  same about labels as the relation, it is the check alone.
- The run gets a note that it cannot be verified.

Nothing is added to such a folder: its shards have no records, and records made now would confirm bytes that may have
changed before. Repeating the command with another ``--out`` makes a new run; known answers come from the cache.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError, option
from nliprobe.base.fields import Fields
from nliprobe.store.frames import read_frame, read_pairs, schema, unreadable_file
from nliprobe.store.record import Counts, RunRecord, SkippedPairs, SuiteRecord, SystemRecord, SystemStatus
from nliprobe.store.verdict import Verdict
from nliprobe.task.labels import THREE_WAY
from nliprobe.task.relations import Relation
from nliprobe.task.rule_forms import read_rule, rule_text
from nliprobe.task.rules import And, label_relation

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
NOTE = "The run has format 1, which keeps no digests: it can be read, but not verified or continued."


def read_run(fields: Fields) -> tuple[RunRecord, tuple[SystemRecord, ...]]:
    """Read ``run.json`` of format 1 as the records of format 2."""
    suite, counts = fields.inner_or_none("suite"), fields.inner_or_none("counts")
    record = RunRecord(
        fields.text_or_none("nliprobe") or "",
        fields.text_or_none("python") or "",
        fields.text_or_none("created") or "",
        SuiteRecord("", 0, (), ()) if suite is None else _suite(suite),
        fields.number_or_none("shard_size") or 0,
        None if counts is None else Counts.read(counts),
        tuple(SkippedPairs.read(item) for item in _objects(fields, "skipped")),
        format=FORMAT,
    )
    notes = fields.inner_or_none("notes")
    complete = fields.text_or_none("status") == SystemStatus.COMPLETE
    status = SystemStatus.COMPLETE if complete else SystemStatus.RUNNING
    finished = fields.text_or_none("finished")
    systems = [
        replace(_system(item), place=place, status=status, finished=finished)
        for place, item in enumerate(_objects(fields, "systems"))
    ]
    if notes is not None:
        systems = [
            replace(item, notes=notes.texts(item.name)) if item.name in notes.values else item for item in systems
        ]
    return record, tuple(systems)


def read_shard(kind: str, path: Path) -> pl.DataFrame:
    """Return the rows of a shard of format 1 with the columns of format 2; one without its columns is an error."""
    import polars as pl

    frame = read_pairs(path) if kind == "pairs" else read_frame(path)
    try:
        return upgrade(kind, frame)
    except (pl.exceptions.PolarsError, ValueError) as error:
        raise unreadable_file(path, error) from error


def upgrade(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a shard of format 1 with the columns of format 2; ``frame`` has all its original columns."""
    if kind != "cases":
        return frame
    import polars as pl

    old = frame.select(pl.struct("relation", "check", "check_params")).to_series()
    texts = [_expected(**row) for row in old.unique(maintain_order=True).to_list()]
    rules = pl.DataFrame({"old": old.unique(maintain_order=True), "expects": pl.Series(texts, dtype=pl.String)})
    expects = pl.DataFrame({"old": old}).join(rules, on="old", how="left", nulls_equal=True, maintain_order="left")
    return frame.with_columns(expects["expects"]).select(*schema("cases"))


def _expected(relation: str | None, check: str | None, check_params: str | None) -> str | None:
    """Join what a case of format 1 asked for under two names into the one rule it expects."""
    if check is None:
        return None if relation is None else rule_text(Relation.parse(relation))
    content = json.loads(check_params or "{}")
    rule = read_rule(_renamed({"name": check, **content}))
    if relation is None or label_relation(rule) == Relation.parse(relation):
        return rule_text(rule)
    return rule_text(And((Relation.parse(relation), rule)))


def _renamed(value: object) -> object:
    """Give the parts of a rule the keys they have today."""
    if isinstance(value, dict):
        keys = {"checks": "rules", "check": "rule"}
        return {keys.get(key, key): _renamed(inner) for key, inner in value.items()}
    return [_renamed(inner) for inner in value] if isinstance(value, list) else value


def refuse_writing(path: Path) -> StoreError:
    """Return the error for an attempt to add something to a run of format 1."""
    return StoreError(
        f"The run {path} has format 1, which earlier versions of nliprobe wrote: it can be read, but not continued. "
        f"Make it again in another folder with {option('out')}; known answers come from the cache."
    )


def _suite(fields: Fields) -> SuiteRecord:
    defaults = {"hash": "", "seed": 0, "probes": [], **fields.values}
    corpora = [{"digest": "", "partition": str(THREE_WAY), **item.values} for item in _objects(fields, "corpora")]
    return SuiteRecord.read(replace(fields, values={**defaults, "corpora": corpora}))


def _system(fields: Fields) -> SystemRecord:
    doctor = fields.inner_or_none("doctor")
    record = SystemRecord.read(
        replace(
            fields,
            values={
                "spec": "",
                "identity": "",
                "partition": str(THREE_WAY),
                "represent": "",
                "premise": "full",
                "labels": "",
                "train": [],
                **{key: value for key, value in fields.values.items() if value is not None},
                "doctor": None,
                "place": 0,
                "status": SystemStatus.RUNNING.value,
                "notes": [],
            },
        )
    )
    return record if doctor is None else replace(record, doctor=Verdict.read(doctor))


def _objects(fields: Fields, key: str) -> tuple[Fields, ...]:
    return fields.each(key) if fields.values.get(key) is not None else ()
