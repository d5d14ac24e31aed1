"""The console report of ``compare``: what changed between two systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.compare.baseline import shown
from nliprobe.analysis.compare.documents import CompareDocument, Comparison, Flip, FlipSide, SideHead
from nliprobe.report._tables import new_table, print_to, titled
from nliprobe.report.words import LEGEND, around, group_remarks, percent, probability
from nliprobe.task.labels import THREE_WAY

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

TEST_WORDS = "adj. p: sign-flip test over groups, corrected by Holm; it alone decides: below 0.05 is better or worse"
KINDS = {"gold": "right answers", "expects": "expectations kept"}


def print_comparison(document: CompareDocument, console: Console | None = None) -> None:
    """Print a comparison to a console, by default to standard output."""
    print_to(console, render_comparison(document))


def render_comparison(document: CompareDocument) -> RenderableType:
    """Turn a comparison into something Rich can print: a table per kind, then the flips."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [
        Text("Left   ", style="bold").append(side_words(document["left"]), style="not bold"),
        Text("Right  ", style="bold").append(side_words(document["right"]), style="not bold"),
        *(Text(line, style="yellow") for line in side_warnings(document)),
        Text(LEGEND, style="dim"),
    ]
    entries = document["comparisons"]
    for kind, title in KINDS.items():
        same = [entry for entry in entries if entry["kind"] == kind]
        if same:
            heading = Text(title.capitalize(), style="bold cyan")
            parts += [
                "",
                heading.append("  percent; difference: right minus left, with 95 % interval", style="not bold dim"),
            ]
            parts += [*_tables(same, decided=decided(document)), *(Text(line, style="dim") for line in _remarks(same))]
    if not entries:
        parts += ["", Text("Nothing to compare: no case has a gold label or expects anything.")]
    for entry in entries:
        parts += _flips(entry, "fixed", entry["fixed"], entry["fixed_examples"])
        parts += _flips(entry, "broken", entry["broken"], entry["broken_examples"])
    parts += titled("The suites differ", document["differences"]) + titled("Notes", document["notes"])
    return Group(*parts)


def in_words(entry: Comparison) -> str:
    """Say in a few words what a comparison shows."""
    if entry["difference"] is None or entry["p_holm"] is None:
        return "only left" if entry["only_left"] else "only right" if entry["only_right"] else "nothing to compare"
    if not entry["fixed"] and not entry["broken"]:
        return "the same"
    if not shown(entry):
        return "may be chance"
    return "better" if entry["difference"] > 0 else "worse"


def decided(document: CompareDocument) -> bool:
    """Tell whether a comparison supports a verdict: both runs are complete."""
    return all(side["integrity"]["state"] == "complete" for side in (document["left"], document["right"]))


def side_warnings(document: CompareDocument) -> list[str]:
    """Say of each side whether its run is unfinished or was read in part."""
    sides = {"left": document["left"], "right": document["right"]}
    return [f"{name.capitalize()}: {line}" for name, side in sides.items() for line in side["integrity"]["warnings"]]


def _tables(entries: Sequence[Comparison], *, decided: bool) -> Iterator[RenderableType]:
    """Yield a table per corpus under its name; columns are alike in all of them and fit a terminal of 80 characters."""
    from rich.text import Text

    cells = [comparison_cells(entry, decided=decided) for entry in entries]
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *cells, strict=True)]
    colours = {"better": "bold green", "worse": "bold red"}
    for place, corpus in enumerate(dict.fromkeys(entry["corpus"] for entry in entries)):
        table = new_table()
        table.show_header = not place
        table.add_column(_COLUMNS[0], overflow="fold", width=min(widths[0], _LONGEST_PROBE))
        for name, width in zip(_COLUMNS[1:-1], widths[1:-1], strict=True):
            table.add_column(name, justify="right", no_wrap=True, min_width=width)
        table.add_column(_COLUMNS[-1], overflow="fold")
        for row in (row for entry, row in zip(entries, cells, strict=True) if entry["corpus"] == corpus):
            table.add_row(Text(row[0]), *row[1:-1], Text(row[-1], style=colours.get(row[-1], "dim")))
        yield Text(corpus, style="bold")
        yield table


_COLUMNS = ("Probe", "n", "Left", "Right", "Difference", "Fixed", "Broken", "Adj. p", "")
_LONGEST_PROBE = 16


def comparison_cells(entry: Comparison, *, decided: bool = True) -> tuple[str, ...]:
    """Write a comparison as the cells of a row: probe, n, both sides, difference, fixed, broken, p-value and words.

    Without ``decided`` the words say that there is no verdict.
    """
    return (
        entry["probe"],
        f"{entry['n']:,}",
        percent(entry["left"]),
        percent(entry["right"]),
        around(entry["difference"], entry["ci95"], sign=True),
        f"{entry['fixed']:,}",
        f"{entry['broken']:,}",
        probability(entry["p_holm"]),
        in_words(entry) if decided else "no verdict",
    )


def _remarks(entries: Sequence[Comparison]) -> list[str]:
    lines = ["fixed: wrong left, correct right; broken: the other way", TEST_WORDS]
    lines += group_remarks((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)
    for entry in entries:
        place = f"{entry['corpus']}, {entry['probe']}"
        facts = [
            f"{count:,} {words}"
            for count, words in (
                (entry["only_left"], "only left"),
                (entry["only_right"], "only right"),
                (entry["altered"], "with another text or expectation"),
                (entry["uncertain"], "with an uncertain expectation left out"),
                (entry["unchanged_left"], "do not reach the left system"),
                (entry["unchanged_right"], "do not reach the right system"),
                (_otherwise_left_out(entry), "left out because one side did not answer or cannot be judged"),
            )
            if count
        ]
        if entry["kind"] == "gold" and (entry["unanswered_left"] or entry["unanswered_right"]):
            silent = f"{entry['unanswered_left']:,} left and {entry['unanswered_right']:,} right"
            facts.append(f"unanswered counted as wrong: {silent}")
        if entry["partition"] != str(THREE_WAY):
            facts.append(f"compared as {entry['partition']}")
        if facts:
            lines.append(f"{place}: {'; '.join(facts)}")
    return lines


def _otherwise_left_out(entry: Comparison) -> int:
    """Count the cases that are left out although they reach both systems, at least."""
    return max(0, entry["left_out"] - entry["unchanged_left"] - entry["unchanged_right"])


def _flips(entry: Comparison, word: str, total: int, examples: Sequence[Flip]) -> list[RenderableType]:
    from rich.text import Text

    if not examples:
        return []
    title = f"{word.capitalize()} on {entry['corpus']}, {entry['probe']}, {KINDS[entry['kind']]}"
    parts: list[RenderableType] = ["", Text(title, style="bold cyan").append(f"  {len(examples)} of {total:,}", "dim")]
    for flip in examples:
        parts.append(Text(f"{flip['pair_id']}  ", style="dim").append(flip["hypothesis"], style="not dim"))
        parts.append(Text(f"    left {_answer(flip['left'])}; right {_answer(flip['right'])}  ({flip['case_id']})"))
    return parts


def _answer(side: FlipSide) -> str:
    answer = side["answer"] or "none"
    moved = answer if side["before"] is None else f"{side['before']} → {answer}"
    if side["expected"]:
        return f"{moved} (expected {side['expected']})"
    return f"{moved} (allowed {side['allowed'] or 'nothing'})"


def side_words(head: SideHead) -> str:
    """Name a system and the run it is of."""
    return f"{head['system']} in {head['folder']}"
