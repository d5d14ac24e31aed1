"""Check the labels of executable cases with an oracle that reads only what a model reads.

    python -m scripts.check_tables --cases 100000

Pairs are generated, every probe edits them, and the oracle of ``tests/oracle`` answers each case from the struct text
of the table and the hypothesis. It has to agree with every label. Beside it stand a model that draws its answers and
the best model that reads no table: if they came near, agreement would mean nothing. A disagreement is an error of the
generator or of the oracle; who is right is decided by reading. The exit code is 0 only if all labels agree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice

from tests.oracle.agreement import PROBES, Tally, blind_answer, cases_of, compare, random_answer
from tests.oracle.oracle import answer

# About how many cases the probes make of a pair.
CASES_PER_PAIR = 16
# What a model that does not read the table may reach at most: far from agreement, and from what people reach.
LARGEST_BLIND = 0.6


def main(arguments: Sequence[str] | None = None) -> int:
    """Check cases, print the agreement per probe, and return the exit code."""
    parser = argparse.ArgumentParser(description="Check labels of executable cases with an independent oracle.")
    parser.add_argument("--cases", type=int, default=100_000, help="how many cases are checked at least")
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    total = chosen.cases // CASES_PER_PAIR + 1
    start = time.perf_counter()
    blind = blind_answer(cases_of(f"tables?total={total}&seed={chosen.seed + 1}", PROBES))
    cases = cases_of(f"tables?total={total}&seed={chosen.seed}", PROBES)
    oracle, drawn, without = compare(cases, answer, random_answer(chosen.seed), blind)
    _print(oracle, drawn, without)
    print(f"{time.perf_counter() - start:.0f} s")
    enough = oracle.cases.total() >= chosen.cases
    if not enough:
        print(f"Only {oracle.cases.total():,} cases came out; {chosen.cases:,} were asked for.")
    apart = max(drawn.share, without.share) <= LARGEST_BLIND
    if not apart:
        print("A model that does not read the table comes too near: the labels tell too little about reading.")
    return 0 if oracle.share == 1 and enough and apart else 1


def _print(oracle: Tally, drawn: Tally, without: Tally) -> None:
    print(f"{'probe':60}{'cases':>9}{'oracle':>9}{'random':>9}{'blind':>9}")
    for probe, cases in sorted(oracle.cases.items()):
        shares = [tally.agreed[probe] / cases for tally in (oracle, drawn, without)]
        print(f"{probe:60}{cases:>9,}" + "".join(f"{share:>9.2%}" for share in shares))
    shares = [tally.share for tally in (oracle, drawn, without)]
    print(f"{'all':60}{oracle.cases.total():>9,}" + "".join(f"{share:>9.2%}" for share in shares))
    print("labels of pairs and of their cases:", ", ".join(f"{move} {n:,}" for move, n in sorted(oracle.moves.items())))
    for line in islice(oracle.differing, 20):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
