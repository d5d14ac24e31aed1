"""The base class of representations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.spec import Spec
from nliprobe.task.prediction import Segments
from nliprobe.task.table import Table


class Representation(ABC):
    """Turns a table (together with its hypothesis) into segments whose join is the text a model reads.

    Texts need no representation: a text is a single segment.

    Class attributes:
        version: increased when the same table becomes a different text.
        selects: whether rows may be left out, so that different tables may become the same text.
        reads_hypothesis: whether the segments may depend on the hypothesis; if not, a table is read only once.
    """

    version: ClassVar[int] = 1
    selects: ClassVar[bool] = False
    reads_hypothesis: ClassVar[bool] = True

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation that a spec asks for; most take no parameters."""
        if spec.params or spec.argument:
            raise UsageError(f"The representation '{spec.name}' takes no parameters.")
        return cls()

    def fingerprint(self) -> str:
        """Return what, together with the spec, tells its texts from those of another version."""
        return str(self.version)

    @abstractmethod
    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Return the premise as segments; those of unchanged rows are equal, so adapters may tokenise each once."""
