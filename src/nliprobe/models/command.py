"""A model that is a program: it reads JSON lines and prints JSON lines."""

from __future__ import annotations

import json
import math
import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.base.halves import whole_json
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._command_files import command_files
from nliprobe.models._process import LONGEST_LINE, LineProcess, LineTooLong
from nliprobe.models.answers import AnswerReader, partition_of
from nliprobe.models.base import Model, Take
from nliprobe.models.failures import InputsFailed, failed
from nliprobe.models.origin import Origin
from nliprobe.task.case import Input, Prediction, input_id
from nliprobe.task.labels import LabelMap, Partition

SHOWN_CHARACTERS = 200


@dataclass(frozen=True)
class CommandParams:
    """The options of ``command:``.

    Attributes:
        version: the user's name for the current version of the program; without it answers are not kept across runs.
        timeout: how many seconds a batch may take, including the start of the program.
    """

    version: str = ""
    timeout: float = 300.0

    def __post_init__(self) -> None:
        """Refuse a timeout that is not a positive number."""
        if not 0 < self.timeout < math.inf:
            raise UsageError(f"'command?timeout' should be a positive number of seconds, not {self.timeout}.")


@MODELS.register("command")
class CommandModel(Model):
    """Asks a program that reads and prints JSON lines: command:python answer.py --model x?version=3.

    The program reads lines ``{"id": ..., "premise": ..., "hypothesis": ...}`` and prints one line per input, with the
    same ``id`` and ``label``, ``logits`` or ``probabilities``, in any order within a batch, and flushes them; ``raw``
    may hold what a person should see. Everything else belongs on its standard error. It ends when its input ends. An
    answer that makes no sense is a failure of its input; a program that dies is asked half of the rest again.
    """

    def __init__(self, command: str, params: CommandParams, labels: LabelMap | None) -> None:
        self._command = command
        self._words = _split(command)
        self._params = params
        self._labels = labels
        self._reader = AnswerReader(labels)
        self._process: LineProcess | None = None
        self._notes: list[str] = []
        self._origin = Origin(lambda: command_files(self._words))

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the program; it is started when the first answer is asked for."""
        if not spec.argument.strip():
            raise UsageError(f"'{spec.name}' needs a program, as in {spec.name}:python answer.py.")
        return cls(spec.argument, spec.build(CommandParams), labels)

    @property
    def partition(self) -> Partition:
        """The declared labels; all three if none are declared."""
        return partition_of(self._labels)

    def fingerprint(self) -> str | None:
        """Return a hash of the command line, its files and the version; none without a version.

        Its files are not all that decides: what the program opens by itself is only covered by the user's word.
        """
        if not self._params.version:
            return None
        parts = (self._command, self._params.version, str(self._labels or ""), self._origin.digest())
        return digest("command", str(self.version), *parts)

    def origin(self) -> Origin:
        """Return the program, and the files that its command line names."""
        return self._origin

    def check(self) -> None:
        """Find the program, without starting it."""
        if shutil.which(self._words[0]) is None:
            raise self._not_started("there is no such program")

    def notes(self) -> list[str]:
        """Return a note if the program printed lines that answer nothing."""
        return list(self._notes)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Ask the program; inputs with the same id are asked once."""
        answers: dict[int, Prediction] = {}
        self.predict_each(inputs, answers.__setitem__)
        return [answers[place] for place in range(len(inputs))]

    def predict_each(self, inputs: Sequence[Input], take: Take) -> None:
        """Ask the program, and pass on each answer as it is printed."""
        if not inputs:
            return
        places: dict[str, list[int]] = {}
        for place, item in enumerate(inputs):
            places.setdefault(item.id or input_id(item.premise, item.hypothesis), []).append(place)
        try:
            for name, answer in self._ask({name: inputs[same[0]] for name, same in places.items()}):
                for place in places[name]:
                    take(place, answer)
        except BaseException:
            # After an error or Ctrl-C it is not known what the next line would answer.
            self._stop(patience=0.0)
            raise

    def close(self) -> None:
        """End the program: close its input, and kill it if that is not enough."""
        if self._process is not None:
            self._process.close()
            left = self._process.left_over()
            if left:
                self._notes.append(f"The program '{self._command}' printed {left} lines more than it was asked for.")
            self._process = None

    def _stop(self, patience: float) -> None:
        if self._process is not None:
            self._process.close(patience)
            self._process = None

    def _ask(self, asked: dict[str, Input]) -> Iterator[tuple[str, Prediction]]:
        process = self._running()
        deadline = time.monotonic() + self._params.timeout
        process.send(_line(name, item) for name, item in asked.items())
        answers: set[str] = set()
        while len(answers) < len(asked):
            try:
                line = process.line(deadline)
            except LineTooLong:
                raise self._error(f"printed a line of more than {LONGEST_LINE >> 20} MB; an answer is a line") from None
            except TimeoutError:
                raise self._error(
                    f"answered {len(answers)} of {len(asked)} inputs within {self._params.timeout:g} seconds; "
                    "it may not flush its output, or need a higher timeout="
                ) from None
            if line is None:
                raise self._ended(len(answers), len(asked))
            if line.strip():
                name, prediction = self._read(line)
                if name in answers:
                    raise self._error(f"answered the id '{name}' twice")
                if name not in asked:
                    raise self._error(f"answered the id '{name}', which it was not asked")
                answers.add(name)
                yield name, prediction

    def _running(self) -> LineProcess:
        if self._process is None:
            _ = self._origin.digests
            try:
                self._process = LineProcess(self._words)
            except OSError as error:
                raise self._not_started(error.strerror or str(error)) from error
            # It may be started again in the middle of a run, after it died.
            self._origin.require_unchanged(f"the program '{self._command}'")
        return self._process

    def _not_started(self, reason: str) -> ModelError:
        return ModelError(
            f"The program '{self._words[0]}' cannot be started: {reason}. "
            "Is it installed, and is it spelt as in a terminal?"
        )

    def _read(self, line: bytes) -> tuple[str, Prediction]:
        shown = line.decode("utf-8", "replace").strip()
        shown = shown if len(shown) <= SHOWN_CHARACTERS else shown[:SHOWN_CHARACTERS] + "..."
        try:
            content = json.loads(whole_json(line.decode()))
        except (ValueError, RecursionError):
            raise self._error(f"printed a line that is not JSON: {shown}") from None
        name = content.get("id") if isinstance(content, dict) else None
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise self._error(f"printed a line that is not a JSON object with the id it answers: {shown}")
        try:
            return str(name), self._reader.record(content)
        except DataError as error:
            return str(name), failed(f"its answer makes no sense ({error}): {shown}")

    def _ended(self, given: int, wanted: int) -> ModelError:
        code = self._process.exit_code() if self._process is not None else None
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was killed by signal {-code}"
        else:
            how = f"ended with exit code {code}"
        return InputsFailed(self._explained(f"{how} after {given} of {wanted} answers"))

    def _error(self, what: str) -> ModelError:
        return ModelError(self._explained(what))

    def _explained(self, what: str) -> str:
        """Return one sentence, and the last lines of the program's standard error."""
        lines = self._process.last_errors() if self._process is not None else []
        errors = "\nIts standard error ends with:\n" + "\n".join(f"  {line}" for line in lines) if lines else ""
        return f"The program '{self._command}' {what}.{errors}"


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"The command '{command}' cannot be divided into words: {error}.") from None


def _line(name: str, item: Input) -> bytes:
    record = {"id": name, "premise": item.premise, "hypothesis": item.hypothesis}
    return json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"
