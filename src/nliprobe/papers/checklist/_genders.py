"""Compute tables 5 and 6: the accuracy of one template by the value of a placeholder and by gender."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nliprobe.papers.recipes import Cell, Computed, Value

CELLS = Path(__file__).parent / "cells"
GENDERS = {"Male": "m", "Female": "f"}


def by_gender(printed: Iterable[Cell], template: str, placeholder: str, words: str) -> Computed:
    """Return the printed cells, unmeasured, and the accuracy of the whole template by gender.

    The suite has two or three examples per word with both names of one gender, too few for a single cell.

    Args:
        printed: the cells of the paper.
        template: the template of the library that is the paper's.
        placeholder: the placeholder whose values are the rows.
        words: what these values are called.
    """
    from nliprobe.api.sources import open_source
    from nliprobe.papers.checklist._gold import over_seeds, scores, suite
    from nliprobe.papers.checklist.answers_file import PAPER, WITH_PREMISE

    asked, answers = suite(PAPER), scores(WITH_PREMISE).answers
    place = asked.entry(template)
    # The examples of a template do not depend on the other templates.
    drawn = [
        {facet.name: facet.value for facet in pair.facets}
        for pair in open_source(f"{PAPER}?only={template}").pairs()
        if pair.group == template
    ]
    values: dict[Cell, float | Value | None] = dict.fromkeys(printed)
    counts: list[str] = []
    for col, gender in GENDERS.items():
        of_gender = [
            number
            for number, facets in enumerate(drawn, place.start)
            if facets["gender:NAME1"] == facets["gender:NAME2"] == gender
        ]
        shares = [
            sum(letters[number] == asked.gold[number] for number in of_gender) / len(of_gender)
            for letters in answers.to(asked.digest, len(asked.gold), PAPER)
        ]
        values[Cell(f"all {words} of the suite", col)] = over_seeds(shares, answers.by())
        counts.append(f"{col} {len(of_gender)}")
    several = len({facets[f"value:{placeholder}"] for facets in drawn})
    notes = [
        "The printed cells are not measured: the paper has 100 examples per cell, and its BERT is not available here. "
        f"Draw the same cells with nliprobe run --on 'templates:{CELLS.name}?n=100' and the folder {CELLS.name} next "
        "to this recipe; nliprobe show --checklist --format json gives the accuracy of each.",
        f"all {words} of the suite: the share of right answers of MiniLM on the examples of {template} in which both "
        f"names have one gender ({', '.join(counts)} examples, {several} {words}).",
    ]
    return Computed(values, notes)
