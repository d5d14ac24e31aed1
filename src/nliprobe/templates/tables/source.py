"""Executable hypotheses as a source of pairs: ``tables``, or ``tables:PATH`` for a user's own templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.registry import Spec
from nliprobe.task.pair import Pair
from nliprobe.task.source import Source
from nliprobe.task.sources import SOURCES, NamedSource, open_source
from nliprobe.templates.tables.draw import Fictional, World
from nliprobe.templates.tables.find import TableLibrary, chosen_templates, find_library, stock_files
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted
from nliprobe.templates.tables.operations import programs_version
from nliprobe.templates.tables.real import Real

# To be increased when the same templates and seed give other pairs than before.
VERSION = 1
WORLDS = ("fictional", "real", "twins")


@dataclass(frozen=True)
class TableParams:
    """The parameters of ``tables``.

    Attributes:
        n: examples per template.
        total: examples of all templates together, instead of ``n``.
        seed: the seed of all draws.
        only: ids, schemas, capabilities or types of reasoning to keep, joined by ``+``.
        world: ``fictional`` (made tables), ``real``, or ``twins`` (real ones, each also with fictional names); the last
            two need ``from``, the corpus of real tables, which is no name of a field in Python.
    """

    n: int | None = None
    total: int | None = None
    seed: int = 0
    only: str = ""
    world: str = "fictional"


@SOURCES.register("tables")
class TableSource(NamedSource):
    """Executable hypotheses about tables: labels, evidence and the label after any edit are computed."""

    corpus_name = "tables"
    title = "Executable hypotheses about tables"
    home = "the package itself"
    licence = "Apache-2.0"
    seeded = True
    executable = True
    breakdowns = ("capability", "reasoning", "category", "world")

    def __init__(self, name: str, library: TableLibrary, params: TableParams, real: Source | None = None) -> None:
        self._name, self.library, self.params, self._real = name, library, params, real
        if params.world not in WORLDS:
            raise UsageError(
                f"world should be {', '.join(WORLDS[:-1])} or {WORLDS[-1]}. {did_you_mean(params.world, WORLDS)}"
            )
        if (params.world == "fictional") == (real is not None):
            needed = "needs no corpus: leave out" if real is not None else "needs the corpus of real tables:"
            raise UsageError(f"world={params.world} {needed} from=CORPUS/SPLIT.")
        self.templates = chosen_templates(library, [name for name in params.only.split("+") if name])
        self._numbers = wanted(self.templates, params.n, params.total)

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> TableSource:
        """Read the templates that a spec string names, with its parameters for drawing."""
        taken, rest = spec.take("from")
        params = rest.build(TableParams)
        real = open_source(taken["from"], roots[0] if len(roots) == 1 else None) if "from" in taken else None
        return cls(str(spec), find_library(spec.argument), params, real)

    @property
    def name(self) -> str:
        """The spec string, which says what is drawn: ``tables?total=3000&seed=7``."""
        return self._name

    def files(self) -> list[Path]:
        """Return the files of schemas and templates, and those of the real tables."""
        return [*self.library.files, *(self._real.files() if self._real is not None else [])]

    def digest(self) -> str:
        """Return a hash of the templates, of what tables are made from, and of the parameters."""
        params = self.params
        real = self._real.digest() if self._real is not None else ""
        chosen = [f"{name} {number}" for name, number in self._numbers.items()]
        contents = digest_files([*self.library.files, *stock_files()])
        return digest(str(VERSION), programs_version(), contents, str(params.seed), params.world, real, *chosen)

    @property
    def asked(self) -> int:
        """How many examples are asked for; twins are two pairs each."""
        return sum(self._numbers.values())

    def suite(self) -> Suite:
        """Return the suite, which can be generated once."""
        return Suite(plan_suite(self.library.templates, self.templates), self._world(), self.params.seed, self._numbers)

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs, table by table."""
        return self.suite().pairs()

    def _world(self) -> World:
        if self._real is None:
            return Fictional(self.params.seed)
        schemas = {template.schema.name: template.schema for template in self.library.templates}
        return Real(self._real, schemas.values(), self.params.seed, twins=self.params.world == "twins")
