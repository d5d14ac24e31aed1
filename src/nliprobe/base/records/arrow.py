"""Read records from Parquet files and Hugging Face ``save_to_disk`` folders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.halves import whole_json
from nliprobe.base.records.arrow_sizes import impossible_size

if TYPE_CHECKING:
    import polars

    from nliprobe.base.records.json_shapes import Numbered

DESCRIPTION = "dataset_info.json"
_FILE_MAGIC = b"ARROW1"
_PARQUET_MAGIC = b"PAR1"
# Rows that are read before all others: who asks for a few pairs does not wait for the whole file.
_FIRST_ROWS = 1024
_SHARD = re.compile(r"(-\d+-of-\d+.*|-\d{5})?\.(parquet|arrow)$")


def read_rows(path: Path, *, label_names: bool = True) -> Numbered:
    """Yield the rows of one Parquet or Arrow file, numbered from 1.

    With ``label_names`` the codes of columns that Hugging Face declares as class labels become their
    names, so that nobody has to know which code means which label; -1 (no label) stays.
    """
    names: dict[str, list[str]] | None = None
    for number, row in enumerate(_rows(path), 1):
        if names is None:
            names = class_labels(path) if label_names else {}
        for column, spellings in names.items():
            code = row.get(column)
            if isinstance(code, int) and 0 <= code < len(spellings):
                row[column] = spellings[code]
        yield number, row


def class_labels(path: Path) -> dict[str, list[str]]:
    """Return the names behind the codes of class-label columns, from the dataset's own description."""
    try:
        if _is_parquet(path, _magic(path)):
            import polars

            with path.open("rb") as stream:
                text = polars.read_parquet_metadata(stream).get("huggingface", "{}")
            features = json.loads(whole_json(text)).get("info", {}).get("features", {})
        else:
            description = path.with_name(DESCRIPTION)
            text = description.read_text(encoding="utf-8") if description.is_file() else "{}"
            features = json.loads(whole_json(text)).get("features", {})
        return {
            column: [str(name) for name in feature["names"]]
            for column, feature in (features or {}).items()
            if isinstance(feature, Mapping) and feature.get("_type") == "ClassLabel" and feature.get("names")
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise DataError(
            f"The description of the columns of {path} is not the JSON that Hugging Face writes."
        ) from error


def is_saved_dataset(folder: Path) -> bool:
    """Tell whether a folder was written by ``save_to_disk``."""
    return any((folder / name).is_file() for name in ("dataset_dict.json", "state.json", DESCRIPTION))


def saved_files(folder: Path, split: str = "") -> list[Path]:
    """Return the Arrow files of a ``save_to_disk`` folder, or of one split of a folder with several."""
    dictionary = folder / "dataset_dict.json"
    if dictionary.is_file():
        splits = _json_object(dictionary).get("splits")
        if not isinstance(splits, list) or not splits:
            raise DataError(f"{dictionary} does not name any splits.")
        folder = folder / _choose(folder, split, [str(name) for name in splits])
    state = _json_object(folder / "state.json") if (folder / "state.json").is_file() else {}
    if state.get("_indices_data_files"):
        raise DataError(
            f"{folder} is a selection of rows that was saved without the rows. Save it after flatten_indices()."
        )
    listed = state.get("_data_files")
    if isinstance(listed, list) and listed:
        files = [folder / str(item.get("filename")) for item in listed if isinstance(item, dict)]
    else:
        # A folder of the hub's cache: NAME-SPLIT.arrow, and cached results of transformations, which are no splits.
        shards = [path for path in sorted(folder.glob("*.arrow")) if not path.name.startswith("cache-")]
        files = _one_split(folder, shards, split)
    missing = [file for file in files if not file.is_file()]
    if missing or not files:
        raise NotFoundError(
            f"The dataset in {folder} is incomplete: it has no {missing[0].name if missing else 'data'}."
        )
    return files


def parquet_files(folder: Path, split: str = "") -> list[Path]:
    """Return the Parquet shards of a folder (or of its ``data`` folder), for one split if there are several."""
    files = sorted(folder.glob("*.parquet")) or sorted(folder.glob("data/*.parquet"))
    return _one_split(folder, files, split)


def _one_split(folder: Path, files: Sequence[Path], split: str) -> list[Path]:
    splits: dict[str, list[Path]] = {}
    for file in files:
        splits.setdefault(_SHARD.sub("", file.name).rpartition("-")[2], []).append(file)
    return splits[_choose(folder, split, list(splits))] if splits else []


def _choose(folder: Path, split: str, splits: Sequence[str]) -> str:
    if split in splits:
        return split
    if split:
        raise NotFoundError(f"{folder} has no split '{split}'. {did_you_mean(split, splits)}")
    if len(splits) == 1:
        return splits[0]
    raise UsageError(f"{folder} has the splits {', '.join(splits)}: choose one with split={splits[0]}.")


def _rows(path: Path) -> Iterator[dict[str, object]]:
    first = _read_frame(path, _FIRST_ROWS)
    yield from first.iter_rows(named=True)
    if len(first) == _FIRST_ROWS:
        yield from _read_frame(path).slice(_FIRST_ROWS).iter_rows(named=True)


def _read_frame(path: Path, rows: int | None = None) -> polars.DataFrame:
    import polars

    try:
        return _read_any(path, rows)
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        # Inside, polars trusts the sizes that a file gives, and panics where they are wrong.
        panicked = isinstance(error, polars.exceptions.PanicException)
        reason = "it is damaged" if panicked else str(error).partition("\n")[0].rstrip(".")
        raise DataError(f"{path} cannot be read as Parquet or Arrow: {reason}.") from error


def _read_any(path: Path, rows: int | None) -> polars.DataFrame:
    import polars

    magic = _magic(path)
    # A stream, not the path: polars would read * and [ in a path as a pattern. And a fresh one: polars continues at
    # the operating system's file position, which is not where a buffered read left it.
    with path.open("rb") as stream:
        if _is_parquet(path, magic):
            return polars.read_parquet(stream, n_rows=rows)
        _refuse_impossible_sizes(path, stream)
        read = polars.read_ipc if magic == _FILE_MAGIC else polars.read_ipc_stream
        return read(stream, n_rows=rows)


def _refuse_impossible_sizes(path: Path, stream: BinaryIO) -> None:
    """Raise an error if a damaged file would make polars reserve more memory than there is, which ends the process."""
    try:
        with mmap(stream.fileno(), 0, access=ACCESS_READ) as content:
            claimed = impossible_size(content)
    except (OSError, ValueError):  # a pipe, or an empty file
        return
    if claimed is not None:
        raise DataError(f"{path} cannot be read as Arrow: it is damaged (a column claims a length of {claimed:,}).")


def _magic(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(len(_FILE_MAGIC))


def _is_parquet(path: Path, magic: bytes) -> bool:
    # The name comes first, so that a damaged file is still reported as Parquet; other names are judged by content.
    return path.suffix.lower() in (".parquet", ".pq") or magic.startswith(_PARQUET_MAGIC)


def _json_object(path: Path) -> dict[str, object]:
    try:
        content = json.loads(whole_json(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not JSON: {error}.") from error
    if not isinstance(content, dict):
        raise DataError(f"{path} should hold a JSON object.")
    return content
