"""Forms of verbs that statements are made with, and their base forms: *released* is the past of *release*.

The table is of our own, so that what a sentence becomes does not depend on which WordNet is installed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_REGULAR = """
accept achieve act add adopt air allow announce answer appear appoint arrive ask assist assume attack attend attract
average bake base battle behave believe belong breathe call carry cause celebrate chair change claim climb close
collaborate collapse combine command commit compete complete compose comprise conduct connect conquer consist contain
contribute continue convert cook cover create cross cycle dance date deal debut declare decline dedicate defeat defend
define deliver depict descend describe design destroy develop die direct disappear disband discover distribute divorce
donate drop earn edit educate elect emerge emigrate employ end enjoy enter establish exceed exist expand expire explore
export fail farm father feature film finish focus follow form found gain govern graduate gross guide hail happen help
host identify illustrate immigrate import improve include increase influence inherit inspire introduce invade invent
invest involve join jump kill kiss lack land last launch learn like link list live locate look love manage manufacture
march marry measure mention migrate move name narrate net occupy occur offer open operate organize originate outlive own
paint partner pass patent perform pioneer place plan plant play practice praise predate prefer premiere present produce
promote protect provide publish purchase quarrel race rank reach receive record reduce refuse reign release remain
require reside resign retire return review revolve rule sail sample score seat separate serve share sign specialize
star start state stay stop store study succeed suffer supply support surpass survive switch talk target taste tour trade
train travel try turn use value visit vote wait walk want wear weigh work
"""
# Base, past, participle; one form of the past where both are the same.
_IRREGULAR = """
become became become, begin began begun, bear bore born, bite bit bitten, break broke broken, breed bred, bring
brought, build built, buy bought, catch caught, choose chose chosen, come came come, cost cost, cut cut, do did
done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt,
fight fought, find found, fly flew flown, forget forgot forgotten, get got gotten, give gave given, go went gone,
grow grew grown, hang hung, have had, hear heard, hide hid hidden, hit hit, hold held, keep kept, know knew known,
lay laid, lead led, leave left, lend lent, lie lay lain, lose lost, make made, mean meant, meet met, pay paid, put
put, quit quit, read read, rise rose risen, ride rode ridden, run ran run, say said, see saw seen, seek sought, sell
sold, send sent, set set, shoot shot, shut shut, sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke
spoken, spend spent, stand stood, steal stole stolen, swim swam swum, take took taken, teach taught, tell told,
think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, win won, wind wound,
write wrote written
"""
_DOUBLED = frozenset(["star", "plan", "stop", "drop", "net", "commit", "ship", "prefer", "occur", "bar"])
VERSION = 1  # raised when the forms are made in another way


class VerbForm(NamedTuple):
    """A form of a verb: its base, and whether it is a past or a third person."""

    base: str
    past: bool


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Return the finite forms that show their tense, with their base forms.

    >>> [verb_forms()[word].base for word in ("released", "starred", "studies", "wrote", "has")]
    ['release', 'star', 'study', 'write', 'have']
    """
    forms: dict[str, VerbForm] = {}
    for base in _REGULAR.split():
        forms[past_of(base)] = VerbForm(base, past=True)
        forms[third_of(base)] = VerbForm(base, past=False)
    for base, past, _ in _irregular():
        if past != base:
            forms[past] = VerbForm(base, past=True)
        forms[third_of(base)] = VerbForm(base, past=False)
    # "found" is the past of "find"; "founded" is that of "found". "lay" may be two verbs, and "wound" is mostly a noun.
    return {form: verb for form, verb in forms.items() if form not in ("lay", "wound")}


@cache
def participles() -> frozenset[str]:
    """Return the participles of the past, which follow *has* and *was*."""
    return frozenset([*map(past_of, _REGULAR.split()), *(item[2] for item in _irregular()), "been", "born"])


@cache
def bases() -> frozenset[str]:
    """Return the base forms."""
    return frozenset([*_REGULAR.split(), *(item[0] for item in _irregular())])


@cache
def past_of(base: str) -> str:
    """Return the past of a verb.

    >>> past_of("release"), past_of("win"), past_of("carry"), past_of("star")
    ('released', 'won', 'carried', 'starred')
    """
    for verb, past, _ in _irregular():
        if verb == base:
            return past
    if base in _DOUBLED:
        return f"{base}{base[-1]}ed"
    if base.endswith("e"):
        return f"{base}d"
    return re.sub(r"(?<=[^aeiou])y$", "i", base) + "ed"


def third_of(base: str) -> str:
    """Return the third person of the present.

    >>> third_of("have"), third_of("go"), third_of("carry"), third_of("finish"), third_of("play")
    ('has', 'goes', 'carries', 'finishes', 'plays')
    """
    if base == "have":
        return "has"
    if re.search(r"(?:s|x|z|ch|sh|o)$", base):
        return f"{base}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", base) + "s"


@cache
def _irregular() -> tuple[tuple[str, str, str], ...]:
    entries = [entry.split() for entry in _IRREGULAR.split(",")]
    return tuple((entry[0], entry[1], entry[-1]) for entry in entries)
