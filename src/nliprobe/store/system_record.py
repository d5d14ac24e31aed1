"""What a run keeps about each of its systems: one record file per system."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

from nliprobe.base.fields import Fields
from nliprobe.store.record import A_PARTITION
from nliprobe.task.partitions import THREE_WAY, Partition


class SystemStatus(StrEnum):
    """Whether every case has been asked."""

    RUNNING = "running"
    COMPLETE = "complete"


@dataclass(frozen=True)
class DoctorRecord:
    """The doctor's verdict on a system before its first run."""

    status: str
    right: int = 0
    n: int = 0
    labels: str = ""
    right_then: int = 0
    findings: tuple[str, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> DoctorRecord:
        """Read a verdict."""
        return cls(
            fields.text("status"),
            fields.number("right"),
            fields.number("n"),
            fields.text("labels"),
            fields.number("right_then"),
            fields.texts("findings"),
        )


@dataclass(frozen=True)
class SystemRecord:
    """The record of a system in a run, ``systems/<folder>.json``.

    Attributes:
        name: what reports call it.
        folder: the name of its folder of predictions, and of this record.
        spec: its spec string with all options.
        identity: what must be the same for the run to be continued with this system.
        fingerprint: a hash of everything that decides its answers, or none if answers are not kept.
        partition: how finely it tells labels apart.
        represent: its representation.
        premise: its premise control.
        train_premise: the premise control it learnt with, or none for a system that does not learn here.
        labels: its label map, as given.
        train: the splits it learnt from.
        family: the name of the systems that differ from it only by their seeds, if any.
        doctor: the doctor's verdict, if there is one.
        place: its place among the systems of the run; equal places are ordered by folder.
        status: whether every case has been asked.
        finished: when that was.
        notes: what the model reported at the end.
        content: the digest over all its shards of predictions, once they are all written.
        failed: how many inputs failed; the same command asks them again.
    """

    name: str
    folder: str
    spec: str
    identity: str
    fingerprint: str | None = None
    partition: Partition = THREE_WAY
    represent: str = "para"
    premise: str = "full"
    train_premise: str | None = None
    labels: str = ""
    train: tuple[str, ...] = ()
    family: str | None = None
    doctor: DoctorRecord | None = None
    place: int = 0
    status: SystemStatus = SystemStatus.RUNNING
    finished: str | None = None
    notes: tuple[str, ...] = ()
    content: str | None = None
    failed: int = 0

    @classmethod
    def read(cls, fields: Fields) -> SystemRecord:
        """Read the record of a system in a run of format 2."""
        doctor = fields.inner_or_none("doctor")
        folder = fields.text("folder")
        if not folder or folder != folder.replace("/", "").replace("\\", "") or folder.startswith("."):
            fields.refuse("folder", "the name of a folder, without a path")
        return cls(
            fields.text("name"),
            folder,
            fields.text("spec"),
            fields.text("identity"),
            fields.text_or_none("fingerprint"),
            fields.parsed("partition", Partition.parse, A_PARTITION),
            fields.text("represent"),
            fields.text("premise"),
            fields.text_or_none("train_premise"),
            fields.text("labels"),
            fields.texts("train"),
            fields.text_or_none("family"),
            None if doctor is None else DoctorRecord.read(doctor),
            fields.number("place"),
            fields.parsed("status", SystemStatus, "running or complete"),
            fields.text_or_none("finished"),
            fields.texts("notes"),
            fields.text_or_none("content"),
            fields.number_or_none("failed") or 0,
        )

    def to_json(self) -> dict[str, object]:
        """Return it as its record file holds it."""
        return {**asdict(self), "partition": str(self.partition), "status": self.status.value}

    @property
    def predictions(self) -> str:
        """The kind of its shards of answers."""
        return f"predictions/{self.folder}"
