"""Table 6: adjectives and gender."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe


@recipe("checklist:table6", "Accuracy of 'NAME1 is ADJ. NAME2 is COM ADJ.' by adjective and gender")
def table6(folders: Folders) -> Computed:
    """Score the shipped answers to the same cells."""
    from nliprobe.papers.checklist._genders import by_gender

    return by_gender(table6.printed(), "adjective", "entailment")
