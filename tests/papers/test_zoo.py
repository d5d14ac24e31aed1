"""What the networks of the zoo answered: the shipped files, and the page that is computed from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nliprobe.papers.blocks import block_pattern
from nliprobe.papers.swap import zoo_results
from nliprobe.papers.swap.answers_file import SWAP, SWAPPED, ZOO, ZOO_ON, find_answers
from nliprobe.papers.swap.grid_files import find_grids

PAGE = Path(__file__).parents[2] / "docs" / "results" / "zoo.md"
# What each network should get on SNLI test after 99,890 pairs.
LEAST = {
    "CBOW": 70, "decomposable attention": 76, "InferSent": 79, "DGA": 78, "ESIM": 80, "KIM": 80, "ADV": 76,
    "ADV over ESIM": 80,
}  # fmt: skip


def test_every_network_was_asked_both_splits_as_they_are_and_swapped() -> None:
    for name, shown in (ZOO | SWAPPED).items():
        answers = find_answers(name, None)
        assert answers is not None
        assert answers.encoder == shown
        assert set(answers.asked) == set(ZOO_ON)
        assert all(set(asked.cases) == {"gold", SWAP} for asked in answers.asked.values())
        blind = name.endswith("-hypothesis")
        assert answers.premise == ("none" if blind else "full")
        assert list(answers.seeds) == (["0"] if blind or name in SWAPPED else ["0", "1", "2"])


@pytest.mark.results
def test_the_page_of_the_zoo_holds_what_the_files_give(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run python scripts/swap_results.py after new answers, grids or transfer results."""
    monkeypatch.setenv("NLIPROBE_DATA", str(data))
    text = PAGE.read_text(encoding="utf-8")
    assert sorted(match[1] for match in block_pattern(zoo_results.TOPIC).finditer(text)) == sorted(zoo_results.BLOCKS)
    assert zoo_results.fill_zoo(text) == text


def test_every_network_is_as_good_as_it_should_be() -> None:
    rows = cells("accuracy")
    means = {name: float(re.split(r" |$", mean)[0]) for name, mean, *_ in rows}
    assert all(means[name] >= least for name, least in LEAST.items()), means
    assert means["KIM"] >= means["ESIM"] - 0.5
    assert means["ADV"] >= means["decomposable attention"] - 2
    assert means["ADV over ESIM"] >= means["ESIM"] - 2
    assert max(mean for name, mean in means.items() if "hypothesis only" in name) < min(means[name] for name in LEAST)


def test_training_with_rules_halves_what_is_broken() -> None:
    broken = {
        (name.strip("`"), sets): [float(cell.split()[0]) for cell in rules] for name, sets, *rules in cells("rules")
    }
    for base in ("decatt", "esim"):
        for sets in {sets for _, sets in broken}:
            assert sum(broken[f"adv-{base}", sets]) <= sum(broken[base, sets]) / 2


def test_grids_have_every_share_of_each_network() -> None:
    grids = find_grids(None)
    assert set(grids) == {"MultiNLI 20k", "SNLI 100k and MultiNLI 20k"}
    for grid in grids.values():
        assert grid["shares"] == [0.0, 0.5, 0.75, 1.0]
        assert all(training["error"] is None for training in grid["trainings"])
        for row in grid["rows"]:
            assert all(score["accuracy"] is not None for score in row["scores"])


def cells(block: str) -> list[list[str]]:
    """Return the rows of a block of the page."""
    text = PAGE.read_text(encoding="utf-8")
    [table] = [match[2] for match in block_pattern(zoo_results.TOPIC).finditer(text) if match[1] == block]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.strip().splitlines()[2:]]
