"""Compute the numbers of ``docs/results/swap-and-stress.md`` from the shipped answers and the corpora.

The page holds marked blocks, which ``python scripts/swap_results.py`` writes and a test compares. If a probe makes other
cases than those that were asked, that is an error: no old number stands as a present one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.papers.blocks import fill_page, markdown_table
from nliprobe.papers.recipes import Folders
from nliprobe.papers.swap.answers_file import BENCH, FULL, HYPOTHESIS_ONLY, NAMES, RELEASED, STRESS, find_answers
from nliprobe.papers.swap.table1 import swap_rows
from nliprobe.task.labels import NAMES as LABEL_NAMES

if TYPE_CHECKING:
    from nliprobe.analysis.stress_documents import StressEntry
    from nliprobe.analysis.swap.documents import SwapLabel
    from nliprobe.papers.probe_answers import Answers

TOPIC = "swap"
_VERDICTS = {
    "expected": "as expected",
    "warning": "warning",
    "shortcuts": "shortcuts",
    "no sign": "no sign",
    "undecided": "undecided",
    "control": "control",
}
