"""Tables 9 to 12 of evidence-probes: printed directions and examples by our rules, and accuracies from kept answers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.analysis.schemas import validate

import nliprobe
from nliprobe.analysis.counterfactual.documents import SetScore
from nliprobe.analysis.perturbed.documents import PerturbationEntry
from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.papers.evidence import answers_file, table12
from nliprobe.papers.evidence.answers_file import PERTURBED, PERTURBED_SVM
from nliprobe.papers.recipes import ITEM_SCHEMA, Cell, CellDocument, Folders, find_recipes
from nliprobe.papers.write_answers import Description, write_answers

CORPORA = {"Train": "builtin/tables-train", "alpha1": "builtin/tables-dev"}


def cells(item: str, answers: Path | None = None) -> dict[Cell, CellDocument]:
    """Compute an item, and return its cells by their places."""
    [one] = find_recipes(f"evidence:{item}")
    document = one.run(None, answers)
    validate("reproduce", {"schema": ITEM_SCHEMA, **document})
    return {Cell(cell["row"], cell["col"]): cell for cell in document["cells"]}


def test_our_rules_lead_where_table_9_says() -> None:
    document = cells("table9")
    printed = [cell for cell in document.values() if cell["paper"] is not None]
    assert len(printed) == 12
    assert [cell["ours"] for cell in printed] == [cell["paper"] for cell in printed]
    assert all((cell["ours"] or 0) >= 2 for place, cell in document.items() if place.col.endswith("cases"))
    assert document[Cell("at least", "upward")]["ours"] == 0
    assert document[Cell("at most", "upward")]["ours"] == 1


@pytest.mark.parametrize("item", ["table10", "table11"])
def test_printed_examples_get_the_printed_labels(item: str) -> None:
    printed = [cell for cell in cells(item).values() if cell["paper"] is not None]
    assert [cell["ours"] for cell in printed] == [cell["paper"] for cell in printed]


def test_two_printed_examples_come_out_word_by_word() -> None:
    document = cells("table10")
    assert document[Cell("H2, negation", "as printed")]["ours"] == 1
    assert document[Cell("H2, temporal expression", "as printed")]["ours"] == 1


def test_what_the_text_says_about_table_12_holds_of_its_cells() -> None:
    printed = find_recipes("evidence:table12")[0].printed()

    def lost(row: str, before: str, after: str) -> float:
        return round(printed[Cell(row, before)] - printed[Cell(row, after)], 2)

    assert lost("alpha1 Prem+Hypo", "preserved", "flipped") == 18.08
    assert lost("Train Prem+Hypo", "preserved", "flipped") == 39.06
    assert lost("alpha1 Prem+Hypo", "original", "preserved") == -0.62
    assert lost("Train Hypo-Only", "original", "preserved") == 26.16
    # Printed in the text as 6.56 and 2.25.
    assert lost("Train Prem+Hypo", "original", "preserved") == 6.46
    assert lost("alpha1 Hypo-Only", "original", "preserved") == 3.25


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> nliprobe.Run:
    """A run of an SVM and its twin over the perturbed hypotheses of two small corpora."""
    return nliprobe.run(
        ["svm?represent=para&family=svm", "svm?premise=none&family=blind"],
        on=list(CORPORA.values()),
        train=["builtin/tables-train"],
        probes=table12.PROBES,
        out=tmp_path_factory.mktemp("runs") / "perturbed",
    )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Table 12 over small corpora, without the answers of the package."""
    monkeypatch.setattr(table12, "CORPORA", CORPORA)
    monkeypatch.setattr(answers_file, "SHIPPED", tmp_path / "none")


@pytest.mark.usefixtures("small")
def test_table_12_is_what_show_says_of_the_run(run: nliprobe.Run, tmp_path: Path) -> None:
    about = Description("SVM", ("builtin/tables-train",), "a test")
    for name, family in zip(PERTURBED_SVM, ("svm", "blind"), strict=True):
        write_answers(name, [run.path], family, about, tmp_path)
    document = cells("table12", tmp_path)
    entries = run.summary()["perturbations"]
    assert len(entries) == 4
    for entry in entries:
        _check(document, entry)


