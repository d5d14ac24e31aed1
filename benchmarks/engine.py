"""What the engine costs next to a model: a null model, a model of 3,000 pairs per second, and a plain loop beside it.

Row deletions of InfoTabS, or of the tables in the package where there is no data. The plain loop generates, represents,
asks one list and writes one Parquet file. It asks equal inputs again, keeps nothing for other runs, and loses all of it
when it is killed.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import polars as pl

from engine_null import Null, null_system, run_suite
from measure import corpora, report
from nliprobe.api.run import describe_suite, describe_system
from nliprobe.api.sources import open_source
from nliprobe.engine import stages
from nliprobe.engine.ask import Failures, ask
from nliprobe.engine.local import collector_paused
from nliprobe.probes.suite import Suite
from nliprobe.store.cache import AnswerCache
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Input

T = TypeVar("T")
SPLITS = ("infotabs/dev", "infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3", "infotabs/train?limit=3000")
REPEATS = 3
PER_SECOND = 3_000


def main() -> None:
    data = corpora() is not None
    sources = SPLITS if data else ("builtin/tables-dev", "builtin/tables-train")
    probe = "rows.delete" if data else "rows.permute?n=300"
    suite = Suite.build([open_source(name) for name in sources], ["gold", probe])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain, cold, warm, costs = [], [], [], []
        for repeat in range(REPEATS):
            cache = folder / f"cache{repeat}"
            plain.append(timed(partial(plain_loop, suite, folder / f"plain{repeat}.parquet")))
            cold.append(timed(partial(run_suite, suite, Null(), folder / f"cold{repeat}", cache)))
            warm.append(timed(partial(run_suite, suite, Null(), folder / f"warm{repeat}", cache)))
            costs.append(stage_costs(suite, folder / f"stages{repeat}", folder / f"stages-cache{repeat}"))
        cases = plain_loop(suite, folder / "count.parquet")
        alone, inputs = model_alone(suite)
        begin = time.perf_counter()
        run_suite(suite, Null(PER_SECOND), folder / "rate", folder / "cache-rate")
        together = time.perf_counter() - begin
    each = {stage: min(cost[stage] for cost in costs) / cases * 1e6 for stage in costs[0]}
    result = {
        "cases": cases,
        "inputs": inputs,
        "load_average": os.getloadavg()[0],
        "stage_cpu_microseconds_per_case": each,
        "stage_cpu_microseconds_in_all": sum(each.values()),
        **per_case("null_model", cold, cases),
        **per_case("all_cached", warm, cases),
        **per_case("plain_loop", plain, cases),
        "ratio_to_plain_loop": min(wall for wall, _ in cold) / min(wall for wall, _ in plain),
        "pairs_per_second": PER_SECOND,
        "model_alone_seconds": alone,
        "with_engine_seconds": together,
        "engine_share_of_wall_time": (together - alone) / together,
        "must": {"null_model_microseconds": 30, "engine_share_of_wall_time": 0.05},
    }
    print(table(each, result))
    report("engine", result)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and the time of all cores that some work took."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def per_case(name: str, times: list[tuple[float, float]], cases: int) -> dict[str, float]:
    """The median and the least wall time per case, and the least time of all cores."""
    walls = [wall for wall, _ in times]
    return {
        f"{name}_median_microseconds": statistics.median(walls) / cases * 1e6,
        f"{name}_microseconds": min(walls) / cases * 1e6,
        f"{name}_cpu_microseconds": min(cpu for _, cpu in times) / cases * 1e6,
    }


def plain_loop(suite: Suite, path: Path) -> int:
    """What one would write without an engine; returns the number of cases."""
    system = null_system(Null())
    rows = []
    for source in suite.sources:
        for corpus, case in suite.items(source, None):
            if isinstance(case, Case):
                rows.append((corpus, case, system.reader.read(case)))
    answers = system.model.predict([item for _, _, item in rows])
    records = [
        {
            "corpus": corpus,
            "case": case.id,
            "pair": case.source.id,
            "probe": case.probe,
            "input": item.id,
            "label": str(answer.label),
            "p_e": answer.probabilities[0] if answer.probabilities else None,
            "p_n": answer.probabilities[1] if answer.probabilities else None,
            "p_c": answer.probabilities[2] if answer.probabilities else None,
        }
        for (corpus, case, item), answer in zip(rows, answers, strict=True)
    ]
    pl.DataFrame(records).write_parquet(path)
    return len(rows)


def stage_costs(suite: Suite, folder: Path, cache_folder: Path) -> dict[str, float]:
    """Seconds of all cores in each stage of a run of the null model, one after the other."""
    seconds: defaultdict[str, float] = defaultdict(float)

    def spend(stage: str, work: Callable[[], T]) -> T:
        start = time.process_time()
        with collector_paused():
            result = work()
        seconds[stage] += time.process_time() - start
        return result

    system, cache = null_system(Null()), AnswerCache(cache_folder)
    described = RunRecord("", "", "", describe_suite(suite, {}), stages.SHARD_SIZE)
    run = RunFolder.create(folder, described, [describe_system(system)])
    kind = f"predictions/{system.folder}"
    made = stages.shards(suite)
    while (shard := spend("generate", partial(next, made, None))) is not None:
        spend("write cases", partial(stages.write_cases, run, shard))
        question = spend("represent and dedupe", partial(stages.represent, system, shard))
        question = spend("look up", partial(stages.look_up, system, question, {}, cache))
        begin = time.process_time()
        system.model.predict(question.missing)
        seconds["check answers"] -= time.process_time() - begin
        asked = spend("check answers", partial(ask, system, question.missing, None, nothing, Failures()))
        spend("write cache", partial(cache.add, asked.unkept))
        asked = asked._replace(unkept={})
        spend("write answers", partial(stages.write_answers, run, kind, question, asked, cache, None))
    return dict(seconds)


def nothing(count: int) -> None:
    """Show no progress."""


def model_alone(suite: Suite) -> tuple[float, int]:
    """Seconds that the model of a fixed rate takes for the distinct inputs of the suite, and their number."""
    system = null_system(Null(PER_SECOND))
    by_id: dict[str, Input] = {}
    for shard in stages.shards(suite):
        by_id |= stages.distinct(stages.read_shard(system, shard))
    inputs = list(by_id.values())
    start = time.perf_counter()
    for place in range(0, len(inputs), system.model.batch):
        system.model.predict(inputs[place : place + system.model.batch])
    return time.perf_counter() - start, len(inputs)


def table(each: dict[str, float], result: Mapping[str, object]) -> str:
    """The costs for people."""
    lines = [f"{stage:24s} {cost:6.2f} µs per case" for stage, cost in each.items()]
    names = ("null_model", "all_cached", "plain_loop")
    lines += [
        f"{name.replace('_', ' '):24s} {result[f'{name}_microseconds']:6.2f} µs wall, "
        f"{result[f'{name}_cpu_microseconds']:6.2f} µs of all cores"
        for name in names
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
