"""An item as one rater has it: its content, where the work on it stands, and what was begun, in one question."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam

from nliprobe.people.records import Item, Json, Judgement
from nliprobe.people.store.rows import ITEMS, JUDGEMENT_COLUMNS, item_of, judgement_of, loads, no_item
from nliprobe.people.store.schema import drafts, items, judgements, work
from nliprobe.people.store.states import WorkState

# To ask takes longer than to look up, so everything about one item comes together.
_OWN_ITEM = (
    ITEMS.where(items.c.name == bindparam("item"))
    .outerjoin(
        work,
        and_(work.c.project == items.c.project, work.c.item == items.c.name, work.c.rater == bindparam("by")),
    )
    .outerjoin(
        drafts,
        and_(drafts.c.project == items.c.project, drafts.c.item == items.c.name, drafts.c.rater == bindparam("by")),
    )
    .outerjoin(
        judgements,
        and_(
            judgements.c.project == items.c.project,
            judgements.c.rater == bindparam("by"),
            judgements.c.request == bindparam("request"),
        ),
    )
    .add_columns(
        work.c.state.label("work_state"),
        work.c.given.label("since"),
        drafts.c.content.label("draft"),
        *JUDGEMENT_COLUMNS,
    )
)


class OwnItem(NamedTuple):
    """An item and one rater.

    Attributes:
        item: the item.
        state: where the rater's work on it stands; None if it was never given to them.
        since: when they got it, in seconds since 1970; 0 if never.
        draft: what they have entered and not sent, or None.
        judged: what a request of theirs has said already, about this item or another one; None if it is new.
    """

    item: Item
    state: WorkState | None
    since: float
    draft: dict[str, Json] | None
    judged: Judgement | None


def require_own_item(
    connection: Connection, project: str, rater: str, name: str, request: str | None = None
) -> OwnItem:
    """Return an item of a project, whether or not it was given to the rater.

    Args:
        connection: to the store.
        project: the project.
        rater: whose work on it is looked up.
        name: the name of the item.
        request: the key of a judgement that may be known already.

    Raises:
        NotFoundError: the project has no such item.
    """
    row = connection.execute(
        _OWN_ITEM, {"project": project, "item": name, "by": rater, "request": request}
    ).one_or_none()
    if row is None:
        raise no_item(project, name)
    state = None if row.work_state is None else WorkState(row.work_state)
    draft = None if row.draft is None else loads(row.draft)
    judged = None if row.rater is None else judgement_of(row)
    return OwnItem(item_of(row), state, row.since or 0.0, draft, judged)
