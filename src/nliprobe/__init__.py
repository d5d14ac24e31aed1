"""nliprobe tells whether a natural-language-inference model reasons or guesses.

Importing the package loads nothing heavy: every room is imported where it is used, and the names below when they are
first asked for.
"""

from __future__ import annotations

# Not imported from typing, which takes longer than all the rest of this file; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from nliprobe.api.export import export
    from nliprobe.api.face import check, compare, doctor, gate, generate, open_run, run, score, train
    from nliprobe.api.grid_face import grid
    from nliprobe.api.pairs import pairs
    from nliprobe.api.results import Run
    from nliprobe.api.systems import system
    from nliprobe.api.transfer import transfer
    from nliprobe.corpora import Corpus
    from nliprobe.models import Model
    from nliprobe.probes import Probe
    from nliprobe.represent import Representation
    from nliprobe.task.pair import Pair
    from nliprobe.task.table import Table

__version__ = "0.1.0"
__all__ = [
    "Corpus",
    "Model",
    "Pair",
    "Probe",
    "Representation",
    "Run",
    "Table",
    "__version__",
    "check",
    "compare",
    "doctor",
    "export",
    "gate",
    "generate",
    "grid",
    "open_run",
    "pairs",
    "run",
    "score",
    "system",
    "train",
    "transfer",
]

_HOMES = {
    **dict.fromkeys(
        ("check", "compare", "doctor", "gate", "generate", "open_run", "run", "score", "train"), "nliprobe.api.face"
    ),
    "export": "nliprobe.api.export",
    "grid": "nliprobe.api.grid_face",
    "pairs": "nliprobe.api.pairs",
    "system": "nliprobe.api.systems",
    "transfer": "nliprobe.api.transfer",
    "Run": "nliprobe.api.results",
    "Corpus": "nliprobe.corpora",
    "Model": "nliprobe.models",
    "Probe": "nliprobe.probes",
    "Representation": "nliprobe.represent",
    "Pair": "nliprobe.task.pair",
    "Table": "nliprobe.task.table",
}

if not TYPE_CHECKING:  # so that a name which is not there is a type error

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'nliprobe' has no attribute '{name}'")
        from importlib import import_module

        value: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
