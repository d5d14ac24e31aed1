"""Figure 15: the keys whose rows hypotheses are about more and less often than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from nliprobe.papers.evidence._counting import share
from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

LEAST = 180
_SPLITS = ("train", "dev", "alpha1", "alpha2", "alpha3")
_EDITED = ("infotabs-counterfactual/alpha1", "infotabs-counterfactual/train")
_EC, _N = "sign, E and C", "sign, N"
_NOTES = [
    f"Keys with at least {LEAST} occurrences. The paper says 'in the training set', but there only 13 keys are in so "
    "many tables, and most of the keys that the paper names are not among them (Language 179, Directed by 178, Budget "
    "152). Counted in the tables of all splits there are 35, with all that it names; counted in pairs of train, 144.",
    "The bars of the figure are not in the paper's text, but the text names keys that are overused (sign +1) and "
    "underused (-1) per label. It names spouse as both for N, which is left out here.",
    "The paper's marks are not public. Ours are the rows that people changed to flip the label of 2,234 pairs of "
    "alpha1 and train, E and C only (edit evidence): the percentage of pairs whose table has the key in which its row "
    "was changed. Our sign is that of the difference from the share of all rows ('every key'), and 0 where the "
    "interval of the key contains it. Nothing is known about N.",
]
_BY = "the rows that people changed to flip the label (edit evidence)"


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    bars = [
        Bar(cell["row"], (("all", cell["ours"]),), f"{cell['ours']:.1f} %")
        for cell in cells
        if cell["col"] == "E and C" and cell["ours"] is not None
    ]
    bars.sort(key=lambda bar: -bar.pieces[0][1])
    return [Chart("pairs in which the row of a key was changed, percent of pairs with the key, E and C", bars)]


@recipe("evidence:figure15", "Keys that hypotheses are about more and less often than others", _draw)
def figure15(folders: Folders) -> Computed:
    """Count for each frequent key how often people changed its row."""
    counts = key_counts(folders.root)
    keys = [key for key, number in counts.most_common() if number >= LEAST]
    pairs = _edited(folders.root)
    values: dict[Cell, float | Value | None] = dict.fromkeys(figure15.printed())
    every = {letters: _share(pairs, None, letters) for letters in ("EC", "E", "C")}
    for col, letters in (("E and C", "EC"), ("E", "E"), ("C", "C")):
        values[Cell("every key", col)] = every[letters]
    for key in keys:
        values[Cell(key, "tables")] = counts[key]
        for col, letters in (("E and C", "EC"), ("E", "E"), ("C", "C")):
            values[Cell(key, col)] = _share(pairs, key, letters)
        values[Cell(key, _EC)] = _sign(values[Cell(key, "E and C")], every["EC"])
    return Computed(values, list(_NOTES))


def key_counts(root: Path | None) -> Counter[str]:
    """Count the tables of all splits that have each key."""
    from nliprobe.api.sources import open_source

    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for split in _SPLITS:
        for pair in open_source(f"infotabs/{split}", root).pairs():
            if pair.group not in seen and isinstance(pair.premise, Table):
                seen.add(pair.group)
                counts.update({row.key for row in pair.premise.rows})
    return counts


def _edited(root: Path | None) -> list[Pair]:
    """Return the pairs that people flipped, as they were before."""
    from nliprobe.api.sources import open_source

    sources = [open_source(name, root) for name in _EDITED]
    return [pair for source in sources for pair in source.pairs() if pair.evidence is not None and not pair.bases]


def _share(pairs: Sequence[Pair], key: str | None, letters: str) -> Value:
    changed: list[bool] = []
    groups: list[str] = []
    for pair in pairs:
        if str(pair.gold) not in letters or pair.evidence is None or not isinstance(pair.premise, Table):
            continue
        places = [place for place, row in enumerate(pair.premise.rows) if key in (None, row.key)]
        changed += [place in pair.evidence.units for place in places]
        groups += [pair.group] * len(places)
    return share(changed, groups, _BY)


def _sign(value: float | Value | None, every: Value) -> Value | None:
    if not isinstance(value, Value) or value.ci95 is None or every.number is None:
        return None
    low, high = value.ci95
    return Value(float((low > every.number) - (high < every.number)), _BY)
