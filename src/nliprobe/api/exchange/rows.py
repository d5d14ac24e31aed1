"""The columns of exported tables: a row per case, or a row per case and system of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import Cases, read_cases
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.api.exchange.origin import Batch, Origin
from nliprobe.api.exchange.written import Tally
from nliprobe.store.frames import COLUMNS, FrameColumns
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.rule_forms import rule_text
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import polars as pl

# What each column holds; the manual has the same list.
CASE_COLUMNS = {
    "case_id": "the id of the case",
    "corpus": "the corpus of the pair that the case was made from",
    "probe": "the probe that made the case; gold asks a pair as it is",
    "pair_id": "the id of that pair",
    "group": "what pairs share that makes them depend on one another, such as their table",
    "bases": "the ids of the cases that this one is derived from",
    "kind": "whether the premise of the pair is a text or a table",
    "premise": "the premise as it is asked; a table as text",
    "hypothesis": "the hypothesis as it is asked",
    "gold": "the labels that are right, such as E or NC; empty if they are not known",
    "expects": "the rule that the answer should keep, compared with the answers to the bases",
    "certainty": "how sure gold label and rule are: certain, likely, needs a person",
    "edits": "what the probe did to the pair, as JSON",
    "facets": "what is known about pair and case, as JSON: names with lists of values",
    "input_id": "the hash of premise and hypothesis as they are written here",
}
ANSWER_COLUMNS = {
    "system": "who answered",
    "status": "ok, no answer or failed",
    "answer": "the label that was answered, such as E",
    "p_e": "the probability of entailment, if the system gives any",
    "p_n": "the probability of neutral",
    "p_c": "the probability of contradiction",
    "raw": "what the system said, if it answers in words",
    "before": "its answer to the base; of two bases, both",
    "gold_outcome": "whether the answer is right: holds, broken, not applicable, unanswered",
    "expects_outcome": "whether the rule is kept: holds, broken, not applicable, unanswered",
}


def case_schema() -> FrameColumns:
    """Return the types of the columns of cases."""
    import polars as pl

    return {**dict.fromkeys(CASE_COLUMNS, pl.String), "bases": pl.List(pl.String)}


def answer_schema() -> FrameColumns:
    """Return the types of the columns of answers."""
    import polars as pl

    return {**dict.fromkeys(ANSWER_COLUMNS, pl.String), **dict.fromkeys(("p_e", "p_n", "p_c"), pl.Float32)}


def case_frame(batch: Batch) -> pl.DataFrame:
    """Return a row per case."""
    import polars as pl

    cases, inputs = batch.cases, batch.inputs
    columns: dict[str, list[object]] = {
        "case_id": [case.id for case in cases],
        "corpus": list(batch.corpora),
        "probe": [case.probe for case in cases],
        "pair_id": [case.source.id for case in cases],
        "group": [case.source.group or case.source.id for case in cases],
        "bases": [list(case.bases) for case in cases],
        "kind": ["table" if isinstance(case.source.premise, Table) else "text" for case in cases],
        "premise": [item.premise for item in inputs],
        "hypothesis": [item.hypothesis for item in inputs],
        "gold": [None if case.gold is None else str(case.gold) for case in cases],
        "expects": [None if case.expects is None else rule_text(case.expects) for case in cases],
        "certainty": [str(case.certainty) for case in cases],
        "edits": [_edits(case) for case in cases],
        "facets": [_facets(case) for case in cases],
        "input_id": [item.id for item in inputs],
    }
    return pl.DataFrame(columns, schema=case_schema())


def _edits(case: Case) -> str | None:
    from nliprobe.task.edits import edits_to_json

    return edits_to_json(case.edits) if case.edits else None


def _facets(case: Case) -> str | None:
    names: dict[str, list[str]] = {}
    for facet in (*case.source.facets, *case.facets):
        names.setdefault(facet.name, []).append(facet.value)
    return json.dumps(names, ensure_ascii=False) if names else None


class RunAnswers:
    """The answers of all systems of a run with their outcomes, for one shard of cases after the other.

    Outcomes compare cases with their bases, which may be anywhere in the run. So they are judged once, and kept as
    four small columns per system; everything else is read shard by shard.
    """

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        cases = read_cases(run)
        self._outcomes = {system.name: _outcomes(run, system.name, cases) for system in run.systems}
        self._offsets = dict.fromkeys(self._outcomes, 0)

    def of(self, batch: Batch) -> Iterator[pl.DataFrame]:
        """Yield, per system, a row for each case of a batch that it was asked, with the id of the case."""
        import polars as pl

        ids = pl.DataFrame({"case_id": [case.id for case in batch.cases]}, schema={"case_id": pl.String})
        for system in self._run.systems:
            files = [path for path in self._run.readable(system.predictions) if int(path.stem) == batch.number]
            if not files:
                continue
            answers = pl.concat(
                [self._run.read_shard(system.predictions, path, ["case_id", *COLUMNS]) for path in files]
            )
            joined = ids.join(answers, on="case_id", how="inner", maintain_order="left").rename({"label": "answer"})
            judged = joined.join(self._judged(system.name, joined), on="case_id", how="left", maintain_order="left")
            yield judged.select("case_id", pl.lit(system.name).alias("system"), *list(ANSWER_COLUMNS)[1:]).cast(
                dict(answer_schema())  # type: ignore[arg-type]
            )

    def _judged(self, system: str, answers: pl.DataFrame) -> pl.DataFrame:
        """Return the outcomes of some cases; they nearly always follow those of the batch before."""
        outcomes, offset = self._outcomes[system], self._offsets[system]
        next_rows = outcomes.slice(offset, len(answers))
        if len(next_rows) == len(answers) and (next_rows["case_id"] == answers["case_id"]).all():
            self._offsets[system] = offset + len(answers)
            return next_rows
        return outcomes.filter(outcomes["case_id"].is_in(answers["case_id"].implode()))


def _outcomes(run: RunFolder, system: str, cases: Cases) -> pl.DataFrame:
    import polars as pl

    judged = case_outcomes(run, system, cases)
    return judged.select(
        "case_id",
        pl.col("base").cast(pl.Categorical).alias("before"),
        pl.col("gold").alias("gold_outcome"),
        pl.col("expects").alias("expects_outcome"),
    )


def rows(origin: Origin, tally: Tally) -> Iterator[pl.DataFrame]:
    """Yield the rows of an export, a frame per batch: per case, and for a run per case and system.

    A case is counted when its rows are taken. What a system was never asked has no row, and the tally says so.
    """
    answers = None if origin.run is None else RunAnswers(origin.run)
    systems = 0 if origin.run is None else len(origin.run.systems)
    missing = 0
    for batch in origin.batches():
        frame = case_frame(batch)
        if answers is not None:
            frame = _with_answers(frame, list(answers.of(batch)))
            missing += systems * len(batch.cases) - len(frame)
        if len(frame):
            yield frame
            tally.count(frame["case_id"].n_unique())
    if missing:
        tally.lost.append(f"{missing:,} answers are missing, because they were never given: they have no row.")


def _with_answers(cases: pl.DataFrame, given: list[pl.DataFrame]) -> pl.DataFrame:
    """Return a row per case and system that was asked: by case, then in the order of the systems of the run."""
    import polars as pl

    if not given:
        return cases.clear()
    places = cases.select("case_id").with_row_index("row")
    together = pl.concat([frame.with_columns(order=pl.lit(order)) for order, frame in enumerate(given)])
    sorted_rows = together.join(places, on="case_id").sort("row", "order").drop("row", "order")
    joined = cases.join(sorted_rows, on="case_id", how="inner", maintain_order="right")
    return joined.select(*CASE_COLUMNS, *ANSWER_COLUMNS)
