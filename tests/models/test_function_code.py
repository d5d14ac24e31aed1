"""Functions in memory: another function, or the same with other values, is another model."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType

import pytest

from nliprobe.models._function_code import code_digest

Function = Callable[..., object]


def typed(source: str, name: str = "f") -> str:
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile(source, "<cell>", "exec"), names)
    function = names[name]
    assert isinstance(function, FunctionType)
    return code_digest(function)


def enclosing(threshold: float) -> Function:
    return lambda premises, hypotheses: [threshold for _ in premises]


def counting() -> Function:
    calls = 0

    def f(premises: list[str], hypotheses: list[str]) -> list[str]:
        nonlocal calls
        calls += 1
        return ["E"] * len(premises)

    return f


def scored(premises: list[str], hypotheses: list[str], bound: float = 0.5) -> list[float]:
    return [bound for _ in premises]


def test_values_that_a_function_carries_count() -> None:
    assert code_digest(enclosing(0.5)) == code_digest(enclosing(0.5)) != code_digest(enclosing(0.6))
    partials: list[Function] = [functools.partial(scored, bound=0.1), functools.partial(scored, bound=0.2), scored]
    assert len({code_digest(function) for function in partials}) == 3
    assert code_digest(functools.partial(scored, bound=0.1)) == code_digest(functools.partial(scored, bound=0.1))


def test_a_counter_does_not_make_another_function() -> None:
    function = counting()
    before = code_digest(function)
    function(["a"], ["b"])
    assert code_digest(function) == before
    source = "n = 0\ndef f(p, h):\n    global n\n    n += 1\n    return ['E' for _ in p]\n"
    assert typed(source) == typed(source.replace("n = 0", "n = 7", 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'E'", "'C'"),
        ("BOUND = 3", "BOUND = 4"),
        ("return len(text)", "return 2 * len(text)"),
        ("word = 'not'", "word = 'no'"),
    ],
)
def test_what_a_function_of_a_notebook_names_counts(old: str, new: str) -> None:
    source = (
        "BOUND = 3\n"
        "class Words:\n    word = 'not'\n    def find(self, text):\n        return self.word in text\n"
        "def size(text):\n    return len(text)\n"
        "def other(p):\n    return 1\n"
        "def f(p, h):\n    return ['E' if size(h[0]) > BOUND and Words().find(h[0]) else 'N' for _ in p]\n"
    )
    assert typed(source) == typed(source)
    assert typed(source) == typed(source.replace("return 1", "return 2")), "what it does not name does not count"
    assert typed(source) != typed(source.replace(old, new))


def test_the_class_of_an_object_that_a_function_names_counts() -> None:
    source = (
        "class Words:\n    def find(self, text):\n        return 'not' in text\n"
        "words = Words()\n"
        "def f(p, h):\n    return ['E' if words.find(text) else 'N' for text in h]\n"
    )
    assert typed(source) == typed(source) != typed(source.replace("'not'", "'no'"))
