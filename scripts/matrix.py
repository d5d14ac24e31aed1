"""Runs the tests with every supported Python that this machine has, each in an environment of its own.

A Python that is not installed is named and skipped; a run without any of them fails. Options behind -- go to pytest.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")


def output_of(*command: str) -> str:
    """Return what a command prints, or nothing where it is not here or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def interpreter(python: str) -> str:
    """Return the command of this Python, or nothing: a shim may stand where nothing is behind it, so it is started."""
    root = output_of("pyenv", "root")
    installed = sorted(Path(root).glob(f"versions/{python}.*/bin/python")) if root else []
    for command in (f"python{python}", *map(str, installed)):
        if output_of(command, "-c", "import sys; print('%d.%d' % sys.version_info[:2])") == python:
            return command
    return ""


def passes(command: str, venv: Path, options: list[str]) -> bool:
    """Install into an environment of this Python and run the tests there; return whether they passed."""
    inside = str(venv / "bin" / "python")
    pip = [inside, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "-c", "constraints.txt"]
    steps = [
        [command, "-m", "venv", str(venv)],
        [*pip, "-e", ".[test]"],
        [inside, "-m", "pytest", "-n", "2", "--dist", "worksteal", *options],
    ]
    return all(subprocess.run(step, cwd=ROOT).returncode == 0 for step in steps)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="the environments are VENV-3.11 and so on")
    parser.add_argument("options", nargs="*", help="options of pytest, behind --")
    given = parser.parse_args()
    verdicts: dict[str, str] = {}
    for python in PYTHONS:
        command = interpreter(python)
        if not command:
            verdicts[python] = "skipped: not installed"
            continue
        venv = given.venv.with_name(f"{given.venv.name}-{python}")
        verdicts[python] = "passed" if passes(command, venv, given.options) else "failed"
    for python, verdict in verdicts.items():
        print(f"Python {python}: {verdict}")
    passed = list(verdicts.values()).count("passed")
    return 0 if passed and "failed" not in verdicts.values() else 1


if __name__ == "__main__":
    sys.exit(main())
