"""What comparisons say: places on a scale, with ties, and a standard above which somebody is simply *tall*."""

from __future__ import annotations

from tests.templates.oracle.counts import COUNT_GRAMMAR
from tests.templates.oracle.reading import Context, Grammar, Said
from tests.templates.oracle.worlds import Formula, Number, every, fact, none, number, variable

ORDER_GRAMMAR = Grammar()
says = ORDER_GRAMMAR.says

# Enough for four people, or for two of them and the standards of both ends of the scale.
_RANKS = tuple(range(5))
# Ages are counted in half-years, so that two people of five years need not be equally old.
_HALF_YEARS = tuple(range(2 * 130))
_FIELDS = {"text": 1, "comparative": 1, "superlative": 1, "opposite": -1, "opposite_comparative": -1}
_OTHER = ("other", "other_comparative")
_COMPARATIVES = ("comparative", "opposite_comparative", "other_comparative")


def rank(context: Context, person: str, word: str) -> Number:
    """Where a person is on the scale of a word; opposites are on one scale in opposite directions."""
    name, way = _scale(context, word)
    place = number(variable(("rank", name, person), _RANKS))
    return place if way > 0 else place.times(-1)


def _scale(context: Context, word: str) -> tuple[str, int]:
    for entry in context.entries:
        for field, way in _FIELDS.items():
            if entry.get(field) == word:
                return entry["text"], way
        if word in (entry.get(field) for field in _OTHER):
            return entry["other"], 1
    raise LookupError(f"'{word}' is no drawn adjective")


def _positive(context: Context, person: str, word: str) -> Formula:
    """Somebody is *tall* above a standard and *short* below another one, which is not above the first."""
    name, way = _scale(context, word)
    low, high = (number(variable(("standard", name, end), _RANKS)) for end in ("low", "high"))
    place = number(variable(("rank", name, person), _RANKS))
    return ~low.above(high) & (place.above(high) if way > 0 else place.below(low))


def _more(said: Said, one: str, word: str, other: str) -> Formula:
    return rank(said.context, one, said[word]).above(rank(said.context, other, said[word]))


def _most(said: Said, one: str, word: str, others: list[str]) -> Formula:
    return every(*(_more(said, one, word, other) for other in others if other != one))


def age(person: str) -> Number:
    """The age in half-years."""
    return number(variable(("age", person), _HALF_YEARS))


def years_old(person: str, years: int) -> Formula:
    """That somebody has had so many birthdays."""
    return ~age(person).below(2 * years) & age(person).below(2 * years + 2)


@says("{X} is {#n} years old and {Y} is {#m}( years old|).")
def _(said: Said) -> Formula:
    return years_old(said["X"], said.number("n")) & years_old(said["Y"], said.number("m"))


@says("{X} is {#n} years old.")
def _(said: Said) -> Formula:
    said.context.noted["person"] = said["X"]
    return years_old(said["X"], said.number("n"))


@says("{Y} is {#d} years older.")
def _(said: Said) -> Formula:
    return age(said["Y"]).equals(age(said.context.noted["person"]).plus(2 * said.number("d")))


@says("{X} is {#d} years older than {Y}, who is {#e} years older than {Z}.")
def _(said: Said) -> Formula:
    second = age(said["Y"]).equals(age(said["Z"]).plus(2 * said.number("e")))
    return second & age(said["X"]).equals(age(said["Y"]).plus(2 * said.number("d")))


@says("{X} is {#d} years older than {Y}.", "{X} is only {#d} years older than {Y}.")
def _(said: Said) -> Formula:
    return age(said["X"]).equals(age(said["Y"]).plus(2 * said.number("d")))


@says("{X} is older than {Y}.")
def _(said: Said) -> Formula:
    return _older(said, "X", "Y")


@says("{X} is younger than {Y}.")
def _(said: Said) -> Formula:
    return _older(said, "Y", "X")


def _older(said: Said, one: str, other: str) -> Formula:
    """Both as an age and, where *old* is the drawn adjective, as a scale."""
    if any("older" in entry.values() for entry in said.context.entries):
        return rank(said.context, said[one], "older").above(rank(said.context, said[other], "older"))
    return age(said[one]).above(age(said[other]))


