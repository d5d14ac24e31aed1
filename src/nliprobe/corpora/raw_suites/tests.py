"""Read what is known about the tests of a suite: a file with a row per example, or the ranges of lines per test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, option
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Format, Record
from nliprobe.base.records.text import parse_json, read_text
from nliprobe.corpora._parts import path_and_options
from nliprobe.task.labels import LabelMap, LabelSet

_ASKED = "entailment,neutral,contradiction"


class Kind(StrEnum):
    """What a test expects: a label, an answer that does not change, or one that changes in a direction."""

    MFT = "MFT"
    INV = "INV"
    DIR = "DIR"


class About(NamedTuple):
    """What is known about an example: its test and test case, and what it expects; empty where nothing is known."""

    test: str = ""
    case: str = ""
    capability: str = ""
    kind: Kind | None = None
    label: LabelSet | None = None
    expects: str = ""


@dataclass(frozen=True, slots=True)
class TestOptions(ReadOptions):
    """The parameters of a file of tests, as in ``tests.csv?label=expected``; by default columns have these names.

    Attributes:
        test: the column of the test's name, by default test_name.
        case: the column of the test case, by default test_case.
        capability: the column of the capability.
        type: the column of MFT, INV or DIR.
        label: the column of the expected label.
        expects: the column of rules that DIR tests keep, as ``file:`` has them.
    """

    test: str = ""
    case: str = ""
    capability: str = ""
    type: str = ""
    label: str = ""
    expects: str = ""


# The names of columns: the first is that of suite.to_dict().
_NAMES = {
    "test": ("test_name", "test"),
    "case": ("test_case", "case"),
    "capability": ("capability",),
    "type": ("type", "test_type"),
    "label": ("label",),
    "expects": ("expects",),
}


def read_tests(source: str | Path, labels: LabelMap) -> Iterator[About]:
    """Yield what a file knows about each example, in their order: a row each, or ranges of lines of the raw file."""
    path, options = path_and_options(str(source), TestOptions)
    files = options.files_at(Path(path))
    if len(files) == 1 and files[0].format is Format.JSON:
        content = parse_json(read_text(files[0].path, files[0].encoding), path)
        if isinstance(content, dict) and content and all(_is_range(item) for item in content.values()):
            yield from _of_ranges({name: (item[0], item[1]) for name, item in content.items()}, path)
            return
    for file in files:
        for number, record in file.records():
            about = about_of(record, labels, file.where(number), options)
            if not about.test:
                column(record, [options.test] if options.test else _NAMES["test"], file.where(number), "test")
                raise DataError(f"{file.where(number)}: the row does not name its test.")
            yield about


def about_of(record: Record, labels: LabelMap, place: str, options: TestOptions | None = None) -> About:
    """Return what a record says about the test of an example."""
    named = options or TestOptions()

    def cell(what: str) -> str:
        given: str = getattr(named, what)
        found = column(record, [given], place, what) if given else guess_column(record, _NAMES[what])
        value = None if found is None else record[found]
        return "" if value is None else str(value).strip()

    return About(
        cell("test"),
        cell("case"),
        cell("capability"),
        _kind(cell("type"), place),
        _label(cell("label"), labels, place),
        cell("expects"),
    )


def _kind(text: str, place: str) -> Kind | None:
    if not text:
        return None
    try:
        return Kind(text.upper())
    except ValueError:
        raise DataError(f"{place}: the type of a test should be MFT, INV or DIR, not '{text:.40}'.") from None


def _label(text: str, labels: LabelMap, place: str) -> LabelSet | None:
    try:
        return labels.read(text)
    except DataError as error:
        raise DataError(f"{place}: {str(error).replace(f'labels={_ASKED}', option('labels', _ASKED))}.") from error


def _is_range(item: object) -> bool:
    return isinstance(item, list) and len(item) == 2 and all(type(end) is int for end in item)


def _of_ranges(ranges: Mapping[str, tuple[int, int]], path: str) -> Iterator[About]:
    """Yield the tests of ranges as CheckList keeps them: from the first line, counted from 0, up to before the last."""
    at = 0
    for name, (start, end) in sorted(ranges.items(), key=lambda item: item[1]):
        if start != at or end < start:
            raise DataError(
                f"{path}: the test '{name:.60}' has the lines from {start} to {end}, but those before it end at {at}. "
                "Expected the test_ranges that the suite has after to_raw_file."
            )
        yield from [About(name)] * (end - start)
        at = end
