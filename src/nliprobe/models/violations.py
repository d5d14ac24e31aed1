"""How often the answers of a model break rules of inference, on the pairs of a corpus and on sentences near them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from nliprobe.base.errors import DataError, ModelError
from nliprobe.language.tokens import tokens
from nliprobe.models.base import Model
from nliprobe.models.zoo._rules import Places, Rule, choose_rules, inconsistency
from nliprobe.task.case import Input, input_id
from nliprobe.task.labels import LETTERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.models.zoo._sentence_search import Neighbours

# Another beginning than any training has, and longer texts than SNLI's are left as they are.
_SEED = "violations"
_LONGEST = 100
_COLUMNS = {letter: column for column, letter in enumerate(LETTERS)}


class RuleViolations(TypedDict):
    """How often one rule is broken.

    Attributes:
        rule: its name, ``R1`` to ``R5``.
        sets: the sets of sentences that it was checked on.
        bodies: in how many of them the answers make its body true.
        violations: in how many of those they do not make its head true.
        share: violations per set; none without sets.
        interval: of the share, with the sets of one premise as a group; none if there are too few.
        share_of_bodies: violations per set with a true body; none without one.
        soft: the mean of max(0, p(body) - p(head)); none without sets.
    """

    rule: str
    sets: int
    bodies: int
    violations: int
    share: float | None
    interval: tuple[float, float] | None
    share_of_bodies: float | None
    soft: float | None


class Violations(TypedDict):
    """How often a model breaks the rules that its labels speak of.

    Attributes:
        real: on the sentences, pairs and chains of the corpus; in a chain the hypothesis of one pair is the premise of
            another.
        generated: on sets in which one sentence of a pair was changed at random, the same for every model.
        searched: on the one of those sets per pair, unchanged ones included, in which this model breaks the rule most.
    """

    real: list[RuleViolations]
    generated: list[RuleViolations]
    searched: list[RuleViolations]


class _Sets(NamedTuple):
    """Sets of texts that a rule is checked on, and the group of each."""

    texts: NDArray[np.int64]
    groups: NDArray[np.int64]


class _Checked(NamedTuple):
    """Per set: whether the body is true, whether the head is not, too, and how far the rule is broken."""

    body: NDArray[np.bool_]
    broken: NDArray[np.bool_]
    soft: NDArray[np.float64]


def rule_violations(
    model: Model, inputs: Sequence[Input], *, seeds: int = 1000, candidates: int = 8, seed: int = 0
) -> Violations:
    """Count how often a model breaks each rule.

    The generated sets depend on the inputs and numbers given here and not on the model, so that two models given the
    same are compared on the same. Their phrases and language model come from the inputs; trained on none of these, a
    network has not seen them.

    Args:
        model: any that answers with probabilities.
        inputs: the pairs of a corpus, with their premises.
        seeds: near how many of them sets are generated.
        candidates: how many sets per pair, with the one that is not changed.
        seed: of what is chosen and changed.

    Raises:
        DataError: there are no inputs.
        ModelError: an answer has no probabilities.
    """
    import numpy as np

    if not inputs:
        raise DataError("There are no pairs on which rules could be checked.")
    rules = choose_rules("", model.partition.blocks)
    answers = _Answers(model)
    real = _real(inputs)
    near, texts, groups = _near(inputs, seeds, candidates, f"{_SEED}/{seed}")
    answers.ask([(real.texts, rule, real.sets[rule.sentences].texts) for rule in rules])
    answers.ask([(texts, rule, near.sets[rule.sentences].reshape(-1, rule.sentences)) for rule in rules])
    counted = Violations(real=[], generated=[], searched=[])
    for rule in rules:
        sets = real.sets[rule.sentences]
        counted["real"].append(_count(rule, answers.check(real.texts, rule, sets.texts), sets.groups))
        every = answers.check(texts, rule, near.sets[rule.sentences].reshape(-1, rule.sentences))
        number = np.arange(len(every.soft)).reshape(len(groups), -1)
        changed = number[:, 1:].ravel()
        counted["generated"].append(_count(rule, _take(every, changed), np.repeat(groups, number.shape[1] - 1)))
        worst = number[np.arange(len(groups)), every.soft[number].argmax(1)] if len(groups) else changed
        counted["searched"].append(_count(rule, _take(every, worst), groups))
    return counted


class _Real(NamedTuple):
    texts: list[str]
    sets: Mapping[int, _Sets]


def _real(inputs: Sequence[Input]) -> _Real:
    """Return the sentences, pairs and chains of a corpus."""
    import numpy as np

    places: dict[str, int] = {}
    pairs = [tuple(places.setdefault(text, len(places)) for text in (item.premise, item.hypothesis)) for item in inputs]
    pairs = list(dict.fromkeys(pairs))
    after: dict[int, list[int]] = {}
    for premise, hypothesis in pairs:
        after.setdefault(premise, []).append(hypothesis)
    chains = [(one, two, three) for one, two in pairs for three in after.get(two, ())]
    singles = [(place,) for place in range(len(places))]
    sets = {}
    for size, rows in ((1, singles), (2, pairs), (3, chains)):
        texts = np.array(rows, dtype=np.int64).reshape(-1, size)
        sets[size] = _Sets(texts, _numbered(texts[:, 0].tolist()))
    return _Real(list(places), sets)


def _near(
    inputs: Sequence[Input], seeds: int, candidates: int, seed: str
) -> tuple[Neighbours, list[str], NDArray[np.int64]]:
    """Return sets near some pairs, their texts, and the group of each pair; an empty text cannot be changed."""
    import numpy as np

    from nliprobe.models.zoo._fluency import Fluency
    from nliprobe.models.zoo._sentence_search import neighbours

    order = random.Random(seed)
    # No word has the number of padding.
    words: dict[str, int] = {"": 0}
    rows: dict[str, list[int]] = {}
    for item in inputs:
        for text in (item.premise, item.hypothesis):
            if text not in rows:
                rows[text] = [words.setdefault(word, len(words)) for word in tokens(text)[:_LONGEST]]
    usable = [item for item in inputs if rows[item.premise] and rows[item.hypothesis]]
    if not usable:
        raise DataError("No pair has words in its premise and in its hypothesis, so rules cannot be checked.")
    chosen = order.sample(usable, min(seeds, len(usable)))
    pool = [np.array(row, dtype=np.int32) for row in rows.values() if row]
    near = neighbours(
        [(rows[item.premise], rows[item.hypothesis]) for item in chosen],
        pool,
        Fluency(pool, len(words)),
        candidates,
        _LONGEST,
        order,
    )
    known = list(words)
    texts = [" ".join(known[number] for number in sentence) for sentence in near.sentences]
    return near, texts, _numbered([item.premise for item in chosen])


class _Answers:
    """The labels and probabilities that a model gives to pairs of texts; each pair is asked once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[tuple[str, str], tuple[str, tuple[float, ...]]] = {}

    def ask(self, wanted: Sequence[tuple[Sequence[str], Rule, NDArray[np.int64]]]) -> None:
        """Ask what some rules need to know about sets of texts."""
        new = {
            (texts[row[one]], texts[row[two]])
            for texts, rule, rows in wanted
            for one, two in _places(rule)
            for row in rows.tolist()
        }
        pairs = sorted(new - self._known.keys())
        for start in range(0, len(pairs), self._model.batch):
            some = pairs[start : start + self._model.batch]
            inputs = [Input(input_id(one, two), (one,) if one else (), two) for one, two in some]
            for pair, answer in zip(some, self._model.predict(inputs), strict=True):
                if answer.probabilities is None or answer.label is None:
                    raise ModelError("Rules are checked with probabilities, but the model answered without any.")
                shares = tuple(float("nan") if share is None else share for share in answer.probabilities)
                self._known[pair] = str(answer.label), shares

    def check(self, texts: Sequence[str], rule: Rule, rows: NDArray[np.int64]) -> _Checked:
        """Return how a rule fares on sets of texts that were asked before."""
        import numpy as np
        import torch

        labels: dict[Places, NDArray[np.str_]] = {}
        shares: dict[Places, torch.Tensor] = {}
        for one, two in _places(rule):
            known = [self._known[texts[row[one]], texts[row[two]]] for row in rows.tolist()]
            labels[one, two] = np.array([label for label, _ in known], dtype=np.str_)
            shares[one, two] = torch.tensor([given for _, given in known], dtype=torch.float64).reshape(-1, 3)
        true = [(labels[atom.places] == atom.label) == atom.holds for atom in rule.atoms]
        body = np.logical_and.reduce([np.ones(len(rows), dtype=np.bool_), *true[:-1]])
        soft: NDArray[np.float64] = inconsistency(rule, shares, _COLUMNS).numpy()
        return _Checked(body, body & ~true[-1], soft)


