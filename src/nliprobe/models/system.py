"""Systems: a model with a representation, a premise control and a label map. Systems are what is compared."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from nliprobe.base.errors import NliprobeError, UsageError, option
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.base.urls import redact_all
from nliprobe.models import MODELS
from nliprobe.models.base import Model, PairView
from nliprobe.models.origin import Origin
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.labels import LabelMap

DEFAULT_REPRESENTATION = "para"


_SYSTEM_PARAMS = ("represent", "premise", "train_premise", "labels", "name", "family")


@dataclass(frozen=True)
class SystemSpec:
    """A parsed system spec string: ``svm?represent=para&premise=none``.

    ``represent``, ``premise``, ``train_premise``, ``labels``, ``name`` and ``family`` belong to the system; the rest
    goes to the model. What is not given is none until :meth:`settled`. Systems of one family differ only by their
    seeds, and reports give their mean and spread. Names and texts leave out the credentials of URLs, and the parameters
    of the model that only say in what ``manner`` it is asked.
    """

    model: Spec
    represent: str | None = None
    control: Control | None = None
    train_control: Control | None = None
    labels: str = ""
    given_name: str = ""
    family: str = ""
    written: Spec | None = None
    manner: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> SystemSpec:
        """Read a system spec string."""
        params, model = Spec.parse(text).take(*_SYSTEM_PARAMS)
        return cls(
            model,
            params.get("represent"),
            Control.parse(params["premise"]) if "premise" in params else None,
            Control.parse(params["train_premise"]) if "train_premise" in params else None,
            params.get("labels", ""),
            params.get("name", ""),
            params.get("family", ""),
            Spec.parse(text),
        )

    def settled(self, view: PairView | None) -> SystemSpec:
        """Return the spec with all options: what is not given is as in the model's training, otherwise the default."""
        control = self.control or (Control.parse(view.premise) if view else Control.FULL)
        return replace(
            self,
            represent=self.represent or (view.represent if view else DEFAULT_REPRESENTATION),
            control=control,
            train_control=self.train_control or control,
        )

    def __str__(self) -> str:
        params: dict[str, str] = {"represent": self.represent or DEFAULT_REPRESENTATION}
        if self.control not in (None, Control.FULL):
            params["premise"] = str(self.control)
        if self.train_control not in (None, self.control):
            params["train_premise"] = str(self.train_control)
        if self.labels:
            params["labels"] = self.labels
        model = self._shown(self.model)
        together = {**dict(model.params), **params}
        return str(Spec(model.name, model.argument, tuple(sorted(together.items()))))

    @property
    def name(self) -> str:
        """What reports call the system: the name given, or the spec as it was written."""
        return self.given_name or (str(self) if self.written is None else str(self._shown(self.written)))

    def _shown(self, spec: Spec) -> Spec:
        params = [item for item in spec.params if item[0] not in self.manner]
        argument = spec.argument
        if any("://" in text for text in (argument, *dict(params).values())):
            argument, params = redact_all(argument), [(key, redact_all(value)) for key, value in params]
        return replace(spec, argument=argument, params=tuple(params))


