"""The statistics of corpora for people: a console table, and one self-contained page with bar charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.report._tables import new_table
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.pages import render_page
from nliprobe.report.words import NOTHING, plural
from nliprobe.task.labels import NAMES
from nliprobe.task.statistics import ALL, CorpusStats, FacetCounts, Spread, StatsDocument

if TYPE_CHECKING:
    from markupsafe import Markup
    from rich.console import RenderableType

# InfoTabS calls categories of fewer than 3 % of the tables "other" (Appendix D).
_RARE = 0.03
# More bars than this cannot be read; the JSON document has them all.
_MOST_BARS = 40
# The heading names no more corpora than this, and the line above it; the list of contents names all.
_NAMED, _LISTED = 2, 6

Line = tuple[str, list[str]]


def stats_lines(document: StatsDocument) -> list[Line]:
    """Tabulate all corpora: a line per statistic, a cell per corpus; statistics that no corpus has are left out."""
    corpora = document["corpora"]
    lines: list[Line] = [
        ("pairs", [f"{item['pairs']:,}" for item in corpora]),
        ("  without a label", [_number(item["unlabelled"]) for item in corpora]),
    ]
    labels = list(dict.fromkeys(label for item in corpora for label in item["labels"]))
    lines += [(f"  {label}", [_number(item["labels"].get(label)) for item in corpora]) for label in labels]
    lines += [
        ("tables", [_number(item["tables"]) for item in corpora]),
        ("distinct premises", [f"{item['premises']:,}" for item in corpora]),
        ("rows in a table", [_decimal(item["rows_per_table"], 1) for item in corpora]),
        ("keys in a table", [_decimal(item["keys"] and item["keys"]["per_table"], 1) for item in corpora]),
        ("unique keys", [_number(item["keys"] and item["keys"]["unique"]) for item in corpora]),
        ("words in a premise", [_spread(item["premise_words"], 1) for item in corpora]),
        ("authors", [_number(len(item["authors"])) for item in corpora]),
        ("  half is by the first", [_authors_of(item, 0.5) for item in corpora]),
        ("  nine tenths by", [_authors_of(item, 0.9) for item in corpora]),
    ]
    for key, name in (
        ("words", "words in a hypothesis"),
        ("overlap", "in the premise"),
        ("cased", "in it with same case"),
    ):
        lines.append((name, [_hypothesis(item, ALL, key) for item in corpora]))
        lines += [(f"  {label}", [_hypothesis(item, label, key) for item in corpora]) for label in labels]
    lines += [
        ("vocabulary", [f"{item['vocabulary']['hypotheses']:,}" for item in corpora]),
        ("  in some premise", [f"{item['vocabulary']['shared']:,}" for item in corpora]),
        ("repeated contents", [_number(item["duplicates"]) for item in corpora]),
        ("  with other labels", [_number(item["conflicts"]) for item in corpora]),
    ]
    if document["against"] is not None:
        shared = [item["shared"] for item in corpora]
        names = {
            "keys": "keys",
            "authors": "authors",
            "pairs_of_shared_authors": "pairs of these",
            "premises": "premises",
            "contents": "contents",
        }
        lines.append((f"shared with {document['against']}", [""] * len(corpora)))
        lines += [
            (f"  {name}", [f"{dict(item or {}).get(key, 0):,}" for item in shared]) for key, name in names.items()
        ]
    return [line for line in lines if any(cell != NOTHING for cell in line[1])]


def render_stats(document: StatsDocument) -> RenderableType:
    """Turn the statistics into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    table = new_table()
    table.add_column("")
    for item in document["corpora"]:
        table.add_column(Text(item["name"]), justify="right", overflow="fold")
    for name, cells in stats_lines(document):
        table.add_row(Text(name, style="" if name.startswith(" ") else "bold"), *cells)
    parts: list[RenderableType] = [table]
    for item in document["corpora"]:
        for title, bars in _charts(item):
            parts += ["", Text(f"{item['name']}: {title}", style="bold cyan")]
            grid = new_table()
            grid.show_header = False
            for bar in bars:
                grid.add_row(Text(bar.name), Text(bar.text))
            parts.append(grid)
    about = "in the premise: share of the distinct words of a hypothesis, stop words left out, that the premise has"
    return Group(*parts, "", Text(about, style="dim"))


