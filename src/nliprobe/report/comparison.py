"""The console report of ``compare``: what changed between two systems, in the words that its pages use, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import (
    CompareDocument,
    ComparedSystem,
    Comparison,
    Difference,
    Flip,
    FlipSide,
    Overall,
    SideHead,
)
from nliprobe.report._tables import new_table, print_to, titled
from nliprobe.report.words import LEGEND, NOTHING, around, group_remarks, percent, plural, probability
from nliprobe.task.labels import THREE_WAY

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

TEST_WORDS = "adj. p: sign-flip test over groups, corrected by Holm; it alone decides: below 0.05 is better or worse"
KINDS = {"gold": "right answers", "expects": "expectations kept"}
SHORT = {"gold": "gold", "expects": "rule"}
NO_VERDICT = "no verdict"
CONSTANT_WORDS = "expectations kept: a constant answer keeps all that allow an answer to stay"
DETECTABLE_WORDS = (
    "seen from: a true difference of so many points is found in 80 of 100 such samples, if systems disagree as often, "
    "and cases of a group go together as much, as here; corrected: at the strictest level of Holm's correction"
)
MARGIN_WORDS = (
    "at worst: one-sided 95 % bound of the difference; the verdict is that of one-sided tests over groups at 5 %, "
    "corrected by Holm"
)
MARGIN_VERDICTS = {
    "better": "better",
    "not_worse": "not worse by more",
    "inferior": "worse by more",
    "undecided": "undecided",
}


def print_comparison(document: CompareDocument, console: Console | None = None) -> None:
    """Print a comparison to a console, by default to standard output."""
    print_to(console, render_comparison(document))


def render_comparison(document: CompareDocument) -> RenderableType:
    """Turn a comparison into something Rich can print; two systems in full, more of them as matrices."""
    from rich.console import Group
    from rich.text import Text

    from nliprobe.report.comparison_answer import answer_lines

    if len(document["systems"]) == 2:
        heads, body = ["Left   ", "Right  "], _two_systems(document)
    else:
        from nliprobe.report.comparison_many import many_systems

        heads = [f"{number:>2}  " for number in range(1, len(document["systems"]) + 1)]
        body = many_systems(document)
    parts: list[RenderableType] = [
        Text(head, style="bold").append(side_words(side), style="not bold")
        for head, side in zip(heads, ordered_systems(document), strict=True)
    ]
    parts += [Text(line, style="yellow") for line in side_warnings(document)]
    parts += [Text(LEGEND, style="dim"), "", *(Text(line, style="bold") for line in answer_lines(document)), *body]
    parts += titled("The suites differ", document["differences"]) + titled("Notes", document["notes"])
    return Group(*parts)


def _two_systems(document: CompareDocument) -> list[RenderableType]:
    """Show two systems: a table per kind, what could have been seen, then the flips."""
    from rich.text import Text

    parts: list[RenderableType] = []
    [pair] = document["pairs"]
    entries = pair["comparisons"]
    sure = decided(document)
    for kind, title in KINDS.items():
        same = [entry for entry in entries if entry["kind"] == kind]
        if same:
            heading = Text(title.capitalize(), style="bold cyan")
            parts += [
                "",
                heading.append("  percent; difference: right minus left, with 95 % interval", style="not bold dim"),
            ]
            parts += [*_tables(same, decided=sure), *(Text(line, style="dim") for line in _remarks(same))]
    if not entries:
        parts += ["", Text("Nothing to compare: no case has a gold label or expects anything.")]
    parts += _overall(pair["overall"], decided=sure)
    parts += _could_be_seen(entries, document["margin"], decided=sure)
    for entry in entries:
        parts += flip_lines(entry, "fixed", entry["fixed"], entry["fixed_examples"])
        parts += flip_lines(entry, "broken", entry["broken"], entry["broken_examples"])
    return parts


def ordered_systems(document: CompareDocument) -> list[ComparedSystem]:
    """Return the systems in the order of the document, left before right if there are two."""
    if len(document["systems"]) == 2 and document["pairs"]:
        first = document["pairs"][0]["left"]
        return sorted(document["systems"], key=lambda item: item["name"] != first)
    return document["systems"]


def _overall(entries: Sequence[Overall], *, decided: bool) -> list[RenderableType]:
    """Show families of probes over all corpora."""
    from rich.text import Text

    if not entries:
        return []
    table = new_table()
    for place, name in enumerate(("Family", "By", "n", "Left", "Right", "Difference", "Adj. p", "")):
        table.add_column(name, justify="right" if 2 <= place <= 6 else "left")
    for entry in entries:
        table.add_row(Text(entry["family"]), SHORT[entry["kind"]], *overall_cells(entry, decided=decided))
    heading = Text("Over all corpora and probes of a family", style="bold cyan")
    return ["", heading, table, Text("adj. p: corrected among these", style="dim")]


def overall_cells(entry: Overall, *, decided: bool = True) -> tuple[str, ...]:
    """Write a family of probes as cells: n, both sides, difference, p-value and words."""
    return (
        f"{entry['n']:,}",
        percent(entry["left"]),
        percent(entry["right"]),
        around(entry["difference"], entry["ci95"], sign=True),
        probability(entry["p_holm"]),
        difference_words(entry) if decided else NO_VERDICT,
    )


def _could_be_seen(entries: Sequence[Comparison], margin: float | None, *, decided: bool) -> list[RenderableType]:
    """Show how large a difference must be to be seen, and whether the right side is worse by no more than a margin."""
    from rich.text import Text

    compared = [entry for entry in entries if entry["n"]]
    if not compared:
        return []
    table = new_table()
    heads = ["Probe", "By", "Groups", "Seen from", "Corrected"]
    heads += [] if margin is None else ["At worst", f"Margin {100 * margin:g}"]
    for place, name in enumerate(heads):
        width = None if place else min(26, max(len(entry["corpus"]) for entry in compared))
        table.add_column(name, justify="right" if 2 <= place <= 5 else "left", overflow="fold", min_width=width)
    for corpus in dict.fromkeys(entry["corpus"] for entry in compared):
        table.add_row(Text(corpus, style="bold"))
        for entry in (entry for entry in compared if entry["corpus"] == corpus):
            cells = [f"{entry['groups']:,}", points(entry["detectable"]), points(entry["detectable_family"])]
            if margin is not None:
                cells += [bound_words(entry), margin_words(entry) if decided else NO_VERDICT]
            table.add_row(Text(entry["probe"]), SHORT[entry["kind"]], *cells)
    lines = [detectable_sentence(max(compared, key=lambda entry: entry["n"])), DETECTABLE_WORDS]
    lines += [] if margin is None else [MARGIN_WORDS]
    heading = Text("How small a difference could be seen", style="bold cyan").append("  points", style="not bold dim")
    return ["", heading, table, *(Text(line, style="dim") for line in lines)]


def in_words(entry: Comparison) -> str:
    """Say in a few words what a comparison shows."""
    if entry["difference"] is None or entry["p_holm"] is None:
        return "only left" if entry["only_left"] else "only right" if entry["only_right"] else "nothing to compare"
    return difference_words(entry)


def difference_words(entry: Difference) -> str:
    """Say in a few words what the difference of two sides that have cases in common shows."""
    if entry["difference"] is None:
        return "nothing to compare"
    if not entry["fixed"] and not entry["broken"]:
        return "the same"
    if not shown(entry):
        return "may be chance"
    return "better" if entry["difference"] > 0 else "worse"


def points(share: float | None) -> str:
    """Write a detectable difference in points; none can be seen if there is none."""
    return "none" if share is None else f"{100 * share:.1f}"


def bound_words(entry: Difference) -> str:
    """Write how low the difference may be."""
    return NOTHING if entry["margin"] is None else f"{100 * entry['margin']['bound']:+.1f}"


def margin_words(entry: Difference) -> str:
    """Say what a test against a margin shows."""
    if entry["margin"] is None:
        return "too few groups"
    verdict = entry["margin"]["verdict"]
    # A loss can be shown while it stays open whether it is larger than the margin.
    return "worse, perhaps by more" if verdict == "undecided" and shown(entry) else MARGIN_VERDICTS[verdict]


def detectable_sentence(entry: Comparison) -> str:
    """Say in a sentence how small a difference a comparison could see."""
    place = f"{entry['probe']} on {entry['corpus']}: with these {entry['n']:,} cases"
    place += "" if entry["groups"] == entry["n"] else f" of {plural(entry['groups'], 'group')}"
    if entry["detectable"] is None:
        return f"{place} no difference can be seen, however large"
    least = points(entry["detectable"])
    return f"{place} a true difference under {least} points is missed in more than 20 of 100 such samples"


def decided(document: CompareDocument) -> bool:
    """Tell whether a comparison supports a verdict: all runs are complete."""
    return all(side["integrity"]["state"] == "complete" for side in document["systems"])


def side_warnings(document: CompareDocument) -> list[str]:
    """Say of each system whether its run is unfinished or was read in part."""
    sides = ordered_systems(document)
    names = ["Left", "Right"] if len(sides) == 2 else [side["name"] for side in sides]
    return [
        f"{name}: {line}" for name, side in zip(names, sides, strict=True) for line in side["integrity"]["warnings"]
    ]


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
        in_words(entry) if decided else NO_VERDICT,
    )


def _remarks(entries: Sequence[Comparison]) -> list[str]:
    lines = ["fixed: wrong left, correct right; broken: the other way", TEST_WORDS]
    lines += [CONSTANT_WORDS] if any(entry["kind"] == "expects" for entry in entries) else []
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
        if entry["constant"] is not None:
            facts.append(f"a constant answer gets {percent(entry['constant'])} %")
        if entry["partition"] != str(THREE_WAY):
            facts.append(f"compared as {entry['partition']}")
        if facts:
            lines.append(f"{place}: {'; '.join(facts)}")
    return lines


def _otherwise_left_out(entry: Comparison) -> int:
    """Count the cases that are left out although they reach both systems, at least."""
    return max(0, entry["left_out"] - entry["unchanged_left"] - entry["unchanged_right"])


def flip_lines(entry: Comparison, word: str, total: int, examples: Sequence[Flip]) -> list[RenderableType]:
    """Show some cases that one side has right and the other wrong."""
    from rich.text import Text

    if not examples:
        return []
    title = f"{word.capitalize()} on {entry['corpus']}, {entry['probe']}, {KINDS[entry['kind']]}"
    parts: list[RenderableType] = ["", Text(title, style="bold cyan").append(f"  {len(examples)} of {total:,}", "dim")]
    for flip in examples:
        parts.append(Text(f"{flip['pair_id']}  ", style="dim").append(flip["hypothesis"], style="not dim"))
        parts.append(
            Text(f"    left {answer_words(flip['left'])}; right {answer_words(flip['right'])}  ({flip['case_id']})")
        )
    return parts


def answer_words(side: FlipSide) -> str:
    """Say what a side answered, before and after the edit, and what would have been right."""
    answer = side["answer"] or "none"
    moved = answer if side["before"] is None else f"{side['before']} → {answer}"
    if side["expected"]:
        return f"{moved} (expected {side['expected']})"
    return f"{moved} (allowed {side['allowed'] or 'nothing'})"


def side_words(head: SideHead) -> str:
    """Name a system and the run it is of."""
    return f"{head['system']} in {head['folder']}"
