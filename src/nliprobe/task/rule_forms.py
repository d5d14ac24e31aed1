"""The forms of a rule: a short text, which runs store; JSON, which files may hold; and words for people.

``{"name": "and", "rules": [{"name": "same_label"}, {"name": "close", "tolerance": 0.1}]}`` is, in short,
``same_label and close 0.1``. A relation is written as the moves it allows: ``E>EN N>N C>NC``; ``same_label`` is the
relation that allows no move to another label.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.base.halves import whole_json
from nliprobe.task.labels import ANY, LETTERS, NAMES, LabelSet
from nliprobe.task.relations import SAME, Relation
from nliprobe.task.rules import BASE, And, BaseIn, Close, If, LabelIn, Monotone, Not, Or, Rule

# The parameters of each name; those with a question mark may be left out.
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "same_label": (),
    "relation": ("allowed",),
    "label_in": ("labels",),
    "base_in": ("labels",),
    "close": ("tolerance",),
    "monotone": ("label", "direction", "tolerance?"),
    "and": ("rules",),
    "or": ("rules",),
    "not": ("rule",),
    "if": ("when", "then"),
}
_JOINING = ("and", "or", "not", "if", "then")
# Nobody writes deeper rules by hand, and reading them would end in a recursion error.
_DEEPEST = 50
_TOKEN = re.compile(r"[()]|[^\s()]+")


def read_rule(value: object) -> Rule:
    """Read a rule: a mapping, JSON text, or the short form.

    >>> rule_text(read_rule({"name": "not", "rule": "same_label"}))
    'not same_label'
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(whole_json(value))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"The rule is not JSON ({error}).") from None
    if isinstance(value, str):
        return _Short(value).read()
    return _from_mapping(value, 0)


@lru_cache(maxsize=4096)  # a run has few rules and many cases
def rule_text(rule: Rule) -> str:
    """Write a rule in its short form, from which :func:`read_rule` reads the same rule.

    >>> rule_text(And((Relation.of({"E": "EN"}), Close(0.1))))
    'E>EN N>ENC C>ENC and close 0.1'
    """
    match rule:
        case Relation():
            return "same_label" if rule == SAME else str(rule)
        case LabelIn(labels):
            return f"label_in {labels}"
        case BaseIn(labels):
            return f"base_in {labels}"
        case Close(tolerance):
            return f"close {_exact(tolerance)}"
        case Monotone(label, direction, tolerance):
            return f"monotone {label} {direction}" + (f" {_exact(tolerance)}" if tolerance else "")
        case And(rules) | Or(rules):
            word = " and " if isinstance(rule, And) else " or "
            return word.join(_wrapped(rule, item) for item in rules)
        case Not(inner):
            return f"not {_wrapped(rule, inner)}"
        case If(when, then):
            return f"if {_wrapped(rule, when)} then {_wrapped(rule, then)}"


def rule_words(rule: Rule) -> str:
    """Say in words for people what a rule expects."""
    match rule:
        case Relation():
            return "the same label as before" if rule == SAME else _allowed_words(rule)
        case LabelIn(labels):
            return _either(labels)
        case BaseIn(labels):
            return f"the answer before was {_either(labels)}"
        case Close(tolerance):
            return f"every probability within {tolerance:g} of the one before"
        case Monotone(label, direction, tolerance):
            whose = "the label given before" if label == BASE else NAMES[label]
            moved = "higher" if direction.endswith("up") else "lower"
            no = "not " if direction.startswith("not_") else ""
            by = f" by more than {tolerance:g}" if tolerance else ""
            return f"the probability of {whose} {no}{moved} than before{by}"
        case And(rules):
            return " and ".join(_bracketed(item) for item in rules)
        case Or(rules):
            return " or ".join(_bracketed(item) for item in rules)
        case Not(inner):
            return f"not ({rule_words(inner)})"
        case If(when, then):
            return f"if {rule_words(when)}, then {rule_words(then)}"


def _allowed_words(relation: Relation) -> str:
    """Name the labels allowed after each label that restricts them."""
    combinations = itertools.product(LETTERS, repeat=relation.arity)
    bound = [
        f"after {' and '.join(NAMES[letter] for letter in before)}: {_either(after)}"
        for before, after in zip(combinations, relation.allowed, strict=True)
        if after != ANY
    ]
    return "; ".join(bound) if bound else "any label"


def _either(labels: LabelSet) -> str:
    return " or ".join(NAMES[letter] for letter in labels) if labels else "nothing"


def _exact(number: float) -> str:
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def _wrapped(outer: Rule, inner: Rule) -> str:
    text = rule_text(inner)
    simple = not isinstance(inner, And | Or | If) or (isinstance(inner, And) and isinstance(outer, If))
    return text if simple else f"({text})"


def _bracketed(rule: Rule) -> str:
    return f"({rule_words(rule)})" if isinstance(rule, And | Or | If) else rule_words(rule)


