"""A probe that counts nothing on a corpus says so once, and prints no table of zeros."""

from __future__ import annotations

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
    rows = [{"premise": TABLE, "claim": f"Claim {n}.", "label": label} for n, label in enumerate(LABELS)]
    path = write_rows(tmp_path_factory.mktemp("own") / "own.jsonl", rows)
    return nliprobe.run({"a": answer, "b": answer}, f"file:{path}", ["rows.permute", "rows.delete"]).summary()


def test_what_counts_nothing_is_a_note(document: ShowDocument) -> None:
    assert {entry["n"] for entry in document["transitions"]} == {0}
    shown = without_uncounted(document)
    assert (shown["transitions"], shown["expectations"], shown["transition_averages"]) == ([], [], [])
    expected = "rows.permute counts nothing here: what must follow is not certain in any of its 3 cases."
    assert shown["notes"] == {"own": [expected]}
    assert document["notes"] == {}, "the document itself stays as it is"


def test_a_probe_that_does_not_apply_says_so_once(document: ShowDocument) -> None:
    text = markdown_report(document)
    assert text.count("rows.delete") == 1
    assert text.count("rows.permute") == 1
    assert "## rows" not in text


def test_what_counts_something_stays(tmp_path: Path) -> None:
    full = nliprobe.run({"a": answer}, "builtin/tables-dev?limit=3", ["rows.delete"], tmp_path / "run").summary()
    assert without_uncounted(full)["transitions"] == full["transitions"]