def stats_page(document: StatsDocument) -> str:
    """Write the statistics as a page that needs no network."""
    corpora = document["corpora"]
    names = [item["name"] for item in corpora]
    size = "1 corpus" if len(corpora) == 1 else f"{len(corpora)} corpora"
    pairs = plural(sum(item["pairs"] for item in corpora), "pair")
    return render_page(
        "corpus.html",
        title=f"What is in {' and '.join(names) if len(names) <= _NAMED else size}?",
        facts=f"{pairs} in {size}: {', '.join(names)}" if _NAMED < len(names) <= _LISTED else f"{pairs} in {size}",
        names=names,
        lines=[(name, name.startswith(" "), cells) for name, cells in stats_lines(document)],
        labels=list(NAMES.items()),
        corpora=[
            {"name": item["name"], "charts": [{"title": title, "svg": _drawn(bars, title)} for title, bars in charts]}
            for item in corpora
            if (charts := _all_charts(item))
        ],
    )


def _drawn(bars: Sequence[Bar], title: str) -> Markup:
    from markupsafe import Markup

    return Markup(bar_chart(bars, title))


def _all_charts(item: CorpusStats) -> list[tuple[str, list[Bar]]]:
    charts = [_balance(item), _lengths(item), *_charts(item), ("pairs by author", _authors(item))]
    return [(title, bars) for title, bars in charts if bars]


def _charts(item: CorpusStats) -> list[tuple[str, list[Bar]]]:
    charts = [("categories of the tables", _categories(item))]
    for name, counts in item["facets"].items():
        charts.append((f"pairs by {name} and label", _facet(counts)))
        if len(counts["per_pair"]) > 1:
            title = f"values of {name} in a pair, {counts['mean_per_pair']:.2f} on average"
            charts.append((title, [_plain(value, n) for value, n in counts["per_pair"].items()]))
    return [(title, bars) for title, bars in charts if bars]


def _balance(item: CorpusStats) -> tuple[str, list[Bar]]:
    total = item["pairs"]
    bars = [
        Bar(label, ((label.lower(), n),), f"{n:,} ({100 * n / total:.1f} %)") for label, n in item["labels"].items()
    ]
    return "labels", bars


def _lengths(item: CorpusStats) -> tuple[str, list[Bar]]:
    stats = {label: numbers["words"] for label, numbers in item["hypotheses"].items() if label != ALL}
    bars = [Bar(label, ((label.lower(), words["mean"]),), _spread(words, 2)) for label, words in stats.items()]
    return "words in a hypothesis, mean ± standard deviation", bars


def _categories(item: CorpusStats) -> list[Bar]:
    large = [entry for entry in item["categories"] if entry["share"] >= _RARE]
    rest = sum(entry["tables"] for entry in item["categories"] if entry["share"] < _RARE)
    shown = [(entry["category"], entry["tables"]) for entry in large] + ([("other", rest)] if rest else [])
    return [Bar(name, (("all", n),), f"{n:,} ({100 * n / item['tables']:.1f} %)") for name, n in shown]


def _authors(item: CorpusStats) -> list[Bar]:
    first = item["authors"][:20]
    bars = [
        Bar(one["author"], (("all", one["pairs"]),), f"{one['pairs']:,}, together {100 * one['together']:.1f} %")
        for one in first
    ]
    left = item["authors"][20:]
    rest = sum(one["pairs"] for one in left)
    return [*bars, Bar(f"{len(left)} more", (("all", rest),), f"{rest:,}")] if left else bars


def _facet(counts: FacetCounts) -> list[Bar]:
    return [
        Bar(
            value,
            tuple((label.lower() or "all", n) for label, n in labels.items()),
            f"{sum(labels.values()):,} ({', '.join(f'{label or NOTHING} {n:,}' for label, n in labels.items())})",
        )
        for value, labels in list(counts["values"].items())[:_MOST_BARS]
    ]


def _plain(name: str, n: int) -> Bar:
    return Bar(name, (("all", n),), f"{n:,}")


def _authors_of(item: CorpusStats, share: float) -> str:
    """Count the authors, the most productive first, who together wrote a share of the pairs."""
    return next((str(n) for n, one in enumerate(item["authors"], 1) if one["together"] >= share), NOTHING)


def _hypothesis(item: CorpusStats, label: str, key: str) -> str:
    numbers = item["hypotheses"].get(label)
    if numbers is None:
        return NOTHING
    spreads = {"words": numbers["words"], "overlap": numbers["overlap"], "cased": numbers["overlap_cased"]}
    return _spread(spreads[key], 2)


def _spread(spread: Spread | None, digits: int) -> str:
    if spread is None:
        return NOTHING
    return f"{spread['mean']:.{digits}f}" + ("" if spread["sd"] is None else f" ±{spread['sd']:.{digits}f}")


def _decimal(value: object, digits: int) -> str:
    return f"{value:.{digits}f}" if isinstance(value, float) else NOTHING


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and value else NOTHING
