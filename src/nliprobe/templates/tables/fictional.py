"""Fictional names: persons, places, works and others that exist nowhere, and the plain terms beside them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from random import Random
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.seeds import below
from nliprobe.base.yaml_files import read_yaml

_PART = re.compile(r"\{(\w+)\}")


class Pattern(NamedTuple):
    """A name with places for words: ``{given} {surname}``.

    Attributes:
        texts: what stands before, between and after the words; one more than words.
        words: for every place the words to choose from.
    """

    texts: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


def stock_name(name: str, random: Random) -> str:
    """Return a name or term of the stock, such as a person for ``PERSON``.

    >>> stock_name("FORMAT", Random(1)) in {"hardcover", "paperback", "e-book", "audiobook"}
    True
    """
    patterns = _patterns().get(name)
    if patterns is None:
        raise NotFoundError(f"There are no names {name}. {did_you_mean(name, stock_names())}")
    texts, words = patterns[below(len(patterns), random)]
    made = texts[0]
    for place, stock in enumerate(words, 1):
        made += stock[below(len(stock), random)] + texts[place]
    return made


@cache
def stock_names() -> tuple[str, ...]:
    """Return the names of all that can be chosen, such as PERSON and GENRE."""
    return tuple(name for name in _patterns() if name.isupper())


def is_stock(name: str) -> bool:
    """Tell whether something can be chosen by a name; much faster than looking through all names."""
    return name in _patterns() and name.isupper()


def names_of(name: str) -> int:
    """Return how many different names or terms there are of a kind."""
    total = 0
    for _, words in _patterns()[name]:
        size = 1
        for stock in words:
            size *= len(stock)
        total += size
    return total


def is_invented(name: str) -> bool:
    """Say whether every name of a kind holds an invented word, so that none of them exists."""
    return all(words for _, words in _patterns()[name])


@cache
def invented_words(kind: str) -> tuple[str, ...]:
    """Return the invented words of a kind: given, surname, place, country, tongue, coined or taxon."""
    text = (resources.files("nliprobe.templates.tables.stock") / f"{kind}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def word_kinds() -> tuple[str, ...]:
    """Return the kinds of invented words."""
    folder = resources.files("nliprobe.templates.tables.stock")
    return tuple(sorted(item.name.removesuffix(".txt") for item in folder.iterdir() if item.name.endswith(".txt")))


@cache
def _patterns() -> dict[str, tuple[Pattern, ...]]:
    with resources.as_file(resources.files("nliprobe.templates.tables.stock") / "names.yaml") as path:
        content = read_yaml(path)
    if not isinstance(content, dict):
        raise DataError("names.yaml should map names to lists of patterns.")
    lists = {str(name): tuple(map(str, entries)) for name, entries in content.items()}
    return {name: tuple([_pattern(entry, lists) for entry in entries]) for name, entries in lists.items()}


def _pattern(text: str, lists: dict[str, tuple[str, ...]]) -> Pattern:
    pieces = _PART.split(text)
    words = [lists[kind] if kind in lists else invented_words(kind) for kind in pieces[1::2]]
    return Pattern(tuple(pieces[::2]), tuple(words))
