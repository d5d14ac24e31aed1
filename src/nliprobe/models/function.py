"""A model that is a function in memory, ``f(premises, hypotheses)``, for example in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Self, TypeAlias

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models._function_code import code_digest
from nliprobe.models.origin import Origin, code_origin
from nliprobe.models.python import PythonModel
from nliprobe.task.labels import LabelMap

# What a function returns is checked when it is read: labels, scores, or arrays of either.
PairFunction: TypeAlias = Callable[[list[str], list[str]], object]


class FunctionModel(PythonModel):
    """Calls ``function(premises, hypotheses)`` with two lists of texts of the same length.

    It returns one answer per pair, as ``python:`` models do: a label in any spelling, scores in the order of the label
    map, a mapping with ``label``, ``logits`` or ``probabilities``, or None for no answer; an array is fine, too.
    """

    def __init__(self, function: PairFunction, *, name: str = "", version: str = "", labels: LabelMap | None = None):
        place, function_name = _place(function)
        super().__init__(place, function_name, {"version": version} if version else {}, labels)
        self.function = function
        self._given_name = name

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Raise an error: a function has no spec string; ``python:`` names one in a file or module."""
        raise UsageError(f"'{spec}' names no function. A function in a file is python:path/to/file.py:function.")

    @cached_property
    def spec(self) -> Spec:
        """What a run keeps about the function: where it comes from, a hash of its code, the declared version."""
        params = {"code": self._code[:8], **({"version": self._version} if self._version else {})}
        return Spec("function", self._full, tuple(sorted(params.items())))

    def fingerprint(self) -> str | None:
        """Return a hash of name, code, source files and version; none without a version: code calls other code."""
        inherited = super().fingerprint()
        return None if inherited is None else digest(inherited, self._given_name, self._code)

    @cached_property
    def _callable(self) -> Callable[..., object]:
        def call(pairs: Sequence[tuple[str, str]]) -> object:
            return self.function([premise for premise, _ in pairs], [hypothesis for _, hypothesis in pairs])

        return call

    @property
    def _embedding(self) -> Callable[..., object] | None:
        """What embeds single texts: the attribute ``embed`` of the function, if it has one."""
        call = getattr(self.function, "embed", None)
        return call if callable(call) else None

    @cached_property
    def _code(self) -> str:
        """A hash of the function itself; it distinguishes an edited function from the one that answered before."""
        return code_digest(self.function)

    @cached_property
    def _origin(self) -> Origin:
        return code_origin(self.function)


def _place(function: PairFunction) -> tuple[str, str]:
    inner = getattr(function, "func", function)  # that of a functools.partial
    named = inner if hasattr(inner, "__qualname__") else type(inner)
    return str(getattr(named, "__module__", "") or "?"), str(getattr(named, "__qualname__", "") or "function")
