"""What becomes of a studio when its server ends."""

from __future__ import annotations

import pytest

from nliprobe.studio.context import Part, Studio
from nliprobe.studio.jobs import Jobs


class _Ending:
    """A part of the studio that says when it is closed, and may fail at it."""

    def __init__(self, ended: list[str], *, fails: bool = False) -> None:
        self._ended, self._fails = ended, fails

    def close(self) -> None:
        self._ended.append(type(self).__name__)
        if self._fails:
            raise RuntimeError("cannot be closed")


class _First(_Ending):
    pass


class _Second(_Ending):
    pass


def test_everything_is_closed_whatever_goes_wrong_with_one_part(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    studio.part(Part(_First, lambda studio: _First(ended)))
    studio.part(Part(_Second, lambda studio: _Second(ended, fails=True)))
    with monkeypatch.context() as patch:
        patch.setattr(type(studio.store), "close", lambda store: ended.append("store"))
        patch.setattr(Jobs, "close", lambda jobs: ended.append("jobs"))
        with pytest.raises(RuntimeError, match="cannot be closed"):
            studio.close()
    assert ended == ["jobs", "_Second", "_First", "store"]
    studio._kept.clear()
