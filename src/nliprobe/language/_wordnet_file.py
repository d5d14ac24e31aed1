"""Read the WordNet inside the package: four packed text files that ``scripts/build_wordnet.py`` writes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.language._wordnet_sources import PARTS, Antonym, Pos, Synset

FOLDER = Path(__file__).with_name("wordnet_data")
_VERSION = "WordNet 3.0"
_FORMAT = "1"

# The rules of detachment of morphy(7WN), with -ves → -f, which NLTK and wn add.
_ENDINGS: dict[Pos, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


class _Key(NamedTuple):
    pos: Pos
    number: int


class _Part(NamedTuple):
    """The lines about one part of speech, unparsed: parsing one on demand is cheaper than holding all parsed."""

    words: list[str]
    synsets: list[str]
    exceptions: list[str]


class FileSource:
    """The built-in WordNet, which reads a part of speech when its first word is asked for.

    Args:
        folder: where the files are.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._parts: dict[Pos, _Part] = {}

    @cached_property
    def version(self) -> str:
        """The name and version of this WordNet, with a digest of its content."""
        import json

        from nliprobe.base.hashing import digest

        path = self._folder / "manifest.json"
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            digests = [str(manifest["files"][pos]["sha256"]) for pos in PARTS]
            return f"{manifest['version']} (built in, {digest(*digests)})"
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise _damaged(path, error) from error

    def senses(self, word: str, pos: Pos) -> tuple[Hashable, ...]:
        """Return the keys of a word's synsets, the most frequent first."""
        numbers = _find(self._part(pos).words, word)
        return tuple(_Key(pos, int(number)) for number in numbers.split()) if numbers else ()

    def synset(self, key: Hashable) -> Synset:
        """Return the synset behind a key."""
        if not isinstance(key, _Key):
            raise TypeError(
                f"{key!r} is not a key of the built-in WordNet. Keys come from senses() of the same source."
            )
        fields = self._part(key.pos).synsets[key.number].split("\t")
        # The builder leaves out empty fields at the end of a line.
        words, hypernyms, antonyms, similar = (*fields, "", "", "")[:4]
        return Synset(
            tuple(words.split("|")),
            tuple(_Key(key.pos, int(number)) for number in hypernyms.split()),
            tuple(Antonym(*pair.split(">")) for pair in antonyms.split("|")) if antonyms else (),
            tuple(_Key(key.pos, int(number)) for number in similar.split()),
        )

    def lemma(self, word: str, pos: Pos) -> str | None:
        """Return the base form of a word, or None if WordNet does not have it."""
        return next(iter(self.lemmas(word, pos)), None)

    def lemmas(self, word: str, pos: Pos) -> tuple[str, ...]:
        """Return all base forms that a word may have, the word itself first."""
        part = self._part(pos)
        exceptions = _find(part.exceptions, word)
        if exceptions:
            forms = exceptions.split("|")
        else:
            forms = [word.removesuffix(old) + new for old, new in _ENDINGS[pos] if word.endswith(old)]
        return tuple(form for form in dict.fromkeys((word, *forms)) if _find(part.words, form))

    def _part(self, pos: Pos) -> _Part:
        part = self._parts.get(pos)
        if part is None:
            part = self._parts[pos] = _read(self._folder / f"{pos}.gz", pos)
        return part


def _read(path: Path, pos: Pos) -> _Part:
    import gzip
    import zlib

    try:
        lines = gzip.decompress(path.read_bytes()).decode("ascii").split("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise _damaged(path, error) from error
    version, *head = lines[0].split("\t")
    if version != _VERSION or head[:2] != [_FORMAT, pos] or len(head) != 5:
        raise _damaged(path, f"its first line is '{lines[0][:80]}'")
    words, synsets, exceptions = (int(count) if count.isdecimal() else -1 for count in head[2:])
    if min(words, synsets, exceptions) < 0 or len(lines) != words + synsets + exceptions + 2:
        raise _damaged(path, f"it has {len(lines) - 1:,} lines, not as many as its first line says")
    return _Part(
        lines[1 : 1 + words],
        lines[1 + words : 1 + words + synsets],
        lines[1 + words + synsets : -1],
    )


def _find(lines: Sequence[str], word: str) -> str:
    """Return what follows a word in sorted lines ``word, tab, something``, or an empty text."""
    start = word + "\t"
    place = bisect_left(lines, start)
    return lines[place][len(start) :] if place < len(lines) and lines[place].startswith(start) else ""


def _damaged(path: Path, what: object) -> DataError:
    return DataError(
        f"{path} is not the WordNet file that belongs to this version of nliprobe: {what}. Install nliprobe again; "
        "in a checkout run: python scripts/build_wordnet.py"
    )
