"""Table 2 with grids of our own beside the paper's values, and a grid from labels that another machine gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe
from tests.papers.made_grids import made_up

import nliprobe as package
from nliprobe.analysis.grid import GridSystem
from nliprobe.analysis.grid_documents import GridDocument
from nliprobe.api.grid import GridAbout
from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.base.errors import DataError, UsageError
from nliprobe.models.trained import Trained, TrainedParams
from nliprobe.papers.answer_files import check_folder
from nliprobe.papers.recipes import Cell, Folders, Value
from nliprobe.papers.swap import grid_files
from nliprobe.papers.swap.grid_answers import LabelledSuite, grid_from_labels, labelled_run
from nliprobe.papers.swap.grid_files import find_grids, read_grid
from nliprobe.papers.swap.table2 import table2
from nliprobe.represent.controls import Control


def folder(tmp_path: Path, document: GridDocument, name: str = "multinli-20k") -> Path:
    (tmp_path / "grid").mkdir(exist_ok=True)
    (tmp_path / "grid" / f"{name}.json").write_text(json.dumps(document))
    return tmp_path


def test_our_scores_stand_beside_those_of_the_same_model(tmp_path: Path) -> None:
    document = made_up("cbow", "esim", tests=("gold", "stress.overlap", "nli-stress/antonymy", "stress.numerical"))
    validate("grid", document)
    item = table2.run(answers=folder(tmp_path, document))
    cells = {(cell["row"], cell["col"]): cell for cell in item["cells"]}
    printed = table2.printed()
    ours = cells["ESIM Word Overlap Mat, MultiNLI 20k", "S50%"]
    assert ours["ours"] == pytest.approx(45)
    assert ours["paper"] == printed[Cell("ESIM Word Overlap Mat", "S50%")]
    assert ours["ci95"] == pytest.approx([43, 47])
    assert ours["by"] == "esim trained on multinli/train-20k, seed 0"
    assert cells["ESIM Word Overlap Mis, MultiNLI 20k", "R75%"]["ours"] == pytest.approx(100 * 0.5 / 0.6)
    moved = cells["ESIM Word Overlap, MultiNLI 20k", "Devi"]
    assert moved["paper"] == printed[Cell("ESIM Word Overlap", "Devi")]
    assert moved["ours"] == pytest.approx(0.01 + 0.04 + 0.16 + 1 / 36 + 1 / 16)
    assert moved["ci95"] == [0.1, 0.3]
    assert cells["ESIM Word Overlap, MultiNLI 20k", "Devi of sampling alone"]["ours"] == 0.01
    # The released set is what the paper asked; a model or a test that it does not have stands alone.
    released = cells["ESIM Antonymy released Mat, MultiNLI 20k", "S0%"]
    assert released["paper"] == printed[Cell("ESIM Antonymy Mat", "S0%")]
    for row in ("CBOW Word Overlap Mat", "ESIM Numerical Mat", "ESIM Unedited Mat"):
        assert cells[f"{row}, MultiNLI 20k", "S0%"]["paper"] is None
    rows = [cell["row"] for cell in item["cells"]]
    assert rows.index("ESIM Unedited Mat, MultiNLI 20k") < rows.index("CBOW Unedited Mat, MultiNLI 20k")
    # What is computed from the printed scores stays as it was.
    assert [cell for cell in item["cells"] if cell["row"] in {one.row for one in printed}] == [
        cell for cell in table2.run(answers=tmp_path / "none")["cells"] if cell["row"] in {one.row for one in printed}
    ]


def test_a_deviation_over_other_shares_is_added_up_again_without_an_interval(tmp_path: Path) -> None:
    computed = table2.compute(Folders(answers=folder(tmp_path, made_up("esim", over=(0.5, 1.0)))))
    moved = computed.values[Cell("ESIM Word Overlap, MultiNLI 20k", "Devi")]
    assert isinstance(moved, Value)
    assert moved.number == pytest.approx(0.01 + 0.04 + 0.16 + 1 / 36 + 1 / 16)
    assert moved.ci95 is None


def test_without_grids_the_table_is_the_papers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_files, "SHIPPED", tmp_path / "nothing")
    computed = table2.compute(Folders())
    assert all("MultiNLI 20k" not in cell.row for cell in computed.values)
    assert any("not measured" in note for note in computed.notes)


def test_shipped_grids_can_be_read() -> None:
    for document in find_grids(None).values():
        validate("grid", document)


def test_both_conditions_and_the_users_folder_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shipped", "own"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(grid_files, "SHIPPED", folder(tmp_path / "shipped", made_up("esim")) / "grid")
    own = folder(tmp_path / "own", made_up("kim"), "snli-100k-multinli-20k")
    grids = find_grids(own)
    assert {name: grid["models"][0]["name"] for name, grid in grids.items()} == {
        "MultiNLI 20k": "esim",
        "SNLI 100k and MultiNLI 20k": "kim",
    }


def test_files_that_are_no_grids(tmp_path: Path) -> None:
    folder(tmp_path, made_up("esim"))
    check_folder(tmp_path)
    path = tmp_path / "grid" / "multinli-20k.json"
    path.write_text(json.dumps({"schema": "nliprobe/show/3"}))
    with pytest.raises(DataError, match="should hold the document of a grid"):
        read_grid(path)
    done = nliprobe("reproduce", "swap:table2", "--answers", str(tmp_path), code=1)
    assert "should hold the document of a grid" in done.stderr
    path.rename(tmp_path / "grid" / "multinli-2k.json")
    with pytest.raises(UsageError, match="Did you mean 'multinli-20k'"):
        check_folder(tmp_path)


ON, ALSO = "builtin/sentences-dev", "builtin/sentences-train?limit=60"
PROBES = ("stress.overlap", "stress.spelling", "stress.numerical")


def labelled(out: Path, document: GridDocument, on: str, probes: tuple[str, ...]) -> LabelledSuite:
    inputs = list(distinct_inputs(Request([on], probes=[*probes]), "para", Control.FULL))
    labels = {
        item["system"]: "".join(
            str(answer.label)
            for answer in Trained(out / item["model"] / f"share-{item['share']:g}", TrainedParams()).predict(inputs)
        )
        for item in document["trainings"]
    }
    return LabelledSuite([on], probes, [item.id for item in inputs], labels)


def test_labels_from_elsewhere_give_the_document_of_a_run(tmp_path: Path) -> None:
    made = package.grid(
        "svm", "builtin/sentences-train", tmp_path / "out", through_labels="N,C", shares=[0, 1], stress=ON, also=[ALSO],
        probes=PROBES,
    )  # fmt: skip
    document = made.document
    assert document is not None
    suites = [labelled(tmp_path / "out", document, on, probes) for on, probes in ((ON, PROBES), (ALSO, ()))]
    systems = {
        GridSystem(item["system"], item["model"], item["share"], item["seed"]): () for item in document["trainings"]
    }
    about = GridAbout({"svm": "svm"}, document["train"], document["dev"])
    assert grid_from_labels(suites, systems, about, [1.0], [[ALSO]]) == document
    # A system whose answers did not come back leaves a gap.
    systems[GridSystem("svm-50%", "svm", 0.5, None)] = ()
    more = grid_from_labels(suites, systems, about, [0.5, 1.0], [[ALSO]])
    validate("grid", more)
    assert more["trainings"][-1]["error"] == "it was not asked"
    assert all(item["deviation"] is None for item in more["deviations"])


def test_labels_of_other_inputs_are_refused() -> None:
    inputs = [item.id for item in distinct_inputs(Request([ON]), "para", Control.FULL)]
    with pytest.raises(DataError, match="The labels are of other inputs"):
        labelled_run(LabelledSuite([ON], (), inputs[1:], {"m": "E" * (len(inputs) - 1)}))
    with pytest.raises(DataError, match=f"m should have E, N, C or . for each of {len(inputs)} inputs, but has 1"):
        labelled_run(LabelledSuite([ON], (), inputs, {"m": "E"}))
    with pytest.raises(DataError, match="'X' among them"):
        labelled_run(LabelledSuite([ON], (), inputs, {"m": "X" * len(inputs)}))
    data = labelled_run(LabelledSuite([ON], (), inputs, {"m": "?" * len(inputs)}))
    assert set(data.systems[0].answers.tolist()) == {0}
