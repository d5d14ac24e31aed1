"""The secret with which a studio signs its links: made once per store, so that links outlive the program."""

from __future__ import annotations

import secrets
from contextlib import suppress

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from nliprobe.people.store.database import Database
from nliprobe.people.store.schema import meta

_NAME, _BYTES = "studio_secret", 32


def studio_secret(database: Database) -> bytes:
    """Return the secret of a store; it is made when it is first asked for."""
    known = database.read(_read)
    if known is None:
        row = {"name": _NAME, "value": secrets.token_hex(_BYTES)}
        # If another process was faster, its secret is the one.
        with suppress(IntegrityError):
            database.write_once(lambda connection: connection.execute(insert(meta), [row]))
        known = database.read(_read)
    assert known is not None
    return bytes.fromhex(known)


def _read(connection: Connection) -> str | None:
    return connection.scalar(select(meta.c.value).where(meta.c.name == _NAME))
