"""Write the generated part of `docs/reference/table-library.md`: schemas and templates as they are.

python scripts/table_library_page.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from nliprobe.templates.tables.fictional import is_invented, names_of, stock_names
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.records import Field, Schema, TableTemplate

PAGE = Path(__file__).parents[1] / "docs/reference/table-library.md"
MARK = "<!-- What follows is written by scripts/table_library_page.py. -->"


def generated() -> str:
    """Return the part of the page that tells what the library holds."""
    return "\n".join([MARK, "", *_numbers(), *_names(), *_schemas()])


def _numbers() -> Iterator[str]:
    library = load_tables()
    used = {template.schema.name for template in library.templates}
    phrasings = sum(len(template.phrasings) for template in library.templates)
    yield "## How much there is"
    yield ""
    yield (
        f"{len(library.templates)} templates with {phrasings} phrasings over {len(used)} schemas with "
        f"{sum(len(schema.fields) for schema in library.schemas.values())} fields."
    )
    yield ""
    kinds = (kind for template in library.templates for kind in template.reasoning)
    yield from _table(("reasoning", "templates"), _counted(kinds))
    yield from _table(("capability", "templates"), _counted(template.capability for template in library.templates))


def _names() -> Iterator[str]:
    yield "## Names and terms"
    yield ""
    yield "How many there are of each kind; invented names exist nowhere."
    yield ""
    rows = [(f"`{name}`", f"{names_of(name):,}", "yes" if is_invented(name) else "no") for name in stock_names()]
    yield from _table(("maker", "names", "invented"), rows, align=("---", "---:", "---"))


def _schemas() -> Iterator[str]:
    library = load_tables()
    for name, schema in sorted(library.schemas.items()):
        yield f"## {name}"
        yield ""
        yield f"Titles: `{schema.title}`. Categories of real corpora: {', '.join(schema.categories)}."
        yield ""
        yield from _table(("field", "keys", "type", "maker"), [_field(field) for field in schema.fields.values()])
        yield from _table(("template", "program", "says", "forms", "tags"), _templates(schema, library.templates))


def _field(field: Field) -> tuple[str, ...]:
    kind = f"{field.type} of {field.of}s" if field.of else f"{field.type}{f', {field.unit}' if field.unit else ''}"
    return (f"`{field.name}`", ", ".join(field.keys), kind, f"`{field.make}`")


def _templates(schema: Schema, templates: Iterable[TableTemplate]) -> list[tuple[str, ...]]:
    return [_template(template) for template in templates if template.schema.name == schema.name]


def _template(template: TableTemplate) -> tuple[str, ...]:
    forms = dict.fromkeys(form.name for form in template.forms)
    tags = ", ".join([f"**{template.capability}**", *template.reasoning])
    return (
        f"`{template.id}`", f"`{written(template)}`", f"`{template.phrasings[0].text}`", ", ".join(forms), tags,
    )  # fmt: skip


def written(template: TableTemplate) -> str:
    """Return the program with the names of fields instead of keys, as the file has it."""
    from nliprobe.task.program import write_program

    text = write_program(template.program)
    for field in template.schema.fields.values():
        text = text.replace(f'"{field.name}", "{field.unit}"', field.name).replace(f'"{field.name}"', field.name)
    return text


def _counted(names: Iterable[str]) -> list[tuple[str, ...]]:
    return [(name, str(count)) for name, count in sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))]


def _table(
    header: tuple[str, ...], rows: Iterable[tuple[str, ...]], align: tuple[str, ...] | None = None
) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"| {' | '.join(align or ('---',) * len(header))} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def main() -> None:
    """Write the page anew."""
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(head + generated(), encoding="utf-8")


if __name__ == "__main__":
    main()
