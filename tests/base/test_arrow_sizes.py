"""Sizes that damaged Arrow files claim, and those of sound ones."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Literal

import polars
import pytest

from nliprobe.base.errors import DataError
from nliprobe.base.records.arrow import read_rows
from nliprobe.base.records.arrow_sizes import impossible_size

Compression = Literal["uncompressed", "lz4", "zstd"]
FRAME = polars.DataFrame(
    {
        "premise": [f"text {number % 7}" for number in range(3000)],
        "label": [number % 3 for number in range(3000)],
        "empty": [None] * 3000,
        "lists": [["a", "b"]] * 3000,
        "yes": [True] * 3000,
    }
)


def written(*, stream: bool, compression: Compression = "uncompressed", frame: polars.DataFrame = FRAME) -> bytes:
    buffer = io.BytesIO()
    (frame.write_ipc_stream if stream else frame.write_ipc)(buffer, compression=compression)
    return buffer.getvalue()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_a_sound_file_claims_nothing_impossible(stream: bool, compression: Compression) -> None:
    frame = FRAME.with_columns(polars.col("premise").cast(polars.Categorical).alias("kind"))
    assert impossible_size(written(stream=stream, compression=compression, frame=frame)) is None
    same = polars.DataFrame({"x": ["same"] * 500_000})  # shrinks a thousandfold
    assert impossible_size(written(stream=stream, compression=compression, frame=same)) is None


@pytest.mark.parametrize("stream", [False, True])
def test_a_column_of_more_values_than_the_file_has_bits_is_refused(tmp_path: Path, stream: bool) -> None:
    content = written(stream=stream)
    length = struct.pack("<qq", 3000, 0)  # of a column without nulls
    assert length in content
    path = tmp_path / "x.arrow"
    path.write_bytes(content.replace(length, struct.pack("<qq", 2**59, 0)))
    with pytest.raises(DataError, match=r"x.arrow cannot be read as Arrow: it is damaged \(a column claims a length"):
        list(read_rows(path))
    path.write_bytes(content)
    assert sum(1 for _ in read_rows(path)) == 3000


@pytest.mark.parametrize("content", [b"", b"ARROW1", b"ARROW1" + bytes(60), b"\xff\xff\xff\xff" * 8, bytes(16)])
def test_what_cannot_be_followed_is_left_to_the_reader(content: bytes) -> None:
    assert impossible_size(content) is None
