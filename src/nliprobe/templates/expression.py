"""Parse the expressions in braces, conditions and labels, without Python's own parser or evaluator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from nliprobe.templates.limits import DEEPEST_BRACKETS, LONGEST_CHAIN, MOST_DIGITS, MOST_TERMS
from nliprobe.templates.place import Place, TemplateError


@dataclass(frozen=True, slots=True)
class Const:
    """A number or a text."""

    value: int | str
    at: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or one field of its entry."""

    name: str
    field: str
    at: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function or operator with its arguments."""

    function: str
    arguments: tuple[Expression, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Expression, ...]
    at: int


Expression: TypeAlias = Const | Name | Call | Items

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<text>'[^']*')|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[a-z_]+)?)"
    r"|(?P<mark>//|<=|>=|==|!=|[-+*%<>(),\[\]]))"
)
_WORDS = frozenset({"and", "or", "not", "if", "else", "in"})
_COMPARISONS = frozenset({"<", "<=", "==", "!=", ">=", ">", "in"})


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse_expression(text: str, place: Place) -> Expression:
    """Parse an expression; errors name the column."""
    parser = _Parser(text, place)
    expression = parser.whole()
    terms, height = measured(expression)
    if terms > MOST_TERMS:
        raise parser.error(0, f"this has {terms:,} names, constants and operators; at most {MOST_TERMS:,} are read")
    if height > LONGEST_CHAIN:
        raise parser.error(0, f"this has more than {LONGEST_CHAIN} operators in a row")
    return expression


def measured(expression: Expression) -> tuple[int, int]:
    """Count the terms of an expression, and how many of them are inside one another."""
    terms = height = 0
    waiting = [(expression, 1)]
    while waiting:
        term, depth = waiting.pop()
        terms, height = terms + 1, max(height, depth)
        inside = term.arguments if isinstance(term, Call) else term.items if isinstance(term, Items) else ()
        waiting += [(inner, depth + 1) for inner in inside]
    return terms, height


def written(expression: Expression) -> str:
    """Write an expression as text, cut where it is long, so that an error can name it."""
    return _cut(_written(expression, 4), 80)


def _written(expression: Expression, depth: int) -> str:
    if isinstance(expression, Const):
        return _cut(f"'{expression.value}'" if isinstance(expression.value, str) else str(expression.value), 30)
    if isinstance(expression, Name):
        return f"{expression.name}.{expression.field}" if expression.field else expression.name
    if not depth:
        return "…"
    if isinstance(expression, Items):
        return f"[{', '.join(_written(item, depth - 1) for item in expression.items[:9])}]"
    inside = [_written(argument, depth - 1) for argument in expression.arguments[:9]]
    if expression.function == "if":
        return f"{inside[0]} if {inside[1]} else {inside[2]}"
    if expression.function == "not":
        return f"not {inside[0]}"
    if (len(inside) == 2 and not expression.function[0].isalpha()) or expression.function in ("and", "or", "in"):
        return f"{inside[0]} {expression.function} {inside[1]}"
    return f"{expression.function}({', '.join(inside)})"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def names_in(expression: Expression) -> Iterator[Name]:
    """Yield every variable in an expression."""
    if isinstance(expression, Name):
        yield expression
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from names_in(argument)
    elif isinstance(expression, Items):
        for item in expression.items:
            yield from names_in(item)


def texts_in(expression: Expression) -> Iterator[str]:
    """Yield every constant text that an expression may evaluate to, but not those in comparisons."""
    if isinstance(expression, Const) and isinstance(expression.value, str):
        yield expression.value
    elif isinstance(expression, Call) and expression.function == "if":
        yield from texts_in(expression.arguments[0])
        yield from texts_in(expression.arguments[2])


class _Parser:
    """Parses by precedence: if, or, and, not, comparison, sum, product, sign, atom."""

    def __init__(self, text: str, place: Place) -> None:
        self.text, self.place = text, place
        self.tokens = list(self._scan())
        self.position = 0
        self.depth = 0

    def whole(self) -> Expression:
        expression = self.choice()
        rest = self.peek()
        if rest.kind != "end":
            raise self.error(rest.at, f"'{rest.text}' was not expected here")
        return expression

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST_BRACKETS:
            raise self.error(self.peek().at, f"this is nested more than {DEEPEST_BRACKETS} deep")

    def choice(self) -> Expression:
        self.deeper()
        value = self.either()
        token = self.peek()
        if token.text == "if" and token.kind == "word":
            self.next()
            condition = self.either()
            self.expect("else")
            value = Call("if", (value, condition, self.choice()), token.at)
        self.depth -= 1
        return value

    def either(self) -> Expression:
        return self.chain("or", self.both)

    def both(self) -> Expression:
        return self.chain("and", self.negation)

    def chain(self, word: str, deeper: object) -> Expression:
        assert callable(deeper)
        value: Expression = deeper()
        while self.peek().text == word and self.peek().kind == "word":
            at = self.next().at
            value = Call(word, (value, deeper()), at)
        return value

    def negation(self) -> Expression:
        token = self.peek()
        if token.text == "not" and token.kind == "word":
            self.next()
            self.deeper()
            negated = self.negation()
            self.depth -= 1
            return Call("not", (negated,), token.at)
        return self.comparison()

    def comparison(self) -> Expression:
        left = self.sum()
        token = self.peek()
        if token.text in _COMPARISONS and token.kind != "text":
            self.next()
            result: Expression = Call(token.text, (left, right := self.sum()), token.at)
            following = self.peek()
            if following.text in _COMPARISONS and following.kind != "text":  # A < B < C
                self.next()
                result = Call("and", (result, Call(following.text, (right, self.sum()), following.at)), following.at)
            return result
        if token.text == "not" and token.kind == "word":
            self.next()
            self.expect("in")
            return Call("not", (Call("in", (left, self.sum()), token.at),), token.at)
        return left

    def sum(self) -> Expression:
        value = self.product()
        while self.peek().text in ("+", "-") and self.peek().kind == "mark":
            token = self.next()
            value = Call(token.text, (value, self.product()), token.at)
        return value

    def product(self) -> Expression:
        value = self.sign()
        while self.peek().text in ("*", "//", "%") and self.peek().kind == "mark":
            token = self.next()
            value = Call(token.text, (value, self.sign()), token.at)
        return value

    def sign(self) -> Expression:
        token = self.peek()
        if token.text == "-" and token.kind == "mark":
            self.next()
            self.deeper()
            negated = self.sign()
            self.depth -= 1
            return Call("-", (Const(0, token.at), negated), token.at)
        return self.atom()

    def atom(self) -> Expression:
        token = self.next()
        if token.kind == "number":
            if len(token.text) > MOST_DIGITS:
                raise self.error(token.at, f"a number has {len(token.text):,} digits; at most {MOST_DIGITS} are read")
            return Const(int(token.text), token.at)
        if token.kind == "text":
            return Const(token.text[1:-1], token.at)
        if token.kind == "name":
            if self.peek().text == "(":
                self.next()
                return Call(token.text, self.listed(")"), token.at)
            name, _, field = token.text.partition(".")
            return Name(name, field, token.at)
        if token.text == "(":
            inside = self.choice()
            self.expect(")")
            return inside
        if token.text == "[":
            return Items(self.listed("]"), token.at)
        what = "the expression ends" if token.kind == "end" else f"'{token.text}' was found"
        raise self.error(token.at, f"{what} where a value was expected")

    def listed(self, closing: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        if self.peek().text == closing:
            self.next()
            return ()
        while True:
            items.append(self.choice())
            token = self.next()
            if token.text == closing:
                return tuple(items)
            if token.text != ",":
                raise self.error(token.at, f"expected ',' or '{closing}'")

    def expect(self, text: str) -> None:
        token = self.next()
        if token.text != text:
            raise self.error(token.at, f"expected '{text}'")

    def peek(self) -> _Token:
        return self.tokens[self.position]

    def next(self) -> _Token:
        token = self.tokens[self.position]
        self.position = min(self.position + 1, len(self.tokens) - 1)
        return token

    def error(self, at: int, problem: str) -> TemplateError:
        return TemplateError(self.place.moved(at), f"in '{self.text.strip()[:80]}': {problem}.")

    def _scan(self) -> Iterator[_Token]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                rest = len(self.text[at:]) - len(self.text[at:].lstrip())
                raise self.error(at + rest, f"'{self.text[at + rest]}' cannot be part of an expression")
            kind = str(match.lastgroup)
            word = match[kind]
            yield _Token("word" if kind == "name" and word in _WORDS else kind, word, match.start(kind))
            at = match.end()
        yield _Token("end", "", end)
