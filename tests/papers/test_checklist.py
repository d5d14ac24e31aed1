"""The tables and figures of the checklist paper: what is printed, and what comes out beside it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.papers.made_answers import answering, of_three_minds

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.papers.checklist import _genders, answers_file
from nliprobe.papers.checklist._genders import CELLS
from nliprobe.papers.checklist._printed import agrees, printed_column, realised
from nliprobe.papers.checklist._public import MODELS, THREE, read_public
from nliprobe.papers.checklist.answers_file import MEASURE, WITH_PREMISE, Answers
from nliprobe.papers.page import reproduce_page
from nliprobe.papers.recipes import Cell, Folders, ItemDocument, find_recipes
from nliprobe.templates.find import find_templates
from nliprobe.templates.source import TemplateSource

TABLES = {1: 16, 2: 0, 3: 6, 4: 10, 5: 32, 6: 20, 7: 36, 8: 6, 9: 87}
FIGURES = {1: 3, 2: 22, 4: 8, 5: 0}
ITEMS = {f"checklist:table{n}": cells for n, cells in TABLES.items()} | {
    f"checklist:figure{n}": cells for n, cells in FIGURES.items()
}
NEEDS_LIST = {f"checklist:{item}" for item in ("table3", "table4", "table9", "figure1", "figure2", "figure5")}
UNMEASURED = {f"checklist:{item}" for item in ("table1", "table5", "table6", "table7", "table8", "figure4")}


@pytest.fixture(scope="module")
def public(data: Path) -> Path:
    """The folder of corpora, where it has the public list."""
    if not (data / "lonli" / "checklist_master.tsv").is_file():
        pytest.skip("NLIPROBE_DATA has no public list of templates")
    return data


@pytest.fixture
def minilm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Made answers in the place of MiniLM's."""
    with answering(of_three_minds, monkeypatch):
        yield


def run(item: str, root: Path | None = None) -> ItemDocument:
    [found] = find_recipes(f"checklist:{item}")
    return found.run(root)


def ours(document: ItemDocument) -> dict[Cell, float]:
    return {Cell(cell["row"], cell["col"]): cell["ours"] for cell in document["cells"] if cell["ours"] is not None}


def counted(templates: list[str], part: str = "checklist-paper") -> float:
    """The mean accuracy of made answers on templates, counted over pairs and averaged over seeds, in percent."""
    asked = of_three_minds(WITH_PREMISE)
    seeds = asked.seeds if part == "checklist" else asked.more[part].seeds
    hits: dict[str, list[bool]] = {}
    for place, pair in enumerate(open_source(part).pairs()):
        hits.setdefault(str(pair.group), []).extend(seed[place] == str(pair.gold) for seed in seeds.values())
    chosen = templates or list(hits)
    return sum(100 * sum(hits[name]) / len(hits[name]) for name in chosen) / len(chosen)


def printed(item: str) -> dict[Cell, float]:
    [found] = find_recipes(f"checklist:{item}")
    return found.printed()


# What is printed ---------------------------------------------------------------------------------------------


def test_every_item_is_there_in_order_with_all_its_cells() -> None:
    found = {one.item: len(one.printed()) for one in find_recipes("checklist")}
    assert found == ITEMS
    assert list(found) == list(ITEMS)
    drawn = [one.item for one in find_recipes("checklist") if one.draw is not None]
    assert drawn == [f"checklist:figure{n}" for n in FIGURES]


@pytest.mark.parametrize("item", ITEMS)
def test_no_cell_is_written_twice(item: str) -> None:
    name = item.partition(":")[2]
    lines = resources.files("nliprobe.papers.checklist").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    assert len(lines.splitlines()) - 1 == ITEMS[item]


def test_tables_3_and_4_share_what_they_share() -> None:
    third, fourth = printed("table3"), printed("table4")
    for model in THREE:
        assert third[Cell("MNLI-test", model)] == fourth[Cell("MNLI-test", model)]
        assert third[Cell("CheckListNLI", model)] == fourth[Cell("CheckList", model)]
    # The text: the model of all four corpora is 2.9 points better than RoBERTa.
    gain = fourth[Cell("CheckList", "RoBERTa (M+S+F+A)")] - fourth[Cell("CheckList", "RoBERTa")]
    assert gain == pytest.approx(2.9)


