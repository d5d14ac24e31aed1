"""Draw hypotheses of the table library to be read by people.

    python scripts/sample_tables.py > sample.txt
    python scripts/sample_tables.py --csv > sample.csv

The items are spread evenly over templates, phrasings and forms. The verdicts are in
`docs/review/table_hypotheses.csv`. The same seed draws the same items again, as long as the library is the same.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table
from nliprobe.templates.tables.draw import Fictional
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted

SEED, SIZE = 91, 300
# Pairs per template to choose from: enough for every phrasing with every form.
CHOICE = 60
COLUMNS = ("pair_id", "template", "label", "reader", "hypothesis", "verdict", "remark")


def facet(pair: Pair, name: str) -> str:
    """Return the only value of a facet."""
    return next(one.value for one in pair.facets if one.name == name)


def sample(seed: int = SEED, size: int = SIZE) -> list[Pair]:
    """Draw pairs: rounds over all templates, each time the phrasing and the form that were drawn least."""
    templates = load_tables().templates
    suite = Suite(plan_suite(templates, templates), Fictional(seed), seed, wanted(templates, CHOICE, None))
    left: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(suite.pairs(), key=lambda pair: digest(str(seed), pair.id)):
        left[facet(pair, "template")].append(pair)
    drawn: list[Pair] = []
    said: Counter[tuple[str, str]] = Counter()
    forms: Counter[tuple[str, str]] = Counter()
    all_forms: Counter[str] = Counter()
    order = sorted(left, key=lambda name: digest(str(seed), name))
    while len(drawn) < size:
        for name in order[: size - len(drawn)]:
            pair = min(
                left[name],
                key=lambda one: (
                    said[facet(one, "template"), facet(one, "phrasing")],
                    forms[facet(one, "template"), facet(one, "form")],
                    all_forms[facet(one, "form")],
                ),
            )
            left[name].remove(pair)
            said[name, facet(pair, "phrasing")] += 1
            forms[name, facet(pair, "form")] += 1
            all_forms[facet(pair, "form")] += 1
            drawn.append(pair)
    return sorted(drawn, key=lambda pair: pair.id)


def shown(pair: Pair) -> str:
    """Return a pair as a text to be judged."""
    assert isinstance(pair.premise, Table)
    rows = "\n".join(f"    {row.key}: {' | '.join(row.values)}" for row in pair.premise.rows)
    return f"{pair.id} [{facet(pair, 'form')}]\n  {pair.premise.title}\n{rows}\n  {pair.gold}: {pair.hypothesis}\n"


def write_csv(pairs: Sequence[Pair]) -> None:
    """Write the rows of the review with empty verdicts."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([(pair.id, facet(pair, "template"), pair.gold, "", pair.hypothesis, "", "") for pair in pairs])


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--csv", action="store_true")
    options = parser.parse_args()
    pairs = sample(options.seed, options.size)
    if options.csv:
        write_csv(pairs)
    else:
        print("\n".join(map(shown, pairs)))


if __name__ == "__main__":
    main()
