"""Parse text files of word vectors once, and keep the result as an array.

100,000 lines of 100 numbers take four seconds to parse, and 0.03 to open as an array with its words, so the parsed
copy is kept in the cache folder. It is looked up by the content of the file, never by its size and time of change,
which a file that was rewritten can have as before; hashing takes about a fortieth of parsing.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from nliprobe.base.errors import DataError, StoreError, where
from nliprobe.base.files import cache_folder, read_json, write_json
from nliprobe.base.hashing import DIGEST_BYTES, digest, digest_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Raised when the same file would be parsed to something else.
_FORMAT = 1
_META = "source.json"
_FILES = ("vectors.npy", "words.txt")
# Lines parsed at once: enough that NumPy's time outweighs Python's, little enough for memory.
_BLOCK = 4096
# The width is the most frequent one among so many lines, because any single line may be odd.
_SAMPLE = 100


def converted(path: Path) -> Path:
    """Return the folder with ``vectors.npy`` and ``words.txt`` made from a text file, made first if need be."""
    whole = digest_file(path)
    target = cache_folder() / "vectors" / digest(str(_FORMAT), path.suffix, whole)
    if _is_whole(target):
        return target
    try:
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=target.parent))
    except OSError as error:
        raise StoreError(f"Cannot write {target.parent}: {error.strerror or error}.") from error
    try:
        content = _convert(path, partial)
        if digest_file(path) != whole:
            raise DataError(f"{path} changed while it was read. Repeat the command once it stays as it is.")
        sizes = {name: (partial / name).stat().st_size for name in _FILES}
        write_json(partial / _META, {"source": str(path), "digest": content, "bytes": sizes})
        try:
            partial.replace(target)
        except OSError:
            if not _is_whole(target):  # else another process was quicker
                raise
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"Cannot keep the vectors of {path} in {target}: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _is_whole(folder: Path) -> bool:
    try:
        sizes = read_json(folder / _META)["bytes"]
        return sizes == {name: (folder / name).stat().st_size for name in _FILES}
    except (OSError, KeyError):
        return False


def source_digest(folder: Path) -> str:
    """Return the hash of the text file that a converted copy was made from."""
    return str(read_json(folder / _META)["digest"])


def _convert(path: Path, folder: Path) -> str:
    import numpy as np

    hasher = blake2b(digest_size=DIGEST_BYTES)
    lines = _lines(path, hasher)
    head = list(islice(lines, _SAMPLE))
    start = 2 if _has_header(head) else 1
    del head[: start - 1]
    width = _width(path, head)
    count = 0
    vectors_file, words_file = (folder / name for name in _FILES)
    with vectors_file.open("wb") as array, words_file.open("wb") as words:
        length = _write_header(array, count, width)
        for block in _blocks(head, lines):
            names, numbers = _parse(path, block, start + count, width)
            array.write(numbers.astype(np.float32).tobytes())
            words.writelines(name + b"\n" for name in names)
            count += len(block)
        array.seek(0)
        if _write_header(array, count, width) != length:
            raise RuntimeError("NumPy no longer leaves room in the header of an array that grows")
        for stream in (array, words):
            stream.flush()
            os.fsync(stream.fileno())
    return hasher.hexdigest()


def _lines(path: Path, hasher: blake2b) -> Iterator[bytes]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as stream:
            for line in stream:
                hasher.update(line)
                yield line.rstrip(b" \t\r\n")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}. Get it again.") from error


def _blocks(head: list[bytes], rest: Iterator[bytes]) -> Iterator[list[bytes]]:
    yield head
    while block := list(islice(rest, _BLOCK)):
        yield block


def _has_header(head: list[bytes]) -> bool:
    """Tell whether the first line counts the words and the numbers per word, as word2vec and fastText write it."""
    pieces = head[0].split(b" ") if head else []
    return len(pieces) == 2 and all(piece.isdigit() for piece in pieces) and all(b.count(b" ") > 1 for b in head[1:])


def _width(path: Path, head: list[bytes]) -> int:
    if not head:
        raise DataError(f"{path} is empty. It should hold one word and its numbers per line.")
    width = Counter(line.count(b" ") for line in head).most_common(1)[0][0]
    if width < 1:
        raise DataError(f"{where(path, 1)}: '{_shown(head[0])}' should be a word and its numbers, separated by spaces.")
    return width


def _write_header(stream: BinaryIO, count: int, width: int) -> int:
    from numpy.lib.format import write_array_header_1_0

    write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": (count, width)})
    return stream.tell()


def _parse(path: Path, lines: list[bytes], first: int, width: int) -> tuple[list[bytes], NDArray[np.float64]]:
    import numpy as np

    # From the right, because some words of GloVe's larger files contain spaces (". . .", "at name@domain.com").
    splits = [
        line.split(b" ", 1) if line.count(b" ") == width else _split_odd(path, line, first + place, width)
        for place, line in enumerate(lines)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            numbers = np.fromstring(b" ".join(numbers for _, numbers in splits), dtype=np.float64, sep=" ")
        except (ValueError, DeprecationWarning):
            numbers = np.empty(0)
    if len(numbers) != len(lines) * width or not np.isfinite(numbers).all():
        _refuse(path, splits, first, width)
    for place, (word, _) in enumerate(splits):
        if not word:
            raise DataError(f"{where(path, first + place)}: there is no word before the numbers.")
        try:
            word.decode("utf-8")
        except UnicodeDecodeError:
            raise DataError(f"{where(path, first + place)}: the word is not UTF-8: {word[:40]!r}.") from None
    return [word for word, _ in splits], numbers.reshape(len(lines), width)


def _split_odd(path: Path, line: bytes, number: int, width: int) -> list[bytes]:
    pieces = line.split(b" ")
    short, word = len(pieces) <= width, b" ".join(pieces[:-width])
    # A word may have spaces, but not end in a number: then the line has too many.
    if short or _number(pieces[-width - 1]) is not None:
        count = sum(_number(piece) is not None for piece in pieces[1:])
        raise DataError(f"{where(path, number)}: '{_shown(line)}' has {count} numbers where most lines have {width}.")
    return [word, b" ".join(pieces[-width:])]


def _refuse(path: Path, splits: list[list[bytes]], first: int, width: int) -> NoReturn:
    for place, (word, rest) in enumerate(splits):
        for piece in rest.split(b" "):
            if (value := _number(piece)) is None or value - value != 0:  # not finite
                raise DataError(
                    f"{where(path, first + place)}: '{_shown(piece)}' in the vector of '{_shown(word)}' is not a "
                    f"number. A word and {width} numbers are expected, separated by single spaces."
                )
    raise DataError(f"{where(path, first)}: these lines do not hold {width} numbers each.")


def _number(piece: bytes) -> float | None:
    try:
        return float(piece)
    except ValueError:
        return None


def _shown(text: bytes) -> str:
    shown = text.decode("utf-8", "replace")
    return shown if len(shown) <= 40 else shown[:40] + "…"
