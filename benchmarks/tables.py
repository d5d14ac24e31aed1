"""Executable hypotheses a second on one core, against a loop that parses, reads and executes anew for every case.

The loop does what a script does: for each case it makes a table, parses and compiles the template's program and slots,
fills them in, writes the closed program, parses it again and executes it, and keeps nothing between cases.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import median_of, nliprobe, report, run_process
from nliprobe.task.program import parse_program
from nliprobe.templates.tables.draw import Fictional
from nliprobe.templates.tables.execute import compile_program, label_of, named_rows
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted
from nliprobe.templates.tables.pairs import PairMaker
from nliprobe.templates.tables.plan import make_plan
from nliprobe.templates.tables.readings import kept_reading

N = 100_000
NAIVE = 1_000
REPEATS = 3
SEED = 7


def generated() -> int:
    templates = load_tables().templates
    suite = Suite(plan_suite(templates, templates), Fictional(SEED), SEED, wanted(templates, None, N))
    return sum(1 for _ in suite.pairs())


def one_by_one() -> int:
    templates = load_tables().templates
    done = number = 0
    while done < NAIVE:
        template = templates[number % len(templates)]
        kept_reading.cache_clear()
        plan = make_plan(template)
        world = Fictional(SEED)
        table = world._made(template.schema, number)
        world._blocks[template.schema.name] = (number // 64, [table])
        maker = PairMaker(world, SEED)
        for _, pairs in maker.taken(plan, table, 1, dict.fromkeys("ENC", 1), set()):
            assert pairs[0].program is not None
            program = compile_program(parse_program.__wrapped__(pairs[0].program))
            rows, _ = named_rows(program.keys, table.shown)
            assert label_of(program.run((table.title, *rows))) == str(pairs[0].gold)
            done += 1
        number += 1
    return done


def main() -> None:
    assert generated() == N  # and everything is loaded
    cpu = time.process_time()
    generated()
    cpu = time.process_time() - cpu
    ours, naive = median_of(generated, REPEATS), median_of(one_by_one, REPEATS)
    with TemporaryDirectory() as folder:
        words = (
            "generate",
            "tables",
            "--total",
            str(N),
            "--seed",
            str(SEED),
            "-o",
            str(Path(folder) / "suite.parquet"),
        )
        whole = run_process(nliprobe(*words))
    report(
        "tables",
        {
            "cases": N,
            "ours_per_second": N / ours,
            "ours_per_second_of_cpu": N / cpu,
            "one_by_one_per_second": NAIVE / naive,
            "ratio": (naive / NAIVE) / (ours / N),
            "whole_suite_seconds": whole.seconds,
            "whole_suite_peak_mb": whole.peak_mb,
            "must": {"ours_per_second": 20_000},
        },
    )


if __name__ == "__main__":
    main()
