"""What sentences about people, musicians, horses, kinds of animals, diseases and dishes claim."""

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
    same,
    size,
    stretch,
    times,
    when,
)  # fmt: skip
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import complete_years, has_ended_before, has_part_in, is_after, is_before, is_within

LIVES = Sayings()
says = LIVES.says

BORN, DIED = ("born",), ("died",)
ACTIVE = ("years active",)
OCCUPATION = ("occupation", "occupations", "occupation(s)")
AWARDS = ("awards",)
GENRES = ("genres", "genre")
LABELS = ("labels", "label")
INGREDIENTS = ("main ingredients", "ingredients")
SYMPTOMS = ("symptoms",)
DESCRIBED = ("first described",)
DIET = ("diet",)
PREPARATION, COOKING = ("preparation time",), ("cooking time",)


@says("@ was born before {=y}.", "@ came into the world before {=y}.", "@ had already been born by the start of {=y}.")
def _(said: Said) -> Truth:
    date = when(said, BORN)
    return None if date is None else is_before(date, said.date("y"))


@says("@ was born on {=d}.", "The date of birth of @ is {=d}.", "@ came into the world on {=d}.")
def _(said: Said) -> Truth:
    date = when(said, BORN)
    return None if date is None else is_within(date, said.date("d"))


@says(
    "The age of @ at death was greater than {#n}.",
    "@ lived to be older than {#n}.",
    "At the time of death, @ was more than {#n} years old.",
)
def _(said: Said) -> Truth:
    born, died = when(said, BORN), when(said, DIED)
    if born is None or died is None:
        return None
    fewest, most = complete_years(born, died)
    return True if fewest > said.number("n") else False if most <= said.number("n") else None


@says("@ died at the age of {#n}.", "@ was {#n} years old at the time of death.", "The age of @ at death was {#n}.")
def _(said: Said) -> Truth:
    born, died = when(said, BORN), when(said, DIED)
    if born is None or died is None:
        return None
    fewest, most = complete_years(born, died)
    if not fewest <= said.number("n") <= most:
        return False
    return True if fewest == most else None


@says("@ was active in {=y}.", "The career of @ was under way in {=y}.", "The active years of @ include {=y}.")
def _(said: Said) -> Truth:
    active = stretch(said, ACTIVE)
    return None if active is None else has_part_in(active, said.date("y"))


@says("@ was active for more than {#n} (year|years).", "The career of @ lasted longer than {#n} (year|years).")
def _(said: Said) -> Truth:
    active = stretch(said, ACTIVE)
    if active is None or active.end is None:
        return None
    return more(minus(active.end.year, active.begin.year), said.number("n"))


@says("@ worked as {o}.", "@ was (a|an) {o}.", "@ was {o} by occupation.")
def _(said: Said) -> Truth:
    return has(said, OCCUPATION, said.bare("o"))


@says("@ was not {o}.", "@ did not work as {o}.", "@ never worked as {o}.")
def _(said: Said) -> Truth:
    return deny(has(said, OCCUPATION, said.bare("o")))


@says(
    "@ had {#k} (child|children).",
    "The number of children of @ was {#k}.",
    "@ had exactly {#k} (child|children).",
)
def _(said: Said) -> Truth:
    return same(amount(said, ("children",)), said.number("k"))


@says("@ received more than {#k} (award|awards).", "More than {#k} (award|awards) went to @.")
def _(said: Said) -> Truth:
    return more(size(said, AWARDS), said.number("k"))


@says("@ received fewer than {#k} awards.", "Fewer than {#k} awards went to @.")
def _(said: Said) -> Truth:
    return more(said.number("k"), size(said, AWARDS))


@says(
    "@ received neither the {a} nor the {b}.",
    "Neither the {a} nor the {b} went to @.",
    "@ won neither the {a} nor the {b}.",
)
def _(said: Said) -> Truth:
    return deny(any_of(said, AWARDS, said["a"], said["b"]))


@says(
    "@ attended {u} and lived in {p}.",
    "@, who studied at {u}, resided in {p}.",
    "@ was a student at {u} and a resident of {p}.",
)
def _(said: Said) -> Truth:
    return both(has(said, ("alma mater", "education"), said["u"]), is_(said, ("residence",), said.place("p")))


