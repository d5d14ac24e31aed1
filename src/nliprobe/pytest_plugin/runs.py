"""Runs that tests ask for: each is made once per session, by one process, and read by all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from nliprobe.api.face import open_run, run
from nliprobe.api.results import Run
from nliprobe.base.hashing import digest_text
from nliprobe.pytest_plugin.shared import locked, shared_folder

_MADE = pytest.StashKey[dict[str, "MadeRun"]]()


class MadeRun(NamedTuple):
    """A run, and what its making said."""

    run: Run
    said: tuple[str, ...]


def make_run(config: pytest.Config, key: str, options: Mapping[str, object], out: Path | None) -> MadeRun:
    """Make a run, unless this session has made it already.

    The run of a session is made from the beginning, so that it is of the code and data of today; answers that the cache
    keeps are not asked again. A run with a folder of its own is continued there.

    Args:
        config: of the session.
        key: the same for everything that asks for the same run, in every process.
        options: what :func:`nliprobe.run` takes, without ``out``.
        out: the run folder, if the user named one.
    """
    made = config.stash.setdefault(_MADE, {})
    if key not in made:
        made[key] = _make(shared_folder(config) / digest_text(key)[:16], options, out)
    return made[key]


def _make(place: Path, options: Mapping[str, object], out: Path | None) -> MadeRun:
    folder = place / "run" if out is None else out
    done = place / "done"
    with locked(place / "lock"):
        if done.is_file():
            return MadeRun(open_run(folder), tuple(done.read_text(encoding="utf-8").splitlines()))
        said: list[str] = []
        made = run(**options, out=folder, say=said.append)  # type: ignore[arg-type]
        # Also what a program could not answer is an answer: only now others may read it.
        done.write_text("\n".join(said), encoding="utf-8", errors="replace")
        return MadeRun(made, tuple(said))
