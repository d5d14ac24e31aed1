"""The types of 300 real cells, chosen before the reader was written and labelled by hand, are mostly right."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from nliprobe.language.cells import read_cell
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table

SAMPLE = Path(__file__).parent / "samples" / "cells.csv"
# What the issue asks for.
LEAST = 0.90


def test_the_types_of_the_sample_are_right(data: Path) -> None:
    with SAMPLE.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert all(row["type"] for row in rows), "Every cell of the sample needs a type."
    tables: dict[tuple[str, str | None], Table] = {}
    for corpus in sorted({row["corpus"] for row in rows}):
        for pair in open_source(corpus, data).pairs():
            assert isinstance(pair.premise, Table)
            tables[corpus, pair.group] = pair.premise
    confused: Counter[tuple[str, str]] = Counter()
    for row in rows:
        table = tables[row["corpus"], row["table"]]
        values = next(line.values for line in table.rows if line.key == row["key"])
        read = read_cell(row["key"], values).type.value
        # Where two types can be defended, the label names both.
        confused[row["type"] if read not in row["type"].split("|") else read, read] += 1
    right = sum(count for (labelled, read), count in confused.items() if labelled == read)
    wrong = [
        f"{count:3} {labelled} read as {read}" for (labelled, read), count in confused.most_common() if labelled != read
    ]
    share = right / len(rows)
    if share < LEAST:
        pytest.fail(f"{right} of {len(rows)} cells ({share:.1%}) have the right type:\n" + "\n".join(wrong))
