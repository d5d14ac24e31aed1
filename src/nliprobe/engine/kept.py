"""Filling a run from a kept suite, where all systems have answered all of it before.

Then nothing is generated and nothing is represented: shards are copied, and answers are looked up by the ids of what
systems would read. All is written by the same functions and in the same order as by
:func:`nliprobe.engine.local.execute`. A run folder is the same however it was filled, and one that was filled in part
can be continued either way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from nliprobe.base.interrupts import Interrupts
from nliprobe.engine import stages
from nliprobe.engine.ask import Answers, Caches, answered
from nliprobe.engine.steps import (
    Desk,
    Done,
    Progress,
    RunTally,
    Silent,
    ask_desk,
    count_done,
    desk_of,
    left_to_ask,
)
from nliprobe.models.system import System
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS
from nliprobe.store.suites import KeptSuite


def fill_from_kept(
    run: RunFolder, key: str, systems: Sequence[System], caches: Caches, progress: Progress | None = None
) -> RunTally | None:
    """Fill a run from what is kept under a key; none if it cannot be: something is not kept, or must be asked.

    Args:
        run: the run folder to fill.
        key: what decides the cases of its suite.
        systems: whom to ask.
        caches: what they have answered before.
        progress: is told how far the run is.

    Raises:
        DamagedBundleError: a kept file is damaged, and has been set aside. What was written until then is right.
    """
    readings: dict[str, str] = {}
    for system in systems:
        reading = system.reading()
        if reading is None or caches.of(system) is None:
            return None
        readings[system.name] = reading
    try:
        with KeptSuite(key, sorted(set(readings.values()))) as kept:
            return _fill(run, kept, systems, readings, caches, progress or Silent())
    except FileNotFoundError:
        return None


def _fill(
    run: RunFolder,
    kept: KeptSuite,
    systems: Sequence[System],
    readings: dict[str, str],
    caches: Caches,
    watcher: Progress,
) -> RunTally | None:
    desks = [desk_of(run, system, caches.of(system)) for system in systems]
    # Everything is looked for before anything is written: usually the first shard shows that a system is new.
    for number in range(kept.counts.shards):
        for desk in desks:
            ids = kept.input_ids(readings[desk.system.name], number)
            if desk.cache is None or not desk.cache.holds(ids):
                return None
    tally = RunTally(skips=Counter({(item.corpus, item.probe, item.reason): item.n for item in kept.skipped}))
    for desk in desks:
        tally.damaged.extend(desk.cache.damaged if desk.cache is not None else [])
    watcher.begin(kept.counts.pairs)
    with Interrupts("the current shard") as interrupts:
        for number in range(kept.counts.shards):
            interrupts.through(partial(_write_cases, run, kept, number))
            case_ids = interrupts.through(partial(kept.case_ids, number))
            for desk in desks:
                before = interrupts.through(partial(left_to_ask, run, desk, number, len(case_ids)))
                if before is not None:
                    ids = kept.input_ids(readings[desk.system.name], number)
                    question = _answered_question(desk, number, case_ids, ids)
                    asked = ask_desk(desk, question, interrupts, watcher, tally)
                    write = partial(stages.write_answers, run, desk.kind, question, asked, desk.cache, desk.journal)
                    interrupts.through(write)
            count_done(tally, Done(number, len(case_ids), kept.rows("pairs", number), Counter()), watcher)
            if interrupts.wanted:
                tally.interrupted = True
                break
    return tally


def _write_cases(run: RunFolder, kept: KeptSuite, number: int) -> None:
    """Write the pairs, facets and cases of a shard, unless they are there; cases last, as when they are generated."""
    if run.has("cases", number, kept.rows("cases", number)) and all(run.has(kind, number) for kind in KINDS):
        return
    for kind in KINDS:
        run.write_bytes(kind, number, kept.shard(kind, number), kept.rows(kind, number))


def _answered_question(desk: Desk, number: int, case_ids: list[str], input_ids: list[str]) -> stages.Question:
    """Return the question of a shard, of which nothing is left to ask."""
    distinct = list(dict.fromkeys(input_ids))
    known: Answers = {} if desk.cache is None else answered(desk.cache.get(distinct))
    return stages.Question(number, case_ids, input_ids, known, [], len(known))
