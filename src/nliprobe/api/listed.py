"""The runs below a folder, each with what it asked and what it shows.

What a run shows is derived from all its cases, which takes seconds for large ones. It is computed when asked for and
kept in the cache, not in the run: there it would be state that can grow old. The name of the file is a hash of what
the run holds and of the version that read it, so that a verdict never belongs to another run or to other rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TypedDict

from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.base.files import cache_folder, read_sealed, write_sealed
from nliprobe.base.hashing import digest
from nliprobe.base.limited import exists
from nliprobe.store.run import MANIFEST, RunFolder
from nliprobe.store.soundness import State

VERDICTS: Final = "verdicts"
# To be raised when verdicts are written by other rules.
_RULES = 4


class ListedRun(TypedDict):
    """One run: when it was begun, what was asked, and what it shows.

    ``state`` is None if the run cannot be read; ``about`` then says why. ``verdicts`` has a text per system, and is
    None if it has not been computed.
    """

    name: str
    about: str
    created: str | None
    finished: str | None
    state: str | None
    systems: list[str]
    corpora: list[str]
    cases: int | None
    verdicts: list[str] | None


def listed_runs(folder: Path, *, verdicts: bool = False) -> Iterator[ListedRun]:
    """Yield the runs at and below a folder, by their paths.

    Args:
        folder: where to look.
        verdicts: whether to compute what each run shows, if it is not known yet.
    """
    for path in run_folders(folder):
        try:
            yield _listed(RunFolder.open(path), verdicts=verdicts)
        except NliprobeError as error:
            yield _unreadable(path, str(error))


def run_folders(folder: Path) -> Iterator[Path]:
    """Yield the folders that hold a run, sorted; what is inside a run is not searched."""
    for place, inside, files in os.walk(folder):
        if MANIFEST in files:
            inside.clear()
            yield Path(place)
        inside.sort()


def remember_verdicts(run: RunFolder, texts: list[str]) -> None:
    """Keep what a complete run shows; a cache that cannot be written is no reason to fail."""
    path = _file(run)
    if path is None or exists(path):
        return
    try:
        write_sealed(path, {"run": str(run.path.resolve()), VERDICTS: texts})
    except StoreError:
        return


def _listed(run: RunFolder, *, verdicts: bool) -> ListedRun:
    counts, state = run.record.counts, run.state
    corpora = [item.name for item in run.corpora]
    number = f"{len(run.systems)} system{'' if len(run.systems) == 1 else 's'}"
    size = "" if counts is None else f", {counts.cases:,} cases"
    known = _known(run) if state is State.COMPLETE else None
    if verdicts and known is None and state is State.COMPLETE:
        known = _computed(run)
    return ListedRun(
        name=str(run.path),
        about=f"{state.value}: {number} on {', '.join(corpora)}{size}",
        created=run.record.created,
        finished=run.finished,
        state=state.value,
        systems=[item.name for item in run.systems],
        corpora=corpora,
        cases=None if counts is None else counts.cases,
        verdicts=known,
    )


def _unreadable(path: Path, about: str) -> ListedRun:
    return ListedRun(
        name=str(path),
        about=about,
        created=None,
        finished=None,
        state=None,
        systems=[],
        corpora=[],
        cases=None,
        verdicts=None,
    )


def known_verdicts(run: RunFolder) -> list[str] | None:
    """Return what a complete run shows, if it has been computed before."""
    return _known(run)


def run_verdicts(run: RunFolder) -> list[str]:
    """Return what a complete run shows, a text per system; it is computed if it is not known yet."""
    known = _known(run)
    return _computed(run) if known is None else known


def _computed(run: RunFolder) -> list[str]:
    from nliprobe.analysis.summary import summarise
    from nliprobe.report.hero import short_answers

    texts = short_answers(summarise(run))
    remember_verdicts(run, texts)
    return texts


def _known(run: RunFolder) -> list[str] | None:
    path = _file(run)
    if path is None:
        return None
    try:
        return list(read_sealed(path).texts(VERDICTS))
    except StoreError:  # not there, or damaged: it is computed again
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return None


def _file(run: RunFolder) -> Path | None:
    """Return where the verdicts of a complete run are kept; none for one whose content has no digest."""
    from nliprobe import __version__

    contents = [*run.record.content.values(), *(item.content for item in run.systems)]
    if not run.complete or not run.record.content or None in contents:
        return None
    names = [text for item in run.systems for text in (item.name, item.premise, str(item.family), str(item.train))]
    # Only complete runs get here, so that no digest is missing.
    identity = digest(__version__, str(_RULES), run.record.suite.hash, *filter(None, contents), *names)
    return cache_folder() / VERDICTS / f"{identity}.json"
