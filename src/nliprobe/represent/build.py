"""Make a representation from its spec string."""

from __future__ import annotations

from nliprobe.base.spec import Spec
from nliprobe.represent import REPRESENTATIONS, Representation


def build_representation(text: str) -> Representation:
    """Return the representation that a spec string asks for."""
    spec = Spec.parse(text)
    return REPRESENTATIONS.get(spec.name).from_spec(spec)
