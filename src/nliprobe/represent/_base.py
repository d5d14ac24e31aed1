"""What every representation does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.spec import Spec
from nliprobe.task.prediction import Segments
from nliprobe.task.table import Table


class Representation(ABC):
    """Turns a table (seen beside its hypothesis) into segments whose join is the text a model reads.

    Texts need no representation: they are one segment as they are.

    Class attributes:
        version: raised when the same table would become another text.
        selects: rows may be left out, so that tables which differ may become the same text.
        reads_hypothesis: the segments may depend on the hypothesis; where they do not, a table is read once for all.
    """

    version: ClassVar[int] = 1
    selects: ClassVar[bool] = False
    reads_hypothesis: ClassVar[bool] = True

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation its spec asks for; most take no parameters."""
        if spec.params or spec.argument:
            raise UsageError(f"The representation '{spec.name}' takes no parameters.")
        return cls()

    def fingerprint(self) -> str:
        """What tells texts made by it from those of another version, beside its spec."""
        return str(self.version)

    @abstractmethod
    def segments(self, table: Table, hypothesis: str) -> Segments:
        """The premise as segments; segments of unchanged rows are equal, so adapters may tokenise each once."""
