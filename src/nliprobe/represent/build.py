"""Making a representation from its spec string."""

from __future__ import annotations

from nliprobe.base.errors import UsageError
from nliprobe.base.spec import Spec
from nliprobe.represent import REPRESENTATIONS, Representation


def build_representation(text: str) -> Representation:
    """The representation a spec string asks for."""
    spec = Spec.parse(text)
    kind = REPRESENTATIONS.get(spec.name)
    if spec.params or spec.argument:
        raise UsageError(f"The representation '{spec.name}' takes no parameters.")
    return kind()
