"""The log of the server: no secret, no query, no text of anybody."""

from __future__ import annotations

import logging
import traceback

from sqlalchemy.exc import DBAPIError

LOG = logging.getLogger("nliprobe.studio")


def log_fault(what: str, error: Exception) -> None:
    """Write what failed and where.

    Of an error of a database only the first line is kept: what follows may be the row that was refused, texts included.
    """
    found: BaseException | None = error
    while found is not None and not isinstance(found, DBAPIError):
        found = found.__cause__ or found.__context__
    if found is None:
        LOG.error("%s: %s", what, type(error).__name__, exc_info=error)
        return
    first = str(found.orig).strip().partition("\n")[0]
    where = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    LOG.error("%s: %s, %s: %s\n%s", what, type(error).__name__, type(found.orig).__name__, first, where)
