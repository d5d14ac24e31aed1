"""The table of a grid on the console: nothing is cut off, and what shows nothing is marked."""

from __future__ import annotations

import io

import pytest
from tests.papers.made_grids import made_up

from nliprobe.analysis.grid_documents import GridDocument
from nliprobe.report.grid import grid_remarks, print_grid
from nliprobe.report.words import NOTHING


def shown(document: GridDocument, width: int) -> str:
    from rich.console import Console

    console = Console(file=io.StringIO(), width=width)
    print_grid(document, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_every_number_is_there_at_any_width(width: int) -> None:
    text = shown(made_up("esim", tests=("gold", "stress.overlap")), width)
    assert all(len(line) <= width for line in text.splitlines())
    for number in ("50.0 ±2.0", "45.0 ±2.0", "40.0 ±2.0", "30.0 ±2.0", "[80, 100]", "[0.100, 0.300]", "noise 0.010"):
        assert number in text
    assert ("unedited" in text, "overlap" in text) == (True, True)


def test_what_shows_nothing_is_marked_and_explained() -> None:
    document = made_up("esim", "cbow")
    first, second = document["deviations"]
    first["reading"], second["reading"], second["training_noise"] = "sampling", "training", 0.5
    document["trainings"][0]["constant"] = "E"
    document["trainings"][1]["error"] = "no memory"
    text = shown(document, 120)
    assert "~0.300" in text
    assert "≈0.300" in text
    assert "seeds 0.500" in text
    remarks = "\n".join(grid_remarks(document))
    for part in (
        "guessing gets 33.3",
        "over 50 %, 75 %, 100 %",
        "~ not shown to differ from what drawing other pairs gives",
        "≈ no larger than what training again with another seed gives",
        "always the same answer, so that S is only how labels are distributed: esim-0.0 (E)",
        "esim-0.5 is missing: no memory",
    ):
        assert part in remarks


def test_one_seed_is_said_and_gaps_are_shown() -> None:
    document = made_up("esim")
    assert any(line.startswith("one seed:") for line in grid_remarks(document))
    score, deviation = document["rows"][0]["scores"][3], document["deviations"][0]
    score["accuracy"] = score["ci95"] = score["ratio"] = score["ratio_ci95"] = None
    deviation["deviation"] = deviation["ci95"] = deviation["noise"] = None
    lines = shown(document, 120).splitlines()
    assert any(line.startswith("overlap") and line.rstrip().endswith(NOTHING) for line in lines)
