"""A model that is a Python function: ``python:module:callable`` or ``python:path/to/file.py:callable``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self

from nliprobe.base.errors import DataError, ModelError, NliprobeError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.answers import AnswerReader, partition_of
from nliprobe.models.base import Model
from nliprobe.models.failures import InputsFailed, failed
from nliprobe.models.origin import Origin, module_files, script_files
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.models.asynchronous import Answerer


@MODELS.register("python")
class PythonModel(Model):
    """Calls a Python function with a list of pairs of texts: python:module:function or python:file.py:function.

    The call is ``callable(pairs, **params)`` with a list of (premise, hypothesis). It returns one answer per pair: a
    label in any spelling, three scores in the order of the label map, a mapping with ``label``, ``logits`` or
    ``probabilities``, or None for no answer; an array of labels or of scores is fine, too. An ``async def`` is called
    with one premise and one hypothesis and returns one answer; at most ``concurrency`` calls run at a time. Parameters
    other than ``concurrency`` and ``version`` are passed as strings, as they are written. If the callable or its module
    has a function ``embed(texts)`` that returns one list of numbers per text, single texts can be embedded.
    """

    def __init__(self, place: str, name: str, params: Mapping[str, str], labels: LabelMap | None) -> None:
        self._place = place
        self._name = name
        self._params = {key: value for key, value in params.items() if key not in ("version", "concurrency")}
        self._version = params.get("version", "")
        self._concurrency = _concurrency(params.get("concurrency"))
        self._labels = labels
        self._reader = AnswerReader(labels)

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the callable; it is imported when the first answer is asked for."""
        place, _, name = spec.argument.rpartition(":")
        if not place or not name:
            raise UsageError(
                f"'{spec}' does not name a callable: it should look like {spec.name}:module:callable "
                f"or {spec.name}:path/to/file.py:callable."
            )
        return cls(place, name, dict(spec.params), labels)

    @property
    def partition(self) -> Partition:
        """The declared labels; all three if none are declared."""
        return partition_of(self._labels)

    def fingerprint(self) -> str | None:
        """Return a hash of the name, the parameters, the source files and the version; none without a version.

        The source files are not all that decides: libraries, data and services are only covered by the user's word.
        """
        if not self._version:
            return None
        params = [f"{key}={value}" for key, value in sorted(self._params.items())]
        files = self._origin.digest()
        return digest("python", str(self.version), self._full, self._version, str(self._labels or ""), files, *params)

    def origin(self) -> Origin:
        """Return the file of the function, and what it imports from the same folder or package."""
        return self._origin

    @cached_property
    def _origin(self) -> Origin:
        path = Path(self._place)
        if not _is_path(self._place):
            return Origin(lambda: module_files(self._place))
        return Origin(lambda: script_files(path) if path.is_file() else {})

    def check(self) -> None:
        """Import the callable, without calling it; one with a version is only found, because all may be answered."""
        if not self._version:
            _ = self.asynchronous
        elif _is_path(self._place):
            _require_file(Path(self._place))

    @cached_property
    def asynchronous(self) -> Answerer | None:
        """What asks an ``async def``; none for a plain function."""
        call = self._callable
        if not inspect.iscoroutinefunction(call) and not inspect.iscoroutinefunction(type(call).__call__):
            if self._concurrency is not None:
                raise UsageError(f"'concurrency' is for functions made by 'async def', which {self._full} is not.")
            return None
        from nliprobe.models.asynchronous import Answerer, one_by_one

        return Answerer(one_by_one(self._answer), self._concurrency or 1)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Call ``embed`` of the callable or of its module with the texts; it returns one list of numbers per text."""
        import numpy as np

        call = self._embedding
        if call is None:
            return super().embed(texts)
        try:
            vectors = call(list(texts), **self._params)
        except NliprobeError:
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(f"'embed' of {self._place} failed with {type(error).__name__}: {error}.") from error
        try:
            return np.asarray(vectors, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"'embed' of {self._place} should return one list of numbers per text, all of one length: {error}."
            ) from error

    def close(self) -> None:
        """Cancel what is in flight."""
        if "asynchronous" in vars(self) and self.asynchronous is not None:
            self.asynchronous.close()

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Call the function once with all pairs, or once per pair if it is asynchronous."""
        if self.asynchronous is not None:
            return self.asynchronous.predict(inputs)
        pairs = [(asked.premise, asked.hypothesis) for asked in inputs]
        call = self._callable
        try:
            answers = _rows(call(pairs, **self._params))
        except NliprobeError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(error) from error
        if answers is None:
            raise ModelError(f"The callable {self._full} should return a list with one answer per pair.")
        if len(answers) != len(inputs):
            raise ModelError(f"The callable {self._full} returned {len(answers)} answers for {len(inputs)} pairs.")
        return [self._read(answer) for answer in answers]

    async def _answer(self, asked: Input) -> Prediction:
        try:
            answer = self._callable(asked.premise, asked.hypothesis, **self._params)
            return self._read(await answer if inspect.isawaitable(answer) else answer)
        except NliprobeError:
            raise
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: BaseException) -> InputsFailed:
        return InputsFailed(f"The callable {self._full} failed with {type(error).__name__}: {error}.")

    def _read(self, answer: object) -> Prediction:
        """Read an answer; one that makes no sense is a failure of its input only."""
        try:
            return self._reader.read(answer)
        except DataError as error:
            return failed(f"its answer makes no sense: {error}")

    @property
    def _full(self) -> str:
        return f"{self._place}:{self._name}"

    @cached_property
    def _home(self) -> ModuleType:
        """The module of the callable, imported once."""
        return _module(self._place)

    @property
    def _embedding(self) -> Callable[..., object] | None:
        """What embeds single texts: ``embed`` of the callable itself, else of its module; none if neither has it."""
        for place in (self._callable, self._home):
            call = getattr(place, "embed", None)
            if callable(call):
                checked: Callable[..., object] = call
                return checked
        return None

    @cached_property
    def _callable(self) -> Callable[..., object]:
        module = self._home
        self._origin.require_unchanged(self._full)
        target: object = module
        for part in self._name.split("."):
            if not hasattr(target, part):
                names = [name for name, thing in inspect.getmembers(module, callable) if not name.startswith("_")]
                raise NotFoundError(f"{self._place} has no '{self._name}'. {did_you_mean(self._name, names)}")
            target = getattr(target, part)
        if not callable(target):
            raise UsageError(f"{self._full} cannot be called: it is {type(target).__name__}.")
        return target


