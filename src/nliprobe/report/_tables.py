"""The console tables of a run: the scorecard, and for each probe how answers change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.documents import (
    LEVEL,
    Gain,
    MeanRate,
    Rate,
    ScoreEntry,
    SystemHead,
    TransitionAverage,
    Transitions,
)
from nliprobe.report.terminal import new_console
from nliprobe.report.words import NOTHING, around, constant_words, control_words, label_shares, percent, weighs_alike
from nliprobe.task.labels import THREE_WAY, LabelSet
from nliprobe.task.relations import Relation

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

# The width of a system's name in the scorecard before it is folded, and the space between columns.
_NAME, _GAP = 24, 2
PROHIBITED = "*"


class Scorecard:
    """Shows systems down and corpora across, in as many tables as the width requires."""

    def __init__(self, entries: Sequence[ScoreEntry], gains: Sequence[Gain], systems: Sequence[SystemHead]) -> None:
        self._cells = {(entry["system"], entry["corpus"]): entry for entry in entries}
        self._gains = {(gain["system"], gain["corpus"]): gain for gain in gains}
        self._controls = {system["name"]: control_words(system) for system in systems}
        self._systems = list(dict.fromkeys(entry["system"] for entry in entries))
        self._corpora = list(dict.fromkeys(entry["corpus"] for entry in entries))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Spread the corpora evenly over as few tables as fit."""
        name = min(_NAME, max(_width(self._name(system)) for system in self._systems))
        cell = max(_width(self._cell(system, corpus)) for system in self._systems for corpus in self._corpora)
        cell = max(cell, *(len(line) for corpus in self._corpora for line in corpus.splitlines()))
        fitting = max(1, (options.max_width - name) // (cell + _GAP))
        for place, corpora in enumerate(evenly(self._corpora, fitting)):
            if place:
                yield ""
            yield self._table(corpora, cell)

    def _table(self, corpora: Sequence[str], width: int) -> Table:
        from rich.text import Text

        table = new_table()
        table.add_column("System", overflow="fold", max_width=None if len(corpora) == 1 else _NAME)
        for corpus in corpora:
            table.add_column(Text(corpus), overflow="fold", min_width=width)
        for system in self._systems:
            table.add_row(self._name(system), *(self._cell(system, corpus) for corpus in corpora))
        table.add_row(Text("best constant", style="dim"), *(self._constant(corpus) for corpus in corpora))
        return table

    def _name(self, system: str) -> Text:
        from rich.text import Text

        name = Text(system)
        control = self._controls.get(system)
        return name.append(f"\n{control}", style="dim") if control else name

    def _constant(self, corpus: str) -> Text:
        """Show what the best constant answer gets; systems that tell fewer labels apart may have another one."""
        from rich.text import Text

        known = [entry for (_, name), entry in self._cells.items() if name == corpus and entry["constant"] is not None]
        finest = max(known, key=lambda entry: len(entry["partition"]), default=None)
        if finest is None:
            return Text(NOTHING, style="dim")
        shares = f"\n{label_shares(finest)}" if finest["labels"] else ""
        return Text(f"{constant_words(finest['constant'])}{shares}", style="dim")

    def _cell(self, system: str, corpus: str) -> Text:
        from rich.text import Text

        entry = self._cells.get((system, corpus))
        if entry is None:
            return Text(NOTHING)
        cell = Text(around(entry["accuracy"], entry["ci95"]), style="bold")
        gain = self._gains.get((system, corpus))
        if gain is not None:
            cell.append(f"\ngain {around(gain['gain'], gain['ci95'], sign=True)}", style=_gain_style(gain))
        if weighs_alike(entry):
            cell.append(f"\nlabels alike {percent(entry['balanced'])}", style="not bold dim")
        if entry["partition"] != str(THREE_WAY):
            cell.append(f"\nas {entry['partition']}", style="not bold dim")
        if entry["unanswered"]:
            cell.append(f"\n{entry['unanswered']:,} unanswered", style="not bold yellow")
        return cell


def transition_table(
    entries: Sequence[Transitions], average: TransitionAverage | None, *, likely: bool = False
) -> Table:
    """Show how one system's answers change under one probe, corpus by corpus, with the average at the end.

    Args:
        entries: the transitions of one system and probe.
        average: their average over corpora, if there is one.
        likely: whether prohibited rates are left to a table that shows certain and likely ones side by side.
    """
    labels = list(dict.fromkeys(label for entry in entries for label in entry["labels"]))
    table = new_table()
    table.add_column("Corpus", overflow="fold", min_width=8)
    table.add_column("Before")
    table.add_column("n", justify="right")
    for label in labels:
        table.add_column(f"to {label}", justify="right")
    table.add_column("Changed", justify="right")
    if not likely:
        table.add_column("Prohibited", justify="right", min_width=11)
    for entry in entries:
        _add_corpus(table, entry, labels, rates=not likely)
    if average is not None and len(average["corpora"]) > 1 and not likely:
        _add_average(table, average, labels)
    return table


def certainty_table(entries: Sequence[Transitions], average: TransitionAverage | None) -> Table:
    """Show the prohibited rates of one system under one probe: of certain expectations, and of likely ones."""
    from rich.text import Text

    table = new_table()
    table.add_column("Prohibited", overflow="fold", min_width=8)
    table.add_column("Before")
    for name in ("certain", "likely"):
        table.add_column("n", justify="right")
        table.add_column(name, justify="right", min_width=11)
    for entry in entries:
        likely = entry["likely"]
        rows = [(old, entry["prohibited"][old], likely["prohibited"][old]) for old in entry["labels"]]
        rows.append(("all", entry["prohibited_overall"], likely["prohibited_overall"]))
        for place, (old, *rates) in enumerate(rows):
            cells = [cell for rate in rates for cell in (f"{rate['n']:,}", _rate(rate))]
            last = old == "all"
            corpus = Text(entry["corpus"] if place == 0 else "")
            table.add_row(corpus, old, *cells, style="bold" if last else "", end_section=last)
    if average is not None and len(average["corpora"]) > 1:
        sure = {**average["prohibited"], "all": average["prohibited_overall"]}
        for place, (old, rate) in enumerate(sure.items()):
            probable = average["prohibited_likely"] if old == "all" else None
            words = "" if probable is None else around(probable["rate"], probable["ci95"])
            shown = around(rate["rate"], rate["ci95"])
            style = "bold" if old == "all" else ""
            table.add_row("average" if place == 0 else "", old, "", shown, "", words, style=style)
    return table


def new_table() -> Table:
    """Make an empty table in the style of all console reports."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True, show_edge=False)


def evenly(names: Sequence[str], most: int) -> list[Sequence[str]]:
    """Split names into as few groups of at most ``most`` as possible, all of nearly the same size."""
    groups = max(1, math.ceil(len(names) / most))
    size = max(1, math.ceil(len(names) / groups))
    return [names[start : start + size] for start in range(0, len(names), size)]


def titled(title: str, lines: Sequence[str]) -> list[RenderableType]:
    """Show lines under a title, after an empty line; show nothing if there are no lines."""
    from rich.text import Text

    return ["", Text(title, style="bold cyan"), *(Text(line) for line in lines)] if lines else []


def print_to(console: Console | None, content: RenderableType) -> None:
    """Print to a console, by default to standard output; colours appear only on a terminal."""
    (console or new_console()).print(content)


def _add_corpus(table: Table, entry: Transitions, labels: Sequence[str], *, rates: bool) -> None:
    from rich.text import Text

    relations = [Relation.parse(text) for text in entry["relations"]]
    for place, old in enumerate(entry["labels"]):
        row = entry["row_percent"][old]
        stays = row[old]
        table.add_row(
            Text(entry["corpus"] if place == 0 else ""),
            old,
            f"{entry['prohibited'][old]['n']:,}",
            *(_share(entry, relations, old, new) for new in labels),
            NOTHING if stays is None else f"{100 - stays:.1f}",
            *([_rate(entry["prohibited"][old])] if rates else []),
        )
    silent = f"{entry['unanswered']:,} unanswered" if entry["unanswered"] else ""
    table.add_row(
        Text(silent, style="yellow"),
        "all",
        f"{entry['n']:,}",
        *[""] * len(labels),
        percent(entry["changed"]["rate"]),
        *([_rate(entry["prohibited_overall"])] if rates else []),
        style="bold",
        end_section=True,
    )


def _add_average(table: Table, average: TransitionAverage, labels: Sequence[str]) -> None:
    from rich.text import Text

    rates: Mapping[str, MeanRate] = {**average["prohibited"], "all": average["prohibited_overall"]}
    for place, (label, rate) in enumerate(rates.items()):
        table.add_row(
            Text("average" if place == 0 else ""),
            label,
            "",
            *[""] * len(labels),
            percent(average["changed"]["rate"]) if label == "all" else "",
            around(rate["rate"], rate["ci95"]),
            style="bold" if label == "all" else "",
        )


def _share(entry: Transitions, relations: Sequence[Relation], old: str, new: str) -> Text:
    from rich.text import Text

    share = entry["row_percent"][old].get(new)
    if share is None:
        return Text(NOTHING)
    text = f"{share:.1f}"
    # Relations of one probe may differ from case to case; a cell is marked if some of them forbid it.
    if not any(not set(relation(LabelSet.of(old))) & set(new) for relation in relations):
        return Text(f"{text} ")
    happened = entry["prohibited_counts"][old].get(new, 0) > 0
    return Text(f"{text}{PROHIBITED}", style="bold red" if happened else "dim")


def _rate(rate: Rate) -> str:
    if rate["rate"] is None:
        return "any allowed" if rate["n"] else NOTHING
    return around(rate["rate"], rate["ci95"])


def _width(text: Text) -> int:
    return max(line.cell_len for line in text.split())


def _gain_style(gain: Gain) -> str:
    """Return green for a gain that is shown, red for any other."""
    return "not bold green" if gain["gain"] > 0 and gain["p_holm"] < LEVEL else "not bold red"
