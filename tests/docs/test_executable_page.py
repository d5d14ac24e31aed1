"""The script that prints the tables of the page on executable hypotheses counts as ``nliprobe show`` does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts import executable_page as page

import nliprobe
from nliprobe.task.labels import C, E, N

NAMES = ("svm", "svm-hypothesis")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> nliprobe.Run:
    """A run of an SVM and its twin, in the place of three seeds of a family as well."""
    seeds = [f"svm?represent=para&C=0.{1 + seed}&name=made-{seed}" for seed in range(page.SEEDS)]
    return nliprobe.run(
        ["svm?represent=para&name=svm", "svm?premise=none&name=svm-hypothesis", *seeds],
        on=["tables?total=300&seed=3"],
        train=["tables?total=300&seed=4"],
        probes=["gold", page.DELETE, page.FLIP],
        out=tmp_path_factory.mktemp("runs") / "tables",
    )


@pytest.fixture
def asked(run: nliprobe.Run, monkeypatch: pytest.MonkeyPatch) -> page.Asked:
    monkeypatch.setattr(page, "SYSTEMS", {name: name for name in NAMES} | {"minilm-made": "made"})
    return page.Asked.read(Path(run.path))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split(" | ")]


def test_accuracies_and_their_intervals_are_those_of_show(run: nliprobe.Run, asked: page.Asked) -> None:
    scores = {entry["system"]: entry for entry in run.summary()["scores"] if entry["probe"] == "gold"}
    lines = {cells(line)[0]: cells(line)[1] for line in page.accuracies(asked)}
    for name in NAMES:
        score = scores[name]
        assert score["accuracy"] is not None
        assert score["ci95"] is not None
        low, high = (100 * end for end in score["ci95"])
        assert lines[name] == f"{100 * score['accuracy']:.1f} [{low:.1f}, {high:.1f}]"
    seeds = [scores[f"made-{seed}"]["accuracy"] or 0 for seed in range(page.SEEDS)]
    assert re.match(rf"{100 * sum(seeds) / page.SEEDS:.1f} ± \d+\.\d \[", lines["minilm-made"])


def test_both_sides_of_flips_are_those_of_show(run: nliprobe.Run, asked: page.Asked) -> None:
    [entry] = [entry for entry in run.summary()["counterfactuals"] if entry["system"] == "svm"]
    first, *lines = page.flips(asked, (E, N, C))
    assert first == f"{entry['n']:,} flips of {entry['originals']:,} pairs"
    shares = next(cells(line)[1:] for line in lines if cells(line)[0] == "svm")
    crossed = entry["crossed"]
    counts = (crossed["both"], crossed["only_original"], crossed["only_counterfactual"], crossed["neither"])
    assert [share.split()[0] for share in shares] == [f"{100 * count / entry['n']:.1f}" for count in counts]


def test_who_sees_only_what_is_missing_is_right_on_two_thirds_and_never_where_e_and_c_are_exchanged(
    asked: page.Asked,
) -> None:
    accuracy, both = (float(re.findall(r"\d+\.\d", line)[0]) for line in page.missing_only(asked))
    assert accuracy == pytest.approx(200 / 3, abs=2)
    cases = asked.data.cases
    golds = cases.gold[cases.base[asked.rows(page.FLIP)]].tolist()
    assert both <= 100 * golds.count(N.mask) / len(golds) / 2 + 1
