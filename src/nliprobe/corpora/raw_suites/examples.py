"""Read the examples of a raw file, as CheckList's ``to_raw_file`` writes them: one per line, without labels.

A line is a tuple or a dictionary as Python shows it, the same in JSON, fields between tabs, or a text. Nothing in the
file says which field is the premise, so that the user does, unless the fields have names.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean, where
from nliprobe.base.halves import whole, whole_json
from nliprobe.base.records.encodings import known
from nliprobe.base.records.read import Record
from nliprobe.base.records.text import STRICT, read_lines
from nliprobe.corpora._choice import HYPOTHESIS_NAMES, PREMISE_NAMES, only_column
from nliprobe.corpora._parts import path_and_options

# So many lines decide which form a file has; every line is then read in it.
_LOOKED_AT = 100
_PICKLE = b"\x80"


class Form(StrEnum):
    """How a line holds its example."""

    PYTHON = "python"
    JSONL = "jsonl"
    TSV = "tsv"
    TEXT = "text"


class Example(NamedTuple):
    """A pair, where it is, and the named fields of its line."""

    place: str
    premise: str
    hypothesis: str
    named: Record


@dataclass(frozen=True, slots=True)
class RawOptions:
    """The parameters of a raw file: ``raw.txt?premise=1&hypothesis=2``.

    Attributes:
        premise: the field of the premise, by its number from 1 or by its name.
        hypothesis: the field of the hypothesis.
        separator: what is between premise and hypothesis, if a line is one text.
        form: python, jsonl, tsv or text, if the lines leave it open.
        header: 1 if the first line is not an example, 0 if it is one.
        encoding: of the file, if it is not UTF-8.
    """

    premise: str = ""
    hypothesis: str = ""
    separator: str = ""
    form: str = ""
    header: bool | None = None
    encoding: str = ""


def read_examples(source: str | Path) -> Iterator[Example]:
    """Yield the examples of a raw file, one per line and in their order."""
    path, options = path_and_options(str(source), RawOptions)
    yield from RawFile(Path(path), options).examples()


class RawFile:
    """A raw file and how it is read."""

    def __init__(self, path: Path, options: RawOptions) -> None:
        _require_text(path)
        self._path = path
        self._options = options
        self._encoding = known(options.encoding) if options.encoding else ""
        head = list(islice(self._lines(), _LOOKED_AT))
        if not head:
            raise DataError(f"{path} is empty: it holds no examples.")
        self._form = _form(options.form) if options.form else _guess(head, options)
        names = head[0][1].split("\t") if self._form is Form.TSV else []
        self._header = _is_header(names) if options.header is None else options.header
        self._names = [name.strip() for name in names] if self._header else []
        repeated = [name for place, name in enumerate(self._names) if name in self._names[:place]]
        chosen = (options.premise, options.hypothesis)
        if all(name.isdecimal() and name not in self._names for name in chosen):
            self._names = []  # fields are named by their numbers, whatever the header says
        elif repeated:
            raise DataError(
                f"{where(path, 1)}: the header has '{repeated[0]:.60}' twice. Name fields by their numbers."
            )

    def examples(self) -> Iterator[Example]:
        """Yield the examples in their order; a line that holds none is an error."""
        width = 0
        for number, line in islice(self._lines(), int(self._header), None):
            place = where(self._path, number)
            if not line.strip():
                raise DataError(f"{place}: the line is empty, but every line should hold an example.")
            content = self._parse(line, number)
            if isinstance(content, list | tuple):
                width = width or len(content)
                if len(content) != width:
                    raise DataError(f"{place}: the example has {len(content)} fields, those before it {width}.")
                yield self._of_fields(list(content), place)
            elif isinstance(content, dict):
                yield self._of_names(content, place)
            elif isinstance(content, str):
                yield self._of_text(content, place)
            else:
                raise DataError(f"{place}: an example should be two texts, but this is {content!r:.60}.")

    def _lines(self) -> Iterator[tuple[int, str]]:
        return read_lines(self._path, self._encoding)

    def _parse(self, line: str, number: int) -> object:
        if self._form is Form.TEXT:
            return line
        if self._form is Form.TSV:
            return line.split("\t")
        try:
            return _json(line) if self._form is Form.JSONL else _literal(line)
        except ValueError:
            words = "JSON" if self._form is Form.JSONL else "a tuple or a dictionary as Python shows it"
            hint = " If it is a header, add header=1." if number == 1 else " Write it with file_format='jsonl'."
            raise DataError(
                f"{where(self._path, number)}: this line is not {words}, like the others: '{line:.60}'.{hint}"
            ) from None

    def _of_fields(self, fields: list[object], place: str) -> Example:
        if self._names:
            if len(fields) != len(self._names):
                raise DataError(f"{place}: {len(fields)} fields where the header has {len(self._names)}.")
            return self._of_names(dict(zip(self._names, fields, strict=True)), place)
        if not self._options.premise or not self._options.hypothesis:
            shown = " | ".join(f"{number}: {field!s:.30}" for number, field in enumerate(fields[:6], 1))
            raise UsageError(
                f"{place}: nothing says which of the {len(fields)} fields is the premise ({shown}). Add their numbers "
                f"to the file: {self._path}?premise=1&hypothesis=2, or the other way round."
            )
        premise = self._numbered(fields, "premise", place)
        return Example(place, premise, self._numbered(fields, "hypothesis", place), {})

    def _numbered(self, fields: list[object], what: str, place: str) -> str:
        given: str = getattr(self._options, what)
        if not given.isdecimal() or not 1 <= int(given) <= len(fields):
            raise UsageError(
                f"{place}: '{what}={given}' should be the number of a field, from 1 to {len(fields)}: the fields have "
                "no names."
            )
        return _text(fields[int(given) - 1], what, place)

    def _of_names(self, record: dict[object, object], place: str) -> Example:
        named = {str(name): value for name, value in record.items()}

        def ask(what: str, name: str) -> str:
            return f"{what}={name}"

        def choose(what: str, names: tuple[str, ...], other: str = "") -> str:
            given: str = getattr(self._options, what)
            usual = [given] if given else names
            return only_column(named, usual, what, source=str(self._path), place=place, ask=ask, other=other)

        premise = choose("premise", PREMISE_NAMES)
        hypothesis = choose("hypothesis", HYPOTHESIS_NAMES, premise)
        others = {name: value for name, value in named.items() if name not in (premise, hypothesis)}
        first, second = _text(named[premise], "premise", place), _text(named[hypothesis], "hypothesis", place)
        return Example(place, first, second, others)

    def _of_text(self, text: str, place: str) -> Example:
        between = self._options.separator
        if not between:
            raise UsageError(
                f"{place}: the example is one text, and nothing says where its premise ends: '{text:.60}'. Add what is "
                f"between premise and hypothesis, as in {self._path}?separator=[SEP]."
            )
        pieces = text.split(between)
        if len(pieces) != 2:
            raise DataError(f"{place}: '{between}' should be there once, but is {len(pieces) - 1} times: '{text:.60}'.")
        premise, hypothesis = (piece.strip() for piece in pieces)
        return Example(place, _text(premise, "premise", place), _text(hypothesis, "hypothesis", place), {})


def _require_text(path: Path) -> None:
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}.")
    with path.open("rb") as stream:
        if stream.read(1) == _PICKLE:
            raise DataError(
                f"{path} is a pickled suite, which is a program and not data: nliprobe does not run it. Where "
                "CheckList is installed, write its examples with "
                "suite.to_raw_file('raw.jsonl', file_format='jsonl')."
            )


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        raise UsageError(f"'{text}' is not a form of raw files. {did_you_mean(text, list(Form))}") from None


def _guess(head: list[tuple[int, str]], options: RawOptions) -> Form:
    """Return the form that most of the first lines have: one that is different is said with its place."""
    lines = [line for _, line in head if line.strip()]
    for form, parse in ((Form.JSONL, _json), (Form.PYTHON, _literal)):
        if sum(_parses(parse, line) for line in lines) * 2 > len(lines):
            return form
    tabs = any("\t" in line for line in lines)
    if tabs and options.separator:
        raise UsageError("The lines have tabs, and a separator is given: add form=tsv or form=text.")
    return Form.TSV if tabs else Form.TEXT


def _parses(parse: Callable[[str], object], line: str) -> bool:
    try:
        return isinstance(parse(line), list | tuple | dict | str)
    except ValueError:
        return False


def _is_header(names: list[str]) -> bool:
    """Tell whether a first line has names that no texts have: those of pairs, or those that CheckList writes."""
    plain = [name.strip().lower() for name in names]
    pairs = any(name in PREMISE_NAMES for name in plain) and any(name in HYPOTHESIS_NAMES for name in plain)
    return pairs or plain == ["id", "question1", "question2"]


def _json(line: str) -> object:
    try:
        content: object = STRICT.decode(whole_json(line))
    except RecursionError as error:
        raise ValueError(line) from error
    return content


def _literal(line: str) -> object:
    """Return the value that Python shows as this line; nothing is run. Anything else raises ValueError."""
    if not line.lstrip().startswith(("(", "[", "{")):
        raise ValueError(line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in what is no literal
            content: object = ast.literal_eval(line.strip())
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(line) from error
    return content


def _text(value: object, what: str, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{place}: the {what} should be a text, but is {value!r:.60}.")
    return whole(value)
