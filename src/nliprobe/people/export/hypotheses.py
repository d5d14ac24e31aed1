"""Export written hypotheses as a corpus: three pairs per premise and author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.people.counted import counted
from nliprobe.people.export.files import Exported, file_spec, named, remarked, write_json_lines
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks.write import WRITTEN


def write_hypotheses(
    path: Path, items: Sequence[Item], judgements: Iterable[Judgement], *, externals: Mapping[str, str] | None = None
) -> Exported:
    """Write what people wrote as JSON lines that ``file:`` reads.

    The label is the one that the author meant. Have others verify it: ``file:PATH`` is a source of items like any
    other. Who wrote it is the facet ``rater``.
    """
    found = counted(items, judgements)
    rows = [
        {
            "id": f"{one.item.name}-{one.judgement.rater}-{name}",
            "premise": one.item.content["premise"],
            "hypothesis": one.judgement.answer[name],
            "label": label,
            "table": str(one.item.hidden.get("table") or one.item.name),
            **named(one.judgement.rater, externals),
            "remark": one.judgement.remark,
        }
        for one in found
        for name, label in WRITTEN.items()
    ]
    write_json_lines(path, remarked(rows))
    waiting = sum(item.expected is None for item in items) - len({one.item.name for one in found})
    facets = "rater" if externals is None else "rater;external"
    spec = file_spec(path, id="id", group="table", label="label", premise="premise", facets=facets)
    return Exported(path, len(rows), {"nobody has written about it": waiting} if waiting else {}, spec)
