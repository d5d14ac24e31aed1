"""Raw files, files of tests and predictions of CheckList suites."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.api.import_checklist import import_checklist

_ORDER = "entailment,neutral,contradiction"
_SEEDS = (
    "('A man\\'s here.', \"It isn't.\")\n('B', 'C')",
    '["A \\ud83d\\ude00", "B"]\n["C", "D"]',
    "{'premise': 'A', 'hypothesis': 'B', 'test_name': 't', 'test_case': 0, 'type': 'INV', 'label': 1}\n",
    "A\tB\nC\tD",
    "premise\thypothesis\nA\tB\n",
    "A [SEP] B\nC [SEP] D",
    "test_name,test_case,capability,type,label\nt,0,Negation,MFT,0\nt,1,Negation,INV,\n",
    '{"a": [0, 1], "b": [1, 2]}',
    "0 0.8 0.1 0.1\n2 0.1 0.1 0.8\n",
    "0.2\n0.7\n",
    "entailment\nneutral\n",
)
_FORMS = ("pred_only", "softmax", "binary_conf", "pred_and_conf", "pred_and_softmax")


def _run(data: bytes, folder: Path) -> None:
    given, raw = folder / "given.json", folder / "raw.tsv"
    given.write_bytes(data)
    raw.write_text("A\tB\nC\tD", encoding="utf-8")
    out, answers, known = folder / "out.jsonl", folder / "answers.jsonl", f"{raw}?premise=1&hypothesis=2"
    asked = partial(import_checklist, out=out, labels=_ORDER, force=True)
    attempt(
        *(partial(asked, f"{given}{words}") for words in ("?premise=1&hypothesis=2", "?separator=[SEP]", "?header=1")),
        partial(asked, known, tests=given),
        *(partial(asked, known, predictions=f"{given}?form={form}", answers=answers) for form in _FORMS),
    )


TARGET = Target("raw_suite", lambda: [seed.encode() for seed in _SEEDS], _run)
