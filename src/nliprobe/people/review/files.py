"""The file of a review: JSON lines that a person may edit, to which every decision is added at once.

The first lines are the cases. Each decision is a line of its own at the end, and the last one about a case counts: a
process that is killed loses at most the line that it was writing, and two people can put their copies together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from nliprobe.base.errors import DataError, NotFoundError, StoreError, option, where
from nliprobe.base.fields import Fields
from nliprobe.base.files import refusing, write_new
from nliprobe.base.halves import whole_json
from nliprobe.people.review.records import Decision, Queue, ReviewItem, Verdict, premise_json
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Premise, Span
from nliprobe.task.table import Table

SCHEMA = "nliprobe/review-queue/1"
# What a person may fill in; everything else is under the digest.
OWN = "verdict, label and remark"
# A case begins with its schema and a decision with this, so that a torn line tells what it was.
_DECISION = b'{"decides": '
_TEXTS = (
    "pair_id", "corpus", "group", "probe", "kind", "rule", "effect", "certainty", "gold", "expected", "original",
    "perturbed",
)  # fmt: skip
_VERDICTS = {verdict.value: verdict for verdict in Verdict}
# How many bytes are read at once, from the end, to find the last line.
_BLOCK = 1 << 16


def write_queue(path: Path, items: Iterable[ReviewItem]) -> int:
    """Write a new queue and return how many cases it has; a file that is there already is never replaced."""
    lines = [_line(_written(item)) for item in items]
    if lines and not write_new(path, b"".join(lines)):
        raise StoreError(f"{path} is there already and may hold decisions: choose another name.")
    return len(lines)


def read_queue(path: Path) -> Queue:
    """Read a queue with all decisions; what is wrong with the file is a sentence that names the line."""
    queue = Queue({})
    lines: dict[str, int] = {}
    decisions: list[tuple[int, Decision]] = []
    content = _content(path).split(b"\n")
    for number, line in enumerate(content, 1):
        if not line.strip():
            continue
        if number == len(content) and _is_torn(line, where(path, number)):
            queue.notices.append(
                f"The last line of {path} was cut off while it was written: that decision is lost, and its case is as "
                "it was before."
            )
            continue
        fields = _fields(line, where(path, number))
        name = fields.text("decides") if "decides" in fields.values else _add_item(queue, fields, number, lines)
        if fields.values.get("verdict") is not None:
            decisions.append((number, _decision(fields, name)))
    if not queue.items:
        wanted = f"expected a file that nliprobe review FILE {option('on', 'CORPUS')} writes."
        raise DataError(f"{path} holds no cases: {wanted}")
    for number, decision in decisions:
        if decision.case_id not in queue.items:
            raise DataError(f"{where(path, number)}: there is no case '{decision.case_id}' in this file.")
        queue.add(_checked(decision, queue.items[decision.case_id], where(path, number)))
    return queue


def append_decisions(path: Path, decisions: Iterable[Decision]) -> None:
    """Add decisions to a queue; when this returns they are on the disk.

    A torn line at the end, which a killed process left, is taken away first.
    """
    lines = b"".join(_line(_decided(decision)) for decision in decisions)
    if not lines:
        return
    with refusing(path):
        with path.open("r+b") as stream:
            start, last = _last_line(stream)
            if last and _is_torn(last, str(path)):
                stream.truncate(start)
            elif last:
                lines = b"\n" + lines  # an editor left the last line without its end
        # Opened for appending, so that two people on one file do not write over each other's lines.
        with path.open("ab") as stream:
            stream.write(lines)
            stream.flush()
            os.fsync(stream.fileno())


def _last_line(stream: BinaryIO) -> tuple[int, bytes]:
    """Return what follows the last line break, and where it begins."""
    place = stream.seek(0, os.SEEK_END)
    tail = b""
    while place and b"\n" not in tail:
        size = min(_BLOCK, place)
        place = stream.seek(place - size)
        tail = stream.read(size) + tail
    last = tail[tail.rfind(b"\n") + 1 :]
    return place + len(tail) - len(last), last


def _is_torn(last: bytes, place: str) -> bool:
    """Tell whether a last line without its end is half a decision; half a case is an error."""
    try:
        json.loads(last)
    except (ValueError, RecursionError):
        pass
    else:
        return False
    if last.startswith(_DECISION[: len(last)]):
        return True
    raise DataError(f"{place} is cut off in the middle of a case: copy the file again, or delete this last line.")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except FileNotFoundError as error:
        advice = f"Write one with nliprobe review {path} {option('on', 'CORPUS')}."
        raise NotFoundError(f"There is no file {path}. {advice}") from error
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error


def _fields(line: bytes, place: str) -> Fields:
    try:
        values = json.loads(whole_json(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: this is not UTF-8 ({error}). Save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: this is not JSON ({error}). Correct the line.") from error
    if not isinstance(values, dict):
        raise DataError(f"{place}: expected a JSON object with a case or a decision.")
    if values.get("schema", SCHEMA) != SCHEMA or not {"schema", "decides"} & set(values):
        raise DataError(
            f"{place}: this is '{values.get('schema')}', and this version reads '{SCHEMA}'. Export the cases again "
            "with this version, or review them with the version that wrote them."
        )
    return Fields(place, values, error=DataError)


def _add_item(queue: Queue, fields: Fields, number: int, lines: dict[str, int]) -> str:
    texts = {name: fields.text(name) for name in _TEXTS}
    item = ReviewItem(
        case_id=fields.text("case_id"),
        span=_span(fields),
        premise=_premise(fields, "premise"),
        before=None if fields.values.get("before") is None else _premise(fields, "before"),
        **texts,
    )
    if item.case_id in lines:
        raise DataError(f"{fields.place}: the case '{item.case_id}' is already in line {lines[item.case_id]}.")
    if fields.text("digest") != item.digest:
        raise DataError(
            f"{fields.place}: the case '{item.case_id}' was changed after it was exported. Take the change back: "
            f"only {OWN} are to be filled in."
        )
    queue.items[item.case_id], lines[item.case_id] = item, number
    return item.case_id


def _span(fields: Fields) -> Span | None:
    value = fields.values.get("span")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(place, int) for place in value):
        fields.refuse("span", "two numbers")
    return value[0], value[1]


def _premise(fields: Fields, name: str) -> Premise:
    value = fields.values.get(name)
    if not isinstance(value, dict):
        return fields.text(name)
    try:
        return _table(json.dumps(value))
    except (KeyError, TypeError, ValueError):
        fields.refuse(name, "a text, or a table with a title and rows of a key and values")


@lru_cache(maxsize=1024)  # the cases of a table follow one another
def _table(text: str) -> Table:
    return Table.from_json(text)


def _decision(fields: Fields, case_id: str) -> Decision:
    given = fields.text("verdict").strip().lower()
    if given not in _VERDICTS:
        fields.refuse("verdict", f"{', '.join(_VERDICTS)} or null")
    said = fields.texts("said") if "said" in fields.values else ()
    if (_VERDICTS[given] is Verdict.CONFLICT) != (len(said) == 2):
        fields.refuse("said", "what two people said, for a conflict and nothing else")
    return Decision(
        case_id,
        _VERDICTS[given],
        _label(fields),
        fields.text_or_none("remark") or "",
        fields.text_or_none("rater") or "",
        fields.values.get("blind") is True,
        said,
    )


def _label(fields: Fields) -> str:
    text = fields.text_or_none("label")
    if text is None or not text.strip():
        return ""
    try:
        label = LabelMap().read(text)
    except DataError:
        label = None
    return str(label) if label is not None and len(label) == 1 else fields.refuse("label", "E, N or C")


def _checked(decision: Decision, item: ReviewItem, place: str) -> Decision:
    """Return a decision whose label and verdict fit each other."""
    expected = item.expected if len(item.expected) == 1 else ""
    if decision.verdict is Verdict.ACCEPT:
        if not expected:
            raise DataError(
                f"{place}: '{item.case_id}' has no single expected label to accept: write \"fix\" and the label."
            )
        if decision.label not in ("", expected):
            raise DataError(
                f"{place}: '{item.case_id}' is accepted with the label {decision.label}, but {expected} is expected: "
                'write "fix", or leave the label out.'
            )
        return decision._replace(label=expected)
    if decision.verdict is Verdict.FIX and not decision.label:
        raise DataError(f"{place}: the label of '{item.case_id}' is fixed, but there is no label: write E, N or C.")
    if decision.verdict is Verdict.FIX:
        return decision._replace(verdict=Verdict.ACCEPT) if decision.label == expected else decision
    return decision._replace(label="")


def _written(item: ReviewItem) -> dict[str, object]:
    before = {} if item.before is None else {"before": json.loads(premise_json(item.before))}
    return {
        "schema": SCHEMA,
        "case_id": item.case_id,
        **{name: getattr(item, name) for name in _TEXTS},
        "span": None if item.span is None else list(item.span),
        "premise": json.loads(premise_json(item.premise)),
        **before,
        "digest": item.digest,
        "verdict": None,
        "label": None,
        "remark": "",
    }


def _decided(decision: Decision) -> dict[str, object]:
    line: dict[str, object] = {"decides": decision.case_id, "verdict": decision.verdict.value}
    given = {"label": decision.label, "remark": decision.remark, "rater": decision.rater, "blind": decision.blind}
    return (
        line
        | {name: value for name, value in given.items() if value}
        | ({"said": list(decision.said)} if decision.said else {})
    )


def _line(content: Mapping[str, object]) -> bytes:
    # Half a character, which a pair of a hand-made source may hold, has no bytes of its own in UTF-8.
    return (whole_json(json.dumps(content, ensure_ascii=False)) + "\n").encode("utf-8")
