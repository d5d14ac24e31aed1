"""What projects can be made from: corpora and templates, runs, review queues; forms name them by key, never by path."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nliprobe.api.listed import run_folders
from nliprobe.studio.context import address
from nliprobe.studio.settings import Settings

# What comes with nliprobe and needs no data.
_BUILT_IN = (
    ("builtin/tables-dev", "216 pairs about 24 infoboxes"),
    ("builtin/tables-train", "216 more pairs about 24 other infoboxes"),
    ("builtin/sentences-dev", "141 pairs of sentences"),
    ("builtin/passages-dev", "72 pairs about 12 passages"),
    ("checklist?n=20", "20 examples per template of the checklist"),
)


class Kind(StrEnum):
    """What an offer is."""

    CORPUS = "corpus"
    RUN = "run"
    QUEUE = "queue"


class Offer(NamedTuple):
    """Something that a project can be made from.

    Attributes:
        key: by which a form names it.
        kind: what it is.
        title: what the owner reads.
        place: the spec of a corpus, or the path of a run or a queue.
    """

    key: str
    kind: Kind
    title: str
    place: str


def offers(settings: Settings) -> list[Offer]:
    """Return everything that a project can be made from; corpora of ``serve --on`` come first."""
    given = [(spec, spec) for spec in settings.corpora]
    built_in = [(spec, f"{spec} ({about})") for spec, about in _BUILT_IN if spec not in settings.corpora]
    corpora = [
        Offer(f"corpus-{number}", Kind.CORPUS, title, spec) for number, (spec, title) in enumerate([*given, *built_in])
    ]
    queues = [Offer(f"queue-{number}", Kind.QUEUE, path.name, str(path)) for number, path in enumerate(settings.queues)]
    return [*corpora, *_runs(settings.folder), *queues]


def find_offer(every: Sequence[Offer], key: str) -> Offer | None:
    """Return the offer of a key, if there is one."""
    return next((one for one in every if one.key == key), None)


def _runs(folder: Path) -> list[Offer]:
    runs = []
    for path in run_folders(folder):
        title = path.relative_to(folder).as_posix() if path != folder else path.name
        runs.append(Offer(f"run-{address(f'run {title}')}", Kind.RUN, title, str(path)))
    return runs
