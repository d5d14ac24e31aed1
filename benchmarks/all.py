"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import browse
import cases
import chat
import engine
import explain
import inference
import million
import onnx_graphs
import overlap
import people_store
import perturbations
import ray_engine
import report
import rerun
import rows
import run_access
import scale
import services
import small
import startup
import stress
import studio
import tables
import templates
import tokens
import training
import wmd

for benchmark in (
    startup,
    cases,
    chat,
    rows,
    templates,
    tables,
    wmd,
    engine,
    inference,
    tokens,
    onnx_graphs,
    overlap,
    people_store,
    perturbations,
    ray_engine,
    rerun,
    run_access,
    browse,
    scale,
    report,
    million,
    explain,
    services,
    stress,
    studio,
    small,
    training,
):
    benchmark.main()
