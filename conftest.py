"""What pytest must know before it looks into any folder."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

_NEEDS_TORCH = re.compile(r"^(?:import|from) torch\b", re.MULTILINE)
# Code that exported tasks carry with them: it belongs to the folder of an export, and imports its neighbours there.
_CARRIED = "carried"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out doctests of modules that are made of torch where there is none; no other import may fail."""
    if collection_path.parent.name == _CARRIED and collection_path.name == "inspect_suite.py":
        return True
    if find_spec("torch") is not None or collection_path.suffix != ".py" or "src" not in collection_path.parts:
        return None
    return True if _NEEDS_TORCH.search(collection_path.read_text(encoding="utf-8")) else None
