"""The subjects of a page: the systems of a run, those that differ by their seed only taken as one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

from nliprobe.analysis.documents import RunHead
from nliprobe.analysis.rates import Ends
from nliprobe.report.words import control_words


class Subject(NamedTuple):
    """A system, or a family of seeds.

    Attributes:
        name: of the system or of the family.
        systems: the names of the systems; several only for a family.
        control: why it cannot use the premise; empty if it can.
    """

    name: str
    systems: tuple[str, ...]
    control: str = ""

    @property
    def label(self) -> str:
        """The name, with the number of seeds if it is a family."""
        return f"{self.name}, {len(self.systems)} seeds" if len(self.systems) > 1 else self.name


class Estimate(NamedTuple):
    """A number of a subject: of one system with its interval, of a family as a mean with its spread over seeds."""

    value: float
    ci95: Ends
    sd: float | None = None
    seeds: tuple[float, ...] = ()


def subjects(run: RunHead) -> list[Subject]:
    """Return the subjects in the order of the run; those that cannot use the premise come last."""
    families: dict[tuple[str, str], list[str]] = {}
    for item in run["systems"]:
        if item["family"]:
            families.setdefault((item["family"], control_words(item)), []).append(item["name"])
    found: dict[tuple[str, ...], Subject] = {}
    for item in run["systems"]:
        control = control_words(item)
        members = families.get((item["family"] or "", control), [])
        systems = tuple(members) if len(members) > 1 else (item["name"],)
        found[systems] = Subject(str(item["family"]) if len(members) > 1 else item["name"], systems, control)
    return sorted(found.values(), key=lambda subject: bool(subject.control))


def estimate(values: Sequence[tuple[float, Ends]]) -> Estimate | None:
    """Summarise the numbers of a subject's systems: one keeps its interval, several become a mean and a spread."""
    if not values:
        return None
    if len(values) == 1:
        return Estimate(*values[0])
    seeds = tuple(value for value, _ in values)
    return Estimate(mean(seeds), None, stdev(seeds), seeds)
