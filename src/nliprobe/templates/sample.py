"""Draw the values of a template: all of them if they are few, else a uniform sample seeded by its id."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nliprobe.base.seeds import draws
from nliprobe.templates.columns import Column, Entries, Wide, is_truth, plain, texts_of
from nliprobe.templates.evaluate import evaluate
from nliprobe.templates.numbers import exact_column
from nliprobe.templates.place import TemplateError
from nliprobe.templates.size import terms_of
from nliprobe.templates.template import Choice, Domain, Range, Template, Words

if TYPE_CHECKING:
    import random

    import numpy as np
    from numpy.typing import NDArray

# A space of at most this many draws is enumerated; larger spaces are sampled.
EXHAUSTIVE = 20_000
# Spaces up to this size are enumerated as a last resort, if hardly any draw satisfies the conditions.
LAID_OUT = 2_000_000
# Terms of expressions that are evaluated at most for enumerating as a last resort: about four seconds.
LAID_OUT_TERMS = 200_000_000
# How many draws one accepted draw may cost before the space is enumerated or given up, and how many accepted draws one
# new example. More would cost minutes for the last examples of a template that has hardly any left.
PATIENCE = 200
# Draws after which patience is first tested; at fewer, bad luck is likely.
WINDOW = 10_000
# Domains up to this size are drawn with 32 random bits, larger ones by Python's own exact method.
BITS_32 = 2**32


@dataclass(frozen=True)
class Drawn:
    """A block of draws that satisfy the conditions: the columns of all drawn and computed values."""

    values: dict[str, Column]
    rows: int


@dataclass
class Effort:
    """What drawing has cost so far.

    Attributes:
        drawn: draws made.
        accepted: draws that satisfy the conditions.
        fresh: distinct examples made from them; whoever renders the blocks counts these.
        whole: whether every draw of the space was made, so that there are no other examples.
    """

    drawn: int = 0
    accepted: int = 0
    fresh: int = 0
    whole: bool = False


class Space:
    """The space of all draws of a template."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.names = list(template.domains)
        self.sizes = [len(template.domains[name]) for name in self.names]
        self._families = _families(template.domains)

    def blocks(self, seed: int, wanted: int, effort: Effort) -> Iterator[Drawn]:
        """Yield blocks of draws: each draw once if the space is enumerated, else until patience is lost."""
        random = draws(seed, "template", self.template.id, *filter(None, [self.template.cell]))
        weighted = any(isinstance(domain, Choice) and domain.weights for domain in self.template.domains.values())
        small = self._laid_out_size() <= max(EXHAUSTIVE, 2 * wanted)
        if small and not weighted:
            yield from self._whole(random, wanted, effort)
            return
        before = Effort()
        while True:
            count = min(65_536, max(256, wanted + wanted // 4))
            block = self._valid(self._indices(random, count))
            effort.drawn += count
            effort.accepted += block.rows
            yield block
            if effort.drawn > PATIENCE * max(effort.accepted, 1) + WINDOW:
                # Hardly any draw satisfies the conditions.
                if self._can_be_laid_out():
                    yield from self._whole(random, wanted, effort)
                return
            if effort.drawn - before.drawn >= WINDOW:
                few = (effort.fresh - before.fresh) * PATIENCE < effort.accepted - before.accepted
                if few or effort.drawn > PATIENCE * wanted + WINDOW:
                    # Many draws give few texts, or weights hide most of them.
                    if small:
                        yield from self._whole(random, wanted, effort)
                    return
                before = replace(effort)

    def _can_be_laid_out(self) -> bool:
        size = self._laid_out_size()
        return size <= LAID_OUT and size * terms_of(self.template) <= LAID_OUT_TERMS

    def _laid_out_size(self) -> int:
        return math.prod(self.sizes)

    def _whole(self, random: random.Random, wanted: int, effort: Effort) -> Iterator[Drawn]:
        """Yield every draw once, in random order and in blocks, because the first blocks are often enough."""
        import numpy as np

        total = self._laid_out_size()
        keys = np.frombuffer(random.randbytes(8 * total), dtype="<u8")
        order = np.argsort(keys, kind="stable").astype(np.int64)
        step = max(1024, 2 * wanted)
        for start in range(0, total, step):
            rest = order[start : start + step]
            columns: list[NDArray[np.int64]] = []
            for size in self.sizes:
                rest, place = np.divmod(rest, size)
                columns.append(place)
            effort.drawn += len(order[start : start + step])
            block = self._valid(columns)
            effort.accepted += block.rows
            yield block
        effort.whole = True

    def _indices(self, random: random.Random, count: int) -> list[NDArray[np.int64]]:
        import numpy as np

        columns: list[NDArray[np.int64]] = []
        for name, size in zip(self.names, self.sizes, strict=True):
            if size > BITS_32:
                columns.append(np.array([random.randrange(size) for _ in range(count)], dtype=np.int64))
                continue
            numbers = np.frombuffer(random.randbytes(4 * count), dtype="<u4").astype(np.uint64)
            domain = self.template.domains[name]
            if isinstance(domain, Choice) and domain.weights:
                ends = np.cumsum(domain.weights).astype(np.uint64)
                scaled = (numbers * ends[-1]) >> np.uint64(32)
                columns.append(np.searchsorted(ends, scaled, side="right").astype(np.int64))
            else:
                columns.append(((numbers * np.uint64(size)) >> np.uint64(32)).astype(np.int64))
        return columns

    def _valid(self, indices: list[NDArray[np.int64]]) -> Drawn:
        """Return the draws in which variables of one family differ and all conditions hold."""
        import numpy as np

        rows = len(indices[0]) if indices else 1
        keep = np.ones(rows, dtype=np.bool_)
        places = {
            name: _places(self.template.domains[name], column) for name, column in zip(self.names, indices, strict=True)
        }
        for one, two in itertools.combinations(self.names, 2):
            if self._families.get(one) and self._families.get(one) == self._families.get(two):
                keep &= places[one] != places[two]
        if not keep.all():
            places = {name: column[keep] for name, column in places.items()}
            rows = int(keep.sum())
        values = {name: _values(self.template.domains[name], column) for name, column in places.items()}
        return self._conditions(values, rows)

    def _conditions(self, values: dict[str, Column], rows: int) -> Drawn:
        import numpy as np

        for name, formula in self.template.lets.items():
            values[name] = evaluate(formula.expression, values, rows, formula.place)
        keep = np.ones(rows, dtype=np.bool_)
        for formula in self.template.where:
            holds = evaluate(formula.expression, values, rows, formula.place)
            if not is_truth(holds):
                raise TemplateError(formula.place, f"'{formula.text}' is not a condition.")
            keep &= plain(holds).astype(bool)
        if keep.all():
            return Drawn(values, rows)
        return Drawn({name: select(column, keep) for name, column in values.items()}, int(keep.sum()))


def select(column: Column, chosen: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Column:
    """Return the chosen rows of a column."""
    if isinstance(column, Entries):
        return Entries(column.lexicon, column.places[chosen])
    if isinstance(column, Wide):
        return Wide(column.numbers[chosen])
    rows: Column = column[chosen]
    return rows


def _families(domains: dict[str, Domain]) -> dict[str, str]:
    """Return the family of each variable that shares its lexicon with another variable."""
    names = {name: domain.family for name, domain in domains.items() if isinstance(domain, Words)}
    return {name: family for name, family in names.items() if list(names.values()).count(family) > 1}


def _places(domain: Domain, column: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return indices into the root lexicon for words, so that entries of two filters can be compared."""
    import numpy as np

    if isinstance(domain, Words):
        places: NDArray[np.int64] = np.array(domain.places, dtype=np.int64)[column]
        return places
    return column


def _values(domain: Domain, places: NDArray[np.int64]) -> Column:
    import numpy as np

    if isinstance(domain, Words):
        return Entries(domain.lexicon, places)
    if isinstance(domain, Range):
        return places + domain.low
    if isinstance(domain.options[0], int):
        return exact_column(np.array(domain.options, dtype=object)[places])
    return texts_of([str(option) for option in domain.options])[places]
