"""What sentences about kin and other relations say: who is whose parent, sibling, teacher, friend."""

from __future__ import annotations

import itertools

from tests.templates.oracle.reading import Context, Grammar, Said
from tests.templates.oracle.worlds import TRUE, Formula, Number, Variable, every, fact, has, none, number, variable

FAMILY_GRAMMAR = Grammar()
says = FAMILY_GRAMMAR.says

# A role is a relation, read from the holder to the other or back, and sometimes the gender of its holder.
_ROLES: dict[str, tuple[str, str, str]] = {
    "parent": ("parent", "to", ""),
    "mother": ("parent", "to", "f"),
    "father": ("parent", "to", "m"),
    "child": ("parent", "from", ""),
    "son": ("parent", "from", "m"),
    "daughter": ("parent", "from", "f"),
    "grandparent": ("grandparent", "to", ""),
    "grandmother": ("grandparent", "to", "f"),
    "grandfather": ("grandparent", "to", "m"),
    "grandchild": ("grandparent", "from", ""),
    "great-grandparent": ("great-grandparent", "to", ""),
    "great-grandchild": ("great-grandparent", "from", ""),
    "ancestor": ("ancestor", "to", ""),
    "descendant": ("ancestor", "from", ""),
    "older brother": ("older sibling", "to", "m"),
    "older sister": ("older sibling", "to", "f"),
    "younger sibling": ("older sibling", "from", ""),
    "uncle": ("parent's sibling", "to", "m"),
    "aunt": ("parent's sibling", "to", "f"),
    "nephew": ("parent's sibling", "from", "m"),
    "niece": ("parent's sibling", "from", "f"),
    "godparent": ("godparent", "to", ""),
    "godchild": ("godparent", "from", ""),
    "teacher": ("teacher", "to", ""),
    "pupil": ("teacher", "from", ""),
    "employer": ("employer", "to", ""),
    "employee": ("employer", "from", ""),
    "landlord": ("landlord", "to", ""),
    "tenant": ("landlord", "from", ""),
    "lawyer": ("lawyer", "to", ""),
    "client": ("lawyer", "from", ""),
    "doctor": ("doctor", "to", ""),
    "patient": ("doctor", "from", ""),
    "host": ("host", "to", ""),
    "guest": ("host", "from", ""),
}
_BROTHERS = {"brother": "m", "sister": "f"}
_GENERATIONS = {"parent": 1, "grandparent": 2, "great-grandparent": 3, "older sibling": 0}
_SPAN, _BIRTHS = tuple(range(5)), tuple(range(7))


def related(one: str, role: str, other: str) -> Formula:
    """That one is the other's so-and-so; a role that is not in the list is mutual."""
    if role in _BROTHERS:
        return _mutual("sibling", one, other) & has(gender(one), _BROTHERS[role])
    if role not in _ROLES:
        return _mutual(role, one, other)
    relation, direction, sex = _ROLES[role]
    tie = fact("tie", relation, *((one, other) if direction == "to" else (other, one)))
    return tie & has(gender(one), sex) if sex else tie


def gender(person: str) -> Variable:
    """Whether somebody is a man or a woman."""
    return variable(("gender", person), ("m", "f"))


def _mutual(relation: str, one: str, other: str) -> Formula:
    return fact("mutual", relation, *sorted((one, other)))


def _generation(person: str) -> Number:
    return number(variable(("generation", person), _SPAN))


def _born(person: str) -> Number:
    return number(variable(("born", person), _BIRTHS))


def family_background(said: Formula) -> Formula:
    """Parents are a generation before their children and born before them; a parent's parent is a grandparent, …"""
    ties = [one.about[1:] for one in said.variables if one.about[0] == "tie"]
    siblings = [one.about[2:] for one in said.variables if one.about[:2] == ("mutual", "sibling")]
    people = list(dict.fromkeys(name for pair in [*(tie[1:] for tie in ties), *siblings] for name in pair))
    single = [_consequences(*tie) for tie in ties]
    same = [_mutual("sibling", *pair).implies(_generation(pair[0]).equals(_generation(pair[1]))) for pair in siblings]
    return every(*single, *same, *(_composed(*three) for three in itertools.permutations(people, 3)))


