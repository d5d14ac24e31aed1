"""``nliprobe init``: files as people have them, answers by options and on a terminal, and what the file says."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.cli.helpers import command, environment, nliprobe

from nliprobe.api.init import choose_data, choose_model, config_text, setup
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.yaml_files import read_yaml

ODD = (
    "Beleg;Behauptung;Urteil;wer\nA man sleeps.;A man rests.;0;x\nA dog runs.;A cat runs.;1;y\n"
    "A dog runs.;No dog moves.;2;y\n"
)
COLUMNS = "premise=Beleg,hypothesis=Behauptung,label=Urteil"
CODES = "entailment,neutral,contradiction"


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd, 1.csv"
    path.write_text(ODD, encoding="utf-8")
    return path


def test_the_file_passes_validate_and_run(odd: Path) -> None:
    here = odd.parent
    told = ("--columns", COLUMNS, "--labels", CODES)
    nliprobe("init", "--model", "small", "--data", odd.name, "--probes", "edits", *told, cwd=here)
    text = (here / "probe.yaml").read_text(encoding="utf-8")
    assert '# - premise: column "Beleg"' in text
    assert '# - not used: "wer"' in text
    assert "shown no premise" in text
    section = yaml.safe_load(text)["run"]
    assert section["system"] == ["small", "small?premise=none"]
    assert section["probes"] == ["gold", "swap", "inv.surface"]
    assert "nothing wrong" in nliprobe("validate", "probe.yaml", cwd=here).stdout
    nliprobe("run", "--config", "probe.yaml", "--quiet", cwd=here)
    assert (here / section["out"] / "run.json").is_file()
    assert "probe.yaml exists" in nliprobe("init", "--model", "small", cwd=here, code=2).stderr


def test_odd_columns_are_shown_and_never_guessed(odd: Path) -> None:
    words = ("init", "--model", "small", "--data", odd.name, "--probes", "edits")
    message = _refused(*words, cwd=odd.parent)
    assert "Beleg (A man sleeps., A dog runs.)" in message
    assert "--columns premise=…,hypothesis=…,label=…" in message
    assert "declare what codes mean" in _refused(*words, "--columns", COLUMNS, cwd=odd.parent)
    assert not (odd.parent / "probe.yaml").exists()


def _refused(*words: str, cwd: Path) -> str:
    done = subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    return done.stderr


def test_without_a_terminal_the_missing_options_are_named(tmp_path: Path) -> None:
    assert "give --data, --probes" in _refused("init", "--model", "small", cwd=tmp_path)
    assert "should look like premise=text" in _refused(
        "init", "--model", "small", "--data", "x", "--probes", "edits", "--columns", "text", cwd=tmp_path
    )


def test_the_questions_on_a_terminal(odd: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("init"), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=odd.parent, env=environment()
    ) as process:
        os.close(theirs)
        os.write(ours, "\n".join(["small", odd.name, "Beleg", "Behauptung", "Urteil", CODES, "premise", ""]).encode())
        _, errors = process.communicate(timeout=120)
    os.close(ours)
    said = errors.decode()
    assert process.returncode == 0, said
    assert "1/3 Which model?" in said
    assert "Which column is the premise?" in said
    assert yaml.safe_load((odd.parent / "probe.yaml").read_text(encoding="utf-8"))["run"]["probes"] == ["gold"]


def test_usual_columns_are_written_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"sentence1": "A dog runs.", "sentence2": "It moves.", "gold_label": "entailment"}\n', "utf-8")
    chosen = choose_data(str(path), {})
    assert chosen.spec.endswith("?hypothesis=sentence2&label=gold_label&premise=sentence1")
    assert 'premise: column "sentence1" (by its name)' in chosen.notes


def test_a_wrong_label_is_found_before_the_run(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("premise,hypothesis,label\na,b,entailment\nc,d,neutral\ne,f,nonsense\n", "utf-8")
    with pytest.raises(DataError, match="nonsense"):
        choose_data(str(path), {})


def test_models_by_path(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "config.json").touch()
    (tmp_path / "net.onnx").touch()
    (tmp_path / "empty").mkdir()
    assert choose_model(str(tmp_path / "checkpoint")).spec == f"transformers:{tmp_path}/checkpoint"
    assert choose_model(str(tmp_path / "net.onnx")).spec == f"onnx:{tmp_path}/net.onnx"
    (tmp_path / "mine.py").touch()
    assert choose_model(f"{tmp_path}/mine.py:judge").spec == f"python:{tmp_path}/mine.py:judge"
    with pytest.raises(UsageError, match="cannot be told what model"):
        choose_model(str(tmp_path / "empty"))
    with pytest.raises(UsageError, match="There is no file or folder"):
        choose_model("nosuch")


def test_models_that_learn_and_answers_from_elsewhere() -> None:
    data = choose_data("builtin/tables-dev", {})
    with pytest.raises(UsageError, match="train=CORPUS"):
        setup(choose_model("svm"), data, "edits")
    made = setup(choose_model("svm?represent=para"), data, "edits", ["builtin/tables-train"])
    assert made.probes == ("gold", "rows.delete", "rows.permute")
    assert made.twin == "svm?represent=para&premise=none"
    assert yaml.safe_load(config_text(made))["run"]["train"] == ["builtin/tables-train"]
    answers = setup(choose_model("predictions:answers.csv"), data, "premise")
    assert answers.twin == ""
    assert "No twin without premise" in config_text(answers)


def test_hostile_names_stay_in_their_quotes_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('"a\nrun: {out: /etc}","h ""q"" #",label\nA dog runs.,It moves.,entailment\n', "utf-8")
    chosen = choose_data(str(path), {"premise": "a\nrun: {out: /etc}", "hypothesis": 'h "q" #', "label": "label"})
    made = setup(choose_model("small"), chosen, "premise")
    (tmp_path / "probe.yaml").write_text(config_text(made), "utf-8")
    section = read_yaml(tmp_path / "probe.yaml")
    assert isinstance(section, dict)
    assert list(section) == ["run"]
    assert section["run"]["on"] == chosen.spec
    assert section["run"]["out"] == "runs/x"
