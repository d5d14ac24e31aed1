"""Writes constraints.txt, the versions that make installs: resolved once, on the oldest Python, for all of them.

A version that the oldest Python can use has wheels for the newer ones too, and the second step asks the index whether
that is so. Pins already in the file stay as they are unless --upgrade is given.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "constraints.txt"
HEADER = "# Written by `make lock` from pyproject.toml and constraints.in; used by make (pip install -c).\n"
PYTHONS = ("3.11", "3.12", "3.13")
# Only the build of torch for CPUs is wanted, and it is not offered for every Python. The others, lime and what lm-eval
# needs, are plain Python and have no wheel.
WITHOUT_WHEEL_CHECK = frozenset({"torch", "lime", "rouge-score", "sqlitedict", "word2number"})
# What pip brings itself must not be pinned to the version of one day.
INSTALLERS = frozenset({"pip", "setuptools", "wheel"})
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s+]+)\S*(.*)$")


def compile_lock(target: Path, *, upgrade: bool) -> None:
    """Resolve every extra of the project into the file, starting from what it holds already."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    command = [sys.executable, "-m", "piptools", "compile", "--quiet", "--strip-extras", "--annotation-style=line"]
    command += ["--no-header", "--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host"]
    command += ["--constraint=constraints.in", f"--output-file={target}", "--upgrade" if upgrade else "--no-upgrade"]
    # The extra "all" names this project, and a lock of a project does not hold the project.
    command += [f"--extra={name}" for name in extras if name != "all"]
    subprocess.run([*command, "pyproject.toml"], cwd=ROOT, check=True)


def pins(text: str) -> list[str]:
    """Return the lines that pin a package, without the local part of a version (a build of one machine).

    >>> pins("torch==2.13.0+cpu   # via nliprobe\\nsetuptools==84.2.1\\n# a comment")
    ['torch==2.13.0   # via nliprobe']
    """
    matches = [match for line in text.splitlines() if (match := _PIN.match(line))]
    return [f"{match[1]}=={match[2]}{match[3]}" for match in matches if match[1] not in INSTALLERS]


def missing_wheels(python: str, lines: list[str]) -> str:
    """Return what pip says when the index lacks a wheel of some pin for this version of Python, or nothing."""
    wanted = [line.split("#")[0].strip() for line in lines if line.split("==")[0] not in WITHOUT_WHEEL_CHECK]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--dry-run", "--quiet"]
        command += ["--no-deps", "--only-binary=:all:", f"--python-version={python}", f"--target={folder}"]
        done = subprocess.run([*command, *wanted], cwd=ROOT, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions instead of the present pins")
    options = parser.parse_args()
    oldest = PYTHONS[0]
    if sys.version_info[:2] != tuple(int(part) for part in oldest.split(".")):
        print(f"The lock is made with Python {oldest}, the oldest supported: make lock PYTHON=python{oldest} VENV=…")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "constraints.txt"
        if LOCK.exists():
            target.write_text(LOCK.read_text(encoding="utf-8"), encoding="utf-8")
        compile_lock(target, upgrade=options.upgrade)
        lines = pins(target.read_text(encoding="utf-8"))
    for python in PYTHONS:
        if problem := missing_wheels(python, lines):
            print(f"Not every pin has a wheel for Python {python}:\n{problem}")
            return 1
    LOCK.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} pins, each with a wheel for Python {', '.join(PYTHONS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
