"""Builds the compact WordNet of the package from the files of Debian's ``wordnet-base``: relations, no glosses.

    apt-get install wordnet-base
    python scripts/build_wordnet.py

The input is the format of wndb(5WN). For each part of speech one file ``NAME.gz`` is written, whose text has a line
with the counts, then three blocks of lines, their fields parted by tabs:

    words       word, numbers of its synsets, the most frequent sense first        (sorted by word)
    synsets     words | hypernyms | antonyms as word>word | similar adjectives      (synset 0, 1, …)
    exceptions  inflected form, its base forms                                      (sorted by form)

The same input gives the same text on every machine; ``manifest.json`` holds its digests. The packed bytes may differ
between builds of zlib, so nothing is ever compared by them.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

VERSION = "WordNet 3.0"
FORMAT = 1
SOURCE = Path("/usr/share/wordnet")
TARGET = Path(__file__).resolve().parent.parent / "src/nliprobe/language/wordnet_data"
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}

# Pointer symbols of wninput(5WN).
HYPERNYMS = ("@", "@i")
ANTONYM = "!"
SIMILAR = "&"

_MARKER = re.compile(r"\((?:a|p|ip)\)$")
_HEADER = re.compile(r"^  \d+ ?")
_SEPARATORS = re.compile(r"[\t\n|>]")


class BuildError(Exception):
    """The input is not what this script was written for."""


class Pointer(NamedTuple):
    """A relation from one synset to another, or between a word of each (counted from 1; 0 means the whole synset)."""

    symbol: str
    offset: int
    part: str
    word: int
    other_word: int


class SourceSynset(NamedTuple):
    """One line of a data file, as far as the package needs it."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


class Built(NamedTuple):
    """The text for one part of speech, and what it holds."""

    text: str
    counts: dict[str, int]


def read_lines(path: Path) -> tuple[list[str], list[str]]:
    """The licence at the head of a database file and the lines below it, after a check of the version."""
    if not path.is_file():
        raise BuildError(f"{path} does not exist. Install Debian's wordnet-base, or name its folder with --source.")
    lines = path.read_text(encoding="ascii").splitlines()
    head = [_HEADER.sub("", line).rstrip() for line in lines if line.startswith("  ")]
    if not any(line.startswith(f"{VERSION} ") for line in head):
        raise BuildError(f"{path} does not say in its first lines that it is {VERSION}. Take that version.")
    return head, [line for line in lines if not line.startswith("  ")]


def read_synset(line: str) -> tuple[int, SourceSynset]:
    """One line of a data file: ``offset file type count word id … count pointer … | gloss``."""
    fields = line.partition(" | ")[0].split()
    count = int(fields[3], 16)
    words = tuple(_MARKER.sub("", word).replace("_", " ") for word in fields[4 : 4 + 2 * count : 2])
    start = 5 + 2 * count
    pointers = []
    for at in range(start, start + 4 * int(fields[start - 1]), 4):
        symbol, offset, part, ends = fields[at : at + 4]
        pointers.append(Pointer(symbol, int(offset), part, int(ends[:2], 16), int(ends[2:], 16)))
    if any(_SEPARATORS.search(word) for word in words):
        raise BuildError(f"The synset {fields[0]} has a word with a separator in it: {words}.")
    return int(fields[0]), SourceSynset(words, tuple(pointers))


def read_index(line: str) -> tuple[str, tuple[int, ...]]:
    """One line of an index file: the word, and the offsets of its synsets in the order of their frequency."""
    fields = line.split()
    count = int(fields[2])
    return fields[0].replace("_", " "), tuple(int(offset) for offset in fields[-count:])


def read_exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    """The exception list of a part of speech: inflected form to base forms; a form may stand on several lines."""
    bases: dict[str, tuple[str, ...]] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        form, *found = (field.replace("_", " ") for field in line.split())
        bases[form] = tuple(dict.fromkeys((*bases.get(form, ()), *found)))
    return bases


