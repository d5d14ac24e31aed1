"""Explanations that were made before, kept by the system's fingerprint and by everything that decides them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

from nliprobe.base.errors import StoreError
from nliprobe.base.files import cache_folder, read_sealed, set_aside, write_sealed
from nliprobe.base.hashing import digest
from nliprobe.explain.lime import LimeOptions, explain
from nliprobe.models.system import System
from nliprobe.task.explanation import VERSION, Explanation
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

_CONTENT = "explanation"


def kept_explanation(
    system: System,
    pair: Pair,
    options: LimeOptions,
    prepare: Callable[[System], None],
    progress: Callable[[int], None] = lambda count: None,
) -> Explanation:
    """Return an explanation that was made before, or make and keep it; its masks are not kept.

    Args:
        system: whom to explain.
        pair: what it is asked.
        options: how much is asked.
        prepare: trains or loads its model; called only if the explanation must be made.
        progress: is told how many masks were answered.
    """
    fingerprint = system.fingerprint()
    path = None
    if fingerprint is not None:
        path = cache_folder() / "explanations" / fingerprint / f"{_identity(system, pair, options)}.json"
        if path.is_file():
            try:
                # A system may have another name in another run.
                known = cast(Explanation, read_sealed(path).values[_CONTENT])
                return {**known, "system": system.name}
            except (StoreError, KeyError):
                set_aside(path)
    prepare(system)
    made = explain(system, pair, options, progress)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_sealed(path, {_CONTENT: made})
    return made


def _identity(system: System, pair: Pair, options: LimeOptions) -> str:
    premise = pair.premise.to_json() if isinstance(pair.premise, Table) else pair.premise
    evidence = pair.evidence
    marked = None if evidence is None else [list(evidence.units), evidence.grade.value]
    return digest(
        str(VERSION),
        system.reader.read_pair(pair).id,
        str(system.spec.represent),
        system.reader.representation.fingerprint(),
        premise,
        pair.hypothesis,
        json.dumps([options, pair.sentences, marked]),
    )
