"""A small run to export, and the switch that turns a skip into a failure."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

import nliprobe

# Cells that a spreadsheet would run, that a template would fill in, that a page would run.
HOSTILE = ("=HYPERLINK(1)", "{{ premise }} {% raw %}", "<script>alert(1)</script>", 'a\nb,"c"\t\'', "\u202eRTL\u200b")


def need(*modules: str) -> None:
    """Skip a test where a program is not installed; ``make test-exchange`` installs all, and a skip is a failure."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing and os.environ.get("NLIPROBE_NO_SKIPS"):
        pytest.fail(f"{', '.join(missing)} should be installed here")
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: make test-exchange")


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exchange")
    labels = ("entailment", "neutral", "contradiction")
    own = [
        {"id": f"h{place}", "premise": f"{text} is here.", "hypothesis": text, "label": labels[place % 3]}
        for place, text in enumerate(HOSTILE)
    ]
    before = os.environ.get("NLIPROBE_CACHE")
    os.environ["NLIPROBE_CACHE"] = str(folder / "cache")
    try:
        nliprobe.run(
            ["small", "small?premise=none&name=blind"],
            ["builtin/sentences-dev", own],
            probes=["swap", "inv.surface", "dir.append"],
            out=folder / "run",
            doctor=False,
        )
    finally:
        if before is None:
            del os.environ["NLIPROBE_CACHE"]
        else:
            os.environ["NLIPROBE_CACHE"] = before
    return folder / "run"
