"""What sentences about kinds of animals and plants say: a robin is a bird, and a bird is an animal."""

from __future__ import annotations

import itertools
from functools import cache

from tests.templates.oracle.reading import Grammar, Said, Unread
from tests.templates.oracle.worlds import Formula, every, fact, has, none, some

from nliprobe.language.lexicon import Lexicon, load_lexicon

KIND_GRAMMAR = Grammar()
says = KIND_GRAMMAR.says

_KINGDOMS = dict.fromkeys(("bird", "fish", "mammal", "insect", "reptile"), "animal") | dict.fromkeys(
    ("flower", "tree", "fruit", "vegetable"), "plant"
)
# Of a class two members are enough: one of the kind that is spoken of, and one of another kind.
_MEMBERS = ("of the kind", "of another kind")
_ITEMS = ("a", "b")


@cache
def _classes() -> dict[str, str]:
    taxa = load_lexicon("TAXON")
    assert isinstance(taxa, Lexicon)
    return dict(zip(taxa.column("text"), taxa.column("class"), strict=True))


@cache
def _singulars() -> dict[str, str]:
    taxa = load_lexicon("TAXON")
    assert isinstance(taxa, Lexicon)
    kinds = zip(taxa.column("plural"), taxa.column("text"), strict=True)
    return dict(kinds) | dict(zip(taxa.column("class_plural"), taxa.column("class"), strict=True))


def wider(kind: str) -> list[str]:
    """A kind and what it belongs to: *robin, bird, animal*."""
    chain = [kind, *([_classes()[kind]] if kind in _classes() else [])]
    return [*chain, *([_KINGDOMS[chain[-1]]] if chain[-1] in _KINGDOMS else [])]


def kind_background(said: Formula) -> Formula:
    """Seeing a robin is seeing a bird; one and the same animal is not of two kinds, of which neither is the wider."""
    rules = []
    for one, other in itertools.permutations(said.variables, 2):
        if one.about[0] != other.about[0] or one.about[1:-1] != other.about[1:-1]:
            continue
        narrow, wide = one.about[-1], other.about[-1]
        if wide in wider(narrow):
            rules.append(has(one, 1).implies(has(other, 1)))
        elif one.about[0] == "the one" and narrow not in wider(wide):
            rules.append(~(has(one, 1) & has(other, 1)))
    return every(*rules)


def _kind(text: str) -> str:
    """The singular without article, and without the capital letter of a sentence's beginning."""
    bare = text.split(" ", 1)[1] if text.startswith(("a ", "an ")) else text
    small = bare[0].lower() + bare[1:]
    spelt = bare if bare in _singulars() or bare in _classes() else small
    return _singulars().get(spelt, spelt)


_SAW = "(?P<v>saw|photographed|drew)"


@says("{X} " + _SAW + " {k} and {Y} (?P=v) {l}.")
def _(said: Said) -> Formula:
    return fact("saw", said["X"], _kind(said["k"])) & fact("saw", said["Y"], _kind(said["l"]))


@says("Both {X} and {Y} " + _SAW + " {k}.")
def _(said: Said) -> Formula:
    kind = _kind(said["k"])
    told = "the one" if "only" in said.context.noted else "saw"
    return fact(told, said["X"], kind) & fact(told, said["Y"], kind)


@says("The only animal that {X} " + _SAW + " was {k}, and the only one that {Y} (?P=v) was {l}.")
def _(said: Said) -> Formula:
    said.context.noted["only"] = "yes"
    return fact("the one", said["X"], _kind(said["k"])) & fact("the one", said["Y"], _kind(said["l"]))


@says("{X} (also |)" + _SAW + " {k}.")
def _(said: Said) -> Formula:
    return fact("saw", said["X"], _kind(said["k"]))


@says("The animal in {X}'s picture is not {k}.")
def _(said: Said) -> Formula:
    return ~fact("the one", said["X"], _kind(said["k"]))


@says("The animal in {X}'s picture is {k}.")
def _(said: Said) -> Formula:
    return fact("the one", said["X"], _kind(said["k"]))


@says("There are no {k} in {X}'s picture.")
def _(said: Said) -> Formula:
    return ~fact("in the picture", said["X"], _kind(said["k"]))


@says("There is {k} in {X}'s picture.")
def _(said: Said) -> Formula:
    return fact("in the picture", said["X"], _kind(said["k"]))


@says("All {k} in the picture archive at {place} have been {done}.")
def _(said: Said) -> Formula:
    """Here *all* is true, too, of an archive without such pictures."""
    kind = _kind(said["k"])
    return every(*(fact("item", item, kind).implies(fact("done", item, said["done"])) for item in _ITEMS))


@says("Some {k} are {done} in {X}'s book.")
def _(said: Said) -> Formula:
    return some(*(fact("member", member) for member in _MEMBERS))


@says("{k} are {done} in {X}'s book.")
def _(said: Said) -> Formula:
    return fact("member", _MEMBERS[0])


@says("No {plural} (?P<does>[^.]+).")
def _(said: Said) -> Formula:
    kind, does = _split(said["plural"] + " " + said["does"])
    return none(*_members_do(said, kind, does))


@says("Every {k} (?P<does>[^.]+).")
def _(said: Said) -> Formula:
    return every(*_members_do(said, said["k"], said["does"]))


@says("(?P<generic>[^.]+).")
def _(said: Said) -> Formula:
    kind, does = _split(said["generic"])
    return every(*_members_do(said, kind, does))


def _members_do(said: Said, kind: str, does: str) -> list[Formula]:
    """That each member of a class, or only those of one kind in it, do something."""
    members = _MEMBERS if kind in _KINGDOMS else _MEMBERS[:1]
    return [fact("does", member, said.context.lemma(does)) for member in members]


def _split(text: str) -> tuple[str, str]:
    """A bare plural and what is said of it: the longest plural at the beginning."""
    words = text.split(" ")
    for size in range(len(words) - 1, 0, -1):
        kind = _kind(" ".join(words[:size]))
        if kind in _classes() or kind in _KINGDOMS:
            return kind, " ".join(words[size:])
    raise Unread(text)
