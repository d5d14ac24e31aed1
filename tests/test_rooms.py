"""The rule of the house: each room uses only the rooms the architecture allows, and start-up stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nliprobe
from nliprobe.api._kept_suites import ROOMS

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
    "explain": GROUND | {"represent", "models", "engine", "store"},
    "report": GROUND | {"analysis"},
    "people": GROUND | {"analysis"},
    "studio": GROUND | {"analysis", "explain", "report", "people", "api"},
}
EVERYTHING = set(MAY_USE)
MAY_USE["api"] = EVERYTHING
MAY_USE["testing"] = EVERYTHING
MAY_USE["pytest_plugin"] = EVERYTHING | {"api"}
MAY_USE["papers"] = EVERYTHING | {"api"}
MAY_USE["cli"] = EVERYTHING | {"api", "papers"}


def imported_modules(path: Path) -> set[str]:
    """The modules of nliprobe that a file imports, wherever in it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {name for name in names if name.startswith("nliprobe.")}


def test_rooms_use_only_what_they_may() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT)
        if len(place.parts) == 1:
            continue
        room = place.parts[0]
        assert room in MAY_USE, f"the room {room} is not in the architecture"
        for name in sorted(imported_modules(path)):
            _, other, *inside = name.split(".")
            if other == room or other not in MAY_USE:
                continue
            if other not in MAY_USE[room]:
                wrong.append(f"{place} may not use {other}: {name}")
            if any(part.startswith("_") for part in inside):
                wrong.append(f"{place} imports what belongs to {other} alone: {name}")
    assert not wrong, "\n".join(wrong)


def test_files_stay_small() -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ROOT.rglob("*.py")}
    assert not [f"{path.relative_to(ROOT)} has {size} lines" for path, size in sizes.items() if size > 500]


@pytest.mark.parametrize(
    "statement",
    [
        "import nliprobe",
        "from nliprobe.cli.main import cli",
        "from nliprobe.corpora import CORPORA; CORPORA.names()",
        "from nliprobe.models import MODELS; MODELS.names()",
        "from nliprobe.probes import PROBES; PROBES.names()",
        "from nliprobe.represent import REPRESENTATIONS; REPRESENTATIONS.names()",
        "import nliprobe.api.run, nliprobe.engine.local, nliprobe.models.predictions",
        "from nliprobe.people.tasks import TASKS; list(TASKS)",
    ],
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    heavy = [
        "torch",
        "sklearn",
        "scipy",
        "polars",
        "pandas",
        "numpy",
        "rich",
        "asyncio",
        "starlette",
        "uvicorn",
        "sqlalchemy",
    ]
    heavy += ["itsdangerous", "nliprobe.studio"]
    check = f"import sys; {statement}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_loads_no_room() -> None:
    check = "import sys, nliprobe; print([name for name in sys.modules if name.startswith('nliprobe.')])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_kept_cases_belong_to_all_code_that_decides_them() -> None:
    assert {"corpora", "templates", "probes", "represent", "engine"} <= set(ROOMS)
    assert not {used for room in ROOMS for used in MAY_USE[room]} - set(ROOMS), "a room uses one that does not count"
