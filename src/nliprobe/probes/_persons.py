"""Tells whether a first name in a text is a person's, by the words around it; names of other things are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

# Known persons, cities, cars and surnames when they stand alone: another name would say something else.
_NOT_ALONE_TEXT = """
Abraham Adelaide Alexander Allen Amber Augusta Augustus Aurora Barack Barney Bart Basil Benedict Bernard Bradley
Brandon Bryce Buddy Byron Calvin Carmen Catalina Cecil Charles Chester Christian Clark Clayton Clement Clinton Clyde
Conrad Cornelius Craig Curtis Dexter Diana Diego Don Dora Douglas Duncan Edward Edwin Eli Elijah Elizabeth Elliott
Elsa Elton Elvis Emmanuel Ezra Ferdinand Francisco Franklin Frederick Garth Geoffrey George Gilbert Glen Gordon
Graham Gustav Hamilton Harold Harrison Harvey Hazel Heath Hector Helena Henri Henry Herman Hillary Homer Horace
Howard Hubert Humphrey Ignatius Irving Isaac Isabella Isaiah Jackson James Jasper Jefferson Jeremiah Jonah Joseph
Juan Julius Kamala Katrina Kelly Ken Kirk Laurence Lawrence Leo Leon Leonardo Leopold Leroy Lewis Lloyd Lorraine
Louis Luke Luther Lydia Mahatma Marcus Maria Marina Martin Marvin Mason Maxwell Mercedes Mickey Milton Minnie
Mitchell Monica Murray Nelson Noah Norman Octavia Olympia Ophelia Orlando Oscar Otto Paul Perry Philip Pierre
Raphael Raymond Regina Rex Rod Rodney Roland Ross Rudolph Russell Salvador Scott Serena Sherman Sienna Sigmund Silas
Sofia Solomon Spencer Stanley Stewart Stuart Thomas Titus Todd Travis Tyler Ursula Valencia Vernon Victoria Vincent
Virgil Vladimir Wallace Walter Warren Wayne Wendell Wesley Wilhelm William Winston Wolfgang Woody Zelda
"""
# A text that speaks of these may mean a known person, a storm, a place of worship or a work by the name.
_ELSEWHERE = re.compile(
    r"\b(hurricane|storm|cyclone|typhoon|kings?|queens?|prince\w*|princess\w*|emperors?|empress\w*|popes?|saints?|royal\w*|"
    r"thrones?|reign\w*|crown\w*|dynast\w*|dukes?|duchess\w*|sultans?|gospels?|bible|biblical|apostles?|virgin|disciples?|"
    r"prophets?|god(?:s|dess\w*)?|deit\w*|jesus|christ|basilicas?|cathedrals?|chapels?|church\w*|shrines?|holy|"
    r"painting|portraits?|statues?|sculptures?|president\w*|lewinsky|clinton|starr|scandal|shakespeare|"
    r"tv|movies?|films?|sitcoms?|series|novels?|cartoons?|comics?|characters?|operas?|musicals?|albums?|songs?)\b",
    re.IGNORECASE,
)
# A name after one of these may be a place, a thing or one of several.
_PLACES_TEXT = "in at near into inside outside around across through via toward towards from on of the a an this that"
_PLACES = frozenset(_PLACES_TEXT.split())
_TOWARDS_PERSONS_TEXT = "with to for by and told asked gave called helped saw met like than about"
_TOWARDS_PERSONS = frozenset(_TOWARDS_PERSONS_TEXT.split())
# What may follow a person's name without a comma: anything else may make it part of a compound, as in "Joshua trees".
_MAY_FOLLOW_TEXT = """
and or but nor so yet because although though while when where who whom whose which that if unless until since as
than after before with without to in on at by for from of about into onto over under off out up down through near
behind beside around across against between during like not never always also just only even still already ever
often sometimes usually really actually probably certainly clearly simply quickly slowly suddenly finally again then
now too here there he she they it we you i him her them us me himself herself his their is isn't was wasn't are
aren't were weren't has hasn't had hadn't have haven't does doesn't did didn't do don't will won't would wouldn't
can can't cannot could couldn't should shouldn't may might must ought
"""
_MAY_FOLLOW = frozenset(_MAY_FOLLOW_TEXT.split())
_SUBJECT_TEXT = """
is isn't was wasn't has hasn't had hadn't does doesn't did didn't will won't would wouldn't can can't cannot could
couldn't should shouldn't may might must ate became began bought brought built came caught chose cut drank drew
drove fell felt fought found gave got grew heard held hid hit kept knew led left lent let lost made meant met paid
put ran read rode rose said sang sat saw sold sent shook shot shut slept spent spoke stood stole swam swung taught
threw told took thought understood went woke won wore wrote asks believes brings builds buys calls comes cooks cries
dances decides drinks drives eats enjoys expects feels fights finds forgets gets gives goes hates hears helps hits
holds hopes hugs jogs jumps keeps kicks kisses knows laughs lays leads learns leaves likes listens lives looks loses
loves makes meets needs opens owns paints pays plays prefers prepares pulls pushes puts reads rests rides runs says
seems sees sells sends sings sits sleeps smiles speaks spends stands starts stays swims takes talks teaches tells
thinks throws tries uses waits walks wants watches wears wins wishes works writes
"""
_SUBJECT = frozenset(_SUBJECT_TEXT.split())
_ENDED = re.compile(r"[a-z]{3,}ed")
# "The average Joe" is nobody.
_ANYBODY = re.compile(r"\b(?:the|an?|this|that|these|those|every|any|some|another|no|each) [^\W\d_]+ $", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(he|him|his|himself|she|her|hers|herself|who)\b", re.IGNORECASE)
_GENDERED = {"m": frozenset({"he", "him", "his", "himself"}), "f": frozenset({"she", "her", "hers", "herself"})}
_CAPITALISED = re.compile(r"\b[A-Z][^\W\d_]+")
_SHORT_FORMS_TEXT = """
William Bill Billy Will Willie Liam; Robert Bob Bobby Rob Robbie Bert; Richard Dick Rick Ricky Rich; John Jack
Johnny Jon Jonathan; James Jim Jimmy Jamie; Edward Ed Eddie Ted Ned; Theodore Ted Theo; Elizabeth Liz Beth Betty
Betsy Eliza Lisa Bess Libby; Margaret Peggy Maggie Meg Margot Greta; Katherine Catherine Kathryn Kate Katie Kathy
Katy Kay Kitty; Anthony Tony; Charles Charlie Chuck; Henry Hank Harry; Michael Mike Mick Mickey; Thomas Tom Tommy;
Samuel Samantha Sam; Alexander Alexandra Alex Sandra Sandy Sasha; Andrew Andy Drew; Benjamin Ben Benny; Christopher
Christine Christina Chris Kit Tina; Daniel Dan Danny; David Dave Davy; Joseph Joe Josephine Josie; Lawrence Laurence
Larry; Patricia Patrick Pat Patsy Patti Tricia; Rebecca Becky; Susan Susanna Suzanne Sue Susie; Timothy Tim; Stephen
Steven Steve; Nicholas Nick Nicolas; Peter Pete; Francis Frances Frank Fran; Gregory Greg; Kenneth Ken Kenny; Ronald
Ron Ronnie; Donald Don; Deborah Debra Debbie; Barbara Barb; Jacqueline Jackie; Jennifer Jenny Jen; Jessica Jess
Jessie; Victoria Vicky; Abigail Abby Gail; Eleanor Ellie Nell Nora; Matthew Matt; Philip Phillip Phil; Sarah Sara
Sally; Dorothy Dot Dolly; Mary Molly Polly; Leonard Leo Len
"""
_SHORT_FORMS = tuple(frozenset(group.split()) for group in _SHORT_FORMS_TEXT.split(";"))
# How alike two names are when one may be a slip of the other: "Katherine" and "Kathrine" are.
_ALIKE = 0.75

NOT_ALONE = frozenset(_NOT_ALONE_TEXT.split())
NO_PERSON = "a name may be that of a place, a thing or a known person"
ABOUT_NAMES = "the hypothesis may be about the name itself"
TOO_FEW = "there are too few other names"
OTHER_FORM = "a person may occur under two names"
OTHER_GENDER = "pronouns of the other gender occur"


class Refused(Exception):
    """A pair in which names cannot be exchanged safely, with the reason in a few words."""


class Mention(NamedTuple):
    """A name in a text with the words next to it.

    Attributes:
        name: the name.
        before: the word before it.
        after: the word after it.
        possessive: whether *'s* is at its end.
        described: whether it has an article, as in *the average Joe*.
    """

    name: str
    before: str
    after: str
    possessive: bool
    described: bool


def mention(text: str, start: int, stop: int) -> Mention:
    """Return the name at a place of a text with the plain words next to it; a word after a mark does not count."""
    before = re.search(r"([^\W\d_]+) ?$", text[:start])
    possessive = re.match(r"['’]s?\b", text[stop:]) is not None
    rest = text[stop:].removeprefix("'s").removeprefix("’s") if possessive else text[stop:]
    after = re.match(r" ([^\W\d_]+(?:['’]t)?)", rest)
    return Mention(
        text[start:stop],
        before[1].lower() if before else "",
        after[1].replace("’", "'") if after else "",
        possessive,
        _ANYBODY.search(text[:start]) is not None,
    )


def may_be_person(item: Mention) -> bool:
    """Tell whether nothing next to a name says that it is a place, a thing or part of a compound."""
    if item.before in _PLACES or item.described:
        return False
    if item.possessive:
        # "at Wendy's" is a restaurant; "Emily's dog" is somebody's.
        return bool(item.after) and item.after.islower() and item.after not in _MAY_FOLLOW
    return not item.after or not item.after[0].islower() or item.after in _MAY_FOLLOW or _is_verb(item.after)


def is_person(item: Mention, text: str) -> bool:
    """Tell whether the words next to a name, or a pronoun, say that it is a person's."""
    return (
        item.possessive or item.before in _TOWARDS_PERSONS or _is_verb(item.after) or _PRONOUN.search(text) is not None
    )


