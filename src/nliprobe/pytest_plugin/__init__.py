"""The pytest plugin: contracts as test items, and runs as a fixture.

pytest loads this module at every start, so it imports nothing but pytest until a contract or a mark is met.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from nliprobe.api.results import Run
    from nliprobe.pytest_plugin.contract_items import ContractFile

SUFFIXES = (".nliprobe.yaml", ".nliprobe.yml")
CASES = "nliprobe_cases"
MARK = (
    "nliprobe(system, on, probes=['gold'], …): the run that the fixture nliprobe_run makes; options as of nliprobe.run"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    parser.getgroup("nliprobe").addoption(
        "--nliprobe-cases", dest=CASES, type=int, default=3, metavar="N",
        help="how many failing cases a failed check of a contract shows (default: 3)",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    config.addinivalue_line("markers", MARK)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ContractFile | None:
    """Take files that end in .nliprobe.yaml as contracts."""
    if not file_path.name.endswith(SUFFIXES):
        return None
    from nliprobe.pytest_plugin.contract_items import ContractFile

    return ContractFile.from_parent(parent, path=file_path)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell every worker of pytest-xdist which folder they share."""
    from nliprobe.pytest_plugin.shared import WORKER_KEY, shared_folder

    node.workerinput[WORKER_KEY] = str(shared_folder(node.config))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the runs of this session; those with a folder of their own stay."""
    shared = sys.modules.get(f"{__name__}.shared")
    if shared is not None:
        shared.remove_shared(config)


@pytest.fixture
def nliprobe_run(request: pytest.FixtureRequest) -> Run:
    """Make the run that the mark ``nliprobe`` of the test describes, once per session, and return it."""
    from nliprobe.pytest_plugin.marked import marked_run

    return marked_run(request)
