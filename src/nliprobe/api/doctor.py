"""Examine systems without running a suite."""

from __future__ import annotations

from nliprobe.api.resolve import Request, check_sources, check_systems
from nliprobe.engine.ask import Caches
from nliprobe.engine.doctor.examine import examine_system
from nliprobe.models.system import System
from nliprobe.store.verdict import Verdict
from nliprobe.training.fit import make_ready


def doctor(request: Request) -> dict[str, Verdict]:
    """Examine the systems of a request, and return the verdicts by the names of the systems."""
    training = request.training()
    suite = request.suite() if request.on else None
    sources = suite.sources if suite is not None else ()
    check_sources([*sources, *training])

    def prepare(system: System) -> None:
        make_ready(system, training)

    systems = request.build_systems(training)
    caches = Caches()
    try:
        check_systems(systems, suite)
        return {system.name: examine_system(system, sources, prepare, caches, training) for system in systems}
    finally:
        for system in systems:
            system.model.close()
