"""Records in Parquet and Arrow files, and the description of a dataset's columns beside them."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.base.records.files import record_files

_ROWS = {"premise": ["A man sleeps.", "Ein Café 😀"], "hypothesis": ["x", "y"], "label": [0, 2], "p": [[0.5], [1.0]]}
_DESCRIPTION = {"features": {"label": {"names": ["entailment", "neutral", "contradiction"], "_type": "ClassLabel"}}}


def _seeds() -> list[bytes]:
    import polars

    frame = polars.DataFrame(_ROWS)
    parquet, plain, file, stream = (io.BytesIO() for _ in range(4))
    frame.write_parquet(parquet, metadata={"huggingface": json.dumps({"info": _DESCRIPTION})})
    frame.write_parquet(plain, compression="uncompressed", statistics=False)
    frame.write_ipc(file, compression="uncompressed")
    frame.write_ipc_stream(stream)
    buffers = [buffer.getvalue() for buffer in (parquet, plain, file, stream)]
    return [*buffers, json.dumps(_DESCRIPTION).encode()]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.parquet", "x.arrow", "x.data"):
        (folder / name).write_bytes(data)
        attempt(partial(_read, folder / name, "" if name != "x.data" else "hf"))
    saved = folder / "saved"
    saved.mkdir()
    (saved / "data.arrow").write_bytes(_seeds()[3])
    for name in ("dataset_info.json", "state.json", "dataset_dict.json"):
        (saved / name).write_bytes(data)
        attempt(partial(_read, saved, ""))
        (saved / name).unlink()


def _read(path: Path, format: str) -> None:
    for file in record_files(path, format=format):
        for _ in file.records():
            pass


TARGET = Target("arrow_records", _seeds, _run)
