"""Connects to a Ray cluster, or starts one on this machine, and keeps what Ray itself prints out of the output."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from nliprobe.base.errors import MissingExtraError, ModelError, NotFoundError, UsageError, option

# Seconds until an address that does not answer is given up.
PATIENCE = 5.0
_START = "Start one with: ray start --head, and on every other machine: ray start --address=HOST:PORT"
# What reaches the workers of the driver's environment: options, folders and tokens of nliprobe and of model hubs.
_PASSED_ON = ("NLIPROBE_", "HF_", "TRANSFORMERS_", "TOKENIZERS_")
# The variables by which numerical libraries choose how many threads they use; what the first says is for all.
_THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
)


class Node(NamedTuple):
    """What a node of the cluster has."""

    cpus: int
    gpus: float


class Seats(NamedTuple):
    """How many workers there are, and the CPUs of each."""

    workers: int
    cpus: int


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Use a cluster, and leave it at the end; one that was started here ends with it.

    Args:
        address: ``host:port`` of a cluster to which this machine belongs, ``auto`` for the one that was started on
            this machine, or nothing for that of RAY_ADDRESS, else one of this machine alone for this run.
    """
    where = address or os.environ.get("RAY_ADDRESS", "") or "local"
    _set_manners(where)
    try:
        import ray
        from ray import is_initialized  # which a folder with the name ray has not
    except ImportError as error:
        raise MissingExtraError(f"{option('engine', 'ray')} needs Ray, which is not installed", "ray") from error
    if is_initialized():  # in a notebook that uses Ray itself, whose connection stays as it is
        there = ray.get_runtime_context().gcs_address
        if address not in ("", "auto", there):
            raise UsageError(f"This process is connected to the Ray cluster at {there} already, not to '{address}'.")
        yield
        return
    _check_address(where)
    _silence()
    alone = {"include_dashboard": False} if where == "local" else {}
    try:
        ray.init(address=where, log_to_driver=False, logging_level=logging.CRITICAL, **alone)
    except Exception as error:  # Ray raises errors of many kinds, as its parts do
        raise _refused(where, error) from error
    try:
        yield
    finally:
        ray.shutdown()


def nodes() -> list[Node]:
    """Return what the nodes of the cluster have, those that are alive."""
    import ray

    resources = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return [Node(int(item.get("CPU", 0)), float(item.get("GPU", 0))) for item in resources]


def seats(there: list[Node], workers: int | None, gpus: float) -> Seats:
    """Divide the CPUs of a cluster among workers.

    Args:
        there: the nodes.
        workers: how many are wanted; by default one per GPU that they need, or else one per 4 CPUs of a node.
        gpus: how many GPUs each of them needs.
    """
    places = [_places(node, 1, gpus) for node in there]
    if not any(places):
        needs = f"{gpus:g} GPU and 1 CPU" if gpus else "1 CPU"
        raise UsageError(f"No node of the cluster has {needs}, which a worker needs: it has {_in_words(there)}.")
    if workers is None:
        workers = sum(places) if gpus else sum(max(1, node.cpus // 4) for node in there if node.cpus)
    if workers > sum(places):
        raise UsageError(
            f"{workers} workers do not fit on the cluster: it has {_in_words(there)}, and each worker needs "
            f"{f'{gpus:g} GPU and ' if gpus else ''}1 CPU. Ask for at most {sum(places)} with {option('workers')}."
        )
    cpus = max(1, sum(node.cpus for node in there) // workers)
    while cpus > 1 and sum(_places(node, cpus, gpus) for node in there) < workers:
        cpus -= 1
    return Seats(workers, cpus)


def environment(cpus: int) -> dict[str, str]:
    """Return the variables of a worker's environment; it uses as many threads as it has CPUs, unless the user says."""
    passed = {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}
    if "PYTHONPATH" in os.environ:
        passed["PYTHONPATH"] = os.environ["PYTHONPATH"]
    threads = os.environ.get(_THREADS[0]) or str(cpus)
    return {**passed, **{name: os.environ.get(name) or threads for name in _THREADS}}


def _places(node: Node, cpus: int, gpus: float) -> int:
    by_cpus = node.cpus // cpus
    return min(by_cpus, int(node.gpus / gpus)) if gpus else by_cpus


def _in_words(there: list[Node]) -> str:
    gpus = sum(node.gpus for node in there)
    counted = f"{len(there)} nodes" if len(there) != 1 else "1 node"
    return f"{counted} with {sum(node.cpus for node in there)} CPUs and {gpus:g} GPUs in all"


def _check_address(address: str) -> None:
    """Raise an error soon if nobody listens at an address; Ray itself would try for a minute."""
    if address in ("local", "auto"):
        return
    if "://" in address:
        raise UsageError(
            f"'{address}' is an address of Ray's client, which nliprobe does not use. Start the run on a node of the "
            f"cluster, with {option('address', 'HOST:PORT')} or {option('address', 'auto')}."
        )
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise UsageError(f"'{address}' is not an address: expected HOST:PORT, such as 10.0.0.1:6379, or auto.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise NotFoundError(
            f"There is no Ray cluster at {address}: {getattr(error, 'strerror', None) or error}. {_START}"
        ) from error


def _refused(address: str, error: Exception) -> ModelError | NotFoundError:
    said = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
    if address == "local":
        return ModelError(f"Ray cannot be started on this machine: {said}")
    if isinstance(error, ConnectionError):
        return NotFoundError(
            f"There is no Ray cluster at '{address}' to which this machine belongs: {said.rstrip('.')}. {_START}"
        )
    return ModelError(f"The Ray cluster at '{address}' cannot be used: {said}")


def _set_manners(address: str) -> None:
    """Say in the environment, which Ray reads when it is imported, what no other option says.

    It sends no statistics of its use, and gives an address up after some seconds. Where it is started for one run, its
    workers have the priority that this process has: Ray's niceness of 15 makes them wait for whatever else runs there.
    """
    manners = {"RAY_USAGE_STATS_ENABLED": "0"}
    if address == "local":
        manners["RAY_worker_niceness"] = "0"
    else:
        manners["RAY_NUM_REDIS_GET_RETRIES"] = str(int(PATIENCE))
    for name, value in manners.items():
        os.environ.setdefault(name, value)


def _silence() -> None:
    """Keep messages about lost workers to ourselves: a worker that is lost is replaced, and the output says so."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    from ray._private import worker

    # There is no option for what Ray prints about lost workers; in a version without this name it is printed.
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *args, **kwargs: None
