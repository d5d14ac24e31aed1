"""Parse YAML into a tree with the place of every value, within limits that keep small files from becoming large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import yaml

# The largest file of the library has 37 kB; reading 4 MB takes about two seconds.
MOST_BYTES = 4_000_000
# Values of a file, with those that aliases repeat: the largest file of the library has 2,500. Twenty nested aliases can
# stand for a billion. 200,000 values take about 100 MB.
MOST_VALUES = 200_000
# Lists and mappings inside one another: templates and options need five. Python's own stack ends near a thousand.
DEEPEST = 50
# Digits of a number: a float has at most 309 before its point, and a longer integer takes quadratic time to convert.
LONGEST_NUMBER = 100
REMEDY = "Divide it into several files, or move lists of words to files of tab-separated fields."
_TEXT, _LIST, _MAPPING = "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"


class YamlProblem(Exception):
    """A text is not YAML, or breaks a limit; lines and columns are counted from 1."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(problem)
        self.problem, self.line, self.column = problem, line, column


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value as it is written; ``plain`` says that it has no quotation marks, so that it may be a number."""

    text: str
    plain: bool
    quoted: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Tree, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and their values, in the order of the file; a key may come twice."""

    pairs: tuple[tuple[Tree, Tree], ...]
    line: int
    column: int


Tree: TypeAlias = Scalar | Sequence | Mapping


def parse_yaml(text: str) -> Tree | None:
    """Return the one document of a YAML text, or none if it is empty; raise :class:`YamlProblem` for anything else."""
    import yaml

    try:
        return _Builder(text).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        raise YamlProblem(f"this is not YAML ({error.problem or error.context}).", line, column) from error
    except yaml.YAMLError as error:
        raise YamlProblem(f"this is not YAML ({' '.join(str(error).split())}).", 1, 1) from error


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A value with a name: how many values it stands for, and how deep it is."""

    tree: Tree
    values: int
    height: int


class _Builder:
    """Builds the tree from the events of the parser, which are counted as they come: an excess is never built."""

    def __init__(self, text: str) -> None:
        import yaml

        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.anchored: dict[str, _Anchored | None] = {}
        self.values = 0

    def document(self) -> Tree | None:
        import yaml

        tree: Tree | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._problem(event, "a second document begins here, but a file should hold one.")
            elif isinstance(event, yaml.NodeEvent):
                tree, _ = self._tree(event, 0)
        empty = isinstance(tree, Scalar) and tree.plain and not tree.text
        return None if empty else tree

    def _tree(self, event: yaml.NodeEvent, depth: int) -> tuple[Tree, int]:
        """Return the value that begins with an event, and its height: 0 for a scalar."""
        import yaml

        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        before = self.values
        self._count(event, 1)
        if event.anchor is not None:
            if event.anchor in self.anchored:
                raise self._problem(event, f"the anchor '&{event.anchor}' is defined twice.")
            self.anchored[event.anchor] = None
        line, column = _place(event)
        tree: Tree
        height = 0
        if isinstance(event, yaml.ScalarEvent):
            tree = self._scalar(event)
        else:
            self._collection(event, depth)
            pieces: list[Tree] = []
            for inner in self.events:
                if isinstance(inner, yaml.CollectionEndEvent):
                    break
                assert isinstance(inner, yaml.NodeEvent)
                piece, inside = self._tree(inner, depth + 1)
                pieces.append(piece)
                height = max(height, inside + 1)
            if isinstance(event, yaml.SequenceStartEvent):
                tree = Sequence(tuple(pieces), line, column)
            else:
                tree = Mapping(tuple(zip(pieces[::2], pieces[1::2], strict=True)), line, column)
        if event.anchor is not None:
            self.anchored[event.anchor] = _Anchored(tree, self.values - before, height)
        return tree, height

    def _alias(self, event: yaml.AliasEvent, depth: int) -> tuple[Tree, int]:
        if event.anchor not in self.anchored:
            raise self._problem(event, f"the alias '*{event.anchor}' refers to nothing before it.")
        anchored = self.anchored[event.anchor]
        if anchored is None:
            raise self._problem(event, "an alias refers to a value that contains it.")
        self._count(event, anchored.values)
        if depth + anchored.height > DEEPEST:
            raise self._problem(event, f"with its aliases, this is nested more than {DEEPEST} deep.")
        return anchored.tree, anchored.height

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        if event.tag not in (None, "!", _TEXT):
            raise self._problem(event, f"the tag '{_short(event.tag)}' is not read here; leave it out.")
        if not _encodable(event.value):
            raise self._problem(event, "a text has half of a character, a lone surrogate, which no file can hold.")
        plain = bool(event.implicit[0])
        digits = event.value.lstrip("+-") if plain and len(event.value) > LONGEST_NUMBER else ""
        if len(digits) > LONGEST_NUMBER and digits.isdigit():
            problem = f"a number has {len(digits):,} digits; at most {LONGEST_NUMBER} are read."
            raise self._problem(event, problem)
        line, column = _place(event)
        return Scalar(event.value, plain, event.style in ("'", '"'), line, column)

    def _collection(self, event: yaml.NodeEvent, depth: int) -> None:
        tag = getattr(event, "tag", None)
        if tag not in (None, "!", _LIST, _MAPPING):
            raise self._problem(event, f"the tag '{_short(str(tag))}' is not read here; leave it out.")
        if depth >= DEEPEST:
            raise self._problem(event, f"this is nested more than {DEEPEST} deep.")

    def _count(self, event: yaml.Event, values: int) -> None:
        self.values += values
        if self.values > MOST_VALUES:
            raise self._problem(
                event, f"the file has more than {MOST_VALUES:,} values, repeated ones counted. {REMEDY}"
            )

    def _problem(self, event: yaml.Event, problem: str) -> YamlProblem:
        return YamlProblem(problem, *_place(event))


def _place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)


def _short(tag: str | None) -> str:
    return str(tag).replace("tag:yaml.org,2002:", "!!")[:60]


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