def _places(rule: Rule) -> list[Places]:
    return sorted({atom.places for atom in rule.atoms})


def _take(checked: _Checked, chosen: NDArray[np.int64]) -> _Checked:
    return _Checked(checked.body[chosen], checked.broken[chosen], checked.soft[chosen])


def _count(rule: Rule, checked: _Checked, groups: NDArray[np.int64]) -> RuleViolations:
    from nliprobe.stats.grouped import group_sums, share_interval

    sets, bodies, broken = len(checked.soft), int(checked.body.sum()), int(checked.broken.sum())
    interval = share_interval(*group_sums(checked.broken, groups)) if sets else None
    return RuleViolations(
        rule=rule.name,
        sets=sets,
        bodies=bodies,
        violations=broken,
        share=broken / sets if sets else None,
        interval=None if interval is None else (interval.low, interval.high),
        share_of_bodies=broken / bodies if bodies else None,
        soft=float(checked.soft.mean()) if sets else None,
    )


def _numbered(keys: Sequence[object]) -> NDArray[np.int64]:
    """Return the number of each key, in the order of their first."""
    import numpy as np

    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def render(name: str, counted: Violations) -> list[str]:
    """Return a line per kind of sets: the percent that break each rule, and in brackets how far on average."""
    lines = []
    for where, rules in (
        ("real", counted["real"]),
        ("generated", counted["generated"]),
        ("searched", counted["searched"]),
    ):
        cells = [
            f"{one['rule']} {100 * one['share']:.2f} ({100 * one['soft']:.2f})"
            for one in rules
            if one["share"] is not None and one["soft"] is not None
        ]
        lines.append(f"{name} {where}: {', '.join(cells)}")
    return lines
