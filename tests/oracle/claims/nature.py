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


@says("@ eats {f}.", "The diet of @ includes {f}.", "@ lives on {f}, among other things or alone.")
def _(said: Said) -> Truth:
    return has(said, DIET, said["f"])


@says(
    "@ eats neither {a} nor {b}.",
    "The diet of @ includes neither {a} nor {b}.",
    "The diet of @ includes no {a} and no {b}.",
)
def _(said: Said) -> Truth:
    return deny(any_of(said, DIET, said["a"], said["b"]))


@says("@ is both nocturnal and migratory.", "@ is a migratory animal that is active at night.")
def _(said: Said) -> Truth:
    return both(yes(said, NOCTURNAL), yes(said, MIGRATORY))


@says(
    "@ is nocturnal or migratory or both.",
    "At least one of two things is true of @: it is nocturnal, or it is migratory.",
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


@says("{p} described @ before {=y}.", "@ was described by {p}, and that was before {=y}.")
def _(said: Said) -> Truth:
    date = when(said, DESCRIBED)
    earlier = None if date is None else is_before(date, said.date("y"))
    return both(is_(said, ("described by",), said["p"]), earlier)


@says(
    "@ has more habitats than countries in its range.",
    "The range of @ has fewer countries than the animal has habitats.",
)
def _(said: Said) -> Truth:
    return more(size(said, ("habitat",)), size(said, ("range",)))


@says("@ does not live in {p}.", "{p} is not part of the range of @.", "@ is not found in {p}.")
def _(said: Said) -> Truth:
    return deny(has(said, ("range",), said.place("p")))


@says("One symptom of @ is {s}.", "The symptoms of @ include {s}.", "People with @ show {s} as a symptom.")
def _(said: Said) -> Truth:
    return has(said, SYMPTOMS, said["s"])


@says("The symptoms of @ include {a} or {b}.", "At least one of {a} and {b} is a symptom of @.")
def _(said: Said) -> Truth:
    return any_of(said, SYMPTOMS, said["a"], said["b"])


@says(
    "@ has more symptoms than treatments.",
    "The symptoms of @ outnumber its treatments.",
    "There are fewer treatments than symptoms of @.",
)
def _(said: Said) -> Truth:
    return more(size(said, SYMPTOMS), size(said, TREATMENT))


@says("@ is contagious.", "People can catch @ from each other.", "@ spreads by contagion.")
def _(said: Said) -> Truth:
    return yes(said, ("contagious",))


@says("All complications of @ are also symptoms of it.", "Every complication of @ is one of its symptoms, too.")
def _(said: Said) -> Truth:
    shared = common(said, ("complications",), SYMPTOMS)
    return None if shared is None else shared[0] == shared[1]


@says("@ has over {#n} more cases than deaths.", "The cases of @ exceed the deaths by more than {#n}.")
def _(said: Said) -> Truth:
    return more(minus(amount(said, ("frequency", "cases")), amount(said, ("deaths",))), said.number("n"))


@says(
    "@ was first described before {=y}.",
    "The first description of @ is from before {=y}.",
    "@ had already been described when {=y} began.",
)
def _(said: Said) -> Truth:
    date = when(said, DESCRIBED)
    return None if date is None else is_before(date, said.date("y"))


@says("@ falls under {s} and is treated with {t}.", "@, a matter of {s}, is treated with {t}.")
def _(said: Said) -> Truth:
    return both(is_(said, ("specialty", "speciality"), said["s"]), has(said, TREATMENT, said["t"]))


@says("@ comes from {p}.", "The place of origin of @ is {p}.", "{p} is where @ has its origin.")
def _(said: Said) -> Truth:
    return is_(said, ("place of origin", "country of origin"), said.place("p"))


@says(
    "The list of main ingredients of @ is without {g}.",
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
    "Of {a}, {b} and {g}, most are main ingredients of @.",
    "Most of these three are main ingredients of @: {a}, {b} and {g}.",
)
def _(said: Said) -> Truth:
    return most_of(said, INGREDIENTS, said["a"], said["b"], said["g"])


@says(
    "Preparing and cooking @ takes more than {!s} in all.",
    "It takes over {!s} to prepare and cook @.",
    "The preparation and the cooking of @ together last longer than {!s}.",
)
def _(said: Said) -> Truth:
    return more(plus(seconds(said, PREPARATION), seconds(said, COOKING)), said.seconds("s"))


@says(
    "Cooking @ takes longer than preparing it.",
    "The cooking time of @ is longer than its preparation time.",
    "More time is needed for cooking @ than for preparing it.",
)
def _(said: Said) -> Truth:
    return more(seconds(said, COOKING), seconds(said, PREPARATION))


@says("@ is served hot.", "People serve @ hot.", "@ is a food that is served hot.")
def _(said: Said) -> Truth:
    return yes(said, ("served hot",))


@says("@ is not served hot.", "People do not serve @ hot.", "@ is a food that is not served hot.")
def _(said: Said) -> Truth:
    return deny(yes(said, ("served hot",)))


@says("@ is {c} with less than {#n} kilocalories.", "@ has less than {#n} kilocalories and is eaten as {c}.")
def _(said: Said) -> Truth:
    return both(more(said.number("n"), amount(said, ENERGY)), is_(said, ("course",), said.bare("c")))
