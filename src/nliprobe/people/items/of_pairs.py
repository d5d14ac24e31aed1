"""Items from pairs of any corpus, template or file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean, option
from nliprobe.base.hashing import digest
from nliprobe.base.seeds import draws
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import Task
from nliprobe.task.evidenced import table_id
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

_MISSING_SHOWN = 5


class Stratum(StrEnum):
    """What items are handed out evenly over."""

    NONE = "none"
    LABEL = "label"  # the gold label
    GROUP = "group"  # the template, table or caption
    CATEGORY = "category"  # the category of the table, or the capability of the template


class MadeItems(NamedTuple):
    """Items, and how many pairs the task cannot ask about, by reason."""

    items: tuple[Item, ...]
    left_out: dict[str, int]


def items_of(
    task: Task,
    pairs: Iterable[Pair],
    *,
    stratum: Stratum = Stratum.GROUP,
    attention: Collection[str] = (),
    more: Mapping[str, Content] | None = None,
    hidden: Mapping[str, Content] | None = None,
) -> MadeItems:
    """Make an item of each pair that a task can ask about.

    The name of an item is a hash, so that it tells raters nothing; making items of the same pair again gives the same
    name. What is known about the pair is hidden: its id, gold label, group and table.

    Args:
        task: the task of the project.
        pairs: where the items come from.
        stratum: what items are handed out evenly over.
        attention: ids of pairs that become hidden attention items; what is right about them must be known.
        more: further content by pair id, such as the explanation that the task ``predict`` shows.
        hidden: further hidden fields by pair id, such as the ``truth`` that the task ``predict`` asks for.
    """
    items: dict[str, Item] = {}
    left_out: Counter[str] = Counter()
    wanted = set(attention)
    for pair in pairs:
        content = task.content_of(pair)
        name = digest(task.key_of(pair))[:16]
        if isinstance(content, str):
            left_out[content] += 1
            continue
        if name in items:
            if task.key_of(pair) == pair.id:
                raise DataError(f"The id '{pair.id:.80}' belongs to two pairs: items are told apart by it.")
            continue
        item = Item(
            name,
            {**content, **(more or {}).get(pair.id, {})},
            {**hidden_of(pair), **(hidden or {}).get(pair.id, {})},
            _stratum(pair, stratum),
            expected=_known(task, pair) if pair.id in wanted else None,
        )
        wanted.discard(pair.id)
        try:
            task.check_item(item)
        except DataError as error:
            # The name of an item is a hash, by which nobody finds the pair in their file.
            raise DataError(f"The pair '{pair.id:.80}' cannot be asked about. {error}") from error
        items[name] = item
    if wanted:
        names = [f"'{name:.80}'" for name in sorted(wanted)[:_MISSING_SHOWN]]
        hint = did_you_mean(min(wanted), [str(item.hidden["pair_id"]) for item in items.values()])
        raise DataError(
            f"{option('attention')} names {len(wanted):,} pairs that are not among the items: {', '.join(names)}"
            f"{', …' if len(wanted) > len(names) else ''}. {hint if hint.startswith('Did') else ''}".rstrip()
        )
    return MadeItems(tuple(items.values()), dict(left_out))


def per_group(pairs: Iterable[Pair], k: int, *, seed: int = 0) -> list[Pair]:
    """Draw so many pairs of each group, such as five examples per template (the checklist paper, §3.2)."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.group or pair.id, []).append(pair)
    return [
        pair
        for name, members in groups.items()
        for pair in draws(seed, "annotate", name).sample(members, min(k, len(members)))
    ]


def hidden_of(pair: Pair) -> dict[str, Json]:
    """Return what raters never get to know about a pair, and exports need."""
    gold = {} if pair.gold is None else {"gold": str(pair.gold)}
    return {"pair_id": pair.id, "group": pair.group or pair.id, "table": table_id(pair), **gold}


def _stratum(pair: Pair, stratum: Stratum) -> str:
    if stratum is Stratum.LABEL:
        return "" if pair.gold is None else str(pair.gold)
    if stratum is Stratum.GROUP:
        return pair.group
    if stratum is Stratum.CATEGORY:
        if isinstance(pair.premise, Table):
            return pair.premise.category
        return next((facet.value for facet in pair.facets if facet.name == "capability"), "")
    return ""


def _known(task: Task, pair: Pair) -> dict[str, Json]:
    known = task.known(pair)
    if known is None:
        raise DataError(
            f"The pair '{pair.id:.80}' cannot be an attention item: what is right about it is not known. Name pairs "
            "whose answer nobody doubts."
        )
    return known
