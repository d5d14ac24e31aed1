"""The swap evaluation in the reports: a row per gold label, what it shows in words, and the doubtful neutrals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.swap.documents import Consistency, DoubtfulNeutral, Swap, SwapCorpus, SwapEntry, SwapLabel
from nliprobe.report._tables import new_table
from nliprobe.report.words import NOTHING, around, percent, plural, shortened

if TYPE_CHECKING:
    from rich.table import Table

TITLE = "Swap test"
ABOUT = "percent of the pairs that get their gold label, as they are and with both texts exchanged"
COLUMNS = (
    "system", "corpus", "gold", "original", "swapped", "drop", "verdict", "best constant", "chance",
    "control, original", "control, swapped", "n", "groups", "unanswered",
)  # fmt: skip
CONSISTENT = (
    "system", "corpus", "gold", "same label %", "mean divergence", "median", "far apart %", "control, same label %",
    "control, mean", "n", "with probabilities",
)  # fmt: skip
WITHOUT = "without doubtful"
STAR = "*"
_STYLES = {"shortcuts": "bold red", "warning": "bold yellow", "control": "dim"}
# What matters most is said first.
_ORDER = ("shortcuts", "warning", "undecided", "no sign", "expected", "control")
_LINE = 90


def gold_words(row: SwapLabel) -> str:
    """Write the gold label of a row, and whether doubtful neutrals are left out."""
    return row["label"] if row["doubtful"] else f"{row['label']} {WITHOUT}"


def swap_cells(entries: Sequence[SwapEntry]) -> Iterator[list[str]]:
    """Write the cells of all rows under ``COLUMNS``."""
    for entry in entries:
        for row in entry["labels"]:
            control = row["control"]
            yield [
                entry["system"],
                entry["corpus"],
                gold_words(row),
                around(row["original"], row["original_ci95"]),
                around(row["swapped"], row["swapped_ci95"]),
                around(row["drop"], row["drop_ci95"], sign=True),
                row["verdict"],
                percent(row["constant"]),
                percent(row["chance"]),
                NOTHING if control is None else f"{percent(control['original'])} ({control['system']})",
                NOTHING if control is None else percent(control["swapped"]),
                f"{row['n']:,}",
                f"{row['groups']:,}",
                f"{row['unanswered']:,}",
            ]


def consistency_cells(entries: Sequence[SwapEntry]) -> Iterator[list[str]]:
    """Write the cells of all rows under ``CONSISTENT``."""
    for entry in entries:
        for row in entry["consistency"]:
            control = row["control"]
            yield [
                entry["system"],
                entry["corpus"],
                row["label"],
                around(row["same"]["rate"], row["same"]["ci95"]),
                bits_around(row),
                _bits(row["median"]),
                around(row["above"]["rate"], row["above"]["ci95"]),
                NOTHING if control is None else f"{percent(control['same'])} ({control['system']})",
                NOTHING if control is None else _bits(control["mean"]),
                f"{row['n']:,}",
                f"{row['scored']:,}",
            ]


def swap_table(entries: Sequence[SwapEntry]) -> Table:
    """Show one system on all corpora, a row per gold label; a star marks that doubtful neutrals are left out."""
    from rich.text import Text

    table = new_table()
    table.add_column("Corpus", overflow="fold", min_width=9)
    table.add_column("Gold")
    table.add_column("n", justify="right")
    for name in ("Original", "Swapped", "Drop", "Control"):
        table.add_column(name, justify="right")
    table.add_column("Shows", no_wrap=True, min_width=len("undecided"))
    for entry in entries:
        for place, row in enumerate(entry["labels"]):
            table.add_row(
                Text(entry["corpus"] if place == 0 else ""),
                row["label"] if row["doubtful"] else f"{row['label']}{STAR}",
                f"{row['n']:,}",
                around(row["original"], row["original_ci95"]),
                around(row["swapped"], row["swapped_ci95"]),
                Text(around(row["drop"], row["drop_ci95"], sign=True), style="bold"),
                NOTHING if row["control"] is None else f"{100 * row['control']['drop']:+.1f}",
                Text(row["verdict"], style=_STYLES.get(row["verdict"], "")),
                end_section=place == len(entry["labels"]) - 1,
            )
    return table


def consistency_table(entries: Sequence[SwapEntry]) -> Table:
    """Show how much answers move where the label is kept, and probabilities if some system has them."""
    from rich.text import Text

    weighed = any(row["scored"] for entry in entries for row in entry["consistency"])
    table = new_table()
    table.add_column("System", overflow="fold", min_width=8)
    table.add_column("Gold")
    for name in ("Same label", *(("Mean bits", "Median", "Far apart") if weighed else ()), "Control"):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in entries:
        head = Text(entry["system"]).append(f"\n{entry['corpus']}", style="dim")
        for place, row in enumerate(entry["consistency"]):
            bits = [bits_around(row), _bits(row["median"]), around(row["above"]["rate"], row["above"]["ci95"])]
            table.add_row(
                head if place == 0 else "",
                row["label"],
                around(row["same"]["rate"], row["same"]["ci95"]),
                *(bits if weighed else []),
                _control_consistency(row),
            )
    return table


def swap_readings(swap: Swap) -> list[str]:
    """Say in sentences what the drops show, for each system the weightiest first; controls are said once."""
    lines: list[str] = []
    for system in dict.fromkeys(entry["system"] for entry in swap["entries"]):
        entries = [entry for entry in swap["entries"] if entry["system"] == system]
        places: dict[tuple[int, str], dict[str, str]] = {}
        for entry in entries:
            for row in entry["labels"]:
                where = places.setdefault((_ORDER.index(row["verdict"]), row["reading"]), {})
                # Without doubtful neutrals only what differs is worth a word.
                where.setdefault(
                    f"{row['label']} on {entry['corpus']}", f"{gold_words(row)} on {entry['corpus']}{_points(row)}"
                )
        for (rank, reading), where in sorted(places.items(), key=lambda item: item[0]):
            subject = system if _ORDER[rank] == "control" else f"{system}, {', '.join(where.values())}"
            lines.append(f"{subject}: {reading}")
    return lines


def swap_remarks(swap: Swap) -> list[str]:
    """Say what the columns mean, what comes for free, and what was not counted."""
    entries = swap["entries"]
    lines = [
        f"{corpus['corpus']}: swap has no meaning for tables, because a table cannot be a hypothesis: nothing was asked"
        for corpus in swap["corpora"]
        if corpus["tables"] and not corpus["swapped"]
    ]
    if any(entry["labels"] for entry in entries):
        lines += _legend(entries)
    elif any(entry["unlabelled"] for entry in entries):
        lines.append("nothing to compare: no swapped pair has a gold label")
    unlabelled = {entry["corpus"]: entry["unlabelled"] for entry in entries if entry["unlabelled"]}
    if unlabelled:
        lines.append(f"left out without a gold label: {_counts(unlabelled)}")
    lines += [_unreached(entry) for entry in entries if any(row["unreached"] for row in entry["labels"])]
    doubtful = [
        f"{corpus['doubtful']:,} of {corpus['neutral']:,} neutral pairs of {corpus['corpus']}"
        for corpus in swap["corpora"]
        if corpus["doubtful"]
    ]
    if doubtful:
        lines.append(
            "doubtful: the hypothesis says what the premise says, and more, so that the swapped pair most likely is an "
            f"entailment ({', '.join(doubtful)})"
        )
    return lines


def consistency_remarks(entries: Sequence[SwapEntry]) -> list[str]:
    """Say what the divergence is, and which systems have none."""
    rows = [(entry, row) for entry in entries for row in entry["consistency"]]
    lines = ["same label: how often a pair and its swap get the same label; a constant answer has 100"]
    if any(row["scored"] for _, row in rows):
        threshold = max(row["threshold"] for _, row in rows)
        lines.append(
            "divergence: symmetric Kullback-Leibler divergence of both probabilities in bits, the mean of both "
            "directions, with probabilities below 1e-6 raised to it; a constant answer has 0"
        )
        lines.append(f"far apart: more than {threshold:g} bits, as 80 and 20 % are from 40 and 60 %")
    reasons: dict[str, dict[str, None]] = {}
    for entry, row in rows:
        if row["missing"]:
            reasons.setdefault(f"no divergence: {row['missing']}", {})[entry["system"]] = None
        elif row["scored"] < row["n"]:
            reason = f"divergence over {row['scored']:,} of {row['n']:,} pairs, which have probabilities both ways"
            reasons.setdefault(reason, {})[f"{entry['system']}, {row['label']} of {entry['corpus']}"] = None
    return lines + [f"{reason} ({', '.join(who)})" for reason, who in reasons.items()]


def doubtful_lines(corpus: SwapCorpus, most: int) -> list[str]:
    """List the first doubtful neutrals of a corpus with their texts."""
    shown = corpus["doubtful_pairs"][:most]
    lines = [_doubtful(item) for item in shown]
    rest = corpus["doubtful"] - len(shown)
    return lines + ([f"and {rest:,} more"] if rest > 0 and shown else [])


def bits_around(row: Consistency) -> str:
    """Write a mean divergence with its interval."""
    mean, ends = row["mean"], row["mean_ci95"]
    if mean is None:
        return NOTHING
    return _bits(mean) if ends is None else f"{_bits(mean)} [{_bits(ends[0])}, {_bits(ends[1])}]"


def _doubtful(item: DoubtfulNeutral) -> str:
    premise, hypothesis = (shortened(" ".join(item[key].split()), _LINE) for key in ("premise", "hypothesis"))
    return f"{item['pair_id']}: {premise} / {hypothesis}"


def _bits(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _control_consistency(row: Consistency) -> str:
    control = row["control"]
    if control is None:
        return NOTHING
    return percent(control["same"]) + ("" if control["mean"] is None else f" ({_bits(control['mean'])})")


def _points(row: SwapLabel) -> str:
    return f" ({around(row['drop'], row['drop_ci95'], sign=True)})"


def _legend(entries: Sequence[SwapEntry]) -> list[str]:
    lines = [
        "drop: original minus swapped over the same pairs, with 95 % interval; no answer counts as wrong",
        "C and N should stay; E should fall, because entailment holds in one direction only (swapped: how often E is "
        "answered)",
        "N: some neutral pairs really become entailments when they are swapped (12 of 100 that were read in SNLI)",
    ]
    if any(not row["doubtful"] for entry in entries for row in entry["labels"]):
        lines.append(f"N{STAR}, or N {WITHOUT}: without the neutral pairs that a rule calls doubtful")
    free: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry["labels"]:
            words = f"always {entry['constant']} gets 100 of {entry['constant']} and 0 of the rest both ways, guessing "
            free.setdefault(f"{words}{percent(entry['labels'][0]['chance'])}", {})[entry["corpus"]] = None
    lines += [f"{words}: neither ever drops ({', '.join(corpora)})" for words, corpora in free.items()]
    rows = [row for entry in entries for row in entry["labels"]]
    judged = [row for row in rows if row["verdict"] != "control"] or rows
    rivals = dict.fromkeys(row["control"]["system"] for row in judged if row["control"] is not None)
    if rivals:
        return [*lines, f"control: what the best system that cannot use the premise drops ({', '.join(rivals)})"]
    return [*lines, "no control: add a twin that sees no premise to the run (premise=none) to compare drops with"]


def _counts(by_corpus: Mapping[str, int]) -> str:
    return ", ".join(f"{plural(n, 'pair')} of {corpus}" for corpus, n in by_corpus.items())


def _unreached(entry: SwapEntry) -> str:
    n = sum(row["unreached"] for row in entry["labels"] if row["doubtful"])
    return f"{entry['system']} on {entry['corpus']}: reads {plural(n, 'pair')} exactly alike both ways"
