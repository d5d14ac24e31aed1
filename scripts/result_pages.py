"""Compute the numbers of README and of the pages of results, and compare them with what the pages say.

``python -m scripts.result_pages`` runs the commands that the pages show, on the corpora of NLIPROBE_DATA, and lists the
rows that differ; with ``--write`` it writes them into the pages. A row is found by its first cell.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nliprobe.papers.infotabs._rows import SVM, SVM_PARA

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SVM_PAGE = ROOT / "docs" / "results" / "svm-infotabs.md"
SPLITS = ("infotabs/dev", "infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3")
ROW_PROBES = ("rows.delete", "rows.permute")
Document = Mapping[str, Any]
Rows = dict[Path, list[str]]


def call(*words: str) -> str:
    """Run a verb of nliprobe and return what it prints."""
    done = subprocess.run([sys.executable, "-m", "nliprobe", *words], check=True, capture_output=True, text=True)
    return done.stdout


def make_run(systems: Iterable[str], out: Path, *words: str) -> Document:
    """Make a run over the splits of InfoTabS and return its summary."""
    named = [word for system in systems for word in ("--system", system)]
    call("run", *named, "--on", ",".join(SPLITS), "--out", str(out), "--quiet", *words)
    document: Document = json.loads(call("show", str(out), "--format", "json"))
    return document


def svm_run(out: Path) -> Document:
    """Train both SVMs and ask them everything that the pages show."""
    probes = ",".join(("gold", *ROW_PROBES))
    return make_run([SVM_PARA, SVM], out, "--train", "infotabs/train", "--probes", probes)


def svm_rows(document: Document) -> Rows:
    """Return the rows on the SVM with the table and without it."""
    table, blind = (
        {
            score["corpus"]: score
            for score in document["scores"]
            if score["probe"] == "gold" and ("premise=none" in score["system"]) == without
        }
        for without in (False, True)
    )
    gains = {gain["corpus"]: gain for gain in document["gains"]}
    rows: Rows = {
        README: [
            row("SVM with the table", [percent(table[split]["accuracy"]) for split in SPLITS]),
            row("SVM, hypothesis only", [percent(blind[split]["accuracy"]) for split in SPLITS]),
            row("gain from the table, 95 % interval", [ends(gains[split]["ci95"]) for split in SPLITS]),
        ],
        SVM_PAGE: [
            row("hypothesis only", [with_interval(blind[split]) for split in SPLITS]),
            row("with the table as sentences (`para`)", [with_interval(table[split]) for split in SPLITS]),
            row(
                "**gain from the table** (by table)",
                [f"{signed(gains[split]['gain'])} ({ends(gains[split]['ci95'])})" for split in SPLITS],
            ),
        ],
    }
    for average in document["transition_averages"]:
        if "premise=none" not in average["system"]:
            rows[SVM_PAGE].append(prohibited_row(document, average))
    return rows


def prohibited_row(document: Document, average: Document) -> str:
    """Return the rates of prohibited changes of one probe, averaged over the splits."""
    probe, system = average["probe"], average["system"]
    cases = sum(part["n"] for part in document["transitions"] if part["probe"] == probe and part["system"] == system)
    rates = [average["prohibited"][label]["rate"] for label in "ENC"]
    low, high = average["prohibited_overall"]["ci95"]
    overall = f"{100 * average['prohibited_overall']['rate']:.2f} ({100 * low:.2f}–{100 * high:.2f})"
    return row(f"`{probe}` ({cases:,} cases)", [*(f"{100 * rate:.2f}" for rate in rates), overall])


def row(first: str, cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {first} | {' | '.join(cells)} |"


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f}"


def signed(share: float) -> str:
    """Return a difference in points, with a real minus sign and without a negative zero."""
    return f"{round(100 * share, 1) + 0.0:.1f}".replace("-", "−")


def ends(interval: Sequence[float]) -> str:
    """Return an interval in words, because a dash would be read as a minus sign."""
    return f"{signed(interval[0])} to {signed(interval[1])}"


def with_interval(score: Document) -> str:
    """Return an accuracy with its interval."""
    low, high = score["ci95"]
    return f"{percent(score['accuracy'])} ({percent(low)}–{percent(high)})"


def stale(text: str, rows: Iterable[str]) -> list[str]:
    """Return the rows that a page does not have."""
    lines = set(text.splitlines())
    return [wanted for wanted in rows if wanted not in lines]


def replaced(text: str, rows: Iterable[str]) -> str:
    """Return a page with its rows replaced by those with the same first cell."""
    new = {wanted.split(" | ")[0]: wanted for wanted in rows}
    return "".join(
        new.get(line.split(" | ")[0], line.rstrip("\n")) + "\n" if line.startswith("| ") else line
        for line in text.splitlines(keepends=True)
    )


def main() -> int:
    """Compare the pages with what is computed now, or write them."""
    from scripts.minilm_page import minilm_rows

    parser = argparse.ArgumentParser(description="Compute the numbers of README and of the pages of results.")
    parser.add_argument("--write", action="store_true", help="Write the rows into the pages.")
    write = parser.parse_args().write
    with tempfile.TemporaryDirectory() as folder:
        rows = {**svm_rows(svm_run(Path(folder) / "svm")), **minilm_rows(Path(folder))}
    differ = 0
    for page, wanted in rows.items():
        text = page.read_text(encoding="utf-8")
        if write:
            text = replaced(text, wanted)
            page.write_text(text, encoding="utf-8")
        for line in stale(text, wanted):
            differ += 1
            print(f"{page.relative_to(ROOT)}: {line}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
