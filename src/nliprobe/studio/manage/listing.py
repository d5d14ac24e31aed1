"""The list of all projects."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.people.store.progress import read_progress
from nliprobe.people.store.projects import read_projects
from nliprobe.studio.calls import Call
from nliprobe.studio.context import address
from nliprobe.studio.rendering import render


def list_projects(call: Call) -> Response:
    """Show all projects with how far they are."""
    store = call.studio.store
    rows = []
    for project in read_projects(store):
        progress = read_progress(store, project.name)
        open_batches = sum(batch.is_open for batch in progress.batches)
        rows.append(
            {
                "address": f"/projects/{address(project.name)}",
                "project": project,
                "items": sum(batch.items for batch in progress.batches),
                "judged": sum(batch.judged for batch in progress.batches),
                "wanted": sum(batch.wanted for batch in progress.batches),
                "batches": len(progress.batches),
                "open": open_batches,
                "leased": progress.leased,
                "flags": sum(flag.flagged for flag in progress.flags),
                "complete": progress.is_complete,
            }
        )
    return render(call, "manage/projects.html", title="Projects", rows=rows)
