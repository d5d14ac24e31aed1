"""Which cases an address asks for, and the addresses that ask for a little more or less."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from nliprobe.analysis.browse.wanted import ANY_SYSTEM, UNANSWERED, UNASKED, Wanted, WantedAnswer, WantedOutcome
from nliprobe.task.pair import Facet

# What an address may hold, in this order; everything else is passed over.
CONDITIONS: Final = (
    "q", "corpus", "probe", "gold", "certainty", "group", "pair", "facet",
    "system", "answer", "by_gold", "by_rule", "other", "other_answer", "differ",
)  # fmt: skip
PLACES: Final = ("after", "before")
# Longer values are nothing that somebody chose.
_LONGEST = 1000
_MOST_FACETS = 10
_WHO_AND_WHAT: Final = (("system", "answer"), ("other", "other_answer"))
_WORDS: Final = {
    "q": "words",
    "corpus": "corpus",
    "probe": "probe",
    "gold": "gold label",
    "certainty": "certainty",
    "group": "group",
    "pair": "pair",
    "by_gold": "gold",
    "by_rule": "rule",
}


@dataclass(frozen=True)
class Chosen:
    """One condition that is chosen, in words, and the address without it."""

    name: str
    words: str
    without: str


class Asked:
    """What an address asks for.

    Args:
        values: the names and values after the question mark.
        systems: the systems of the run.

    Attributes:
        remarks: what of it was left out, and why, as sentences.
    """

    def __init__(self, values: Iterable[tuple[str, str]], systems: Sequence[str]) -> None:
        known: dict[str, list[str]] = {}
        self.remarks: list[str] = []
        for name, value in values:
            if name not in (*CONDITIONS, *PLACES) or not value.strip() or (name == "facet" and "=" not in value):
                continue
            if len(value) > _LONGEST:
                self.remarks.append(
                    f"What was given under '{name}' is longer than {_LONGEST:,} characters: it is left out."
                )
                continue
            # Spaces around a value, such as a facet of a file, are a part of it; a form changes its line breaks.
            known.setdefault(name, []).append(value.strip() if name == "q" else value.replace("\r\n", "\n"))
        for name in ("system", "other"):
            if name in known and known[name][0] not in systems:
                self.remarks.append(f"This run has no system '{known.pop(name)[0]}': all systems count.")
        if len(systems) == 1:
            known["system"] = [systems[0]]
        self._values = {
            name: list(dict.fromkeys(values))[:_MOST_FACETS] if name == "facet" else values[:1]
            for name, values in known.items()
        }
        self._systems = systems
        if any(self.get(what) and not self.get(who) for who, what in _WHO_AND_WHAT):
            self.remarks.append("To filter by an answer, choose the system that gave it, too.")

    def get(self, name: str) -> str:
        """Return one value; empty if there is none."""
        return self._values.get(name, [""])[0]

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The facets that are chosen: in an address, ``name=value``."""
        pieces = (text.partition("=") for text in self._values.get("facet", ()))
        return tuple(Facet(name, value) for name, _, value in pieces)

    @property
    def wanted(self) -> Wanted:
        """The cases that are asked for."""
        system = self.get("system") or ANY_SYSTEM
        outcomes = (("by_gold", "gold"), ("by_rule", "expects"))
        return Wanted(
            corpus=self.get("corpus") or None,
            probe=self.get("probe") or None,
            gold=self.get("gold") or None,
            certainty=self.get("certainty") or None,
            group=self.get("group") or None,
            pair=self.get("pair") or None,
            facets=self.facets,
            answers=tuple(
                WantedAnswer(self.get(who), self.get(what))
                for who, what in _WHO_AND_WHAT
                if self.get(who) and self.get(what)
            ),
            outcomes=tuple(
                WantedOutcome(system, judged, self.get(name)) for name, judged in outcomes if self.get(name)
            ),
            disagree=bool(self.get("differ")),
            search=self.get("q"),
        )

    def query(self, **changes: str | None) -> str:
        """Return what stands after the question mark, with some values changed, added or (None) taken out.

        The place in the list is kept only if it is named: other conditions make another list.
        """
        kept = {name: values for name, values in self._values.items() if name in CONDITIONS and name not in changes}
        pairs = [(name, value) for name in CONDITIONS for value in kept.get(name, ())]
        pairs += [(name, value) for name, value in changes.items() if value]
        if len(self._systems) == 1:
            pairs = [(name, value) for name, value in pairs if name != "system"]
        return f"?{urlencode(pairs)}" if pairs else "?"

    def chosen(self) -> list[Chosen]:
        """Return every condition that is chosen, each with the address without it."""
        found = [
            Chosen(name, f"{words}: {self.get(name)}", self.query(**{name: None}))
            for name, words in _WORDS.items()
            if self.get(name)
        ]
        found += [Chosen("facet", f"{facet.name}: {facet.value}", self._without_facet(facet)) for facet in self.facets]
        if self.get("system") and len(self._systems) > 1:
            found.append(Chosen("system", f"system: {self.get('system')}", self.query(system=None, answer=None)))
        for who, what in _WHO_AND_WHAT:
            if self.get(who) and self.get(what):
                words = f"{self.get(who)} {answer_words(self.get(what))}"
                found.append(Chosen(what, words, self.query(**{what: None})))
        if self.get("differ"):
            found.append(Chosen("differ", "systems disagree", self.query(differ=None)))
        return found

    def _without_facet(self, facet: Facet) -> str:
        left = [("facet", f"{item.name}={item.value}") for item in self.facets if item != facet]
        rest = self.query(facet=None)
        more = urlencode(left)
        return f"{rest}{'&' if more and rest != '?' else ''}{more}"


def answer_words(answer: str) -> str:
    """Say what a system answered.

    >>> answer_words("NC"), answer_words("none"), answer_words("not asked")
    ('answered NC', 'gave no answer', 'was not asked')
    """
    return {UNANSWERED: "gave no answer", UNASKED: "was not asked"}.get(answer, f"answered {answer}")


def options(counts: Mapping[str, int], chosen: str) -> list[tuple[str, str]]:
    """Return values to choose from, with how many cases have each; the chosen one is always among them."""
    listed = [(value, f"{value} ({count:,})") for value, count in counts.items()]
    return listed if not chosen or chosen in counts else [*listed, (chosen, f"{chosen} (0)")]
