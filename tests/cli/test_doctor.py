from __future__ import annotations

import json
from pathlib import Path

from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.engine.doctor.pairs import every_pair
from nliprobe.store.run import RunFolder

ANSWERS = json.dumps({f"{pair.premise}|{pair.hypothesis}": str(pair.gold) for pair in every_pair()})
MODEL = f"""
import json
GOLD = json.loads({ANSWERS!r})

def answer(pairs):
    "Scores in the order contradiction, entailment, neutral."
    return [[5.0 * (GOLD.get(p + "|" + h, "N") == letter) for letter in "CEN"] for p, h in pairs]
"""


def test_run_stops_at_a_wrong_label_order_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(MODEL)
    out = ("--on", "builtin/sentences-dev", "--out", str(tmp_path / "run"))
    wrong = f"python:{tmp_path / 'good.py'}:answer?labels=entailment,neutral,contradiction"
    right = f"python:{tmp_path / 'good.py'}:answer?labels=contradiction,entailment,neutral"
    done = nliprobe("run", "--quiet", "--system", wrong, *out, code=1)
    assert "Say labels=contradiction,entailment,neutral in the system" in done.stderr
    assert not (tmp_path / "run").exists()
    nliprobe("run", "--quiet", "--system", right, *out)
    [doctor] = [item.doctor for item in RunFolder.open(tmp_path / "run").systems]
    assert doctor is not None
    assert (doctor.status, doctor.right) == ("ok", 30)
    believed = ("--labels", "entailment,neutral,contradiction")
    nliprobe(
        "run", "--quiet", "--system", right, "--on", "builtin/sentences-dev", "--out", str(tmp_path / "b"), *believed
    )
    [doctor] = [item.doctor for item in RunFolder.open(tmp_path / "b").systems]
    assert doctor is not None
    assert doctor.status == "permuted"


def test_doctor_verb(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(MODEL)
    name = f"python:{tmp_path / 'good.py'}:answer?labels=neutral,entailment,contradiction"
    done = nliprobe("doctor", name, code=1)
    assert "permuted, 24 of 72 right (101 questions)" in done.stdout
    assert "labels=contradiction,entailment,neutral" in done.stdout
    document = nliprobe_json("doctor", "majority", "--train", "builtin/sentences-train")
    validate("doctor", document)
    assert document["systems"][0]["findings"][-1].startswith("It answers E to every pair: ")
    assert document["systems"][0]["habits"] == ["constant"]


def test_a_file_of_answers_is_tried_on_the_corpus(tmp_path: Path) -> None:
    from nliprobe.api.sources import open_source

    answers = tmp_path / "answers.jsonl"
    lines = [
        {"id": pair.id, "logits": [float(str(pair.gold) == letter) for letter in "CEN"]}
        for pair in open_source("builtin/sentences-dev").pairs()
    ]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    system = f"predictions:{answers}?labels=entailment,neutral,contradiction"
    words = ("--on", "builtin/sentences-dev")
    done = nliprobe("run", "--quiet", "--system", system, *words, "--out", str(tmp_path / "run"), code=1)
    assert "labels=contradiction,entailment,neutral" in done.stderr
    document = nliprobe_json(
        "score", *words, "--predictions", str(answers), "--labels", "entailment,neutral,contradiction"
    )
    assert "141 with labels=contradiction,entailment,neutral" in document["notes"][0]


def test_answers_to_swapped_premises_are_found_by_input_id(tmp_path: Path) -> None:
    suite = ("--on", "builtin/tables-dev", "--seed", "3")
    inputs, answers = tmp_path / "inputs.jsonl", tmp_path / "answers.jsonl"
    nliprobe("plan", *suite, "--premise", "swapped", "--out", str(inputs))
    lines = [json.loads(line) for line in inputs.read_text().splitlines()]
    answers.write_text("".join(json.dumps({"input_id": line["input_id"], "label": "N"}) + "\n" for line in lines))
    out = str(tmp_path / "run")
    nliprobe("run", "--quiet", "--system", f"predictions:{answers}?premise=swapped", *suite, "--out", out)
    [score] = nliprobe_json("show", out)["scores"]
    assert score["unanswered"] == 0
