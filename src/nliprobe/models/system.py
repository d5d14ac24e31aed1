"""Systems: a model with a representation, a premise control and a label map. What is compared is a system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.spec import Spec
from nliprobe.models import MODELS
from nliprobe.models._base import Model
from nliprobe.represent.build import build_representation
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader
from nliprobe.task.labels import LabelMap

DEFAULT_REPRESENTATION = "para"


@dataclass(frozen=True)
class SystemSpec:
    """A parsed system spec string: ``svm?represent=para&premise=none``.

    ``represent``, ``premise``, ``labels`` and ``name`` belong to the system; the rest goes to the model.
    """

    model: Spec
    represent: str = DEFAULT_REPRESENTATION
    control: Control = Control.FULL
    labels: str = ""
    given_name: str = ""
    written: str = ""

    @classmethod
    def parse(cls, text: str) -> SystemSpec:
        """Read a system spec string."""
        own, model = Spec.parse(text).take("represent", "premise", "labels", "name")
        return cls(
            model,
            own.get("represent", DEFAULT_REPRESENTATION),
            Control.parse(own.get("premise", Control.FULL.value)),
            own.get("labels", ""),
            own.get("name", ""),
            str(Spec.parse(text)),
        )

    def __str__(self) -> str:
        own: dict[str, str] = {"represent": self.represent}
        if self.control is not Control.FULL:
            own["premise"] = self.control.value
        if self.labels:
            own["labels"] = self.labels
        params = {**dict(self.model.params), **own}
        return str(Spec(self.model.name, self.model.argument, tuple(sorted(params.items()))))

    @property
    def name(self) -> str:
        """What reports call the system: the name given, or the spec as it was written."""
        return self.given_name or self.written or str(self)


class System:
    """A model ready to be asked, with the reader that makes its inputs."""

    def __init__(self, spec: SystemSpec, model: Model, reader: Reader, train: Mapping[str, str]) -> None:
        self.spec = spec
        self.model = model
        self.reader = reader
        self.train = train

    @classmethod
    def build(cls, spec: SystemSpec, *, seed: int = 0, train: Mapping[str, str] | None = None) -> System:
        """Make the system; ``train`` gives the digest of each training split by name, for trainable models."""
        labels = LabelMap.parse(spec.labels) if spec.labels else None
        model = MODELS.get(spec.model.name).from_spec(spec.model, labels)
        if model.trainable and not train:
            raise UsageError(
                f"'{spec.model.name}' learns from pairs: name them with --train, as in --train infotabs/train."
            )
        reader = Reader(build_representation(spec.represent), spec.control, seed=seed, keyed=model.keyed)
        return cls(spec, model, reader, dict(train or {}) if model.trainable else {})

    @property
    def name(self) -> str:
        """What reports call the system."""
        return self.spec.name

    def fingerprint(self) -> str | None:
        """A hash of everything that decides the answers to an input, or none when answers must not be kept.

        The representation only decides what is read, which is in the input's id; it counts for models that
        learnt from what they read.
        """
        model = self.model.fingerprint()
        if model is None:
            return None
        learnt = "" if not self.train else digest(self._reading(), *(f"{k}={v}" for k, v in sorted(self.train.items())))
        return digest(self.spec.model.name, str(self.model.version), model, self.spec.labels, learnt)

    def identity(self) -> str:
        """What must be the same for a run to be continued with this system."""
        return digest(str(self.spec), self._reading(), self.fingerprint() or "")

    @property
    def folder(self) -> str:
        """A file name for the system: readable, and unique by its end."""
        readable = re.sub(r"[^A-Za-z0-9.]+", "-", self.name).strip("-").lower()[:40]
        return f"{readable}-{self.identity()[:8]}"

    def describe(self) -> dict[str, object]:
        """What a run keeps about the system."""
        return {
            "name": self.name,
            "folder": self.folder,
            "spec": str(self.spec),
            "fingerprint": self.fingerprint(),
            "identity": self.identity(),
            "partition": str(self.model.partition),
            "represent": self.spec.represent,
            "premise": self.spec.control.value,
            "labels": self.spec.labels,
            "train": sorted(self.train),
        }

    def _reading(self) -> str:
        representation = self.reader.representation
        return digest(self.spec.represent, str(representation.version), self.spec.control.value)


def check_names(systems: list[System]) -> None:
    """Two systems of one run must be told apart."""
    names = [system.name for system in systems]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise NliprobeError(f"Two systems are named '{min(twice)}'. Tell them apart with name=…")
