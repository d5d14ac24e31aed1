"""The console report of three systems and more: which probes tell them apart, and a matrix of differences for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import CompareDocument, ComparedPair, Comparison, Difference, Separation
from nliprobe.report._tables import new_table
from nliprobe.report.comparison import (
    CONSTANT_WORDS,
    DETECTABLE_WORDS,
    KINDS,
    MARGIN_WORDS,
    NO_VERDICT,
    SHORT,
    TEST_WORDS,
    bound_words,
    decided,
    difference_words,
    flip_lines,
    margin_words,
    points,
)
from nliprobe.report.words import NOTHING, around, percent, plural, probability, shortened_middle

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

# A matrix of so many systems fits a terminal of 80 characters; more are shown as a list of pairs.
LARGEST_MATRIX = 6
_NAME = 22
MATRIX_WORDS = "row minus column in points; * told apart; systems that share a letter are not told apart"


class Place(NamedTuple):
    """What is compared in one place: a corpus and probe, or a family of probes."""

    title: str
    entries: Mapping[tuple[str, str], Difference]
    separation: Separation | None


def many_systems(document: CompareDocument) -> list[RenderableType]:
    """Show three systems and more."""
    from rich.text import Text

    sure = decided(document)
    parts: list[RenderableType] = []
    if sure:
        parts += ["", Text("What tells the systems apart", style="bold cyan"), _ranking(document["separations"])]
    names = [system["name"] for system in document["systems"]]
    for place in places(document):
        parts += ["", Text(place.title, style="bold cyan").append(f"  {seen_words(place)}", style="not bold dim")]
        as_list = len(names) > LARGEST_MATRIX or document["reference"] is not None or document["margin"] is not None
        parts.append(_list(place, names, document, sure=sure) if as_list else _matrix(place, names, sure=sure))
    words = [MATRIX_WORDS, TEST_WORDS, CONSTANT_WORDS, DETECTABLE_WORDS]
    words += [] if document["margin"] is None else [MARGIN_WORDS]
    parts += ["", *(Text(line, style="dim") for line in words)]
    for pair in document["pairs"]:
        parts += _pair_flips(pair)
    return parts


def places(document: CompareDocument) -> list[Place]:
    """Return what was compared: families of probes first, then corpora and probes, those that tell most apart first."""
    overall: dict[tuple[str, str], dict[tuple[str, str], Difference]] = {}
    single: dict[tuple[str, str, str], dict[tuple[str, str], Difference]] = {}
    for pair in document["pairs"]:
        key = pair["left"], pair["right"]
        for family in pair["overall"]:
            overall.setdefault((family["family"], family["kind"]), {})[key] = family
        for entry in pair["comparisons"]:
            if entry["n"]:
                single.setdefault((entry["corpus"], entry["probe"], entry["kind"]), {})[key] = entry
    found = [Place(f"All {family} probes, {KINDS[kind]}", entries, None) for (family, kind), entries in overall.items()]
    for item in document["separations"]:
        place = item["corpus"], item["probe"], item["kind"]
        found.append(Place(f"{item['corpus']}, {item['probe']}, {KINDS[item['kind']]}", single[place], item))
    return found


def seen_words(place: Place) -> str:
    """Say how small a difference could be seen in a place."""
    known = [entry["detectable"] for entry in place.entries.values() if entry["detectable"] is not None]
    largest = max((entry["n"] for entry in place.entries.values()), default=0)
    groups = max((entry["groups"] for entry in place.entries.values()), default=0)
    size = plural(largest, "case") + ("" if groups == largest else f" of {plural(groups, 'group')}")
    size += constant_words(place)
    if not known:
        return f"{size}; no difference can be seen"
    low, high = points(min(known)), points(max(known))
    return f"{size}; seen from {low if low == high else f'{low} to {high}'} points"


def constant_of(entry: Difference) -> float | None:
    """Return what a constant answer gets on the cases of a corpus and probe; families of probes have none."""
    share = entry.get("constant")
    return share if isinstance(share, float) else None


def constant_words(place: Place) -> str:
    """Say what a constant answer gets in a place; of pairs with other cases, or in other labels, the range."""
    known = sorted(share for entry in place.entries.values() if (share := constant_of(entry)) is not None)
    if not known:
        return ""
    low, high = percent(known[0]), percent(known[-1])
    return f"; a constant answer gets {low if low == high else f'{low} to {high}'} %"


def group_sentences(document: CompareDocument) -> list[str]:
    """Say which systems no corpus and probe tells apart."""
    names = [system["name"] for system in document["systems"]]
    apart = {
        frozenset((pair["left"], pair["right"]))
        for pair in document["pairs"]
        if any(shown(entry) for entry in pair["comparisons"])
    }
    same = [
        (pair["left"], pair["right"])
        for pair in document["pairs"]
        if frozenset((pair["left"], pair["right"])) not in apart and any(entry["n"] for entry in pair["comparisons"])
    ]
    if not same:
        return ["Every two systems that were compared are told apart somewhere."]
    if len(apart) == 0:
        return [f"Nothing tells the {len(names)} systems apart."]
    return [f"Nothing tells {left} and {right} apart." for left, right in same]


def pair_cells(entry: Difference, *, sure: bool, margin: bool) -> list[str]:
    """Write the difference of two systems as cells: rates, difference, p-value, detectable difference and words."""
    cells = [percent(entry["left"]), percent(entry["right"]), around(entry["difference"], entry["ci95"], sign=True)]
    cells += [probability(entry["p_holm"]), points(entry["detectable"])]
    if margin:
        cells += [bound_words(entry)]
    words = margin_words(entry) if margin else difference_words(entry)
    return [*cells, words if sure else NO_VERDICT]


def signed_difference(place: Place, row: str, column: str) -> tuple[float, bool] | None:
    """Return the difference of two systems, row minus column, and whether it is shown; None if not compared."""
    for key, sign in (((column, row), 1), ((row, column), -1)):
        entry = place.entries.get(key)
        if entry is not None and entry["difference"] is not None:
            return sign * entry["difference"], shown(entry)
    return None


def matrix_order(place: Place, names: Sequence[str]) -> list[str]:
    """Return the systems of a place, best first."""
    present = [name for name in names if any(name in key for key in place.entries)]
    return sorted(present, key=lambda name: -(rate_in(place, name) or 0.0))


def rate_in(place: Place, name: str) -> float | None:
    """Return the share that a system has right in a place, averaged over the pairs that it is in."""
    found = [entry["left" if key[0] == name else "right"] for key, entry in place.entries.items() if name in key]
    known = [value for value in found if value is not None]
    return sum(known) / len(known) if known else None


def _matrix(place: Place, names: Sequence[str], *, sure: bool) -> Table:
    from rich.text import Text

    table = new_table()
    order = matrix_order(place, names)
    letters = (place.separation["letters"] if place.separation else None) or {}
    table.add_column("", justify="right")
    table.add_column("System", overflow="fold", width=_NAME)
    table.add_column("Rate", justify="right", no_wrap=True)
    if letters and sure:
        table.add_column("", no_wrap=True)
    for name in order:
        table.add_column(str(names.index(name) + 1), justify="right", no_wrap=True)
    for row in order:
        cells = [Text(letters[row])] if letters and sure else []
        cells += [_cell(place, row, column, sure=sure) for column in order]
        number = str(names.index(row) + 1)
        table.add_row(number, Text(shortened_middle(row, _NAME)), percent(rate_in(place, row)), *cells)
    return table


def _cell(place: Place, row: str, column: str, *, sure: bool) -> Text:
    from rich.text import Text

    if row == column:
        return Text("")
    found = signed_difference(place, row, column)
    if found is None:
        return Text(NOTHING, style="dim")
    difference, apart = found
    # What rounds to zero from below is no loss.
    text = f"{round(100 * difference, 1) + 0.0:+.1f}"
    if not (apart and sure):
        return Text(f"{text} ", style="dim")
    return Text(f"{text}*", style="bold green" if difference > 0 else "bold red")


def _list(place: Place, names: Sequence[str], document: CompareDocument, *, sure: bool) -> RenderableType:
    """Show pairs one below the other; of many, only those that are told apart."""
    from rich.console import Group
    from rich.text import Text

    margin = document["margin"] is not None
    kept = dict(place.entries)
    if len(kept) > 2 * len(names) and not margin:
        kept = {key: entry for key, entry in kept.items() if shown(entry)}
    table = new_table()
    heads = ["Pair", "Left", "Right", "Difference", "Adj. p", "Seen", *(["Worst"] if margin else []), ""]
    for at, name in enumerate(heads):
        table.add_column(name, justify="right" if 0 < at < len(heads) - 1 else "left", no_wrap=at < len(heads) - 1)
    for (left, right), entry in kept.items():
        pair = f"{names.index(left) + 1}, {names.index(right) + 1}"
        table.add_row(pair, *pair_cells(entry, sure=sure, margin=margin))
    rest = len(place.entries) - len(kept)
    remark = Text(f"{plural(rest, 'more pair')} not told apart", style="dim")
    if not kept:
        return remark
    return Group(table, remark) if rest else table


def _ranking(separations: Iterable[Separation]) -> Table:
    from rich.text import Text

    table = new_table()
    for at, name in enumerate(("Corpus", "Probe", "By", "Pairs told apart", "Least adj. p")):
        table.add_column(name, justify="right" if at > 2 else "left", overflow="fold")
    for item in separations:
        table.add_row(
            Text(item["corpus"]),
            Text(item["probe"]),
            SHORT[item["kind"]],
            f"{item['told_apart']} of {item['compared']}",
            probability(item["smallest_p"]),
        )
    return table


def _pair_flips(pair: ComparedPair) -> list[RenderableType]:
    """Show a case of each direction where two systems differ most; documents and pages have more."""
    from rich.text import Text

    entry = most_telling(pair["comparisons"])
    if entry is None:
        return []
    title = Text(f"\n{pair['left']} (left) and {pair['right']} (right)", style="bold")
    parts = flip_lines(entry, "fixed", entry["fixed"], entry["fixed_examples"][:1])
    parts += flip_lines(entry, "broken", entry["broken"], entry["broken_examples"][:1])
    # Each block begins with an empty line, which the title has already.
    return [title, *(part for part in parts if part != "")] if parts else []


def most_telling(entries: Sequence[Comparison]) -> Comparison | None:
    """Return the comparison with the smallest p-value that has flips."""
    flipped = [entry for entry in entries if entry["fixed"] or entry["broken"]]
    return min(flipped, key=lambda entry: 1.0 if entry["p"] is None else entry["p"], default=None)
