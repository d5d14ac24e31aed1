"""What every request needs: settings, the store, the secret, and work that goes on behind the pages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from nliprobe.base.hashing import digest
from nliprobe.people.store import Database, open_store
from nliprobe.people.store.secret import studio_secret
from nliprobe.studio.jobs import Jobs
from nliprobe.studio.limits import Bucket, Failures
from nliprobe.studio.settings import Settings
from nliprobe.studio.signing import Signer

T = TypeVar("T")
# One person changes less than this, autosave included; a script that does more waits.
_BURST, _PER_SECOND = 60, 20


@dataclass
class Studio:
    """An open studio.

    Attributes:
        settings: what ``serve`` was told.
        store: the store of people's work.
        signer: signs cookies, invitations and tokens of forms.
        token: by which the owner signs in; printed once.
        jobs: slow work of the owner, one after the other.
        failures: how often somebody came with a token that is none.
        requests: how often somebody who has signed in changes something.
        address: the beginning of links that are sent to people.
    """

    settings: Settings
    store: Database
    signer: Signer
    token: str
    jobs: Jobs = field(default_factory=Jobs)
    failures: Failures = field(default_factory=Failures)
    requests: Bucket = field(default_factory=lambda: Bucket(_BURST, _PER_SECOND))
    address: str = ""
    # What the parts of the studio keep for themselves, by their type.
    _kept: dict[type, object] = field(default_factory=dict)
    _making: threading.RLock = field(default_factory=threading.RLock)

    def part(self, kind: Part[T]) -> T:
        """Return what one part of the studio keeps while it is open; it is made when it is first asked for."""
        # Requests come in threads, and two of them must not make two.
        with self._making:
            if kind.type not in self._kept:
                self._kept[kind.type] = kind.make(self)
            kept = self._kept[kind.type]
        assert isinstance(kept, kind.type)
        return kept

    def close(self) -> None:
        """End work that goes on, and close the store."""
        with self._making:
            kept = list(self._kept.values())
        # One after the other from the last on, and whatever goes wrong with one of them.
        with ExitStack() as ends:
            ends.callback(self.store.close)
            for end in (getattr(part, "close", None) for part in kept):
                if end is not None:
                    ends.callback(end)
            ends.callback(self.jobs.close)


@dataclass(frozen=True)
class Part(Generic[T]):
    """Something that one part of the studio keeps: what it is, and how it is made."""

    type: type[T]
    make: Callable[[Studio], T]


def open_studio(settings: Settings, token: str) -> Studio:
    """Open the store and everything else; the store is made if there is none.

    Args:
        settings: what ``serve`` was told.
        token: by which the owner signs in.
    """
    store = open_store(settings.database)
    secure = settings.is_secure
    return Studio(settings, store, Signer(studio_secret(store), store.clock, secure=secure), token)


def address(name: str) -> str:
    """Return how a project or a study is called in addresses: nothing of its name can be read there.

    >>> address("verify")
    '97845a2c8268'
    """
    return digest("studio address", name)[:12]
