"""Model evidence on the page: bars of what systems use, precision and recall beside baselines, pairs to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.evidence.documents import KIND_NAMES, Baseline, EvidenceEntry, KindName, Kinds, PositionUse
from nliprobe.analysis.evidence.drawn import DrawnPair
from nliprobe.report.bars import Bar, bar_chart
from nliprobe.report.drawn import JUDGED, SIGNS, drawn_section
from nliprobe.report.evidence import (
    EVIDENCE_COLUMNS,
    baseline_name,
    evidence_groups,
    group_lines,
    group_rows,
    group_title,
    largest,
    reads_nothing,
    system_lines,
)
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import NOTHING, around, between, percent, probability, sentences

if TYPE_CHECKING:
    from nliprobe.analysis.documents import Rate

# What the page calls the kinds, and the classes of their colours.
_WORDS: dict[KindName, str] = {
    "all": "all needed {unit}s",
    "partial": "some of them",
    "irrelevant_only": "only others",
    "nothing": "no {unit} at all",
}
# A table of more keys than this is not read; the JSON document has them all.
_MOST_KEYS = 30
# Pairs with as many units or more are counted together.
MOST_COUNTED = 5


def evidence_section(
    entries: Sequence[EvidenceEntry], drawn: Sequence[DrawnPair], controls: Sequence[str]
) -> dict[str, object] | None:
    """Prepare the section of the page; None if the run says nothing about evidence.

    Args:
        entries: the entries of the document.
        drawn: pairs to look at.
        controls: the systems that cannot use their premise.
    """
    if not entries:
        return None
    return {
        "count_columns": {
            unit: (f"{unit}s per pair, % of pairs", *map(str, range(MOST_COUNTED)), f"{MOST_COUNTED} or more")
            for unit in ("row", "sentence")
        },
        "groups": [_group(group, controls) for group in evidence_groups(entries)],
        "signs": [{"mark": mark, "sign": SIGNS[mark], "words": words} for mark, words in JUDGED.items()],
        "pairs": [drawn_section(_without(pair, controls)) for pair in drawn],
    }


def _without(pair: DrawnPair, controls: Sequence[str]) -> DrawnPair:
    """Return a pair with the systems that can use their premise."""
    shown = pair.copy()
    shown["systems"] = [use for use in pair["systems"] if use["system"] not in controls]
    return shown


def _group(group: Sequence[EvidenceEntry], controls: Sequence[str]) -> dict[str, object]:
    from markupsafe import Markup

    unit = group[0]["unit"]
    spoken = [entry for entry in group if entry["system"] not in controls]
    return {
        "title": group_title(group),
        "unit": unit,
        "about": sentences(group_lines(group)),
        "legend": [{"kind": kind, "words": words.format(unit=unit)} for kind, words in _WORDS.items()],
        "bars": Markup(bar_chart(list(_bars(group)), f"{unit}s used")),
        "dots": Markup(dot_plot(list(_dots(group, controls)), low=0.0, high=1.0, unit="percent")),
        "systems": [{"name": entry["system"], "lines": sentences(system_lines(entry))} for entry in spoken],
        "columns": EVIDENCE_COLUMNS,
        "rows": group_rows(group),
        "counts": list(_counts(group)),
        "positions": [_position(entry, item) for entry in spoken for item in entry["positions"]],
        "key_rows": [row for entry in spoken for row in _keys(entry)],
        "least": group[0]["keys"]["least"],
    }


def _bars(group: Sequence[EvidenceEntry]) -> Iterator[Bar]:
    for entry in group:
        if entry["n"]:
            yield Bar(entry["system"], _pieces(entry["kinds"]), "")
            yield Bar("↳ answered rightly", _pieces(entry["right"]), f"{percent(entry['accuracy']['rate'])} %")
    best = largest(group)
    for baseline in best["baselines"]:
        # What every unit and no unit would show is known without looking.
        if baseline["nothing"] < 1 and baseline["recall"] < 1:
            yield Bar(baseline_name(baseline, best["unit"]), _baseline_pieces(baseline), "without a model")


def _pieces(kinds: Kinds) -> tuple[tuple[str, float], ...]:
    return tuple((f"used-{kind}", kinds[kind]["rate"] or 0.0) for kind in KIND_NAMES)


def _baseline_pieces(baseline: Baseline) -> tuple[tuple[str, float], ...]:
    return tuple((f"used-{kind}", baseline[kind]) for kind in KIND_NAMES)


def _dots(group: Sequence[EvidenceEntry], controls: Sequence[str]) -> Iterator[Dot]:
    best = largest(group)
    for name in ("precision", "recall"):
        for entry in group:
            value = entry["precision"] if name == "precision" else entry["recall"]
            if value["mean"] is not None:
                known = value["ci95"] is not None and not reads_nothing(entry)
                low, high = value["ci95"] if known and value["ci95"] else (value["mean"], value["mean"])
                blind = entry["system"] in controls
                yield Dot(f"{name}: {entry['system']}", value["mean"], low, high, control=blind)
        for baseline in best["baselines"]:
            share = baseline["precision"] if name == "precision" else baseline["recall"]
            if baseline["nothing"] < 1:
                yield Dot(f"{name}: {baseline_name(baseline, best['unit'])}", share, share, share, control=True)


def _counts(group: Sequence[EvidenceEntry]) -> Iterator[list[str]]:
    """Write how many units are needed and used per pair, in percent of the pairs; the last column is for more."""
    best = largest(group)
    yield ["needed", *_shares(best["marked_counts"], best["n"])]
    for entry in group:
        yield [f"used by {entry['system']}", *_shares(entry["used_counts"], entry["n"])]


def _shares(counts: Mapping[str, int], n: int) -> list[str]:
    by_size = [0] * (MOST_COUNTED + 1)
    for size, times in counts.items():
        by_size[min(int(size), MOST_COUNTED)] += times
    return [percent(times / n) if n else NOTHING for times in by_size]


def _position(entry: EvidenceEntry, item: PositionUse) -> list[str]:
    cells = [item["marked"], item["used"], item["used_of_marked"]]
    return [entry["system"], item["position"], f"{item['used']['n']:,}", *map(_rate, cells)]


def _keys(entry: EvidenceEntry) -> Iterator[list[str]]:
    for item in entry["keys"]["keys"][:_MOST_KEYS]:
        yield [
            entry["system"],
            item["key"],
            item["label"],
            f"{item['n']:,}",
            percent(item["needed"]),
            percent(item["used"]),
            f"{100 * item['difference']:+.1f}",
            between(item["ci95"], sign=True),
            probability(item["p_holm"]),
        ]


def _rate(rate: Rate) -> str:
    return NOTHING if rate["rate"] is None else around(rate["rate"], rate["ci95"])
