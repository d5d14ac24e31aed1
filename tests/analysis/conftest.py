"""What the tests of analysis share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.analysis.runs import MakeRun, write_run


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Write runs into the test's own folder."""
    return partial(write_run, tmp_path)
