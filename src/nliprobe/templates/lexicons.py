"""Find the lexicons that templates draw from: those of the package, of a template file, and derived ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, NliprobeError, did_you_mean
from nliprobe.language.lexicon import Lexicon, lexicon_names, load_lexicon
from nliprobe.templates.columns import Entries, is_truth, plain
from nliprobe.templates.evaluate import check_calls, evaluate
from nliprobe.templates.expression import parse_expression
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.template import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Definition = Lexicon | Mapping[str, str]


class Lexicons:
    """Finds lexicons by name; those of the template file take precedence over the package's."""

    def __init__(self, own: Mapping[str, Definition], places: Mapping[str, Place]) -> None:
        self._own = dict(own)
        self._places = dict(places)
        self._resolved: dict[str, Words] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in lexicon_names()

    def names(self) -> list[str]:
        """Return the names of all lexicons."""
        return sorted({*self._own, *lexicon_names()})

    def get(self, name: str, place: Place) -> Words:
        """Return the entries of a lexicon."""
        if name not in self._resolved:
            self._resolved[name] = self._resolve(name, place, ())
        return self._resolved[name]

    def filtered(self, words: Words, condition: str, place: Place) -> Words:
        """Return the entries that satisfy a condition on their fields."""
        import numpy as np

        expression = parse_expression(condition, place)
        check_calls(expression, place)
        places = np.array(words.places, dtype=np.int64)
        entries = Entries(words.lexicon, places)
        fields = {field: entries.field(field) for field in words.lexicon.fields}
        satisfied = evaluate(expression, fields, len(places), place)
        if not is_truth(satisfied):
            raise TemplateError(place, f"'{condition}' is not a condition on the fields of {words.lexicon.name}.")
        chosen = _chosen(places, plain(satisfied).astype(bool))
        if not chosen:
            raise TemplateError(place, f"no entry of {words.lexicon.name} satisfies '{condition}'.")
        return Words(words.lexicon, chosen, words.family)

    def _resolve(self, name: str, place: Place, parents: tuple[str, ...]) -> Words:
        if name in parents:
            raise TemplateError(
                self._places.get(name, place), f"the lexicons {' → '.join([*parents, name])} are made from one another."
            )
        if name not in self:
            raise TemplateError(place, f"there is no lexicon {name}. {did_you_mean(name, self.names())}")
        defined_at = self._places.get(name, place)
        try:
            definition = self._own[name] if name in self._own else load_lexicon(name)
        except TemplateError:
            raise
        except NliprobeError as error:
            raise TemplateError(defined_at, str(error)) from error
        if isinstance(definition, Lexicon):
            return Words(definition, tuple(range(len(definition.entries))), name)
        if "from" not in definition:
            raise DataError(f"The lexicon {name} has neither entries nor a lexicon that it is made from.")
        source = self._resolve(str(definition["from"]), defined_at, (*parents, name))
        return self.filtered(source, str(definition["if"]), defined_at) if "if" in definition else source


def _chosen(places: NDArray[np.int64], satisfied: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(place) for place in places[satisfied])
