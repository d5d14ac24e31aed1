"""Nothing can be asked for that no flow passes, and nothing is called a flow that is none."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tests.studio.flows.flow import every_address, passes


def test_every_address_of_the_studio_is_passed_by_a_flow() -> None:
    passed: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path == Path(__file__):
            continue
        specification = importlib.util.spec_from_file_location(path.stem, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        passed |= {address for test in vars(module).values() for address in passes(test)}
    assert passed == every_address()
