"""An oracle for executable hypotheses: it reads what a model reads, and no program, template or facet.

The struct text of the table is parsed again, cells are read and sentences understood by rules of their own, so that an
error in the reader of cells, in a program or in a phrasing shows as a label on which the two differ.
"""

from __future__ import annotations

from tests.oracle.claims.groups import GROUPS
from tests.oracle.claims.lives import LIVES
from tests.oracle.claims.nature import NATURE
from tests.oracle.claims.pictures import PICTURES
from tests.oracle.claims.places import PLACES
from tests.oracle.claims.works import WORKS
from tests.oracle.premise import read_premise
from tests.oracle.sayings import Sayings

ENGLISH = Sayings(WORKS, PICTURES, LIVES, NATURE, PLACES, GROUPS)
_LABELS = {True: "E", False: "C", None: "N"}


def answer(table: str, hypothesis: str) -> str:
    """Return E, N or C for a table as ``struct`` writes it and a hypothesis about it."""
    return _LABELS[ENGLISH.judge(read_premise(table), hypothesis)]
