"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import inference
import overlap
import perturbations
import ray_engine
import report
import rerun
import rows
import run_access
import scale
import small
import startup
import stress
import tables
import templates
import training
import wmd

for benchmark in (
    startup,
    cases,
    rows,
    templates,
    tables,
    wmd,
    inference,
    overlap,
    perturbations,
    ray_engine,
    rerun,
    run_access,
    scale,
    report,
    stress,
    small,
    training,
):
    benchmark.main()
