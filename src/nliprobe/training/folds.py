"""Divide pairs into folds that share no premise, so that what is learnt from one tells nothing about another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.table import Table


def fold_groups(pairs: Sequence[Pair]) -> list[str]:
    """Return what each pair must not be torn from: pairs of one group or with one premise have the same name."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while (parent := parents.setdefault(name, name)) != name:
            parents[name] = name = parents[parent]
        return name

    texts: dict[int, str] = {}  # tables are shared objects: each is written out once
    own: list[str] = []
    for pair in pairs:
        premise = texts.get(id(pair.premise)) or texts.setdefault(id(pair.premise), f"premise {_hash(pair.premise)}")
        first = root(f"group {pair.group}") if pair.group else root(premise)
        second = root(premise)
        # The smaller name stands for both, so that the order of pairs does not matter.
        parents[max(first, second)] = min(first, second)
        own.append(premise)
    return [root(name) for name in own]


def deal_folds(groups: Iterable[str], folds: int, seed: int) -> dict[str, int]:
    """Return the fold of each group: dealt out in the order of hash(seed, group), so that folds are about equal."""
    ordered = sorted(set(groups), key=lambda group: digest(str(seed), group))
    return {group: place % folds for place, group in enumerate(ordered)}


def _hash(premise: Premise) -> str:
    return digest(premise.to_json() if isinstance(premise, Table) else premise)
