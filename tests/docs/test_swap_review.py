"""What the page on swap says about the doubtful neutrals that were read is what the list of verdicts says."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from nliprobe.language.specific import more_specific
from nliprobe.stats.intervals import wilson

DOCS = Path(__file__).parents[2] / "docs"


def test_the_precision_is_that_of_the_list() -> None:
    with (DOCS / "review" / "doubtful_neutrals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    verdicts = Counter(row["verdict"] for row in rows)
    assert len({row["pair_id"] for row in rows}) == len(rows) >= 100
    assert all(row["note"] for row in rows if row["verdict"] != "right")
    page = " ".join((DOCS / "probes" / "swap.md").read_text(encoding="utf-8").split())
    right, n = verdicts["right"], len(rows)
    interval = wilson(right, n)
    assert interval is not None
    assert f"all {n} pairs that the rule picks" in page
    ends = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    assert f"In {right} of them ({100 * right / n:.1f} %, 95 % interval {ends})" in page
    assert f"{verdicts['doubtful']} are doubtful and {verdicts['wrong']} are wrong" in page
    for name, words in (("snli", "In SNLI, {} of {} are right"), ("multinli", "In MultiNLI only {} of {} are")):
        own = [row["verdict"] for row in rows if row["pair_id"].startswith(f"{name}/")]
        assert words.format(own.count("right"), len(own)) in page
    later = [row for row in rows if row["read"] == "second"]
    assert f"which added {len(later)} pairs" in page


def test_the_examples_of_the_page_are_judged_as_it_says() -> None:
    text = (DOCS / "probes" / "swap.md").read_text(encoding="utf-8")
    examples = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and (": " in line) and ("| yes:" in line or "| no:" in line)
    ]
    assert len(examples) == 5
    for premise, hypothesis, said in examples:
        assert more_specific(premise, hypothesis) == said.startswith("yes")