def _from_mapping(value: object, depth: int) -> Rule:
    if depth > _DEEPEST:
        raise UsageError(f"The rule is nested deeper than {_DEEPEST} levels.")
    if isinstance(value, str):
        return _Short(value).read()
    if not isinstance(value, Mapping):
        raise UsageError(f'A rule should be an object such as {{"name": "same_label"}}, not {value!r:.60}.')
    name = value.get("name")
    if not isinstance(name, str) or name not in _PARAMETERS:
        raise UsageError(f"There is no rule named {name!r:.60}. {did_you_mean(str(name), _PARAMETERS)}")
    known = [key.rstrip("?") for key in _PARAMETERS[name]]
    for key in value:
        if key != "name" and key not in known:
            hint = did_you_mean(str(key), known) if known else "It takes no parameters."
            raise UsageError(f"The rule '{name}' has no parameter '{key}'. {hint}")
    missing = [key for key in _PARAMETERS[name] if not key.endswith("?") and key not in value]
    if missing:
        raise UsageError(f"The rule '{name}' needs '{missing[0]}'.")
    return _build(name, value, lambda inner: _from_mapping(inner, depth + 1))


def _build(name: str, value: Mapping[object, object], inner: Callable[[object], Rule]) -> Rule:
    match name:
        case "same_label":
            return SAME
        case "relation":
            return _relation(str(value["allowed"]))
        case "label_in":
            return LabelIn(_labels(value["labels"], name))
        case "base_in":
            return BaseIn(_labels(value["labels"], name))
        case "close":
            return Close(_number(value["tolerance"], name))
        case "monotone":
            tolerance = _number(value.get("tolerance", 0.0), name)
            return Monotone(str(value["label"]), str(value["direction"]), tolerance)
        case "not":
            return Not(inner(value["rule"]))
        case "if":
            return If(inner(value["when"]), inner(value["then"]))
    rules = value["rules"]
    if not isinstance(rules, list | tuple):
        raise UsageError(f"The 'rules' of '{name}' should be a list, not {rules!r:.60}.")
    inner_rules = tuple(inner(item) for item in rules)
    return And(inner_rules) if name == "and" else Or(inner_rules)


def _relation(text: str) -> Relation:
    try:
        return Relation.parse(text)
    except (ValueError, KeyError):
        raise UsageError(f"'{text:.60}' is not a relation: write the moves it allows, as in E>EN N>N C>NC.") from None


def _labels(value: object, name: str) -> LabelSet:
    try:
        return LabelSet.of("".join(value) if isinstance(value, list | tuple) else str(value))
    except (ValueError, TypeError):
        raise UsageError(f"The labels of '{name}' should be letters such as EN, not {value!r:.60}.") from None


def _number(value: object, name: str) -> float:
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        return float(value)
    except (ValueError, OverflowError):
        raise UsageError(f"The tolerance of '{name}' should be a number, not {value!r:.60}.") from None


class _Short:
    """Reads the short form. *Not* binds tightest, then *and*, then *or*, and *if … then* least of all."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        self._at = 0
        self._depth = 0

    def read(self) -> Rule:
        """Read the whole text."""
        if not self._tokens:
            raise UsageError("The rule is empty. Write for example same_label, or monotone E down.")
        rule = self._rule()
        if self._at < len(self._tokens):
            raise UsageError(f"In the rule '{self._text:.80}', '{self._tokens[self._at]:.40}' was not expected.")
        return rule

    def _rule(self) -> Rule:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UsageError(f"The rule is nested deeper than {_DEEPEST} levels.")
        if self._take("if"):
            when = self._rule()
            self._expect("then")
            rule: Rule = If(when, self._rule())
        else:
            rules = [self._all()]
            while self._take("or"):
                rules.append(self._all())
            rule = rules[0] if len(rules) == 1 else Or(tuple(rules))
        self._depth -= 1
        return rule

    def _all(self) -> Rule:
        rules = [self._one()]
        while self._take("and"):
            rules.append(self._one())
        return rules[0] if len(rules) == 1 else And(tuple(rules))

    def _one(self) -> Rule:
        negations = 0
        while self._take("not"):
            negations += 1
        if negations > _DEEPEST:
            raise UsageError(f"The rule is nested deeper than {_DEEPEST} levels.")
        if self._take("("):
            rule = self._rule()
            self._expect(")")
        else:
            rule = self._leaf()
        for _ in range(negations):
            rule = Not(rule)
        return rule

    def _leaf(self) -> Rule:
        if self._at == len(self._tokens):
            raise UsageError(f"The rule '{self._text:.80}' ends where another rule was expected.")
        if ">" in self._tokens[self._at]:
            return self._moves()
        name = self._tokens[self._at]
        self._at += 1
        if name in _JOINING:
            raise UsageError(f"In the rule '{self._text:.80}', '{name}' cannot be used there. Add brackets.")
        if name not in _PARAMETERS:
            names = [known for known in _PARAMETERS if known not in _JOINING]
            raise UsageError(f"There is no rule named '{name:.60}'. {did_you_mean(name, names)}")
        content: dict[object, object] = {"name": name}
        for key in _PARAMETERS[name]:
            if self._at < len(self._tokens) and self._tokens[self._at] not in ("(", ")", *_JOINING):
                content[key.rstrip("?")] = self._tokens[self._at]
                self._at += 1
        return _from_mapping(content, 0)

    def _moves(self) -> Relation:
        start = self._at
        while self._at < len(self._tokens) and ">" in self._tokens[self._at]:
            self._at += 1
        return _relation(" ".join(self._tokens[start : self._at]))

    def _take(self, word: str) -> bool:
        taken = self._at < len(self._tokens) and self._tokens[self._at] == word
        self._at += taken
        return taken

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise UsageError(f"The rule '{self._text:.80}' lacks '{word}'.")
