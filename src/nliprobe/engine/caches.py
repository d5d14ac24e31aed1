"""The caches of the systems of a run."""

from __future__ import annotations

from nliprobe.base.files import cache_folder
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache


def open_cache(system: System) -> AnswerCache | None:
    """Open the cache of a system's answers; none for a model that looks them up or does not say which version it is."""
    fingerprint = None if system.model.keyed else system.fingerprint()
    if fingerprint is None:
        return None
    cache = AnswerCache(cache_folder() / "answers" / fingerprint)
    cache.merge()
    return cache


class Caches:
    """The caches of several systems; each is opened once, when it is first needed."""

    def __init__(self) -> None:
        self._open: dict[str, AnswerCache | None] = {}

    def of(self, system: System) -> AnswerCache | None:
        """Return the cache of a system's answers, or none if they must not be kept."""
        if system.name not in self._open:
            self._open[system.name] = open_cache(system)
        return self._open[system.name]