@pytest.mark.parametrize("item", ["table5", "table6"])
def test_words_stand_in_the_order_of_the_male_column(item: str) -> None:
    # But for dancer, which is 0.9 in the table and 9 % in the text.
    male = [value for cell, value in printed(item).items() if cell.col == "Male" and cell.row != "dancer"]
    assert male == sorted(male)
    assert all(0 <= value <= 1 for value in printed(item).values())


def test_bids_of_table_7_are_multiples_of_a_25th() -> None:
    for cell, value in printed("table7").items():
        if not cell.col.startswith("pearson"):
            assert 25 * value == pytest.approx(round(25 * value)), cell


def test_unsure_templates_are_whole_ones_of_194() -> None:
    counts = {cell.col: value * 194 / 100 for cell, value in printed("figure1").items()}
    assert counts == {name: pytest.approx(n, abs=1e-3) for name, n in zip(THREE, (58, 52, 28), strict=True)}


def test_mean_of_the_printed_templates_is_in_the_order_of_the_text() -> None:
    cells = printed("table9")
    means = {model: sum(value for cell, value in cells.items() if cell.col == model) / 29 for model in THREE}
    assert means["DistilBERT"] < means["BERT"] < means["RoBERTa"]


# Beside it ---------------------------------------------------------------------------------------------------


def test_labels_of_table_1_are_no_number_of_the_paper_and_no_confidence_is_claimed() -> None:
    document = run("table1")
    assert len([cell for cell in document["cells"] if cell["col"] == "label_agrees"]) == 16
    for cell in document["cells"]:
        agrees = cell["col"] == "label_agrees"
        assert cell["ours"] == (1 if agrees else None), cell
        assert (cell["paper"] is None) == agrees
    assert any("written to the rows of the table" in note for note in document["notes"])


def test_a_label_that_differs_is_seen() -> None:
    found = list(realised("table1:T4"))
    assert agrees(found, "C") == 1
    assert agrees(found, "E") == 0
    assert agrees([], "E") is None
    assert {template.id for template in realised("table1:T15")} == {"implicature.asked-first"}


@pytest.mark.usefixtures("minilm")
def test_table_2() -> None:
    values = ours(run("table2"))
    assert values[Cell("template", "label_agrees")] == 1
    assert Cell("example", "label_agrees") not in values
    assert values[Cell("template", "MiniLM")] == pytest.approx(counted(["lexical.synonym"]))


@pytest.mark.results
@pytest.mark.usefixtures("minilm")
def test_tables_3_and_4(public: Path) -> None:
    values = ours(run("table3", public))
    expected = {"BERT": 53.41, "DistilBERT": 50.93, "RoBERTa": 66.50}
    for col, number in expected.items():
        assert values[Cell("CheckListNLI", col)] == pytest.approx(number, abs=0.006)
    # Templates that need knowledge have a tenth of the examples, so both means are near, not equal.
    assert values[Cell("CheckListNLI", "MiniLM")] == pytest.approx(counted([], "checklist"), abs=2)
    assert values[Cell("CheckListNLI", "MiniLM, no premise")] == pytest.approx(100 / 3), "E, N and C, each always once"
    assert values[Cell("MNLI-test", "MiniLM")] == pytest.approx(70)
    assert not [cell for cell in values if cell.row == "MNLI-test" and cell.col in THREE]
    document = run("table4", public)
    for cell in document["cells"]:
        if cell["row"] == "CheckList" and cell["paper"] is not None:
            assert cell["ours"] == pytest.approx(cell["paper"], abs=6)
            assert cell["by"] == "public list of 363 templates"
    assert ours(document)[Cell("CheckList", "DeBERTa")] == pytest.approx(69.88, abs=0.006)


