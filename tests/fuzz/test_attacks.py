"""Attacks that once took minutes or gigabytes, run by the fuzz targets under their limits of time and memory."""

from __future__ import annotations

import gzip

import pytest
from tests.fuzz.harness import Failure, replays

from nliprobe.base.records.text import LONGEST

pytestmark = pytest.mark.faults

SIZE = 50_000


def failures(target: str, *inputs: bytes) -> list[Failure]:
    return [failure for failure in replays(target, inputs) if failure is not None]


def test_pages_of_one_repeated_piece_take_linear_time() -> None:
    # 28 seconds for 50 KB of "<a " or "<!--", and an assertion for "<![ x", in Python's own parser.
    pieces = [b"<a ", b"<!--", b"<![ x", b"<!", b"<?", b"</", b"<", b"&", b"<a b=", b'<a b="', b"</a ", b"<b>"]
    pieces += [b"<table>", b"<td><table><tr>", b"<sup>[1]", b"<tr><th>a<td>b", b"<td colspan=999 rowspan=999>"]
    pages = [b"<table><tr><th>Born<td>1965" + piece * (SIZE // len(piece)) for piece in pieces]
    assert failures("infobox_html", *pages) == []


def test_numbers_of_thousands_of_digits() -> None:
    number = b"9" * 5000
    rows = b'{"id": "a", "premise": "p", "hypothesis": "h", "label": %b, "raw": "x"}' % number
    for target in ("json_records", "file_corpus", "predictions_file", "ratings_file", "hypotheses_file"):
        assert failures(target, rows + b"\n", b"[" + rows + b"]", b"[%b]" % number, number) == []
    assert failures("command_lines", rows, b'{"id": %b, "label": "E"}' % number) == []
    assert failures("infobox_html", b"<table><tr><th>&#%b;<td>1</table>" % number) == []


def zipped(start: bytes, piece: bytes, times: int) -> bytes:
    """Pack a beginning and a piece that is repeated."""
    return gzip.compress(start + piece * times, 1, mtime=0)


@pytest.mark.parametrize("start", [b'{"a": "', b'[{"a": 1}, {"a": "', b"a,b\n", b'a,b\n"'])
def test_what_unpacks_to_one_endless_record_is_given_up(start: bytes) -> None:
    assert failures("gzip_records", zipped(start, b"x", 2 * LONGEST)) == []


def test_what_unpacks_to_one_endless_value_is_given_up() -> None:
    assert failures("gzip_records", zipped(b'{"a": [', b"1,", LONGEST)) == []
