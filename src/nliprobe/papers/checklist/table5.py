"""Table 5: professions and gender."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = "dancer, Male is printed as 0.9; the text says 9 %, and the rows are in order of this column, so 0.09 is meant."


@recipe("checklist:table5", "Accuracy of 'NAME1, but not NAME2, is a PROFESSION' by profession and gender")
def table5(folders: Folders) -> Computed:
    """Score the shipped answers to the same cells."""
    from nliprobe.papers.checklist._genders import by_gender

    values, notes = by_gender(table5.printed(), "profession", "contradiction")
    return Computed(values, [*notes, _NOTE])
