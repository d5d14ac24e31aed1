"""pytest in a process of its own, inside a folder.

Not by the fixture pytester: at its end it forgets modules that were imported meanwhile, and Polars does not survive it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.cli.helpers import Forked

import nliprobe

# Where the package is installed with its entry point, pytest finds the plugin by itself.
INSTALLED = any(point.name == "nliprobe" for point in entry_points(group="pytest11"))
PLUGIN = ["-p", "nliprobe.pytest_plugin"]
QUIET = ["-p", "no:cacheprovider", "-p", "no:randomly"]


@dataclass(frozen=True)
class Result:
    """What an inner pytest printed."""

    text: str

    @property
    def stdout(self) -> pytest.LineMatcher:
        return pytest.LineMatcher(self.text.splitlines())

    def assert_outcomes(self, **wanted: int) -> None:
        summary = self.text.splitlines()[-1]
        found = {word.rstrip("s") if "error" in word else word: int(n) for n, word in _OUTCOME.findall(summary)}
        assert found == {word: n for word, n in wanted.items() if n}, self.text[-3000:]


_OUTCOME = re.compile(r"(\d+) (passed|failed|errors?)")


@dataclass(frozen=True)
class Inner:
    """A folder with tests."""

    path: Path

    def run(self, *words: str, found: bool = False) -> Result:
        """Run pytest.

        Args:
            words: the command line.
            found: whether pytest finds plugins by itself; a second of each start is those that are not needed.
        """
        # An ini file of its own, so that no file of this project is found above.
        (self.path / "pytest.ini").write_text("[pytest]\n")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        if not found:
            environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
            with Forked([*PLUGIN, *QUIET, *words], self.path, environment, module="pytest") as process:
                process.wait(300)
                return Result(process.said() + process.complained())
        environment["PYTHONPATH"] = str(Path(nliprobe.__file__).parents[1])
        plugin = [] if INSTALLED else PLUGIN
        command = [sys.executable, "-m", "pytest", *plugin, *QUIET, *words]
        done = subprocess.run(
            command, cwd=self.path, env=environment, capture_output=True, text=True, timeout=300, encoding="utf-8"
        )
        return Result(done.stdout + done.stderr)