@says(
    "The instruments of @ include {i}.",
    "One of the instruments of @ is {i}.",
    "@ performed on {i}.",
)
def _(said: Said) -> Truth:
    return has(said, ("instruments", "instrument(s)"), said.place("i"))


@says(
    "The genres of @ include both {a} and {b}.",
    "@ made music in the genres of {a} and {b}.",
    "Both {a} and {b} are genres of @.",
)
def _(said: Said) -> Truth:
    return has(said, GENRES, said["a"], said["b"])


@says(
    "{a} or {b} is a genre of @.",
    "The genres of @ include {a}, {b} or both.",
    "The music of @ includes {a} or {b}, or both.",
)
def _(said: Said) -> Truth:
    return any_of(said, GENRES, said["a"], said["b"])


@says(
    "Most of the following are genres of @: {a}, {b} and {g}.",
    "The genres of @ include most of the following: {a}, {b} and {g}.",
)
def _(said: Said) -> Truth:
    return most_of(said, GENRES, said["a"], said["b"], said["g"])


@says(
    "@ released music on neither {a} nor {b}.",
    "Neither {a} nor {b} is a label of @.",
    "The labels of @ include neither {a} nor {b}.",
)
def _(said: Said) -> Truth:
    return deny(any_of(said, LABELS, said["a"], said["b"]))


@says(
    "The career of @ began after {=y}.", "@ started making music after {=y}.", "@ was not yet active in {=y}."
)  # fmt: skip
def _(said: Said) -> Truth:
    active = stretch(said, ACTIVE)
    return None if active is None else is_after(active.begin, said.date("y"))


@says(
    "The career of @ ended before {=y}.",
    "@ stopped making music before {=y}.",
    "@ had given up music by the start of {=y}.",
)
def _(said: Said) -> Truth:
    active = stretch(said, ACTIVE)
    return None if active is None else has_ended_before(active, said.date("y"))


@says(
    "@ is associated with the act {a} or with the label {l}, or with both.",
    "@ has links to the act {a}, to the label {l}, or to both.",
)
def _(said: Said) -> Truth:
    return either(has(said, ("associated acts",), said["a"]), has(said, LABELS, said["l"]))


@says(
    "{a} is the sire of @, and {b} is the dam.",
    "The sire and the dam of @ are {a} and {b}, respectively.",
    "@ has {a} as its father and {b} as its mother.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("sire",), said["a"]), is_(said, ("dam",), said["b"]))


@says("@ was foaled in {=y}.", "The birth year of @ is {=y}.", "@ was born in {=y}.")
def _(said: Said) -> Truth:
    date = when(said, ("foaled", "born"))
    return None if date is None else is_within(date, said.date("y"))


@says(
    "@ had over {#n} more starts than wins.", "In more than {#n} of its starts, @ did not win."
)  # fmt: skip
def _(said: Said) -> Truth:
    return more(minus(amount(said, ("starts",)), amount(said, ("wins",))), said.number("n"))


@says("@ won more than half of its starts.", "@ won more often than not.", "@ won most of its starts.")
def _(said: Said) -> Truth:
    return more(times(2, amount(said, ("wins",))), amount(said, ("starts",)))


@says(
    "Everyone who bred @ also owned it.",
    "All of the breeders of @ were among its owners.",
    "Each breeder of @ was also one of its owners.",
)
def _(said: Said) -> Truth:
    shared = common(said, ("breeder",), ("owner",))
    return None if shared is None else shared[0] == shared[1]


@says(
    "@ is {k} or comes from {p}, or both.",
    "The colour of @ is {k}, or its country is {p}, or both.",
)
def _(said: Said) -> Truth:
    return either(is_(said, ("colour", "color"), said["k"]), is_(said, ("country",), said.place("p")))


@says("@ earned more than {$m}.", "The earnings of @ are above {$m}.", "@ has over {$m} in earnings.")
def _(said: Said) -> Truth:
    return more(amount(said, ("earnings",)), said.sum("m"))