def _consequences(relation: str, one: str, other: str) -> Formula:
    """What follows from one tie: *tie* may be any, but only kin have generations."""
    tie = fact("tie", relation, one, other)
    earlier = tie.implies(_born(one).below(_born(other)))
    if relation == "ancestor":
        return earlier & tie.implies(_generation(one).below(_generation(other)))
    if relation not in _GENERATIONS:
        return TRUE
    step = _generation(other).equals(_generation(one).plus(_GENERATIONS[relation]))
    sibling = tie.implies(_mutual("sibling", one, other)) if relation == "older sibling" else TRUE
    return earlier & tie.implies(step) & sibling


def _composed(one: str, two: str, three: str) -> Formula:
    parent, ancestor = (fact("tie", kind, one, two) & fact("tie", kind, two, three) for kind in ("parent", "ancestor"))
    aunt = _mutual("sibling", one, two) & fact("tie", "parent", two, three)
    return every(
        parent.implies(fact("tie", "grandparent", one, three)),
        ancestor.implies(fact("tie", "ancestor", one, three)),
        aunt.implies(fact("tie", "parent's sibling", one, three)),
    )


def named_genders(context: Context) -> Formula:
    """The names of the library are names of men or of women."""
    known = ((entry["text"], entry["gender"]) for entry in context.entries if entry["text"] in context.people)
    return every(*(has(gender(name), sex) for name, sex in known))


@says("{X} is {Y}'s {r}, and {Z} is {W}'s {q}.")
def _(said: Said) -> Formula:
    return related(said["X"], said["r"], said["Y"]) & related(said["Z"], said["q"], said["W"])


@says("{X} is not {Y}'s {r}.")
def _(said: Said) -> Formula:
    return ~related(said["X"], said["r"], said["Y"])


@says("{X} is {Y}'s {r}.")
def _(said: Said) -> Formula:
    return related(said["X"], said["r"], said["Y"])


@says("{X} and {Y} are siblings.")
def _(said: Said) -> Formula:
    return _mutual("sibling", said["X"], said["Y"])


@says("{X} and {Y} are (twins|the same age).")
def _(said: Said) -> Formula:
    return _born(said["X"]).equals(_born(said["Y"]))


@says("{X} is an only child.")
def _(said: Said) -> Formula:
    others = [name for name in said.context.people if name != said["X"]]
    return none(*(_mutual("sibling", said["X"], name) for name in others))


@says("{X} is (a|an) {r} of {Y}, and {Z} is (a|an) {r} of {W}.")
def _(said: Said) -> Formula:
    return related(said["X"], said["r"], said["Y"]) & related(said["Z"], said["r"], said["W"])


@says("{X} is (a|an) {r} of {Y}.")
def _(said: Said) -> Formula:
    return related(said["X"], said["r"], said["Y"])


@says("{X} went to the {p} with someone (he|she) knew.")
def _(said: Said) -> Formula:
    return ~has(_company(said["X"]), "stranger")


@says("{X} went to the {p} with a complete stranger.")
def _(said: Said) -> Formula:
    return has(_company(said["X"]), "stranger")


@says("{X} went to the {p} with (his|her) {r}.")
def _(said: Said) -> Formula:
    return has(_company(said["X"]), "relative")


@says("{X} went to the {p} with {Y}.")
def _(said: Said) -> Formula:
    return TRUE


def _company(person: str) -> Variable:
    return variable(("company", person), ("relative", "acquaintance", "stranger"))


@says("{X} {same} {Y}, and {Y} {same} {Z}.")
def _(said: Said) -> Formula:
    """Being the same in some respect: having the same value."""
    one, two, three = (number(variable((said["same"], said[who]), _SPAN)) for who in "XYZ")
    return one.equals(two) & two.equals(three)


@says(r"{X} (?P<same>[^.]*\b(same|exactly as)\b[^.]*) {Y}.")
def _(said: Said) -> Formula:
    one, two = (number(variable((said["same"], said[who]), _SPAN)) for who in "XY")
    return one.equals(two)


@says("{X} {v} {Y}.")
def _(said: Said) -> Formula:
    return fact("towards", said["v"], said["X"], said["Y"])
