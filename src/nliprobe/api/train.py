"""Training a network or a simpler model into a folder that ``trained:FOLDER`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from nliprobe.api.resolve import check_sources, open_sources
from nliprobe.api.through import PassedThrough, Through
from nliprobe.base.errors import NotFoundError, StoreError, UsageError, did_you_mean, option
from nliprobe.base.files import read_json, refusing, require_writable, write_atomic, write_json
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.base import Example, Trainable
from nliprobe.models.batches import choose_device, require_torch
from nliprobe.models.learnable import learnable
from nliprobe.models.network import Network
from nliprobe.models.origin import Origin, changed_files, in_words
from nliprobe.models.system import DEFAULT_REPRESENTATION
from nliprobe.models.trained import network_of
from nliprobe.models.trained_record import TrainedRecord, is_trained
from nliprobe.models.zoo import NETWORKS
from nliprobe.report.curve import learning_curve
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.labels import LabelSet
from nliprobe.task.source import PairSource
from nliprobe.training.fit import read_examples
from nliprobe.training.trainer import TrainingResult, Watcher, train_network

LOG = "training.json"
CURVE = "curve.svg"


@dataclass(frozen=True)
class TrainRequest:
    """What a user asks to train.

    Attributes:
        spec: the network or model with its options, as in ``classifier?encoder=path/to/folder&epochs=3``.
        train: the splits to learn from.
        dev: the splits that decide when a network stops, and its best epoch.
        represent: the representation; by default what suits the network best.
        premise: the premise control at training.
        seeds: a network is trained once per seed.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        through: what becomes of some training pairs first, if anything.
    """

    spec: str
    train: Sequence[str | PairSource]
    dev: Sequence[str | PairSource] = ()
    represent: str | None = None
    premise: str = "full"
    seeds: Sequence[int] = (0,)
    root: Path | None = None
    through: Through | None = None


@dataclass(frozen=True)
class TrainedFolder:
    """A trained model: where it is, and how its training went.

    Attributes:
        folder: its folder.
        seed: of its training, if it is a network.
        result: how training went; none if it was trained before.
        dev: the accuracy on dev after each epoch.
        constant: that of the best constant answer, if the log of the training says it.
    """

    folder: Path
    seed: int | None
    result: TrainingResult | None
    dev: tuple[float, ...] = ()
    constant: float | None = None


class _Pairs:
    """The pairs of a request as a model is shown them, read once for all seeds."""

    def __init__(self, request: TrainRequest, represent: str) -> None:
        self.represent = represent
        self.control = Control.parse(request.premise)
        self.representation = build_representation(represent)
        self.learning = [_edited(source, request.through) for source in open_sources(request.train, request.root)]
        self.stopping = open_sources(request.dev, request.root)
        check_sources([*self.learning, *self.stopping])
        self._read: dict[str, list[Example]] = {}

    def examples(self, sources: Sequence[PairSource]) -> list[Example]:
        """Return every labelled pair of the splits."""
        key = " ".join(source.name for source in sources)
        if key not in self._read:
            self._read[key] = read_examples(Reader(self.representation, self.control, seed=0, keyed=False), sources)
        return self._read[key]

    def identity(self) -> str:
        """Return a hash of everything that decides what is read."""
        named = [f"{source.name}={source.digest()}" for source in (*self.learning, *self.stopping)]
        return digest(self.represent, self.representation.fingerprint(), self.control.value, *named)

    def record(
        self,
        kind: str,
        spec: Spec,
        classes: Sequence[LabelSet],
        identity: str,
        seed: int | None = None,
        origin: Origin | None = None,
    ) -> TrainedRecord:
        """Return the record for the folder of a model that has learnt from these pairs."""
        return TrainedRecord(
            kind,
            str(spec),
            self.represent,
            self.control.value,
            tuple(classes),
            tuple(source.name for source in self.learning),
            tuple(source.name for source in self.stopping),
            identity,
            seed,
            made_from=None if origin is None else origin.digests,
        )


def _edited(source: PairSource, through: Through | None) -> PairSource:
    return source if through is None else PassedThrough(source, through)


def train(request: TrainRequest, out: Path, watcher: Watcher) -> list[TrainedFolder]:
    """Train what is asked for; a finished model is left as it is, an interrupted training is continued."""
    spec = Spec.parse(request.spec)
    if check_request(request):
        return _train_seeds(request, spec, out, watcher)
    return [_train_simple(request, spec, out)]


def check_request(request: TrainRequest) -> bool:
    """Raise an error for what cannot be trained on any pairs; tell whether it is a network, which has seeds."""
    if not request.train:
        raise UsageError(
            f"There is nothing to learn from: name it with {option('train')}, "
            f"as in {option('train', 'infotabs/train')}."
        )
    spec = Spec.parse(request.spec)
    if spec.name in NETWORKS.names():
        _check_network(request, spec)
        return True
    able = [*NETWORKS.names(), *(name for name, kind in MODELS if issubclass(kind, Trainable))]
    try:
        kind = MODELS.get(spec.name)
    except NotFoundError:
        raise NotFoundError(f"There is no model '{spec.name}' to train. {did_you_mean(spec.name, able)}") from None
    if not issubclass(kind, Trainable):
        raise UsageError(f"'{spec.name}' does not learn. These do: {', '.join(able)}.")
    if len(request.seeds) > 1:
        raise UsageError(f"'{spec.name}' is trained once; a seed, if it has one, is given as {spec.name}?seed=1.")
    kind.from_spec(spec, None)
    return False


def _check_network(request: TrainRequest, spec: Spec) -> None:
    if not request.dev:
        raise UsageError(
            f"'{spec.name}' stops by a dev split: name it with {option('dev')}, as in {option('dev', 'infotabs/dev')}."
        )
    if "seed" in dict(spec.params):
        raise UsageError(f"Seeds of networks are given with {option('seeds')}.")
    network_of(spec, seed=0)


def _train_seeds(request: TrainRequest, spec: Spec, out: Path, watcher: Watcher) -> list[TrainedFolder]:
    networks = {seed: network_of(spec, seed=seed) for seed in request.seeds}
    pairs = _Pairs(request, request.represent or NETWORKS.get(spec.name).represent)
    identities = {
        seed: digest(str(spec), str(network.version), str(seed), pairs.identity()) for seed, network in networks.items()
    }
    there = {seed: _is_there(out / f"seed-{seed}", identity, networks[seed]) for seed, identity in identities.items()}
    if not all(there.values()):
        # Corpora may take minutes to read, and the device or the word vectors may be missing.
        require_torch()
        for network in networks.values():
            choose_device(network.plan.device)
            network.require_start()
    folders: list[TrainedFolder] = []
    for seed, network in networks.items():
        folder, identity = out / f"seed-{seed}", identities[seed]
        if there[seed]:
            folders.append(_trained_before(folder, seed))
            watcher.say(f"{folder} is trained already.")
            continue
        watcher.say(f"seed {seed}, into {folder}")
        train_pairs, dev_pairs = pairs.examples(pairs.learning), pairs.examples(pairs.stopping)
        result = train_network(network, train_pairs, dev_pairs, folder, identity, watcher)
        folders.append(TrainedFolder(folder, seed, result, result.dev, result.constant))
        if result.stopped:
            break
        log = {"plan": asdict(network.plan), **_how(result), "pairs": len(train_pairs), "versions": _versions()}
        write_json(folder / LOG, log)
        write_atomic(folder / CURVE, learning_curve(result.dev, result.losses, result.constant).encode("utf-8"))
        pairs.record("network", spec, result.classes, identity, seed, network.origin).write(folder)
    return folders


def _train_simple(request: TrainRequest, spec: Spec, out: Path) -> TrainedFolder:
    model = MODELS.get(spec.name).from_spec(spec, None)
    assert isinstance(model, Trainable)
    pairs = _Pairs(request, request.represent or DEFAULT_REPRESENTATION)
    identity = digest(str(spec), str(model.version), pairs.identity())
    if not _is_there(out, identity):
        examples = pairs.examples(pairs.learning)
        model.fit(examples)
        with refusing(out):
            out.mkdir(parents=True, exist_ok=True)
        model.save(out)
        pairs.record("model", spec, learnable(examples)[0], identity).write(out)
    return TrainedFolder(out, None, None)


def _is_there(folder: Path, identity: str, network: Network | None = None) -> bool:
    """Tell whether a folder holds the model already; raise an error if it holds another one or cannot be written."""
    if not is_trained(folder):
        require_writable(folder)
        return False
    record = TrainedRecord.read(folder)
    difference = ""
    if record.identity != identity:
        difference = "its choices or data differ"
    elif network is not None and record.made_from is None and network.origin.digests:
        difference = f"nliprobe {record.nliprobe} trained it and did not say from which {network.starts_from}"
    elif network is not None and (files := changed_files(record.made_from or {}, network.origin.digests)):
        difference = f"what it started from changed since ({in_words(files)})"
    if difference:
        raise StoreError(
            f"{folder} holds another trained model: {difference}. "
            f"Choose another folder with {option('out')}, or delete that one."
        )
    return True


def _trained_before(folder: Path, seed: int) -> TrainedFolder:
    log = read_json(folder / LOG) if (folder / LOG).is_file() else {}
    dev, constant = log.get("dev"), log.get("constant")
    accuracies = tuple(float(value) for value in dev) if isinstance(dev, list) else ()
    return TrainedFolder(folder, seed, None, accuracies, constant if isinstance(constant, float) else None)


def _how(result: TrainingResult) -> dict[str, object]:
    return {
        "dev": list(result.dev),
        "constant": result.constant,
        "loss": list(result.losses),
        "seconds": result.seconds,
        "cut": result.cut,
        "unused": result.unused,
    }


def _versions() -> dict[str, str]:
    import torch

    where = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    with suppress(PackageNotFoundError):  # networks over words work without it
        return {"torch": torch.__version__, "transformers": version("transformers"), "device": where}
    return {"torch": torch.__version__, "device": where}
