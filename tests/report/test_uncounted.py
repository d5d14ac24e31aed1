"""A probe that counts nothing on a corpus says so once, and prints no table of zeros."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from tests.corpora.files import write_rows

import nliprobe
from nliprobe.analysis.documents import ShowDocument
from nliprobe.report.markdown import markdown_report
from nliprobe.report.uncounted import without_uncounted

TABLE = {
    "title": "Season",
    "header": ["Team", "Won", "Lost"],
    "rows": [["Tarn", 12, 3], ["Velm", 4, 11], ["Oster", 1, 1]],
}
LABELS = ["supports", "refutes", "nei"]


def answer(premises: list[str], hypotheses: list[str]) -> list[str]:
    return ["neutral"] * len(premises)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> ShowDocument:
    rows = [
        {"premise": TABLE, "claim": f"Claim {n} is about the last row.", "label": label}
        for n, label in enumerate(LABELS)
    ]
    path = write_rows(tmp_path_factory.mktemp("own") / "own.jsonl", rows)
    return nliprobe.run({"a": answer, "b": answer}, f"file:{path}", ["rows.permute", "swap"]).summary()


def test_what_is_likely_only_is_shown_as_likely(document: ShowDocument) -> None:
    assert {(entry["n"], entry["likely"]["n"]) for entry in document["transitions"]} == {(0, 3)}
    assert without_uncounted(document)["transitions"] == document["transitions"]
    assert "n likely | prohibited % (likely)" in markdown_report(document)


@pytest.fixture
def nothing(document: ShowDocument) -> ShowDocument:
    """Return the document as if not even the likely cases counted, which a person would have to judge."""
    empty = copy.deepcopy(document)
    for entry in empty["transitions"]:
        entry["likely"]["n"] = 0
    return empty


def test_what_counts_nothing_is_a_note(nothing: ShowDocument) -> None:
    shown = without_uncounted(nothing)
    assert (shown["transitions"], shown["expectations"], shown["transition_averages"]) == ([], [], [])
    expected = "rows.permute counts nothing here: what must follow is not certain in any of its 3 cases."
    assert shown["notes"] == {"own": [expected]}
    assert nothing["notes"] == {}, "the document itself stays as it is"


def test_a_probe_that_does_not_apply_says_so_once(nothing: ShowDocument) -> None:
    text = markdown_report(nothing)
    # The swap test says that it has no meaning for tables, and what was left out is counted below.
    assert text.count("swap has no meaning for tables") == 1
    assert text.count("swap does not apply to 3 pairs of own") == 1
    assert text.count("swap") == 2
    assert text.count("rows.permute") == 1
    assert "## rows" not in text


def test_what_counts_something_stays(tmp_path: Path) -> None:
    full = nliprobe.run({"a": answer}, "builtin/tables-dev?limit=3", ["rows.delete"], tmp_path / "run").summary()
    assert without_uncounted(full)["transitions"] == full["transitions"]
