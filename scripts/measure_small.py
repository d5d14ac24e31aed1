"""Measure the network that comes with the package, and write the numbers into its page, ``docs/models/small.md``.

    NLIPROBE_DATA=… python -m scripts.measure_small [--write]

Beside each accuracy stand what the best constant answer gets and what the same network gets without the premise. It
needs no torch. Without ``--write`` it only prints the tables.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import nliprobe
from nliprobe.analysis.documents import Ends, Gain, ScoreEntry
from nliprobe.api.results import Run
from nliprobe.models._small_files import FOLDER, MANIFEST
from nliprobe.stats.calibration import calibration_error
from nliprobe.task.labels import LETTERS
from nliprobe.task.sources import open_source
from scripts.build_small import in_first_half

PAGE = Path(__file__).parents[1] / "docs" / "models" / "small.md"
TWIN = "small?premise=none"
CORPORA = {
    "snli/test": "SNLI test",
    "snli/dev": "SNLI dev (chose the epoch)",
    "multinli/dev-matched": "MultiNLI dev, matched",
    "multinli/dev-mismatched": "MultiNLI dev, mismatched",
    "hans/evaluation": "HANS (two labels)",
    "builtin/sentences-dev": "built-in sentences",
    "builtin/tables-dev": "built-in tables",
    "checklist?n=100": "checklist, 100 per template",
}


def measured() -> Run:
    """Ask the network and its twin about everything that the page shows."""
    return nliprobe.run(["small", TWIN], list(CORPORA), ["gold"])


def accuracy_rows(run: Run) -> list[str]:
    """Return a row per corpus: accuracy, the best constant answer, without premise, the gain from the premise."""
    document = run.summary()
    scores = {(entry["system"], entry["corpus"]): entry for entry in document["scores"]}
    gains = {gain["corpus"]: gain for gain in document["gains"]}
    corpora = list(dict.fromkeys(entry["corpus"] for entry in document["scores"]))
    titles = dict(zip(corpora, CORPORA.values(), strict=True))
    return [
        "| pairs | n | accuracy [95 %] | best constant | without premise [95 %] | gain from the premise |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            _row(titles[corpus], scores["small", corpus], scores[TWIN, corpus], gains[corpus])
            for corpus in corpora
        ),
    ]  # fmt: skip


def _row(title: str, full: ScoreEntry, blind: ScoreEntry, gain: Gain) -> str:
    constant = full["constant"]
    always = "–" if constant is None else f"{constant['label']} {100 * constant['accuracy']:.1f}"
    cells = (
        title,
        f"{full['n']:,}",
        _share(full["accuracy"], full["ci95"]),
        always,
        _share(blind["accuracy"], blind["ci95"]),
        _share(gain["gain"], gain["ci95"], sign="+"),
    )
    return f"| {' | '.join(cells)} |"


def _share(value: float | None, ends: Ends, sign: str = "") -> str:
    if value is None:
        return "–"
    inner = "no interval" if ends is None else f"{100 * ends[0]:{sign}.1f}, {100 * ends[1]:{sign}.1f}"
    return f"{100 * value:{sign}.1f} [{inner}]"


def calibration_rows(run: Run) -> list[str]:
    """Return a row per part of SNLI: mean probability of the answers, accuracy, expected calibration error."""
    first = {pair.id for pair in open_source("snli/dev").pairs() if in_first_half(pair)}
    rows = [
        "| pairs | system | n | mean probability | accuracy | expected calibration error |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for system in ("small", TWIN):
        for title, corpus, of_half in (
            ("SNLI dev", "snli/dev", None),
            ("SNLI dev, the half that chose the temperature", "snli/dev", True),
            ("SNLI dev, the other half", "snli/dev", False),
            ("SNLI test", "snli/test", None),
            ("MultiNLI dev, matched", "multinli/dev-matched", None),
        ):
            confidence, right, names = _answers(run, system, corpus)
            kept = np.array([of_half is None or (name in first) == of_half for name in names])
            error = calibration_error(confidence[kept], right[kept])
            shares = confidence[kept].mean(), right[kept].mean(), error
            cells = " | ".join(f"{100 * share:.1f}" for share in shares)
            rows.append(f"| {title} | `{system}` | {kept.sum():,} | {cells} |")
    return rows


def _answers(run: Run, system: str, corpus: str) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
    cases = run.cases().filter((pl.col("corpus") == corpus) & pl.col("gold").is_not_null())
    asked = cases.join(run.predictions(system), on="case_id", how="inner")
    return (
        asked.select(pl.max_horizontal(*(f"p_{letter.lower()}" for letter in LETTERS))).to_series().to_numpy(),
        (asked["label"] == asked["gold"]).to_numpy(),
        asked["pair_id"].to_list(),
    )


def exact_rows() -> list[str]:
    """Return what the manifest says: sizes, temperatures, and how far rounding moved the probabilities."""
    manifest = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    rows = ["| | `small` | `small?premise=none` |", "| --- | --- | --- |"]

    def row(title: str, name: str, shown: Callable[[Any], str]) -> str:
        return f"| {title} | {shown(manifest[name]['full'])} | {shown(manifest[name]['twin'])} |"

    moved = "torch, before rounding"
    return [
        *rows,
        row("accuracy on SNLI dev after each epoch", "dev_accuracy_per_epoch", _percents),
        row("temperature", "temperature", lambda value: f"{value:.3f}"),
        row(
            "largest difference of a probability on SNLI dev: the same weights in torch",
            "differences_on_dev",
            lambda found: f"{found['torch, these weights']:.0e}",
        ),
        row(
            "the same: weights before rounding, in torch (on average)",
            "differences_on_dev",
            lambda found: f"{found[moved]:.3f} ({found[f'{moved}, mean']:.4f})",
        ),
        row(
            "pairs of SNLI dev whose answer rounding changes",
            "differences_on_dev",
            lambda found: f"{100 * found[f'{moved}, other label']:.2f} %",
        ),
        f"| all files together | {size / 1e6:.2f} MB | |",
    ]


def _percents(shares: Sequence[float]) -> str:
    return ", ".join(f"{100 * share:.1f}" for share in shares)


def replaced(text: str, name: str, rows: Sequence[str]) -> str:
    """Return a page with the table between two marks replaced."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{PAGE} has no marks for the table '{name}'.")
    return pattern.sub(lambda _: "\n".join([begin, *rows, end]), text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into the page")
    options = parser.parse_args()
    run = measured()
    tables = {"accuracy": accuracy_rows(run), "calibration": calibration_rows(run), "exact": exact_rows()}
    for name, rows in tables.items():
        print(f"{name}\n" + "\n".join(rows))
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        for name, rows in tables.items():
            text = replaced(text, name, rows)
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