def coupled(text: str, start: int, stop: int) -> list[str]:
    """Return the capitalised words that *and* joins to a name: in "Romeo and Juliet" they may be one title."""
    before = re.search(r"\b([A-Z][^\W\d_]+) and $", text[:start])
    after = re.match(r"(?:['’]s)? and ([A-Z][^\W\d_]+)", text[stop:])
    return [match[1] for match in (before, after) if match]


def elsewhere(texts: Iterable[str]) -> bool:
    """Tell whether texts speak of what makes something else of a name: a king, a saint, a storm, a portrait, a film."""
    return any(_ELSEWHERE.search(text) for text in texts)


def other_gender(genders: Iterable[str], texts: Iterable[str]) -> bool:
    """Tell whether all pronouns are of a gender that no name has: then a name may be a surname, or somebody else's."""
    known = set(genders)
    words = {word.lower() for text in texts for word in _PRONOUN.findall(text)}
    told = {gender for gender, pronouns in _GENDERED.items() if words & pronouns}
    return bool(told) and not told & known


def written_otherwise(names: Iterable[str], text: str) -> bool:
    """Tell whether a name is also written in another case or inside another word, where it would not change."""
    for name in names:
        within = re.search(rf"\B{name}|{name}(?=[^\W\d_])", text)
        if within or any(word != name for word in re.findall(rf"\b{name}\b", text, re.IGNORECASE)):
            return True
    return False


def other_forms(names: Sequence[str], texts: Iterable[str]) -> bool:
    """Tell whether a person may occur under another name, too: a short form, or a slip of the pen."""
    others = {word for text in texts for word in _CAPITALISED.findall(text)} - set(names)
    pairs = [(name, other) for name in names for other in others]
    pairs += [(name, other) for place, name in enumerate(names) for other in names[place + 1 :]]
    return any(_same_person(name, other) for name, other in pairs)


def _same_person(name: str, other: str) -> bool:
    if any(name in forms and other in forms for forms in _SHORT_FORMS):
        return True
    # "Ann" and "Anna", "Jonathan" and "Jon"; but "The" is no form of "Theodore".
    begins = len(other) > 3 and (name.startswith(other) or other.startswith(name))
    return begins or SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _ALIKE


def _is_verb(word: str) -> bool:
    return word in _SUBJECT or _ENDED.fullmatch(word) is not None
