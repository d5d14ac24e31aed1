"""How far a run is, on the terminal and as lines of a log."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from nliprobe.analysis.watch import WatchDocument, WatchedSystem, Writing
from nliprobe.report._tables import new_table
from nliprobe.report.words import NOTHING, plural

if TYPE_CHECKING:
    from rich.console import RenderableType

_BAR = 16
_PROBLEMS = 3


def render_watch(document: WatchDocument) -> RenderableType:
    """Turn a look at a run into something Rich can print: a line per system."""
    from rich.console import Group
    from rich.text import Text

    styles = {"complete": "green", "unfinished": "yellow", "damaged": "red"}
    head = Text(f"Run {document['run']}", style="bold").append(
        f"  {document['state']}", style=styles[document["state"]]
    )
    table = new_table()
    table.add_column("System", overflow="fold")
    for name in ("", "Done", "Cases", "Per second", "Left"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for item in document["systems"]:
        rate = NOTHING if item["rate"] is None or item["complete"] else _rate(item["rate"])
        table.add_row(item["name"], _bar(item["share"]), _percent(item), f"{item['cases']:,}", rate, _left(item))
    lines = [_size(document), written_words(document), *_remarks(document)]
    shown = [table] if document["systems"] else []
    return Group(head, *shown, *(Text(line, style="dim") for line in lines if line))


def watch_line(document: WatchDocument) -> str:
    """Write a look at a run as one line of a log."""
    moment = datetime.fromisoformat(document["time"]).astimezone().strftime("%H:%M:%S")
    unfinished = [item for item in document["systems"] if not item["complete"]]
    done = [f"{len(document['systems']) - len(unfinished)} of {plural(len(document['systems']), 'system')} complete"]
    if document["state"] == "complete":
        return f"{moment} complete: {document['cases']:,} cases, {plural(len(document['systems']), 'system')}"
    done += [f"{item['name']} {_percent(item)} ({item['cases']:,} cases{_more(item)})" for item in unfinished]
    left = "" if document["seconds_left"] is None else f"; about {span(document['seconds_left'])} left"
    return f"{moment} {document['state']}: {', '.join(done)}{left}; {written_words(document)}"


def written_words(document: WatchDocument) -> str:
    """Say when something of a run was last written, and by whom if that can be seen."""
    since = document["seconds_since"]
    now = since is not None and since < 1
    words = "nothing written yet" if since is None else "written just now" if now else f"last written {span(since)} ago"
    writers = ", ".join(map(_writer, document["writers"]))
    return f"{words} (a file is begun by {writers})" if writers else words


def span(seconds: float) -> str:
    """Write a time in the two largest units that matter.

    >>> span(12), span(200), span(7500), span(200_000)
    ('12 s', '3 min', '2 h 5 min', '2 days 7 h')
    """
    if seconds < 90:
        return f"{round(seconds)} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours < 36:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} h" if hours else f"{days} days"


def _size(document: WatchDocument) -> str:
    made = f"{document['cases']:,} cases made"
    if document["total"] is not None:
        return f"{document['total']:,} cases of {plural(document['pairs'], 'pair')}"
    if document["expected_pairs"] is not None:
        of = f"from {document['pairs']:,} of {document['expected_pairs']:,} pairs"
        about = "" if document["about"] is None else f"; about {document['about']:,} in all"
        return f"{made} {of}{about}"
    return f"{made} from {plural(document['pairs'], 'pair')}; how many there will be is known when the last one is made"


def _remarks(document: WatchDocument) -> list[str]:
    lines = []
    if document["quiet"]:
        lines.append(
            "Nothing was written for much longer than between earlier shards: the run may have been stopped. Repeating "
            "its command continues it."
        )
    early = [item for item in document["systems"] if item["early"] and not item["complete"]]
    lines += [f"{item['name']}: {plural(item['early'], 'answer')} more, to shards that are not whole" for item in early]
    lines += [
        f"{item['name']}: {plural(item['failed'], 'input')} failed; the same command asks them again"
        for item in document["systems"]
        if item["failed"]
    ]
    lines += document["problems"][:_PROBLEMS]
    more = len(document["problems"]) - _PROBLEMS
    return [*lines, f"{more:,} more files are missing or altered."] if more > 0 else lines


def _writer(item: Writing) -> str:
    if not item["this_machine"]:
        return f"process {item['process']} of another machine"
    return f"process {item['process']} of this machine{', which has ended' if item['ended'] else ''}"


def _percent(item: WatchedSystem) -> str:
    if item["share"] is None:
        return NOTHING
    # Not 100 % before the last case is answered.
    share = item["share"] if item["complete"] else min(item["share"], 0.999)
    return f"{int(1000 * share) / 10:.1f} %"


def _left(item: WatchedSystem) -> str:
    if item["complete"]:
        return "complete"
    return NOTHING if item["seconds_left"] is None else f"about {span(item['seconds_left'])}"


def _more(item: WatchedSystem) -> str:
    early = f" and {plural(item['early'], 'answer')} more" if item["early"] else ""
    return early if item["rate"] is None else f"{early}, {_rate(item['rate'])}/s"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def _bar(share: float | None) -> str:
    filled = 0 if share is None else int(_BAR * share)
    return "█" * filled + "░" * (_BAR - filled)
