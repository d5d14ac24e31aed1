"""What exports to experiment trackers share: the results of a run, logged beside its report and document."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import open_run
from nliprobe.api.exchange.results import DOCUMENT, REPORT, Results, results_of, write_results
from nliprobe.api.exchange.written import exporting
from nliprobe.base.errors import MissingExtraError

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say


class Tracker(NamedTuple):
    """An experiment tracker.

    Attributes:
        name: how people call it.
        package: what must be installed to write for it.
        log: logs results in a folder that holds report and document; told also which folder it will become.
    """

    name: str
    package: str
    log: Callable[[Results, Path, Path], None]


def export_results(request: ExportRequest, say: Say, tracker: Tracker) -> ExchangeDocument:
    """Write the results of a run for a tracker."""
    origin = open_run(request)
    if find_spec(tracker.package) is None:
        raise MissingExtraError(f"Writing for {tracker.name} needs {tracker.package}", "exchange")
    assert origin.run is not None
    with exporting(request, origin) as (tally, document):
        say("Making the report …")
        shown = write_results(origin.run, tally.folder)
        tracker.log(results_of(origin.run, shown), tally.folder, request.out.absolute())
        tally.lost.append(
            f"{tracker.name} gets accuracies, gains, prohibited changes and broken expectations, with the ends of "
            f"their intervals as metrics of their own; everything else is in {REPORT} and {DOCUMENT}."
        )
        tally.count(shown["run"]["cases"])
    return document
