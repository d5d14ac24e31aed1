"""Table 12: the categories of the tables of the third test split."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "The paper divides by 201 where there are 200 tables: 41 tables about diseases are printed as 20.4 %.",
    'What the paper calls "Disasters" are the earthquakes of the corpus.',
]
_SPELT = {"Bus / Train Lines": "Bus/Train Lines", "Air Crash": "Air crash", "Disasters": "Earthquakes"}


@recipe("infotabs:table12", "Categories of the tables of alpha3, in percent")
def table12(folders: Folders) -> Computed:
    """Compute the percentages."""
    from nliprobe.papers.infotabs._categories import category_percents

    rows = [cell.row for cell in table12.printed()]
    percents = category_percents("alpha3", folders.root, rows, _SPELT)
    return Computed({Cell(name, "alpha3"): percent for name, percent in percents.items()}, list(_NOTES))
