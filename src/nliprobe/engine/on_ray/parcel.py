"""What travels between driver and workers: systems as plain data, pieces of questions, and answers.

A system travels as its spec, with what its model has learnt, and is built again where it is asked. Only a model that
was given as a Python object travels as it is, pickled within one run and never kept.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe import __version__
from nliprobe.base import errors
from nliprobe.base.errors import ModelError, NliprobeError, UsageError
from nliprobe.engine.ask import Answers
from nliprobe.models.base import Model, Trainable
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input


class Setting(NamedTuple):
    """What a worker's process takes over from the driver's.

    Attributes:
        folder: the working directory, from which relative paths are read.
        plugins: the Python files that register models and representations.
        version: of nliprobe.
        on_command_line: whether messages name options of the command line.
    """

    folder: str
    plugins: tuple[str, ...]
    version: str
    on_command_line: bool


class Parcel(NamedTuple):
    """A system on its way to a worker.

    Attributes:
        spec: the system as it was asked for.
        seed: of its reader.
        train: the digests of what it learnt from.
        identity: what the system must be there, too; empty if the model travels itself.
        learnt: the files that a trained model has written, by their names.
        model: a model that was given as an object, pickled.
    """

    spec: SystemSpec
    seed: int
    train: dict[str, str]
    identity: str
    learnt: dict[str, bytes]
    model: bytes | None


class Piece(NamedTuple):
    """Some inputs of one system's question about a shard; ``losses`` counts the workers that were lost with it."""

    system: str
    shard: int
    inputs: tuple[Input, ...]
    losses: int = 0


class Refusal(NamedTuple):
    """An error on its way to the driver: the name of its class, and what it says."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: BaseException, host: str) -> Refusal:
        """Describe an error that a worker met on a host."""
        if isinstance(error, NliprobeError):
            return cls(type(error).__name__, f"{error} (On {host}.)")
        return cls("ModelError", f"A worker on {host} failed with {type(error).__name__}: {error}.")

    def error(self) -> NliprobeError:
        """Return the error for the user."""
        kind = getattr(errors, self.kind, ModelError)
        # An error of another form, such as one that a model defines, says the same as a plain one.
        plain = kind if kind in (UsageError, errors.DataError, errors.NotFoundError, errors.StoreError) else ModelError
        made: NliprobeError = plain(self.message)
        return made


class Reply(NamedTuple):
    """Answers to some inputs of a piece, by their ids; the last reply has ``last``, and what the model has counted."""

    answers: Answers
    last: bool = False
    counts: Mapping[str, int] = {}
    refusal: Refusal | None = None


def pack(system: System) -> Parcel:
    """Make the parcel of a system that is prepared."""
    spec, seed, train = system.spec, system.reader.seed, dict(system.train)
    if system.given:
        return Parcel(spec, seed, train, "", {}, _pickled(system))
    return Parcel(spec, seed, train, system.identity(), _learnt(system.model), None)


def unpack(parcel: Parcel) -> System:
    """Build the system of a parcel; raise an error if it is another one here than where it was packed."""
    if parcel.model is not None:
        from ray import cloudpickle

        model = cloudpickle.loads(parcel.model)
        return System.build(parcel.spec, seed=parcel.seed, train=parcel.train, model=model)
    system = System.build(parcel.spec, seed=parcel.seed, train=parcel.train)
    if system.identity() != parcel.identity:
        raise ModelError(
            f"The system {system.name} is another one on this node than where the run was started: the files of its "
            "model differ, or one of them has a GPU and the other has none. Put the model on a disk that all nodes "
            "share, and start the run on a node like those of the workers, or name a device that all of them have."
        )
    if isinstance(system.model, Trainable):
        with tempfile.TemporaryDirectory(prefix="nliprobe-") as folder:
            for name, content in parcel.learnt.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            system.model.load(Path(folder))
    return system


def cut(system: str, shard: int, inputs: Sequence[Input], size: int) -> list[Piece]:
    """Cut inputs into pieces, in order."""
    return [Piece(system, shard, tuple(inputs[at : at + size])) for at in range(0, len(inputs), size)]


def setting(plugins: Sequence[Path]) -> Setting:
    """Describe this process to the workers."""
    return Setting(
        str(Path.cwd()),
        tuple(str(path.resolve()) for path in plugins),
        __version__,
        errors.option("engine").startswith("--"),
    )


def _learnt(model: Model) -> dict[str, bytes]:
    if not isinstance(model, Trainable):
        return {}
    with tempfile.TemporaryDirectory(prefix="nliprobe-") as name:
        folder = Path(name)
        model.save(folder)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _pickled(system: System) -> bytes:
    from ray import cloudpickle

    try:
        content: bytes = cloudpickle.dumps(system.model)
    except Exception as error:  # whatever its parts raise that cannot be pickled
        raise UsageError(
            f"{system.name} cannot be sent to workers ({type(error).__name__}: {error}). Put it into a file that they "
            'import, as in python:path/to/file.py:function, or run it with engine="local".'
        ) from error
    return content
