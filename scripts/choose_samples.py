"""Choose the pairs and cells of InfoTabS that are read by hand: ``python scripts/choose_samples.py DATA``.

The choice knows nothing of the rules that are checked with it: pairs are sorted into six kinds by words alone, cells
are drawn evenly over keys. Only ids are written, because the corpus is not ours.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table

PAIRS = Path("tests/probes/samples/perturbations.csv")
CELLS = Path("tests/language/samples/cells.csv")
PER_KIND = {"infotabs/alpha1": 34, "infotabs/alpha3": 16}
CELLS_PER_SPLIT = {"infotabs/train": 120, "infotabs/alpha1": 90, "infotabs/alpha3": 90}
# A pair belongs to the first kind whose words it has; the rarest kinds come first.
CUES = {
    "quantifier": r"\b(?:all|most|some|many|several|every|each|few|both|none|multiple|majority|any|always|mostly|half)"
    r"\b",
    "negation": r"\b(?:not|never|no|without|neither|nor)\b|n['’]t\b",
    "temporal": r"\b(?:1\d{3}|20\d{2}|january|february|march|april|june|july|august|september|october|november|"
    r"december|years?|months?|weeks?|days?|hours?|minutes?|seconds?|century|centuries|decades?|\d+s|ages?|old|until|since)\b",
    "number": r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million|billion)\b",
    "modifier": r"\b(?:is|was|were|are) (?:an?|the)\b",
    "entity": r"",
}


def by_hash(items: Iterable[str], name: str) -> list[str]:
    """Return ids in an order that anybody gets again."""
    return sorted(items, key=lambda item: digest("sample", name, item))


def pairs_of(corpus: str, root: Path) -> list[Pair]:
    """Read a split."""
    return list(open_source(corpus, root).pairs())


def kind_of(hypothesis: str) -> str:
    """Return the kind of a hypothesis by its words."""
    return next(kind for kind, cue in CUES.items() if re.search(cue, hypothesis, re.IGNORECASE))


def chosen_pairs(root: Path) -> list[tuple[str, ...]]:
    """Return pairs with the labels E and C, as many of each kind from each split as there are to be."""
    rows = []
    for corpus, wanted in PER_KIND.items():
        kinds: dict[str, list[str]] = {kind: [] for kind in CUES}
        for pair in pairs_of(corpus, root):
            if pair.gold is not None and str(pair.gold) in ("E", "C"):
                kinds[kind_of(pair.hypothesis)].append(pair.id)
        for kind, ids in kinds.items():
            rows += [(item, kind) for item in by_hash(ids, kind)[:wanted]]
    return sorted(rows)


def chosen_cells(root: Path) -> list[tuple[str, ...]]:
    """Return rows of tables, at most two per key and split, so that frequent keys do not fill the sample."""
    rows: list[tuple[str, ...]] = []
    for corpus, wanted in CELLS_PER_SPLIT.items():
        cells: dict[str, str] = {}
        for pair in pairs_of(corpus, root):
            assert isinstance(pair.premise, Table)
            cells |= {f"{pair.group}\t{row.key}": row.key for row in pair.premise.rows}
        seen: dict[str, int] = {}
        taken = []
        for cell in by_hash(cells, corpus):
            seen[cells[cell]] = seen.get(cells[cell], 0) + 1
            if seen[cells[cell]] <= 2:
                taken.append(cell)
        rows += [(corpus, *cell.split("\t")) for cell in taken[:wanted]]
    return sorted(rows)


def write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table of ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    print(f"{path}: {len(rows)}")


def main() -> None:
    """Write both samples."""
    root = Path(sys.argv[1])
    write(PAIRS, ["pair_id", "kind"], chosen_pairs(root))
    write(CELLS, ["corpus", "table", "key"], chosen_cells(root))


if __name__ == "__main__":
    main()
