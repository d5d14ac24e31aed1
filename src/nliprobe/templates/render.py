"""Render the examples of a template for a seed, column by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nliprobe.language.english import capital
from nliprobe.templates.columns import Column, Entries, as_texts, mapped
from nliprobe.templates.empty import FIRST_GAP, GAP, closed, offers_empty
from nliprobe.templates.evaluate import evaluate
from nliprobe.templates.pattern import Literal, Pattern
from nliprobe.templates.place import TemplateError
from nliprobe.templates.sample import Drawn, Effort, Space, select
from nliprobe.templates.template import Template

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LABELS = frozenset({"E", "N", "C"})


@dataclass(frozen=True)
class Rendered:
    """The examples of one template, in columns of the same length.

    Attributes:
        premises: the premises.
        hypotheses: the hypotheses.
        labels: the label of every example, by reading.
        values: the drawn values as texts, by variable.
        genders: the gender of drawn names, by variable.
        asked: how many examples were wanted.
        drawn: how many draws were made.
        exhausted: whether the template has no more examples; otherwise there may be others that were not drawn.
    """

    template: Template
    premises: list[str]
    hypotheses: list[str]
    labels: dict[str, list[str]]
    values: dict[str, list[str]]
    genders: dict[str, list[str]]
    asked: int
    drawn: int
    exhausted: bool

    def __len__(self) -> int:
        return len(self.premises)


def render(template: Template, n: int, seed: int = 0) -> Rendered:
    """Return ``n`` distinct examples of a template; fewer if it has fewer, or if many draws give no others."""
    parts: list[_Block] = []
    seen: set[tuple[str, str]] = set()
    effort = Effort()
    exhausted = True
    for drawn in Space(template).blocks(seed, n, effort):
        block = _rendered(template, drawn, seen, n - len(seen))
        effort.fresh = len(seen)
        if block is not None:
            parts.append(block)
        if len(seen) >= n:
            exhausted = False
            break
    exhausted = exhausted and effort.whole
    if not parts:
        none = "no draw" if exhausted else f"none of {effort.drawn:,} draws"
        raise TemplateError(template.place, f"{none} satisfies its conditions.")
    return Rendered(
        template,
        [text for part in parts for text in part.premises],
        [text for part in parts for text in part.hypotheses],
        {name: [label for part in parts for label in part.labels[name]] for name, _ in template.readings},
        {name: [value for part in parts for value in part.values[name]] for name in parts[0].values},
        {name: [value for part in parts for value in part.genders[name]] for name in parts[0].genders},
        n,
        effort.drawn,
        exhausted,
    )


@dataclass(frozen=True)
class _Block:
    premises: list[str]
    hypotheses: list[str]
    labels: dict[str, list[str]]
    values: dict[str, list[str]]
    genders: dict[str, list[str]]


def _rendered(template: Template, drawn: Drawn, seen: set[tuple[str, str]], wanted: int) -> _Block | None:
    """Return the new examples of a block of draws, at most as many as are wanted."""
    import numpy as np

    if not drawn.rows:
        return None
    premises = fill(template.premise, template, drawn.values, drawn.rows)
    hypotheses = fill(template.hypothesis, template, drawn.values, drawn.rows)
    pairs = list(zip(premises, hypotheses, strict=True))
    distinct = set(pairs)
    chosen: NDArray[np.int64] | slice
    if len(distinct) == drawn.rows and seen.isdisjoint(distinct) and "" not in premises and "" not in hypotheses:
        # Most blocks have no duplicates: taking their first rows as they are is much faster.
        count = min(wanted, drawn.rows)
        chosen = slice(count)
        seen.update(pairs[:count] if count < drawn.rows else distinct)
        premises, hypotheses = premises[:count], hypotheses[:count]
    else:
        fresh = _fresh(pairs, seen, wanted)
        if not fresh:
            return None
        count, chosen = len(fresh), np.array(fresh, dtype=np.int64)
        premises, hypotheses = [premises[row] for row in fresh], [hypotheses[row] for row in fresh]
    values = {name: select(column, chosen) for name, column in drawn.values.items()}
    return _Block(
        premises,
        hypotheses,
        {name: _labels(template, name, values, count) for name, _ in template.readings},
        {name: as_texts(values[name]).tolist() for name in template.domains},
        dict(_genders(values)),
    )


def _fresh(pairs: Sequence[tuple[str, str]], seen: set[tuple[str, str]], wanted: int) -> list[int]:
    """Return the rows not seen before, at most as many as are wanted, and mark them as seen."""
    fresh: list[int] = []
    for row, pair in enumerate(pairs):
        if pair not in seen and pair[0] and pair[1]:
            seen.add(pair)
            fresh.append(row)
            if len(fresh) == wanted:
                break
    return fresh


def fill(pattern: Pattern, template: Template, values: dict[str, Column], rows: int) -> list[str]:
    """Return the texts of a pattern; a text is empty if a lexicon or a function has nothing for its word."""
    form: list[str] = []
    columns: list[list[str]] = []
    missing: list[int] = []
    gaps = False
    for part in pattern.parts:
        if isinstance(part, Literal):
            form.append(part.text.replace("%", "%%"))
            continue
        column = evaluate(part.expression, values, rows, part.place)
        texts = (mapped(column, capital) if part.starts else as_texts(column)).tolist()
        if "" in texts:
            if offers_empty(part.expression, template):
                gaps = True
                texts = [text or (FIRST_GAP if part.starts else GAP) for text in texts]
            else:
                missing += [row for row, text in enumerate(texts) if not text]
        form.append("%s")
        columns.append(texts)
    if not columns:
        return ["".join(form).replace("%%", "%")] * rows
    filled = list(map("".join(form).__mod__, zip(*columns, strict=True)))
    if gaps:
        filled = [closed(text) if GAP in text else text for text in filled]
    for row in missing:
        filled[row] = ""
    return filled


def _labels(template: Template, name: str, values: dict[str, Column], rows: int) -> list[str]:
    formula = dict(template.readings)[name].label
    labels: list[str] = as_texts(evaluate(formula.expression, values, rows, formula.place)).tolist()
    wrong = set(labels) - LABELS
    if wrong:
        raise TemplateError(formula.place, f"the label came out as '{min(wrong)}', expected E, N or C.")
    return labels


def _genders(values: dict[str, Column]) -> Iterator[tuple[str, list[str]]]:
    for name, column in values.items():
        if isinstance(column, Entries) and "gender" in column.lexicon.fields:
            yield name, column.field("gender").tolist()
