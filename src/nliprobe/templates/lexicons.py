"""Lexicons as templates see them: those of the package, those of a template file, derived ones resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, NliprobeError, did_you_mean
from nliprobe.language.lexicon import Lexicon, lexicon_names, load_lexicon
from nliprobe.templates.columns import Entries
from nliprobe.templates.evaluate import check_calls, evaluate
from nliprobe.templates.expression import parse_expression
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.template import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Definition = Lexicon | Mapping[str, str]


class Lexicons:
    """Finds lexicons by name; a file's own come before the package's."""

    def __init__(self, own: Mapping[str, Definition], places: Mapping[str, Place]) -> None:
        self._own = dict(own)
        self._places = dict(places)
        self._found: dict[str, Words] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in lexicon_names()

    def names(self) -> list[str]:
        """Everything that can be drawn from."""
        return sorted({*self._own, *lexicon_names()})

    def get(self, name: str, place: Place) -> Words:
        """The entries behind a name."""
        if name not in self._found:
            self._found[name] = self._resolve(name, place, ())
        return self._found[name]

    def filtered(self, words: Words, condition: str, place: Place) -> Words:
        """The entries that satisfy a condition on their fields."""
        import numpy as np

        expression = parse_expression(condition, place)
        check_calls(expression, place)
        places = np.array(words.places, dtype=np.int64)
        entries = Entries(words.lexicon, places)
        fields = {field: entries.field(field) for field in words.lexicon.fields}
        kept = evaluate(expression, fields, len(places), place)
        if isinstance(kept, Entries) or kept.dtype != bool:
            raise TemplateError(place, f"'{condition}' is no condition on the fields of {words.lexicon.name}.")
        chosen = _chosen(places, kept.astype(bool))
        if not chosen:
            raise TemplateError(place, f"no entry of {words.lexicon.name} satisfies '{condition}'.")
        return Words(words.lexicon, chosen, words.family)

    def _resolve(self, name: str, place: Place, above: tuple[str, ...]) -> Words:
        if name in above:
            raise TemplateError(
                self._places.get(name, place), f"the lexicons {' → '.join([*above, name])} are made from one another."
            )
        if name not in self:
            raise TemplateError(place, f"there is no lexicon {name}. {did_you_mean(name, self.names())}")
        own = self._places.get(name, place)
        try:
            definition = self._own[name] if name in self._own else load_lexicon(name)
        except TemplateError:
            raise
        except NliprobeError as error:
            raise TemplateError(own, str(error)) from error
        if isinstance(definition, Lexicon):
            return Words(definition, tuple(range(len(definition.entries))), name)
        if "from" not in definition:
            raise DataError(f"The lexicon {name} says neither its entries nor what it is made from.")
        source = self._resolve(str(definition["from"]), own, (*above, name))
        return self.filtered(source, str(definition["if"]), own) if "if" in definition else source


def _chosen(places: NDArray[np.int64], kept: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(place) for place in places[kept])
