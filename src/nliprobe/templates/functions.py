"""The functions of the template language, which work on whole columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nliprobe.language import english
from nliprobe.templates.columns import Column, Entries, as_texts, mapped, texts_of
from nliprobe.templates.numbers import ValueProblem, extreme, magnitude, numeric


@dataclass(frozen=True)
class Function:
    """A function on columns, and how many arguments it takes; ``most`` is None for any number."""

    apply: Callable[..., Column]
    least: int = 1
    most: int | None = 1


def _texts(function: Callable[[str], str]) -> Function:
    # An entry that lacks a word lacks its forms, too: it is left out, not written as "a ".
    def of_word(text: str) -> str:
        return function(text) if text else ""

    return Function(lambda column: mapped(column, of_word))


def _of_number(function: Callable[[int], str], what: str) -> Function:
    def apply(column: Column) -> Column:
        return texts_of([function(value) for value in numeric(column, what).tolist()])

    return Function(apply)


def _plural(column: Column) -> Column:
    if isinstance(column, Entries) and "plural" in column.lexicon.fields:
        return column.field("plural")
    return mapped(column, _plural_by_rule)


def _plural_by_rule(noun: str) -> str:
    return english.plural(noun) if noun else ""


def _pronoun(form: int) -> Function:
    def pronoun(gender: str) -> str:
        return english.pronoun(gender, form)

    def apply(column: Column) -> Column:
        if not isinstance(column, Entries) or "gender" not in column.lexicon.fields:
            raise ValueProblem("a pronoun needs a name of a lexicon with a field 'gender'")
        try:
            return column.mapped(pronoun, "gender")
        except KeyError as error:
            raise ValueProblem(f"a pronoun needs the gender f or m, but {column.lexicon.name} has {error}") from None

    return Function(apply)


def _agree(number: Column, one: Column, many: Column) -> Column:
    import numpy as np

    return np.where(numeric(number, "agree") == 1, as_texts(one), as_texts(many)).astype(object)


def _joined(word: str) -> Function:
    def apply(*columns: Column) -> Column:
        rows = zip(*(as_texts(column).tolist() for column in columns), strict=True)
        return texts_of([english.joined(row, word) for row in rows])

    return Function(apply, 1, None)


def _turn(direction: Column, turn: Column) -> Column:
    pairs = list(zip(as_texts(direction).tolist(), as_texts(turn).tolist(), strict=True))
    try:
        known = {pair: english.turned(*pair) for pair in set(pairs)}
        return texts_of([known[pair] for pair in pairs])
    except (ValueError, KeyError) as error:
        raise ValueProblem(f"turn needs a compass direction and left, right or back, not {error}") from None


def _opposite(direction: Column) -> Column:
    return _turn(direction, texts_of(["back"] * len(as_texts(direction))))


def _month(number: int) -> str:
    return english.MONTHS[(number - 1) % 12]


def _least(*columns: Column) -> Column:
    return extreme([numeric(column, "min") for column in columns], largest=False)


def _greatest(*columns: Column) -> Column:
    return extreme([numeric(column, "max") for column in columns], largest=True)


def _length(column: Column) -> Column:
    import numpy as np

    return np.array([len(value) for value in as_texts(column).tolist()], dtype=np.int64)


def _related(relation: str) -> Function:
    def first(word: str) -> str:
        from nliprobe.language import wordnet

        words: tuple[str, ...] = getattr(wordnet, relation)(word)
        # A word without such a relation is not drawn, because sampling leaves out empty texts.
        return words[0] if words else ""

    return Function(lambda column: mapped(column, first))


FUNCTIONS: Mapping[str, Function] = {
    "a": _texts(english.with_article),
    "cap": _texts(english.capital),
    "plural": Function(_plural),
    "words": _of_number(english.number_words, "words"),
    "ordinal": _of_number(english.ordinal, "ordinal"),
    "agree": Function(_agree, 3, 3),
    "he": _pronoun(0),
    "him": _pronoun(1),
    "his": _pronoun(2),
    "himself": _pronoun(3),
    "join": _joined("and"),
    "join_or": _joined("or"),
    "clock": _of_number(english.clock, "clock"),
    "turn": Function(_turn, 2, 2),
    "opposite": Function(_opposite),
    "month": _of_number(_month, "month"),
    "len": Function(_length),
    "min": Function(_least, 1, None),
    "max": Function(_greatest, 1, None),
    "abs": Function(lambda column: magnitude(numeric(column, "abs"))),
    "synonym": _related("synonyms"),
    "antonym": _related("antonyms"),
    "hypernym": _related("hypernyms"),
}
