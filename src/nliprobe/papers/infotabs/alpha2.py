"""Section 4: how many words of a hypothesis were changed to make alpha2, where the label is the opposite."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple, cast

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe
from nliprobe.task.labels import LETTERS

_OPPOSITE = {"E": "C", "C": "E"}
# Who wrote the hypothesis about which table, and its label before the change, as a place in E, N, C.
_COLUMNS = ("table_id", "orignal_worker_id", "first_human_label")
_ROW = "all"
_MOST = 6


class Edited(NamedTuple):
    """A hypothesis of alpha2, and the one it was made from."""

    before: str
    after: str


@recipe("infotabs:alpha2", "Words changed per hypothesis to make alpha2")
def alpha2(folders: Folders) -> Computed:
    """Compare alpha2 with the hypotheses before the change, which the verification files hold."""
    edits = read_edits(folders.root)
    counts = Counter(words_changed(edit.before, edit.after) for edit in edits)
    n = len(edits)
    values: dict[Cell, float | None] = {
        Cell(_ROW, "changed_words"): sum(number * times for number, times in counts.items()) / n,
        Cell(_ROW, "at_most_2_percent"): 100 * sum(times for number, times in counts.items() if number <= 2) / n,
    }
    values.update({Cell(f"changed words: {number}", "hypotheses"): counts[number] for number in range(_MOST)})
    values[Cell(f"changed words: {_MOST} or more", "hypotheses")] = n - sum(counts[number] for number in range(_MOST))
    return Computed(
        values,
        [
            f"The verification file of alpha2 holds the {n:,} entailed and contradicted hypotheses with the opposite "
            "label: the same author wrote one about the same table for each. We take these as the hypotheses before "
            "the change. Words changed: the fewest words to insert, delete or replace, where words are separated by "
            "spaces, with their punctuation and case.",
            f"{counts[0]} hypotheses have the same words in both files, with opposite labels. The paper does not say "
            "how it counted its 'about 2.2 words'; by our count, fewer words were changed.",
        ],
    )


def read_edits(root: Path | None) -> list[Edited]:
    """Return each hypothesis of alpha2 with the one of the same author and table that has the opposite label."""
    from nliprobe.api.sources import open_source
    from nliprobe.base.errors import NotFoundError
    from nliprobe.base.records.read import Format, RecordFile
    from nliprobe.corpora.infotabs import InfoTabs

    source = cast(InfoTabs, open_source("infotabs/alpha2", root))
    path = source.folder / "validation" / "infotabs_valid_test_alpha2.tsv"
    if not path.is_file():
        raise NotFoundError(f"The hypotheses before the change are missing: there is no {path}. See {source.home}.")
    before: dict[tuple[str, str, str], str] = {}
    for _, record in RecordFile(path, Format.TSV).records():
        table, author, code = (str(record[name]) for name in _COLUMNS)
        before[table, author, LETTERS[int(code)]] = str(record["hypothesis"])
    edits: list[Edited] = []
    for pair in source.pairs():
        if opposite := _OPPOSITE.get(str(pair.gold)):
            [author] = [facet.value for facet in pair.facets if facet.name == "author"]
            edits.append(Edited(before[str(pair.group), author, opposite], pair.hypothesis))
    return edits


def words_changed(before: str, after: str) -> int:
    """Return the fewest words to insert, delete or replace (the edit distance in words).

    >>> words_changed("Oslo is a big city.", "Oslo is not a small city.")
    2
    """
    left, right = before.split(), after.split()
    distances = list(range(len(right) + 1))
    for i, word in enumerate(left, 1):
        diagonal, distances[0] = distances[0], i
        for j, other in enumerate(right, 1):
            least = min(distances[j] + 1, distances[j - 1] + 1, diagonal + (word != other))
            diagonal, distances[j] = distances[j], least
    return distances[-1]