def _check(document: dict[Cell, CellDocument], entry: PerturbationEntry) -> None:
    split = next(name for name, corpus in CORPORA.items() if corpus == entry["corpus"])
    row = f"{split} SVM {'Hypo-Only' if entry['premise_free'] else 'Prem+Hypo'}"
    assert document[Cell(split, "pairs")]["ours"] == entry["originals"]
    scores: dict[str, SetScore] = {"original": entry["original"]}
    scores |= {item["effect"]: item["score"] for item in entry["effects"]}
    for name, score in scores.items():
        cell = document[Cell(row, name)]
        assert score["mean80"] is not None
        # Drawn from other subsamples of the same answers.
        assert cell["ours"] == pytest.approx(100 * score["mean80"], abs=4)
        if score["ci95"] is not None:
            assert cell["ci95"] == pytest.approx([100 * end for end in score["ci95"]])
        constant = document[Cell(split, f"{name}, best constant")]["ours"]
        assert score["constant"] is not None
        assert constant == pytest.approx(100 * score["constant"]["accuracy"])


@pytest.mark.usefixtures("small")
def test_without_answers_table_12_says_so_and_counts() -> None:
    [one] = find_recipes("evidence:table12")
    computed = one.compute(Folders())
    assert sum(note.startswith("Not measured") for note in computed.notes) == 4
    assert computed.values[Cell("alpha1 Prem+Hypo", "flipped")] is None
    assert computed.values[Cell("alpha1", "pairs")]


@pytest.mark.usefixtures("small")
def test_answers_to_other_cases_are_not_measured(run: nliprobe.Run, tmp_path: Path) -> None:
    path = write_answers(PERTURBED_SVM[0], [run.path], "svm", Description("SVM", ("x",), "a test"), tmp_path)
    content = json.loads(gzip.decompress(path.read_bytes()))
    content["asked"]["builtin/tables-dev"]["cases"]["hypothesis.number"] = "of other rules"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    [one] = find_recipes("evidence:table12")
    computed = one.compute(Folders(answers=tmp_path))
    assert Cell("Train SVM Prem+Hypo", "flipped") in computed.values
    assert Cell("alpha1 SVM Prem+Hypo", "flipped") not in computed.values
    assert any("answers other cases of hypothesis.number on builtin/tables-dev" in note for note in computed.notes)


@pytest.fixture(scope="module")
def shipped(data: Path) -> dict[Cell, CellDocument]:
    """Table 12 with the answers of the package."""
    try:
        next(iter(open_source("infotabs/train", data).pairs()))
    except NotFoundError as error:
        pytest.skip(str(error))
    document = find_recipes("evidence:table12")[0].run(data)
    return {Cell(cell["row"], cell["col"]): cell for cell in document["cells"]}


@pytest.mark.results
def test_kept_answers_are_about_the_cases_of_today(shipped: dict[Cell, CellDocument]) -> None:
    # If this fails, the rules have changed: docs/guide/reproduce.md says how the answers are made again.
    rows = {
        f"{split} {model} {reads}"
        for split in ("Train", "alpha1")
        for model in ("MiniLM", "SVM")
        for reads in ("Prem+Hypo", "Hypo-Only")
    }
    assert rows <= {cell.row for cell in shipped}


@pytest.mark.results
def test_the_guide_says_what_table_12_gives(shipped: dict[Cell, CellDocument]) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "perturb-hypotheses.md").read_text(encoding="utf-8")
    for model in ("MiniLM", "SVM"):
        for title, reads in ((model, "Prem+Hypo"), (f"{model}, hypothesis only", "Hypo-Only")):
            written = []
            for col in ("original", "preserved", "flipped"):
                cell = shipped[Cell(f"alpha1 {model} {reads}", col)]
                low, high = cell["ci95"]
                written.append(f"{cell['ours']:.1f} [{low:.1f}, {high:.1f}]")
            assert f"| {title} | {' | '.join(written)} |" in guide


@pytest.mark.parametrize("name", [*PERTURBED, *PERTURBED_SVM])
def test_kept_answers_say_who_gave_them(name: str) -> None:
    answers = answers_file.find_answers(name, None)
    assert answers is not None
    assert answers.premise == ("none" if "hypothesis" in name else "full")
    assert answers.train == ("infotabs/train",)
    assert list(answers.seeds) == (["0", "1", "2"] if name in PERTURBED else ["0"])
    assert all(answers.has(corpus, probe) for corpus in table12.CORPORA.values() for probe in table12.PROBES)
    # Seeds are different trainings, not one file written three times.
    given = [json.dumps(words) for words in answers.seeds.values()]
    assert len(set(given)) == len(given)
