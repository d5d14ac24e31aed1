"""What the page shows of the transitions of one probe: a graph beside its matrix, and small matrices if there are many.

A few systems and corpora are all drawn large. Of more than that, the one that breaks the probe's rule most surely is
drawn large, and each of them is a small matrix that opens to its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nliprobe.analysis.documents import Rate, Transitions
from nliprobe.report.cells import TableCell, cell
from nliprobe.report.likely import nothing_reached, shows_likely, unreached_words
from nliprobe.report.names import short_names
from nliprobe.report.transition_graph import CROSS, Graph, graph_of, transition_graph
from nliprobe.report.transition_matrix import small_matrix, transition_matrix
from nliprobe.report.words import NOTHING, between, group_remarks, percent, plural, sentences

if TYPE_CHECKING:
    from markupsafe import Markup

# The kind of these failing cases, as the filters of the list call it (cases.js).
NOT_ALLOWED = "change that is not allowed"
# More large figures than this would be pages of arrows.
_FEW = 4
# Longer names would make a small card high; it has the full one when it is open.
_LONGEST = 34
_COLUMNS = ("system", "corpus", "answer before")
_RATES = ("n", "prohibited", "95 % interval")
_LIKELY_RATES = ("n likely", "prohibited (likely)", "95 % interval (likely)")


def transition_section(entries: Sequence[Transitions], unseeing: Sequence[str]) -> dict[str, object]:
    """Make what a page shows of the transitions of one probe.

    Args:
        entries: the transitions, all of one probe.
        unseeing: the names of the systems that cannot use their premise.
    """
    drawn = [entry for entry in entries if not nothing_reached([entry])]
    labels = list(dict.fromkeys(label for entry in entries for label in entry["labels"]))
    likely = shows_likely(entries)
    many = len(drawn) > _FEW
    large = [_focus(drawn, unseeing)] if many else drawn
    figures = [_figure(entry, unseeing, likely=likely) for entry in large]
    small = _small(drawn, unseeing, likely=likely) if many else []
    return {
        "probe": entries[0]["probe"] if entries else "",
        "figures": figures,
        "worst": many and bool(large[0]["prohibited_overall"]["count"]),
        "small": small,
        "mixed": any(figure["mixed"] for figure in figures),
        "groups": " ".join(
            sentences(group_remarks((entry["corpus"], entry["n"], entry["groups"]) for entry in entries))
        ),
        "unreached": [
            f"{entry['system']}, {entry['corpus']}: {unreached_words(entry, unseeing)}"
            for entry in entries
            if nothing_reached([entry])
        ],
        "columns": [*_COLUMNS, *(f"to {label}" for label in labels), *_RATES, *(_LIKELY_RATES if likely else ())],
        "rows": [row for entry in drawn for row in _rows(entry, labels, likely=likely)],
    }


def _focus(entries: Sequence[Transitions], unseeing: Sequence[str]) -> Transitions:
    """Return the entry whose rate is most surely high: by its lower end, of systems that can use the premise."""

    def lowest(entry: Transitions) -> tuple[bool, float]:
        rate = entry["prohibited_overall"]
        least = rate["ci95"][0] if rate["ci95"] is not None else rate["rate"] or 0.0
        return entry["system"] not in unseeing, least

    return max(entries, key=lowest)


def _figure(entry: Transitions, unseeing: Sequence[str], *, likely: bool) -> dict[str, object]:
    from markupsafe import Markup

    graph = graph_of(entry)
    return {**_facts(graph, entry, unseeing, likely=likely), "svg": Markup(transition_graph(graph))}


def _facts(graph: Graph, entry: Transitions, unseeing: Sequence[str], *, likely: bool) -> dict[str, object]:
    """Say what stands beside a picture, large or small: whose it is, its numbers, and the matrix."""
    return {
        "matrix": _matrix(graph, entry),
        "mixed": any(edge.part is not None for edge in graph.edges),
        "system": entry["system"],
        "corpus": entry["corpus"],
        "n": plural(entry["n"], "case"),
        "prohibited": _prohibited(entry["prohibited_overall"]),
        "ends": _ends(entry["prohibited_overall"]),
        "bad": entry["prohibited_overall"]["count"] > 0,
        "changed": f"{_rate(entry['changed'])} changed",
        "changed_ends": _ends(entry["changed"]),
        "likely": _likely_words(entry) if likely else "",
        "unreached": unreached_words(entry, unseeing),
        "cases": _cases_link(entry),
    }


def _cases_link(entry: Transitions) -> str:
    """Return the fragment that opens the failing cases at the changes that are counted here; nothing if there are none.

    Its names are those of the filters of the list.
    """
    if not entry["prohibited_overall"]["count"]:
        return ""
    chosen = {name: entry[name] for name in ("system", "probe", "corpus")}
    return f"cases?{urlencode({**chosen, 'kind': NOT_ALLOWED})}"


def _small(entries: Sequence[Transitions], unseeing: Sequence[str], *, likely: bool) -> list[dict[str, object]]:
    """Group small matrices by system or by corpus, whichever there are fewer of."""
    from markupsafe import Markup

    systems = list(dict.fromkeys(entry["system"] for entry in entries))
    corpora = list(dict.fromkeys(entry["corpus"] for entry in entries))
    own, other = ("corpus", "system") if len(corpora) < len(systems) else ("system", "corpus")
    short = short_names(systems if other == "system" else corpora, _LONGEST)
    groups: dict[str, list[dict[str, object]]] = {}
    for entry in entries:
        graph = graph_of(entry)
        facts = _facts(graph, entry, unseeing, likely=likely)
        title = str(facts[other])
        card = {**facts, "title": title, "short": short[title], "svg": Markup(small_matrix(graph))}
        groups.setdefault(str(facts[own]), []).append(card)
    return [{"title": title, "cards": cards} for title, cards in groups.items()]


def _matrix(graph: Graph, entry: Transitions) -> Markup:
    from markupsafe import Markup

    return Markup(transition_matrix(graph, {label: entry["prohibited"][label]["n"] for label in entry["labels"]}))


def _likely_words(entry: Transitions) -> str:
    rate = entry["likely"]["prohibited_overall"]
    ends = f" ({_ends(rate)})" if _ends(rate) else ""
    return f"likely only: {plural(entry['likely']['n'], 'case')}, {_prohibited(rate)}{ends}"


def _prohibited(rate: Rate) -> str:
    """Write a share of prohibited changes, or that the edit can justify any change."""
    if rate["n"] and rate["rate"] is None:
        return "any change allowed"
    return f"{_rate(rate)} prohibited"


def _rate(rate: Rate) -> str:
    return NOTHING if rate["rate"] is None else f"{percent(rate['rate'])} %"


def _ends(rate: Rate) -> str:
    return "" if rate["ci95"] is None else between(rate["ci95"])


def _rows(entry: Transitions, labels: Sequence[str], *, likely: bool) -> Iterable[list[object]]:
    for old in entry["labels"]:
        rates = [entry["prohibited"][old], *([entry["likely"]["prohibited"][old]] if likely else [])]
        yield [
            entry["system"],
            entry["corpus"],
            old,
            *(_share(entry, old, new) for new in labels),
            *(text for rate in rates for text in (f"{rate['n']:,}", _allowed_or(rate), between(rate["ci95"]))),
        ]


def _share(entry: Transitions, old: str, new: str) -> TableCell:
    share = entry["row_percent"][old].get(new)
    prohibited = entry["prohibited_counts"][old].get(new, 0) > 0
    sign = f"{CROSS} " if prohibited else ""
    return cell(NOTHING if share is None else f"{sign}{share:.1f}", tone="bad" if prohibited else "")


def _allowed_or(rate: Rate) -> str:
    return "any allowed" if rate["rate"] is None and rate["n"] else percent(rate["rate"])
