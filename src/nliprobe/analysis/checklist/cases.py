"""The cases of a run that come from templates, with numbers for templates, capabilities and distinct texts.

A template with two readings has two labels that people may give. No accuracy counts it: which reading a system takes is
shown apart (:mod:`nliprobe.analysis.checklist.readings`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, SystemAnswers
from nliprobe.base.errors import NotFoundError, command
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import HOLDS, gold_table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# What the corpora of templates call their facets.
CAPABILITY, TEMPLATE, TAG, VARIATION, CHANGE = "capability", "template", "tag", "variation_of", "change"
SECOND, SECOND_CAPABILITY = "second", "second_capability"
# Until version 0.1, second readings were pairs of their own with this facet.
_READING, _FIRST = "reading", "first"
_OF_PAIRS = (CAPABILITY, TEMPLATE, VARIATION, CHANGE, SECOND, SECOND_CAPABILITY, _READING)


class Unit(NamedTuple):
    """A template."""

    template: str
    capability: str
    tags: tuple[str, ...]
    variation_of: str | None
    change: str | None


@dataclass(frozen=True)
class ReadingCases:
    """The cases of templates with two readings, column by column.

    Attributes:
        units: what the numbers in ``unit`` stand for, each with the capability of its second reading.
        rows: row numbers among the cases of the run.
        unit: numbers of units.
        first: the label by the first reading, as masks of label sets.
        second: the label by the second reading.
        pairs: numbers of source pairs.
    """

    units: tuple[tuple[Unit, str], ...]
    rows: NDArray[np.int64]
    unit: NDArray[np.int64]
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    pairs: NDArray[np.int64]


@dataclass(frozen=True)
class ChecklistCases:
    """The labelled cases of templates with one reading, column by column, and apart from them those with two.

    Attributes:
        units: what the numbers in ``unit`` stand for.
        rows: row numbers among the cases of the run.
        unit: numbers of units.
        text: numbers of distinct pairs of premise and hypothesis.
        own_text: the same, except that a text shared by two units has a number for each.
        gold: masks of label sets.
        pairs: numbers of source pairs.
        facets: the long table of facets of the run, with the number of the pair instead of its id.
        readings: the cases of templates with two readings.
        older: how many pairs of second readings, as earlier versions asked them, are left out.
    """

    units: tuple[Unit, ...]
    rows: NDArray[np.int64]
    unit: NDArray[np.int64]
    text: NDArray[np.int64]
    own_text: NDArray[np.int64]
    gold: NDArray[np.uint8]
    pairs: NDArray[np.int64]
    facets: pl.DataFrame
    readings: ReadingCases
    older: int


class Answered(NamedTuple):
    """What one system answered to the cases of templates: which of them it was asked, its answers, which are right.

    ``partition`` has the labels that the system and every corpus of the cases tell apart.
    """

    name: str
    partition: Partition
    asked: NDArray[np.bool_]
    answers: NDArray[np.uint8]
    right: NDArray[np.bool_]


def has_checklist(run: RunFolder, data: RunData) -> bool:
    """Tell whether labelled pairs of the run come from templates that test a capability, and have been asked."""
    names = set(run.read("facets", ["name"])["name"].unique().to_list())
    if not {CAPABILITY, TEMPLATE} <= names:
        return False
    try:
        checklist = read_checklist(run, data)
    except NotFoundError:
        return False
    return any(
        system.asked(rows).any() for system in data.systems for rows in (checklist.rows, checklist.readings.rows)
    )


def read_checklist(
    run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> ChecklistCases:
    """Read the labelled cases of a run that come from templates.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        certainty: which cases count.
    """
    import numpy as np
    import polars as pl

    numbers = run.read("pairs", ["pair_id"]).with_row_index("pair").select(pl.col("pair").cast(pl.Int64), "pair_id")
    facets = run.read("facets").filter(pl.col("case_id").is_null()).join(numbers, on="pair_id", maintain_order="left")
    facets = facets.select("pair", "name", "value")
    known = _pair_columns(facets)
    cases = data.cases
    labelled = (cases.gold != 0) & cases.wanted(certainty)
    if IDENTITY in cases.probes:
        labelled &= cases.probe == cases.probes.index(IDENTITY)
    else:
        labelled &= False
    frame = pl.DataFrame({"row": np.flatnonzero(labelled), "pair": cases.pair[labelled]})
    frame = frame.join(known, on="pair", how="inner", maintain_order="left")
    if frame.is_empty():
        raise NotFoundError(
            f"The run {run.path} holds no labelled pair with the facets '{CAPABILITY}' and '{TEMPLATE}': it is not a "
            f"run of a checklist. Make one with {command('run', 'on', 'checklist')}, or on templates of your own."
        )
    asked = frame.height
    frame = frame.filter(pl.col(_READING).fill_null(_FIRST) == _FIRST)
    older = asked - frame.height
    both = _numbered(frame.filter(pl.col(SECOND).is_not_null()))
    frame = _numbered(frame.filter(pl.col(SECOND).is_null()))
    text, own_text = _texts(run, frame)
    rows, pairs = frame["row"].to_numpy(), frame["pair"].to_numpy()
    return ChecklistCases(
        units=_units(frame, facets),
        rows=rows,
        unit=frame["unit"].to_numpy().astype(np.int64),
        text=text,
        own_text=own_text,
        gold=cases.gold[rows],
        pairs=pairs,
        facets=facets,
        readings=_readings(both, facets, cases.gold),
        older=older,
    )


def answered(checklist: ChecklistCases, data: RunData, system: SystemAnswers) -> Answered:
    """Judge the answers of one system to the cases of templates; no answer counts as wrong."""
    import numpy as np

    asked = system.asked(checklist.rows)
    tables = np.stack([gold_table(data.partitions[name].join(system.partition)) for name in data.cases.corpora])
    given = np.where(asked, system.answers[checklist.rows], 0).astype(np.uint8)
    right = tables[data.cases.corpus[checklist.rows], checklist.gold, given] == HOLDS
    together = system.partition
    for number in np.unique(data.cases.corpus[checklist.rows]):
        together = together.join(data.partitions[data.cases.corpora[number]])
    return Answered(system.name, together, asked, given, right & asked)


def _pair_columns(facets: pl.DataFrame) -> pl.DataFrame:
    """Return the facets of templates as columns, a line per pair that has a template and a capability."""
    import polars as pl

    named = facets.filter(pl.col("name").is_in(_OF_PAIRS)).unique(["pair", "name"], keep="first", maintain_order=True)
    known = named.filter(pl.col("name") == TEMPLATE).select("pair", pl.col("value").alias(TEMPLATE))
    for name in (CAPABILITY, VARIATION, CHANGE, SECOND, SECOND_CAPABILITY, _READING):
        column = named.filter(pl.col("name") == name).select("pair", pl.col("value").alias(name))
        known = known.join(column, on="pair", how="left")
    return known.filter(pl.col(CAPABILITY).is_not_null())


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    """Number the templates, in the order of their ids."""
    units = frame.select(TEMPLATE).unique().sort(TEMPLATE).with_row_index("unit")
    return frame.join(units, on=TEMPLATE, how="left", maintain_order="left")


def _readings(frame: pl.DataFrame, facets: pl.DataFrame, gold: NDArray[np.uint8]) -> ReadingCases:
    import numpy as np

    first = frame.unique("unit", keep="first", maintain_order=True).sort("unit")
    seconds = [str(name or "") for name in first[SECOND_CAPABILITY]]
    masks = {text: LabelSet.of(text).mask for text in frame[SECOND].unique()}
    rows = frame["row"].to_numpy()
    return ReadingCases(
        units=tuple(zip(_units(frame, facets), seconds, strict=True)),
        rows=rows,
        unit=frame["unit"].to_numpy().astype(np.int64),
        first=gold[rows],
        second=np.array([masks[text] for text in frame[SECOND]], dtype=np.uint8),
        pairs=frame["pair"].to_numpy(),
    )


def _units(frame: pl.DataFrame, facets: pl.DataFrame) -> tuple[Unit, ...]:
    import polars as pl

    first = frame.unique("unit", keep="first", maintain_order=True)
    tags = first.select("unit", "pair").join(facets.filter(pl.col("name") == TAG), on="pair")
    by_unit = {unit: tuple(values) for unit, values in tags.group_by("unit").agg(pl.col("value").sort()).iter_rows()}
    return tuple(
        Unit(
            str(line[TEMPLATE]),
            str(line[CAPABILITY]),
            by_unit.get(line["unit"], ()),
            line[VARIATION],
            line[CHANGE],
        )
        for line in first.sort("unit").iter_rows(named=True)
    )


def _texts(run: RunFolder, frame: pl.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct texts of the suite, and of each unit; by hashes, because ranking strings takes seconds."""
    import numpy as np
    import polars as pl

    both = run.read("pairs", ["premise", "hypothesis"]).select(pl.struct("premise", "hypothesis").hash(seed=0))
    hashes = pl.DataFrame({"text": both.to_series().gather(frame["pair"]), "unit": frame["unit"]})
    by_unit = hashes.select(pl.struct("text", "unit").hash(seed=1)).to_series()
    text, own_text = (column.rank("dense").to_numpy().astype(np.int64) - 1 for column in (hashes["text"], by_unit))
    return text, own_text
