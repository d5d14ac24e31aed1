"""What every document says about the run it was read from: whether it is complete, unfinished, or read in part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from nliprobe.base.errors import flag
from nliprobe.store.soundness import State

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

# Longer lists of files are cut in sentences; ``left_out`` has all.
_NAMED = 4


class Integrity(TypedDict):
    """Whether a run is whole.

    ``state`` is complete, unfinished (some cases were never asked) or damaged (some files are missing or altered, and
    are left out). ``left_out`` are these files, by their paths in the run folder. ``warnings`` are sentences that every
    report shows; there are none for a complete run.
    """

    state: Literal["complete", "unfinished", "damaged"]
    left_out: list[str]
    warnings: list[str]


WHOLE = Integrity(state="complete", left_out=[], warnings=[])


def integrity(run: RunFolder) -> Integrity:
    """Describe a run that has been read; call it after reading, because only then all its bytes are compared."""
    left_out = [str(item.path.relative_to(run.path)) for item in run.left_out]
    soundness = run.soundness()
    if left_out:
        named = ", ".join(left_out[:_NAMED]) + (f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else "")
        warnings = [
            f"This run is damaged and was read with {flag('partial')}: the numbers leave out what belongs to "
            f"{named}. They support no verdict. Repair the run by repeating the command that made it."
        ]
        return Integrity(state="damaged", left_out=left_out, warnings=warnings)
    if soundness.state is State.COMPLETE:
        return Integrity(state="complete", left_out=[], warnings=[])
    parts = [
        f"{item.system}: {item.shards} {'shard' if item.shards == 1 else 'shards'}"
        + ("" if item.expected is None else f" of {item.expected}")
        for item in soundness.unfinished
    ]
    asked = f" ({', '.join(parts)})" if parts else ""
    return Integrity(
        state="unfinished",
        left_out=[],
        warnings=[
            f"This run is not complete: the numbers cover what has been asked so far{asked}. They support no verdict."
        ],
    )