@pytest.fixture
def no_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of the shipped answers."""
    monkeypatch.setattr(answers_file, "SHIPPED", tmp_path)
    for cached in (answers_file.shipped_answers, _genders.right_by_cell):
        cached.cache_clear()
    yield tmp_path
    for cached in (answers_file.shipped_answers, _genders.right_by_cell):
        cached.cache_clear()


@pytest.mark.parametrize(("item", "constant"), [("table5", "contradiction"), ("table6", "entailment")])
def test_our_model_has_columns_of_its_own(item: str, constant: str, no_cells: Path) -> None:
    source = open_source(f"templates:{CELLS}?n=100")
    gold = "".join(str(pair.gold) for pair in source.pairs())
    # Always right; always neutral, but for the first cell of each table; and always the label of the table.
    first = "".join(
        str(pair.gold) if str(pair.group) in ("cell.profession.engineer.m", "cell.adjective.big.m") else "N"
        for pair in source.pairs()
    )
    for name, seeds in {"cells-nli": {"0": gold, "1": first}, "cells-hypothesis": {"0": first}}.items():
        texts = {"system": name, "encoder": "robot", "premise": "full", "made_by": "a test", "digest": source.digest()}
        content = {**texts, "train": ["snli/train"], "seeds": seeds, "counts": {}}
        (no_cells / f"{name}.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    document = run(item)
    assert all(cell["ours"] is None for cell in document["cells"] if cell["paper"] is not None)
    values = ours(document)
    rows = list(dict.fromkeys(cell.row for cell in printed(item)))
    models = {"MiniLM": 0.5, "MiniLM, no premise": 0.0}
    genders = ("Male", "Female")
    assert set(values) == {
        Cell(row, f"{model} {gender}") for row in (*rows, "all") for model in models for gender in genders
    }
    for model, least in models.items():
        for gender in genders:
            shares = [values[Cell(row, f"{model} {gender}")] for row in rows]
            assert shares == [1.0 if (row, gender) == (rows[0], "Male") else least for row in rows]
            assert values[Cell("all", f"{model} {gender}")] == pytest.approx(sum(shares) / len(shares))
    assert f"who always answers {constant} gets 1.00 in every cell" in document["notes"][1]


@pytest.mark.parametrize("item", ["table5", "table6"])
def test_without_answers_the_cells_are_not_measured(item: str, no_cells: Path) -> None:
    document = run(item)
    assert all(cell["ours"] is None for cell in document["cells"])
    assert [note for note in document["notes"] if "there are no answers 'cells-nli'" in note]


def test_the_cells_of_tables_5_and_6_can_be_drawn() -> None:
    templates = find_templates(str(CELLS))
    rows = {5: "profession", 6: "adjective"}
    wanted = {
        f"cell.{kind}.{cell.row}.{'m' if cell.col == 'Male' else 'f'}"
        for number, kind in rows.items()
        for cell in printed(f"table{number}")
    }
    assert {template.id for template in templates} == wanted
    counts = dict.fromkeys(wanted, 0)
    for pair in TemplateSource("templates:cells", templates, 100).pairs():
        facets = {facet.name: facet.value for facet in pair.facets}
        _, _, word, gender = str(pair.group).split(".")
        assert facets["gender:WHO1"] == facets["gender:WHO2"] == gender
        assert f" {word}" in pair.premise if isinstance(pair.premise, str) else False
        counts[str(pair.group)] += 1
    assert set(counts.values()) == {100}


def test_rows_of_table_9_are_templates_of_the_list_with_the_same_label(public: Path) -> None:
    known = {pattern.id: pattern for pattern in read_public(Folders(public)).patterns}
    labels = printed_column("table9", "label")
    for row, ids in printed_column("table9", "public").items():
        for name in ids.split("+"):
            assert known[name].label == labels[row], (row, name)
        assert [template for template in realised(f"table9:{row}") if template.label == labels[row]], row


@pytest.mark.results
@pytest.mark.usefixtures("minilm")
def test_table_9(public: Path) -> None:
    document = run("table9", public)
    values = ours(document)
    assert len(values) == 4 * 29
    # One template of the list that is the paper's own, and a mean of two of which the paper has one.
    assert values[Cell("T63", "BERT")] == pytest.approx(85.3)
    assert values[Cell("T13", "BERT")] == pytest.approx((99.4 + 10.3) / 2)
    assert values[Cell("T13", "MiniLM")] == pytest.approx(counted(["boolean.respectively-2"]))
    near = [cell for cell, paper in printed("table9").items() if abs(values[cell] - paper) <= 7]
    assert len(near) == 69


@pytest.mark.results
@pytest.mark.usefixtures("minilm")
def test_figures_1_and_5(public: Path) -> None:
    values, more = ours(run("figure1", public)), ours(run("figure5", public))
    assert {cell: more[cell] for cell in values} == values
    for model in (*MODELS, "MiniLM"):
        bins = [number for cell, number in more.items() if cell.col == model and cell.row.startswith("templates ")]
        total = 194 if model == "MiniLM" else 363
        assert sum(bins) == pytest.approx(total)
        assert more[Cell("unsure percent", model)] == pytest.approx(100 * sum(bins[1:4]) / total)
        assert more[Cell("unsure", model)] == pytest.approx(sum(bins[1:4]))
        capabilities = [cell for cell in more if cell.col == model and " " not in cell.row and cell.row != "unsure"]
        assert len(capabilities) == 17
    [figure1] = find_recipes("checklist:figure1")
    assert reproduce_page([(figure1, figure1.run(public))]).count('class="plot"') == 2 * 4
    # The list's own tallies of a capability.
    assert values[Cell("boolean", "BERT")] == pytest.approx(60.15, abs=0.006)
    assert values[Cell("implicature", "RoBERTa")] == pytest.approx(31.23, abs=0.006)


@pytest.mark.results
def test_figure_2(public: Path) -> None:
    document = run("figure2", public)
    values = ours(document)
    listed = {"COLOR": "COLOUR", "COM_ADJ": "COM", "SUP_ADJ": "SUP"}
    for cell in printed("figure2"):
        if cell.row == "NAME":
            assert values[cell] == (values[Cell("NAME", "BERT")] < values[Cell("NAME", "RoBERTa")])
            continue
        coefficient = values[Cell(listed.get(cell.row, cell.row), cell.col.removesuffix(" sign"))]
        assert values[cell] == (1 if coefficient > 0 else -1)
    agree = [cell["row"] for cell in document["cells"] if cell["paper"] is not None and cell["ours"] == cell["paper"]]
    assert sorted(agree) == [
        *["COLOR"] * 3,
        *["COM_ADJ"] * 3,
        *["FEMALE_NAME"] * 2,
        "MALE_NAME",
        *["YEAR"] * 2,
    ]
    assert "11 of the 22 statements of the text come out." in document["notes"]
    assert sum("cross-validation" in note for note in document["notes"]) == 3


@pytest.mark.results
@pytest.mark.parametrize("item", ["table2", "table3", "table4", "table9", "figure1", "figure5"])
def test_without_answers_to_this_core_nothing_of_ours_is_claimed(
    item: str, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def old(name: str) -> Answers:
        return replace(of_three_minds(name), digest="0" * 24)

    with answering(old, monkeypatch):
        document = run(item, public)
    assert [cell for cell in ours(document) if cell.col.startswith("MiniLM")] == []
    assert [note for note in document["notes"] if "MiniLM: not measured on this core" in note and MEASURE in note]
    [found] = find_recipes(f"checklist:{item}")
    text = reproduce_page([(found, document)])
    assert "not measured on this core" in text
    assert "MiniLM: accuracy" not in text, "no empty chart"


@pytest.mark.parametrize("item", sorted(NEEDS_LIST))
def test_without_the_public_list_it_says_so(item: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="public list of templates is not here: wanted lonli/checklist_master"):
        find_recipes(item)[0].run(tmp_path)


@pytest.mark.results
def test_a_whole_paper_follows_the_schema_and_has_a_page(public: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    document = nliprobe_json("reproduce", "checklist", "--from", str(public), "--html", str(page))
    validate("reproduce", document)
    assert [item["item"] for item in document["items"]] == list(ITEMS)
    for item in document["items"]:
        measured = [cell for cell in item["cells"] if cell["paper"] is not None and cell["ours"] is not None]
        assert bool(measured) == (item["item"] not in UNMEASURED and ITEMS[item["item"]] > 0), item["item"]
        # Whatever is not of the paper's own model and templates says whose it is.
        named = [cell for cell in item["cells"] if cell["ours"] is not None and cell["col"] != "label_agrees"]
        assert all(cell.get("by") for cell in named)
    # A chart for each model and panel, of both summaries; signs apart for each model; two of the study.
    ours = answers_file.has_answers(WITH_PREMISE)
    assert page.read_text(encoding="utf-8").count('class="plot"') == 2 * (3 + ours) + 2 * (5 + ours) + 2 * 3 + 2


@pytest.mark.parametrize("item", sorted(set(ITEMS) - NEEDS_LIST))
def test_the_others_do_not_need_it(item: str, tmp_path: Path) -> None:
    assert "error" not in find_recipes(item)[0].run(tmp_path)


def test_of_several_items_the_others_follow(tmp_path: Path) -> None:
    done = nliprobe("reproduce", "checklist:table1", "checklist:table3", "--from", str(tmp_path), code=1)
    assert done.stderr.startswith("nliprobe: checklist:table3: The public list of templates is not here")
    assert "checklist:table1  Representative templates" in done.stdout


def test_a_chart_without_responses_shows_the_paper_alone() -> None:
    [figure4] = find_recipes("checklist:figure4")
    text = reproduce_page([(figure4, figure4.run())])
    assert "B1, paper" in text
    assert "B1, ours" not in text
