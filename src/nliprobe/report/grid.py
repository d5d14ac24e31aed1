"""A grid on the console, in the layout of the paper's Table 2: tests and genres down, shares across, the deviation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.grid import SAMPLING, TRAINING
from nliprobe.analysis.grid_documents import GridDeviation, GridDocument, GridRow, GridScore
from nliprobe.analysis.stress import PREFIX
from nliprobe.report._tables import evenly, new_table, print_to
from nliprobe.report.words import NOTHING, around, constant_words, group_remarks, percent
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

ABOUT = "S: percent right, with 95 % interval; R: S divided by that of 0 %, in percent"
# The widths of the columns, with the space between them.
_TEST, _GENRE, _SCORE, _GAP = 17, 13, 13, 2
# How the table marks a deviation that shows nothing.
_MARKS = {SAMPLING: "~", TRAINING: "≈"}


def print_grid(document: GridDocument, console: Console | None = None) -> None:
    """Print the table of each model, and what must be known to read it."""
    from rich.console import Group

    print_to(console, Group(*_parts(document)))


def grid_remarks(document: GridDocument) -> list[str]:
    """Say what the numbers are, and which of them say less than they seem to."""
    deviations, rows = document["deviations"], document["rows"]
    shares = ", ".join(_share(share) for share in document["over"])
    guesses = sorted({percent(row["chance"]) for row in rows}, reverse=True)
    lines = [f"constant: what always the same answer gets; guessing gets {' or '.join(guesses)}"]
    lines += (
        [f"deviation: the sum of (R - 1)² over {shares} and all genres of a test; 0 is a model that does not move"]
        if shares
        else []
    )
    if any(item["noise"] is not None for item in deviations):
        lines.append(
            "noise: the deviation that drawing other pairs alone would give on average; squares add up, so it is "
            "above 0. The interval below a deviation is without it"
        )
    if any(item["training_noise"] is not None for item in deviations):
        lines.append("seeds: the deviation that training again with another seed gives on average, with nothing edited")
    elif any(item["deviation"] is not None for item in deviations):
        lines.append("one seed: how far training again would move S is not known, and may be more than the noise")
    read = {item["reading"] for item in deviations}
    if SAMPLING in read:
        lines.append(f"{_MARKS[SAMPLING]} not shown to differ from what drawing other pairs gives (Holm's correction)")
    if TRAINING in read:
        lines.append(f"{_MARKS[TRAINING]} no larger than what training again with another seed gives")
    if any(item["deviation"] is not None and item["noise"] is None for item in deviations):
        lines.append("no noise and no interval: too few groups, or so few right answers at 0 % that R rests on nothing")
    lines += _one_label(rows)
    constant = [f"{item['system']} ({item['constant']})" for item in document["trainings"] if item["constant"]]
    if constant:
        lines.append(f"always the same answer, so that S is only how labels are distributed: {', '.join(constant)}")
    lines += [f"{item['system']} is missing: {item['error']}" for item in document["trainings"] if item["error"]]
    if any(row["likely"] for row in rows):
        lines.append("likely: the label holds for most of these pairs, but not for all")
    return lines + group_remarks((row["corpus"], row["n"], row["groups"]) for row in rows)


def _parts(document: GridDocument) -> Iterator[RenderableType]:
    from rich.text import Text

    edited = f", {document['through']} of {document['labels'] or 'all labels'}" if document["through"] else ""
    about = f"trained on {' and '.join(document['train'])}{edited}"
    for model in document["models"]:
        rows = [row for row in document["rows"] if row["model"] == model["name"]]
        if rows:
            yield ""
            yield Text(model["name"], style="bold cyan").append(f"  {about}; {ABOUT}", style="not bold dim")
            yield GridTable(rows, [item for item in document["deviations"] if item["model"] == model["name"]])
    yield ""
    for line in grid_remarks(document):
        yield Text(line, style="dim")


class GridTable:
    """Shows the tests of one model down and shares across, in as many tables as the width requires."""

    def __init__(self, rows: Sequence[GridRow], deviations: Sequence[GridDeviation]) -> None:
        self._rows = rows
        self._deviations = {(item["test"], item["likely"]): item for item in deviations}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Spread the shares evenly over as few tables as fit."""
        shares = [score["share"] for score in self._rows[0]["scores"]]
        fitting = max(1, (options.max_width - _TEST - _GENRE) // _SCORE)
        for place, some in enumerate(evenly([f"{share:g}" for share in shares], fitting)):
            if place:
                yield ""
            yield self._table([share for share in shares if f"{share:g}" in some], first=place == 0)

    def _table(self, shares: Sequence[float], *, first: bool) -> Table:
        from rich.text import Text

        table = new_table()
        table.add_column("Test\ndeviation" if first else "Test", overflow="fold", min_width=_TEST - _GAP)
        table.add_column("Genre, n\nconstant", overflow="fold", min_width=_GENRE - _GAP)
        for share in shares:
            table.add_column(f"S {_share(share)}\nR", justify="right", overflow="fold", min_width=_SCORE - _GAP)
        for place, row in enumerate(self._rows):
            key = row["test"], row["likely"]
            before = self._rows[place - 1] if place else None
            begins = before is None or (before["test"], before["likely"]) != key
            after = self._rows[place + 1] if place + 1 < len(self._rows) else None
            table.add_row(
                self._test(row, self._deviations[key] if first else None) if begins else "",
                Text(row["genre"]).append(f"\n{row['n']:,}\n{constant_words(row['constant'])}", style="dim"),
                *(_score(score) for score in row["scores"] if score["share"] in shares),
                end_section=after is None or (after["test"], after["likely"]) != key,
            )
        return table

    def _test(self, row: GridRow, deviation: GridDeviation | None) -> Text:
        from rich.text import Text

        name = "unedited" if row["test"] == IDENTITY else row["test"].removeprefix(PREFIX)
        cell = Text(f"{name}, likely" if row["likely"] else name)
        return cell if deviation is None else cell.append("\n").append(_deviation(deviation))


def _score(score: GridScore) -> Text:
    from rich.text import Text

    # What is not symmetric comes below its estimate, so that all columns fit.
    cell = Text(around(score["accuracy"], score["ci95"]).replace(" [", "\n["), style="bold")
    if score["sd"] is not None:
        cell.append(f"\nsd {100 * score['sd']:.1f}", style="not bold dim")
    if score["share"] and score["ratio"] is not None:
        ends = score["ratio_ci95"]
        # In whole percents, as in the paper.
        cell.append(f"\n{100 * score['ratio']:.0f}", style="not bold")
        cell.append("" if ends is None else f"\n[{100 * ends[0]:.0f}, {100 * ends[1]:.0f}]", style="not bold dim")
    return cell


def _deviation(item: GridDeviation) -> Text:
    from rich.text import Text

    if item["deviation"] is None:
        return Text(NOTHING)
    mark = _MARKS.get(item["reading"] or "", "")
    spread = "" if item["sd"] is None else f" ±{item['sd']:.3f}"
    cell = Text(f"{mark}{item['deviation']:.3f}{spread}", style="" if mark else "bold")
    if item["ci95"] is not None:
        cell.append("\n[{:.3f}, {:.3f}]".format(*item["ci95"]), style="not bold")
    if item["noise"] is not None:
        cell.append(f"\nnoise {item['noise']:.3f}", style="not bold dim")
    if item["training_noise"] is not None:
        cell.append(f"\nseeds {item['training_noise']:.3f}", style="not bold dim")
    return cell


def _share(share: float) -> str:
    return f"{round(100 * share, 6):g} %"


def _one_label(rows: Sequence[GridRow]) -> list[str]:
    alone = dict.fromkeys(
        (row["test"], row["constant"]["label"])
        for row in rows
        if row["constant"] is not None and row["constant"]["accuracy"] == 1
    )
    return [
        f"{test}: every pair is {label}, so a model that answers {label} more often gets more right there; it means "
        "something only beside the accuracy on unedited pairs"
        for test, label in alone
    ]
