"""What a complete run shows: computed behind the page where it is not known, and shown once it is."""

from __future__ import annotations

from pathlib import Path

from nliprobe.api.reading import run_content
from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.studio.context import Studio
from nliprobe.studio.jobs import JobState
from nliprobe.studio.read.apart import APART


def computed_verdicts(studio: Studio, path: Path, name: str, *, polled: bool = False) -> tuple[list[str], bool]:
    """Begin to compute what a run shows, or return it, a text per system; and tell whether it is awaited.

    Args:
        studio: the studio.
        path: the folder of the run.
        name: what the run is called.
        polled: whether a script asks again and again; what failed is tried again only for a page.
    """
    apart = studio.part(APART)
    try:
        # By what the run holds: another one may have taken its place, or it may have grown.
        key = f"verdict {path} {run_content(path)}"
        job = studio.jobs.find(key) or studio.jobs.ask(key, f"What {name} shows", lambda job: apart.verdicts(path))
    except UsageError:  # so many are waiting that this one is asked for again later
        return [], True
    except NliprobeError as error:  # deleted or damaged just now
        return [str(error)], False
    if job.state is JobState.FAILED:
        if not polled:  # whoever loads the page once more has it tried again
            studio.jobs.forget(key)
        return [job.said], False
    if job.state is JobState.DONE and isinstance(job.result, list):
        return [str(text) for text in job.result], False
    return [], True
