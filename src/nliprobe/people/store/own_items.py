"""An item as one rater has it: its content, where the work on it stands, and what was begun, in one question."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam

from nliprobe.people.records import Item, Json
from nliprobe.people.store.rows import ITEMS, item_of, loads, no_item
from nliprobe.people.store.schema import drafts, items, work
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
    .add_columns(work.c.state.label("work_state"), work.c.given.label("since"), drafts.c.content.label("draft"))
)


class OwnItem(NamedTuple):
    """An item and one rater.

    Attributes:
        item: the item.
        state: where the rater's work on it stands; None if it was never given to them.
        since: when they got it, in seconds since 1970; 0 if never.
        draft: what they have entered and not sent, or None.
    """

    item: Item
    state: WorkState | None
    since: float
    draft: dict[str, Json] | None


def require_own_item(connection: Connection, project: str, rater: str, name: str) -> OwnItem:
    """Return an item of a project, whether or not it was given to the rater.

    Raises:
        NotFoundError: the project has no such item.
    """
    row = connection.execute(_OWN_ITEM, {"project": project, "item": name, "by": rater}).one_or_none()
    if row is None:
        raise no_item(project, name)
    state = None if row.work_state is None else WorkState(row.work_state)
    return OwnItem(item_of(row), state, row.since or 0.0, None if row.draft is None else loads(row.draft))
