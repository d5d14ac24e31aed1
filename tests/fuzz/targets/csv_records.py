"""Records in CSV and TSV, with every meaning of a quote and in several encodings."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import PAIRS_CSV, PAIRS_TSV, attempt

from nliprobe.base.records.files import record_files


def _seeds() -> list[bytes]:
    texts = [
        PAIRS_CSV,
        PAIRS_TSV,
        "sep=;\na;b\n1;2\n",
        "a,null,null\r\n1,2,3\r\n",
        "a|b\r1|2\r3|4\r",
        'a,b\n"x\ny",2\n',
    ]
    return [text.encode() for text in texts] + [PAIRS_TSV.encode("utf-16"), "é;b\nà;ü\n".encode("cp1252")]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv", "x.tsv"):
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, path, quoting, "") for quoting in (None, False, True)))
    attempt(*(partial(_read, folder / "x.csv", None, encoding) for encoding in ("cp1252", "utf-16", "utf-7")))


def _read(path: Path, quoting: bool | None, encoding: str) -> None:
    for file in record_files(path, format=path.suffix[1:], quoting=quoting, encoding=encoding):
        for number, record in file.records():
            file.where(number)
            for name, value in record.items():
                (name + str(value)).encode()


TARGET = Target("csv_records", _seeds, _run)
