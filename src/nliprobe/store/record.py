"""The records of a run, of its systems and of its shards, checked when they are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import get_args

from nliprobe.base.errors import StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.files import member
from nliprobe.base.hashing import digest
from nliprobe.store.verdict import Verdict
from nliprobe.task.about import About, Picture
from nliprobe.task.labels import THREE_WAY, Partition

A_PARTITION = "a partition of labels such as E|N|C or E|NC"


@dataclass(frozen=True)
class CorpusRecord:
    """A corpus of the suite: its name, the digest of its content, and how finely it tells labels apart.

    ``notes`` say what is doubtful about a user's own pairs, ``by`` names the facets by which reports break accuracies
    down, ``pairs`` is how many pairs the corpus should hold, where that is known before they are read. All follow from
    the rest, and most corpora have no notes and no facets.
    """

    name: str
    digest: str
    partition: Partition
    notes: tuple[str, ...] = field(default=(), compare=False)
    by: tuple[str, ...] = field(default=(), compare=False)
    pairs: int | None = field(default=None, compare=False)

    @classmethod
    def read(cls, fields: Fields) -> CorpusRecord:
        """Read what a suite says about one corpus."""
        return cls(
            fields.text("name"),
            fields.text("digest"),
            fields.parsed("partition", Partition.parse, A_PARTITION),
            fields.texts("notes") if "notes" in fields.values else (),
            fields.texts("by") if "by" in fields.values else (),
            fields.number_or_none("pairs"),
        )

    def to_json(self) -> dict[str, object]:
        """Return it as ``run.json`` holds it."""
        content: dict[str, object] = {"name": self.name, "digest": self.digest, "partition": str(self.partition)}
        extra = {"notes": list(self.notes), "by": list(self.by), "pairs": self.pairs}
        return content | {key: value for key, value in extra.items() if value}


@dataclass(frozen=True)
class ProbeRecord:
    """A probe of the suite: its spec string, name and version, and the digest of what it reads besides the pairs.

    ``about`` is what the probe says about itself. It does not decide the cases, and early runs have none.
    """

    spec: str
    name: str
    version: int
    reads: str | None = None
    about: About | None = field(default=None, compare=False)

    @classmethod
    def read(cls, fields: Fields) -> ProbeRecord:
        """Read what a suite says about one probe."""
        about = fields.inner_or_none("about")
        return cls(
            fields.text("spec"),
            fields.text("name"),
            fields.number("version"),
            fields.text_or_none("reads"),
            None if about is None else _read_about(about),
        )

    def to_json(self) -> dict[str, object]:
        """Return it as ``run.json`` holds it; a probe that reads nothing else does not say so."""
        content = {"spec": self.spec, "name": self.name, "version": self.version, "reads": self.reads}
        content["about"] = None if self.about is None else self.about._asdict()
        return {key: value for key, value in content.items() if value is not None}


def _read_about(fields: Fields) -> About:
    pictures: tuple[Picture, ...] = get_args(Picture)
    picture = next((item for item in pictures if item == fields.text("picture")), None)
    if picture is None:
        raise StoreError(f"{fields.place} names a picture that this version does not draw: {fields.text('picture')}.")
    return About(fields.text("line"), fields.text("broken"), picture)


@dataclass(frozen=True)
class SuiteRecord:
    """What was asked: everything that decides the cases, and the hash over it."""

    hash: str
    seed: int
    corpora: tuple[CorpusRecord, ...]
    probes: tuple[ProbeRecord, ...]

    @classmethod
    def read(cls, fields: Fields) -> SuiteRecord:
        """Read what a run says about its suite."""
        corpora = tuple(CorpusRecord.read(item) for item in fields.each("corpora"))
        if len({item.name for item in corpora}) < len(corpora):
            fields.refuse("corpora", "every corpus once")
        return cls(
            fields.text("hash"),
            fields.number("seed"),
            corpora,
            tuple(ProbeRecord.read(item) for item in fields.each("probes")),
        )

    def to_json(self) -> dict[str, object]:
        """Return it as ``run.json`` holds it."""
        return {
            "hash": self.hash,
            "seed": self.seed,
            "corpora": [item.to_json() for item in self.corpora],
            "probes": [item.to_json() for item in self.probes],
        }


@dataclass(frozen=True)
class Counts:
    """The size of a suite, known when its last case is written."""

    cases: int
    pairs: int
    shards: int

    @classmethod
    def read(cls, fields: Fields) -> Counts:
        """Read the counts of a run."""
        return cls(fields.count("cases"), fields.count("pairs"), fields.count("shards"))


@dataclass(frozen=True)
class SkippedPairs:
    """How many pairs of a corpus a probe did not apply to, for one reason."""

    corpus: str
    probe: str
    reason: str
    n: int

    @classmethod
    def read(cls, fields: Fields) -> SkippedPairs:
        """Read one reason and its count."""
        return cls(fields.text("corpus"), fields.text("probe"), fields.text("reason"), fields.number("n"))


@dataclass(frozen=True)
class RunRecord:
    """The record of a run, ``run.json``.

    Its first part is written when the run begins. The rest depends only on the suite, not on the systems, and is added
    when the last case has been written: if several processes add systems to the run, all of them write the same.

    Attributes:
        nliprobe: the version that began the run.
        python: the version of Python that began it.
        created: when it began.
        suite: what is asked.
        shard_size: cases per shard.
        counts: the size of the suite, once it is known.
        skipped: which pairs probes did not apply to.
        content: the digest over all shards of pairs, of facets and of cases, once they are all written.
        format: of the folder.
    """

    nliprobe: str
    python: str
    created: str
    suite: SuiteRecord
    shard_size: int
    counts: Counts | None = None
    skipped: tuple[SkippedPairs, ...] = ()
    content: Mapping[str, str] = field(default_factory=dict)
    format: int = 2

    @classmethod
    def read(cls, fields: Fields) -> RunRecord:
        """Read the record of a run of format 2."""
        counts, content = fields.inner_or_none("counts"), fields.inner("content")
        return cls(
            fields.text("nliprobe"),
            fields.text("python"),
            fields.text("created"),
            SuiteRecord.read(fields.inner("suite")),
            fields.count("shard_size", 1),
            None if counts is None else Counts.read(counts),
            tuple(SkippedPairs.read(item) for item in fields.each("skipped")),
            {kind: content.text(kind) for kind in content.values},
            fields.number("format"),
        )

    def to_json(self) -> dict[str, object]:
        """Return it as ``run.json`` holds it."""
        return {
            "format": self.format,
            "nliprobe": self.nliprobe,
            "python": self.python,
            "created": self.created,
            "suite": self.suite.to_json(),
            "shard_size": self.shard_size,
            "counts": None if self.counts is None else asdict(self.counts),
            "skipped": [asdict(item) for item in self.skipped],
            "content": dict(self.content),
        }


class SystemStatus(StrEnum):
    """Whether every case has been asked."""

    RUNNING = "running"
    COMPLETE = "complete"


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
        made_from: the digest of each file that decides its answers, as far as nliprobe can see them, by its name.
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
    doctor: Verdict | None = None
    place: int = 0
    status: SystemStatus = SystemStatus.RUNNING
    finished: str | None = None
    notes: tuple[str, ...] = ()
    content: str | None = None
    failed: int = 0
    made_from: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, fields: Fields) -> SystemRecord:
        """Read the record of a system in a run of format 2."""
        doctor, files = fields.inner_or_none("doctor"), fields.inner_or_none("made_from")
        folder = fields.text("folder")
        if member(Path(), folder) is None or "/" in folder or "\\" in folder or folder.startswith("."):
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
            None if doctor is None else Verdict.read(doctor),
            fields.number("place"),
            fields.parsed("status", SystemStatus, "running or complete"),
            fields.text_or_none("finished"),
            fields.texts("notes"),
            fields.text_or_none("content"),
            fields.number_or_none("failed") or 0,
            {} if files is None else {name: files.text(name) for name in files.values},
        )

    def to_json(self) -> dict[str, object]:
        """Return it as its record file holds it."""
        return {**asdict(self), "partition": str(self.partition), "status": self.status.value}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What every report tells about it: what the doctor doubts, and what the model reported."""
        return (*(() if self.doctor is None else self.doctor.remarks), *self.notes)

    @property
    def predictions(self) -> str:
        """The kind of its shards of answers."""
        return f"predictions/{self.folder}"


@dataclass(frozen=True)
class ShardRecord:
    """What a shard was when it was written; ``content`` is the digest of the file's bytes."""

    rows: int
    bytes: int
    content: str


def combined(records: Iterable[ShardRecord | None]) -> str | None:
    """Return one digest over the records of all shards of a kind, or none if a record is missing."""
    contents = [None if record is None else record.content for record in records]
    return None if None in contents else digest(*filter(None, contents))
