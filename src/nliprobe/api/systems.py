"""Systems in the forms that Python users have: spec strings, functions and models, with or without names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.base import Model
from nliprobe.models.function import FunctionModel, PairFunction
from nliprobe.models.system import SystemSpec
from nliprobe.represent.controls import Control
from nliprobe.task.labels import LabelMap

if TYPE_CHECKING:
    from nliprobe.api.train import TrainedFolder


@dataclass(frozen=True)
class GivenSystem:
    """A function or model, and how its pairs are shown to it; made by :func:`system`.

    Attributes:
        asked: the function or the model.
        name: what reports call it.
        version: which version of the function this is; without one its answers are not kept across runs.
        labels: the order of its scores, or what its codes mean.
        represent: how tables are shown.
        premise: how much of the premise is shown.
    """

    asked: PairFunction | Model
    name: str
    version: str = ""
    labels: str = ""
    represent: str | None = None
    premise: str | None = None

    def build(self, labels: str = "") -> tuple[SystemSpec, Model]:
        """Make the model, and the spec of the system around it; labels given here replace its own."""
        if isinstance(self.asked, Model):
            kind, model = type(self.asked), self.asked
            if model.trainable and model.fingerprint() is None:
                raise UsageError(f"{self.name} learns, but has no fingerprint: what it learnt could not be kept.")
            spec, labels = Spec("object", f"{kind.__module__}:{kind.__qualname__}"), ""
        else:
            labels = labels or self.labels
            known = LabelMap.parse(labels) if labels else None
            function = FunctionModel(self.asked, name=self.name, version=self.version, labels=known)
            spec, model = function.spec, function
        control = None if self.premise is None else Control.parse(self.premise)
        return SystemSpec(spec, self.represent, control, labels=labels, given_name=self.name), model


SystemLike: TypeAlias = "str | PairFunction | Model | GivenSystem | TrainedFolder"
SystemsLike: TypeAlias = "SystemLike | Iterable[SystemLike] | Mapping[str, SystemLike]"


def system(
    asked: PairFunction | Model,
    *,
    name: str = "",
    version: str = "",
    labels: str = "",
    represent: str | None = None,
    premise: str | None = None,
) -> GivenSystem:
    """Say how a function or a model is asked.

    Args:
        asked: a function ``f(premises, hypotheses)`` that gives one label, or one list of scores, per pair; or a model.
        name: what reports call it; by default the function's own name.
        version: declares that the function gives the same answers whenever name, code, source files and version are the
            same, so that answers are kept across runs.
        labels: the order of scores or the meaning of codes: ``entailment,neutral,contradiction``.
        represent: how tables are shown, such as ``para`` or ``struct``.
        premise: how much of the premise is shown: ``full``, ``none``, ``dummy`` or ``swapped``.
    """
    if isinstance(asked, Model):
        for given, what in ((version, "version"), (labels, "labels")):
            if given:
                raise UsageError(f"{what}= is for functions: {type(asked).__name__} is a model and knows it itself.")
    elif not callable(asked) or isinstance(asked, type):
        raise UsageError(
            f"A system is a spec string, a function f(premises, hypotheses) or a model, not "
            f"{f'the class {asked.__name__} itself' if isinstance(asked, type) else type(asked).__name__}."
        )
    return GivenSystem(asked, name or _own_name(asked), version, labels, represent, premise)


def as_systems(systems: SystemsLike) -> list[str | GivenSystem]:
    """Turn systems in any accepted form into spec strings and given systems.

    Args:
        systems: one system or several: spec strings, functions, models, results of :func:`nliprobe.train`, or a mapping
            from names to any of these.
    """
    if isinstance(systems, Mapping):
        return [_named(name, asked) for name, asked in systems.items()]
    if isinstance(systems, Iterable) and not isinstance(systems, str) and not callable(systems):
        return [_one(asked) for asked in systems]
    return [_one(systems)]


def _one(asked: SystemLike) -> str | GivenSystem:
    if isinstance(asked, str | GivenSystem):
        return asked
    # Not before: a run by names on the command line should not wait for the trainer.
    from nliprobe.api.train import TrainedFolder

    if isinstance(asked, TrainedFolder):
        return str(Spec("trained", str(asked.folder)))
    return system(asked)


def _named(name: str, asked: SystemLike) -> str | GivenSystem:
    one = _one(asked)
    if isinstance(one, GivenSystem):
        return replace(one, name=name)
    spec = Spec.parse(one)
    if "name" in dict(spec.params):
        raise UsageError(f"'{one}' is named '{name}' and has a name of its own, too: leave out one of them.")
    return str(replace(spec, params=tuple(sorted((*spec.params, ("name", name))))))


def _own_name(asked: Callable[..., object] | Model) -> str:
    if isinstance(asked, Model):
        return type(asked).__name__
    inner = getattr(asked, "func", asked)  # that of a functools.partial
    return str(getattr(inner, "__name__", type(inner).__name__))
