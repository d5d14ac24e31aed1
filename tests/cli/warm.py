"""A process that has imported what most verbs import, and forks itself for every command it is told to run.

A command is ``nliprobe``, or another module that is run in the same way, such as pytest.

A command is still a process of its own, with its own folder, environment, streams and exit code. It only does not wait
half a second for imports, of which the tests would otherwise do hundreds. It is told one command per line, as JSON, and
writes back a line with the number of the process, and one with its exit code when it has ended.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

# Loaded before the first command; none of them starts a thread that a fork would lose.
PRELOADED = (
    "polars", "numpy", "numpy.ma", "click", "jinja2", "yaml", "rich.console", "rich.progress", "rich.table",
    "safetensors.numpy", "nliprobe.cli.main", "nliprobe.api.face", "nliprobe.api.run", "nliprobe.engine.local",
    "nliprobe.analysis.summary", "nliprobe.analysis.compare.systems", "nliprobe.models.small", "nliprobe.models.svm",
    "nliprobe.probes.rows_delete", "nliprobe.report.console", "nliprobe.report.html", "nliprobe.stats.classification",
    "nliprobe.stats.paired",
)  # fmt: skip
# Loaded before the first command with such a word in it: each takes longer than most commands, and not every process
# of tests has a command that needs it.
LATER = {
    "svm": ("scipy.sparse", "sklearn.svm"),
    "demo": ("scipy.sparse", "sklearn.svm"),
    "annotate": ("sqlalchemy", "sqlalchemy.dialects.sqlite", "nliprobe.people.store.database"),
    "hypothesis": ("nliprobe.probes.hypothesis_number", "nliprobe.probes.hypothesis_modifier"),
    "counterfactual": ("nliprobe.probes.counterfactual_flip", "nliprobe.probes.counterfactual_relocate"),
    "probes": ("nliprobe.probes.rows_insert", "nliprobe.probes.rows_update"),
}


def serve() -> None:
    """Run commands until there are no more."""
    _load(PRELOADED)
    from nliprobe.cli.main import VERBS

    for line in sys.stdin:
        told = json.loads(line)
        if told["module"] == "pytest":
            _load(["pytest", *(f"_pytest.{name}" for name in _plugins_of_pytest())])
        else:
            _load([f"nliprobe.cli.{word}" for word in told["words"][:1] if word in VERBS])
        for part, names in LATER.items():
            if any(part in word for word in told["words"]):
                _load(names)
        _read_ahead(told["words"])
        child = os.fork()
        if child == 0:
            os._exit(_run(told))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _load(names: Sequence[str]) -> None:
    for name in names:
        if name not in sys.modules:
            with suppress(ImportError):  # the command says what is missing
                __import__(name)
            # What is here stays: no command looks through it for garbage, which would also copy the memory it is in.
            gc.freeze()


def _plugins_of_pytest() -> Sequence[str]:
    from _pytest.config import default_plugins

    return default_plugins


def _read_ahead(words: Sequence[str]) -> None:
    """Compile the templates of pages, and read those of the checklist, before the first command that needs them."""
    if any(word == "report" or word.endswith(".html") for word in words):
        from nliprobe.report.pages import page_environment

        pages = page_environment()
        for name in pages.list_templates(extensions=["html"]):
            pages.get_template(name)
        gc.freeze()
    if any("checklist" in word for word in words):
        from nliprobe.templates.library import load_core, load_files

        load_files()
        load_core()
        gc.freeze()


def _run(told: dict[str, object]) -> int:
    """Become the command: as ``python -m`` would start."""
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
    more = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.path[:1] = [str(told["cwd"]), *(folder for folder in more if folder not in sys.path)]
    words = told["words"]
    assert isinstance(words, list)
    module = str(told["module"])
    sys.argv = [module, *words]
    code = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
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
