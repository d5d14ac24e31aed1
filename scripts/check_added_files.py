"""Refuses files that do not belong into the repository: large ones, and copies of corpora.

The hook of pre-commit gives it the staged files. Only files that a commit adds are looked at: the WordNet of the
package is larger than the limit, and was added on purpose.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LIMIT = 1_000_000
# Folders beside or inside a checkout that hold data, never sources.
DATA_FOLDERS = frozenset({"shared", "runs", "carry"})
# Below this size two files are often equal by chance: empty ones, licences, one-line markers.
SMALLEST_COPY = 2_000


def added_files() -> set[str]:
    """Return the paths that the commit at hand adds."""
    command = ["git", "diff", "--cached", "--name-only", "--diff-filter=A", "-z"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split("\0")) - {""}


def by_size(corpora: Path) -> dict[int, list[Path]]:
    """Return the files of the corpora by their size, so that few of them have to be read."""
    sizes: dict[int, list[Path]] = {}
    for path in corpora.rglob("*"):
        if path.is_file() and path.stat().st_size >= SMALLEST_COPY:
            sizes.setdefault(path.stat().st_size, []).append(path)
    return sizes


def problems(paths: Iterable[Path], corpora: Path | None) -> Iterator[str]:
    """Yield a sentence for each file that must not be added."""
    sizes = by_size(corpora) if corpora is not None else {}
    for path in paths:
        size = path.stat().st_size
        if size > LIMIT:
            yield f"{path} has {size / 1e6:.1f} MB; the limit is {LIMIT / 1e6:.0f} MB. Leave it out or shrink it."
        elif DATA_FOLDERS.intersection(path.parts[:-1]):
            yield f"{path} lies in a folder of data. Sources live elsewhere; leave it out."
        elif any(other.read_bytes() == path.read_bytes() for other in sizes.get(size, ())):
            yield f"{path} is a file of a corpus. Corpora have licences of their own; read it through NLIPROBE_DATA."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="the staged files")
    added = added_files().intersection(parser.parse_args().files)
    folder = os.environ.get("NLIPROBE_DATA", "")
    corpora = Path(folder) if folder and Path(folder).is_dir() else None
    sentences = list(problems((Path(name) for name in sorted(added)), corpora))
    print("\n".join(sentences), end="\n" if sentences else "")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
