"""The process that reads a large run for a server."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nliprobe.base.errors import StoreError
from nliprobe.studio.read.apart import Apart


def test_it_gives_memory_back_at_once_although_polars_has_set_its_own_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\ncat > /dev/null\necho "{\\"result\\": [\\"$_RJEM_MALLOC_CONF\\"]}"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("_RJEM_MALLOC_CONF", "dirty_decay_ms:500,muzzy_decay_ms:-1")
    monkeypatch.setattr("nliprobe.studio.read.apart.count_cases", lambda path: None)
    assert Apart().verdicts(tmp_path) == ["dirty_decay_ms:0,muzzy_decay_ms:0"]


def test_ctrl_c_is_for_the_server_which_then_begins_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\ncat > /dev/null\necho "{\\"result\\": [$$, $(ps -o sid= -p $$)]}"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr("nliprobe.studio.read.apart.count_cases", lambda path: None)
    apart = Apart()
    process, session = apart.verdicts(tmp_path)
    assert process == session
    apart.close()
    with pytest.raises(StoreError, match="the studio is being closed"):
        apart.verdicts(tmp_path)
