"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import inference
import report
import rerun
import run_access
import startup
import templates
import wmd

for benchmark in (startup, cases, templates, wmd, inference, rerun, run_access, report):
    benchmark.main()
