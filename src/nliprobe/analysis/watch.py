"""How far a run is, and how long it may still take, from one look at its folder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypedDict

if TYPE_CHECKING:
    from nliprobe.store.watch import Look, SystemLook

WATCH_SCHEMA: Final = "nliprobe/watch/1"
# A run of which nothing is written for so many times as long as between two shards, and for more than a minute, may
# have been stopped: how long it still takes is then no longer said.
_PAUSES, _QUIET = 5.0, 60.0


class WatchedSystem(TypedDict):
    """How far one system is.

    ``share`` is the part of all cases, from 0 to 1, or None where the size of the suite is not known yet; ``early``
    counts answers to inputs of shards that are not whole; ``rate`` is in cases per second.
    """

    name: str
    complete: bool
    cases: int
    shards: int
    share: float | None
    early: int
    failed: int
    rate: float | None
    seconds_left: float | None
    last_written: str | None


class Writing(TypedDict):
    """A process that has begun a file; ``ended`` is None where that cannot be known, on another machine."""

    process: int
    this_machine: bool
    ended: bool | None


class WatchDocument(TypedDict):
    """What ``nliprobe watch RUN --once --format json`` writes.

    ``cases`` have been made so far; ``total`` is their number once the last one is made; before that ``about`` is an
    estimate, if every corpus says how many pairs it holds. ``quiet`` is set when nothing has been written for much
    longer than between earlier shards.
    """

    schema: Literal["nliprobe/watch/1"]
    run: str
    time: str
    state: Literal["complete", "unfinished", "damaged"]
    cases: int
    total: int | None
    about: int | None
    pairs: int
    expected_pairs: int | None
    systems: list[WatchedSystem]
    seconds_left: float | None
    last_written: str | None
    seconds_since: float | None
    quiet: bool
    writers: list[Writing]
    problems: list[str]


def watch_document(path: Path, look: Look) -> WatchDocument:
    """Describe one look at the run in a folder."""
    since = None if look.written is None else max(look.time - look.written, 0.0)
    asked = [item for item in look.systems if not item.complete]
    quiet = since is not None and any(_is_quiet(item, since) for item in asked)
    systems = [_system(look, item, quiet=quiet) for item in look.systems]
    lefts = [item["seconds_left"] for item in systems if not item["complete"]]
    known = [left for left in lefts if left is not None]
    return WatchDocument(
        schema=WATCH_SCHEMA,
        run=str(path),
        time=_moment(look.time),
        state=look.state.value,
        cases=look.cases,
        total=look.total,
        about=_about(look),
        pairs=look.pairs,
        expected_pairs=look.expected_pairs,
        systems=systems,
        # Systems of one process take turns, and those of several do not wait for each other.
        seconds_left=max(known) if known and len(known) == len(lefts) else None,
        last_written=None if look.written is None else _moment(look.written),
        seconds_since=None if since is None else round(since, 1),
        quiet=quiet,
        writers=[Writing(process=item.process, this_machine=item.here, ended=item.ended) for item in look.writers],
        problems=list(look.problems),
    )


def _is_quiet(system: SystemLook, since: float) -> bool:
    return system.pause is not None and since > max(_QUIET, _PAUSES * system.pause)


def _system(look: Look, item: SystemLook, *, quiet: bool) -> WatchedSystem:
    share = _share(look, item)
    left = None
    if item.rate and share and not item.complete and not quiet:
        left = round(item.cases * (1 - share) / share / item.rate, 1)
    return WatchedSystem(
        name=item.name,
        complete=item.complete,
        cases=item.cases,
        shards=item.shards,
        share=share,
        early=item.early,
        failed=item.failed,
        rate=None if item.rate is None else round(item.rate, 3),
        seconds_left=left,
        last_written=None if item.written is None else _moment(item.written),
    )


def _share(look: Look, item: SystemLook) -> float | None:
    """Return how much of the suite a system has answered: by cases if their number is known, else by pairs."""
    if look.total is not None:
        return min(item.cases / look.total, 1.0) if look.total else 1.0
    if not look.expected_pairs:
        return None
    # Pairs to which no probe applies are never written, so that this is a little too small at the end.
    return min(item.pairs / look.expected_pairs, 1.0)


def _about(look: Look) -> int | None:
    if look.total is not None or not look.expected_pairs or not look.pairs:
        return None
    return max(round(look.cases * look.expected_pairs / look.pairs), look.cases)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
