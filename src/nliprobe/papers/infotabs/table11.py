"""Table 11: the categories of the tables, except for the third test split."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe

_NOTES = [
    "The corpus spells some categories in several ways: Food, Food&Drink and Food&Drinks are one, and so are Sport, "
    "Sports and Sports Event.",
    "Of the 1,740 training tables 176 are movies; the printed 10.17 % is 177.",
    'Under "Other" are 107 training tables, 6.15 %; the printed 6.07 % is not a whole number of tables.',
    'The printed column of dev adds up to 104.5: its own rows leave 3.5 for "Other", not 8.',
]
_SPELT = {"Food / Drinks": "Food & Drinks"}


@recipe("infotabs:table11", "Categories of the tables of train, dev, alpha1 and alpha2, in percent")
def table11(folders: Folders) -> Computed:
    """Compute the percentages."""
    from nliprobe.papers.infotabs._categories import category_percents

    printed = table11.printed()
    rows = list(dict.fromkeys(cell.row for cell in printed))
    values: dict[Cell, float | None] = {}
    for split in dict.fromkeys(cell.col for cell in printed):
        for name, percent in category_percents(split, folders.root, rows, _SPELT).items():
            values[Cell(name, split)] = percent
    return Computed(values, list(_NOTES))
