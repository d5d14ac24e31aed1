"""Logs of tasks that nliprobe did not write: found by their texts, in words whose meaning is declared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.conftest import need

import nliprobe
from nliprobe.base.errors import DataError

THREE = ["True", "Neither", "False"]
MEANING = "True:E;Neither:N;False:C"
PAIRS = [
    {"id": "a", "premise": "A man eats.", "hypothesis": "He eats.", "label": "entailment"},
    {"id": "b", "premise": "A man eats.", "hypothesis": "He is old.", "label": "neutral"},
    {"id": "c", "premise": "A man eats.", "hypothesis": "He fasts.", "label": "contradiction"},
]


def sample(pair: dict[str, str], words: list[str], best: str, **doc: Any) -> dict[str, Any]:
    """A sample as lm-evaluation-harness logs it: a request for each choice, likelihoods as texts."""
    scores = [["-0.1" if word == best else "-2.5", "False"] for word in words]
    return {
        "doc_id": 0,
        "doc": doc or {"premise": pair["premise"], "hypothesis": pair["hypothesis"], "label": 0, "idx": 7},
        "arguments": {f"gen_args_{n}": {"arg_0": "…", "arg_1": f" {word}"} for n, word in enumerate(words)},
        "resps": [[score] for score in scores],
        "filtered_resps": scores,
    }


def lm_eval(folder: Path, samples: list[dict[str, Any]]) -> Path:
    log = folder / "samples_x.jsonl"
    log.write_text("\n".join(map(json.dumps, samples)), encoding="utf-8")
    return log


def inspect(folder: Path, samples: list[dict[str, Any]]) -> Path:
    log = folder / "log.json"
    log.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples}), encoding="utf-8")
    return log


def answers(log: Path, labels: str = "") -> dict[str, str | None]:
    system = f"predictions:{log}?allow_unmatched=1"
    run = nliprobe.run(system, {"x": PAIRS}, labels=labels, doctor=False)
    found = run.cases().join(run.predictions(), on="case_id").select("pair_id", "label")
    return {str(pair).rpartition("/")[2]: label for pair, label in found.iter_rows()}


def test_three_way_in_any_order(tmp_path: Path) -> None:
    said = [sample(pair, THREE, word) for pair, word in zip(PAIRS, THREE, strict=True)]
    log = lm_eval(tmp_path, said[::-1])
    assert answers(log, MEANING) == {"a": "E", "b": "N", "c": "C"}
    with pytest.raises(DataError, match=r"line 1: .* nothing says which label its choice 'True' means: declare all"):
        answers(log)
    with pytest.raises(DataError, match=r"line 1: .* its choice 'False' is not among the declared labels"):
        answers(log, "True:E;Neither:N")
    with pytest.raises(DataError, match=r"line 1: .* two of its choices mean N: True, Neither, False"):
        answers(log, "True:E;Neither:N;False:N")


def test_two_way_keeps_neutral_and_contradiction_together(tmp_path: Path) -> None:
    words = ["True", "False"]
    log = lm_eval(tmp_path, [sample(pair, words, words[n > 0]) for n, pair in enumerate(PAIRS)])
    assert answers(log, "True:E;False:NC") == {"a": "E", "b": "NC", "c": "NC"}


def test_names_of_labels_need_no_declaration(tmp_path: Path) -> None:
    words = ["entailment", "not_entailment"]
    log = lm_eval(tmp_path, [sample(pair, words, words[n > 0]) for n, pair in enumerate(PAIRS)])
    assert answers(log) == {"a": "E", "b": "NC", "c": "NC"}


def test_written_answers_are_read_by_strict_rules(tmp_path: Path) -> None:
    texts = ["True.", "I think it is Neither or False", "false"]
    samples = [
        {**sample(pair, THREE, "True"), "arguments": {"gen_args_0": {"arg_0": "…", "arg_1": {"until": []}}},
         "resps": [[text]], "filtered_resps": [text]}
        for pair, text in zip(PAIRS, texts, strict=True)
    ]  # fmt: skip
    assert answers(lm_eval(tmp_path, samples), MEANING) == {"a": "E", "b": None, "c": "C"}


def test_a_sample_without_texts_or_with_other_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 1: .* neither nliprobe_id, .* nor premise and hypothesis"):
        answers(lm_eval(tmp_path, [sample(PAIRS[0], THREE, "True", question="?")]), MEANING)
    short = sample(PAIRS[0], THREE, "True")
    short["filtered_resps"] = short["filtered_resps"][:2]
    with pytest.raises(DataError, match="one likelihood for each label"):
        answers(lm_eval(tmp_path, [short]), MEANING)


def asked(pair: dict[str, str], answer: str | None, **more: Any) -> dict[str, Any]:
    texts = {"premise": pair["premise"], "hypothesis": pair["hypothesis"]}
    scores = {"choice": {"value": "C", "answer": answer}} if answer is not None else {}
    return {"id": 1, "metadata": texts, "output": {"completion": "ANSWER"}, "scores": scores, **more}


def test_inspect_answers_by_letter_or_by_word(tmp_path: Path) -> None:
    letters = [asked(pair, letter, choices=THREE) for pair, letter in zip(PAIRS, "ABX", strict=True)]
    assert answers(inspect(tmp_path, letters), MEANING) == {"a": "E", "b": "N", "c": None}
    with pytest.raises(DataError, match="nothing says which label its choice 'True' means"):
        answers(inspect(tmp_path, letters))
    words = [asked(PAIRS[0], "Entailment"), asked(PAIRS[1], None, output={"completion": "**Neutral**"})]
    assert answers(inspect(tmp_path, words)) == {"a": "E", "b": "N", "c": None}
    two = asked(PAIRS[0], "A")
    two["scores"]["match"] = {"value": "I", "answer": "B"}
    with pytest.raises(DataError, match=r"answers of several scorers \(choice, match\)"):
        answers(inspect(tmp_path, [two]))
    with pytest.raises(DataError, match="nor premise and hypothesis"):
        answers(inspect(tmp_path, [asked(PAIRS[0], "A", metadata={})]))


TASK = """
task: nli_{ways}
custom_dataset: !function utils.dataset
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{premise}}}} Question: {{{{hypothesis}}}} True, False or Neither? Answer:"
doc_to_target: {target}
doc_to_choice: {choices}
metric_list: [{{metric: acc}}]
"""
DATASET = """
import json
from pathlib import Path

