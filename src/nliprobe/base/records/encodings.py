"""Decode text files: by their byte order mark, by the encoding a user names, else as UTF-8; never by a guess.

A file that is none of these is an error which names the encoding that its bytes look like, and how to declare it.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from nliprobe.base.errors import DataError, UsageError, where

UTF8 = "utf-8"
# UTF-32 comes first, because its mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, UTF8), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# A file's mark, and whether it has null bytes, shows in this many of its first bytes.
HEAD = 256
# A file is judged by this many of its first bytes after the one that is not UTF-8.
SAMPLE = 1 << 16
# The share of a file's foreign characters that must be common ones before an encoding is named.
_LIKELY = 0.6
# What Western and Central European texts have besides ASCII: letters, and the punctuation that editors insert.
_WESTERN = frozenset("àâäáãåæçéèêëíìîïñóòôöõøœßúùûüÿÀÂÄÁÃÅÆÇÉÈÊËÍÎÏÑÓÔÖÕØÚÜ’‘“”„–—…«»€£°§©®™·½¼¾²³´¡¿\xa0•×º")
_CENTRAL = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűŐŰăîâșțşţöüä’‘“”„–—…«»€§\xa0")
# A character that is not ASCII, and the one before it.
_FOREIGN = re.compile(r"(?s)(?<=(.))([^\x00-\x7f])")
# How common a character is after another one, from 0 to 1, in texts for which an encoding is used.
Commonness = Callable[[str, str], float]


def _western(previous: str, character: str) -> float:
    # Accented letters stand alone among plain ones, and are capitals only where a word begins or is all capitals.
    alone = previous.isascii() or not (previous.isalpha() and character.isalpha())
    return character in _WESTERN and alone and not (previous.islower() and character.isupper())


def _central(previous: str, character: str) -> float:
    return character in _CENTRAL and not (previous.islower() and character.isupper())


def _cyrillic(previous: str, character: str) -> float:
    return "а" <= character <= "я"


def _japanese(previous: str, character: str) -> float:
    # About half of a text is kana; its ideographs are also in Chinese texts.
    return 1.0 if "\u3001" <= character <= "\u30ff" else 0.85 * ("一" <= character <= "\u9fff")


def _korean(previous: str, character: str) -> float:
    return "가" <= character <= "힣"


def _chinese(standard: str, *leads: range) -> Commonness:
    """Tell common characters by their lead byte, because the standards put the frequent ones first."""

    def common(previous: str, character: str) -> float:
        raw = _encoded(character, standard)
        return len(raw) > 0 and any(raw[0] in lead for lead in leads)

    return common


# The encodings that spreadsheets and older tools write. Of GB 2312 and Big5: punctuation and level 1.
_CANDIDATES: tuple[tuple[str, Commonness], ...] = (
    ("cp1252", _western),
    ("mac_roman", _western),
    ("cp850", _western),
    ("cp1250", _central),
    ("cp1251", _cyrillic),
    ("koi8_r", _cyrillic),
    ("shift_jis", _japanese),
    ("euc_jp", _japanese),
    ("euc_kr", _korean),
    ("gb18030", _chinese("gb2312", range(0xA1, 0xA2), range(0xA3, 0xA4), range(0xB0, 0xD8))),
    ("big5", _chinese("big5", range(0xA1, 0xC7))),
)


def marked(head: bytes) -> tuple[str, int]:
    """Return the encoding that the mark at the start of a file declares, and the mark's length; UTF-8 without one."""
    return next(((name, len(mark)) for mark, name in _MARKS if head.startswith(mark)), (UTF8, 0))


def encoding_in(head: bytes, path: Path | str, encoding: str = "") -> tuple[str, int]:
    """Return the encoding to read a file in, by its first bytes and the user's word, and how many bytes to skip.

    Null bytes are valid UTF-8, but a text with one in every second place is UTF-16 without a mark.
    """
    name, skip = marked(head)
    if not skip and encoding:
        name = known(encoding)
    elif not skip and len(head) > 8 and max(head[::2].count(0), head[1::2].count(0)) > 0.4 * len(head):
        raise not_decoded(where(path, 1), 0, UTF8, head)
    return name, skip


@lru_cache
def known(name: str) -> str:
    """Return the name of an encoding as Python has it; an unknown one is an error."""
    try:
        plain = codecs.lookup(name).name
        "".encode(plain)
    except LookupError:
        raise UsageError(f"'{name}' is not an encoding. Common ones are utf-8, utf-16, cp1252, gb18030.") from None
    # Without a byte order mark these are little-endian, as Windows writes them.
    return f"{plain}-le" if plain in ("utf-16", "utf-32") else plain


@lru_cache(maxsize=8)
def likely(sample: bytes) -> str:
    """Return the encoding that bytes which are not UTF-8 look like, or an empty text if none is likely.

    >>> likely("Le café du père Noël, c’est là.".encode("cp1252"))
    'cp1252'
    """
    if sample.count(0) > len(sample) // 5:
        return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
    high = sum(byte > 127 for byte in sample)
    best, highest = "", _LIKELY
    for name, commonness in _CANDIDATES:
        text = " " + codecs.getincrementaldecoder(name)("ignore").decode(sample)
        foreign = Counter(_FOREIGN.findall(text))
        # Bytes that do not decode count against an encoding.
        lost = high - sum(n * len(_encoded(character, name)) for (_, character), n in foreign.items())
        common = sum(n * commonness(*item) for item, n in foreign.items())
        share = common / (foreign.total() + max(0, lost) or 1)
        if share > highest:
            best, highest = name, share
    return best


def not_decoded(place: str, byte: int, encoding: str, sample: bytes) -> DataError:
    """Return the error for a byte that an encoding does not have; for UTF-8 it names the encoding to declare."""
    if encoding != UTF8:
        return DataError(f"{place}: byte 0x{byte:02x} is not {encoding}. Name the file's own encoding with encoding=….")
    name = likely(sample[:SAMPLE])
    looks = f"It looks like {name}: add encoding={name}" if name else "Add encoding=… with the name of its encoding"
    return DataError(f"{place}: byte 0x{byte:02x} is not UTF-8. {looks}, or save the file as UTF-8.")


def _encoded(character: str, name: str) -> bytes:
    try:
        return bytes(byte for byte in character.encode(name) if byte > 127)
    except UnicodeEncodeError:
        return b""
