"""Make hostile inputs from real ones: the same seed, target and number give the same bytes in every process."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

# A repeated piece grows to this many bytes: enough that a parser of quadratic time is caught by the clock.
LONGEST_REPEAT = 1 << 16
# Inputs are cut here, so that mutations of mutations stay small.
LONGEST = 1 << 18
_MOST_MUTATIONS = 6
_STAYS_TEXT = 0.7

# What parsers of text stumble over, whatever their format.
TOKENS: tuple[bytes, ...] = (
    b'"', b"'", b'""', b'"""', b"\\", b"\\u", b"\\ud83d", b"\\ud83d\\ude00", b"\\ude00", b"\\x00",
    b"[", b"]", b"{", b"}", b"[[", b"}}", b"{}", b"[]", b"(", b")", b"<", b">", b"/>", b"</", b",", b";", b"|", b":",
    b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b"\x00", b"\x0b", b"\x0c", b"\x1b[31m", b"\x7f", b"\x85", b"\xa0",
    # Byte order marks, lone surrogates as some tools encode them, bytes that no encoding has.
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff",
    b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80",
    b"\xc0\x80", b"\xff", b"\xc3", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xcc\x88",
    # Numbers beyond what machines and converters hold.
    b"9" * 5000, b"-" + b"9" * 400, b"18446744073709551616", b"9223372036854775808", b"-9223372036854775809",
    b"1e999", b"-1e999", b"1e-999", b"NaN", b"Infinity", b"-Infinity", b"-0", b"0x10", b"1_000",
    b"\xd9\xa3", b"\xc2\xb2", b"nan", b"inf", b".inf", b".nan", b"1.5", b"true", b"false", b"null", b"None",
    b"~", b"2024-13-45",
    # HTML
    b"<!--", b"-->", b"<!", b"<![ x", b"<![CDATA[", b"]]>", b"<?", b"<a ", b"<table>", b"</table>", b"<tr>", b"<td>",
    b"<th colspan=99999999>", b"<td rowspan=99999999>", b"<script>", b"</script>", b"<style>", b"<title>", b"<br/>",
    b"&", b"&#", b"&#x110000;", b"&#55357;", b"&#xD83D;", b"&amp", b"&#99999999999999999999;", b"&nbsp;",
    # YAML and templates
    b"*a", b"&a ", b"!!python/object:os.system ", b"<<: ", b"- ", b"? ", b"|", b"%", b"@", b"`", b"#",
    b"---\n", b"...\n", b"{not/}", b" not ", b"**", b"*", b"let ", b"(((((((((",
    # Spreadsheets, paths, patterns
    b"=1+1", b"+", b"-", b"@SUM(1)", b"sep=;", b"../", b"/", b"*.csv", b"%s", b"{0}", b"$x", b"\\N{DASH}",
)  # fmt: skip

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def mutated(seeds: Sequence[bytes], source: str, number: int) -> bytes:
    """Return the input with this number: one of the seeds after one to six mutations.

    Args:
        seeds: real inputs.
        source: what the draws depend on besides the number, such as the target's name and a seed.
        number: which input.
    """
    draw = random.Random(f"{source}/{number}")
    data = draw.choice(seeds)
    for _ in range(draw.randint(1, _MOST_MUTATIONS)):
        data = draw.choice(_MUTATIONS)(draw, data, seeds)[:LONGEST]
    # Most of the time a text stays one: what is not is refused before a parser sees more of it.
    if draw.random() < _STAYS_TEXT:
        kept = data.decode("utf-8", "ignore").encode()
        data = kept if 2 * len(kept) > len(data) else data
    return data


def _flip(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8)) if changed else 0):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _insert_byte(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    place = draw.randint(0, len(data))
    return data[:place] + bytes([draw.randrange(256)]) + data[place:]


def _delete(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, stop = _span(draw, data)
    return data[:start] + data[stop:]


def _truncate(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: draw.randint(0, len(data))]


def _splice(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = draw.choice(seeds)
    return data[: draw.randint(0, len(data))] + other[draw.randint(0, len(other)) :]


def _move(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Put a piece of the input, or of a seed, in another place."""
    source = draw.choice((data, draw.choice(seeds)))
    start, stop = _span(draw, source)
    place = draw.randint(0, len(data))
    return data[:place] + source[start:stop] + data[place:]


def _repeat(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, stop = _span(draw, data)
    return data[:stop] + _many(draw, data[start:stop]) + data[stop:]


def _insert_token(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    place = draw.randint(0, len(data))
    return data[:place] + draw.choice(TOKENS) + data[place:]


def _replace_by_token(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, stop = _span(draw, data)
    return data[:start] + draw.choice(TOKENS) + data[stop:]


def _repeat_token(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    place = draw.randint(0, len(data))
    return data[:place] + _many(draw, draw.choice(TOKENS)) + data[place:]


def _span(draw: random.Random, data: bytes) -> tuple[int, int]:
    """Draw a piece: mostly short ones, because long ones leave nothing that a parser would accept."""
    start = draw.randint(0, len(data))
    return start, min(len(data), start + int(draw.expovariate(1 / 12)) + 1)


def _many(draw: random.Random, piece: bytes) -> bytes:
    most = LONGEST_REPEAT // max(1, len(piece))
    return piece * min(most, draw.choice((2, 3, 10, 100, 1000, most)))


# Those that keep an input nearly whole come twice: they reach further into a parser.
_MUTATIONS: tuple[Mutation, ...] = (
    _flip, _flip, _insert_byte, _insert_byte, _delete, _delete, _insert_token, _insert_token, _insert_token,
    _replace_by_token, _replace_by_token, _move, _move, _splice, _truncate, _repeat, _repeat_token,
)  # fmt: skip
