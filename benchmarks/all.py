"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import report
import rerun
import startup

for benchmark in (startup, cases, rerun, report):
    benchmark.main()
