"""Small files in the official formats of the corpora, written where a test wants them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Rows = Sequence[Mapping[str, object]]


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode("utf-8") if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_rows(path: Path, rows: Rows) -> Path:
    """Write rows in the format that the file's name says."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind == "jsonl":
        return write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    if kind == "json":
        return write(path, json.dumps(list(rows)))
    if kind == "csv":
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([list(rows[0]), *[list(row.values()) for row in rows]])
        return write(path, stream.getvalue())
    if kind in ("tsv", "txt"):
        lines = [list(rows[0]), *[[str(value) for value in row.values()] for row in rows]]
        return write(path, "".join("\t".join(line) + "\n" for line in lines))
    import polars

    path.parent.mkdir(parents=True, exist_ok=True)
    frame = polars.DataFrame([dict(row) for row in rows])
    if kind in ("parquet", "pq"):
        frame.write_parquet(path)
    else:
        frame.write_ipc_stream(path)
    return path


def write_saved(folder: Path, rows: Rows, labels: Sequence[str] = (), shards: int = 1) -> Path:
    """A folder as ``Dataset.save_to_disk`` writes it: Arrow streams, their description and their order."""
    names = [f"data-{index:05}-of-{shards:05}.arrow" for index in range(shards)]
    for index, name in enumerate(names):
        write_rows(folder / name, rows[index * len(rows) // shards : (index + 1) * len(rows) // shards])
    features: dict[str, object] = {name: {"dtype": "string", "_type": "Value"} for name in rows[0]}
    if labels:
        features["label"] = {"names": list(labels), "_type": "ClassLabel"}
    write(folder / "dataset_info.json", json.dumps({"features": features}))
    write(folder / "state.json", json.dumps({"_data_files": [{"filename": name} for name in names], "_split": None}))
    return folder


INFOBOX: dict[str, object] = {"title": ["Ada"], "Born": ["1815"], "Fields": ["mathematics", "computing"]}


def write_infotabs(root: Path, lines: Sequence[str], tables: Mapping[str, object] | None = None) -> Path:
    """The folder of InfoTabS with a development file of these lines and these tables."""
    text = "annotater_id\ttable_id\thypothesis\tlabel\n" + "".join(f"{line}\n" for line in lines)
    write(root / "maindata" / "infotabs_dev.tsv", text)
    found = tables if tables is not None else {"T1": INFOBOX}
    for name, content in found.items():
        body = content if isinstance(content, str) else json.dumps(content)
        write(root / "tables" / "json" / f"{name}.json", body)
    write(root / "tables" / "table_categories.tsv", "table_id\tcategory\n" + "".join(f"{n}\tPerson\n" for n in found))
    return root
