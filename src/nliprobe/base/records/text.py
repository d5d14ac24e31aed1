"""Read text files, also packed ones, line by line or whole, and the JSON in them; errors name the line or column."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

from nliprobe.base.errors import DataError, where
from nliprobe.base.halves import whole, whole_json
from nliprobe.base.records.encodings import HEAD, SAMPLE, UTF8, encoding_in, not_decoded
from nliprobe.base.records.json_shapes import Record

# Long documents serve as premises, but no line, field or unpacked JSON value of a corpus is longer than this: what is
# comes from a few bytes that unpack to gigabytes, or from a quote that is never closed. The csv module's own limit is
# 131,072 characters per field.
LONGEST = 1 << 26
_BUFFER = 1 << 17


def read_lines(path: Path, encoding: str = "") -> Iterator[tuple[int, str]]:
    """Number the lines of a text file (also gzipped), split at ``\\n`` and ``\\r\\n`` only.

    A file without these is split at ``\\r``. It is UTF-8 unless its byte order mark or ``encoding`` says otherwise.
    ``str.splitlines`` would also split at U+2028, U+0085 and others, which occur inside texts.
    """
    number = 0
    try:
        with _open(path) as stream:
            name, end = _start(stream, path, encoding)
            if name.startswith(("utf-16", "utf-32")) or end == "\r":
                with io.TextIOWrapper(stream, name, newline=end) as text:
                    for number, line in enumerate(iter(partial(text.readline, LONGEST), ""), 1):
                        if len(line) == LONGEST:
                            raise _too_long(path, number)
                        yield number, whole(line).removesuffix("\n").removesuffix("\r")
                return
            # Bytes are split before they are decoded, so that an error has the right line.
            for number, raw in enumerate(iter(partial(stream.readline, LONGEST), b""), 1):
                if len(raw) == LONGEST:
                    raise _too_long(path, number)
                try:
                    line = raw.decode(name)
                except UnicodeDecodeError as error:
                    sample = raw + stream.read(SAMPLE)
                    raise not_decoded(where(path, number), raw[error.start], name, sample) from error
                if name != UTF8:
                    line = whole(line)
                yield number, line.removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        # A piece of many lines was decoded at once.
        place = where(path, number + 1 + error.object[: error.start].count(b"\r"))
        rest = error.object[error.start :]
        raise not_decoded(place, rest[0], error.encoding, rest) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error


def read_pieces(path: Path, encoding: str = "") -> Iterator[str]:
    """Yield the text of a file piece by piece, decoded as :func:`read_lines` does."""
    lines = 1
    try:
        with _open(path) as stream:
            name, _ = _start(stream, path, encoding)
            decoder = codecs.getincrementaldecoder(name)()
            while raw := stream.read(_BUFFER):
                piece = decoder.decode(raw)
                lines += piece.count("\n")
                yield piece if name == UTF8 else whole(piece)
            yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        place = where(path, lines + error.object[: error.start].count(b"\n"))
        rest = error.object[error.start :]
        raise not_decoded(place, rest[0], error.encoding, rest) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error


def first_character(path: Path, encoding: str = "") -> str:
    """Return the first character of a file that is not white space, if it comes early; a wrong byte is none."""
    try:
        with _open(path) as stream:
            name, _ = _start(stream, path, encoding)
            return stream.read(HEAD).decode(name, "ignore").lstrip()[:1]
    except (DataError, EOFError, OSError, zlib.error):
        return ""


def read_text(path: Path, encoding: str = "") -> str:
    """Return the text of a file, decoded as :func:`read_lines` does; a wrong byte is reported with its line."""
    try:
        with _open(path) as stream:
            # A file on disk shows its size; one that is packed may hold a thousand times more.
            content = stream.read(LONGEST + 1) if path.suffix == ".gz" else stream.read()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error
    if path.suffix == ".gz" and len(content) > LONGEST:
        raise DataError(
            f"{path} holds more than {LONGEST >> 20} MB once it is unpacked, and must be held whole. Write it as JSON "
            "lines (.jsonl.gz), which are read one by one, or unpack it first."
        )
    return decoded(content, path, encoding)


def decoded(content: bytes, path: Path | str, encoding: str = "") -> str:
    """Return the text in the bytes of a file; a wrong byte is reported with its line."""
    name, skip = _encoding(content[:HEAD], path, encoding)
    try:
        text = content[skip:].decode(name)
        return text if name == UTF8 else whole(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start + skip) + 1
        raise not_decoded(where(path, line), error.object[error.start], name, error.object[error.start :]) from error


def encoding_of(path: Path, encoding: str = "") -> str:
    """Return the encoding in which a file is read: that of its byte order mark, else the named one, else UTF-8."""
    with _open(path) as stream:
        return _start(stream, path, encoding)[0]


def parse_json(text: str, place: str, *, pairs: Callable[[list[tuple[str, object]]], Record] | None = None) -> object:
    """Parse JSON; errors name the place, and a key given twice in an object is an error.

    ``pairs`` makes an object from its keys and values, for callers that treat repeated keys differently.
    """
    try:
        decoder = STRICT if pairs is None else json.JSONDecoder(object_pairs_hook=pairs)
        # A file that was decoded holds no half of a character, but an escape can stand for one.
        content: object = decoder.decode(whole_json(text) if "\\ud" in text or "\\uD" in text else text)
        return content
    except json.JSONDecodeError as error:
        refuse_syntax(place, error.msg, error.lineno, error.colno, error)
    except (ValueError, RecursionError) as error:
        refuse_value(place, error)


def refuse_syntax(place: str, what: str, line: int, column: int, error: Exception | None) -> NoReturn:
    """Raise the error for a text that is not JSON."""
    spot = f"column {column}" if line == 1 else f"line {line}, column {column}"
    raise DataError(f"{place}: this is not JSON ({what}, {spot}).") from error


def refuse_value(place: str, error: ValueError | RecursionError) -> NoReturn:
    """Raise the error for JSON that cannot be taken as it is: a key given twice, or what Python does not parse."""
    if isinstance(error, DataError):
        raise DataError(f"{place}: {error}.") from error
    if isinstance(error, RecursionError):
        raise DataError(f"{place}: this is not JSON that can be read (it is nested too deeply).") from error
    # The only other thing that Python refuses: it takes time that grows with the square of the digits.
    digits = sys.get_int_max_str_digits()
    raise DataError(f"{place}: a number has more than {digits:,} digits. Write it as a text, in quotes.") from error


def _open(path: Path) -> BinaryIO:
    if path.suffix != ".gz":
        return path.open("rb")
    # A buffer around it, because the lines of a gzip file are otherwise cut by Python code.
    return io.BufferedReader(gzip.GzipFile(path), _BUFFER)


def _too_long(path: Path, number: int) -> DataError:
    return DataError(
        f"{where(path, number)}: the line is longer than {LONGEST >> 20} MB. Expected one record per line: is this the "
        "right file, and its format the one that its name says?"
    )


def _start(stream: BinaryIO, path: Path, encoding: str) -> tuple[str, Literal["\n", "\r"]]:
    """Return the encoding of a file and what ends its lines, and go to the first byte after its mark."""
    head = stream.read(HEAD)
    name, skip = _encoding(head, path, encoding)
    stream.seek(skip)
    # Spreadsheets on a Mac used to end lines like this. A return at the end of the head may be followed by a line feed.
    returns = b"\r" in head.rstrip(b"\r") and b"\n" not in head
    return name, "\r" if returns else "\n"


def _encoding(head: bytes, path: Path | str, encoding: str) -> tuple[str, int]:
    """Return the encoding of a file and how many bytes to skip; most begin with ASCII, which needs no closer look."""
    if not encoding and head.isascii() and 0 not in head:
        return UTF8, 0
    return encoding_in(head, path, encoding)


def _unique(items: list[tuple[str, object]]) -> Record:
    record = dict(items)
    if len(record) != len(items):
        times = Counter(key for key, _ in items)
        raise DataError(f"the key '{next(key for key in times if times[key] > 1):.80}' is given twice")
    return record


# Made once: json.loads would make a decoder for every line.
STRICT = json.JSONDecoder(object_pairs_hook=_unique)
