"""Words that very many texts hold: which ones do is kept beside the full-text index, a bit per text.

To list a million texts that hold *the* takes the full-text index half a second. The bits are read in a millisecond.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.analysis.browse.kept import damaged
from nliprobe.analysis.browse.words import matching
from nliprobe.base.hashing import digest_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Fewer texts are listed in a twentieth of a second.
COMMON = 100_000


def keep_common_words(connection: sqlite3.Connection, common: int = COMMON) -> None:
    """Keep which texts hold each word that at least so many hold, as far as that has changed."""
    last = last_text(connection)
    known = dict(connection.execute("SELECT word, texts FROM common").fetchall())
    words = connection.execute("SELECT term FROM vocabulary WHERE doc >= ?", (common,)).fetchall()
    for (word,) in words:
        # What was added since is searched together with the bits; it is worth keeping when it has grown by a tenth.
        if known.get(word, 0) < last - last // 10:
            content = _bits(connection, word, last).tobytes()
            row = (word, last, digest_bytes(content), content)
            connection.execute("INSERT OR REPLACE INTO common VALUES (?, ?, ?, ?)", row)


def last_text(connection: sqlite3.Connection) -> int:
    """Return the highest number of a text; 0 if there is none."""
    [(last,)] = connection.execute("SELECT coalesce(max(number), 0) FROM texts").fetchall()
    return int(last)


def texts_with(path: Path, connection: sqlite3.Connection, words: tuple[str, ...]) -> NDArray[np.bool_]:
    """Mark the texts, by their numbers, in which some words follow one another."""
    import numpy as np

    marks = np.zeros(last_text(connection) + 1, dtype=bool)
    kept = [] if len(words) > 1 else _kept(connection, words[0])
    covered = 0
    for covered, digest, content in kept:
        if digest_bytes(content) != digest:
            raise damaged(path, "a word was altered")
        marks[: covered + 1] = np.unpackbits(np.frombuffer(content, dtype=np.uint8), count=covered + 1)
    marks[_numbers(connection, words, covered)] = True
    return marks


def _kept(connection: sqlite3.Connection, word: str) -> list[tuple[int, str, bytes]]:
    return connection.execute("SELECT texts, digest, content FROM common WHERE word = ?", (word,)).fetchall()


def _bits(connection: sqlite3.Connection, word: str, last: int) -> NDArray[np.uint8]:
    import numpy as np

    marks = np.zeros(last + 1, dtype=bool)
    marks[_numbers(connection, (word,), 0)] = True
    return np.packbits(marks)


def _numbers(connection: sqlite3.Connection, words: tuple[str, ...], after: int) -> NDArray[np.int64]:
    import numpy as np

    # One long text of numbers is read twice as fast as a row per number.
    found = connection.execute(
        "SELECT group_concat(rowid) FROM words WHERE words MATCH ? AND rowid > ?", (matching(words), after)
    )
    [(numbers,)] = found.fetchall()
    return np.fromstring(numbers or "", dtype=np.int64, sep=",")
