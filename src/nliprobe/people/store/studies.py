"""Simulation studies in the store: which there are, and who takes part."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean
from nliprobe.people.store.completing import new_code
from nliprobe.people.store.database import Database
from nliprobe.people.store.links import BEGUN_ELSEWHERE
from nliprobe.people.store.numbers import require_storable
from nliprobe.people.store.rows import checked_name, checked_text
from nliprobe.people.store.study_schema import participants, studies, study_answers, study_feedback
from nliprobe.people.study.orders import order_of
from nliprobe.people.study.records import Study


class ParticipantState(StrEnum):
    """Where a participant stands."""

    INVITED = "invited"  # has a link, and has not agreed to take part yet
    ACTIVE = "active"
    WITHDRAWN = "withdrawn"  # nothing of this participant is kept


class Participant(NamedTuple):
    """Somebody who takes part in a study.

    Attributes:
        study: the name of the study.
        number: from 1, in the order in which they came; it decides the orders of stages and items.
        name: a pseudonym.
        state: whether they take part.
        stages: the stages in this participant's order.
        note: what the owner wrote, for example whom the link was sent to.
        external: the id that a crowd platform has for them, if any; never exported unless asked for.
        joined: when they were let in, in seconds since 1970.
        consented: when they agreed, or None.
        finished: when they had answered everything, or None.
        code: the completion code of who has finished, or None.
        link: the number of the link that lets them in; who came by an earlier one is out.
        expires: from when on this link lets nobody in who has not begun; None for never.
    """

    study: str
    number: int
    name: str
    state: ParticipantState
    stages: tuple[str, ...]
    note: str
    external: str
    joined: float
    consented: float | None
    finished: float | None
    code: str | None
    link: int
    expires: float | None

    def refusal(self, link: int, now: float) -> str:
        """Say why the link of a number does not let this participant in, or nothing."""
        if link != self.link:
            return "This link was replaced by a newer one."
        if self.state is ParticipantState.INVITED and self.expires is not None and now >= self.expires:
            return "The time of this link is over."
        return ""


class KeptStudy(NamedTuple):
    """A study as the store knows it.

    Attributes:
        name: by which it is asked for.
        id: of the questions that participants answer.
        title: what participants read.
        is_open: whether whoever has the common link may join.
        most_participants: how many may come by the common link; None for any number.
    """

    name: str
    id: str
    title: str
    is_open: bool
    most_participants: int | None


def keep_study(database: Database, name: str, study: Study) -> KeptStudy:
    """Keep that a study is run here, or return what is known of it.

    Raises:
        DataError: the study has other questions now than those that participants have answered.
    """
    checked_name(name, "a study")

    def keep(connection: Connection) -> KeptStudy:
        known = connection.execute(select(studies).where(studies.c.name == name).with_for_update()).one_or_none()
        title = checked_text(study.title, "The title")
        if known is None:
            row = {"name": name, "id": study.id, "title": title, "is_open": 0, "made": database.clock()}
            connection.execute(insert(studies), [row])
        elif known.id != study.id and connection.scalar(select(func.count()).where(study_answers.c.study == name)):
            raise DataError(
                f"The questions of the study '{name}' were changed after participants had answered ({study.id}, not "
                f"{known.id}). Put the old files back, or give the new study another name."
            )
        elif (known.id, known.title) != (study.id, title):
            connection.execute(update(studies).where(studies.c.name == name).values(id=study.id, title=title))
            if known.id != study.id:
                _reorder(connection, name, study)
        return require_study(connection, name)

    try:
        return database.write(keep)
    except IntegrityError:
        # Another process has kept it in this moment.
        return database.write(keep)


def read_study_row(database: Database, name: str) -> KeptStudy:
    """Return what the store knows of a study.

    Raises:
        NotFoundError: there is none of this name.
    """
    return database.read(lambda connection: require_study(connection, name))


def open_study(database: Database, name: str, *, is_open: bool, most_participants: int | None = None) -> None:
    """Say whether whoever has the common link may join a study, and how many may."""
    if most_participants is not None and most_participants < 1:
        raise UsageError(f"A study should let in 1 participant or more, not {most_participants}.")
    require_storable("The number of participants", most_participants)

    def change(connection: Connection) -> None:
        require_study(connection, name)
        values = {"is_open": int(is_open), "most_participants": most_participants}
        connection.execute(update(studies).where(studies.c.name == name).values(**values))

    database.write(change)


def invite_participant(
    database: Database, name: str, study: Study, *, about: str = "", seconds: float | None = None, link: int = 1
) -> Participant:
    """Let one more participant in, who gets a link of their own.

    Args:
        database: the store.
        name: the study.
        study: what is shown.
        about: a note for the owner.
        seconds: within which time they have to begin; None for any time.
        link: the number of this link.
    """
    words = checked_text(about, "The note")

    def add(connection: Connection) -> Participant:
        require_study(connection, name, study, lock=True)
        now = database.clock()
        return _add(connection, name, study, words, "", now, link, _end(now, seconds))

    return database.write_once(add)


def renew_link(database: Database, name: str, number: int, *, seconds: float | None = None) -> Participant:
    """Make another link for a participant; earlier ones let nobody in any longer.

    Args:
        database: the store.
        name: the study.
        number: of the participant.
        seconds: within which time they have to begin, if they have not; None for any time.
    """

    def renew(connection: Connection) -> Participant:
        known = require_participant(connection, name, number, lock=True)
        values = {"link": known.link + 1, "expires": _end(database.clock(), seconds)}
        connection.execute(update(participants).where(_is(name, number)).values(**values))
        return require_participant(connection, name, number)

    return database.write_once(renew)


def join_study(
    database: Database, name: str, study: Study, *, external: str = "", here: int | None = None, link: int = 1
) -> Participant:
    """Let somebody in by the common link; who has an external id and was here before is the same participant again.

    External ids are no secrets: as soon as something was said under one, only the browser that said it comes in by it;
    before that, whoever comes in last, for nobody else may look on.

    Args:
        database: the store.
        name: the study.
        study: what is shown.
        external: the id that a crowd platform has for them, if any.
        here: the participant as whom their browser has come in before, if any.
        link: the number of their first link, if they are new.

    Raises:
        DataError: the study lets nobody new in, or the external id belongs to somebody who has begun in another
            browser.
    """
    worker = checked_text(external.strip(), "The external id")

    def join(connection: Connection) -> Participant:
        kept = require_study(connection, name, study, lock=True)
        if worker:
            own = select(participants).where(participants.c.study == name, participants.c.external == worker)
            known = connection.execute(own.order_by(participants.c.number).limit(1)).one_or_none()
            if known is not None:
                if known.number == here:
                    return _participant(known)
                if _has_said(connection, name, known.number):
                    raise DataError(BEGUN_ELSEWHERE)
                connection.execute(update(participants).where(_is(name, known.number)).values(link=known.link + 1))
                return require_participant(connection, name, known.number)
        if not kept.is_open:
            raise DataError("Nobody new can join this study now. Ask whoever sent you the link.")
        present = select(func.count()).where(participants.c.study == name)
        present = present.where(participants.c.state != ParticipantState.WITHDRAWN.value)
        if kept.most_participants is not None and (connection.scalar(present) or 0) >= kept.most_participants:
            raise DataError("This study has as many participants as it needs. Thank you all the same.")
        return _add(connection, name, study, "", worker, database.clock(), link)

    return database.write_once(join)


def read_participants(database: Database, name: str) -> list[Participant]:
    """Return all participants of a study, in the order in which they came."""

    def read(connection: Connection) -> list[Participant]:
        require_study(connection, name)
        own = select(participants).where(participants.c.study == name).order_by(participants.c.number)
        return [_participant(row) for row in connection.execute(own)]

    return database.read(read)


def read_participant(database: Database, name: str, number: int) -> Participant:
    """Return one participant."""
    return database.read(lambda connection: require_participant(connection, name, number))


def give_consent(database: Database, name: str, number: int) -> Participant:
    """Keep that a participant agreed to take part, and when; agreeing again changes nothing."""

    def consent(connection: Connection) -> Participant:
        known = require_participant(connection, name, number, lock=True)
        if known.state is ParticipantState.INVITED:
            values = {"state": ParticipantState.ACTIVE.value, "consented": database.clock()}
            connection.execute(update(participants).where(_is(name, number)).values(**values))
        return require_participant(connection, name, number)

    return database.write(consent)


def finish_participant(database: Database, name: str, number: int) -> Participant:
    """Keep that a participant has answered everything; their completion code is made once."""

    def finish(connection: Connection) -> Participant:
        known = require_participant(connection, name, number, lock=True)
        if known.state is ParticipantState.ACTIVE and known.finished is None:
            values = {"finished": database.clock(), "code": new_code()}
            connection.execute(update(participants).where(_is(name, number)).values(**values))
        return require_participant(connection, name, number)

    return database.write(finish)


def withdraw_participant(database: Database, name: str, number: int) -> int:
    """Delete what a participant said and who they are, as they may ask for; return how many answers there were."""

    def withdraw(connection: Connection) -> int:
        require_participant(connection, name, number, lock=True)
        deleted = 0
        for table in (study_answers, study_feedback):
            own = and_(table.c.study == name, table.c.participant == number)
            deleted += connection.execute(delete(table).where(own)).rowcount
        values = {"state": ParticipantState.WITHDRAWN.value, "external": "", "note": "", "code": None}
        connection.execute(update(participants).where(_is(name, number)).values(**values))
        return deleted

    return database.write(withdraw)


def require_study(connection: Connection, name: str, study: Study | None = None, *, lock: bool = False) -> KeptStudy:
    """Return a study; with ``study``, raise a DataError unless its questions are those that are kept."""
    query = select(studies).where(studies.c.name == name)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        names = connection.scalars(select(studies.c.name)).all()
        raise NotFoundError(f"There is no study '{name}'. {did_you_mean(name, names)}")
    if study is not None and study.id != row.id:
        raise DataError(f"The questions of this study were changed meanwhile ({study.id}, not {row.id}).")
    return KeptStudy(row.name, row.id, row.title, bool(row.is_open), row.most_participants)


def require_participant(connection: Connection, name: str, number: int, *, lock: bool = False) -> Participant:
    """Return a participant; with ``lock`` nobody else writes about them until the transaction ends."""
    query = select(participants).where(_is(name, number))
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFoundError(f"The study '{name}' has no participant {number}.")
    return _participant(row)


def _end(now: float, seconds: float | None) -> float | None:
    if seconds is not None and not seconds > 0:
        raise UsageError(f"A link should hold for a while, not for {seconds:g} seconds.")
    return None if seconds is None else now + seconds


def _has_said(connection: Connection, name: str, number: int) -> bool:
    kept = (study_answers, study_feedback)
    said = (exists().where(table.c.study == name, table.c.participant == number).select() for table in kept)
    return any(connection.scalar(query) for query in said)


def _add(
    connection: Connection,
    name: str,
    study: Study,
    about: str,
    external: str,
    now: float,
    link: int,
    expires: float | None = None,
) -> Participant:
    last = connection.scalar(select(func.max(participants.c.number)).where(participants.c.study == name)) or 0
    row = {
        "study": name,
        "number": last + 1,
        "name": f"participant-{last + 1}",
        "state": ParticipantState.INVITED.value,
        "stages": json.dumps(order_of(study, last + 1)),
        "note": about,
        "external": external,
        "joined": now,
        "link": link,
        "expires": expires,
    }
    connection.execute(insert(participants), [row])
    return require_participant(connection, name, last + 1)


def _reorder(connection: Connection, name: str, study: Study) -> None:
    """Give participants, none of whom has answered anything, the stages of a study that was made anew."""
    for number in connection.scalars(select(participants.c.number).where(participants.c.study == name)).all():
        stages = json.dumps(order_of(study, number))
        connection.execute(update(participants).where(_is(name, number)).values(stages=stages))


def _is(name: str, number: int) -> ColumnElement[bool]:
    return and_(participants.c.study == name, participants.c.number == number)


def _participant(row: Row[tuple[object, ...]]) -> Participant:
    known = dict(row._mapping)
    state, stages = ParticipantState(str(known.pop("state"))), json.loads(str(known.pop("stages")))
    return Participant(state=state, stages=tuple(stages), **known)
