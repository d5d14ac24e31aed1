"""A process that has imported what most verbs import, and forks itself for every command it is told to run.

A command is still a process of its own, with its own folder, environment, streams and exit code. It only does not wait
half a second for imports, of which the tests would otherwise do hundreds. It is told one command per line, as JSON, and
writes back a line with the number of the process, and one with its exit code when it has ended.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys
import traceback

# Loaded before the first command; none of them starts a thread that a fork would lose.
PRELOADED = (
    "polars", "numpy", "click", "jinja2", "yaml", "rich.console", "rich.progress", "rich.table", "nliprobe.cli.main",
    "nliprobe.api.face", "nliprobe.api.run", "nliprobe.engine.local", "nliprobe.analysis.summary",
    "nliprobe.models.small", "nliprobe.models.svm", "nliprobe.probes.rows_delete", "nliprobe.report.console",
    "nliprobe.report.html",
)  # fmt: skip


def serve() -> None:
    """Run commands until there are no more."""
    for name in PRELOADED:
        __import__(name)
    for line in sys.stdin:
        told = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(_run(told))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(told: dict[str, object]) -> int:
    """Become the command: as ``python -m nliprobe`` would start."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(str(told[name]), os.O_WRONLY | os.O_TRUNC), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    environment = told["env"]
    assert isinstance(environment, dict)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(str(told["cwd"]))
    sys.path[0] = str(told["cwd"])
    words = told["words"]
    assert isinstance(words, list)
    sys.argv = ["nliprobe", *words]
    code = 0
    try:
        runpy.run_module("nliprobe", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    serve()