def _concurrency(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"'python?concurrency' should be a number from 1 up, not '{text}'.")
    return int(text)


def _module(place: str) -> ModuleType:
    """Import a module by name, with the current directory in reach, or a file by path."""
    try:
        if _is_path(place):
            return _file(Path(place))
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
        return importlib.import_module(place)
    except NliprobeError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (place == error.name or place.startswith(error.name + ".")):
            raise NotFoundError(
                f"There is no module '{place}'. It is looked for in the current directory and among what is installed; "
                "a file is given by its path, as in python:models/mine.py:predict."
            ) from error
        raise ModelError(f"{place} failed to import: {error}. Is it installed?") from error
    except (Exception, SystemExit) as error:
        raise ModelError(f"{place} failed to import: {type(error).__name__}: {error}.") from error


def _is_path(place: str) -> bool:
    return place.endswith(".py") or "/" in place or os.sep in place


def _require_file(path: Path) -> None:
    if not path.is_file():
        raise NotFoundError(f"The Python file {path} does not exist.")


def _file(path: Path) -> ModuleType:
    _require_file(path)
    # Named by its whole path, because one run may use two files with the name model.py.
    name = f"nliprobe_model_{digest(str(path.resolve()))}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise UsageError(f"{path} is not a Python file: its name should end in .py.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:  # so that it can import its neighbours, as a script can
        sys.path.append(folder)
    specification.loader.exec_module(module)
    return module


def _rows(answers: object) -> list[object] | None:
    """Return the answers as a list, or none if they are not a list but a single label, a mapping or nothing."""
    if hasattr(answers, "tolist"):
        answers = answers.tolist()
    if isinstance(answers, str | bytes | Mapping) or not isinstance(answers, Iterable):
        return None
    return list(answers)
