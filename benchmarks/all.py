"""Runs every benchmark; each prints its result and writes it to ``benchmarks/results``."""

from __future__ import annotations

import cases
import rerun
import startup

for benchmark in (startup, cases, rerun):
    benchmark.main()
