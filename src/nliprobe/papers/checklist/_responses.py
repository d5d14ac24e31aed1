"""The stages of the paper's studies, and reading a file of responses to them; a study's other stages are not taken."""

from __future__ import annotations

from pathlib import Path

from nliprobe.people.study.responses import Responses
from nliprobe.people.study.responses import read_responses as read_any

# Tables 7 and 8, and figure 4.
PHASE_1 = ("1", "2", "3")
PHASE_2 = ("template-explanations", "example-explanations", "example-questions")
STUDY = ("B1", "B2", "R2")
NO_FILE = (
    "Not measured, because it needs people: give what they answered as --responses FILE (the guide to tables of the "
    "papers names its columns)."
)
SIMULATED = "SIMULATED: no person answered. These numbers show the analysis and say nothing about people."


def read_responses(path: Path) -> Responses:
    """Read a file of bids or of answers, in the stages of the paper."""
    return read_any(path, PHASE_1, (*PHASE_2, *STUDY))


def panel_notes(responses: Responses) -> list[str]:
    """Return the note that no person answered, if that is so."""
    return [SIMULATED] if responses.simulated else []
