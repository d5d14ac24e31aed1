"""The failing cases of a run, as a page takes them."""

from __future__ import annotations

from nliprobe.analysis.case_columns import case_columns
from nliprobe.analysis.cases import read_run
from nliprobe.report.case_section import CaseSection, case_section
from nliprobe.store.run import RunFolder


def section_of(run: RunFolder) -> CaseSection:
    """Make the section without marks of units."""
    return case_section(case_columns(run, read_run(run)))
