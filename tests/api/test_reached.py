"""Runs of systems that some edits do not reach: without premise, and with answers that are looked up by ids."""

from __future__ import annotations

import io
import json
from pathlib import Path

from rich.console import Console

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.failures import failures
from nliprobe.analysis.summary import summarise
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.probes.suite import Suite, build_probe
from nliprobe.report.console import print_document
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case

ON = "builtin/tables-dev"


def made(folder: Path, systems: list[str], probes: list[str]) -> RunFolder:
    return run(Request([ON], systems, probes), folder / "run").run


def shown(document: ShowDocument) -> str:
    stream = io.StringIO()
    print_document(document, Console(file=stream, width=120))
    return stream.getvalue()


def test_a_system_without_premise_is_unchanged_by_construction(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def answer(pairs):\n    return ['ENC'[len(p + h) % 3] for p, h in pairs]\n")
    model = f"python:{tmp_path / 'model.py'}:answer"
    folder = made(tmp_path, [f"{model}?name=full", f"{model}?premise=none&name=blind"], ["rows.delete", "inv.surface"])
    document = summarise(folder)
    by_place = {(item["system"], item["probe"]): item for item in document["transitions"]}
    blind, full = by_place["blind", "rows.delete"], by_place["full", "rows.delete"]
    assert (blind["n"], blind["prohibited_overall"]["rate"]) == (0, None)
    assert blind["unchanged"] == full["n"] + full["unchanged"]
    # The hypothesis is edited in some cases of inv.surface, and the premise in others.
    some = by_place["blind", "inv.surface"]
    assert some["n"] > 0
    assert some["unchanged"] > 0
    page = shown(document)
    assert "blind  unchanged by construction" in page
    assert f"{some['unchanged']:,} cases (" in page
    assert "do not reach the model" in page
    assert {item["probe"] for item in failures(folder)["shown"] if item["system"] == "blind"} <= {"gold", "inv.surface"}


def test_answers_by_id_are_judged_by_the_text(tmp_path: Path) -> None:
    [source] = Suite.build(Request([ON], []).suite().sources, ["gold"]).sources
    probe = build_probe("rows.delete")
    lines = []
    for pair in source.pairs():
        lines.append({"pair_id": pair.id, "label": "E"})
        lines += [{"case_id": case.id, "label": "C"} for case in probe.cases(pair, None) if isinstance(case, Case)]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    spec = f"predictions:{path}?labels=entailment,neutral,contradiction"
    folder = made(tmp_path, [f"{spec}&name=full", f"{spec}&premise=none&name=blind"], ["rows.delete"])
    full, blind = summarise(folder)["transitions"]
    # The keys of a case and its base differ, their texts only where the premise is seen.
    assert (full["unchanged"], full["prohibited_overall"]["rate"]) == (0, 1.0)
    assert (blind["n"], blind["prohibited_overall"]["rate"]) == (0, None)
    assert blind["unchanged"] == full["n"]
