"""The page of the table library tells what the library holds, and its reading is complete."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from scripts.sample_tables import COLUMNS, facet, sample
from scripts.table_library_page import MARK, PAGE, generated

from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.makers import MAKERS

REVIEW = Path(__file__).parents[2] / "docs/review/table_hypotheses.csv"


def test_the_page_is_what_the_script_writes() -> None:
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark, "the mark of the generated part is gone"
    assert head + generated() == PAGE.read_text(encoding="utf-8"), "run scripts/table_library_page.py"


def test_the_page_names_every_maker() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in MAKERS if f"`{name}(" not in text] == []


def test_every_template_was_read() -> None:
    with REVIEW.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = list(reader)
    assert tuple(reader.fieldnames or ()) == COLUMNS
    ids = {template.id for template in load_tables().templates}
    assert len(rows) == len({row["pair_id"] for row in rows}) == 300
    assert {row["template"] for row in rows} == ids
    assert min(Counter(row["template"] for row in rows).values()) >= 2
    # Whoever changes the library reads again: the file is about the sentences of today.
    assert {row["pair_id"]: row["hypothesis"] for row in rows} == {pair.id: pair.hypothesis for pair in sample()}
    assert {row["pair_id"]: row["label"] for row in rows} == {pair.id: str(pair.gold) for pair in sample()}
    assert sum(row["reader"] != row["label"] for row in rows) <= 3
    verdicts = Counter(row["verdict"] for row in rows)
    assert set(verdicts) <= {"ok", "odd"}
    told = f"{verdicts['ok']} of the 300 sentences are fine, {verdicts['odd']} odd"
    assert told in PAGE.read_text(encoding="utf-8").replace("\n", " ")


def test_the_sample_is_spread_evenly() -> None:
    drawn = sample()
    assert len(drawn) == 300
    per_template = Counter(facet(pair, "template") for pair in drawn)
    assert set(per_template.values()) <= {2, 3}
    phrasings = Counter((facet(pair, "template"), facet(pair, "phrasing")) for pair in drawn)
    assert max(phrasings.values()) <= 2
    forms = Counter(str(pair.gold) for pair in drawn)
    assert max(forms.values()) - min(forms.values()) <= 12
    assert [pair.id for pair in sample()] == [pair.id for pair in drawn]
