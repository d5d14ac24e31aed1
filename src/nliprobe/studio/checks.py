"""Opens what ``serve`` was told before anybody comes: a typo is an error of the command, not of a page hours later."""

from __future__ import annotations

from nliprobe import __version__
from nliprobe.api.resolve import check_sources, open_sources
from nliprobe.people.review.files import read_queue
from nliprobe.people.store.events import record_event
from nliprobe.people.study.files import read_study
from nliprobe.studio.ask.asking import ASKING
from nliprobe.studio.context import Studio
from nliprobe.studio.settings import Settings
from nliprobe.studio.study.served import STUDIES


def check_files(settings: Settings) -> None:
    """Read the first pair of every corpus, and every review queue and study.

    Raises:
        DataError: one of them cannot be read or holds nothing.
        NotFoundError: one of them is not there.
        UsageError: a corpus does not say which split.
    """
    check_sources(open_sources([*settings.corpora, *settings.train], settings.root))
    for queue in settings.queues:
        read_queue(queue)
    for study in settings.studies:
        read_study(study)


def check_names(studio: Studio) -> None:
    """Find the systems and the studies of an open studio by their names; nothing is loaded.

    Raises:
        NotFoundError: a spec string names no model.
        UsageError: a system learns and nothing is there to learn from, or two studies have the same name.
    """
    studio.part(ASKING)
    studio.part(STUDIES)


def note_start(studio: Studio) -> None:
    """Write into the log that the studio was started.

    A file that belongs to somebody else, after a restore for example, can be read and not written: who serves it should
    know before raters do.

    Raises:
        StoreError: the database takes nothing.
    """
    record_event(studio.store, "studio", "started", version=__version__)
