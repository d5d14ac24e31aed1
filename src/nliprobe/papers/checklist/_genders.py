"""Tables 5 and 6: the accuracy of one template by the value of a placeholder and by gender."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nliprobe.papers.recipes import Cell, Computed, Value

CELLS = Path(__file__).parent / "cells"
GENDERS = {"Male": "m", "Female": "f"}


def by_gender(printed: Iterable[Cell], template: str, placeholder: str, words: str) -> Computed:
    """Lay the accuracy of a whole template by gender beside cells that were not measured.

    The suite has two or three examples of a word with both names of one gender, too few to say anything of a cell.

    Args:
        printed: the cells of the paper.
        template: the template of the library that is the paper's.
        placeholder: what the rows are values of.
        words: what these values are called.
    """
    from nliprobe.api.sources import open_source
    from nliprobe.papers.checklist._gold import over_seeds, scores, suite
    from nliprobe.papers.checklist.answers_file import WITH_PREMISE

    asked, answers = suite(), scores(WITH_PREMISE).answers
    place = asked.entry(template)
    # Which examples a template gives does not depend on the other templates.
    drawn = [
        {facet.name: facet.value for facet in pair.facets}
        for pair in open_source(f"checklist?only={template}").pairs()
        if pair.group == template
    ]
    values: dict[Cell, float | Value | None] = dict.fromkeys(printed)
    counts: list[str] = []
    for col, gender in GENDERS.items():
        mine = [
            number
            for number, facets in enumerate(drawn, place.start)
            if facets["gender:NAME1"] == facets["gender:NAME2"] == gender
        ]
        shares = [
            sum(letters[number] == asked.gold[number] for number in mine) / len(mine)
            for letters in answers.to(asked.digest, len(asked.gold))
        ]
        values[Cell(f"all {words} of the suite", col)] = over_seeds(shares, answers.by())
        counts.append(f"{col} {len(mine)}")
    several = len({facets[f"value:{placeholder}"] for facets in drawn})
    notes = [
        "The printed cells are not measured: the paper has 100 examples a cell, and BERT cannot be had here. The very "
        f"cells are drawn by nliprobe run --on 'templates:{CELLS.name}?n=100' with the folder {CELLS.name} beside this "
        "recipe, and nliprobe show --checklist --format json gives the accuracy of each.",
        f"all {words} of the suite: MiniLM on the examples of {template} both names in which have one gender "
        f"({', '.join(counts)} examples, {several} {words}); the share of right answers.",
    ]
    return Computed(values, notes)
