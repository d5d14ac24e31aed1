"""The simulated panel: its skills come out of the analysis, and it is labelled as simulated everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.people.studied import small_study, write_small_study

from nliprobe.base.errors import UsageError
from nliprobe.papers.recipes import find_recipes
from nliprobe.people.study.answers import Collected, read_answers, write_answers
from nliprobe.people.study.export import write_responses
from nliprobe.people.study.panel import even_skills, simulate_panel
from nliprobe.people.study.results import study_results
from nliprobe.people.study.stage_data import stage_data
from nliprobe.stats.panel import bids_on_truth, mean_agreement, mean_of_rows


def test_known_skills_come_out() -> None:
    """Answers of 400 participants: accuracy s + (1 - s) / k, agreement s² + (1 - s²) / k, 5 s + (1 - s) points."""
    study, key = small_study()
    skill = 0.6
    panel = simulate_panel(study, key, [skill] * 400, seed=3)
    data = {stage.id: stage_data(study, key, stage, panel.given) for stage in study.stages}
    for name, answers in (("B1", 3), ("R2", 3), ("picks", 5)):
        assert mean_of_rows(data[name].right) == pytest.approx(skill + (1 - skill) / answers, abs=0.04)
        assert mean_agreement(data[name].answers) == pytest.approx(skill**2 + (1 - skill**2) / answers, abs=0.04)
    bids = data["bids"]
    assert bids.points is not None
    assert mean_of_rows(bids_on_truth(bids.points, bids.truth)) == pytest.approx(5 * skill + (1 - skill), abs=0.15)


def test_a_panel_is_the_same_for_a_seed_and_takes_orders_in_turn() -> None:
    study, key = small_study()
    one, two = (simulate_panel(study, key, even_skills(3, 0.5, 0.2), seed) for seed in (1, 1))
    assert one == two
    assert simulate_panel(study, key, even_skills(3, 0.5, 0.2), 2).given != one.given
    document = study_results(study, key, Collected(one.given, one.feedback))
    assert [order["stages"][0] for order in document["orders"]] == ["bids", "picks", "B1"]
    assert list(one.skills.values()) == pytest.approx([0.3, 0.5, 0.7])
    assert even_skills(2, 0.9, 0.3) == pytest.approx([0.6, 1.0])
    with pytest.raises(UsageError, match=r"a chance from 0 to 1, not 1\.5"):
        simulate_panel(study, key, [1.5])
    with pytest.raises(UsageError, match="There is no participant"):
        simulate_panel(study, key, [])


def test_simulated_is_said_in_files_results_and_tables_of_the_paper(tmp_path: Path) -> None:
    study, key = write_small_study(tmp_path)
    panel = simulate_panel(study, key, [0.5] * 3)
    path = tmp_path / "answers.csv"
    write_answers(path, study, panel.given, panel.feedback)
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    assert "panel" in header
    assert all(",simulated," in line for line in lines)
    collected = read_answers(study, [path])
    assert study_results(study, key, collected)["simulated"]
    written = write_responses(tmp_path / "responses", study, key, collected)
    # The stages bids and picks are not the paper's: recipes take B1 and R2 alone.
    assert [file.name for file in written.files] == ["responses-answers.csv"]
    assert written.left_out == ["bids", "picks"]
    [figure4] = find_recipes("checklist:figure4")
    document = figure4.run(responses=written.files[0])
    assert document["notes"][0].startswith("SIMULATED: no person answered.")
    ours = {(cell["row"], cell["col"]): cell for cell in document["cells"] if cell["ours"] is not None}
    assert set(ours) == {(row, col) for row in ("B1", "R2") for col in ("accuracy", "accuracy_sd", "agreement")}
    assert ours["B1", "accuracy"]["by"] == (
        "simulated participants of responses-answers.csv, who foresee the-secret-system"
    )
    stages = {one["stage"]: one for one in study_results(study, key, collected)["stages"]}
    for row in ("B1", "R2"):
        for col in ("accuracy", "agreement"):
            value = stages[row]["accuracy" if col == "accuracy" else "agreement"]["value"]
            assert value is not None
            assert ours[row, col]["ours"] == pytest.approx(125 * value, abs=1e-3)
