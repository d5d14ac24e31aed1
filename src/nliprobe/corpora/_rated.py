"""Find the ratings that come with a corpus, given by the people who checked its pairs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import NotFoundError, did_you_mean, option
from nliprobe.corpora.base import data_roots, first_match
from nliprobe.corpora.infotabs import InfoTabs

_INFOTABS = {"dev": "dev", "alpha1": "test_alpha1", "alpha2": "test_alpha2", "alpha3": "test_alpha3"}
# Only 28 of the 1,200 entailments and contradictions in the file have the same text in maindata.
_NOTES = {
    "alpha2": "The verification file of alpha2 holds the sentences as they were before they were edited into alpha2, "
    "with the labels they had then: its numbers are about those sentences."
}


class RatedFile(NamedTuple):
    """The file of ratings that belongs to a split of a corpus."""

    name: str
    path: Path
    note: str = ""


def rated_files(text: str, root: Path | None = None) -> list[RatedFile]:
    """Return the files of ratings of a corpus or of one split; return none if the text does not name a corpus.

    It is an error if the corpus or split has no ratings, or if their file is missing.
    """
    from nliprobe.corpora import CORPORA

    name, _, split = text.partition("/")
    if name != InfoTabs.corpus_name:
        if name in CORPORA.names() and not Path(text).suffix:
            raise NotFoundError(
                f"{name} comes without ratings that nliprobe knows. "
                f"Available: {InfoTabs.corpus_name}, or your own file."
            )
        return []
    if split and split not in _INFOTABS:
        raise NotFoundError(f"There are no ratings of {name}/{split}. {did_you_mean(split, _INFOTABS)}")
    return [_infotabs(item, data_roots(root)) for item in ([split] if split else _INFOTABS)]


def _infotabs(split: str, roots: list[Path]) -> RatedFile:
    wanted = f"validation/infotabs_valid_{_INFOTABS[split]}.tsv"
    for top in roots:
        for folder in [*(top / name for name in InfoTabs.folders), top]:
            for path in first_match(folder, [wanted]):
                return RatedFile(f"{InfoTabs.corpus_name}/{split}", path, _NOTES.get(split, ""))
    searched = (
        ", ".join(map(str, roots)) or f"nowhere: neither {option('from', python='root')} nor NLIPROBE_DATA is set"
    )
    raise NotFoundError(
        f"The ratings of {InfoTabs.corpus_name}/{split} are not here (looked in {searched}). "
        f"They come from {InfoTabs.home}; "
        f"wanted in a folder '{InfoTabs.folders[0]}': {wanted}. "
        f"Name the folder above it with {option('from', 'DIR', python='root')} or NLIPROBE_DATA."
    )
