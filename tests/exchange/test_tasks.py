"""Exported tasks run in their harnesses, measure what nliprobe measures, and their logs come back by id."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.conftest import need

import nliprobe
from nliprobe.api.exchange.carried import judge
from nliprobe.base.errors import DataError

PROBES = ["swap", "inv.surface"]


def export(out: Path, to: Any) -> None:
    nliprobe.export(None, out, to=to, on="builtin/sentences-dev", probes=PROBES)


def answered(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**case, "label": case["labels"][len(case["prompt"]) % 3]} for case in cases]


def lm_eval_sample(item: dict[str, Any]) -> str:
    scores = [[["0.0" if name == item["label"] else "-5.0", "False"]] for name in item["labels"]]
    doc = {name: value for name, value in item.items() if name != "label"}
    return json.dumps({"doc_id": 0, "doc": doc, "resps": scores, "filtered_resps": [row[0] for row in scores]})


def inspect_sample(item: dict[str, Any]) -> dict[str, Any]:
    word = dict(zip(item["labels"], item["choices"], strict=True))[item["label"]]
    return {"id": item["case_id"], "metadata": item, "output": {"completion": word}, "scores": {}}


@pytest.mark.parametrize("harness", ["lm-eval", "inspect"])
def test_logs_give_the_numbers_that_the_metrics_gave(harness: str, tmp_path: Path) -> None:
    export(tmp_path / "task", harness)
    lines = (tmp_path / "task" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    # In another order than that of the corpus: only ids can bring the answers back.
    items = answered([json.loads(line) for line in reversed(lines)])
    if harness == "lm-eval":
        log = tmp_path / "samples_x.jsonl"
        log.write_text("\n".join(map(lm_eval_sample, items)), encoding="utf-8")
    else:
        log = tmp_path / "log.json"
        content = {"version": 2, "status": "success", "eval": {}, "samples": list(map(inspect_sample, items))}
        log.write_text(json.dumps(content), encoding="utf-8")
    run = nliprobe.run(f"predictions:{log}", "builtin/sentences-dev", probes=PROBES, out=tmp_path / "run", doctor=False)
    shown = run.summary()
    gold = judge.chosen(items, "builtin_sentences_dev_gold")
    assert judge.accuracy(gold) == pytest.approx(next(e["accuracy"] for e in shown["scores"] if e["probe"] == "gold"))
    for probe in PROBES:
        part = judge.chosen(items, f"builtin_sentences_dev_{probe.replace('.', '_')}")
        rate = next(e["prohibited_overall"] for e in shown["transitions"] if e["probe"] == probe)
        assert judge.prohibited(part) == pytest.approx(rate["rate"])
        assert len(judge.rules_judged(part)) == rate["n"]


def test_a_log_of_another_task_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "samples_anli.jsonl"
    log.write_text(json.dumps({"doc_id": 0, "doc": {"premise": "a"}, "resps": [[["-1", "False"]]]}), encoding="utf-8")
    with pytest.raises(DataError, match=r"line 1: this sample .* has neither nliprobe_id"):
        nliprobe.score(log, "builtin/sentences-dev")
    packed = tmp_path / "x.eval"
    packed.write_bytes(b"PK")
    with pytest.raises(DataError, match="inspect log convert"):
        nliprobe.score(packed, "builtin/sentences-dev")


def test_lm_eval_runs_the_tasks(tmp_path: Path) -> None:
    need("lm_eval", "datasets")
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    export(tmp_path / "made", "lm-eval")
    # The folder may be moved.
    folder = (tmp_path / "made").rename(tmp_path / "moved")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = simple_evaluate(model="dummy", tasks=["nliprobe"], task_manager=manager, bootstrap_iters=0, limit=30)
    results = found["results"]
    assert 0 <= results["nliprobe_builtin_sentences_dev_gold"]["acc,none"] <= 1
    assert 0 <= results["nliprobe_builtin_sentences_dev_swap"]["prohibited,none"] <= 1
    sample = found["samples"]["nliprobe_builtin_sentences_dev_gold"][0]
    assert sample["doc"]["nliprobe_id"].startswith("builtin/sentences-dev/")


# In a process of its own: Inspect leaves streams open, which would fail whatever test comes next.
INSPECT = """
import json
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answer(messages, *rest):
    output = ModelOutput.from_content("mock", "entailment" if len(messages[-1].text) % 2 else "Neutral.")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else tokens are looked up online
    return output

model = get_model("mockllm/model", custom_outputs=answer)
[log] = evaluate("suite.py", model=model, log_dir="logs", log_format="json", display="none", limit=40)
assert log.status == "success", log.error
print(json.dumps({name: item.value for name, item in log.results.scores[0].metrics.items()}))
"""


def test_inspect_runs_the_task(tmp_path: Path) -> None:
    need("inspect_ai")
    export(tmp_path / "task", "inspect")
    done = subprocess.run(
        [sys.executable, "-c", INSPECT], cwd=tmp_path / "task", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    metrics = json.loads(done.stdout.splitlines()[-1])
    assert metrics["builtin_sentences_dev_gold/answered"] == 1.0
    [path] = (tmp_path / "task" / "logs").glob("*.json")
    scored = nliprobe.score(path, "builtin/sentences-dev", allow_unmatched=True, doctor=False)
    assert scored.document["answered"] > 0