@says("{X} is {c} than {Y}, but not {c} than {Z}.")
def _(said: Said) -> Formula:
    return _more(said, said["X"], "c", said["Y"]) & ~_more(said, said["X"], "c", said["Z"])


@says("{X} is {c} than {Y}, who is {c} than {Z}.")
def _(said: Said) -> Formula:
    return _more(said, said["X"], "c", said["Y"]) & _more(said, said["Y"], "c", said["Z"])


@says("{X} is {c} than {Y}, and {Z} is {c} than {W}.")
def _(said: Said) -> Formula:
    return _more(said, said["X"], "c", said["Y"]) & _more(said, said["Z"], "c", said["W"])


@says("{X} is {c} than both {Y} and {Z}.")
def _(said: Said) -> Formula:
    return _most(said, said["X"], "c", [said["Y"], said["Z"]])


@says("Both {X} and {Y} are {c} than {Z}.")
def _(said: Said) -> Formula:
    return _more(said, said["X"], "c", said["Z"]) & _more(said, said["Y"], "c", said["Z"])


@says("{X} is not {c} than {Y}.")
def _(said: Said) -> Formula:
    return ~_more(said, said["X"], "c", said["Y"])


@says("{X}, in turn, is {c} than {Y}.", "{X} is also {c} than {Y}.", "{X} is {c} than {Y}.")
def _(said: Said) -> Formula:
    return _more(said, said["X"], "c", said["Y"])


@says("There is a difference in how {g} {X} and {Y} are.")
def _(said: Said) -> Formula:
    return ~_equal(said)


@says("{X} and {Y} are equally {g}.", "{X} is exactly as {g} as {Y}.")
def _(said: Said) -> Formula:
    return _equal(said)


def _equal(said: Said) -> Formula:
    return rank(said.context, said["X"], said["g"]).equals(rank(said.context, said["Y"], said["g"]))


@says("{X} is not as {g} as {Y}.")
def _(said: Said) -> Formula:
    return _more(said, said["Y"], "g", said["X"])


@says("{X} is at most as {g} as {Y}.")
def _(said: Said) -> Formula:
    return ~_more(said, said["X"], "g", said["Y"])


@says("{X} is at least as {g} as {Y}.", "{X} is as {g} as {Y}.")
def _(said: Said) -> Formula:
    return ~_more(said, said["Y"], "g", said["X"])


@says("Among {names}, the {sup} is {X} and the second {sup} is {Y}.")
def _(said: Said) -> Formula:
    rest = [name for name in said.names("names") if name != said["X"]]
    return _most(said, said["X"], "sup", rest) & _most(said, said["Y"], "sup", rest)


@says("Among {names}, the {sup} is {X}.")
def _(said: Said) -> Formula:
    return _most(said, said["X"], "sup", said.names("names"))


@says("Of the three, {X} is the second {sup}.")
def _(said: Said) -> Formula:
    one, other = (name for name in said.context.people if name != said["X"])
    between = [(one, other), (other, one)]
    first, second = (_more(said, a, "sup", said["X"]) & _more(said, said["X"], "sup", b) for a, b in between)
    return first | second


@says("Of the three, {X} is the least {g}.")
def _(said: Said) -> Formula:
    return every(*(_more(said, name, "g", said["X"]) for name in said.context.people if name != said["X"]))


@says("Of the two, {X} is the {c}.")
def _(said: Said) -> Formula:
    return _most(said, said["X"], "c", said.context.people)


@says("Nobody on the committee is {c} than {X}.")
def _(said: Said) -> Formula:
    others = [name for name in said.context.everybody if name != said["X"]]
    return none(*(fact("member", name) & _more(said, name, "c", said["X"]) for name in others))


@says("{X} sits on the committee.")
def _(said: Said) -> Formula:
    return fact("member", said["X"])


ORDER_GRAMMAR.include(COUNT_GRAMMAR)


@says("{X} is {g}.")
def _(said: Said) -> Formula:
    """A comparative alone compares with whom was spoken of before: *Ana is tall. Ben is taller.*"""
    person, word = said["X"], said["g"]
    if any(entry.get(field) == word for entry in said.context.entries for field in _COMPARATIVES):
        return rank(said.context, person, word).above(rank(said.context, said.context.noted["person"], word))
    said.context.noted["person"] = person
    return _positive(said.context, person, word)
