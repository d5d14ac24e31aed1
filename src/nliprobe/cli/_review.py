"""Show a case that a person settles: the premise, the original, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nliprobe.base.visible import visible
from nliprobe.language.content import content_words
from nliprobe.people.review.merge import said_by
from nliprobe.people.review.records import Decision, ReviewItem, Verdict
from nliprobe.people.review.tally import ReviewDocument, RuleTally, ShareDocument
from nliprobe.report.words import percent, plural
from nliprobe.task.labels import NAMES
from nliprobe.task.pair import Span
from nliprobe.task.table import Row, Table

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

# What stands before a row that shares words with the edit, and before one that shares some with the hypothesis.
EDITED, SHARED = "▸", "·"
_STYLES = {EDITED: "bold yellow", SHARED: "", "": "dim"}


def render_item(item: ReviewItem, decision: Decision | None, head: str, *, blind: bool, plain: bool) -> RenderableType:
    """Turn a case into something Rich can print.

    Args:
        item: the case.
        decision: what was decided about it before, if anything was.
        head: what stands above it, such as how many are left.
        blind: whether labels and rules, from which the expected label could be guessed, are hidden.
        plain: whether there are no colours, so that what was changed is put in brackets.
    """
    from rich.console import Group
    from rich.text import Text

    about = [item.kind, *([] if blind else [item.rule, item.certainty])]
    title = Text(head, style="bold cyan").append(f"  {' · '.join(filter(None, about))}", style="not bold dim")
    parts: list[RenderableType] = ["", title, *_premise(item)]
    label = "" if blind else _label(item.gold)
    parts.append(_hypothesis("original", label, item.original, item.changed_before, "red", plain=plain))
    expected = "" if blind else _label(item.expected, "expected ")
    parts.append(_hypothesis("perturbed", expected, item.perturbed, item.changed, "bold green", plain=plain))
    if decision is not None:
        parts.append(Text(_earlier(decision), style="magenta"))
    return Group(*parts)


def summary_lines(document: ReviewDocument) -> Iterator[str]:
    """Yield the lines of what was decided so far."""
    total = document["all"]
    decided = total["cases"] - total["open"]
    open_cases = f"{decided:,} of {plural(total['cases'], 'case')} settled"
    counts = f"{total['accepted']:,} accepted, {total['fixed']:,} fixed, {total['rejected']:,} rejected"
    yield f"{open_cases}: {counts}; {total['open']:,} open"
    if document["conflicts"]:
        yield f"{plural(len(document['conflicts']), 'case')} in conflict, to be decided again"
    if decided:
        yield f"{'kind, rule':<44} {'accepted':>8} {'fixed':>6} {'rejected':>8}  expected label right (95 % interval)"
        rows = [("all", total), *((kind["kind"], kind) for kind in document["kinds"])]
        rows += [(f"  {rule['kind']}: {rule['rule']}", rule) for rule in document["rules"] if rule["rule"]]
        for name, row in rows:
            if row["cases"] > row["open"]:
                yield f"{name:<44.44} {_row(row)}"
    if total["blind"]["n"]:
        yield f"judged without seeing the expected label: {shown_share(total['blind'])} right"
    for note in document["notes"]:
        yield f"note: {note}"


def shown_share(share: ShareDocument) -> str:
    """Return a share in percent with its interval and the number of cases."""
    if share["share"] is None:
        return "–"
    ends = "" if share["ci95"] is None else f" ({100 * share['ci95'][0]:.1f} to {100 * share['ci95'][1]:.1f})"
    return f"{percent(share['share'])} %{ends}, {share['count']:,} of {share['n']:,}"


def _row(row: RuleTally) -> str:
    counts = f"{row['accepted']:>8,} {row['fixed']:>6,} {row['rejected']:>8,}"
    return f"{counts}  {shown_share(row['right'])}"


def _premise(item: ReviewItem) -> list[RenderableType]:
    from rich.table import Table as Grid
    from rich.text import Text

    premise = item.premise
    if not isinstance(premise, Table):
        return [Text(premise)]
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=1)
    for _ in range(max(2, len(premise.columns))):
        grid.add_column(overflow="fold")
    if premise.columns:
        grid.add_row("", *(Text(visible(name), style="bold") for name in premise.columns))
    for row, mark in zip(premise.rows, row_marks(item, premise), strict=True):
        # Made visible here already, because the widths of columns are measured before the console does it.
        cells = row.values if premise.columns else (row.key, "; ".join(row.values))
        grid.add_row(Text(mark), *(Text(visible(cell), style=_STYLES[mark]) for cell in cells))
    return [Text(premise.title, style="bold"), grid]


def row_marks(item: ReviewItem, table: Table) -> list[str]:
    """Mark the rows that share words with what was changed, and those that share some with the hypothesis.

    The title does not count: nearly every hypothesis has it.
    """
    title = content_words(table.title)
    start, stop = item.changed_before
    edited = content_words(item.original[start:stop]) | content_words(item.perturbed[slice(*item.changed)])
    said = (content_words(item.original) | content_words(item.perturbed)) - title
    return [_mark(_row_words(row), edited - title, said) for row in table.rows]


def _row_words(row: Row) -> frozenset[str]:
    return content_words(" ".join((row.key, *row.values)))


def _mark(words: frozenset[str], edited: frozenset[str], said: frozenset[str]) -> str:
    return EDITED if words & edited else SHARED if words & said else ""


def _hypothesis(name: str, label: str, text: str, span: Span, style: str, *, plain: bool) -> Text:
    from rich.text import Text

    start, stop = span
    marked = f"[{text[start:stop]}]" if plain and start != stop else text[start:stop]
    line = Text(f"{name:<9} ", style="dim")
    line.append(text[:start], style="not dim").append(marked, style=f"not dim {style}")
    line.append(text[stop:], style="not dim")
    return line.append(f"  {label}", style="not dim bold") if label else line


def _label(letters: str, before: str = "") -> str:
    if not letters:
        return f"({before}label unknown)"
    return f"({before}{letters}, {' or '.join(NAMES[letter] for letter in letters)})"


def _earlier(decision: Decision) -> str:
    """Say what was decided before."""
    if decision.verdict is Verdict.CONFLICT:
        return f"two people disagree: {decision.remark}"
    return f"before: {said_by(decision)}"
