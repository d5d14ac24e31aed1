"""What a model is made from: the files that decide its answers, each with the digest of its content.

Digests are computed from the bytes every time a model is named, and never looked up by size and time: a file that was
rewritten in place can have both as before (``rsync --inplace --times``, a coarse clock of a network disk). Hashing a
model of 90 MB takes 0.1 s.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from nliprobe.base.errors import ModelError
from nliprobe.base.hashing import digest, digest_file
from nliprobe.models._function_code import code_digest
from nliprobe.models._python_files import module_files, script_files

Listing = Callable[[], Mapping[str, Path]]
# Stands for the content of a file that is named but not there, such as a link whose target is gone.
MISSING = "missing"
_SHOWN = 3


class Origin:
    """Some files by their names, with the digests that they had when they were first looked at.

    Args:
        files: lists the files; called again when they are compared with what they were.
        values: digests of what is not in a file, by their names.
    """

    def __init__(self, files: Listing = dict, values: Mapping[str, str] = MappingProxyType({})) -> None:
        self._files = files
        self._values = dict(values)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each file's content by the file's name."""
        return self._now()

    def digest(self) -> str:
        """Return one digest over all names and contents."""
        return digest(*(part for item in self.digests.items() for part in item))

    def require_unchanged(self, model: str) -> None:
        """Raise an error if a file is no longer what it was: what was just loaded would not be what was named."""
        if "digests" not in vars(self):  # nobody has relied on them
            return
        names = changed_files(self.digests, self._now())
        if names:
            raise ModelError(
                f"{in_words(names)} changed after {model} was named, so that its answers would be those of two models. "
                "Repeat the command once the files stay as they are."
            )

    def _now(self) -> dict[str, str]:
        return self._values | {name: _content(path) for name, path in sorted(self._files().items())}


def code_origin(thing: Callable[..., object]) -> Origin:
    """Return the source files of a function or class.

    A script is edited for other reasons, too, and a notebook has no file: of what is defined there, its own code
    counts, and that of what it names there. So do the files that the script imports.
    """
    inner = inspect.unwrap(getattr(thing, "func", thing))  # that of a functools.partial
    written = inner if inspect.isroutine(inner) or isinstance(inner, type) else type(inner)
    module = str(getattr(written, "__module__", None) or "")
    name = getattr(written, "__qualname__", "")
    values = {f"the code of {name}": code_digest(thing)} if module == "__main__" else {}
    return Origin(lambda: _code_files(module), values)


def _code_files(module: str) -> dict[str, Path]:
    if module.partition(".")[0] == "nliprobe":  # what is built in has a version of its own
        return {}
    named = getattr(sys.modules.get(module), "__file__", None)
    file = Path(named) if named and named.endswith(".py") and Path(named).is_file() else None
    if module == "__main__":
        return {} if file is None else {n: path for n, path in script_files(file).items() if path != file.resolve()}
    # A module that was loaded from a path cannot be looked up by name.
    return module_files(module) or ({} if file is None else script_files(file))


def changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the names of the files that were added, removed or altered."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def in_words(names: list[str]) -> str:
    """Return the names of a few files for a sentence, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more files" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _content(path: Path) -> str:
    try:
        return digest_file(path)
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        raise ModelError(f"Cannot read {path}, which decides a model's answers: {error.strerror or error}.") from error
