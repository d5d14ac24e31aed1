"""The results of a run as experiment trackers take them: numbers with names, and texts about suite and systems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.rates import Ends, Rate
from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.base.hashing import digest
from nliprobe.store.run import RunFolder

REPORT, DOCUMENT = "report.html", "show.json"
# Letters that names of metrics may have in every tracker; MLflow allows 250 of them.
_OTHER = re.compile(r"[^0-9A-Za-z_\-./ ]")
_LONGEST = 200


class Results(NamedTuple):
    """What a tracker gets of a run: for each system its numbers and what is known about it."""

    name: str
    about: dict[str, str]
    systems: dict[str, dict[str, str]]
    metrics: dict[str, dict[str, float]]


def results_of(run: RunFolder, document: ShowDocument) -> Results:
    """Return the results of a run; numbers have their intervals beside them, accuracies the best constant answer."""
    suite = run.record.suite
    about = {
        "suite": suite.hash,
        "seed": str(suite.seed),
        "nliprobe": run.record.nliprobe,
        "created": run.record.created,
        "state": str(run.state),
        "corpora": json.dumps({item.name: item.digest for item in run.corpora}, ensure_ascii=False),
        "probes": json.dumps([item.spec for item in suite.probes], ensure_ascii=False),
    }
    systems = {
        item.name: {
            "system": item.name,
            "spec": item.spec,
            "fingerprint": item.fingerprint or "",
            "represent": item.represent,
            "premise": item.premise,
            "labels": item.labels,
            "train": json.dumps(list(item.train), ensure_ascii=False),
            "status": str(item.status),
        }
        for item in run.systems
    }
    return Results(run.path.name, about, systems, {name: _metrics(document, name) for name in systems})


def write_results(run: RunFolder, folder: Path) -> ShowDocument:
    """Write report and document of a run into a folder, and return the document."""
    from nliprobe.base.files import write_json

    document = summarise(run)
    report(run, folder / REPORT)
    write_json(folder / DOCUMENT, dict(document))
    return document


def _metrics(document: ShowDocument, system: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for place, measure, value in _measures(document, system):
        if value is not None:
            found[_name(place, measure, found)] = float(value)
    return found


def _measures(document: ShowDocument, system: str) -> Iterator[tuple[Sequence[str], str, float | None]]:
    for score in (item for item in document["scores"] if item["system"] == system):
        place = (score["corpus"], score["probe"])
        yield from _with_ends(place, "accuracy", score["accuracy"], score["ci95"])
        yield from _with_ends(place, "macro_f1", score["macro_f1"], score["macro_f1_ci95"])
        yield place, "constant", None if score["constant"] is None else score["constant"]["accuracy"]
        yield place, "n", score["n"]
        yield place, "unanswered", score["unanswered"]
    for gain in (item for item in document["gains"] if item["system"] == system):
        place = (gain["corpus"], "gold")
        yield from _with_ends(place, "gain_over_premise_free", gain["gain"], gain["ci95"])
        yield place, "premise_free_accuracy", gain["control_accuracy"]
    for moves in (item for item in document["transitions"] if item["system"] == system):
        place = (moves["corpus"], moves["probe"])
        yield from _rate(place, "prohibited", moves["prohibited_overall"])
        yield from _rate(place, "changed", moves["changed"])
    for entry in (item for item in document["expectations"] if item["system"] == system):
        place = (entry["corpus"], entry["probe"])
        yield from _rate(place, "broken", entry["rate"])
        yield from _rate(place, "changed", entry["changed"])


def _rate(place: Sequence[str], name: str, rate: Rate) -> Iterator[tuple[Sequence[str], str, float | None]]:
    yield from _with_ends(place, name, rate["rate"], rate["ci95"])
    yield place, f"{name}_n", rate["n"]


def _with_ends(
    place: Sequence[str], name: str, value: float | None, ends: Ends
) -> Iterator[tuple[Sequence[str], str, float | None]]:
    yield place, name, value
    if value is not None and ends is not None:
        yield place, f"{name}_low", ends[0]
        yield place, f"{name}_high", ends[1]


def _name(place: Sequence[str], measure: str, taken: dict[str, float]) -> str:
    """Return the name of a metric: corpus, probe and measure, in letters that trackers allow; never one twice."""
    whole = "/".join((*place, measure))
    # MLflow keeps metrics in files, so that a name may not lead elsewhere.
    plain = "/".join(piece.strip(". ") or "_" for piece in _OTHER.sub("_", whole).split("/"))
    if plain == whole and len(plain) <= _LONGEST and plain not in taken:
        return plain
    return f"{plain[: _LONGEST - 20]}/{digest(whole)[:8]}/{measure}"
