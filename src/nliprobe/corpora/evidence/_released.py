"""Find the released files that evidence about InfoTabS comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.errors import NotFoundError, UsageError, option
from nliprobe.base.registry import Spec
from nliprobe.corpora.infotabs import InfoTabs
from nliprobe.task.source import PairSource
from nliprobe.task.sources import origin

HOME = "https://github.com/utahnlp/table_probing"


def released(roots: Sequence[Path], folders: Sequence[str], wanted: Sequence[str], what: str, home: str = HOME) -> Path:
    """Return the folder that holds one of the wanted files; if there is none, the error says where they come from.

    Args:
        roots: the folders above the corpora.
        folders: what the folder may be called below a root.
        wanted: the files, of which one is enough.
        what: what they hold, for the message.
        home: where they come from, for the message.
    """
    for root in roots:
        for name in folders:
            if any((root / name / file).is_file() for file in wanted):
                return root / name
    searched = (
        ", ".join(map(str, roots)) or f"nowhere: neither {option('from', python='root')} nor NLIPROBE_DATA is set"
    )
    raise NotFoundError(
        f"The {what} are not here (looked in {searched}). They come from {home}; wanted in a folder '{folders[0]}': "
        f"{' or '.join(wanted)}. Name the folder above it with {option('from', 'DIR', python='root')} or NLIPROBE_DATA."
    )


def infotabs_split(source: PairSource) -> str | None:
    """Return the split of InfoTabS that a source is, or None if it is another corpus."""
    whole = origin(source)
    return whole.split if isinstance(whole, InfoTabs) else None


def no_parameters(spec: Spec) -> None:
    """Refuse an argument or parameters of evidence that takes none."""
    if spec.argument:
        raise UsageError(f"The evidence '{spec.name}' takes no argument, but is given '{spec.argument}'.")
    if spec.params:
        raise spec.unknown(spec.params[0][0])
