"""Judge the answers to exported cases: by their gold labels, and by what an edit allows the answer to become.

An item is what is known about one case after it was asked: its ``case_id``, ``input_id``, ``bases``, ``group``,
``certainty`` and ``role``, the ``labels`` that can be answered, those that are ``right``, its ``rule`` as JSON (for
each answer to the bases, which answers hold and which are broken), and the ``label`` that was answered, or none.

Written by nliprobe. This file needs Python alone.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

Item = Mapping[str, Any]
# What was judged: the group of a case, and whether it counts.
Judged = list[tuple[str, bool]]


def gold_judged(items: Sequence[Item]) -> Judged:
    """Tell for each case whose label is known and certain whether it was answered right; no answer is wrong."""
    return [(item["group"], item["label"] in item["right"]) for item in items if _counts(item) and item["right"]]


def rules_judged(items: Sequence[Item]) -> Judged:
    """Tell for each case with a certain rule whether the answer breaks it, given the answers to its bases.

    A case does not count if it or a base has no answer, if it reads exactly like its base, or if its rule says nothing
    about these answers.
    """
    known = {item["case_id"]: item for item in items}
    judged: Judged = []
    for item in items:
        bases = [known.get(name) for name in item["bases"]]
        if not _counts(item) or not item["rule"] or None in bases:
            continue
        there = [base for base in bases if base is not None]
        if len(there) == 1 and there[0]["input_id"] == item["input_id"]:
            continue
        rule: dict[str, dict[str, bool]] = json.loads(item["rule"])
        # A rule that looks at the answer alone has one entry, under no label.
        before = "" if list(rule) == [""] else ",".join(str(base["label"]) for base in there)
        holds = rule.get(before, {}).get(str(item["label"]))
        if holds is not None:
            judged.append((item["group"], not holds))
    return judged


def accuracy(items: Sequence[Item]) -> float:
    """Return the share of right answers."""
    return _share(gold_judged(items))


def accuracy_se(items: Sequence[Item]) -> float:
    """Return the standard error of the accuracy; cases of a group depend on one another."""
    return _error(gold_judged(items))


def constant(items: Sequence[Item]) -> float:
    """Return what the best constant answer gets on the same cases."""
    right = [item["right"] for item in items if _counts(item) and item["right"]]
    labels = {label for item in items for label in item["labels"]}
    if not right:
        return math.nan
    return max(sum(label in gold for gold in right) / len(right) for label in labels)


def prohibited(items: Sequence[Item]) -> float:
    """Return the share of answers that the edit cannot justify, among those that it says something about."""
    return _share(rules_judged(items))


def prohibited_se(items: Sequence[Item]) -> float:
    """Return the standard error of that share; cases of a group depend on one another."""
    return _error(rules_judged(items))


def answered(items: Sequence[Item]) -> float:
    """Return the share of cases that have an answer."""
    own = [item for item in items if item["role"] == "case"]
    return sum(item["label"] is not None for item in own) / len(own) if own else math.nan


def _counts(item: Item) -> bool:
    # Bases are asked for comparison only. What is likely or left to people is not counted.
    return bool(item["role"] == "case" and item["certainty"] == "certain")


def _share(judged: Judged) -> float:
    return sum(counts for _, counts in judged) / len(judged) if judged else math.nan


def _error(judged: Judged) -> float:
    share = _share(judged)
    sums: dict[str, float] = defaultdict(float)
    for group, counts in judged:
        sums[group] += counts - share
    groups = len(sums)
    if groups < 2:
        return math.nan
    return math.sqrt(groups / (groups - 1) * sum(total * total for total in sums.values())) / len(judged)


def chosen(cases: Sequence[dict[str, Any]], part: str) -> list[dict[str, Any]]:
    """Return the cases of one part with the role ``case``, and those that they are compared with as ``base``.

    Without a part, all cases have the role ``case``.
    """
    by_id = {case["case_id"]: case for case in cases}
    own = [case for case in cases if not part or case["part"] == part]
    there = {case["case_id"] for case in own}
    found: list[dict[str, Any]] = []
    for case in own:
        # A base comes right before its first case, so that a harness may stop anywhere.
        for name in case["bases"]:
            if name in by_id and name not in there:
                there.add(name)
                found.append({**by_id[name], "role": "base"})
        found.append({**case, "role": "case"})
    return found
