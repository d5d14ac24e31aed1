"""Codes by which a crowd platform knows that a rater has finished."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, and_, func, insert, select

from nliprobe.people.records import Project
from nliprobe.people.store.choosing import choose_item
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import require_worker
from nliprobe.people.store.raters import give_back_overdue, held_items
from nliprobe.people.store.rows import note, require_project
from nliprobe.people.store.schema import completions, items, work
from nliprobe.people.store.states import WorkState

# Letters and digits that are not mistaken for one another; ten of them cannot be guessed.
_LETTERS, _LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10


def completion_code(database: Database, project: str, rater: str) -> str | None:
    """Return the code of a rater who has finished, always the same one; None if there is more for them to do.

    Finished is who has judged as many items as a rater may, or has judged some and nothing is left for them.
    """

    def code(connection: Connection) -> str | None:
        now = database.clock()
        rules = require_worker(connection, project, rater)
        known = connection.scalar(
            select(completions.c.code).where(completions.c.project == project, completions.c.rater == rater)
        )
        if known is not None:
            return str(known)
        give_back_overdue(connection, project, now)
        if not _is_finished(connection, rules, rater):
            return None
        made = new_code()
        connection.execute(insert(completions), [{"project": project, "rater": rater, "code": made, "at": now}])
        note(connection, now, project, rater, "finished")
        return made

    return database.write(code)


def read_completions(database: Database, project: str) -> dict[str, str]:
    """Return the codes of all raters who have finished, by their names."""

    def read(connection: Connection) -> dict[str, str]:
        require_project(connection, project)
        own = select(completions.c.rater, completions.c.code).where(completions.c.project == project)
        return {row.rater: row.code for row in connection.execute(own.order_by(completions.c.at))}

    return database.read(read)


def new_code() -> str:
    """Draw a code; it is a secret, so it does not come from the seed of a project."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def _is_finished(connection: Connection, rules: Project, rater: str) -> bool:
    done = (
        select(func.count())
        .select_from(work)
        .join(items, and_(items.c.project == work.c.project, items.c.name == work.c.item))
        .where(work.c.project == rules.name, work.c.rater == rater, work.c.state == WorkState.DONE.value)
        .where(items.c.wanted.is_not(None))
    )
    judged = connection.scalar(done) or 0
    if rules.most_per_rater is not None and judged >= rules.most_per_rater:
        return True
    if not judged or held_items(connection, rules.name, rater):
        return False
    return choose_item(connection, rules, rater) is None
