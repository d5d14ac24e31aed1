"""Take judgements: once, by whom the item was given to, and only in the form of the task."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, and_, bindparam, select, update

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.records import Content, Judgement, JudgementState
from nliprobe.people.store.database import Database
from nliprobe.people.store.drafting import forget_draft
from nliprobe.people.store.handing_out import require_worker
from nliprobe.people.store.own_items import OwnItem, require_own_item
from nliprobe.people.store.places import free_place, retake_place, take_place
from nliprobe.people.store.projects import task_of
from nliprobe.people.store.rows import (
    NOTE,
    checked_name,
    checked_text,
    dumps,
    judgement_of,
    judgements_query,
    note,
    note_values,
    require_project,
)
from nliprobe.people.store.schema import judgements, work
from nliprobe.people.store.states import JudgedError, TooLateError, WorkState
from nliprobe.people.store.together import Together

_MINE = and_(work.c.project == bindparam("of"), work.c.item == bindparam("which"), work.c.rater == bindparam("by"))
_SKIPPED = (
    update(work)
    .where(_MINE)
    .values(state=WorkState.SKIPPED.value, reason=bindparam("words"), flagged=bindparam("flag"))
)
_DONE = "UPDATE work SET state = 'done' WHERE project = :of AND item = :which AND rater = :by"
_SAID = """
INSERT INTO judgements
    (project, item, rater, revision, answer, given, seconds, remark, request, state, instructions)
VALUES
    (:of, :which, :by, :revision, :answer, :given, :seconds, :remark, :request, :state,
    (SELECT MAX(version) FROM instructions WHERE project = :of))
"""
_KEEP, _KEEP_AND_NOTE = Together(_DONE, _SAID), Together(_DONE, _SAID, NOTE)


def judge_item(
    database: Database,
    project: str,
    rater: str,
    item: str,
    answer: Content,
    *,
    request: str,
    remark: str = "",
    revise: bool = False,
) -> Judgement:
    """Keep what a rater says about an item that was given to them; when this returns it is on the disk.

    Args:
        database: the store.
        project: the project.
        rater: who judges.
        item: what was given to them.
        answer: what they say.
        request: a key of this judgement, made by the client: the same request again changes nothing and returns what
            is kept.
        remark: what they write to the owner.
        revise: whether an earlier answer of theirs may be replaced.

    Raises:
        DataError: the answer is none, or the item was not given to this rater.
        JudgedError: the rater has judged it already.
        TooLateError: others have judged it since in place of this rater, who was away or blocked.
    """
    checked_name(request, "a request")
    words = checked_text(remark, "The remark")

    def judge(connection: Connection) -> Judgement:
        now = database.clock()
        rules = require_worker(connection, project, rater)
        own = require_own_item(connection, project, rater, item, request)
        known = own.judged
        if known is not None:
            if known.item != item:
                # Names of items are the owner's: one may say what is right about it.
                raise DataError(f"The request '{request}' was about another item: every answer needs a new one.")
            return known
        said = task_of(rules).checked(own.item, answer)
        state = _require_given(own, project, rater)
        if state is WorkState.DONE and not revise:
            raise JudgedError(f"'{rater}' has judged '{item}' already. A changed answer must say that it revises.")
        if state in (WorkState.RETURNED, WorkState.SKIPPED) and not take_place(connection, project, item, rater):
            raise TooLateError(
                f"'{rater}' had '{item}' for too long, and others have judged it since: it is not needed."
            )
        revision = _revise(connection, project, rater, item) if state is WorkState.DONE else 0
        judged = Judgement(item, rater, said, now, max(0.0, now - own.since), words, revision)
        if own.draft is not None:
            forget_draft(connection, project, rater, item)
        noted = note_values(now, project, rater, "revised" if revision else "judged", item=item)
        keep_judgement(connection, project, judged, request, noted)
        return judged

    return database.write(judge)


def keep_judgement(
    connection: Connection,
    project: str,
    judged: Judgement,
    request: str,
    noted: Mapping[str, object] | None = None,
) -> None:
    """Write a judgement of an item that its rater has; the transaction holds the lock of the project.

    Args:
        connection: to the store.
        project: the project.
        judged: the judgement.
        request: its key.
        noted: the values of what the log says of it; by default nothing.
    """
    row = {
        "of": project,
        "which": judged.item,
        "by": judged.rater,
        "revision": judged.revision,
        "answer": dumps(judged.answer),
        "given": judged.given,
        "seconds": judged.seconds,
        "remark": judged.remark,
        "request": request,
        "state": judged.state.value,
    }
    if noted is None:
        _KEEP.do(connection, row)
    else:
        _KEEP_AND_NOTE.do(connection, {**noted, **row})


def skip_item(database: Database, project: str, rater: str, item: str, reason: str, *, flag: bool = False) -> None:
    """Let a rater pass an item on to others; with ``flag`` the owner should look at it."""
    words = checked_text(reason, "The reason")
    if flag and not words.strip():
        raise UsageError(f"A flag on '{item}' needs a reason: the owner should know what is wrong.")

    def skip(connection: Connection) -> None:
        now = database.clock()
        require_worker(connection, project, rater)
        state = _require_given(require_own_item(connection, project, rater, item), project, rater)
        if state is WorkState.DONE:
            raise JudgedError(f"'{rater}' has judged '{item}' already, so it cannot be skipped.")
        if state is WorkState.LEASED:
            free_place(connection, project, item, rater)
        mine = {"of": project, "which": item, "by": rater}
        connection.execute(_SKIPPED, {**mine, "words": words, "flag": int(flag)})
        note(connection, now, project, rater, "flagged" if flag else "skipped", item=item)

    database.write(skip)


def read_judgements(database: Database, project: str, *, all_states: bool = False) -> list[Judgement]:
    """Return the judgements of a project that count, or with ``all_states`` also revised and void ones."""

    def read(connection: Connection) -> list[Judgement]:
        require_project(connection, project)
        query = judgements_query(project)
        if not all_states:
            query = query.where(judgements.c.state == JudgementState.COUNTS.value)
        return [judgement_of(row) for row in connection.execute(query)]

    return database.read(read)


def _require_given(own: OwnItem, project: str, rater: str) -> WorkState:
    """Return where a rater's work on an item stands."""
    if own.state is None:
        raise DataError(f"The item '{own.item.name}' of '{project}' was not given to '{rater}'.")
    return own.state


def _revise(connection: Connection, project: str, rater: str, item: str) -> int:
    """Let earlier answers no longer count, and return the number of the next revision."""
    mine = and_(judgements.c.project == project, judgements.c.item == item, judgements.c.rater == rater)
    before = connection.execute(select(judgements.c.revision, judgements.c.state).where(mine)).all()
    connection.execute(update(judgements).where(mine).values(state=JudgementState.REVISED.value))
    # While a rater was blocked, others may have judged the item in their place.
    counted = any(row.state == JudgementState.COUNTS.value for row in before)
    if not counted and not retake_place(connection, project, item):
        raise TooLateError(f"The answer of '{rater}' to '{item}' did not count, and others have judged it since.")
    return int(max(row.revision for row in before)) + 1
