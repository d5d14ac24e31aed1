"""Contracts of ``gate``: read, checked and written again."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.analysis.compare.contract import contract_text, read_contract
from nliprobe.api.validate import validate

_SEEDS = (
    "contract: 1\nchecks:\n  - {corpus: infotabs/dev, probe: gold, metric: accuracy, at_least: 0.55}\n",
    "contract: 1\nsystem: svm?represent=para\nchecks:\n"
    "  - {corpus: builtin/tables-dev, probe: rows.delete, metric: prohibited, at_most: 0.05, on: estimate}\n"
    "  - {corpus: 'file:my.csv?premise=a&label=b', probe: 'rows.permute?n=2', metric: gain, at_least: -0.5}\n",
    "contract: 1\nsystem: &s m\nchecks:\n- &c\n  corpus: *s\n  probe: swap\n  metric: broken\n  at_most: 1\n"
    "- <<: *c\n  metric: macro_f1\n",
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "contract.yaml"
    path.write_bytes(data)
    for report in validate([str(path)], verbs={}):
        str(report.to_json()).encode("utf-8")
    contract = read_contract(path)
    path.write_text(contract_text(contract), encoding="utf-8")
    assert read_contract(path) == contract


TARGET = Target("contract_file", _seeds, _run)
