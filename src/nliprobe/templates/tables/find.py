"""Find table templates: those of the package's library, or a user's file or folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from nliprobe.base.errors import NotFoundError, UsageError, did_you_mean
from nliprobe.base.limited import exists
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.read import TableFile, read_file, require_distinct, templates_of
from nliprobe.templates.tables.records import Schema, TableTemplate

TABLES = "tables"


@dataclass(frozen=True)
class TableLibrary:
    """Schemas, the templates over them, and the files that hold them."""

    schemas: dict[str, Schema]
    templates: tuple[TableTemplate, ...]
    files: tuple[Path, ...]


@lru_cache(maxsize=1)
def load_tables() -> TableLibrary:
    """Return the library of the package."""
    files = [path for folder in ("schemas", "library") for path in sorted((_package() / folder).glob("*.yaml"))]
    return _library(files, {})


def read_tables(path: Path) -> TableLibrary:
    """Read a user's file, or the YAML files of a folder; they may use the schemas of the package."""
    if not exists(path):
        raise NotFoundError(f"There is no file of table templates {path}; '{TABLES}' alone is the package's library.")
    files = tuple(sorted(path.glob("*.yaml"))) if path.is_dir() else (path,)
    if not files:
        raise NotFoundError(f"The folder {path} has no YAML files of table templates.")
    return _library(files, load_tables().schemas)


def find_library(path: str, *, templates: bool = True) -> TableLibrary:
    """Return a user's templates, or the package's without a path; schemas alone do if no ``templates`` are needed."""
    library = read_tables(Path(path)) if path else load_tables()
    if templates and not library.templates:
        raise UsageError(f"{path} has schemas but no table templates.")
    return library


def stock_files() -> list[Path]:
    """Return the files that made tables come from: names and terms, and the schemas of the package."""
    stock = [path for path in (_package() / "stock").iterdir() if path.suffix in (".txt", ".yaml")]
    return sorted([*stock, *(_package() / "schemas").glob("*.yaml")])


def chosen_templates(library: TableLibrary, only: Sequence[str]) -> list[TableTemplate]:
    """Return the templates of these ids, schemas, capabilities or kinds of reasoning; all without any."""
    known = {label for template in library.templates for label in labels_of(template)}
    for wanted in only:
        if wanted not in known:
            raise NotFoundError(
                f"There is no table template, schema or capability '{wanted}'. {did_you_mean(wanted, known)}"
            )
    return [one for one in library.templates if not only or not labels_of(one).isdisjoint(only)]


def labels_of(template: TableTemplate) -> frozenset[str]:
    """Return the names by which a template can be chosen."""
    return frozenset([template.id, template.schema.name, template.capability, *template.reasoning])


def _package() -> Path:
    return Path(str(resources.files("nliprobe.templates.tables")))


def _library(files: Sequence[Path], schemas: dict[str, Schema]) -> TableLibrary:
    read: list[TableFile] = [read_file(path) for path in files]
    own: dict[str, Schema] = {}
    for file in read:
        if file.schema is None:
            continue
        if file.schema.name in own:
            raise TemplateError(
                file.schema.place, f"the schema {file.schema.name} is also in {own[file.schema.name].place}."
            )
        own[file.schema.name] = file.schema
    known = {**schemas, **own}
    templates = tuple([template for file in read for template in templates_of(file, known)])
    require_distinct(templates)
    return TableLibrary(known, templates, tuple(files))