def build_part(source: Path, name: str) -> Built:
    """Everything the package holds about one part of speech."""
    code = PARTS[name]
    synsets = dict(read_synset(line) for line in read_lines(source / f"data.{name}")[1])
    words = dict(read_index(line) for line in read_lines(source / f"index.{name}")[1])
    exceptions = read_exceptions(source / f"{name}.exc")
    number = {offset: place for place, offset in enumerate(synsets)}
    counts = dict.fromkeys(("words", "synsets", "exceptions", "senses", "hypernyms", "antonyms", "similar"), 0)

    synset_lines = []
    for offset, synset in synsets.items():
        kept = [pointer for pointer in synset.pointers if pointer.symbol in (*HYPERNYMS, ANTONYM, SIMILAR)]
        # Both hold in the whole of WordNet 3.0, and they make the lines this simple.
        if any(pointer.part != code or pointer.offset not in synsets for pointer in kept):
            raise BuildError(f"data.{name}: the synset {offset:08d} points to another part of speech.")
        if any((pointer.symbol == ANTONYM) != (pointer.word > 0 and pointer.other_word > 0) for pointer in kept):
            raise BuildError(f"data.{name}: the synset {offset:08d} has an antonym that is not of a word, or the like.")
        hypernyms = [str(number[pointer.offset]) for pointer in kept if pointer.symbol in HYPERNYMS]
        similar = [str(number[pointer.offset]) for pointer in kept if pointer.symbol == SIMILAR]
        antonyms = [
            f"{synset.words[pointer.word - 1]}>{synsets[pointer.offset].words[pointer.other_word - 1]}"
            for pointer in kept
            if pointer.symbol == ANTONYM
        ]
        fields = ("|".join(synset.words), " ".join(hypernyms), "|".join(antonyms), " ".join(similar))
        synset_lines.append("\t".join(fields).rstrip("\t"))
        counts["hypernyms"] += len(hypernyms)
        counts["antonyms"] += len(antonyms)
        counts["similar"] += len(similar)

    _check_index(name, words, synsets)
    word_lines = sorted(
        f"{word}\t{' '.join(str(number[offset]) for offset in offsets)}" for word, offsets in words.items()
    )
    exception_lines = sorted(f"{form}\t{'|'.join(bases)}" for form, bases in exceptions.items())
    blocks = {"words": word_lines, "synsets": synset_lines, "exceptions": exception_lines}
    counts.update({block: len(lines) for block, lines in blocks.items()})
    # As wnstats(7WN) counts: spellings of one word that differ in their case only are one sense.
    counts["senses"] = sum(len(offsets) for offsets in words.values())
    head = "\t".join([VERSION, str(FORMAT), name, *(str(len(lines)) for lines in blocks.values())])
    text = "\n".join([head, *(line for lines in blocks.values() for line in lines)]) + "\n"
    return Built(text, counts)


def _check_index(name: str, words: dict[str, tuple[int, ...]], synsets: dict[int, SourceSynset]) -> None:
    """The index and the data must say the same: otherwise lookups from both sides would disagree."""
    from_index = {(word, offset) for word, offsets in words.items() for offset in offsets}
    from_data = {(word.lower(), offset) for offset, synset in synsets.items() for word in synset.words}
    if from_index != from_data:
        some = sorted(from_index ^ from_data)[:3]
        raise BuildError(f"index.{name} and data.{name} do not hold the same senses; they differ in {some}.")


def pack(text: str) -> bytes:
    """A text as gzip without a name and a time, so that it depends on nothing but the text."""
    stream = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=stream, mtime=0) as packed:
        packed.write(text.encode("ascii"))
    return stream.getvalue()


def build(source: Path, target: Path) -> dict[str, object]:
    """Write the files of all parts of speech, the licence and the manifest; returns the manifest."""
    target.mkdir(parents=True, exist_ok=True)
    files = {}
    for name in PARTS:
        built = build_part(source, name)
        (target / f"{name}.gz").write_bytes(pack(built.text))
        files[name] = {"sha256": hashlib.sha256(built.text.encode("ascii")).hexdigest(), **built.counts}
    licence, _ = read_lines(source / "data.noun")
    (target / "LICENSE").write_text("\n".join(licence).strip() + "\n", encoding="ascii")
    manifest: dict[str, object] = {"version": VERSION, "format": FORMAT, "files": files}
    (target / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="ascii")
    return manifest


def main() -> int:
    """Build from the command line and print what was built."""
    parser = argparse.ArgumentParser(description="Build the compact WordNet of the package.")
    parser.add_argument("--source", type=Path, default=SOURCE, help=f"folder of the dict files (default: {SOURCE})")
    parser.add_argument("--target", type=Path, default=TARGET, help="folder to write to (default: the package's)")
    options = parser.parse_args()
    try:
        manifest = build(options.source, options.target)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(manifest, indent=2))
    sizes = {path.name: path.stat().st_size for path in sorted(options.target.iterdir()) if path.is_file()}
    for file, size in sizes.items():
        print(f"{file:<14} {size:>9,} bytes")
    print(f"{'total':<14} {sum(sizes.values()):>9,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
