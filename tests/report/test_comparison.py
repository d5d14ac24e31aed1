"""What ``compare`` prints, on a terminal as narrow as they come."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.analysis.runs import Asked, pair, write_run

import nliprobe
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.base.errors import UsageError
from nliprobe.report.comparison import print_comparison
from nliprobe.report.comparison_forms import comparison_text, form_of

PROBES = ["gold", "rows.delete", "rows.permute", "inv.surface", "swap"]
CORPORA = ["builtin/tables-dev", "builtin/sentences-dev"]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> CompareDocument:
    train = ["builtin/tables-train", "builtin/sentences-train"]
    out = tmp_path_factory.mktemp("compare") / "run"
    nliprobe.run(["svm?represent=para", "svm?premise=none"], CORPORA, PROBES, out, train=train)
    return nliprobe.compare(out, left="svm?represent=para", right="svm?premise=none").document


def test_eighty_columns_cut_no_name_and_no_number(document: CompareDocument) -> None:
    stream = StringIO()
    print_comparison(document, Console(file=stream, width=80))
    lines = stream.getvalue().splitlines()
    assert "…" not in stream.getvalue()
    assert max(map(len, lines)) <= 80
    for corpus in CORPORA:
        assert corpus in lines, "the name of a corpus is whole, on a line of its own"
    for entry in document["pairs"][0]["comparisons"]:
        row = next(line for line in lines if line.startswith(entry["probe"]) and f"{entry['n']:,}" in line.split())
        assert len(row.split()) >= 8, row


HOSTILE = "<script>alert(1)</script> | `x` \u202e"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> CompareDocument:
    cases = [pair(f"p{number}", "ENC"[number % 3], group=f"t{number // 3}") for number in range(60)]
    systems = [
        Asked(
            f"{HOSTILE if not number else 'model'} {number} {'x' * 60}",
            {c.id: "ENC"[(i * number) % 3] for i, c in enumerate(cases)},
        )
        for number in range(12)
    ]
    run = write_run(tmp_path_factory.mktemp("many"), {"x/dev": cases}, systems)
    return nliprobe.compare(run.path).document


@pytest.mark.parametrize("count", [3, 6, 12])
def test_many_systems_fit_eighty_columns(many: CompareDocument, count: int) -> None:
    names = [system["name"] for system in many["systems"][:count]]
    chosen: CompareDocument = {
        **many,
        "systems": many["systems"][:count],
        "pairs": [pair for pair in many["pairs"] if pair["left"] in names and pair["right"] in names],
    }
    stream = StringIO()
    print_comparison(chosen, Console(file=stream, width=80))
    assert max(map(len, stream.getvalue().splitlines())) <= 80
    assert "What tells the systems apart" in stream.getvalue()
    assert ("told apart; systems that share a letter" in stream.getvalue()) is True


def test_pages_and_markdown_hold_hostile_names_as_text(many: CompareDocument) -> None:
    page, text = comparison_text(many, "html"), comparison_text(many, "markdown")
    for written in (page, text):
        assert "<script>" not in written
        assert "&lt;script&gt;" in written
    assert "\u2212" in page, "real minus signs"


def test_a_file_needs_a_known_ending() -> None:
    with pytest.raises(UsageError, match=r"cannot be written as x\.pdf"):
        form_of("x.pdf")


def test_a_loss_that_is_shown_is_not_hidden_by_a_margin_that_stays_open(tmp_path: Path) -> None:
    cases = [pair(f"p{number}", "E", group=f"t{number}") for number in range(300)]
    systems = [
        Asked(name, {case.id: "E" if place < right else "N" for place, case in enumerate(cases)})
        for name, right in (("before", 270), ("after", 258))
    ]
    run = write_run(tmp_path, {"x/dev": cases}, systems)
    document = nliprobe.compare(run.path, margin=0.03).document
    [entry] = document["pairs"][0]["comparisons"]
    assert entry["margin"] is not None
    assert entry["margin"]["verdict"] == "undecided"
    assert "worse, perhaps by more" in comparison_text(document, "markdown")
    page = comparison_text(document, "html")
    assert all(f">{head}<" in page for head in ("cases", "groups", "constant"))
