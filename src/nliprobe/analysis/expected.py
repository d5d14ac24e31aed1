"""What a rule would have accepted, for people who read a case that broke it."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.task.labels import LabelSet
from nliprobe.task.relations import Relation
from nliprobe.task.rule_forms import rule_words
from nliprobe.task.rules import Rule, bases_needed, label_relation, needs_probabilities


def allowed_labels(rule: Rule, before: Sequence[LabelSet]) -> str:
    """Return the labels that a rule allows after the answers to the bases; empty if the rule is not about labels."""
    relation = rule if isinstance(rule, Relation) else label_relation(rule)
    if relation is None or len(before) != relation.arity or not all(before):
        return ""
    return str(relation(*before))


def expected_words(rule: Rule) -> str:
    """Say in words what a rule asks for; empty if the allowed labels say it all."""
    if isinstance(rule, Relation):
        return ""
    return rule_words(rule) if needs_probabilities(rule) or bases_needed(rule) != 1 else ""
