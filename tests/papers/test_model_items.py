"""The tables of accuracies: baselines trained here, and the answers kept of an encoder."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.analysis.schemas import validate

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.papers.infotabs import answers_file
from nliprobe.papers.infotabs._scores import read_gold
from nliprobe.papers.recipes import ITEM_SCHEMA, Cell, CellDocument, ItemDocument, find_recipes

SPLITS = ("dev", "alpha1", "alpha2", "alpha3")


@pytest.fixture(scope="module")
def infotabs(data: Path) -> Path:
    try:
        open_source("infotabs/train", data)
    except NotFoundError as error:
        pytest.skip(str(error))
    return data


def run(name: str, root: Path, answers: Path | None = None) -> ItemDocument:
    [found] = find_recipes(f"infotabs:{name}")
    document = found.run(root, answers)
    validate("reproduce", {"schema": ITEM_SCHEMA, **document})
    return document


def by_place(document: ItemDocument) -> dict[Cell, CellDocument]:
    return {Cell(cell["row"], cell["col"]): cell for cell in document["cells"]}


def write_answers_file(folder: Path, name: str, root: Path, splits: tuple[str, ...], *letters: str) -> None:
    """Answers of seeds that always say one letter, or gold where the letter is G."""
    asked = [f"infotabs/{split}" for split in splits]
    golds = {split: read_gold(split, root) for split in asked}
    content = {
        "system": name,
        "encoder": "robot",
        "represent": "para",
        "premise": "full",
        "train": ["snli/train?limit=9"],
        "made_by": "a test",
        "digests": {split: gold.digest for split, gold in golds.items()},
        "seeds": {
            str(seed): {s: g.letters if letter == "G" else letter * len(g.letters) for s, g in golds.items()}
            for seed, letter in enumerate(letters)
        },
    }
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))


@pytest.mark.results
@pytest.mark.parametrize(
    ("item", "svm", "encoder"), [("table3", "SVM", "MiniLM"), ("table6", "SVM Para", "MiniLM Para")]
)
@pytest.mark.usefixtures("shared_models")
def test_baselines_are_trained_and_the_encoder_has_a_row_of_its_own(
    infotabs: Path, item: str, svm: str, encoder: str
) -> None:
    document = run(item, infotabs)
    cells = by_place(document)
    for split in SPLITS:
        cell = cells[Cell(svm, split)]
        # What it is exactly stands in docs/results/svm-infotabs.md, which a test recomputes.
        assert cell["ours"] == pytest.approx(cell["paper"], abs=6)
        assert "by" not in cell
        cell = cells[Cell(encoder, split)]
        assert cell["paper"] is None
        assert cell["sd"] < 3
        assert cell["by"].startswith("all-MiniLM-L6-v2, ")
        assert cell["by"].endswith(", trained on infotabs/train, mean of seeds 0, 1, 2")
        if item == "table3":
            assert cells[Cell("Majority", split)]["ours"] == pytest.approx(100 / 3)
    # One model does not stand for three.
    for cell in document["cells"]:
        if cell["row"].startswith(("BERT", "RoBERTa")):
            assert cell["paper"] is not None
            assert cell["ours"] is None


# The baselines are trained once, above; the items below need none.
KEPT_ONLY = {
    "table4": ("dummy", "swapped"),
    "table5": ("snli-para", "snli-wmd-1", "multinli-para", "multinli-wmd-1"),
    "table7": ("struct", "tabattn"),
    "table13": ("para", "struct"),
}


@pytest.mark.parametrize("item", KEPT_ONLY)
def test_without_answers_file_nothing_is_measured(
    infotabs: Path, item: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers_file, "SHIPPED", tmp_path)
    document = run(item, infotabs)
    assert all(cell["ours"] is None and "by" not in cell for cell in document["cells"])
    for name in KEPT_ONLY[item]:
        assert any(f"not measured (there are no answers '{name}')" in note for note in document["notes"])


@pytest.mark.parametrize("item", KEPT_ONLY)
def test_own_answers_take_the_place_of_shipped_ones(infotabs: Path, item: str, tmp_path: Path) -> None:
    for name in KEPT_ONLY[item]:
        write_answers_file(tmp_path, name, infotabs, SPLITS, "G", "E")
    document = run(item, infotabs, tmp_path)
    own = [cell for cell in document["cells"] if cell["row"].startswith("robot")]
    assert len(own) == (24 if item == "table13" else 4 * len(KEPT_ONLY[item]))
    assert all(cell["ours"] is None for cell in document["cells"] if cell["paper"] is not None)
    for cell in own:
        assert cell["by"] == "robot, para, trained on snli/train?limit=9, mean of seeds 0, 1"
        if item != "table13":
            assert cell["ours"] == pytest.approx((100 + 100 / 3) / 2)
            assert cell["sd"] == pytest.approx((100 - 100 / 3) / 2**0.5)
        else:
            # Who always says E finds all of E, and a third of what is said is right.
            assert cell["ours"] == pytest.approx((100 + 50) / 2 if cell["col"] == "entailment" else 50)
    assert not any("there are no answers" in note for note in document["notes"])
    learnt = [note for note in document["notes"] if "it learnt from snli/train?limit=9" in note]
    assert len(learnt) == (4 if item == "table5" else 0)


def test_splits_that_were_not_asked_stay_empty(infotabs: Path, tmp_path: Path) -> None:
    write_answers_file(tmp_path, "dummy", infotabs, ("dev",), "G")
    document = run("table4", infotabs, tmp_path)
    cells = by_place(document)
    assert cells[Cell("robot dummy", "dev")]["ours"] == 100
    assert "sd" not in cells[Cell("robot dummy", "dev")]
    assert cells[Cell("robot dummy", "alpha2")]["ours"] is None
    assert "robot dummy: not measured on alpha1, alpha2, alpha3." in document["notes"]


def test_answers_to_another_corpus_are_refused(infotabs: Path, tmp_path: Path) -> None:
    write_answers_file(tmp_path, "dummy", infotabs, ("dev",), "G")
    path = tmp_path / "dummy.json.gz"
    content = json.loads(gzip.decompress(path.read_bytes()))
    right = content["digests"]["infotabs/dev"]
    for digest, letters, message in (
        ("0" * len(right), 1800, "answers another infotabs/dev"),
        (right, 1799, "seed 0 has 1,799 answers to infotabs/dev, which has 1,800 pairs"),
    ):
        content["digests"]["infotabs/dev"] = digest
        content["seeds"]["0"]["infotabs/dev"] = "E" * letters
        path.write_bytes(gzip.compress(json.dumps(content).encode()))
        with pytest.raises(DataError, match=message):
            run("table4", infotabs, tmp_path)


def test_figure_3_counts_right_answers_by_kind(infotabs: Path, tmp_path: Path) -> None:
    figure2 = by_place(run("figure2", infotabs))
    write_answers_file(tmp_path, "para", infotabs, ("reasoning-dev", "reasoning-alpha3"), "G", "N")
    document = run("figure3", infotabs, tmp_path)
    assert all(cell["paper"] is None for cell in document["cells"])
    for place, cell in by_place(document).items():
        if place.col != "pairs":
            # One seed is always right, the other on neutral pairs only.
            needed = figure2[place]["ours"] or 0
            assert cell["ours"] == (needed if place.col == "N" else needed / 2), place
    [found] = find_recipes("infotabs:figure3")
    assert found.draw is not None
    assert [len(chart.bars) for chart in found.draw(document["cells"])] == [12, 14]


def test_figure_3_takes_the_pairs_of_dev_from_dev(infotabs: Path, tmp_path: Path) -> None:
    write_answers_file(tmp_path, "para", infotabs, ("dev",), "G")
    document = run("figure3", infotabs, tmp_path)
    cells = by_place(document)
    assert cells[Cell("dev: knowledge & common sense", "E")]["ours"] == 31
    assert cells[Cell("alpha3: knowledge & common sense", "E")]["ours"] is None
    assert any(note.startswith("alpha3: not measured") for note in document["notes"])
    [found] = find_recipes("infotabs:figure3")
    assert found.draw is not None
    assert [chart.title.partition(":")[0] for chart in found.draw(document["cells"])] == ["dev"]


FLOORS = {
    "para": (62, 61, 48, 48),
    "hypothesis": (62, 62, 47, 49),
    "tabattn": (55, 0, 0, 0),
}


@pytest.mark.results
@pytest.mark.parametrize("name", FLOORS)
def test_shipped_answers_reach_what_a_small_encoder_should(infotabs: Path, name: str) -> None:
    item, row = {
        "para": ("table6", "MiniLM Para"),
        "hypothesis": ("table3", "MiniLM"),
        "tabattn": ("table7", "MiniLM TabAttn"),
    }[name]
    cells = by_place(run(item, infotabs))
    for split, floor in zip(SPLITS, FLOORS[name], strict=True):
        assert (cells[Cell(row, split)]["ours"] or 0.0) >= floor


@pytest.mark.results
@pytest.mark.parametrize("item", KEPT_ONLY)
def test_every_kept_system_was_measured_everywhere(infotabs: Path, item: str) -> None:
    own = [cell for cell in run(item, infotabs)["cells"] if cell["paper"] is None]
    assert own
    assert all(cell["ours"] is not None and "by" in cell for cell in own)
