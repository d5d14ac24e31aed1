"""Following an edit in the reports: what answers do when an edit changes the gold label, and when it keeps it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.following_documents import Followed, FollowingEntry
from nliprobe.report._tables import new_table
from nliprobe.report.plots import share_plots
from nliprobe.report.svg import Dot
from nliprobe.report.words import NOTHING, around, percent, plural
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from rich.table import Table

TITLE = "Following an edit"
ABOUT = "percent of the edits with both answers right, before the edit and after it, with 95 % interval"
COLUMNS = (
    "system", "corpus", "edits", "both right", "of right before", "before only", "after only", "neither",
    "best constant", "chance", "best control", "gain", "n", "groups",
)  # fmt: skip
_KINDS = {"changes": "label changes", "keeps": "label kept"}


class _Row(NamedTuple):
    """One line of the tables: which edits they are, and what was done with them."""

    entry: FollowingEntry
    edits: str
    followed: Followed
    value: str = ""

    @property
    def part(self) -> bool:
        """Whether these are the edits of one kind only."""
        return bool(self.value)


def shown_following(document: ShowDocument) -> list[FollowingEntry]:
    """Return what the reports show: not the edits of premises, whose numbers the counterfactuals have already."""
    elsewhere: Counter[tuple[str, str]] = Counter()
    for entry in document["counterfactuals"]:
        if entry["probe"] == IDENTITY:
            elsewhere[entry["system"], entry["corpus"]] += entry["n"] + entry["identical"]
    return [entry for entry in document["following"] if elsewhere[entry["system"], entry["corpus"]] < entry["n"]]


def following_cells(entries: Sequence[FollowingEntry]) -> Iterator[list[str]]:
    """Write the cells of all rows under ``COLUMNS``: per system and corpus all edits, then those of each kind."""
    for row in _rows(entries):
        followed = row.followed
        yield [
            row.entry["system"],
            row.entry["corpus"],
            row.edits,
            around(followed["rate"]["rate"], followed["rate"]["ci95"]),
            around(followed["of_right"]["rate"], followed["of_right"]["ci95"]),
            *_others(followed),
            percent(followed["constant"]),
            percent(followed["chance"]),
            _control(followed),
            around(followed["gain"], followed["gain_ci95"], sign=True),
            f"{followed['rate']['n']:,}",
            f"{followed['groups']:,}",
        ]


def following_table(entries: Sequence[FollowingEntry], *, parts: bool) -> Table:
    """Show the answers of one system to edits, corpus by corpus.

    Args:
        entries: the system on the corpora with edited pairs.
        parts: whether to show the kinds of edits that change the label, too.
    """
    from rich.text import Text

    table = new_table()
    table.add_column("Edits", overflow="fold", min_width=14)
    table.add_column("n", justify="right")
    table.add_column("Both right", justify="right", no_wrap=True)
    for name in ("Before", "After", "Neither", "Control"):
        table.add_column(name, justify="right")
    for row in _rows(entries):
        followed = row.followed
        if row.part and (not parts or row.followed["constant"]):
            continue
        edits = Text(f"  {row.value}", style="dim") if row.part else Text(f"{row.entry['corpus']}: {row.edits}")
        table.add_row(
            edits,
            f"{followed['rate']['n']:,}",
            Text(around(followed["rate"]["rate"], followed["rate"]["ci95"]), style="" if row.part else "bold"),
            *_others(followed),
            percent(followed["control_rate"]),
        )
    return table


def following_remarks(entries: Sequence[FollowingEntry]) -> list[str]:
    """Say what the columns mean, what comes for free, and what was not counted."""
    lines = [
        "label changes: an answer follows the edit if it is right before and after; a constant answer never does",
        "before: right before the edit only; after: right after it only; no answer counts as wrong",
    ]
    for blocks in dict.fromkeys(entry["partition"] for entry in entries):
        chance = next(entry["changes"]["chance"] for entry in entries if entry["partition"] == blocks)
        lines.append(f"guessing among {blocks.replace('|', ', ')} gets {percent(chance)} of either")
    rivals = [followed["control"] for entry in entries for followed in (entry["changes"], entry["keeps"])]
    names = ", ".join(dict.fromkeys(name for name in rivals if name))
    if names:
        lines.append(f"control: what the best system gets that cannot use the premise ({names})")
    for entry in entries:
        who = f"{entry['system']} on {entry['corpus']}"
        unreached = entry["changes"]["unreached"] + entry["keeps"]["unreached"]
        if unreached:
            lines.append(f"{who}: {plural(unreached, 'edit')} did not reach the system, which read the same as before")
    unlabelled = {entry["corpus"]: entry["unlabelled"] for entry in entries if entry["unlabelled"]}
    lines.extend(f"{corpus}: {plural(n, 'edit')} without a gold label left out" for corpus, n in unlabelled.items())
    return lines


def following_section(entries: Sequence[FollowingEntry], controls: Collection[str] = ()) -> dict[str, object] | None:
    """Prepare the section of the page; None if no corpus has pairs that were made from others.

    Args:
        entries: the systems on the corpora with edited pairs.
        controls: the names of the systems that cannot use their premise.
    """
    if not entries:
        return None
    dots: dict[str, list[Dot]] = {}
    for row in _rows(entries):
        if not row.part:
            dots.setdefault(row.entry["corpus"], []).append(_dot(row, controls))
    return {
        "title": TITLE,
        "plots": share_plots(dots),
        "columns": COLUMNS,
        "rows": list(following_cells(entries)),
        "remarks": following_remarks(entries),
    }


def _rows(entries: Sequence[FollowingEntry]) -> Iterator[_Row]:
    for entry in entries:
        for kind, words in _KINDS.items():
            followed = entry["changes"] if kind == "changes" else entry["keeps"]
            if not followed["rate"]["n"]:
                continue
            yield _Row(entry, words, followed)
            for item in entry["by"]:
                part = item["changes"] if kind == "changes" else item["keeps"]
                if part["rate"]["n"]:
                    yield _Row(entry, f"{words}, {item['facet']} {item['value']}", part, item["value"])


def _dot(row: _Row, controls: Collection[str]) -> Dot:
    rate = row.followed["rate"]
    value = rate["rate"] or 0.0
    low, high = rate["ci95"] or [value, value]
    return Dot(f"{row.entry['system']}, {row.edits}", value, low, high, row.entry["system"] in controls)


def _others(followed: Followed) -> list[str]:
    """Write the shares of edits with one answer right, or none."""
    n, outcomes = followed["rate"]["n"], followed["outcomes"]
    counts = (outcomes["before"], outcomes["after"], outcomes["neither"])
    return [percent(count / n) if n else NOTHING for count in counts]


def _control(followed: Followed) -> str:
    rate, name = followed["control_rate"], followed["control"]
    return NOTHING if rate is None or name is None else f"{percent(rate)} ({name})"
