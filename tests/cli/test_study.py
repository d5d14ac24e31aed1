"""``nliprobe study``: made, answered by a simulated panel, measured, and read by the recipes of the paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.people.studied import answers_file, give, write_small_study

from nliprobe.people.study.panel import simulate_panel
from nliprobe.people.study.results import results_of
from nliprobe.report.study_tables import bid_table, difference_table, stage_table

NEW = (
    "study", "new", "--system", "small", "--on", "checklist?n=6&only=negation+lexical", "--phase", "1", "--phase", "2",
    "--templates", "4", "--examples", "2", "--neighbours", "2", "--masks", "2", "--order", "latin", "--no-doctor",
)  # fmt: skip


def test_from_a_system_to_the_tables_of_the_paper(tmp_path: Path) -> None:
    done = nliprobe(*NEW, "-o", "made", cwd=tmp_path)
    assert done.stdout.split() == ["made/study.json", "made/key.json"]
    assert "small: templates that are asked about, by accuracy" in done.stderr
    assert "The templates test only 2 capabilities." in done.stderr
    for name, schema in (("study", "study"), ("key", "study-key")):
        validate(schema, json.loads((tmp_path / "made" / f"{name}.json").read_text(encoding="utf-8")))
    again = nliprobe(*NEW, "-o", "made", cwd=tmp_path, code=1)
    assert "holds a study already, and people may have answered it" in again.stderr
    skills = ("--participants", "3", "--skill", "1,0")
    panel = nliprobe("study", "simulate", "made", "-o", "panel.csv", *skills, cwd=tmp_path)
    assert "SIMULATED answers; no person took part. Skills: simulated-1 1.00, simulated-2 0.00" in panel.stderr
    assert (
        "may hold answers of people"
        in nliprobe("study", "simulate", "made", "-o", "panel.csv", cwd=tmp_path, code=1).stderr
    )
    document = nliprobe_json("study", "results", "made", "panel.csv", "--responses", "responses", cwd=tmp_path)
    validate("study-results", document)
    assert document["simulated"]
    assert [stage["stage"] for stage in document["stages"]] == [
        "1", "2", "3", "template-explanations", "example-explanations", "example-questions",
    ]  # fmt: skip
    assert all(stage["participants"][0]["accuracy"] == 1 for stage in document["stages"]), "skill 1 knows everything"
    text = nliprobe("study", "results", "made", "panel.csv", cwd=tmp_path).stdout
    assert "SIMULATED: no person answered." in text
    for item, file in (("table7", "bids"), ("table8", "answers")):
        table = nliprobe_json(
            "reproduce", f"checklist:{item}", "--responses", f"responses/responses-{file}.csv", cwd=tmp_path
        )
        assert table["notes"][0].startswith("SIMULATED")
        ours = [cell for cell in table["cells"] if cell["ours"] is not None]
        assert ours
        assert all(cell["by"].startswith("simulated participants of ") for cell in ours)
    scores = {cell["row"]: cell["ours"] for cell in nliprobe_json(
        "reproduce", "checklist:table7", "--responses", "responses/responses-bids.csv", cwd=tmp_path
    )["cells"] if cell["col"] == "average_score 1"}  # fmt: skip
    assert scores["simulated-1"] == 5


def test_results_on_the_console(tmp_path: Path) -> None:
    study, _ = write_small_study(tmp_path / "study")
    given = [one for name in "ABC" for one in give("B1", name, "ENCENCENCENC")]
    answers_file(tmp_path / "answers.csv", study, given[:-1])
    text = nliprobe("study", "results", "study", "answers.csv", cwd=tmp_path).stdout
    assert "A study  3 participants" in text
    assert "SIMULATED" not in text
    assert "the-secret-system" in text
    assert "Stopped in stage B1: C after 11 of 12." in " ".join(text.split())
    assert "Nobody reached the stages bids, picks, R2." in text


@pytest.mark.parametrize("width", [48, 80, 120])
def test_no_number_is_cut_however_narrow_the_terminal_is(width: int, tmp_path: Path) -> None:
    study, key = write_small_study(tmp_path / "study")
    panel = simulate_panel(study, key, [0.3, 0.5, 0.7])
    answers_file(tmp_path / "answers.csv", study, panel.given)
    words = ("study", "results", "study", "answers.csv")
    text = nliprobe(*words, cwd=tmp_path, env={"COLUMNS": str(width)}).stdout
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    document = results_of(tmp_path / "study", [tmp_path / "answers.csv"])[0]
    for table in (stage_table(document["stages"]), bid_table(document["stages"]), difference_table(document)):
        for row in table.rows:
            assert all(cell in text for cell in row)


def test_responses_of_stages_that_are_not_the_papers_are_left_out(tmp_path: Path) -> None:
    study, _ = write_small_study(tmp_path / "study")
    answers_file(tmp_path / "answers.csv", study, give("picks", "A", ["0-20"], ["t1"]) + give("B1", "A", "E"))
    done = nliprobe("study", "results", "study", "answers.csv", "--responses", "out", cwd=tmp_path)
    assert "Not among the stages of the paper, and left out: picks." in done.stderr
    lines = (tmp_path / "out" / "responses-answers.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ["stage,participant,item,answer,truth,system,panel", "B1,A,q01,E,E,the-secret-system,"]


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("study", "new", "-o", "x"), "There is no system to foresee: name one with --system small.", 2),
        ((*NEW, "-o", "x", "--phase", "9"), "There is no phase '9' (--phase).", 2),
        ((*NEW, "-o", "x", "--plan", "nowhere.yaml"), "does not exist", 2),
        (("study", "results", "nowhere", "answers.csv"), "does not exist", 2),
        (("study", "results", ".", "answers.csv"), "There is no study study.json", 1),
        (("study", "simulate", ".", "-o", "answers.csv"), "answers.csv is there already", 1),
    ],
)
def test_faults_are_sentences(words: tuple[str, ...], said: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("participant,stage,item,answer\n", encoding="utf-8")
    assert said in nliprobe(*words, cwd=tmp_path, code=code).stderr
    assert not (tmp_path / "x").exists()