def dataset(**settings):
    from datasets import Dataset
    return {"test": Dataset.from_list(json.loads((Path(__file__).parent / "rows.json").read_text()))}
"""


@pytest.mark.parametrize(("ways", "meaning"), [("three", MEANING), ("two", "True:E;False:NC")])
def test_accuracy_is_that_of_lm_eval(tmp_path: Path, ways: str, meaning: str) -> None:
    need("lm_eval", "datasets")
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    golds = ["entailment", "neutral", "contradiction"]
    pairs = [{"premise": f"p{n}", "hypothesis": f"h{n}", "label": golds[n % 3]} for n in range(60)]
    rows = [{**pair, "three": golds.index(pair["label"]), "two": min(golds.index(pair["label"]), 1)} for pair in pairs]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "utils.py").write_text(DATASET, encoding="utf-8")
    words = THREE if ways == "three" else ["True", "False"]
    text = TASK.format(ways=ways, target=ways, choices=json.dumps(words))
    (tmp_path / f"{ways}.yaml").write_text(text, encoding="utf-8")
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    found = simple_evaluate(model="dummy", tasks=[f"nli_{ways}"], task_manager=manager, bootstrap_iters=0)
    samples = found["samples"][f"nli_{ways}"]
    for item in samples:  # as the harness writes them to a file
        item["arguments"] = {
            f"gen_args_{n}": {f"arg_{k}": value for k, value in enumerate(arguments)}
            for n, arguments in enumerate(item["arguments"])
        }
    log = tmp_path / "samples_nli.jsonl"
    log.write_text("\n".join(json.dumps(item, default=str) for item in samples), encoding="utf-8")
    scored = nliprobe.score(log, {"x": pairs}, labels=meaning, doctor=False)
    assert scored.document["accuracy"] == pytest.approx(found["results"][f"nli_{ways}"]["acc,none"])
