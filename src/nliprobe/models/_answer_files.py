"""Read files of answers: records in any format, or bare arrays of labels and scores, which have no ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import DataError, NliprobeError, UsageError, where
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.files import content_files, record_files
from nliprobe.base.records.held import HeldRecords
from nliprobe.base.records.read import Format, Numbered, RecordFile
from nliprobe.base.records.text import parse_json, read_lines, read_text
from nliprobe.models._harness_logs import as_log, log_files
from nliprobe.task.labels import LabelMap

_ARRAYS = ("npy", "npz")
# Ten million answers of three numbers each; a packed array may hold a thousand times what its file takes.
_LARGEST_ARRAY = 1 << 28


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """The files of answers behind a path: files of records, or one bare array.

    Attributes:
        path: what the user named.
        records: the files of records; empty for an array.
        array: the format of a bare array (npy, npz, json or jsonl), or empty.
        encoding: of a bare array in JSON; empty for UTF-8.
    """

    path: Path
    records: Sequence[RecordFile] = ()
    array: str = ""
    encoding: str = ""

    def digest(self) -> str:
        """Return a hash of everything that decides the answers."""
        held = [repr(file.rows) for file in self.records if isinstance(file, HeldRecords)]
        if held:
            return digest(*held)
        return digest_files(self.paths())

    def paths(self) -> list[Path]:
        """Return the files that decide the answers; answers in memory have none."""
        if self.array:
            return [self.path]
        return [] if any(isinstance(file, HeldRecords) for file in self.records) else content_files(self.records)

    def bare_answers(self) -> Iterator[object]:
        """Yield the items of a bare array: a label, a code or a list of scores each."""
        if self.array == Format.JSONL:
            return _json_lines(self.path, self.encoding)
        return iter(_json_items(self.path, self.encoding) if self.array == Format.JSON else _array_rows(self.path))


def answer_files(
    path: Path,
    *,
    format: str = "",
    split: str = "",
    quoting: bool | None = None,
    encoding: str = "",
    labels: LabelMap | None = None,
) -> AnswerFiles:
    """Return the files of answers behind a path; ``labels`` says what codes and words in them mean."""
    # A user who declares codes means the codes in the file, not the names that a dataset gives them.
    label_names = labels is None or not any(code.isdigit() for code in labels.codes)
    kind = format.lower() or path.suffix.lower().lstrip(".")
    if kind in _ARRAYS and not path.is_dir() and "*" not in path.name:
        if not path.is_file():
            record_files(path, format=Format.CSV)  # says that there is no such file, and what there is
        return AnswerFiles(path, array=kind)
    files = log_files(path) or record_files(
        path, format=format, split=split, quoting=quoting, label_names=label_names, encoding=encoding
    )
    if len(files) == 1 and _begins_bare(files[0], encoding):
        return AnswerFiles(files[0].path, array=files[0].format, encoding=encoding)
    return AnswerFiles(path, [as_log(file, labels) for file in files])


def answer_records(file: RecordFile) -> Numbered:
    """Yield the records of a file in its order; an empty cell of a text file is None."""
    if file.format not in (Format.CSV, Format.TSV):
        yield from file.records()
        return
    for number, fields in file.records():
        for name, cell in fields.items():
            if not cell or str(cell).isspace():
                fields[name] = None
        yield number, fields


# Labels, codes or lists of scores; a list of texts at the beginning is the header of a table.
_BARE_LIST = re.compile(r"\[\s*(?!\[\s*\")[^{\s]")
_BARE_LINE = re.compile(r"[^{\s]")


def _begins_bare(file: RecordFile, encoding: str) -> bool:
    """Tell whether a file of JSON begins with an array of bare answers, or with a line that is one."""
    if file.format not in (Format.JSON, Format.JSONL):
        return False
    beginning = ""
    for _, line in read_lines(file.path, encoding):
        beginning += line.strip()
        if len(beginning) > 4:
            break
    return (_BARE_LIST if file.format is Format.JSON else _BARE_LINE).match(beginning) is not None


def _json_lines(path: Path, encoding: str) -> Iterator[object]:
    for number, line in read_lines(path, encoding):
        if line.strip():
            yield parse_json(line, where(path, number))


def _json_items(path: Path, encoding: str) -> list[object]:
    content = parse_json(read_text(path, encoding), str(path))
    return content if isinstance(content, list) else [content]


def _array_rows(path: Path) -> list[object]:
    """Return the rows of a NumPy array; nothing is unpickled."""
    import numpy as np

    try:
        with path.open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            if isinstance(loaded, np.lib.npyio.NpzFile):
                names = loaded.files
                if len(names) != 1:
                    raise UsageError(
                        f"{path} holds {len(names)} arrays ({', '.join(names) or 'none'}), and nothing says which are "
                        "the answers. Save the one with the answers as .npy."
                    )
                if loaded.zip is not None and loaded.zip.infolist()[0].file_size > _LARGEST_ARRAY:
                    raise DataError(
                        f"{path} holds an array of more than {_LARGEST_ARRAY >> 20} MB once it is unpacked. Save it as "
                        ".npy if it is meant."
                    )
                loaded = loaded[names[0]]
    except NliprobeError:
        raise
    except Exception as error:  # the header of an array is Python code, whose parser raises errors of all kinds
        if "pickle" in str(error):
            raise DataError(
                f"{path} cannot be read as an array of numbers: it is damaged, or holds Python objects, which nliprobe "
                "does not unpickle. Save an array of numbers or texts with numpy.save."
            ) from error
        raise DataError(f"{path} cannot be read as a NumPy array: {str(error).rstrip('.')}.") from error
    array = np.asarray(loaded)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim not in (1, 2):
        shape = " × ".join(map(str, array.shape)) or "a single number"
        raise DataError(f"{path} should hold one label or one list of scores per pair, but its shape is {shape}.")
    if array.dtype.kind not in "iufU":
        raise DataError(f"{path} should hold numbers or texts, but holds {array.dtype}.")
    rows: list[object] = array.tolist()
    return rows
