"""Exporting to a task of Inspect: a Python file, the cases, and what it needs to read and judge answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import open_origin
from nliprobe.api.exchange.tasks import MODE, READING, carry, read_task_prompt, write_cases
from nliprobe.api.exchange.written import exporting
from nliprobe.base.files import write_json

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write ``suite.py``; ``inspect eval FOLDER/suite.py --model …`` runs it."""
    origin = open_origin(request)
    prompt = read_task_prompt(request)
    with exporting(request, origin) as (tally, document):
        parts = write_cases(origin, prompt, tally)
        folder = tally.folder
        carry("judge.py", folder, "nliprobe_judge.py")
        carry(READING, folder, "nliprobe_reading.py")
        carry("inspect_suite.py", folder, "suite.py")
        write_json(
            folder / "suite.json",
            {
                "suite": document["suite"],
                "nliprobe": document["nliprobe"],
                "premise": document["premise"],
                "answer_after": prompt.answer_after,
                "opening": [dict(turn) for turn in prompt.opening(MODE)],
                "parts": {
                    part.name: {"corpus": part.corpus, "probe": part.probe, "cases": part.cases}
                    for part in parts.by_place.values()
                },
            },
        )
    return document
