"""What ``serve`` was told is looked at before it serves."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import event
from tests.cli.helpers import nliprobe
from tests.people.reviewed import new_queue
from tests.people.studied import write_small_study

from nliprobe.base.errors import StoreError
from nliprobe.people.store.events import read_events
from nliprobe.studio.checks import check_files, check_names, note_start
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.settings import Settings


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a corpus, a queue and a study that can be read, and with others that cannot."""
    (tmp_path / "pairs.csv").write_text("premise,hypothesis,label\nA dog sleeps.,A dog rests.,entailment\n")
    (tmp_path / "empty.csv").write_text("premise,hypothesis,label\n")
    new_queue(tmp_path)
    (tmp_path / "torn.jsonl").write_text('{"schema": "nliprobe/review-queue/9"}\n')
    for name in ("study", "torn", "again/study"):
        (tmp_path / name).mkdir(parents=True)
        write_small_study(tmp_path / name)
    (tmp_path / "torn" / "study.json").write_text("{")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--on", "infotab/dev"], "There is no corpus named 'infotab'. Did you mean 'infotabs'?"),
        (["--on", "builtin/tables-dev,builtin/tables-devv"], "builtin has no split 'tables-devv'"),
        (["--on", "file:nowhere.csv"], "There is no file nowhere.csv"),
        (["--on", "file:empty.csv"], "empty.csv is empty"),
        (["--train", "nowhere/train"], "There is no corpus named 'nowhere'"),
        (["--queue", "nowhere.jsonl"], "There is no file nowhere.jsonl"),
        (["--queue", "torn.jsonl"], "torn.jsonl"),
        (["--study", "nowhere"], "There is no study nowhere"),
        (["--study", "torn"], "study.json"),
        (["--study", "study", "--study", "again/study"], "Two folders of studies are called 'study'"),
        (["--system", "smal"], "There is no model named 'smal'. Did you mean 'small'?"),
        (["--system", "svm"], "'svm' learns from pairs: name them with --train"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_typo_is_an_error_before_anybody_comes(words: list[str], sentence: str, files: Path) -> None:
    wrong_use = "svm" in words or "again/study" in words
    done = nliprobe("serve", "--port", "0", *words, cwd=files, code=2 if wrong_use else 1)
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert "studio is at" not in done.stdout


def test_what_is_there_is_served(files: Path) -> None:
    settings = Settings(
        folder=files / "not-yet",
        database=str(files / "people.sqlite"),
        systems=("small", "svm"),
        train=("builtin/tables-train",),
        corpora=("builtin/tables-dev", f"file:{files / 'pairs.csv'}"),
        queues=(files / "queue.jsonl",),
        studies=(files / "study",),
    )
    check_files(settings)
    studio = open_studio(settings, "unused")
    check_names(studio)
    studio.close()


def test_a_database_that_takes_nothing_is_an_error_before_anybody_comes(studio: Studio) -> None:
    note_start(studio)
    assert read_events(studio.store)[0].what == "started"
    studio.store.engine.dispose()
    # Files of others can be written by the administrator as whom tests may run.
    event.listen(studio.store.engine, "connect", lambda made, record: made.execute("PRAGMA query_only = ON"))
    with pytest.raises(StoreError, match="attempt to write a readonly database"):
        note_start(studio)


def test_options_may_stand_in_a_file(files: Path) -> None:
    (files / "studio.yaml").write_text("serve:\n  port: 0\n  on: [builtin/tables-dev, nowhere/dev]\n")
    done = nliprobe("serve", "--config", "studio.yaml", cwd=files, code=1)
    assert "There is no corpus named 'nowhere'" in done.stderr
    (files / "studio.yaml").write_text("serve:\n  prot: 0\n")
    assert "Did you mean 'port'?" in nliprobe("serve", "--config", "studio.yaml", cwd=files, code=2).stderr
    assert "Did you mean 'port'?" in nliprobe("validate", "studio.yaml", cwd=files, code=1).stdout
