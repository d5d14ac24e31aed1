"""What a rule would have accepted, for people who read a case that broke it."""

from __future__ import annotations

from nliprobe.task.labels import LabelSet
from nliprobe.task.rule_forms import rule_words
from nliprobe.task.rules import Rule, bases_needed, label_relation, needs_probabilities


def allowed_labels(rule: Rule, before: LabelSet | None) -> str:
    """Return the labels that a rule allows after an answer to the base; empty if the rule is not about labels."""
    relation = label_relation(rule)
    return "" if relation is None or not before else str(relation(before))


def expected_words(rule: Rule) -> str:
    """Say in words what a rule asks for; empty if the allowed labels say it all."""
    return rule_words(rule) if needs_probabilities(rule) or bases_needed(rule) != 1 else ""
