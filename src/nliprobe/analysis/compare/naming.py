"""Naming: which systems of which runs are compared, each under a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import NotFoundError, UsageError, command, did_you_mean, option
from nliprobe.base.registry import split_specs

if TYPE_CHECKING:
    from pathlib import Path

    from nliprobe.store.run import RunFolder

# Forty systems are 780 pairs; nobody reads more, and Holm's correction would let nothing through.
MOST = 40


class Named(NamedTuple):
    """A system of a run, under the name that it has among all that are compared."""

    name: str
    run: RunFolder
    system: str


def name_systems(runs: Sequence[RunFolder], wanted: Sequence[str] = ()) -> list[Named]:
    """Choose the systems to compare and give each a name of its own.

    Args:
        runs: the runs, each once.
        wanted: names of systems, several of them perhaps in one text with commas between; by default all systems.
            A name that several runs have means all of these, and with the run's name, ``svm (main)``, one of them.

    Raises:
        UsageError: a run is given twice, a system is named twice, or fewer than two are left.
        NotFoundError: no run has a system of this name.
    """
    _require_distinct(runs)
    known = _named(runs)
    if wanted:
        known = _chosen(known, wanted)
    if len(known) < 2:
        raise UsageError(_too_few(runs, known))
    if len(known) > MOST:
        raise UsageError(
            f"These are {len(known)} systems, and at most {MOST} can be compared at once. "
            f"Choose some with {option('systems', 'A,B')}"
        )
    return known


def choose_reference(systems: Sequence[Named], reference: str) -> Named:
    """Return the system that all others are compared with."""
    found = [item for item in systems if reference in (item.name, item.system)]
    if not found:
        near = did_you_mean(reference, [item.name for item in systems])
        raise NotFoundError(f"The reference '{reference}' is not among the systems that are compared. {near}")
    if len(found) > 1:
        raise UsageError(
            f"Several runs have the reference '{reference}'. Name one of these: "
            + ", ".join(f"'{item.name}'" for item in found)
        )
    return found[0]


def _named(runs: Sequence[RunFolder]) -> list[Named]:
    """Name all systems of all runs; the run's name is added where two systems have the same one."""
    every = [(run, item.name) for run in runs for item in run.systems]
    often = Counter(name for _, name in every)
    folders = run_names(runs)
    return [
        Named(f"{name} ({folders[runs.index(run)]})" if often[name] > 1 else name, run, name) for run, name in every
    ]


def run_names(runs: Sequence[RunFolder]) -> list[str]:
    """Name runs by their folders, with as many of the folders above as tell them apart."""
    paths = [run.path.resolve() for run in runs]
    return [_distinct(path, [other for other in paths if other != path]) for path in paths]


def _distinct(path: Path, others: Sequence[Path]) -> str:
    for count in range(1, len(path.parts) + 1):
        tail = path.parts[-count:]
        if all(other.parts[-count:] != tail for other in others):
            return "/".join(tail)
    return str(path)


def _chosen(known: Sequence[Named], wanted: Sequence[str]) -> list[Named]:
    names = {name for item in known for name in (item.name, item.system)}
    # A name may hold a comma, so that a text is split only if it is no name itself.
    pieces = [piece for text in wanted for piece in ([text] if text in names else split_specs(text))]
    chosen: list[Named] = []
    for piece in pieces:
        found = [item for item in known if item.name == piece] or [item for item in known if item.system == piece]
        if not found:
            near = did_you_mean(piece, [item.name for item in known])
            raise NotFoundError(f"No run has a system '{piece}'. {near}")
        twice = [item for item in found if item in chosen]
        if twice:
            raise UsageError(f"The system '{twice[0].name}' is named twice: a system is compared with others.")
        chosen += found
    return chosen


def _require_distinct(runs: Sequence[RunFolder]) -> None:
    paths = [run.path.resolve() for run in runs]
    twice = [run for place, run in enumerate(runs) if paths[place] in paths[:place]]
    if twice:
        systems = ", ".join(item.name for item in twice[0].systems)
        raise UsageError(
            f"The run {twice[0].path} is given twice. Give it once to compare its systems ({systems}) with each other, "
            "or name two systems or two runs."
        )


def _too_few(runs: Sequence[RunFolder], known: Sequence[Named]) -> str:
    places = ", ".join(str(run.path) for run in runs)
    if not known:
        again = command("run", "system", "…", python="systems")
        noun = "The run" if len(runs) == 1 else "The runs"
        return f"{noun} {places} {'has' if len(runs) == 1 else 'have'} no system. Make it again with {again}"
    return (
        f"There is only one system to compare: '{known[0].name}' of {known[0].run.path}. "
        "Name two systems, or give a second run."
    )
