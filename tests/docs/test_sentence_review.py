"""What the pages say about sentences that were read is what the lists of verdicts say."""

from __future__ import annotations

import csv
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((DOCS / "review" / name).read_text(encoding="utf-8").splitlines()))


def test_the_error_rate_of_certain_edits_is_that_of_the_list() -> None:
    verdicts = rows("sentence_edits.csv")
    wrong = [row for row in verdicts if row["verdict"] == "does not bind"]
    assert len(verdicts) == len({row["case_id"] for row in verdicts}) == 200
    assert {row["certainty"] for row in verdicts} == {"certain"}
    assert {row["verdict"] for row in verdicts} == {"binds", "does not bind"}
    assert all(row["note"] for row in wrong)
    assert len(wrong) / len(verdicts) <= 0.03
    page = " ".join((DOCS / "probes" / "sentences-delete.md").read_text(encoding="utf-8").split())
    assert f"In {len(wrong)} of them ({len(wrong) / 2:g} %, 95 % interval 0.5 to 4.3 %)" in page
    others = [row for row in verdicts if not row["pair_id"].startswith("climate-fever")]
    assert f"in {len(others)} edits of the other corpora we found none" in page
    assert not [row for row in others if row["verdict"] != "binds"]


def test_the_second_reading_is_that_of_its_list() -> None:
    verdicts = rows("sentence_edits_second.csv")
    doubtful = [row for row in verdicts if row["verdict"] == "doubtful"]
    climate = sum(row["pair_id"].startswith("climate-fever") for row in verdicts)
    assert {row["verdict"] for row in verdicts} == {"binds", "doubtful"}
    assert len({row["case_id"] for row in verdicts}) == len(verdicts)
    page = " ".join((DOCS / "probes" / "sentences-delete.md").read_text(encoding="utf-8").split())
    assert f"took {len(verdicts)} edits of another draw, {climate} of them in Climate-FEVER" in page
    assert f"and {len(doubtful)} is doubtful" in page


def test_the_boundaries_are_those_of_the_list() -> None:
    verdicts = rows("sentence_boundaries.csv")
    wrong = {
        number: [row for row in verdicts if row["round"] == number and row["verdict"] == "wrong"] for number in "12"
    }
    assert len(verdicts) == 400
    assert (len(wrong["1"]), len(wrong["2"])) == (5, 0)
