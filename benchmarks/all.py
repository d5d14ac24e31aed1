"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import inference
import onnx_graphs
import overlap
import perturbations
import report
import rerun
import rows
import run_access
import small
import startup
import stress
import tables
import templates
import tokens
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
    onnx_graphs,
    tokens,
    overlap,
    perturbations,
    rerun,
    run_access,
    report,
    stress,
    small,
    training,
):
    benchmark.main()
