"""``trained.json``, the record in the folder of a trained model; it is written and read only here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nliprobe import __version__
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.base.fields import Fields
from nliprobe.base.files import read_json, write_json
from nliprobe.task.labels import LabelSet

FORMAT = 1
NAME = "trained.json"
KINDS = ("network", "model")
_REMEDY = "Train the model again."


@dataclass(frozen=True)
class TrainedRecord:
    """What was trained, how it was shown its pairs, and what it learnt from.

    Attributes:
        kind: ``network`` for a network of the zoo, ``model`` for a simpler model.
        spec: its spec string.
        represent: the representation it learnt with.
        premise: the premise control it learnt with.
        classes: what it can answer, in the order of its outputs.
        train: the splits it learnt from.
        dev: the splits that decided when its training stopped.
        identity: a hash of everything that decides what is learnt, except the files it starts from.
        seed: of its training, if it is a network.
        nliprobe: the version that trained it.
        made_from: the digest of each file of the checkpoint that its training started from, by its name; none if the
            version that trained it did not say.
    """

    kind: str
    spec: str
    represent: str
    premise: str
    classes: tuple[LabelSet, ...]
    train: tuple[str, ...]
    dev: tuple[str, ...]
    identity: str
    seed: int | None = None
    nliprobe: str = __version__
    made_from: Mapping[str, str] | None = None

    @classmethod
    def read(cls, folder: Path) -> TrainedRecord:
        """Read the record of a folder; one that is not what nliprobe writes is a :class:`DataError`."""
        path = folder / NAME
        if not path.is_file():
            unfinished = (folder / "checkpoint.safetensors").is_file()
            hint = "its training has not finished an epoch: continue it" if unfinished else f"it has no {NAME}"
            raise NotFoundError(f"{folder} does not hold a trained model: {hint}.")
        fields = Fields(str(path), read_json(path), error=DataError, remedy=_REMEDY)
        if fields.number("format") != FORMAT:
            fields.refuse("format", str(FORMAT))
        kind = fields.text("kind")
        if kind not in KINDS:
            fields.refuse("kind", " or ".join(KINDS))
        named, files = fields.texts("classes"), fields.inner_or_none("made_from")
        try:
            classes = tuple(LabelSet.of(name) for name in named)
        except ValueError:
            classes = ()
        if not classes:
            fields.refuse("classes", "a list of labels such as E, N, C")
        return cls(
            kind,
            fields.text("spec"),
            fields.text("represent"),
            fields.text("premise"),
            classes,
            fields.texts("train"),
            fields.texts("dev"),
            fields.text("identity"),
            fields.number_or_none("seed"),
            fields.text("nliprobe"),
            None if files is None else {name: files.text(name) for name in files.values},
        )

    def write(self, folder: Path) -> None:
        """Write the record as the last file of its folder, so that a killed training never looks finished."""
        # The fingerprint of a trained model hashes this file, so its keys stay in this order.
        content: dict[str, object] = {
            "format": FORMAT,
            "nliprobe": self.nliprobe,
            "kind": self.kind,
            "spec": self.spec,
            "seed": self.seed,
            "represent": self.represent,
            "premise": self.premise,
            "classes": [str(label) for label in self.classes],
            "train": list(self.train),
            "dev": list(self.dev),
            "identity": self.identity,
        } | ({} if self.made_from is None else {"made_from": dict(self.made_from)})
        write_json(folder / NAME, content)


def is_trained(folder: Path) -> bool:
    """Tell whether a folder holds a model whose training has finished."""
    return (folder / NAME).is_file()
