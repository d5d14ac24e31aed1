"""The addresses of the part *Read*; all of it is the owner's."""

from __future__ import annotations

from nliprobe.studio.calls import action, page
from nliprobe.studio.read.browsing import run_page, run_state
from nliprobe.studio.read.case import case_page
from nliprobe.studio.read.comparing import compare_page
from nliprobe.studio.read.explaining import ask_explanation, explanation_state
from nliprobe.studio.read.listing import runs_page, runs_state
from nliprobe.studio.read.reporting import report_page

ROUTES = [
    page("/", runs_page),
    page("/runs.json", runs_state),
    page("/runs/{key}", run_page),
    page("/runs/{key}/state.json", run_state),
    page("/runs/{key}/compare", compare_page),
    page("/runs/{key}/report", report_page),
    page("/runs/{key}/cases/{case}", case_page),
    page("/runs/{key}/cases/{case}/state.json", explanation_state),
    action("/runs/{key}/cases/{case}/explain", ask_explanation),
]
