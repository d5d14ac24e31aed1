"""A comparison on real data: published predictions against a model that never sees the premise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from tests.analysis.schemas import validate

from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.compare.systems import compare_two
from nliprobe.api.resolve import Request
from nliprobe.api.run import run as run_suite


def test_bert_against_a_hypothesis_only_svm_equals_statsmodels(data: Path, tmp_path: Path) -> None:
    file = data / "predictions" / "bert-base-mnli-seed1" / "snli.jsonl"
    bert = f"predictions:{file}?labels=contradiction,entailment,neutral&name=bert"
    request = Request(["snli/dev"], [bert, "svm?premise=none&name=svm"], train=["snli/train-25k"], root=data)
    run = run_suite(request, tmp_path / "run").run
    [found] = compare(run, run, "svm", "bert")["comparisons"]
    validate("compare", compare_two(run, run, "svm", "bert"))
    gold = run.read("cases", ["case_id", "gold"]).filter(pl.col("gold").is_not_null())
    sides = [
        gold.join(run.predictions(name, ["case_id", "label"]), on="case_id", maintain_order="left")
        .select(right=pl.col("gold") == pl.col("label"))["right"]
        .to_numpy()
        for name in ("svm", "bert")
    ]
    svm, right = sides
    table = [
        [int((svm & right).sum()), int((svm & ~right).sum())],
        [int((~svm & right).sum()), int((~svm & ~right).sum())],
    ]
    assert found["n"] == len(svm) == 9842
    assert (found["broken"], found["fixed"]) == (table[0][1], table[1][0])
    assert found["p"] == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9, abs=1e-300)
    assert found["left"] == pytest.approx(svm.mean())
    assert found["right"] == pytest.approx(right.mean())
    assert found["difference"] == pytest.approx(right.mean() - svm.mean())
    # Without clusters the interval is nearly the textbook one for a paired difference.
    assert found["ci95"] is not None
    spread = 1.96 * np.std(right.astype(float) - svm) / np.sqrt(len(svm))
    assert found["ci95"][1] - found["ci95"][0] == pytest.approx(2 * spread, rel=0.5)
