"""What tasks of a harness are made of: one line per case, with its prompt and a table of what holds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.exchange.origin import Batch, Origin
from nliprobe.api.exchange.written import Tally
from nliprobe.base.files import write_atomic, writing
from nliprobe.base.hashing import digest
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.models.chat.prompt import DEFAULT, Prompt, read_prompt
from nliprobe.task.case import IDENTITY, Case, Certainty
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import BROKEN, HOLDS, gold_table, label_outcomes, pair_outcomes
from nliprobe.task.rules import Rule, bases_needed, needs_probabilities

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest

CASES = "cases.jsonl"
# What reads a label from a written answer, here and in tasks that carry it.
READING = "written_label.py"
MODE = AnswerMode.LABEL
_LONGEST_NAME = 80


@dataclass
class Part:
    """The cases of one corpus and probe, which a harness measures together."""

    name: str
    corpus: str
    probe: str
    cases: int = 0
    gold: int = 0
    rules: int = 0


@dataclass
class Parts:
    """All parts of an export, and what of their cases cannot be judged by a harness."""

    by_place: dict[tuple[str, str], Part] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)

    def of(self, corpus: str, probe: str) -> Part:
        """Return the part of a corpus and probe."""
        if (corpus, probe) not in self.by_place:
            taken = {part.name for part in self.by_place.values()}
            self.by_place[corpus, probe] = Part(part_name(corpus, probe, taken), corpus, probe)
        return self.by_place[corpus, probe]

    def sentences(self) -> list[str]:
        """Say what is lost."""
        words = {
            "uncertain": "{} cases have a label or a rule that is likely, not certain: their answers are kept in the "
            "logs, and no metric counts them.",
            "probabilities": "{} cases have a rule over probabilities: metrics judge by labels alone.",
            "no rule": "{} cases have a rule that labels cannot decide: no metric counts it.",
        }
        lines = [text.format(f"{self.lost[name]:,}") for name, text in words.items() if self.lost[name]]
        return [
            *lines,
            "Edits, facets and evidence are not in the tasks, and metrics have standard errors instead of intervals. "
            "For all of that, score the logs with nliprobe run --system predictions:LOG.",
        ]


def part_name(corpus: str, probe: str, taken: set[str]) -> str:
    """Return a name for a part that files, tasks and metrics may have, unlike any other.

    >>> part_name("infotabs/dev", "rows.delete", set())
    'infotabs_dev_rows_delete'
    """
    plain = re.sub(r"[^a-z0-9]+", "_", f"{corpus} {probe}".lower()).strip("_")
    if plain and plain not in taken and len(plain) <= _LONGEST_NAME:
        return plain
    return f"{plain[:_LONGEST_NAME]}_{digest(corpus, probe)[:8]}".strip("_")


def read_task_prompt(request: ExportRequest) -> Prompt:
    """Return the prompt of tasks: that of ``chat:`` models, unless the user names another."""
    return read_prompt(request.prompt or DEFAULT)


def write_cases(origin: Origin, prompt: Prompt, tally: Tally) -> Parts:
    """Write ``cases.jsonl``, each case once."""
    parts = Parts()
    with writing(tally.add(CASES, 0)) as stream:
        for batch in origin.batches():
            for record in _records(batch, origin, prompt, parts):
                stream.write((json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8"))
            tally.add(CASES, len(batch.cases))
            tally.count(len(batch.cases))
    tally.lost += parts.sentences()
    return parts


def carry(name: str, folder: Path, target: str) -> None:
    """Copy a file that needs no nliprobe into an export."""
    package = "nliprobe.models" if name == READING else "nliprobe.api.exchange.carried"
    write_atomic(folder / target, files(package).joinpath(name).read_bytes())


def _records(batch: Batch, origin: Origin, prompt: Prompt, parts: Parts) -> Iterator[dict[str, object]]:
    labels = [str(label) for label in prompt.labels]
    words = list(prompt.labels.values())
    for corpus, case, item in zip(batch.corpora, batch.cases, batch.inputs, strict=True):
        part = parts.of(corpus, case.probe)
        right = _right(case.gold, origin.partitions[corpus], prompt.partition) if case.gold is not None else []
        rule = _rule(case, prompt.partition)
        _count(case, part, parts, right, rule)
        [message] = prompt.messages(item.premise, item.hypothesis, origin.view.form_of(case), MODE)[-1:]
        yield {
            # By this id the answer is found again: that of the pair where it is asked as it is.
            "nliprobe_id": case.source.id if case.probe == IDENTITY else case.id,
            "case_id": case.id,
            "input_id": item.id,
            "part": part.name,
            "corpus": corpus,
            "probe": case.probe,
            "pair_id": case.source.id,
            "group": case.source.group or case.source.id,
            "bases": list(case.bases),
            "certainty": str(case.certainty),
            "prompt": message["content"],
            "choices": words,
            "labels": labels,
            "right": right,
            "target": words[labels.index(right[0])] if right else "",
            "rule": rule,
        }


def _count(case: Case, part: Part, parts: Parts, right: list[str], rule: str) -> None:
    certain = case.certainty is Certainty.CERTAIN
    part.cases += 1
    part.gold += bool(right) and certain
    part.rules += bool(rule) and certain
    if not certain and (case.gold is not None or case.expects is not None):
        parts.lost["uncertain"] += 1
    elif case.expects is not None and not rule:
        parts.lost["no rule"] += 1
    elif case.expects is not None and needs_probabilities(case.expects):
        parts.lost["probabilities"] += 1


@lru_cache(maxsize=256)
def _right(gold: LabelSet, corpus: Partition, answers: Partition) -> list[str]:
    """Return the answers that are right, in the labels that corpus and prompt both tell apart."""
    table = gold_table(corpus.join(answers))
    return [str(block) for block in answers.blocks if table[gold.mask, block.mask] == HOLDS]


def _rule(case: Case, partition: Partition) -> str:
    if case.expects is None or bases_needed(case.expects) not in (0, len(case.bases)):
        return ""
    return _rule_table(case.expects, partition, len(case.bases))


@lru_cache(maxsize=4096)
def _rule_table(rule: Rule, partition: Partition, bases: int) -> str:
    """Return what a rule says about every combination of answers, as JSON; empty if it never says anything."""
    blocks = partition.blocks
    entries: dict[str, dict[str, bool]] = {}
    if bases == 2:
        pairs = pair_outcomes(rule, partition)
        befores = {f"{one},{two}": pairs[one.mask, two.mask] for one in blocks for two in blocks}
    elif bases_needed(rule) == 1:
        befores = {str(block): label_outcomes(rule, partition)[1, block.mask] for block in blocks}
    else:
        befores = {"": label_outcomes(rule, partition)[0, 0]}
    for before, outcomes in befores.items():
        said = {str(after): bool(outcomes[after.mask] == HOLDS) for after in blocks if outcomes[after.mask] in
                (HOLDS, BROKEN)}  # fmt: skip
        if said:
            entries[before] = said
    return json.dumps(entries) if entries else ""