class System:
    """A model with the reader that makes its inputs and the reader for its training pairs."""

    def __init__(
        self,
        spec: SystemSpec,
        model: Model,
        reader: Reader,
        train: Mapping[str, str],
        learning_reader: Reader | None = None,
        *,
        given: bool = False,
    ) -> None:
        self.spec = replace(spec.settled(model.learnt_view), manner=model.manner)
        self.model = model
        self.reader = reader
        self.train = train
        self.learning_reader = learning_reader or reader
        self._given = given

    @classmethod
    def build(
        cls, spec: SystemSpec, *, seed: int = 0, train: Mapping[str, str] | None = None, model: Model | None = None
    ) -> System:
        """Make the system.

        Args:
            spec: the system as it was asked for.
            seed: of the draws of premise controls.
            train: the digest of each training split by name, for trainable models.
            model: the model, if it was given as an object; otherwise it is made from the spec.
        """
        given = model is not None
        if model is None:
            labels = LabelMap.parse(spec.labels) if spec.labels else None
            model = MODELS.get(spec.model.name).from_spec(spec.model, labels)
        require_training(spec, trainable=model.trainable, train=train or ())
        if spec.train_control not in (None, spec.control) and not model.trainable:
            raise UsageError(
                f"'train_premise' says how a model is shown its training pairs, but '{spec.model.name}' does not learn."
            )
        full = spec.settled(model.learnt_view)
        represent, control = build_representation(full.represent or DEFAULT_REPRESENTATION), full.control
        reader = Reader(represent, control or Control.FULL, seed=seed, keyed=model.keyed, told_form=model.told_form)
        learning = Reader(represent, full.train_control or Control.FULL, seed=seed, keyed=model.keyed)
        return cls(spec, model, reader, dict(train or {}) if model.trainable else {}, learning, given=given)

    def again(self) -> System:
        """Return a copy of the system with a new model, or the system itself if its model was given as an object."""
        model = self.model.again()
        if model is not None:
            return System(self.spec, model, self.reader, self.train, self.learning_reader, given=True)
        return self if self._given else System.build(self.spec, seed=self.reader.seed, train=self.train)

    @property
    def name(self) -> str:
        """What reports call the system."""
        return self.spec.name

    @property
    def given(self) -> bool:
        """Whether its model was given as an object, so that its spec does not say how to make it."""
        return self._given

    def fingerprint(self) -> str | None:
        """Return a hash of everything that decides the answers to an input, or none if answers must not be kept.

        The representation only decides what is read, and that is in the id of the input. It counts for models that
        learn from what they read.
        """
        model = self.model.fingerprint()
        if model is None:
            return None
        splits = (f"{name}={content}" for name, content in sorted(self.train.items()))
        learnt = digest(self._reading(self.learning_reader), *splits) if self.train else ""
        return digest(self.spec.model.name, str(self.model.version), model, self.spec.labels, learnt)

    def reading(self) -> str | None:
        """Return a hash of everything that decides what is read for a case, or none if that is not known beforehand.

        What a plugin writes is decided by its code; what is chosen by computed distances, by the machine, too.
        """
        representation = self.reader.representation
        if self.model.keyed or representation.selects or not type(representation).__module__.startswith("nliprobe."):
            return None
        return digest(self._reading(self.reader), str(self.model.told_form))

    @cached_property
    def origin(self) -> Origin:
        """The files that decide the answers of its model, as they were when the system was first asked for them."""
        return self.model.origin()

    def identity(self) -> str:
        """Return a hash of what must be the same for a run to be continued with this system."""
        answers = self.fingerprint()
        # A fingerprint covers the files already.
        files = [self.origin.digest()] if answers is None and self.origin.digests else []
        return digest(str(self.spec), self._reading(self.reader), answers or "", *files)

    @property
    def folder(self) -> str:
        """A readable file name for the system, made unique by its end."""
        readable = re.sub(r"[^A-Za-z0-9.]+", "-", self.name).strip("-.").lower()[:40]
        return f"{readable}-{self.identity()[:8]}"

    def _reading(self, reader: Reader) -> str:
        control = reader.control.value
        # The seed decides which premises are swapped.
        shown = f"{control} {reader.seed}" if reader.needs_pool else control
        return digest(str(self.spec.represent), reader.representation.fingerprint(), shown)


def require_training(spec: SystemSpec, *, trainable: bool, train: Collection[str]) -> None:
    """Raise a UsageError if a model learns from pairs and none are named."""
    if trainable and not train:
        raise UsageError(
            f"'{spec.model.name}' learns from pairs: name them with {option('train')}, "
            f"as in {option('train', 'infotabs/train')}."
        )


def check_names(systems: list[System]) -> None:
    """Raise an error if two systems of a run have the same name."""
    names = [system.name for system in systems]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise NliprobeError(f"Two systems are named '{min(twice)}'. Tell them apart with name=…")
