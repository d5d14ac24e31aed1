"""The base class of corpora on disk: it finds their files and digests them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from nliprobe.base.errors import NotFoundError, UsageError, did_you_mean, option
from nliprobe.base.files import data_roots as data_roots
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.registry import Spec
from nliprobe.task.source import Source
from nliprobe.task.source import Split as Split
from nliprobe.task.sources import NamedSource


class Corpus(NamedSource):
    """One split of a corpus, read from a folder on disk.

    A subclass describes the corpus and reads its pairs; the name, the digest and the messages are made here.
    """

    folders: ClassVar[tuple[str, ...]]
    version: ClassVar[int] = 1
    # The folder of a corpus that is shipped with a package; the user's folders are not searched for it.
    shipped: ClassVar[Path | None] = None

    def __init__(self, split: str, folder: Path) -> None:
        self.split = split
        self.folder = folder

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Source:
        """Open the split that a spec string names; it may be left out if the corpus has only one."""
        _, _, split = spec.name.partition("/")
        if spec.argument:
            raise UsageError(
                f"'{spec}' gives {cls.corpus_name} an argument, but it takes none: write {cls.corpus_name}/SPLIT."
            )
        if spec.params:
            key = spec.params[0][0]
            raise spec.unknown(key)
        if not split and len(cls.splits) == 1:
            split = next(iter(cls.splits))
        if not split:
            names = ", ".join(f"{cls.corpus_name}/{name}" for name in cls.splits)
            raise UsageError(f"'{cls.corpus_name}' does not say which split. Available: {names}.")
        return cls(split, find_folder(cls, split, roots))

    @property
    def name(self) -> str:
        """Corpus and split: ``infotabs/dev``."""
        return f"{self.corpus_name}/{self.split}"

    @property
    def expected(self) -> Split:
        """How many pairs the files should hold."""
        return self.splits.get(self.split, Split(None, None))

    @classmethod
    def located(cls, split: str, roots: Sequence[Path]) -> Path | None:
        """Return the folder that holds a split, or None if it is not on this machine."""
        for root in [cls.shipped] if cls.shipped is not None else roots:
            for folder in [root / name for name in cls.folders] + [root]:
                if folder.is_dir() and all(_present(cls, folder, alternatives) for alternatives in cls.wanted(split)):
                    return folder
        return None

    @classmethod
    @abstractmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the files of a split, each as alternatives (paths or globs below the folder), best first."""

    def files_at(self, index: int) -> list[Path]:
        """Return the files that match item ``index`` of :meth:`wanted`; if there are none, the error names them."""
        alternatives = self.wanted(self.split)[index]
        matches = first_match(self.folder, alternatives)
        if not matches:
            raise NotFoundError(
                f"{self.name} is incomplete: {self.folder} has no {' or '.join(alternatives)}. Get it from {self.home}."
            )
        return matches

    def files(self) -> list[Path]:
        """Return every file that the pairs are made from."""
        return [path for index in range(len(self.wanted(self.split))) for path in self.files_at(index)]

    def digest(self) -> str:
        """Return a hash of the files and of the reader's version."""
        return digest(self.name, str(self.version), digest_files(self.files()))


def first_match(folder: Path, alternatives: Sequence[str]) -> list[Path]:
    """Return the files of the first alternative that exists: one path, or the matches of a glob, sorted."""
    for alternative in alternatives:
        matches = sorted(_matches(folder, alternative))
        if matches:
            return matches
    return []


def find_folder(kind: type[Corpus], split: str, roots: Sequence[Path]) -> Path:
    """Return the folder that holds a split of a corpus; if there is none, the error names its home and files."""
    if split not in kind.splits:
        raise NotFoundError(f"{kind.corpus_name} has no split '{split}'. {did_you_mean(split, kind.splits)}")
    folder = kind.located(split, roots)
    if folder is not None:
        return folder
    files = "; ".join(" or ".join(alternatives) for alternatives in kind.wanted(split))
    searched = (
        ", ".join(str(root) for root in roots)
        or f"nowhere: neither {option('from', python='root')} nor NLIPROBE_DATA is set"
    )
    raise NotFoundError(
        f"{kind.corpus_name}/{split} is not here (looked in {searched}). It comes from {kind.home} ({kind.licence}); "
        f"wanted in a folder '{kind.folders[0]}': {files}. Name the folder above it with "
        f"{option('from', 'DIR', python='root')} or NLIPROBE_DATA."
    )


def _present(kind: type[Corpus], folder: Path, alternatives: Sequence[str]) -> bool:
    # On the hub every dataset's shards are called train-*.parquet, so only the folder's name identifies them.
    named_folder = folder.absolute().name in {Path(name).name for name in kind.folders}
    trusted = [name for name in alternatives if named_folder or not name.endswith(".parquet")]
    # One match is enough: some corpora are folders of thousands of files.
    return any(next(_matches(folder, name), None) for name in trusted)


def _matches(folder: Path, alternative: str) -> Iterator[Path]:
    paths = folder.glob(alternative) if "*" in alternative else iter([folder / alternative])
    return (path for path in paths if path.is_file())
