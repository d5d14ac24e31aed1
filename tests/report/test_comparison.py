"""What ``compare`` prints, on a terminal as narrow as they come."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

import nliprobe
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.report.comparison import print_comparison

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
