"""Figure 13: which answers each set of operations allows."""

from __future__ import annotations

from nliprobe.papers.evidence._transitions import edge_row
from nliprobe.papers.recipes import Cell, Computed, Folders, recipe
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.relations import UNIT_EDITS, Relation, UnitEdit, relations_of_sets, together

_NOTES = [
    "1 is an allowed transition and 0 a prohibited one. The figure is a drawing whose numbers are not in the text; the "
    "text says that a set of operations has one relation, whatever their order and however often each is repeated "
    "(DDDS = DDS = SDD = DSD = DS = SD).",
    "The relation of a set is the intersection over all orders of its operations, on distinct rows. Deletion and "
    "insertion of the same key is the update of a single value and has no constraint.",
    "Plain names are operations on rows of unknown relevance. Where people marked rows, a deletion is 'delete "
    "relevant' or 'delete irrelevant', and likewise for others.",
]


def operation_sets() -> list[tuple[UnitEdit, ...]]:
    """Return every set of operations, small ones first; of one kind, relevance is known for all or for none."""
    return [chosen for chosen in relations_of_sets(UNIT_EDITS) if not _mixes(chosen)]


def _mixes(chosen: tuple[UnitEdit, ...]) -> bool:
    unknown = [edit.rank for edit in chosen if edit.relation == edit.otherwise]
    return any(sum(edit.rank == rank for edit in chosen) > 1 for rank in unknown)


def words(relation: Relation) -> str:
    """Return a relation in words.

    >>> words(Relation.parse("E>EN N>ENC C>C"))
    'E may become E or N, N anything, C C'
    """
    parts = [f"{letter} {_allowed(relation(letter))}" for letter in LETTERS]
    return ", ".join([parts[0].replace("E ", "E may become ", 1), *parts[1:]])


def _allowed(labels: LabelSet) -> str:
    return "anything" if len(labels) == len(LETTERS) else " or ".join(str(labels)) or "nothing"


@recipe("evidence:figure13", "Allowed transitions of every set of operations")
def figure13(folders: Folders) -> Computed:
    """Compose the relations of single operations."""
    values: dict[Cell, float | None] = {}
    notes = list(_NOTES)
    for chosen in operation_sets():
        name, relation = " + ".join(edit.name for edit in chosen), together(chosen)
        for old in LETTERS:
            for new in LETTERS:
                values[Cell(name, edge_row(old, new))] = float(new in relation(old))
        notes.append(f"{name}: {words(relation)} ({relation}).")
    return Computed(values, notes)
