"""Lexicons: lists of words with fields that belong together, such as a city with its country."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean, where
from nliprobe.base.hashing import digest
from nliprobe.base.limited import read_limited

TEXT = "text"
# About a million entries, whose columns take 300 MB; the package's largest lexicon has 30 kB.
MOST_BYTES = 20_000_000


@dataclass(frozen=True)
class Lexicon:
    """A list of entries with the same fields; the first, ``text``, is used where no field is named."""

    name: str
    fields: tuple[str, ...]
    entries: tuple[tuple[str, ...], ...]
    # What others have worked out from a field, so that it is done once for each lexicon.
    kept: dict[tuple[str, object], object] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check that there are entries, and that every entry has every field."""
        if not self.entries:
            raise DataError(f"The lexicon {self.name} is empty.")
        if not self.fields or self.fields[0] != TEXT:
            raise DataError(f"The first field of the lexicon {self.name} should be '{TEXT}', not {self.fields[:1]}.")
        if len(set(self.fields)) < len(self.fields):
            raise DataError(f"The lexicon {self.name} names a field twice.")
        for number, entry in enumerate(self.entries, start=1):
            if len(entry) != len(self.fields):
                raise DataError(
                    f"Entry {number} of the lexicon {self.name} has {len(entry)} fields, expected {len(self.fields)}: "
                    f"{', '.join(self.fields)}."
                )

    def column(self, name: str) -> list[str]:
        """Return one field of all entries."""
        if name not in self.fields:
            raise NotFoundError(f"The lexicon {self.name} has no field '{name}'. {did_you_mean(name, self.fields)}")
        place = self.fields.index(name)
        return [entry[place] for entry in self.entries]

    def digest(self) -> str:
        """Return a hash of everything the lexicon holds."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        # Hundreds of templates share a lexicon, and the digest of a checklist has that of each.
        return digest(self.name, *self.fields, *(cell for entry in self.entries for cell in entry))


def lexicon_column(name: str, field: str = TEXT) -> list[str]:
    """Return one field of all entries of a lexicon of the package.

    >>> lexicon_column("MONTH")[:2]
    ['January', 'February']
    """
    lexicon = load_lexicon(name)
    assert isinstance(lexicon, Lexicon), f"{name} is derived, so it has no entries of its own"
    return lexicon.column(field)


def lower_column(name: str, field: str = TEXT) -> list[str]:
    """Return one field of all entries of a lexicon of the package, in lower case."""
    return [text.lower() for text in lexicon_column(name, field)]


@cache
def lexicon_names() -> tuple[str, ...]:
    """Return the names of all lexicons that come with the package, derived ones included."""
    return tuple(sorted([*_files(), *_derived()]))


def load_lexicon(name: str) -> Lexicon | Mapping[str, str]:
    """Return a lexicon of the package by its name; for a derived one, what it is made of (from, if)."""
    if name in _files():
        return _read(name)
    if name in _derived():
        return _derived()[name]
    raise NotFoundError(f"There is no lexicon {name}. {did_you_mean(name, lexicon_names())}")


def read_lexicon(path: Path, name: str) -> Lexicon:
    """Read a lexicon from a file of tab-separated fields with a header; lines that begin with # are comments."""
    text = read_limited(path, MOST_BYTES, "A lexicon of a template has about a million entries at most.")
    return _parse(text.splitlines(), name, str(path))


def make_lexicon(name: str, fields: Sequence[str], entries: Iterable[Sequence[str]]) -> Lexicon:
    """Make a lexicon from plain lists."""
    return Lexicon(name, tuple(fields), tuple(tuple(entry) for entry in entries))


def _parse(lines: Sequence[str], name: str, place: str) -> Lexicon:
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and not line.startswith("#")]
    if not filled:
        raise DataError(f"{place} is empty: it holds no lexicon.")
    rows = [line.split("\t") for _, line in filled]
    for (number, _), row in zip(filled, rows, strict=True):
        if any("\0" in cell for cell in row):
            raise DataError(f"{where(place, number)}: a field has a NUL character, which no text can hold.")
        if len(row) != len(rows[0]):
            raise DataError(
                f"{where(place, number)}: expected {len(rows[0])} fields as in the header, found {len(row)}."
            )
    return make_lexicon(name, rows[0], rows[1:])


@cache
def _read(name: str) -> Lexicon:
    text = (resources.files("nliprobe.language.lexicons") / _files()[name]).read_text(encoding="utf-8")
    return _parse(text.splitlines(), name, _files()[name])


@cache
def _files() -> dict[str, str]:
    folder = resources.files("nliprobe.language.lexicons")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".tsv"))
    return {name.removesuffix(".tsv").replace("-", "_").upper(): name for name in names}


@cache
def _derived() -> dict[str, Mapping[str, str]]:
    from nliprobe.base.yaml_files import read_yaml

    with resources.as_file(resources.files("nliprobe.language.lexicons") / "derived.yaml") as path:
        content = read_yaml(path) if path.is_file() else {}
    return {str(name): entry for name, entry in content.items()} if isinstance(content, dict) else {}
