"""The case browser over a million cases: making its index, pages, filters and searches; and reading everything instead.

Two runs: edited tables, where many cases share a pair, and texts, where every case is a pair of its own. Pages are
asked for in a process, and over HTTP (``browse_http.py``). ``python benchmarks/browse.py FOLDER`` keeps the runs in a
folder, so that measuring again does not make them again. With ``--small`` there are some ten thousand cases, and no
result is kept: to try the benchmark.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

import numpy as np
import polars as pl

from browse_http import measure_http
from measure import in_folder, nliprobe, report, run_process
from million import LABELS, MODEL, PROBES, SPLITS
from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.kept import index_file
from nliprobe.analysis.browse.opened import OpenBrowsers
from nliprobe.analysis.browse.wanted import Wanted, WantedAnswer, WantedOutcome
from nliprobe.base.hashing import digest_text
from nliprobe.store.frames import schema
from nliprobe.store.record import CorpusRecord, Counts, RunRecord, SuiteRecord, SystemRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import SETS, THREE_WAY
from nliprobe.task.pair import Facet

SHARDS, SHARD = 31, 32_768
REPEATS = 9
SYSTEMS = ("one", "other")
# For each run: a word that nearly every case holds, one of a few cases, two words that follow one another in many.
WORDS = {"tables": ("the", "grammy", '"is a"'), "texts": ("a", "omelette", '"a man"')}


def main(folder: Path | None = None, *, small: bool = False) -> None:
    in_folder("browse", folder, partial(measure, small=small))


def measure(folder: Path, root: Path, *, small: bool) -> None:
    if small:
        folder /= "small"
    folder.mkdir(parents=True, exist_ok=True)
    env = {"NLIPROBE_CACHE": str(folder / "cache"), "NLIPROBE_DATA": str(root)}
    os.environ["NLIPROBE_CACHE"] = env["NLIPROBE_CACHE"]
    make_tables(folder / "tables", env, SPLITS[1:2] if small else SPLITS)
    make_texts(folder / "texts", root, 1 if small else SHARDS)
    result = {name: measure_run(folder / name, env) for name in WORDS}
    if small:
        print(json.dumps(result, indent=1))
        return
    must = {
        "build": {"seconds": 180, "peak_mb": 500},
        "each_query_ms": 300,
        "queries_peak_mb": 500,
        "http": {"each_page_ms": 300, "server_peak_mb": 500},
    }
    report("browse", {**result, "must": must})


def measure_run(run: Path, env: dict[str, str]) -> dict[str, object]:
    index = index_file(run)
    index.unlink(missing_ok=True)
    built = run_process([sys.executable, "-m", "nliprobe.analysis.browse", str(run)], env)
    # Queries are asked in a process of their own, so that its memory is theirs.
    asked = subprocess.run(
        [sys.executable, __file__, "--ask", str(run)], env={**os.environ, **env}, capture_output=True, check=True
    )
    found = json.loads(asked.stdout)
    rmtree(Path(env["NLIPROBE_CACHE"]) / "verdicts", ignore_errors=True)
    apart = subprocess.run(
        [sys.executable, __file__, "--apart", str(run)], env={**os.environ, **env}, stdout=subprocess.PIPE, check=True
    )
    places = found.pop("places")
    # The server has to compute what the run shows, as for a run that is opened for the first time.
    rmtree(Path(env["NLIPROBE_CACHE"]) / "verdicts", ignore_errors=True)
    over_http = measure_http(run, in_addresses(run.name, **places), places["middle"], env)
    return {
        "build": {
            "seconds": round(built.seconds, 1),
            "cpu_seconds": round(built.cpu_seconds, 1),
            "peak_mb": round(built.peak_mb),
        },
        "index_mb": round(index.stat().st_size / 1e6),
        "run_mb": round(sum(path.stat().st_size for path in run.rglob("*") if path.is_file()) / 1e6),
        **found,
        "apart": json.loads(apart.stdout),
        "http": {**over_http, "ratio": ratios(found["read_everything_ms"], over_http["pages"])},
    }


def measure_apart(path: Path) -> dict[str, dict[str, float]]:
    """Measure what a server lets another process read; memory only grows, so the largest comes last."""
    from nliprobe.studio.read.apart import Apart

    apart, measured = Apart(), dict[str, dict[str, float]]()
    calls: dict[str, Callable[[], object]] = {
        "verdict": lambda: apart.verdicts(path),
        "comparison": lambda: apart.comparison(path, *SYSTEMS),
        "report": lambda: apart.report(path),
    }
    for name, call in calls.items():
        begun = time.perf_counter()
        call()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        measured[name] = {"seconds": round(time.perf_counter() - begun, 1), "peak_mb": round(peak)}
    return measured


def in_addresses(name: str, probe: str, middle: str) -> dict[str, dict[str, str]]:
    """The conditions of pages as addresses have them: most of those of :func:`ask`."""
    everywhere, rare, phrase = WORDS[name]
    return {
        "first_page": {},
        "page_in_the_middle": {"after": middle},
        "filter_by_probe": {"probe": probe},
        "filter_by_outcome": {"by_gold": "broken"},
        "filter_systems_disagree": {"differ": "1"},
        "search_a_frequent_word": {"q": everywhere},
        "search_a_rare_word": {"q": rare},
        "search_a_phrase": {"q": phrase},
        "filter_and_search": {"q": everywhere, "differ": "1", "probe": probe},
    }


def ratios(naive: dict[str, float], pages: dict[str, dict[str, float]]) -> dict[str, float]:
    """How many times as long it takes to read everything, without a server and without a page."""
    return {name: round(value / pages[name]["median_ms"], 1) for name, value in naive.items()}


def ask(path: Path) -> dict[str, object]:
    """Measure queries, each with its page and all counts, as a web page asks for them; then read everything instead."""
    run, browsers = RunFolder.open(path), OpenBrowsers()
    probe = run.read("cases", ["probe"])["probe"].unique(maintain_order=True)[-1]
    everywhere, rare, phrase = WORDS[path.name]
    start = time.perf_counter()
    with ExitStack() as stack:
        browser = browsers.open(stack, path)
        loading = time.perf_counter() - start
        cases = len(browser)
        middle = browser.columns.ids[cases // 2].decode()
        few = few_hits(browser)
    wanted: dict[str, tuple[Wanted, str | None]] = {
        "first_page": (Wanted(), None),
        "page_in_the_middle": (Wanted(), middle),
        "filter_by_probe": (Wanted(probe=probe), None),
        "filter_by_outcome": (Wanted(outcomes=(WantedOutcome("", "gold", "broken"),)), None),
        "filter_systems_disagree": (Wanted(disagree=True), None),
        "filter_with_few_hits": (few, None),
        "search_a_frequent_word": (Wanted(search=everywhere), None),
        "search_a_rare_word": (Wanted(search=rare), None),
        "search_a_phrase": (Wanted(search=phrase), None),
        "search_the_start_of_an_id": (Wanted(search=middle[:10]), None),
        "filter_and_search": (Wanted(search=everywhere, disagree=True, probe=probe), None),
    }

    def query(which: Wanted, after: str | None) -> int:
        with ExitStack() as stack:
            browser = browsers.open(stack, path)
            page = browser.page(which, after=after)
            browser.counts(which)
            return page.total

    times: dict[str, dict[str, float]] = {}
    for name, (which, after) in wanted.items():
        taken = [timed(partial(query, which, after)) for _ in range(REPEATS)]
        times[name] = {
            "median_ms": round(1e3 * statistics.median(item.seconds for item in taken), 1),
            "worst_ms": round(1e3 * max(item.seconds for item in taken), 1),
            "cpu_ms": round(1e3 * statistics.median(item.cpu_seconds for item in taken), 1),
            "cases": taken[0].result,
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    naive = {
        "filter_by_probe": [timed(partial(naive_filter, run, probe)) for _ in range(3)],
        "search_a_rare_word": [timed(partial(naive_search, run, rare)) for _ in range(3)],
    }
    wall = {name: 1e3 * statistics.median(item.seconds for item in items) for name, items in naive.items()}
    cpu = {name: 1e3 * statistics.median(item.cpu_seconds for item in items) for name, items in naive.items()}
    return {
        "places": {"probe": probe, "middle": middle},
        "cases": cases,
        "texts": browser.columns.texts,
        "loading_ms": round(1e3 * loading),
        "queries_peak_mb": round(peak),
        "queries": times,
        "read_everything_ms": {name: round(value) for name, value in wall.items()},
        "read_everything_cpu_ms": {name: round(value) for name, value in cpu.items()},
        "ratio": {name: round(value / times[name]["median_ms"], 1) for name, value in wall.items()},
        "cpu_ratio": {name: round(value / times[name]["cpu_ms"], 1) for name, value in cpu.items()},
    }


def few_hits(browser: Browser) -> Wanted:
    """A filter by a facet with the fewest cases, and the answer of a system."""
    facets = browser.counts(Wanted()).facets
    if not facets:
        return Wanted(answers=(WantedAnswer(SYSTEMS[1], "none"),))
    name, values = min(facets.items(), key=lambda item: min(item[1].values()))
    return Wanted(facets=(Facet(name, min(values, key=values.__getitem__)),), answers=(WantedAnswer("one", "E"),))


class Timed(NamedTuple):
    """A result, and the time it took by the clock and by the processor; the clock also counts what others do."""

    seconds: float
    cpu_seconds: float
    result: int


def timed(work: Callable[[], int]) -> Timed:
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return Timed(time.perf_counter() - start, time.process_time() - cpu, result)


def naive_filter(run: RunFolder, probe: str) -> int:
    """Count by reading all cases and answers: a page, and what the first system answered."""
    cases = run.read("cases", ["case_id", "pair_id", "corpus", "probe", "gold"]).filter(pl.col("probe") == probe)
    answers = run.predictions(SYSTEMS[0], ["case_id", "label"])
    counts = cases.join(answers, on="case_id", how="left")["label"].value_counts()
    return int(counts["count"].sum())


def naive_search(run: RunFolder, word: str) -> int:
    """Search the texts of all pairs, then choose their cases."""
    pattern = rf"(?i)\b{word}\b"
    pairs = run.read("pairs", ["pair_id", "premise", "hypothesis"])
    found = pairs.filter(pl.col("premise").str.contains(pattern) | pl.col("hypothesis").str.contains(pattern))
    return run.read("cases", ["case_id", "pair_id"]).join(found, on="pair_id", how="semi").height


def make_tables(path: Path, env: dict[str, str], splits: tuple[str, ...]) -> None:
    """Edit InfoTabS; both systems answer at random. A run that is complete costs nothing."""
    model = path.parent / "answers.py"
    model.write_text(MODEL, encoding="utf-8")
    systems = [f"python:{model}:{name}?name={name}&{LABELS}&represent=para" for name in SYSTEMS]
    run_process(
        nliprobe(
            *("run", "--quiet", "--no-doctor"),
            *(word for system in systems for word in ("--system", system)),
            *("--on", ",".join(f"infotabs/{split}" for split in splits), "--probes", PROBES, "--out", str(path)),
        ),
        env,
    )


def make_texts(path: Path, root: Path, shards: int) -> None:
    """Write a run of pairs of texts: premises of SNLI, and two hypotheses of it joined, each another one."""
    if path.exists():
        return
    read = pl.read_ndjson(root / "snli" / "snli_1.0_train_100k.jsonl.gz")
    suite = SuiteRecord("bench", 0, (CorpusRecord("snli/joined", "d", THREE_WAY),), ())
    systems = [SystemRecord(name, name, name, name) for name in SYSTEMS]
    run = RunFolder.create(path, RunRecord("0", "3", "2024-01-01T00:00:00+00:00", suite, SHARD), systems)
    draws = np.random.default_rng(0)
    labels = [str(item) for item in SETS if len(item) == 1]
    for number in range(shards):
        place = np.arange(number * SHARD, (number + 1) * SHARD)
        one, two = place % len(read), (place + 1 + place // len(read)) % len(read)
        frame = pl.DataFrame({"place": place}).select(
            pair_id=pl.format("snli/joined/{}", "place"),
            case_id=pl.Series([digest_text(str(item)) for item in place]),
            corpus=pl.lit("snli/joined"),
            kind=pl.lit("text"),
            premise=read["sentence1"].gather(one),
            hypothesis=read["sentence2"].gather(one) + " " + read["sentence2"].gather(two),
            gold=pl.Series(draws.choice(labels, SHARD)),
            group=read["pairID"].gather(one).str.split("#").list.first(),
            probe=pl.lit("gold"),
            bases=pl.lit([], dtype=pl.List(pl.String)),
            certainty=pl.lit("certain"),
            name=pl.lit("words"),
            value=read["sentence1"].gather(one).str.count_matches(" ").cast(pl.String),
        )
        facets = frame.with_columns(case_id=pl.lit(None, dtype=pl.String))
        for kind, rows in (("pairs", frame), ("facets", facets), ("cases", frame)):
            run.write(kind, number, in_form(kind, rows))
        for system in systems:
            answers = frame.select("case_id", input_id="case_id", label=pl.Series(draws.choice(labels, SHARD)))
            answers = answers.with_columns(status=pl.lit("ok"))
            run.write(system.predictions, number, in_form("predictions", answers))
    run.settle(Counts(shards * SHARD, shards * SHARD, shards), [])
    for system in systems:
        run.finish(system, "2024-01-01T01:00:00+00:00")


def in_form(kind: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of a kind of shard; those that are not given are empty."""
    columns = schema(kind)
    empty = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in columns.items() if name not in rows.columns]
    return rows.with_columns(empty).select(pl.col(name).cast(dtype) for name, dtype in columns.items())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        print(json.dumps(ask(Path(sys.argv[2]))))
    elif sys.argv[1:2] == ["--apart"]:
        print(json.dumps(measure_apart(Path(sys.argv[2]))))
    else:
        words = argparse.ArgumentParser(description=__doc__)
        words.add_argument("folder", nargs="?", type=Path)
        words.add_argument("--small", action="store_true")
        given = words.parse_args()
        main(given.folder and given.folder.resolve(), small=given.small)
