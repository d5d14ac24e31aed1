"""Hypotheses per second of all probes ``hypothesis.*`` over InfoTabS, without a parser.

The naive way reads every cell of the table for every hypothesis, finds the numbers of the hypothesis and moves each by
half; it aligns nothing and knows nothing about labels. Ours reads a row when a hypothesis speaks about it, once per
table.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from measure import corpora, report
from nliprobe.api.sources import open_source
from nliprobe.base.errors import UsageError
from nliprobe.engine.local import collector_paused
from nliprobe.language.cells import Quantity, find_mentions, read_cell, write_mention
from nliprobe.probes.suite import build_probe, probe_specs
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

SPLITS = ("infotabs/dev", "infotabs/train")
KINDS = "hypothesis"
REPEATS = 3
# Each measurement runs in a process of its own, so that nothing is remembered from the one before.
SELF = __file__


def timed(work: Callable[[], int]) -> tuple[float, int]:
    start = time.process_time()
    with collector_paused():  # as the engine does while it makes a shard
        made = work()
    return time.process_time() - start, made


def ours(splits: Sequence[tuple[list[Pair], Pool]], specs: Sequence[str]) -> int:
    """Make all cases of some probes, hypothesis by hypothesis."""
    probes = [build_probe(spec) for spec in specs]
    made = 0
    for pairs, pool in splits:
        for pair in pairs:
            for probe in probes:
                for case in probe.cases(pair, pool):
                    made += isinstance(case, Case)
    return made


def naive(splits: Sequence[tuple[list[Pair], Pool]]) -> int:
    """Move each number of each labelled hypothesis by half, reading the whole table for it."""
    made = 0
    for pairs, _ in splits:
        for pair in pairs:
            if str(pair.gold) not in ("E", "C") or not isinstance(pair.premise, Table):
                continue
            cells = [read_cell(row.key, row.values) for row in pair.premise.rows]
            for mention in find_mentions(pair.hypothesis):
                if cells and isinstance(mention.value, Quantity):
                    like = pair.hypothesis[mention.start : mention.stop]
                    for factor in (2, 3):
                        try:
                            made += bool(
                                write_mention(mention.value._replace(value=mention.value.value * factor), like)
                            )
                        except UsageError:
                            continue
    return made


def loaded() -> list[tuple[list[Pair], Pool]]:
    sources = [open_source(name) for name in SPLITS]
    return [(list(source.pairs()), Pool.of(source)) for source in sources]


def measure(what: str) -> None:
    """Print processor seconds and cases of one way, for the process that asked."""
    splits = loaded()
    specs = list(probe_specs([KINDS])) if what in (KINDS, "naive") else [what]
    seconds, made = timed(lambda: naive(splits) if what == "naive" else ours(splits, specs))
    print(f"{seconds} {made} {sum(len(pairs) for pairs, _ in splits)}", file=sys.stderr)


def asked(what: str) -> tuple[float, int, int]:
    """Measure one way in processes of its own; the median of their processor seconds."""

    runs = [
        subprocess.run([sys.executable, SELF, what], capture_output=True, text=True, check=True).stderr.split()
        for _ in range(REPEATS)
    ]
    return statistics.median(float(run[0]) for run in runs), int(runs[0][1]), int(runs[0][2])


def main() -> None:
    if corpora() is None:
        print("perturbations: NLIPROBE_DATA has no corpora; skipped")
        return
    seconds, made, hypotheses = asked(KINDS)
    naive_seconds, naive_made, _ = asked("naive")
    each = {spec: asked(spec) for spec in probe_specs([KINDS])}
    report(
        "perturbations",
        {
            "hypotheses": hypotheses,
            "probes": list(each),
            "cpu_seconds": seconds,
            "cases": made,
            "hypotheses_per_second": hypotheses / seconds,
            "each_hypotheses_per_second": {spec: hypotheses / one for spec, (one, _, _) in each.items()},
            "naive_cpu_seconds": naive_seconds,
            "naive_cases": naive_made,
            "naive_hypotheses_per_second": hypotheses / naive_seconds,
            "times_faster": naive_seconds / seconds,
            "must": {"hypotheses_per_second": 10_000},
        },
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        main()
