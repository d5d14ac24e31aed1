"""Failures of single inputs: which errors are an input's own, and the answer that says so.

An error stops a run at once, or it is the failure of the inputs that were asked:

- :class:`InputsFailed` and every ordinary exception of a model's code (ValueError, KeyError, RuntimeError, a full GPU)
  are about the inputs: asked in smaller batches, the others are answered, and what fails alone has a *failed* answer.
- Any other :class:`NliprobeError` (a program that cannot be started, a wrong number of answers, a missing package)
  would come back with every input, and so would a mistake in the code: see :func:`is_mistake`.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from nliprobe.base.errors import ModelError, NliprobeError, where
from nliprobe.base.halves import whole
from nliprobe.task.case import Prediction, Status

# The reason of a failure is kept beside every failed answer, so it is short.
REASON_CHARACTERS = 300
# What wrong code raises, whatever it is given. An unknown word or a bad number is a KeyError or a ValueError instead.
_MISTAKES = (
    TypeError,
    AttributeError,
    NameError,
    ImportError,
    SyntaxError,
    AssertionError,
    NotImplementedError,
    SystemExit,
)


class InputsFailed(ModelError):
    """A model could not answer all the inputs it was handed; handed fewer of them, it may answer the others.

    Class attributes:
        fewer_may_do: false if the number of inputs is not what it failed on, as where a service asks for patience.
    """

    fewer_may_do: bool = True


class Mistake(ModelError):
    """The code of a model is wrong; the message says which error it raised, and where."""


def failed(reason: str) -> Prediction:
    """Return the answer of an input that failed, with the reason in ``raw``.

    >>> failed("the service is busy").status
    <Status.FAILED: 'failed'>
    """
    line = whole(next(iter(reason.strip().splitlines()), ""))
    return Prediction(
        None, None, Status.FAILED, line if len(line) <= REASON_CHARACTERS else line[: REASON_CHARACTERS - 3] + "..."
    )


def failed_by(error: BaseException) -> Prediction:
    """Return the answer of an input for which the model raised an error."""
    return failed(str(error) if isinstance(error, NliprobeError) else f"{type(error).__name__}: {error}")


def stop_unless_of_inputs(error: Exception) -> None:
    """Raise an error that would come back with every input: asking fewer of them at a time is no use."""
    if is_mistake(error):
        raise Mistake(_explain(error)) from error
    if isinstance(error, NliprobeError) and not isinstance(error, InputsFailed):
        raise error


def is_mistake(error: BaseException) -> bool:
    """Tell whether an error is one of the code rather than of an input.

    A TypeError, AttributeError, NameError, ImportError, SyntaxError, AssertionError, NotImplementedError or an exit is,
    also where an adapter put :class:`InputsFailed` in front of it; so is a LookupError that nliprobe itself raised.
    """
    cause = error.__cause__ if isinstance(error, InputsFailed) and error.__cause__ is not None else error
    if isinstance(cause, NliprobeError):
        return False
    if isinstance(cause, _MISTAKES):
        return True
    return isinstance(cause, LookupError) and _raised_by(cause).startswith("nliprobe.")


def _explain(error: BaseException) -> str:
    cause = error.__cause__ if isinstance(error, InputsFailed) and error.__cause__ is not None else error
    last = _last(cause)
    place = "" if last is None else f" ({where(Path(last.tb_frame.f_code.co_filename).name, last.tb_lineno)})"
    said = str(error).rstrip(".") if isinstance(error, NliprobeError) else f"{type(error).__name__}: {error}"
    return f"{said}{place}. This is a mistake in its code, not the failure of an input."


def _raised_by(error: BaseException) -> str:
    """The module whose code raised an error."""
    last = _last(error)
    return "" if last is None else str(last.tb_frame.f_globals.get("__name__", ""))


def _last(error: BaseException) -> TracebackType | None:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace
