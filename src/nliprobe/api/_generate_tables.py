"""Generating executable hypotheses about tables into a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.corpora.executable import OWN_COLUMNS
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table
from nliprobe.templates.tables.find import TABLES
from nliprobe.templates.tables.source import TableSource

if TYPE_CHECKING:
    import polars

# Rows that are made before they are written.
ROWS = 50_000
FACETS = ("template", "category", "schema", "reasoning", "capability", "world", "form", "phrasing", "twin")


def is_tables(templates: str) -> bool:
    """Tell whether the user asks for table templates: ``tables``, ``tables:PATH`` or ``tables?world=…``."""
    return templates.partition(":")[0].partition("?")[0] == TABLES


def table_source(
    templates: str, *, n: int | None, total: int | None, only: Iterable[str], by: str, seed: int
) -> TableSource:
    """Return the source that a user asks for; options of the command are parameters of the source."""
    if by:
        raise UsageError("Table templates have no placeholders to draw examples by.")
    spec = Spec.parse(templates)
    given = {"n": n, "total": total, "only": "+".join(only), "seed": seed or None}
    twice = sorted(key for key, value in given.items() if value and key in dict(spec.params))
    if twice:
        raise UsageError(f"{twice[0]} is given twice: in '{templates}' and as an option.")
    params = [*spec.params, *((key, str(value)) for key, value in given.items() if value)]
    return TableSource.from_spec(Spec(spec.name, spec.argument, tuple(params)), ())


def table_frames(pairs: Iterable[Pair], advance: Callable[[int], None]) -> Iterator[polars.DataFrame]:
    """Yield pairs as frames; tables are JSON, and so are lists."""
    import polars

    schema = dict.fromkeys([*OWN_COLUMNS, *FACETS], polars.String)
    lines: list[tuple[str, ...]] = []
    cells = _Cells()
    for pair in pairs:
        lines.append(cells.line(pair))
        if len(lines) == ROWS:
            advance(ROWS)
            yield polars.DataFrame(lines, schema=schema, orient="row")
            lines = []
    if lines:
        advance(len(lines))
        yield polars.DataFrame(lines, schema=schema, orient="row")


class _Cells:
    """Writes pairs as lines; the pairs of a table follow one another, and those of a template share their facets."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._json = ""
        self._facets: dict[tuple[object, ...], tuple[str, ...]] = {}

    def line(self, pair: Pair) -> tuple[str, ...]:
        assert isinstance(pair.premise, Table)
        assert pair.gold is not None
        assert pair.evidence is not None
        if pair.premise is not self._table:
            self._table, self._json = pair.premise, pair.premise.to_json()
        facets = self._facets.get(pair.facets)
        if facets is None:
            facets = tuple([_facet(pair, name) for name in FACETS])
            if not facets[-1]:  # the facets of twins are their own
                self._facets[pair.facets] = facets
        evidence = json.dumps(pair.evidence.units)
        core = (pair.id, self._json, pair.hypothesis, str(pair.gold), pair.group, evidence, pair.program or "")
        return (*core, *facets)


def _facet(pair: Pair, name: str) -> str:
    values = [value for facet, value in pair.facets if facet == name]
    return json.dumps(values, ensure_ascii=False) if name == "reasoning" else "".join(values)
