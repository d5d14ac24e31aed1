"""Compute the rows of docs/results/minilm-infotabs.md from the answers that come with the package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev

from nliprobe.api.sources import open_source
from nliprobe.papers.infotabs._scores import accuracy, read_gold
from nliprobe.papers.infotabs.answers_file import Answers, find_answers
from scripts.result_pages import ROOT, SPLITS, Document, Rows, call, make_run, row, signed

PAGE = ROOT / "docs" / "results" / "minilm-infotabs.md"
ROW_RATES = ROOT / "benchmarks" / "results" / "minilm_rows.json"
READING = {
    "struct": "`struct` (`key : value`)",
    "wmd-3": "`wmd-3` (the three nearest rows)",
    "para": "`para` (one sentence per row)",
    "wmd-1": "`wmd-1` (the nearest row)",
}
OTHERS = {
    "tabattn": "`tabattn` (keys and values, encoder not trained)",
    "hypothesis": "*premise-free:* hypothesis only",
    "dummy": "*premise-free:* dummy premise",
    "swapped": "*premise-free:* swapped premises",
}
CONTROLS = ("hypothesis", "dummy", "swapped")
TRANSFER = {"snli": "trained on SNLI (100 k)", "multinli": "trained on MultiNLI (20 k)"}


def shipped(name: str) -> Answers:
    """Return the answers of a name, which must be there."""
    answers = find_answers(name, None)
    assert answers is not None, name
    return answers


def accuracies(name: str, split: str) -> list[float]:
    """Return the accuracy of each seed on a split, in percent."""
    gold = read_gold(split, None)
    return [accuracy(gold.letters, letters) for letters in shipped(name).to(split, gold.digest, gold.letters)]


def accuracy_rows() -> Iterator[str]:
    """Yield mean and standard deviation of the accuracy of every model; the best that reads the table is bold."""
    means = {name: [fmean(accuracies(name, split)) for split in SPLITS] for name in READING}
    best = [max(means[name][index] for name in READING) for index in range(len(SPLITS))]
    for name, title in {**READING, **OTHERS}.items():
        cells: list[str] = []
        for index, split in enumerate(SPLITS):
            seeds = accuracies(name, split)
            cell = f"{fmean(seeds):.1f} ± {stdev(seeds):.1f}"
            cells.append(f"**{cell}**" if name in READING and fmean(seeds) == best[index] else cell)
        yield row(title, cells)
    for name, title in TRANSFER.items():
        pairs = [[fmean(accuracies(f"{name}-{how}", split)) for how in ("wmd-1", "para")] for split in SPLITS]
        yield row(f"{title}, asked `wmd-1` / `para`", [f"{nearest:.1f} / {para:.1f}" for nearest, para in pairs])


def shipped_run(folder: Path) -> Document:
    """Make a run from the answers of the models that read the table and of the nine controls."""
    systems: list[str] = []
    ids = {split: [pair.id for pair in open_source(split).pairs()] for split in SPLITS}
    for name in (*READING, *CONTROLS):
        recorded = shipped(name)
        for seed, answers in recorded.seeds.items():
            path = folder / f"{name}-{seed}.jsonl"
            lines = [
                json.dumps({"id": pair, "label": letter}) + "\n"
                for split in SPLITS
                for pair, letter in zip(ids[split], answers[split], strict=True)
            ]
            path.write_text("".join(lines), encoding="utf-8")
            systems.append(f"predictions:{path}?premise={recorded.premise}")
    return make_run(systems, folder / "run")


def gain_rows(document: Document) -> Iterator[str]:
    """Yield the gain of each seed over the best control; bold if its interval does not contain zero."""
    gains = {(_named(gain["system"]), gain["corpus"]): gain for gain in document["gains"]}
    for name in READING:
        cells = [
            " ".join(
                _marked(gains[f"{name}-{seed}", split]["gain"], gains[f"{name}-{seed}", split]["ci95"])
                for seed in "012"
            )
            for split in SPLITS
        ]
        yield row(f"`{name}`", cells)


def struct_minus_para(folder: Path, document: Document) -> str:
    """Return the row of the difference between two readings, seed by seed."""
    names = {_named(score["system"]): score["system"] for score in document["scores"]}
    cells: dict[str, list[str]] = {split: [] for split in SPLITS}
    for seed in "012":
        words = "--left", names[f"para-{seed}"], "--right", names[f"struct-{seed}"], "--format", "json"
        for entry in json.loads(call("compare", str(folder / "run"), *words))["pairs"][0]["comparisons"]:
            if entry["probe"] == "gold":
                cells[entry["corpus"]].append(_marked(entry["difference"], entry["ci95"]))
    return row("`struct` minus `para`", [" ".join(cells[split]) for split in SPLITS])


def prohibited_rows() -> Iterator[str]:
    """Yield the rates of prohibited changes, from the summary of the run whose answers are too large to be shipped."""
    averages = json.loads(ROW_RATES.read_text(encoding="utf-8"))["averages"]
    for probe in ("rows.delete", "rows.permute"):
        seeds = [entry for entry in averages if entry["probe"] == probe]
        means = [f"{100 * fmean(entry['prohibited'][label] for entry in seeds):.1f}" for label in "ENC"]
        overall = " / ".join(f"{100 * entry['overall']:.1f}" for entry in seeds)
        yield row(f"`{probe}` ({seeds[0]['n']:,} cases)", [*means, overall])


def minilm_rows(folder: Path) -> Rows:
    """Return all rows of the page."""
    document = shipped_run(folder)
    gains = [*gain_rows(document), struct_minus_para(folder, document)]
    return {PAGE: [*accuracy_rows(), *gains, *prohibited_rows()]}


def _named(system: str) -> str:
    return system.partition("?")[0].rpartition("/")[2].removesuffix(".jsonl")


def _marked(share: float, interval: list[float]) -> str:
    text = signed(share)
    text = text if text.startswith("−") else f"+{text}"
    return text if interval[0] <= 0 <= interval[1] else f"**{text}**"
