"""Read files of schemas and table templates; errors name file, line and template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import DataError, NliprobeError, did_you_mean
from nliprobe.language.cells.records import CellType
from nliprobe.task.program import Call, Const, Program, Slot, parse_program, slots_of
from nliprobe.templates.limits import RANGE_END
from nliprobe.templates.nodes import Node, parse_nodes, read_nodes
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.tables.makers import fields_needed, read_maker
from nliprobe.templates.tables.operations import OPERATIONS, READINGS, Kind
from nliprobe.templates.tables.phrasing import TITLE, Phrasing, parse_phrasing
from nliprobe.templates.tables.records import Draw, Field, Form, FromRow, Options, Schema, Span, TableTemplate

_FILE_KEYS = ("schema", "title", "categories", "fields", "templates", "about")
_FIELD_KEYS = ("type", "of", "unit", "keys", "make")
_TEMPLATE_KEYS = (
    "id", "program", "draw", "E", "N", "C", "hypothesis", "reasoning", "capability", "because",
)  # fmt: skip
_NEEDED = ("id", "program", "hypothesis", "reasoning", "capability", "because")
_TYPES = {str(kind): kind for kind in CellType}
_IDENTITY = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RANGE = re.compile(r"\s*(-?\d{1,18})\s*\.\.\s*(-?\d{1,18})\s*")
_WHOLE = re.compile(r"-?\d{1,18}")
_MEMBERS = {"item": (False, True), "items": (False, False), "other": (True, True), "others": (True, False)}
MISSING = "missing"


@dataclass(frozen=True)
class TableFile:
    """What one file holds: a schema, templates of a schema, or both."""

    schema: Schema | None
    about: str
    root: Node


def read_file(path: Path) -> TableFile:
    """Read the schema of a file, if it has one; its templates are read when all schemas are known."""
    return _file(read_nodes(path))


def parse_file(text: str, name: str = "tables") -> TableFile:
    """Read a file from its text."""
    return _file(parse_nodes(text, name))


def is_table_file(root: Node) -> bool:
    """Tell whether a template file is about tables: it names a schema."""
    return isinstance(root.value, dict) and "schema" in root.value


def templates_of(file: TableFile, schemas: Mapping[str, Schema]) -> list[TableTemplate]:
    """Read the templates of a file."""
    content = file.root.mapping("a file of table templates", _FILE_KEYS)
    if "templates" not in content:
        return []
    name = content["schema"].text("schema")
    if name not in schemas:
        place = content["schema"].place
        raise TemplateError(place, f"there is no schema '{name}'. {did_you_mean(name, schemas)}")
    templates = [_Reader(node, schemas[name]).template() for node in content["templates"].items("templates")]
    require_distinct(templates)
    return templates


def require_distinct(templates: Iterable[TableTemplate]) -> None:
    """Refuse two templates of one name."""
    seen: dict[str, Place] = {}
    for template in templates:
        if template.id in seen:
            raise TemplateError(template.place, f"the id is already that of the template at {seen[template.id]}.")
        seen[template.id] = template.place


def _file(root: Node) -> TableFile:
    content = root.mapping("a file of table templates", _FILE_KEYS)
    if "schema" not in content:
        raise TemplateError(root.place, "a file of table templates needs the key 'schema'.")
    if "fields" not in content and "templates" not in content:
        raise TemplateError(root.place, "the file has neither 'fields', which define the schema, nor 'templates'.")
    schema = _schema(content, root) if "fields" in content else None
    if schema is None and ("title" in content or "categories" in content):
        raise TemplateError(root.place, "the file says more about the schema but has no 'fields'.")
    return TableFile(schema, content["about"].text("about") if "about" in content else "", root)


def _schema(content: Mapping[str, Node], root: Node) -> Schema:
    name = content["schema"].text("schema")
    for key in ("title", "categories"):
        if key not in content:
            raise TemplateError(root.place, f"the schema {name} needs the key '{key}'.")
    _maker(content["title"], {})
    categories = tuple(content["categories"].texts("categories"))
    if not categories:
        raise TemplateError(content["categories"].place, f"the schema {name} needs at least one category.")
    fields: dict[str, Field] = {}
    keys: dict[str, str] = {}
    for field, node in content["fields"].mapping("fields").items():
        if not _NAME.fullmatch(field) or field in (TITLE, *READINGS, *OPERATIONS):
            raise TemplateError(node.place, f"a field's name is a word that is no operation, unlike '{field}'.")
        fields[field] = _field(field, node, fields)
        for key in fields[field].keys:
            if keys.setdefault(key.casefold(), field) != field:
                raise TemplateError(node.place, f"the key '{key}' is also one of {keys[key.casefold()]}.")
    return Schema(name, root.place, content["title"].text("title"), categories, fields)


def _field(name: str, node: Node, before: Mapping[str, Field]) -> Field:
    content = node.mapping(f"the field {name}", _FIELD_KEYS)
    for key in ("type", "keys", "make"):
        if key not in content:
            raise TemplateError(node.place, f"the field {name} needs the key '{key}'.")
    kind = _type(content["type"])
    of = _type(content["of"]) if "of" in content else None
    if (of is not None) != (kind is CellType.LIST):
        raise TemplateError(
            node.place, f"the field {name} is {'a list and needs' if of is None else 'no list, unlike'} 'of'."
        )
    keys = tuple(content["keys"].texts("keys"))
    if not keys or not all(key.strip() for key in keys):
        raise TemplateError(content["keys"].place, f"the field {name} needs at least one key.")
    _maker(content["make"], before)
    unit = content["unit"].text("unit") if "unit" in content else ""
    return Field(name, kind, of, keys, content["make"].text("make"), unit)


def _type(node: Node) -> CellType:
    text = node.text("type")
    if text not in _TYPES:
        raise TemplateError(node.place, f"there is no type '{text}'. {did_you_mean(text, _TYPES)}")
    return _TYPES[text]


def _maker(node: Node, before: Mapping[str, Field]) -> None:
    text = node.text("make")
    try:
        read_maker(text)
        missing = sorted(fields_needed(text) - set(before))
    except NliprobeError as error:
        raise TemplateError(node.place, str(error)) from None
    if missing:
        raise TemplateError(node.place, f"'{text}' refers to {missing[0]}, which is no field before this one.")


class _Reader:
    """Reads one template."""

    def __init__(self, node: Node, schema: Schema) -> None:
        self.content = node.mapping("a table template", _TEMPLATE_KEYS)
        for key in _NEEDED:
            if key not in self.content:
                raise TemplateError(node.place, f"a table template needs the key '{key}'.")
        self.schema = schema
        self.id = self.content["id"].text("id")
        if not _IDENTITY.fullmatch(self.id):
            place = self.content["id"].place
            raise TemplateError(place, f"an id has small letters, digits and . _ - between them, unlike '{self.id}'.")
        self.place = node.place._replace(template=self.id)
        self.draws: dict[str, Draw] = {}

    def template(self) -> TableTemplate:
        program = self._program(self.content["program"])
        self._draw()
        forms = self._forms()
        phrasings = self._phrasings()
        template = TableTemplate(
            self.id, self.place, self.schema, program, self.draws, forms, phrasings,
            tuple(self.content["reasoning"].texts("reasoning")), self.content["capability"].text("capability"),
            self.content["because"].text("because"),
        )  # fmt: skip
        self._complete(template)
        return template

    def _program(self, node: Node) -> Program:
        try:
            return self._keyed(parse_program(node.text("program")))
        except DataError as error:
            raise self._error(node, str(error)) from None

    def _keyed(self, program: Program) -> Program:
        """Put the names of fields into readings as constants, with the unit that the schema gives."""
        if not isinstance(program, Call):
            return program
        takes = READINGS[program.op].takes if program.op in READINGS else ()
        if not takes and program.op in OPERATIONS:
            takes = OPERATIONS[program.op].takes
        args: list[Program] = []
        for place, item in enumerate(program.args):
            wanted = takes[place] if place < len(takes) else Kind.ANY
            args.append(self._field(item) if wanted in (Kind.KEY, Kind.STRETCH) else self._keyed(item))
        if program.op in ("number", "money") and len(args) == 1 and isinstance(args[0], Const):
            unit = self.schema.fields[str(args[0].value)].unit
            args += [Const(unit)] if unit else []
        return Call(program.op, tuple(args))

    def _field(self, item: Program) -> Program:
        if isinstance(item, Call):
            return self._keyed(item)
        name = item.name if isinstance(item, Slot) else str(item.value)
        if name not in self.schema.fields:
            raise DataError(
                f"The schema {self.schema.name} has no field '{name}'. {did_you_mean(name, self.schema.fields)}"
            )
        return Const(name)

    def _draw(self) -> None:
        node = self.content.get("draw")
        for name, entry in node.mapping("draw").items() if node is not None else ():
            if not _NAME.fullmatch(name) or name in self.schema.fields or name == TITLE:
                raise self._error(entry, f"'{name}' cannot be drawn: a draw has a name of its own, no field's.")
            self.draws[name] = self._domain(name, entry)

    def _domain(self, name: str, entry: Node) -> Draw:
        if isinstance(entry.value, list):
            values = [int(text) if _WHOLE.fullmatch(text) else text for text in entry.texts(name)]
            if not values:
                raise self._error(entry, f"{name} is drawn from an empty list.")
            return Options(tuple(values))
        text = entry.text(name)
        span = _RANGE.fullmatch(text)
        if span is not None:
            low, high = int(span[1]), int(span[2])
            if low > high or max(-low, high) > RANGE_END:
                raise self._error(entry, f"the range {text} is empty or too large.")
            return Span(low, high)
        return self._members(name, text, entry)

    def _members(self, name: str, text: str, entry: Node) -> Draw:
        expected = "expected a range 1..12, a list, item(FIELD), items(FIELD, 2), other(FIELD) or others(FIELD, 2)"
        try:
            call = parse_program(text)
        except DataError:
            call = Const(text)
        if not isinstance(call, Call) or call.op not in _MEMBERS:
            raise self._error(entry, f"{name} cannot be drawn from '{text}': {expected}.")
        others, single = _MEMBERS[call.op]
        match call.args:
            case (Slot(name=field),) if single:
                count = 1
            case (Slot(name=field), Const(value=int() as count)) if not single and count > 0:
                pass
            case _:
                raise self._error(entry, f"{name} cannot be drawn from '{text}': {expected}.")
        if field not in self.schema.fields:
            known = did_you_mean(field, self.schema.fields)
            raise self._error(entry, f"the schema {self.schema.name} has no field '{field}'. {known}")
        return FromRow(field, count, others, single)

    def _forms(self) -> tuple[Form, ...]:
        forms: list[Form] = []
        for label in ("E", "C"):
            if label not in self.content:
                raise TemplateError(
                    self.place, f"a table template needs the form {label}; a form without slots is {{}}."
                )
            node = self.content[label]
            forms += [self._form(label, item) for item in (node.value if isinstance(node.value, list) else [node])]
        node_n = self.content.get("N")
        for item in [None] if node_n is None else node_n.value if isinstance(node_n.value, list) else [node_n]:
            if item is None or item.value == MISSING:
                forms.append(Form("N", (), missing=True))
            else:
                forms.append(self._form("N", item))
        return tuple(forms)

    def _form(self, label: str, node: Node) -> Form:
        if isinstance(node.value, str):
            raise self._error(node, f"the form {label} should be a mapping of slots to values, or 'missing' for N.")
        slots: list[tuple[str, Program]] = []
        for name, entry in node.mapping(f"the form {label}").items():
            if not _NAME.fullmatch(name) or name in self.schema.fields or name == TITLE or name in self.draws:
                raise self._error(entry, f"'{name}' cannot be a slot: a slot has a name of its own.")
            slots.append((name, self._program(entry)))
        return Form(label, tuple(slots))

    def _phrasings(self) -> tuple[Phrasing, ...]:
        node = self.content["hypothesis"]
        items = node.value if isinstance(node.value, list) else [node]
        phrasings = tuple([parse_phrasing(item.text("hypothesis"), self._of(item)) for item in items])
        if not phrasings or any(not phrasing.text.strip() for phrasing in phrasings):
            raise self._error(node, "the hypothesis is empty.")
        return phrasings

    def _complete(self, template: TableTemplate) -> None:
        """Refuse names without a value: those of the program, of forms and of phrasings."""
        needed = slots_of(template.program)
        for form in template.forms:
            if form.missing:
                continue
            known = set(self.draws)
            for name, expression in form.slots:
                unknown = sorted(slots_of(expression) - known)
                if unknown:
                    raise self._error(
                        self.content[form.label], f"{name} is computed from {unknown[0]}, which has no value."
                    )
                known.add(name)
            for name in sorted(needed - known):
                raise self._error(self.content[form.label], f"the form {form.label} gives no value to {name}.")
            for phrasing in template.phrasings:
                for name in sorted(phrasing.slots - known - {TITLE}):
                    problem = f"'{phrasing.text}' has {name}, which the form {form.label} gives no value."
                    raise self._error(self.content["hypothesis"], problem)

    def _of(self, node: Node) -> Place:
        return node.place._replace(template=self.id)

    def _error(self, node: Node, problem: str) -> TemplateError:
        return TemplateError(self._of(node), problem)
