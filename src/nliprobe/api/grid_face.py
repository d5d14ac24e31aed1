"""``nliprobe.grid``: the grid of models and shares of edited pairs, for Python and for the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.pairs import SourcesLike, as_sources

if TYPE_CHECKING:
    from nliprobe.analysis.grid_documents import GridDocument
    from nliprobe.engine.steps import Progress
    from nliprobe.training.trainer import Watcher


@dataclass(frozen=True, repr=False)
class Grid:
    """A grid that was trained and asked.

    Attributes:
        path: its folder.
        document: the table, as in ``OUT/grid.json``; none if nothing was asked or no training succeeded.
        failed: why trainings failed, by their names.
    """

    path: Path
    document: GridDocument | None
    failed: dict[str, str]

    def show(self) -> None:
        """Print the table."""
        from nliprobe.report.grid import print_grid

        if self.document is not None:
            print_grid(self.document)

    def __repr__(self) -> str:
        if self.document is None:
            return f"<Grid in {self.path}: nothing was asked>"
        trained = sum(not item["error"] for item in self.document["trainings"])
        return f"<Grid in {self.path}: {trained} trainings, {len(self.document['deviations'])} deviations>"


class GridInterruptedError(KeyboardInterrupt):
    """Ctrl-C stopped a grid; what was learnt and answered is kept, and the same call continues it."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"Stopped; {path} keeps what was learnt and answered. Repeat the call to continue.")


def grid(
    models: str | Iterable[str],
    train: SourcesLike,
    out: str | Path,
    *,
    dev: SourcesLike = (),
    shares: Sequence[float] | None = None,
    through: str = "swap",
    through_labels: str = "",
    stress: SourcesLike = (),
    also: Sequence[SourcesLike] = (),
    probes: str | Iterable[str] = ("stress",),
    deviation_over: Sequence[float] | None = None,
    seeds: Sequence[int] = (0,),
    jobs: int = 1,
    represent: str | None = None,
    premise: str | None = None,
    root: str | Path | None = None,
    watcher: Watcher | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Grid:
    """Train models with other shares of edited pairs, ask all of them the same tests, and compare.

    Repeating the call continues what was stopped, and is quick when everything is there.

    Args:
        models: networks or simpler models with their options; ``name=`` gives one another name in the table.
        train: the pairs to learn from, in any form that ``on`` of :func:`nliprobe.run` takes.
        out: the folder; a model goes to ``MODEL/share-SHARE/seed-N``, the table to ``grid.json``.
        dev: the pairs that decide when a network stops; they are never edited.
        shares: the shares of edited pairs, from 0 to 1, by default 0, 0.5, 0.75 and 1; 0 must be among them if anything
            is asked.
        through: the probe that edits training pairs; if empty, nothing is edited.
        through_labels: the gold labels of pairs that may be edited, such as ``N,C``; all by default.
        stress: the pairs that tests are made from, one source per genre.
        also: sources that are tests themselves; those of one list are the genres of one test.
        probes: the tests that are made; ``stress`` is the family of all stress tests.
        deviation_over: the shares that the deviation adds up; by default all but 0.
        seeds: a network is trained once with each.
        jobs: how many trainings run side by side, each in a process of its own.
        represent: how tables are shown; by default what suits each network best.
        premise: how much of the premise is shown.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        watcher: is told how far the training is.
        progress: is told how far the asking is.
        say: called with a line per training that has ended.

    Raises:
        GridInterruptedError: Ctrl-C was pressed; what was learnt and answered is kept.
    """
    from nliprobe.api.face import Unwatched
    from nliprobe.api.grid import SHARES, GridRequest
    from nliprobe.api.grid import grid as grid_request

    request = GridRequest(
        (models,) if isinstance(models, str) else tuple(models),
        as_sources(train),
        as_sources(dev),
        through,
        through_labels,
        tuple(float(share) for share in shares) if shares is not None else SHARES if through else (0.0,),
        tuple(seeds),
        as_sources(stress),
        tuple(as_sources(group) for group in also),
        (probes,) if isinstance(probes, str) else tuple(probes),
        None if deviation_over is None else tuple(float(share) for share in deviation_over),
        represent,
        premise or "full",
        jobs,
        None if root is None else Path(root),
    )
    result = grid_request(request, Path(out), Unwatched() if watcher is None else watcher, progress=progress, say=say)
    if result.stopped:
        raise GridInterruptedError(Path(out))
    return Grid(Path(out), result.document, result.failed)
