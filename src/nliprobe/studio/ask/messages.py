"""What the server and the process that holds the systems say to one another: JSON, one message per line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from nliprobe.api.asked import Answered
from nliprobe.people.records import Json
from nliprobe.task.case import Prediction, Status
from nliprobe.task.explanation import ExplainedCase
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

Message: TypeAlias = dict[str, Json]


@dataclass(frozen=True)
class Loaded:
    """Which systems the process holds; it is told this first.

    Attributes:
        systems: spec strings.
        train: the splits that trainable systems learn from.
        root: the folder above the corpora.
        plugins: Python files that register what the spec strings name.
    """

    systems: tuple[str, ...]
    train: tuple[str, ...] = ()
    root: Path | None = None
    plugins: tuple[Path, ...] = ()

    def message(self) -> Message:
        """Write it."""
        return {
            "systems": list(self.systems),
            "train": list(self.train),
            "root": None if self.root is None else str(self.root),
            "plugins": [str(path) for path in self.plugins],
        }

    @classmethod
    def read(cls, message: Mapping[str, Json]) -> Loaded:
        """Read what :meth:`message` wrote."""
        root = message["root"]
        return cls(
            tuple(_texts(message["systems"])),
            tuple(_texts(message["train"])),
            None if root is None else Path(str(root)),
            tuple(Path(path) for path in _texts(message["plugins"])),
        )


def line(message: Mapping[str, Json]) -> bytes:
    """Write a message as a line."""
    # ASCII, so that nothing in a text can end the line.
    return json.dumps(message).encode("ascii") + b"\n"


def pair_message(pair: Pair) -> Message:
    """Write a pair; its gold label stays behind, because no system may see it."""
    if isinstance(pair.premise, Table):
        return {"id": pair.id, "table": pair.premise.to_json(), "hypothesis": pair.hypothesis}
    return {"id": pair.id, "text": pair.premise, "hypothesis": pair.hypothesis}


def read_pair(message: Json) -> Pair:
    """Read what :func:`pair_message` wrote."""
    assert isinstance(message, dict)
    premise = Table.from_json(str(message["table"])) if "table" in message else str(message["text"])
    return Pair(str(message["id"]), premise, str(message["hypothesis"]))


class RunCase(NamedTuple):
    """A case of a run, and which of its systems is asked about it.

    Attributes:
        run: the folder of the run.
        case_id: the case.
        system: the name of the system in the run.
        pool: the corpus in which the nearest pairs are looked for; None for none.
    """

    run: Path
    case_id: str
    system: str
    pool: str | None = None

    def message(self) -> Message:
        """Write it."""
        return {**self._asdict(), "run": str(self.run.absolute())}

    @classmethod
    def read(cls, message: Mapping[str, Json]) -> RunCase:
        """Read what :meth:`message` wrote."""
        pool = message["pool"]
        return cls(
            Path(str(message["run"])),
            str(message["case_id"]),
            str(message["system"]),
            None if pool is None else str(pool),
        )


def answered_message(answered: Answered) -> Message:
    """Write answers."""
    return {
        "partition": str(answered.partition),
        "inputs": list(answered.inputs),
        "predictions": [
            {
                "label": None if item.label is None else str(item.label),
                "probabilities": None if item.probabilities is None else list(item.probabilities),
                "status": item.status.value,
                "raw": item.raw,
            }
            for item in answered.predictions
        ],
    }


def read_answered(message: Mapping[str, Json]) -> Answered:
    """Read what :func:`answered_message` wrote."""
    items = message["predictions"]
    assert isinstance(items, list)
    partition = Partition.parse(str(message["partition"]))
    return Answered([_prediction(item) for item in items], partition, _texts(message["inputs"]))


def read_explained(message: Mapping[str, Json]) -> ExplainedCase:
    """Read an explanation, which is JSON already."""
    return cast("ExplainedCase", message["explained"])


def _prediction(item: Json) -> Prediction:
    assert isinstance(item, dict)
    label, shares, raw = item["label"], item["probabilities"], item["raw"]
    probabilities = None
    if isinstance(shares, list):
        e, n, c = (None if share is None else float(cast("float", share)) for share in shares)
        probabilities = e, n, c
    return Prediction(
        None if label is None else LabelSet.of(str(label)),
        probabilities,
        Status(str(item["status"])),
        None if raw is None else str(raw),
    )


def _texts(value: Json) -> list[str]:
    assert isinstance(value, list)
    return [str(item) for item in value]
