"""``trained.json``, the record in the folder of a trained model; it is written and read only here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nliprobe import __version__
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.base.fields import Fields
from nliprobe.base.files import DIGEST, check_seal, read_json, write_sealed
from nliprobe.models.checkpoint_files import checkpoint_origin
from nliprobe.models.origin import Origin, changed_files
from nliprobe.task.labels import LabelSet

FORMAT = 1
NAME = "trained.json"
KINDS = ("network", "model")
# The log of the training, and the state of one that goes on.
_NO_ANSWERS = ("training.json", "checkpoint.safetensors")
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
        files: the digest of each file of the folder that decides answers, as :meth:`write` found it; none if the
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
    files: Mapping[str, str] | None = field(default=None, compare=False)

    @classmethod
    def read(cls, folder: Path) -> TrainedRecord:
        """Read the record of a folder; one that is not what nliprobe writes is a :class:`DataError`."""
        path = folder / NAME
        if not path.is_file():
            unfinished = (folder / "checkpoint.safetensors").is_file()
            hint = "its training has not finished an epoch: continue it" if unfinished else f"it has no {NAME}"
            raise NotFoundError(f"{folder} does not hold a trained model: {hint}.")
        content = read_json(path)
        fields = Fields(str(path), content, error=DataError, remedy=_REMEDY)
        if fields.number("format") != FORMAT:
            fields.refuse("format", str(FORMAT))
        kind = fields.text("kind")
        if kind not in KINDS:
            fields.refuse("kind", " or ".join(KINDS))
        named = fields.texts("classes")
        try:
            classes = tuple(LabelSet.of(name) for name in named)
        except ValueError:
            classes = ()
        if not classes:
            fields.refuse("classes", "a list of labels such as E, N, C")
        record = cls(
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
            _digests(fields.inner_or_none("made_from")),
            _digests(fields.inner_or_none("files")),
        )
        if DIGEST in content or record.files is not None:  # earlier versions did not seal it
            check_seal(path, content)
        return record

    def write(self, folder: Path) -> None:
        """Write the record as the last file of its folder, so that a killed training never looks finished.

        The other files are taken as they are now, so that later damage is noticed.
        """
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
        write_sealed(folder / NAME, {**content, "files": _others(trained_origin(folder))})

    def require_sound(self, folder: Path, origin: Origin) -> None:
        """Raise an error if a file that decides answers is no longer as the training left it.

        Args:
            folder: the folder of the model.
            origin: its files; see :func:`trained_origin`.
        """
        names = [] if self.files is None else changed_files(self.files, _others(origin))
        if names:
            raise DataError(f"{folder / names[0]} is not as the training left it. {_REMEDY}")


def is_trained(folder: Path) -> bool:
    """Tell whether a folder holds a model whose training has finished."""
    return (folder / NAME).is_file()


def trained_origin(folder: Path) -> Origin:
    """Return the files of a trained model that decide its answers."""
    return checkpoint_origin(str(folder), _NO_ANSWERS)


def _others(origin: Origin) -> dict[str, str]:
    """Return the digests of all files but the record, which has a digest of its own."""
    return {name: content for name, content in origin.digests.items() if name != NAME}


def _digests(fields: Fields | None) -> dict[str, str] | None:
    return None if fields is None else {name: fields.text(name) for name in fields.values}
