"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import inference
import report
import rerun
import startup
import wmd

for benchmark in (startup, cases, wmd, inference, rerun, report):
    benchmark.main()
