"""One case and a page of cases out of a million: by the index of the run, and by reading everything."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import polars as pl

from measure import median_of, report
from nliprobe.base.hashing import digest
from nliprobe.store.access import CaseFilter
from nliprobe.store.frames import case_frames, prediction_frame
from nliprobe.store.record import CorpusRecord, Counts, RunRecord, SuiteRecord, SystemRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Prediction, Status, identity_case
from nliprobe.task.edits import delete_unit
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import SETS, THREE_WAY
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import DELETE
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows

SHARDS, SHARD = 31, 32_768
CORPORA = ("infotabs/dev", "infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3")
ROWS, PER_PAIR = 10, 32
REPEATS = 15


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        run = write_run(Path(name) / "run")
        ids = run.read("cases", ["case_id"])["case_id"]
        chosen = random.Random(0)
        rare = CaseFilter("infotabs/alpha3", "rows.delete", "b", status="no answer")
        # A folder is opened anew each time, as by a request of a web page.
        one = median_of(lambda: RunFolder.open(run.path).case(ids[chosen.randrange(len(ids))]), REPEATS)
        known = RunFolder.open(run.path)
        again = median_of(lambda: known.case(ids[chosen.randrange(len(ids))]), REPEATS)
        page = median_of(lambda: RunFolder.open(run.path).page(CaseFilter(probe="gold"), limit=50), REPEATS)
        answers = CaseFilter("infotabs/alpha3", "rows.delete", "a", label="C")
        middle = median_of(lambda: known.page(answers, limit=50, after=ids[chosen.randrange(len(ids) // 2)]), REPEATS)
        scarce = median_of(lambda: RunFolder.open(run.path).page(rare, limit=50), REPEATS)
        naive_one = median_of(lambda: naive_case(run, ids[chosen.randrange(len(ids))]), 3)
        naive_scarce = median_of(lambda: naive_page(run, rare, 50), 3)
        size = sum(path.stat().st_size for path in run.path.rglob("*") if path.is_file())
    report(
        "run_access",
        {
            "cases": len(ids),
            "run_mb": size / 1e6,
            "case_ms": one * 1e3,
            "case_again_ms": again * 1e3,
            "page_by_probe_ms": page * 1e3,
            "page_by_answer_ms": middle * 1e3,
            "page_of_a_rare_answer_ms": scarce * 1e3,
            "read_everything_case_ms": naive_one * 1e3,
            "read_everything_page_ms": naive_scarce * 1e3,
            "speedup_case": naive_one / one,
            "speedup_page": naive_scarce / scarce,
            "must": {"case_ms": 50, "page_of_a_rare_answer_ms": 300},
        },
    )


def write_run(path: Path) -> RunFolder:
    """A run of a million cases over tables, with two systems; every 20,000th answer of the second is missing."""
    suite = SuiteRecord("bench", 0, tuple(CorpusRecord(name, "d", THREE_WAY) for name in CORPORA), ())
    systems = [SystemRecord(name, name, name, name) for name in ("a", "b")]
    run = RunFolder.create(path, RunRecord("0", "3", "2024-01-01T00:00:00+00:00", suite, SHARD), systems)
    # One shard is made case by case; the others are the same with other ids.
    first = [case for pair in range(SHARD // PER_PAIR) for case in pair_cases(f"pair {pair}", pair)]
    frames = case_frames([CORPORA[0]] * SHARD, first)
    for number in range(SHARDS):
        ids = {case.id: digest(str(number), case.id) if number else case.id for case in first}
        corpus = CORPORA[number * len(CORPORA) // SHARDS]
        for kind, frame in frames.items():
            run.write(kind, number, renamed(frame, number, corpus, ids))
        for system in systems:
            answers = [answer(system.name, number * SHARD + place) for place in range(SHARD)]
            run.write(system.predictions, number, prediction_frame(list(ids.values()), list(ids), answers))
    run.settle(Counts(SHARDS * SHARD, SHARDS * SHARD // PER_PAIR, SHARDS), [])
    for system in systems:
        run.finish(system, "2024-01-01T01:00:00+00:00")
    return run


def renamed(frame: pl.DataFrame, number: int, corpus: str, ids: dict[str, str]) -> pl.DataFrame:
    """A shard of cases, pairs or facets under other ids."""
    changes = {
        "pair_id": pl.format("{}/{} {}", pl.lit(corpus), pl.col("pair_id"), pl.lit(str(number))),
        "corpus": pl.lit(corpus),
        "case_id": pl.col("case_id").replace(ids),
        "bases": pl.col("bases").list.eval(pl.element().replace(ids)),
    } if number else {}  # fmt: skip
    return frame.with_columns(**{name: change for name, change in changes.items() if name in frame.columns})


def pair_cases(name: str, seed: int) -> list[Case]:
    """A pair over a table, and what is left of it without each row, several times over."""
    words = random.Random(seed)
    rows = tuple(Row(f"key {place}", (f"{words.random():.9f}", "some text of a cell")) for place in range(ROWS))
    table = Table(f"table {seed}", rows, "Film")
    facets = (Facet("author", str(seed % 40)), Facet("rows", str(ROWS)))
    pair = Pair(name, table, f"hypothesis {seed}", SETS[1 << seed % 3], f"T{seed % 500}", Evidence((0,)), None, facets)
    base = identity_case(pair)
    derived = [
        Case(
            digest(name, str(place)), "rows.delete", pair, table, pair.hypothesis, bases=(base.id,),
            expects=DELETE.relation, edits=(delete_unit(Rows(table), place % ROWS),),
        )
        for place in range(PER_PAIR - 1)
    ]  # fmt: skip
    return [base, *derived]


def answer(system: str, place: int) -> Prediction:
    """An answer with probabilities, or none."""
    if system == "b" and place % 20_000 == 19_999:
        return Prediction(None, status=Status.NO_ANSWER)
    share = (place * 7919 % 997) / 997
    return Prediction(SETS[1 << place % 3], (share, (1 - share) / 2, (1 - share) / 2))


def naive_case(run: RunFolder, case_id: str) -> None:
    """One case the simple way: read everything, then choose."""
    [row] = run.read("cases").filter(pl.col("case_id") == case_id).rows(named=True)
    run.read("pairs").filter(pl.col("pair_id") == row["pair_id"])
    run.read("facets").filter(pl.col("pair_id") == row["pair_id"])
    for system in run.systems:
        run.predictions(system.name).filter(pl.col("case_id") == case_id)


def naive_page(run: RunFolder, wanted: CaseFilter, limit: int) -> None:
    """A page the simple way."""
    cases = run.read("cases").filter((pl.col("corpus") == wanted.corpus) & (pl.col("probe") == wanted.probe))
    answers = run.predictions(wanted.system or "").filter(pl.col("status") == wanted.status)
    cases.join(answers, on="case_id", how="semi", maintain_order="left").head(limit)


if __name__ == "__main__":
    main()
