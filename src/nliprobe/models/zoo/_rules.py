"""The rules that inference obeys, as data, and how far probabilities of classes break them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import UsageError
from nliprobe.task.labels import NAMES, LabelSet

if TYPE_CHECKING:
    import torch

# A premise and a hypothesis by their places in a set of sentences.
Places = tuple[int, int]


class Atom(NamedTuple):
    """One sentence of a set stands, or does not stand, in a relation to another.

    Attributes:
        label: the letter of the relation.
        premise: the place of the premise in the set; ``hypothesis`` likewise.
        holds: whether the relation is asserted or denied.
    """

    label: str
    premise: int
    hypothesis: int
    holds: bool = True

    @property
    def places(self) -> Places:
        """The premise and the hypothesis."""
        return self.premise, self.hypothesis


class Rule(NamedTuple):
    """If all of the body is true of a set of sentences, so is the head; an empty body is always true."""

    name: str
    body: tuple[Atom, ...]
    head: Atom

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the body, then the head."""
        return (*self.body, self.head)

    @property
    def sentences(self) -> int:
        """How many sentences a set of this rule has."""
        return 1 + max(max(atom.places) for atom in self.atoms)

    def mirrored(self) -> Rule:
        """Return the rule for the same two sentences in the other order."""
        body, head = self.body, self.head
        turned = [atom._replace(premise=atom.hypothesis, hypothesis=atom.premise) for atom in (*body, head)]
        return Rule(self.name, tuple(turned[:-1]), turned[-1])


# Minervini and Riedel 2018.
RULES = (
    Rule("R1", (), Atom("E", 0, 0)),
    Rule("R2", (Atom("C", 0, 1),), Atom("C", 1, 0)),
    Rule("R3", (Atom("E", 0, 1),), Atom("C", 1, 0, holds=False)),
    Rule("R4", (Atom("N", 0, 1),), Atom("C", 1, 0, holds=False)),
    Rule("R5", (Atom("E", 0, 1), Atom("E", 1, 2)), Atom("E", 0, 2)),
)


class Kind(NamedTuple):
    """The rules over sets of as many sentences, which can be asked about the same sets.

    Attributes:
        sentences: per set.
        rules: a rule over two sentences stands here twice, because it holds for them in either order.
        places: the pairs of each set that a network has to be asked about.
    """

    sentences: int
    rules: tuple[Rule, ...]
    places: tuple[Places, ...]


def label_columns(classes: Sequence[LabelSet]) -> dict[str, int]:
    """Return the column of each label that is a class of its own: in E|NC that is E alone."""
    return {str(label): column for column, label in enumerate(classes) if len(label) == 1}


def choose_rules(names: str, classes: Sequence[LabelSet]) -> tuple[Rule, ...]:
    """Return the rules of some digits, as in ``125``, or all that the classes allow.

    Raises:
        UsageError: there is no such rule, or it speaks of a label that is no class of its own.
    """
    known = label_columns(classes)
    if not names:
        rules = tuple(rule for rule in RULES if all(atom.label in known for atom in rule.atoms))
        if not rules:
            raise UsageError(
                f"No rule can be learnt from pairs that are {' or '.join(map(str, classes))}: every rule speaks of "
                "entailment or contradiction alone. Train the base network instead."
            )
        return rules
    chosen: list[Rule] = []
    for digit in dict.fromkeys(names):
        rule = next((rule for rule in RULES if rule.name == f"R{digit}"), None)
        if rule is None:
            raise UsageError(f"'rules' should be digits from 1 to {len(RULES)}, as in rules=125, not '{names}'.")
        missing = [atom.label for atom in rule.atoms if atom.label not in known]
        if missing:
            raise UsageError(
                f"Rule {digit} speaks of {NAMES[missing[0]]}, but the training pairs are "
                f"{' or '.join(map(str, classes))}. Leave it out of 'rules'."
            )
        chosen.append(rule)
    return tuple(chosen)


def kinds_of(rules: Sequence[Rule]) -> tuple[Kind, ...]:
    """Return the rules by how many sentences their sets have."""
    kinds: list[Kind] = []
    for sentences in sorted({rule.sentences for rule in rules}):
        same = [rule for rule in rules if rule.sentences == sentences]
        if sentences == 2:
            same += [rule.mirrored() for rule in same]
        places = sorted({atom.places for rule in same for atom in rule.atoms})
        kinds.append(Kind(sentences, tuple(same), tuple(places)))
    return tuple(kinds)


def inconsistency(rule: Rule, shares: Mapping[Places, torch.Tensor], columns: Mapping[str, int]) -> torch.Tensor:
    """Return how far a rule is broken by each set: max(0, p(body) - p(head)).

    The probability of a body is the least of its atoms', and 1 if it has none; that of a denied atom is 1 - p.

    Args:
        rule: the rule.
        shares: the probabilities of the classes for each pair of places, (sets, classes) each.
        columns: the class of each label.

    Returns:
        One number from 0 to 1 per set, (sets,).
    """
    import torch

    def share(atom: Atom) -> torch.Tensor:
        given = shares[atom.places][:, columns[atom.label]]
        return given if atom.holds else 1 - given

    head = share(rule.head)
    body = torch.stack([share(atom) for atom in rule.body]).amin(0) if rule.body else torch.ones_like(head)
    return (body - head).clamp(min=0)
