"""``inv.gender``: exchange first names for names of the other gender, with their pronouns. Nothing may change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES, Probe
from nliprobe.probes._names import Names, Refused, known_names
from nliprobe.probes._texts import Change, edit_texts, texts_of
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

_OTHER = {"f": "m", "m": "f"}
_PRONOUNS = {"m": ("he", "him", "his", "himself"), "f": ("she", "her", "hers", "herself")}
_PRONOUN = re.compile(r"\b(he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
# Other words than names and pronouns that tell a gender: with one of these the exchange would not be consistent.
_GENDERED = re.compile(
    r"\b(m[ae]n|wom[ae]n|boys?|girls?|males?|females?|guys?|lad(?:y|ies)|gentlem[ae]n|mr|mrs|ms|miss|sir|madam|"
    r"fathers?|mothers?|dads?|mums?|moms?|sons?|daughters?|brothers?|sisters?|uncles?|aunts?|nephews?|nieces?|"
    r"husbands?|wi(?:fe|ves)|widow(?:er)?s?|grand(?:father|mother|son|daughter)s?|(?:boy|girl)friends?|brides?|grooms?|"
    r"kings?|queens?|princ(?:e|es|ess|esses)|lords?|dukes?|duchess\w*|actress\w*|waiters?|waitress\w*|host(?:ess\w*)|"
    r"monks?|nuns?|priests?|priestess\w*|emperors?|empress\w*|hero(?:ines?)|\w+wom[ae]n|"
    r"pregnan\w*|birth|breast\w*|beard\w*|moustache\w*|mustache\w*|prostate|menstru\w*|masculin\w*|feminin\w*|"
    r"genders?|sex|sexes|he/she|his/her|s/he|lesbian\w*|gay)\b",
    re.IGNORECASE,
)
_OBJECT_NEXT = re.compile(
    r"\s*(?:$|[.,;:!?)]|(?:to|in|on|at|by|for|from|with|and|or|but|about|of|into|when|while|as)\b)"
)
_VERB_NEXT = re.compile(r"\s+(?:is|are|was|were|has|had|will|would|can)\b")
_WORD_NEXT = re.compile(r"\s+[^\W_]")


@PROBES.register("inv.gender")
@dataclass(frozen=True)
class InvGender(Probe):
    """Exchange first names and pronouns for those of the other gender, if no other word tells the gender."""

    about: ClassVar[About] = About(
        "First names are replaced by names of the other gender, with their pronouns. No answer may change.",
        "The answer depends on the gender of a name.",
    )

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of the names that the probe knows."""
        return known_names().digest

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair; a Skip if the exchange would not be consistent or not be certain."""
        names = known_names()
        try:
            present = names.in_pair(pair)
            gender = _only_gender(pair, names, {names.genders[name] for name in present})
            drawn = names.exchange(pair, dict.fromkeys(present, _OTHER[gender]), self.draws(pair))
            edits = edit_texts(pair, lambda text: _changes(names, text, drawn))
        except Refused as reason:
            yield self.skip(str(reason))
            return
        yield self.case(pair, edits, expects=SAME)


def _only_gender(pair: Pair, names: Names, genders: set[str]) -> str:
    if len(genders) > 1:
        raise Refused("names of both genders occur")
    (gender,) = genders
    texts = texts_of(pair)
    if isinstance(pair.premise, Table):
        texts = [*texts, *pair.premise.keys, *pair.premise.columns, pair.premise.category]
    for text in texts:
        if _GENDERED.search(text):
            raise Refused("another word tells the gender")
        if any(word.lower() not in _PRONOUNS[gender] for word in _PRONOUN.findall(text)):
            raise Refused("pronouns of the other gender occur")
    if any(_PRONOUN.search(text) for text in texts) and any(names.others_named(text) for text in texts):
        raise Refused("a pronoun may belong to somebody else")
    return gender


def _changes(names: Names, text: str, drawn: dict[str, str]) -> list[Change]:
    changes = names.changes(text, drawn)
    for match in _PRONOUN.finditer(text):
        word, rest = match.group(), text[match.end() :]
        other = _exchanged(word.lower(), rest)
        changes.append(Change(match.start(), match.end(), other.capitalize() if word[0].isupper() else other))
    return changes


def _exchanged(word: str, rest: str) -> str:
    plain = {"he": "she", "she": "he", "him": "her", "himself": "herself", "herself": "himself", "hers": "his"}
    if word in plain:
        return plain[word]
    if word == "his":
        return "her" if _WORD_NEXT.match(rest) and not _VERB_NEXT.match(rest) else "hers"
    # "her" is "him" or "his": before a preposition or at an end it can only be "him"; elsewhere no rule can tell.
    if _OBJECT_NEXT.match(rest):
        return "him"
    raise Refused("'her' may stand for 'him' or for 'his'")
