"""What a shell is offered, through the protocol that the scripts of bash, zsh and fish speak."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.helpers import environment

HEAVY = ("numpy", "polars", "sklearn", "scipy", "rich", "yaml", "jinja2", "torch")
# The program as it is installed; last it says which heavy modules it has imported.
SCRIPT = f"""
import sys
from nliprobe.cli.main import main
sys.argv = ["nliprobe"]
try:
    main()
finally:
    sys.stderr.write(" ".join(sorted(set({HEAVY!r}) & set(sys.modules))))
"""


def asked(env: dict[str, str], cwd: Path | None = None) -> list[str]:
    """Return the lines that the program prints for a shell; nothing heavy is imported for them."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment(env), cwd=cwd, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line for line in done.stdout.splitlines() if line]


def offered(*words: str, cwd: Path | None = None) -> list[str]:
    """Return what is offered for the last word."""
    env = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    return asked({"_NLIPROBE_COMPLETE": "bash_complete", **env}, cwd)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str) -> None:
    text = "\n".join(asked({"_NLIPROBE_COMPLETE": f"{shell}_source"}))
    assert f"_NLIPROBE_COMPLETE={shell}_complete" in text


def test_verbs_and_options() -> None:
    assert offered("nliprobe", "wa") == ["plain,watch"]
    assert offered("nliprobe", "--ver") == ["plain,--version"]
    assert offered("nliprobe", "show", "--fa") == ["plain,--failing"]
    assert offered("nliprobe", "run", "--engine", "r") == ["plain,ray"]
    assert "plain,show" in offered("nliprobe", "shwo", "")  # as if the mistyped verb were not there, and no message


def test_registered_names() -> None:
    assert "plain,infotabs" in offered("nliprobe", "run", "--on", "info")
    assert offered("nliprobe", "run", "--on", "infotabs/d") == ["plain,infotabs/dev"]
    assert offered("nliprobe", "run", "--on", "snli/dev,infotabs/d") == ["plain,snli/dev,infotabs/dev"]
    assert offered("nliprobe", "run", "--on", "nosuch/") == []
    assert offered("nliprobe", "run", "--system", "sv") == ["plain,svm"]
    assert offered("nliprobe", "run", "--system", "transf") == ["plain,transformers:"]
    assert offered("nliprobe", "run", "--probes", "gold,rows.d") == ["plain,gold,rows.delete"]
    assert offered("nliprobe", "run", "--probes", "stress")[0] == "plain,stress"
    assert offered("nliprobe", "run", "--represent", "par") == ["plain,para"]
    assert offered("nliprobe", "data", "stats", "han") == ["plain,hans"]


def test_runs(tmp_path: Path) -> None:
    for name in ("runs/first", "runs/deep/second", "other"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("runs/first", "runs/deep/second"):
        (tmp_path / name / "run.json").touch()
        (tmp_path / name / "cases").mkdir()
    assert offered("nliprobe", "show", "", cwd=tmp_path) == ["plain,runs/deep/second", "plain,runs/first"]
    assert offered("nliprobe", "watch", "runs/f", cwd=tmp_path) == ["plain,runs/first"]
    assert offered("nliprobe", "report", f"{tmp_path}/runs/d", cwd=tmp_path) == [f"plain,{tmp_path}/runs/deep/second"]
    assert offered("nliprobe", "check", "oth", cwd=tmp_path) == ["dir,oth"]  # the shell goes on with folders
