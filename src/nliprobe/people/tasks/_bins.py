"""Questions about the accuracy of a template: what they show, and the five bins of accuracy."""

from __future__ import annotations

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.base.fields import Fields
from nliprobe.people.records import Json
from nliprobe.people.tasks._declared import DeclaredTask, Field, fields_of
from nliprobe.people.tasks.premises import require_premise
from nliprobe.people.texts import LONGEST_PREMISE, require_json, text_under


def _require_examples(fields: Fields, key: str) -> None:
    require_json(fields, key, longest=LONGEST_PREMISE)
    for example in fields.each(key):
        one = fields_of(example.values, f"{fields.place}, in '{key}',", ("premise", "hypothesis"))
        require_premise(one, "premise")
        text_under(one, "hypothesis", longest=LONGEST_PREMISE)


class BinTask(DeclaredTask):
    """A question about the bin in which a system's accuracy on a template lies.

    ``template`` is its pattern or description, ``examples`` some of its pairs. ``information`` is any JSON: what the
    stage of a study tells about the system, such as accuracies of labels or other templates. The right bin stays hidden
    as ``truth``.
    """

    right = "truth"
    fields = (
        Field("template", lambda fields, key: text_under(fields, key, longest=LONGEST_PREMISE)),
        Field("examples", _require_examples, needed=False),
        Field("information", lambda fields, key: require_json(fields, key, longest=LONGEST_PREMISE), needed=False),
    )

    def choices(self) -> dict[str, Json]:
        """Return the names of the bins, in percent."""
        return {"bins": list(BINS)}
