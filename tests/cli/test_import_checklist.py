"""``nliprobe data import-checklist`` as users type it, up to a checklist of what it wrote."""

from __future__ import annotations

import json
from pathlib import Path

from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.corpora.raw_suite_files import RawTest, write_raw, write_tests

TESTS = [
    # A capability that nliprobe's own taxonomy does not have.
    RawTest(f"roles {n}", "SRL", "MFT", [([(f"A{k} sees B{n}.", f"B{n} is seen.")], "0") for k in range(3)])
    for n in range(6)
] + [RawTest("typos", "Robustness", "INV", [([(f"A{n}{'!' * k}", "B") for k in range(2)], "") for n in range(5)])]
WORDS = ("data", "import-checklist", "raw.txt?premise=1&hypothesis=2")
LABELS = ("--labels", "entailment,neutral,contradiction")


def test_from_a_raw_file_to_a_checklist(tmp_path: Path) -> None:
    write_raw(tmp_path / "raw.txt", TESTS)
    write_tests(tmp_path / "tests.csv", TESTS)
    (tmp_path / "preds.txt").write_text("0 0.8 0.1 0.1\n" * 18 + "0 0.8 0.1 0.1\n1 0.1 0.8 0.1\n" * 5)
    given = ("--tests", "tests.csv", "--predictions", "preds.txt?form=pred_and_softmax", "--answers", "a.jsonl")
    text = nliprobe(*WORDS, "-o", "my.jsonl", *given, *LABELS, cwd=tmp_path).stdout
    assert "my.jsonl  28 examples of 7 tests (entailment 18, none 10)" in text
    assert "5 are compared with the first example of their test case" in text
    assert "a.jsonl  28 answers" in text
    assert "already there" in nliprobe(*WORDS, "-o", "my.jsonl", cwd=tmp_path, code=2).stderr
    document = nliprobe_json(*WORDS, "-o", "my.jsonl", *given, *LABELS, "--force", cwd=tmp_path)
    validate("checklist-import", document)
    assert document["source"] in text
    nliprobe(
        "run", "--on", document["source"], "--system", document["system"], "--no-doctor", "--out", "run", cwd=tmp_path
    )
    shown = nliprobe_json("show", "run", cwd=tmp_path)
    assert shown["scores"][0]["accuracy"] == 1.0
    assert shown["consistency"][0]["broken"]["rate"] == 1.0
    checklist = json.dumps(nliprobe_json("show", "run", "--checklist", cwd=tmp_path))
    assert '"SRL"' in checklist
    assert '"roles 5"' in checklist


def test_what_is_missing_is_named_as_an_option(tmp_path: Path) -> None:
    write_raw(tmp_path / "raw.txt", TESTS)
    write_tests(tmp_path / "tests.csv", TESTS)
    (tmp_path / "preds.txt").write_text("0\n" * 28)

    def said(*words: str, code: int) -> str:
        return nliprobe(*WORDS, "-o", "my.jsonl", *words, cwd=tmp_path, code=code).stderr

    assert "--labels entailment,neutral,contradiction" in said("--tests", "tests.csv", code=1)
    assert "--predictions and --answers belong together" in said("--predictions", "preds.txt", code=2)
    assert "preds.txt?form=pred_and_softmax" in said("--predictions", "preds.txt", "--answers", "a.jsonl", code=2)
    assert not (tmp_path / "my.jsonl").exists()
    assert "Give what is known with --tests" in nliprobe(*WORDS, "-o", "my.jsonl", cwd=tmp_path).stdout
