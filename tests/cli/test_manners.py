"""What every verb has in common: names of options, output that is cut off, and endings of files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.helpers import ROOT, command, environment, nliprobe

from nliprobe.cli.main import VERBS, Verbs, cli


def options() -> Iterator[tuple[str, click.Option]]:
    """Yield every option with the words of its command."""
    context = click.Context(cli, info_name="nliprobe")
    waiting = [(name, Verbs().get_command(context, name)) for name in VERBS]
    while waiting:
        words, verb = waiting.pop()
        assert verb is not None
        if isinstance(verb, click.Group):
            waiting += [(f"{words} {name}", item) for name, item in verb.commands.items()]
        for item in verb.params:
            if isinstance(item, click.Option):
                yield words, item


def test_what_a_verb_writes_is_named_by_out_and_by_its_letter() -> None:
    written = [(words, item.opts) for words, item in options() if {"-o", "--out"} & set(item.opts)]
    assert len(written) >= 8
    assert [entry for entry in written if set(entry[1]) != {"-o", "--out"}] == []


def test_the_order_of_labels_has_one_name() -> None:
    names = {flag for _, item in options() for flag in item.opts if "label" in flag}
    # The other one names gold labels, not what codes mean.
    assert names - {"--through-labels"} == {"--labels"}


@pytest.mark.parametrize(
    "words", [("ls", "templates"), ("ls", "templates", "--format", "json"), ("--help",), ("data", "ls")]
)
def test_output_that_nobody_reads_to_its_end_is_no_error(words: tuple[str, ...]) -> None:
    with subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before anything is written: every write fails
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b"")


def test_a_reader_that_leaves_does_not_change_an_exit_code(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("- id: x\n", encoding="utf-8")
    words = command("validate", str(wrong))
    whole = subprocess.run(words, capture_output=True, env=environment(), check=False)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    assert whole.returncode != 0
    assert process.returncode == whole.returncode


def test_a_report_is_not_a_page_under_another_ending(tmp_path: Path) -> None:
    run = tmp_path / "run"
    asked = ("--train", "builtin/sentences-train", "--on", "builtin/sentences-dev?limit=3")
    nliprobe("run", "--quiet", "--system", "majority", *asked, "-o", str(run))
    message = nliprobe("report", str(run), "-o", str(tmp_path / "x.pdf"), code=2).stderr
    assert "x.pdf: its name should end in .html, .md, .json" in message
    assert "--format" in message
    assert not (tmp_path / "x.pdf").exists()
    nliprobe("report", str(run), "-o", str(tmp_path / "X.HTML"))
    assert (tmp_path / "X.HTML").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_declining_to_clear_the_cache_says_that_nothing_was_cleared(tmp_path: Path) -> None:
    kept = tmp_path / "answers" / "x"
    kept.mkdir(parents=True)
    for answer in ("n\n", ""):  # no, and nobody there to answer
        env = environment({"NLIPROBE_CACHE": str(tmp_path)})
        result = subprocess.run(
            command("cache", "clear"), input=answer, capture_output=True, text=True, env=env, check=False
        )
        assert result.returncode == 1
        assert f"Nothing was cleared: {tmp_path} is as it was." in result.stdout
    assert kept.is_dir()


def test_lists_are_free_of_markup() -> None:
    text = nliprobe("ls").stdout
    for mark in ("``", "*", "<", ":class:", ":func:", "seed's"):
        assert mark not in text, mark


def test_first_pages_say_how_to_call_the_command_after_the_demo() -> None:
    for page in ("README.md", "docs/guide/start.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert ". .venv/bin/activate" in text, page
        assert "pip install ." in text, page


@pytest.mark.parametrize(
    ("system", "source", "meant"),
    [
        ("svm?lables=E,N,C", "builtin/sentences-dev", "labels"),
        ("svm?premis=none", "builtin/sentences-dev", "premise"),
        ("majority", "file:x.csv?lables=E,N,C", "labels"),
        ("majority", "builtin/sentences-dev?limmit=3", "limit"),
        ("majority", "checklist?limmit=3", "limit"),
    ],
)
def test_the_nearest_parameter_is_named_whoever_takes_it(system: str, source: str, meant: str) -> None:
    words = ("run", "--system", system, "--train", "builtin/sentences-train", "--on", source, "--out", "x")
    assert f"Did you mean '{meant}'?" in nliprobe(*words, code=2).stderr
