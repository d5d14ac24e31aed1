"""The rule of the house: each room uses only the rooms the architecture allows, and start-up stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nliprobe

ROOT = Path(nliprobe.__file__).parent
GROUND = {"base", "task", "language", "stats"}
MAY_USE: dict[str, set[str]] = {
    "base": set(),
    "task": {"base"},
    "language": {"base"},
    "stats": {"base"},
    "corpora": GROUND,
    "templates": GROUND,
    "probes": GROUND | {"templates"},
    "represent": GROUND,
    "models": GROUND | {"represent"},
    "training": GROUND | {"corpora", "represent", "models"},
    "store": GROUND,
    "engine": GROUND | {"represent", "models", "store"},
    "analysis": GROUND | {"store"},
    "explain": GROUND | {"models", "store"},
    "report": GROUND | {"analysis"},
    "people": GROUND | {"analysis"},
    "studio": GROUND | {"analysis", "explain", "report", "people"},
}
EVERYTHING = set(MAY_USE)
MAY_USE["api"] = EVERYTHING
MAY_USE["testing"] = EVERYTHING
MAY_USE["papers"] = EVERYTHING | {"api"}
MAY_USE["cli"] = EVERYTHING | {"api", "papers"}


def rooms_used(path: Path) -> set[str]:
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        used |= {name.split(".")[1] for name in names if name.startswith("nliprobe.") and name.count(".") >= 1}
    return used & set(MAY_USE)


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_room_uses_only_what_it_may(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    if len(parts) == 1:
        return
    room = parts[0]
    assert room in MAY_USE, f"the room {room} is not in the architecture"
    assert rooms_used(path) - {room} <= MAY_USE[room]


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


@pytest.mark.parametrize(
    "statement",
    [
        "import nliprobe",
        "from nliprobe.cli.main import cli",
        "from nliprobe.corpora import CORPORA; CORPORA.names()",
        "from nliprobe.models import MODELS; MODELS.names()",
        "from nliprobe.probes import PROBES; PROBES.names()",
        "from nliprobe.represent import REPRESENTATIONS; REPRESENTATIONS.names()",
        "import nliprobe.api.run, nliprobe.engine.local",
    ],
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    heavy = ["torch", "sklearn", "scipy", "polars", "pandas", "numpy", "rich"]
    check = f"import sys; {statement}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_loads_no_room() -> None:
    check = "import sys, nliprobe; print([name for name in sys.modules if name.startswith('nliprobe.')])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
