"""Read template files: parse their YAML, resolve their names and check them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import NliprobeError, did_you_mean
from nliprobe.language.lexicon import TEXT, make_lexicon, read_lexicon
from nliprobe.templates.evaluate import check_calls
from nliprobe.templates.expression import names_in, parse_expression
from nliprobe.templates.lexicons import Definition, Lexicons
from nliprobe.templates.limits import MOST_DIGITS, MOST_WEIGHT, RANGE_END
from nliprobe.templates.nodes import Node, parse_nodes, read_nodes
from nliprobe.templates.pattern import Alternation, Pattern, Slot, parse_pattern
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.size import check_size
from nliprobe.templates.template import DOUBTFUL, Choice, Domain, Formula, Human, Range, Reading, Template, Variation

_KEYS = (
    "id", "premise", "hypothesis", "label", "because", "draw", "where", "let", "second", "human", "variation", "tags",
    "capability",
)  # fmt: skip
_LETTERS = ("E", "N", "C")
_RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_IDENTITY = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_FILTERED = re.compile(r"\s*([A-Z][A-Z0-9_]*)\s+if\s+(.+)", re.DOTALL)


@dataclass(frozen=True)
class TemplateFile:
    """The templates of one file."""

    path: str
    capability: str
    templates: tuple[Template, ...]


def read_templates(path: Path, only: Container[str] | None = None) -> TemplateFile:
    """Read the templates of a file, or only those with the given ids."""
    return _file(read_nodes(path), str(path), path.parent, only)


def parse_templates(text: str, name: str = "template") -> TemplateFile:
    """Parse the text of a template file."""
    return _file(parse_nodes(text, name), name, Path(), None)


def _file(root: Node, name: str, folder: Path, only: Container[str] | None) -> TemplateFile:
    content = root.mapping("a template file", ("capability", "templates", "lexicons", "about"))
    for key in ("capability", "templates"):
        if key not in content:
            raise TemplateError(root.place, f"a template file needs the key '{key}'.")
    capability = content["capability"].text("capability")
    lexicons = _lexicons(content.get("lexicons"), folder)
    templates: list[Template] = []
    seen: dict[str, Place] = {}
    for node in content["templates"].items("templates"):
        if only is not None and _id(node) not in only:
            continue
        template = _Reader(node, capability, lexicons).template()
        if template.id in seen:
            line = seen[template.id].line
            raise TemplateError(template.place, f"the id is already that of the template in line {line}.")
        seen[template.id] = template.place
        templates.append(template)
    return TemplateFile(name, capability, tuple(templates))


def _id(node: Node) -> str:
    node_id = node.value.get("id") if isinstance(node.value, dict) else None
    return str(node_id.value) if node_id is not None else ""


def _lexicons(node: Node | None, folder: Path) -> Lexicons:
    definitions: dict[str, Definition] = {}
    places: dict[str, Place] = {}
    for name, entry in node.mapping("lexicons").items() if node is not None else ():
        if not _VARIABLE.fullmatch(name) or name[-1].isdigit():
            raise TemplateError(
                entry.place, f"a lexicon's name is in capitals and does not end in a digit, unlike '{name}'."
            )
        places[name] = entry.place
        try:
            definitions[name] = _lexicon(name, entry, folder)
        except TemplateError:
            raise
        except NliprobeError as error:
            raise TemplateError(entry.place, str(error)) from error
    return Lexicons(definitions, places)


def _lexicon(name: str, node: Node, folder: Path) -> Definition:
    if isinstance(node.value, list):
        return make_lexicon(name, [TEXT], [[text] for text in node.texts(f"the lexicon {name}")])
    content = node.mapping(f"the lexicon {name}", ("fields", "entries", "from", "if", "file"))
    if "file" in content:
        return read_lexicon(folder / content["file"].text("file"), name)
    if "from" in content:
        return {key: content[key].text(key) for key in ("from", "if") if key in content}
    if "entries" not in content:
        raise TemplateError(node.place, f"the lexicon {name} needs 'entries', 'from' or 'file'.")
    fields = content["fields"].texts("fields") if "fields" in content else [TEXT]
    return make_lexicon(name, fields, [item.texts("an entry") for item in content["entries"].items("entries")])


class _Reader:
    """Reads one template."""

    def __init__(self, node: Node, capability: str, lexicons: Lexicons) -> None:
        self.content = node.mapping("a template", _KEYS)
        for key in ("id", "premise", "hypothesis", "label", "because"):
            if key not in self.content:
                raise TemplateError(node.place, f"a template needs the key '{key}'.")
        self.id = self.content["id"].text("id")
        if not _IDENTITY.fullmatch(self.id):
            place = self.content["id"].place
            raise TemplateError(place, f"an id has small letters, digits and . _ - between them, unlike '{self.id}'.")
        self.place = node.place._replace(template=self.id)
        self.capability = self.content["capability"].text("capability") if "capability" in self.content else capability
        self.lexicons = lexicons
        self.domains: dict[str, Domain] = {}
        self.lets: dict[str, Formula] = {}

    def template(self) -> Template:
        premise, hypothesis = self._patterns()
        self._draw()
        self._let()
        conditions = self._where()
        first = self._reading(self.content["label"], self.capability, self.content["because"].text("because"))
        second = self._second()
        formulas = [*self.lets.values(), *conditions, first.label, *([second.label] if second else [])]
        for pattern in (premise, hypothesis):
            slots = (part for part in pattern.parts if isinstance(part, Slot))
            formulas += [Formula(pattern.text, slot.expression, slot.place) for slot in slots]
        for formula in formulas:
            check_calls(formula.expression, formula.place)
            self._bind(formula)
        used = {name.name for formula in formulas for name in names_in(formula.expression)}
        unused = [name for name in self.domains if name not in used]
        if unused:
            raise TemplateError(self._at("draw"), f"{unused[0]} is drawn and never used.")
        template = Template(
            self.id, self.place, premise, hypothesis, first, second, self.domains, self.lets, tuple(conditions),
            self._human(), self._variation(), self._tags(),
        )  # fmt: skip
        check_size(template)
        return template

    def _patterns(self) -> tuple[Pattern, Pattern]:
        premise, first = parse_pattern(self.content["premise"].text("premise"), self._at("premise"), 0)
        unnamed = sum(item.name.startswith("ALT") for item in first)
        hypothesis, more = parse_pattern(self.content["hypothesis"].text("hypothesis"), self._at("hypothesis"), unnamed)
        for pattern, key in ((premise, "premise"), (hypothesis, "hypothesis")):
            if not pattern.text.strip():
                raise TemplateError(self._at(key), f"the {key} is empty.")
        for alternation in (*first, *more):
            self._add_alternation(alternation)
        return premise, hypothesis

    def _add_alternation(self, alternation: Alternation) -> None:
        if alternation.name in self.domains:
            raise TemplateError(self.place, f"{alternation.name} is offered twice; write {{{alternation.name}}} again.")
        self.domains[alternation.name] = Choice(alternation.options)

    def _draw(self) -> None:
        node = self.content.get("draw")
        for name, entry in node.mapping("draw").items() if node is not None else ():
            if not _VARIABLE.fullmatch(name):
                raise TemplateError(self._of(entry), f"a variable's name is in capitals, unlike '{name}'.")
            if name in self.domains:
                raise TemplateError(self._of(entry), f"{name} is given twice.")
            self.domains[name] = self._domain(name, entry)

    def _domain(self, name: str, entry: Node) -> Domain:
        place = self._of(entry)
        if isinstance(entry.value, list):
            return _choice(entry.texts(name), (), place)
        if isinstance(entry.value, dict):
            content = entry.mapping(name, ("of", "weights"))
            if "of" not in content:
                raise TemplateError(place, f"{name} needs 'of', a list of what to draw.")
            weights = content["weights"].texts("weights") if "weights" in content else []
            return _choice(content["of"].texts(name), _weights(name, weights, place), place)
        span = _RANGE.fullmatch(entry.value)
        if span is not None:
            return _range(name, span[1], span[2], place)
        filtered = _FILTERED.fullmatch(entry.value)
        if filtered is not None:
            offset = filtered.start(2)
            return self.lexicons.filtered(self.lexicons.get(filtered[1], place), filtered[2], place.moved(offset))
        return self.lexicons.get(entry.value.strip(), place)

    def _let(self) -> None:
        node = self.content.get("let")
        for name, entry in node.mapping("let").items() if node is not None else ():
            if not _VARIABLE.fullmatch(name) or name in self.domains:
                raise TemplateError(self._of(entry), f"'{name}' cannot be the name of a computed value.")
            formula = self._formula(entry, name)
            self._bind(formula)
            self.lets[name] = formula

    def _where(self) -> list[Formula]:
        node = self.content.get("where")
        if node is None:
            return []
        items = node.items("where") if isinstance(node.value, list) else [node]
        return [self._formula(item, "where") for item in items]

    def _reading(self, label: Node, capability: str, because: str) -> Reading:
        text = label.text("label").strip()
        if text in _LETTERS:
            return Reading(
                Formula(text, parse_expression(f"'{text}'", self._of(label)), self._of(label)), capability, because
            )
        if re.fullmatch(r"\w+", text):
            raise TemplateError(self._of(label), f"the label should be E, N, C or an expression, not '{text}'.")
        return Reading(self._formula(label, "label"), capability, because)

    def _second(self) -> Reading | None:
        node = self.content.get("second")
        if node is None:
            return None
        content = node.mapping("second", ("label", "capability", "because"))
        for key in ("label", "because"):
            if key not in content:
                raise TemplateError(self._of(node), f"a second reading needs the key '{key}'.")
        capability = content["capability"].text("capability") if "capability" in content else self.capability
        return self._reading(content["label"], capability, content["because"].text("because"))

    def _human(self) -> Human | None:
        node = self.content.get("human")
        if node is None:
            return None
        if node.value == "doubtful":
            return DOUBTFUL
        content = node.mapping("human", ("label", "confidence"))
        label = content["label"].text("label") if "label" in content else ""
        try:
            confidence = float(content["confidence"].text("confidence")) if "confidence" in content else 1.0
        except ValueError:
            confidence = -1.0
        if label not in _LETTERS or not 0 <= confidence <= 1:
            problem = "human should be 'doubtful', or have a label E, N or C and a confidence from 0 to 1."
            raise TemplateError(self._of(node), problem)
        return Human(label, confidence)

    def _variation(self) -> Variation | None:
        node = self.content.get("variation")
        if node is None:
            return None
        content = node.mapping("variation", ("of", "change"))
        if "of" not in content or "change" not in content:
            raise TemplateError(self._of(node), "a variation needs 'of', the id of a template, and 'change', in words.")
        return Variation(content["of"].text("of"), content["change"].text("change"))

    def _tags(self) -> tuple[str, ...]:
        node = self.content.get("tags")
        return tuple(dict.fromkeys(node.texts("tags"))) if node is not None else ()

    def _formula(self, node: Node, what: str) -> Formula:
        text = node.text(what)
        return Formula(text, parse_expression(text, self._of(node)), self._of(node))

    def _bind(self, formula: Formula) -> None:
        """Resolve every name in a formula; names of lexicons become variables."""
        for name in names_in(formula.expression):
            if name.name in self.domains or name.name in self.lets:
                continue
            lexicon = name.name if name.name in self.lexicons else name.name.rstrip("0123456789").rstrip("_")
            if lexicon not in self.lexicons:
                known = [*self.domains, *self.lets, *self.lexicons.names()]
                raise TemplateError(
                    formula.place.moved(name.at),
                    f"there is no lexicon or value {name.name}. {did_you_mean(name.name, known)}",
                )
            self.domains[name.name] = self.lexicons.get(lexicon, formula.place)

    def _at(self, key: str) -> Place:
        return self._of(self.content[key]) if key in self.content else self.place

    def _of(self, node: Node) -> Place:
        return node.place._replace(template=self.id)


def _range(name: str, first: str, last: str, place: Place) -> Range:
    if max(len(first), len(last)) > MOST_DIGITS or max(abs(int(first)), abs(int(last))) >= RANGE_END:
        raise TemplateError(place, f"the numbers of {name} are too large: both should be below {RANGE_END:,} in size.")
    if int(first) > int(last):
        raise TemplateError(place, f"{name} has no value: {int(first)} is above {int(last)}.")
    return Range(int(first), int(last))


def _weights(name: str, texts: Sequence[str], place: Place) -> tuple[int, ...]:
    if not all(text.isdecimal() and len(text) <= MOST_DIGITS and int(text) > 0 for text in texts):
        raise TemplateError(place, f"the weights of {name} should be whole numbers above 0.")
    weights = tuple(int(text) for text in texts)
    if sum(weights) > MOST_WEIGHT:
        raise TemplateError(place, f"the weights of {name} should be {MOST_WEIGHT:,} together at most.")
    return weights


def _choice(options: Iterable[str], weights: tuple[int, ...], place: Place) -> Choice:
    texts = tuple(options)
    if not texts:
        raise TemplateError(place, "there is nothing to draw from.")
    if len(set(texts)) < len(texts):
        raise TemplateError(place, "something is offered twice; use weights to draw it more often.")
    if weights and len(weights) != len(texts):
        raise TemplateError(place, f"there are {len(weights)} weights for {len(texts)} choices.")
    if all(re.fullmatch(r"-?\d+", text) for text in texts):
        if max(map(len, texts)) > MOST_DIGITS:
            raise TemplateError(place, f"a number has more than {MOST_DIGITS} digits.")
        return Choice(tuple(int(text) for text in texts), weights)
    return Choice(texts, weights)
