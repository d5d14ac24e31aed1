"""What sentences about kinds of animals, diseases and dishes claim."""

from __future__ import annotations

from tests.oracle.readings import (
    Truth,
    amount,
    any_of,
    both,
    common,
    deny,
    either,
    has,
    is_,
    minus,
    more,
    most_of,
    plus,
    seconds,
    size,
    when,
    yes,
)  # fmt: skip
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import is_before

NATURE = Sayings()
says = NATURE.says

INGREDIENTS = ("main ingredients", "ingredients")
SYMPTOMS = ("symptoms",)
TREATMENT = ("treatment",)
DESCRIBED = ("first described",)
DIET = ("diet",)
NOCTURNAL, MIGRATORY = ("nocturnal",), ("migratory",)
PREPARATION, COOKING = ("preparation time",), ("cooking time",)
ENERGY = ("food energy", "energy")


@says("@ eats {f}.", "The diet of @ includes {f}.", "@ feeds on {f}.")
def _(said: Said) -> Truth:
    return has(said, DIET, said["f"])


@says(
    "@ eats neither {a} nor {b}.",
    "The diet of @ includes neither {a} nor {b}.",
    "@ feeds on neither {a} nor {b}.",
)
def _(said: Said) -> Truth:
    return deny(any_of(said, DIET, said["a"], said["b"]))


@says("@ is both nocturnal and migratory.", "@ is a migratory animal that is active at night.")
def _(said: Said) -> Truth:
    return both(yes(said, NOCTURNAL), yes(said, MIGRATORY))


@says(
    "@ is nocturnal or migratory, or both.",
    "@ is active at night, or it is a migratory animal, or both.",
)
def _(said: Said) -> Truth:
    return either(yes(said, NOCTURNAL), yes(said, MIGRATORY))


@says(
    "@ weighs more than {#n} (kilogram|kilograms).",
    "The weight of @ is over {#n} (kilogram|kilograms).",
    "@ is heavier than {#n} (kilogram|kilograms).",
)
def _(said: Said) -> Truth:
    return more(amount(said, ("weight",)), said.number("n"))


@says("{p} described @ before {=y}.", "@ was described before {=y} by {p}.")
def _(said: Said) -> Truth:
    date = when(said, DESCRIBED)
    earlier = None if date is None else is_before(date, said.date("y"))
    return both(is_(said, ("described by",), said["p"]), earlier)


@says(
    "@ has more habitats than countries in its range.",
    "@ has fewer countries in its range than habitats.",
)
def _(said: Said) -> Truth:
    return more(size(said, ("habitat",)), size(said, ("range",)))


@says("@ does not live in {p}.", "{p} is not part of the range of @.", "@ is not found in {p}.")
def _(said: Said) -> Truth:
    return deny(has(said, ("range",), said.place("p")))


@says("One symptom of @ is {s}.", "The symptoms of @ include {s}.", "@ has {s} among its symptoms.")
def _(said: Said) -> Truth:
    return has(said, SYMPTOMS, said["s"])


@says("The symptoms of @ include {a}, {b} or both.", "@ has {a} or {b} among its symptoms.")
def _(said: Said) -> Truth:
    return any_of(said, SYMPTOMS, said["a"], said["b"])


@says(
    "@ has more symptoms than treatments.",
    "The symptoms of @ outnumber its treatments.",
    "@ has fewer treatments than symptoms.",
)
def _(said: Said) -> Truth:
    return more(size(said, SYMPTOMS), size(said, TREATMENT))


@says("@ is contagious.", "People can catch @ from each other.", "@ can spread from person to person.")
def _(said: Said) -> Truth:
    return yes(said, ("contagious",))


@says(
    "Everything that is used to prevent @ is also used to treat it.",
    "All means of preventing @ are among its treatments.",
    "Every measure that prevents @ is also a treatment for it.",
)
def _(said: Said) -> Truth:
    shared = common(said, ("prevention",), TREATMENT)
    return None if shared is None else shared[0] == shared[1]


@says(
    "@ has over {#n} more cases than deaths.",
    "The number of cases of @ exceeds the number of deaths by more than {#n}.",
)
def _(said: Said) -> Truth:
    return more(minus(amount(said, ("frequency", "cases")), amount(said, ("deaths",))), said.number("n"))


@says(
    "@ was first described before {=y}.",
    "The first description of @ dates from before {=y}.",
    "@ had already been described by the start of {=y}.",
)
def _(said: Said) -> Truth:
    date = when(said, DESCRIBED)
    return None if date is None else is_before(date, said.date("y"))


@says(
    "@ falls under the specialty of {s} and is treated with {t}.",
    "@, a condition in the field of {s}, is treated with {t}.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("specialty", "speciality"), said["s"]), has(said, TREATMENT, said["t"]))


@says("@ comes from {p}.", "The place of origin of @ is {p}.", "@ originated in {p}.")
def _(said: Said) -> Truth:
    return is_(said, ("place of origin", "country of origin"), said.place("p"))


@says(
    "@ does not contain {g} as a main ingredient.",
    "The main ingredients of @ do not include {g}.",
    "@ is made without {g} as a main ingredient.",
)
def _(said: Said) -> Truth:
    return deny(has(said, INGREDIENTS, said["g"]))


@says(
    "@ is made with {a} and {b} as main ingredients.",
    "Both {a} and {b} are main ingredients of @.",
    "The main ingredients of @ include {a} and {b}.",
)
def _(said: Said) -> Truth:
    return has(said, INGREDIENTS, said["a"], said["b"])


@says(
    "Most of the following are main ingredients of @: {a}, {b} and {g}.",
    "The main ingredients of @ include most of the following: {a}, {b} and {g}.",
)
def _(said: Said) -> Truth:
    return most_of(said, INGREDIENTS, said["a"], said["b"], said["g"])


@says(
    "Preparing and cooking @ takes more than {!s} in all.",
    "It takes over {!s} to prepare and cook @.",
    "The preparation time and the cooking time of @ add up to more than {!s}.",
)
def _(said: Said) -> Truth:
    return more(plus(seconds(said, PREPARATION), seconds(said, COOKING)), said.seconds("s"))


@says(
    "Cooking @ takes longer than preparing it.",
    "The cooking time of @ is longer than its preparation time.",
    "It takes more time to cook @ than to prepare it.",
)
def _(said: Said) -> Truth:
    return more(seconds(said, COOKING), seconds(said, PREPARATION))


@says("@ is served hot.", "@ is served as a hot dish.", "@ is a dish that is served hot.")
def _(said: Said) -> Truth:
    return yes(said, ("served hot",))


@says("@ is not served hot.", "@ is not served as a hot dish.", "@ is a dish that is not served hot.")
def _(said: Said) -> Truth:
    return deny(yes(said, ("served hot",)))


@says("@ is {c} with fewer than {#n} kilocalories.", "@ contains fewer than {#n} kilocalories and is served as {c}.")
def _(said: Said) -> Truth:
    return both(more(said.number("n"), amount(said, ENERGY)), is_(said, ("course",), said.bare("c")))
