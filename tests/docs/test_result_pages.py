"""README and the pages of results say what their commands, the shipped answers and the public list give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from scripts import minilm_page, result_pages
from scripts.choose_svm import RESULT, choose
from scripts.minilm_page import PAGE, minilm_rows
from scripts.result_pages import README, ROOT, SPLITS, SVM_PAGE, Document, Rows, replaced, row, stale, svm_rows, svm_run
from tests.cli.helpers import nliprobe

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.base.registry import Spec
from nliprobe.papers.infotabs._rows import SVM, SVM_PARA
from nliprobe.papers.recipes import Cell, find_recipes

RESULTS = ROOT / "docs" / "results"


@pytest.fixture(scope="module")
def infotabs(data: Path) -> Iterator[Path]:
    try:
        open_source("infotabs/train", data)
    except NotFoundError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_DATA", str(data))
        for module in (result_pages, minilm_page):
            patch.setattr(module, "call", lambda *words: nliprobe(*words).stdout)
        yield data


@pytest.fixture(scope="module")
def svm(infotabs: Path, tmp_path_factory: pytest.TempPathFactory) -> Document:
    return svm_run(tmp_path_factory.mktemp("svm") / "run")


@pytest.fixture(scope="module")
def minilm(infotabs: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return minilm_rows(tmp_path_factory.mktemp("minilm"))


# The SVM ----------------------------------------------------------------------------------------------------------


@pytest.mark.results
def test_the_svm_has_the_parameters_that_the_rule_chooses() -> None:
    grid = json.loads(RESULT.read_text(encoding="utf-8"))
    chosen = choose(grid["accuracy"])
    assert chosen._asdict() == grid["chosen"]
    table, blind = dict(Spec.parse(SVM_PARA).params), dict(Spec.parse(SVM).params)
    assert (float(table["C"]), float(table["premise_weight"])) == (chosen.C, chosen.premise_weight)
    assert float(blind["C"]) == chosen.C
    for page in (README, SVM_PAGE):
        text = page.read_text(encoding="utf-8")
        assert f"--system '{SVM_PARA}' --system '{SVM}'" in text
    text = SVM_PAGE.read_text(encoding="utf-8")
    for weight, by_cost in grid["accuracy"].items():
        first = "no table" if weight == "none" else weight
        assert row(first, [f"{accuracy:.1f}" for accuracy in by_cost.values()]) in text


@pytest.mark.results
def test_readme_and_the_page_of_the_svm_say_what_their_command_gives(svm: Document) -> None:
    for page, rows in svm_rows(svm).items():
        assert not stale(page.read_text(encoding="utf-8"), rows), "run python -m scripts.result_pages --write"
    grid = json.loads(RESULT.read_text(encoding="utf-8"))["accuracy"]
    measured = {score["system"]: 100 * score["accuracy"] for score in svm["scores"] if score["corpus"] == SPLITS[0]}
    assert sorted(measured.values()) == pytest.approx(sorted([grid["none"]["0.1"], grid["0.02"]["0.1"]]), abs=1e-3)
    # "No gain can be shown on any split."
    assert all(gain["ci95"][0] <= 0 <= gain["ci95"][1] for gain in svm["gains"])
    assert "never learnt" not in README.read_text(encoding="utf-8")


# MiniLM -----------------------------------------------------------------------------------------------------------


def cells(rows: Rows, first: str) -> list[str]:
    [line] = [line for line in rows[PAGE] if line.startswith(f"| {first} |")]
    return line.strip("| ").split(" | ")[1:]


@pytest.mark.results
def test_the_page_of_minilm_says_what_the_shipped_answers_give(minilm: Rows) -> None:
    assert not stale(PAGE.read_text(encoding="utf-8"), minilm[PAGE]), "run python -m scripts.result_pages --write"


def numbers(cell: str) -> list[float]:
    return [float(text.replace("−", "-")) for text in re.findall(r"[+−][\d.]+", cell)]


@pytest.mark.results
def test_gains_of_minilm_are_claimed_only_where_they_are_shown(minilm: Rows) -> None:
    dev, alpha1, alpha2, alpha3 = range(4)
    bold = {
        (name, place): cell.count("**") // 2
        for name in ("struct", "wmd-3", "para", "wmd-1")
        for place, cell in enumerate(cells(minilm, f"`{name}`"))
    }
    assert [name for (name, place), seeds in bold.items() if place == dev and seeds == 3] == ["struct"]
    assert all(seeds for (_, place), seeds in bold.items() if place == alpha2)
    assert not any(seeds for (_, place), seeds in bold.items() if place in (alpha1, alpha3))
    struct = cells(minilm, "`struct`")
    text, readme = (" ".join(page.read_text(encoding="utf-8").split()) for page in (PAGE, README))
    low, high = min(numbers(struct[alpha2])), max(numbers(struct[alpha2]))
    assert f"`struct` gains {low} to {high} points. On dev, only `struct` gains with every seed" in text
    assert f"({min(numbers(struct[dev]))} to {max(numbers(struct[dev]))} points)" in text
    least = min(numbers(struct[dev]) + numbers(struct[alpha2]))
    assert (
        f"gains [{least} to {high} points](docs/results/minilm-infotabs.md) on dev and α2, but on α1 and α3" in readme
    )


@pytest.mark.results
def test_struct_is_better_than_para_only_where_it_is_shown(minilm: Rows) -> None:
    assert [cell.count("**") // 2 for cell in cells(minilm, "`struct` minus `para`")] == [2, 0, 0, 1]
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "It is better on dev with two seeds of three and on α3 with one." in text
    assert "in every split" not in text


# Others -----------------------------------------------------------------------------------------------------------


@pytest.mark.results
def test_the_capabilities_of_published_models(infotabs: Path) -> None:
    [recipe] = find_recipes("checklist:figure5")
    values = {Cell(cell["row"], cell["col"]): cell["ours"] for cell in recipe.run(infotabs)["cells"]}
    text = (RESULTS / "checklist.md").read_text(encoding="utf-8")
    header = next(line for line in text.splitlines() if line.startswith("| mean over templates | all |"))
    shown = header.strip("| ").split(" | ")[2:]
    easiest, hardest = {}, {}
    for name, model in (("BERT", "BERT"), ("DistilBERT", "DistilBERT"), ("RoBERTa-large", "RoBERTa")):
        numbers = {capability: values[Cell(capability, model)] or 0.0 for capability in shown}
        line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
        assert line.strip("| ").split(" | ")[2:] == [f"{number:.1f}" for number in numbers.values()]
        easiest[name] = max(numbers, key=lambda one: numbers[one])
        hardest[name] = min(numbers, key=lambda one: numbers[one])
    assert set(easiest.values()) == {"presupposition"}
    assert hardest == {"BERT": "numerical", "DistilBERT": "implicature", "RoBERTa-large": "implicature"}
    said = " ".join(text.split())
    assert "presupposition is the easiest for each published model" in said
    assert "hardest is implicature for DistilBERT and RoBERTa-large, but numerical reasoning for BERT" in said


def test_speed_shows_what_was_measured_and_no_goals() -> None:
    text = (RESULTS / "speed.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    heads = [one for one, rule in pairwise(lines) if rule.startswith("| ---")]
    assert heads[0] == "| | measured |"
    assert not [head for head in heads if re.search(r"\b(must|goal|target|wanted)\b", head)]
    first = lines[lines.index(heads[0]) :]
    first = first[: first.index("")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in first)


def test_rows_are_replaced_by_their_first_cell_only() -> None:
    page = "# A\n\n| x | old |\n| y | kept |\nx | text |\n"
    assert replaced(page, ["| x | new |"]) == "# A\n\n| x | new |\n| y | kept |\nx | text |\n"
    assert stale(page, ["| x | new |", "| y | kept |"]) == ["| x | new |"]
