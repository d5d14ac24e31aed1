"""Plans: templates compiled for generation, so that a case costs a few microseconds.

All expressions of a template are compiled to one layout: the title, the rows of its fields, then its draws and slots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.language.cells.records import Date
from nliprobe.task.program import Call, Const, Program, Slot, write_program
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.execute import Evaluate, compile_program, keys_of
from nliprobe.templates.tables.operations import OPERATIONS, READINGS, Kind, write_day
from nliprobe.templates.tables.phrasing import TITLE, SlotValue, Values, writer
from nliprobe.templates.tables.records import Draw, Form, FromRow, Span, TableTemplate
from nliprobe.templates.tables.values import Value

# Marks the places of keys and slots in the text of a program; JSON never writes this character as it is.
_MARK = re.compile("\x01([ks])(\\w+)\x01")


class PlannedForm(NamedTuple):
    """A form, its name in facets, and the places of its slots in the layout with what computes them."""

    form: Form
    name: str
    steps: tuple[tuple[int, Evaluate], ...]


class ProgramText(NamedTuple):
    """The text of a program with ``%s`` in the place of each slot, and where the values of these are in the layout."""

    pattern: str
    slots: tuple[int, ...]

    def closed(self, layout: Sequence[object]) -> str:
        """Return the text of the closed program, with values for slots."""
        return self.pattern % tuple([written(layout[place]) for place in self.slots])


@dataclass(frozen=True, eq=False)
class Plan:
    """A template ready for generation.

    Attributes:
        template: the template.
        fields: the fields that it uses, in the order of the layout.
        read: the fields that its program reads.
        names: its draws and slots, in the order of the layout.
        first_value: where they begin in the layout.
        draws: the draws, by their places in the layout: members of a row, or what is drawn from.
        needed: the fields that it uses, as a set.
        reads: the fields that its program reads, as a set.
        forms: the forms, by label.
        labels: the labels of the forms in which all rows are there.
        missing: whether a row that the program reads may be hidden.
        run: executes the program.
        writers: write the phrasings.
        pieces: the program's text, and the marks between.
        texts: the program's text for the spellings of keys that came so far.
    """

    template: TableTemplate
    fields: tuple[str, ...]
    read: tuple[str, ...]
    names: tuple[str, ...]
    first_value: int
    draws: tuple[tuple[int, FromRow | Sequence[int | str]], ...]
    needed: frozenset[str]
    reads: frozenset[str]
    forms: Mapping[str, tuple[PlannedForm, ...]]
    labels: tuple[str, ...]
    missing: bool
    run: Evaluate
    writers: tuple[Callable[[Values], str], ...]
    pieces: tuple[str, ...]
    texts: dict[tuple[str, ...], ProgramText] = field(default_factory=dict)

    def program_text(self, keys: Mapping[str, str]) -> ProgramText:
        """Return the canonical text of the program, with the keys as a table spells them."""
        spelled = tuple([keys[name] for name in self.read])
        known = self.texts.get(spelled)
        if known is None:
            known = self.texts[spelled] = self._text(keys)
        return known

    def _text(self, keys: Mapping[str, str]) -> ProgramText:
        pattern, slots = "", []
        for place in range(0, len(self.pieces), 3):
            pattern += self.pieces[place].replace("%", "%%")
            if place + 1 < len(self.pieces):
                kind, name = self.pieces[place + 1 : place + 3]
                pattern += "%s" if kind == "s" else written(keys[name]).replace("%", "%%")
                slots += [self.first_value + self.names.index(name)] if kind == "s" else []
        return ProgramText(pattern, tuple(slots))


def make_plan(template: TableTemplate) -> Plan:
    """Compile a template; what cannot be executed is an error that names the template."""
    read = keys_of(template.program)
    expressions = [expression for form in template.forms for _, expression in form.slots]
    drawn = [draw.field for draw in template.draws.values() if isinstance(draw, FromRow)]
    fields = list(dict.fromkeys([*read, *drawn, *(key for one in expressions for key in keys_of(one))]))
    slots = (name for form in template.forms for name, _ in form.slots)
    names = list(dict.fromkeys([*template.draws, *slots]))
    first = 1 + len(fields)
    places = {TITLE: 0, **{name: place for place, name in enumerate(names, first)}}

    def compiled(program: Program, kinds: Mapping[str, Kind]) -> tuple[Kind, Evaluate]:
        try:
            one = compile_program(program, keys=fields, slots=names, kinds=kinds)
        except DataError as error:
            raise TemplateError(template.place, str(error)) from None
        return one.kind, one.run

    forms: dict[str, tuple[PlannedForm, ...]] = {}
    run: Evaluate | None = None
    for form in template.forms:
        if form.missing:
            continue
        kinds = {name: _drawn_kind(draw) for name, draw in template.draws.items()}
        steps: list[tuple[int, Evaluate]] = []
        for name, expression in form.slots:
            kind, compute = compiled(expression, kinds)
            # A slot holds a date as its text.
            kinds[name] = Kind.TEXT if kind is Kind.DATE else kind
            steps.append((places[name], compute))
        kind, run = compiled(template.program, kinds)
        if kind is not Kind.TRUTH:
            raise TemplateError(template.place, f"the program gives {kind}, but a hypothesis is a statement.")
        forms[form.label] = (*forms.get(form.label, ()), PlannedForm(form, form.name, tuple(steps)))
    assert run is not None  # every template has the forms E and C
    return Plan(
        template,
        tuple(fields),
        tuple(read),
        tuple(names),
        first,
        tuple([(places[name], _choices(draw)) for name, draw in template.draws.items()]),
        frozenset(fields),
        frozenset(read),
        forms,
        tuple(forms),
        any(form.missing for form in template.forms),
        run,
        tuple([writer(phrasing, places) for phrasing in template.phrasings]),
        tuple(_MARK.split(write_program(_marked(template.program)))),
    )


def _choices(draw: Draw) -> FromRow | Sequence[int | str]:
    if isinstance(draw, FromRow):
        return draw
    return range(draw.low, draw.high + 1) if isinstance(draw, Span) else draw.values


def _drawn_kind(draw: Draw) -> Kind:
    if isinstance(draw, FromRow):
        return Kind.TEXT if draw.single else Kind.LIST
    if isinstance(draw, Span) or all(isinstance(value, int) for value in draw.values):
        return Kind.NUMBER
    return Kind.TEXT if all(isinstance(value, str) for value in draw.values) else Kind.ANY


def slot_value(value: Value) -> SlotValue | None:
    """Return a computed value as a slot holds it: a date as its text; None for what no sentence can say.

    Negative numbers, fractions, open numbers and what is unknown are left out.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if value >= 0 and not isinstance(value, bool) else None
    if isinstance(value, Date):
        return write_day(value) if value.years == 1 and not value.about else None
    return _members(value) if type(value) is tuple else None


def written(value: object) -> str:
    """Return the value of a slot as programs write it."""
    if isinstance(value, str):
        return encode_basestring(value)  # what json.dumps does, without an encoder per call
    return f"[{', '.join(map(written, value))}]" if isinstance(value, tuple) else str(value)


def _members(items: Sequence[object]) -> tuple[int | str, ...]:
    return tuple([item for item in items if isinstance(item, int | str)])


def _marked(program: Program) -> Program:
    """Put marks into the places of keys and slots."""
    if isinstance(program, Slot):
        return Slot(f"\x01s{program.name}\x01")
    if not isinstance(program, Call):
        return program
    operation = READINGS.get(program.op) or OPERATIONS.get(program.op)
    takes = operation.takes if operation is not None else ()
    args: list[Program] = []
    for place, item in enumerate(program.args):
        is_key = isinstance(item, Const) and place < len(takes) and takes[place] in (Kind.KEY, Kind.STRETCH)
        args.append(Slot(f"\x01k{item.value}\x01") if is_key and isinstance(item, Const) else _marked(item))
    return Call(program.op, tuple(args))
