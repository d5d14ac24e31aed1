"""Sets of sentences on which a network breaks rules: how they are found, used step by step, and kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from nliprobe.models.batches import Prepared, network_scores
from nliprobe.models.vocabulary import PADDING
from nliprobe.models.zoo._rules import Kind, Places, inconsistency
from nliprobe.models.zoo._sentence_search import Neighbours
from nliprobe.models.zoo._word_network import WordPair

Forward = Callable[[Sequence[WordPair]], torch.Tensor]
# Words per batch while sets are scored, with padding.
_BUDGET, _CPU_BUDGET = 65_536, 8192
_SETS, _NEXT = "adv.sets", "adv.next"


class _Sets(NamedTuple):
    """Sets of as many sentences: the numbers of their words, (sets, sentences, longest), and lengths."""

    words: NDArray[np.int32]
    lengths: NDArray[np.int32]

    def sentence(self, row: int, place: int) -> NDArray[np.int32]:
        return self.words[row, place, : self.lengths[row, place]]


class AdversarialSets:
    """The sets of an epoch, in the order in which steps use them; after the last comes the first.

    Args:
        sets: by how many sentences they have.
        step: how many steps used them so far.
    """

    def __init__(self, sets: Mapping[int, _Sets], step: int = 0) -> None:
        self._sets = dict(sets)
        self._step = step

    def __len__(self) -> int:
        return sum(len(sets.lengths) for sets in self._sets.values())

    def next_loss(
        self, forward: Forward, kinds: Sequence[Kind], columns: Mapping[str, int], count: int
    ) -> torch.Tensor:
        """Return how far the next ``count`` sets of each kind break the rules, on average; the network is asked once.

        What a set breaks is the sum over its rules.
        """
        rows = {kind.sentences: self._rows(self._sets[kind.sentences], count) for kind in kinds}
        self._step += 1
        pairs = [
            WordPair(sets.sentence(row, premise), sets.sentence(row, hypothesis))
            for kind in kinds
            for sets in (self._sets[kind.sentences],)
            for premise, hypothesis in kind.places
            for row in rows[kind.sentences]
        ]
        shares = iter(
            forward(pairs).float().softmax(-1).split([len(rows[kind.sentences]) for kind in kinds for _ in kind.places])
        )
        broken = [_broken(kind, {places: next(shares) for places in kind.places}, columns) for kind in kinds]
        return torch.cat(broken).mean()

    def memory(self) -> dict[str, torch.Tensor]:
        """Return the sets, and how many steps used them, as tensors."""
        tensors = {_NEXT: torch.tensor(self._step)}
        for size, sets in self._sets.items():
            tensors[f"{_SETS}.{size}.words"] = torch.from_numpy(sets.words)
            tensors[f"{_SETS}.{size}.lengths"] = torch.from_numpy(sets.lengths)
        return tensors

    @classmethod
    def recalled(cls, memory: Mapping[str, torch.Tensor]) -> AdversarialSets | None:
        """Return what :meth:`memory` returned, if there were sets."""
        if _NEXT not in memory:
            return None
        sizes = [size for size in (1, 2, 3) if f"{_SETS}.{size}.words" in memory]
        return cls(
            {
                size: _Sets(memory[f"{_SETS}.{size}.words"].numpy(), memory[f"{_SETS}.{size}.lengths"].numpy())
                for size in sizes
            },
            int(memory[_NEXT]),
        )

    def _rows(self, sets: _Sets, count: int) -> range:
        start = self._step % -(-len(sets.lengths) // count) * count
        return range(start, min(start + count, len(sets.lengths)))


def search_sets(
    forward: Forward,
    near: Neighbours,
    kinds: Sequence[Kind],
    columns: Mapping[str, int],
    device: torch.device,
    count: int,
    order: random.Random,
) -> AdversarialSets:
    """Keep, for the half of the pairs where it breaks the rules most, the candidate that does.

    Args:
        forward: asks the network, which is in evaluation mode.
        near: the candidates.
        kinds: the rules.
        columns: the class of each label.
        device: where the network is.
        count: how many sets a step will use; those are of similar lengths.
        order: where chance comes from.
    """
    broken = broken_by(forward, near, kinds, columns, device)
    kept: dict[int, _Sets] = {}
    for kind in kinds:
        candidates = near.sets[kind.sentences]
        best = broken[kind.sentences].argmax(1)
        worst = broken[kind.sentences].amax(1).argsort(descending=True, stable=True)
        chosen = worst[: max(1, (len(worst) + 1) // 2)].tolist()
        rows = [candidates[pair, int(best[pair])].tolist() for pair in chosen]
        rows.sort(key=lambda row: sum(len(near.sentences[place]) for place in row))
        steps = [rows[start : start + count] for start in range(0, len(rows), count)]
        whole, rest = [step for step in steps if len(step) == count], [step for step in steps if len(step) < count]
        order.shuffle(whole)
        kept[kind.sentences] = _packed([row for step in (*whole, *rest) for row in step], near)
    return AdversarialSets(kept)


def broken_by(
    forward: Forward, near: Neighbours, kinds: Sequence[Kind], columns: Mapping[str, int], device: torch.device
) -> dict[int, torch.Tensor]:
    """Return how far each candidate breaks the rules, (pairs, candidates), by how many sentences a set has.

    Each pair of sentences is asked once, however many sets it is in.
    """
    many = len(near.sentences)
    keys = {
        (kind.sentences, places): near.sets[kind.sentences][..., places[0]] * many
        + near.sets[kind.sentences][..., places[1]]
        for kind in kinds
        for places in kind.places
    }
    distinct = np.unique(np.concatenate([key.ravel() for key in keys.values()]))
    rows = [np.array(sentence, dtype=np.int32) for sentence in near.sentences]
    pairs = [WordPair(rows[key // many], rows[key % many]) for key in distinct.tolist()]
    sizes = [2 * max(len(pair.premise), len(pair.hypothesis)) for pair in pairs]
    scores = network_scores(forward, Prepared(pairs, sizes), device, _BUDGET, exact=True, cpu_budget=_CPU_BUDGET)
    shares = torch.tensor(scores).softmax(-1)
    broken: dict[int, torch.Tensor] = {}
    for kind in kinds:
        asked: dict[Places, torch.Tensor] = {
            places: shares[torch.from_numpy(np.searchsorted(distinct, keys[kind.sentences, places].ravel()))]
            for places in kind.places
        }
        broken[kind.sentences] = _broken(kind, asked, columns).reshape(near.sets[kind.sentences].shape[:2])
    return broken


def _broken(kind: Kind, shares: Mapping[Places, torch.Tensor], columns: Mapping[str, int]) -> torch.Tensor:
    return torch.stack([inconsistency(rule, shares, columns) for rule in kind.rules]).sum(0)


def _packed(rows: Sequence[Sequence[int]], near: Neighbours) -> _Sets:
    lengths = np.array([[len(near.sentences[place]) for place in row] for row in rows], dtype=np.int32)
    words = np.full((*lengths.shape, int(lengths.max())), PADDING, dtype=np.int32)
    for number, row in enumerate(rows):
        for place, sentence in enumerate(row):
            words[number, place, : lengths[number, place]] = near.sentences[sentence]
    return _Sets(words, lengths)
