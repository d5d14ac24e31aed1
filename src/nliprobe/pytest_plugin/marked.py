"""The run that a mark describes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from nliprobe.base.errors import NliprobeError, UsageError, did_you_mean
from nliprobe.base.visible import visible
from nliprobe.pytest_plugin.runs import make_run

if TYPE_CHECKING:
    from nliprobe.api.results import Run

# What a mark may say, by the names of nliprobe.run; a single system is called system, as on the command line.
_PLACES = ("system", "on", "probes")
_OPTIONS = ("train", "represent", "premise", "train_premise", "labels", "root", "seed", "doctor", "out")


def marked_run(request: pytest.FixtureRequest) -> Run:
    """Make the run that the nearest mark of a test describes; what is wrong with it fails the test in a sentence."""
    mark = request.node.get_closest_marker("nliprobe")
    if mark is None:
        example = "@pytest.mark.nliprobe(system='small', on='builtin/sentences-dev')"
        raise pytest.fail.Exception(f"nliprobe_run needs a mark: {example}", pytrace=False)
    try:
        options = _read(mark)
        out = options.pop("out", None)
        key = _key(options, out, request.node.nodeid)
        made = make_run(request.config, key, options, None if out is None else Path(str(out)).resolve())
    except NliprobeError as error:
        message = visible(f"The run of the mark nliprobe could not be made. {error}")
        raise pytest.fail.Exception(message, pytrace=False) from None
    if made.said:
        request.node.add_report_section("setup", "nliprobe", visible("\n".join(made.said)))
    return made.run


def _read(mark: pytest.Mark) -> dict[str, object]:
    """Return what a mark says as options of :func:`nliprobe.run`."""
    if len(mark.args) > len(_PLACES):
        raise UsageError(f"The mark takes at most {', '.join(_PLACES)} without names, not {len(mark.args)} values.")
    given: dict[str, object] = dict(zip(_PLACES, mark.args, strict=False))
    for name, value in mark.kwargs.items():
        known = "system" if name == "systems" else name
        if known not in (*_PLACES, *_OPTIONS):
            raise UsageError(f"The mark has no option '{name}'. {did_you_mean(name, (*_PLACES, *_OPTIONS))}")
        if known in given:
            raise UsageError(f"The mark says '{known}' twice.")
        given[known] = value
    for name in ("system", "on"):
        if name not in given:
            raise UsageError(f"The mark does not say '{name}'.")
    given["systems"] = given.pop("system")
    return given


def _key(options: Mapping[str, object], out: object, test: str) -> str:
    """Return a key that is the same in every process; what has no lasting name is for one test in one process."""
    try:
        said = json.dumps([options, out], sort_keys=True, default=_lasting)
    except TypeError:
        return f"{test} in process {os.getpid()}"
    return f"{Path.cwd()}\n{said}"


def _lasting(item: object) -> str:
    if isinstance(item, Path):
        return str(item)
    if not isinstance(item, FunctionType | type) or "<" in item.__qualname__:
        raise TypeError(f"{item!r} has no name of its own")
    return f"{item.__module__}:{item.__qualname__}"
