"""Conditions that choose pairs by their facets and gold labels: ``genre:fiction|telephone+label:E``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.task.labels import LETTERS, LabelMap, LabelSet
from nliprobe.task.pair import Pair

# In conditions this name means the gold label, so a facet of the same name cannot be asked for.
LABEL = "label"
UNLABELLED = "none"
_SHOWN = 8
_PLAIN = " /'()!$*;@"


@dataclass(frozen=True, slots=True)
class Condition:
    """The name of a facet (or of the gold label) and the values of which a pair must have at least one."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{_quote(self.name)}:{'|'.join(map(_quote, self.values))}"

    def values_of(self, pair: Pair) -> list[str]:
        """Return the values that a pair has under the condition's name."""
        if self.name == LABEL:
            return [UNLABELLED if pair.gold is None else str(pair.gold)]
        return [facet.value for facet in pair.facets if facet.name == self.name]


def parse_where(text: str, source: str) -> tuple[Condition, ...]:
    """Read the conditions of a spec string, sorted by name.

    ``+`` joins conditions that must all hold; ``|`` joins values of which one is enough. Names and values
    that contain such a character or a colon are percent-encoded as in a URL.

    >>> " and ".join(map(str, parse_where("label:E+genre:telephone|fiction", "multinli/dev-matched")))
    'genre:fiction|telephone and label:E'
    """
    conditions = [_condition(piece, source) for piece in text.split("+")]
    names = [condition.name for condition in conditions]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"'{source}?where' names '{name}' twice. Write '{name}:one|other' for one or the other.")
    return tuple(sorted(conditions, key=lambda condition: condition.name))


class Matcher:
    """Tells which pairs meet all conditions, and explains it if none does."""

    def __init__(self, conditions: Sequence[Condition], source: str) -> None:
        self._source = source
        self._conditions = [(condition, frozenset(condition.values)) for condition in conditions]
        self._names: set[str] = {LABEL}
        # For each condition that no pair has met yet, the values seen: the error names them if none ever does.
        self._seen: dict[str, set[str]] = {condition.name: set() for condition in conditions}
        self._any = False

    def matches(self, pair: Pair) -> bool:
        """Tell whether a pair meets all conditions."""
        fits = True
        for condition, wanted in self._conditions:
            values = condition.values_of(pair)
            if not wanted.isdisjoint(values):
                self._seen.pop(condition.name, None)
                continue
            fits = False
            if condition.name in self._seen:
                self._seen[condition.name].update(values)
        if self._seen:
            self._names.update(facet.name for facet in pair.facets)
        self._any = self._any or fits
        return fits

    def require_any(self) -> None:
        """Raise an error if no pair met all conditions; call it after the last pair."""
        if self._any:
            return
        for condition, _ in self._conditions:
            seen = self._seen.get(condition.name)
            if seen is None:
                continue
            if not seen:
                facets = ", ".join(sorted(self._names))
                hint = did_you_mean(condition.name, self._names)
                hint = f" {hint}" if hint.startswith("Did") else ""
                raise DataError(
                    f"No pair of {self._source} has the facet '{condition.name}'. "
                    f"Pairs can be chosen by: {facets}.{hint}"
                )
            wanted = " or ".join(f"'{value}'" for value in condition.values)
            hint = did_you_mean(condition.values[0], seen)
            if not hint.startswith("Did") and len(seen) > _SHOWN:
                hint = f"It has {len(seen):,} values, such as {', '.join(sorted(seen)[:_SHOWN])}."
            raise DataError(f"No pair of {self._source} has the {condition.name} {wanted}. {hint}")
        conditions = " and ".join(str(condition) for condition, _ in self._conditions)
        raise DataError(f"No pair of {self._source} has {conditions} together.")


def _condition(text: str, source: str) -> Condition:
    name, colon, values = text.partition(":")
    choices = sorted({unquote(value).strip() for value in values.split("|")} - {""})
    if not name.strip() or not colon or not choices:
        raise UsageError(f"'{source}?where' should look like name:value or name:value|value, not '{text}'.")
    name = unquote(name).strip()
    if name == LABEL:
        choices = sorted({_label(value, source) for value in choices})
    return Condition(name, tuple(choices))


def _label(text: str, source: str) -> str:
    if text.casefold() == UNLABELLED:
        return UNLABELLED
    if set(text.upper()) <= set(LETTERS):
        return str(LabelSet.of(text.upper()))
    try:
        gold = LabelMap().read(text)
    except DataError as error:
        raise UsageError(f"'{source}?where' has a wrong label: {error}.") from error
    return UNLABELLED if gold is None else str(gold)


def _quote(text: str) -> str:
    return "".join(
        character if character.isalnum() or ord(character) > 127 else quote(character, safe=_PLAIN)
        for character in text
    )
