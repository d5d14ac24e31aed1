"""One way to open corpora, checklists, template files and plugins; all are limited, sampled and filtered alike."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.records import arrow
from nliprobe.base.registry import Spec
from nliprobe.cli.main import cli
from nliprobe.corpora import CORPORA
from nliprobe.corpora.check import check_corpus
from nliprobe.corpora.statistics import stats_document
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.sources import NamedSource, split_names

TEMPLATE = """
capability: numerical
templates:
  - id: numerical.bigger
    premise: "{NAME} has {N} coins."
    hypothesis: "{NAME} has more than {M} coins."
    draw: {N: 2..60, M: 2..60}
    label: "'E' if N > M else 'C'"
    because: The numbers are compared.
"""
FILE_ROWS = [
    {"premise": f"p{k}", "hypothesis": "h", "label": "ENC"[k % 3], "genre": "fiction, old" if k % 2 else "travel"}
    for k in range(12)
]


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my.jsonl").write_text("".join(json.dumps(row) + "\n" for row in FILE_ROWS), encoding="utf-8")
    return f"file:{tmp_path / 'my.jsonl'}?facets=genre"


@pytest.fixture
def templates(tmp_path: Path) -> str:
    (tmp_path / "mine.yaml").write_text(TEMPLATE, encoding="utf-8")
    return f"templates:{tmp_path / 'mine.yaml'}?n=30"


def ids(text: str) -> list[str]:
    return [pair.id for pair in open_source(text).pairs()]


@pytest.mark.parametrize("text", ["builtin/tables-dev?", "checklist?n=1&", "own&", "templates&"])
def test_every_source_is_limited_sampled_and_filtered_alike(text: str, own: str, templates: str) -> None:
    text = text.replace("own", own).replace("templates", templates, 1) if not text.startswith("builtin") else text
    whole = list(open_source(text.rstrip("?&")).pairs())
    key = "sample_seed" if "n=" in text else "seed"
    assert ids(f"{text}limit=3") == [pair.id for pair in whole[:3]]
    drawn = ids(f"{text}sample=5&{key}=1")
    assert len(drawn) == 5
    assert drawn == [pair.id for pair in whole if pair.id in set(drawn)]
    assert ids(f"{text}sample=1000000") == [pair.id for pair in whole]
    assert ids(f"{text}where=label:E") == [pair.id for pair in whole if str(pair.gold) == "E"]
    # Conditions first, then the sample, then the limit.
    both = open_source(f"{text}limit=2&sample=4&{key}=3&where=label:E")
    inside = ids(f"{text}where=label:E&sample=4&{key}=3")
    assert [pair.id for pair in both.pairs()] == inside[:2]
    assert both.name == f"{open_source(text.rstrip('?&')).name}{'&' if 'n=' in text else '?'}" + (
        f"where=label:E&sample=4&{key}=3&limit=2"
    )
    assert both.partition == open_source(text.rstrip("?&")).partition


def test_a_name_opens_the_same_source_again(templates: str) -> None:
    for text in (
        "builtin/tables-dev?where=category:Person%2C|Album+label:E|N&sample=3&seed=7&limit=2",
        f"{templates}&sample=3&sample_seed=2&seed=1",
    ):
        source = open_source(text)
        again = open_source(source.name)
        assert (again.name, again.digest()) == (source.name, source.digest())


def test_values_that_separate_are_written_as_in_a_url(own: str) -> None:
    assert len(ids(f"{own}&where=genre:fiction%2C old")) == 6
    found = next(iter(open_source("checklist?n=1&limit=1").pairs()))
    name, value = next(facet for facet in found.facets if facet.name.startswith("value:"))
    assert found.id in ids(f"checklist?n=1&where={name.replace(':', '%3A')}:{value}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("checklist?seed=1&sample=2", r"'checklist' draws its examples by 'seed'.* name it with sample_seed=S"),
        ("builtin/tables-dev?seed=1", r"'builtin/tables-dev' is given a seed but nothing to draw: add sample=N"),
        ("builtin/tables-dev?sample=2&seed=1&sample_seed=2", r"given the seed of its sample twice"),
        (
            "builtin/tables-dev?sample=0",
            r"tables-dev\?sample' should be a number of pairs, at least 1, not '0'",
        ),
        ("builtin/tables-dev?sample=2&seed=x", r"'builtin/tables-dev\?seed' should be a whole number, not 'x'"),
        ("checklist?sample=2&sample_seed=-1", r"'checklist\?sample_seed' should be a whole number, not '-1'"),
        ("builtin/tables-dev?where=category", r"should look like name:value"),
        ("templates", r"'templates' needs a file or a folder, as in templates:my\.yaml"),
    ],
)
def test_wrong_requests_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_source(text)


def test_opening_one_source_imports_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "snli"
    folder.mkdir()
    row = {"sentence1": "p", "sentence2": "h", "gold_label": "neutral", "pairID": "1"}
    (folder / "snli_1.0_dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    others = sorted({f"nliprobe.corpora.{path.stem}" for path in _modules("corpora")} - {"nliprobe.corpora.snli"})
    program = (
        "import sys\nfrom pathlib import Path\nfrom nliprobe.api.sources import open_source\n"
        f"assert len(list(open_source('snli/dev?limit=1', Path({str(tmp_path)!r})).pairs())) == 1\n"
        f"others = {others}\n"
        "print(sorted(name for name in sys.modules if name.startswith('nliprobe.templates.') or name in others))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_opening_templates_imports_no_corpus() -> None:
    program = (
        "import sys\nfrom nliprobe.api.sources import open_source\nopen_source('checklist?n=1')\n"
        "print(sorted(name for name in sys.modules if name.startswith('nliprobe.corpora')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _modules(room: str) -> Iterator[Path]:
    """The files of a room that register something."""
    import nliprobe

    for path in (Path(nliprobe.__file__).parent / room).glob("*.py"):
        if ".register(" in path.read_text(encoding="utf-8"):
            yield path


@pytest.mark.parametrize("rows", [1, 1023, 1024, 1025, 3000])
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_columnar_files_are_read_whole_and_in_order(tmp_path: Path, rows: int, suffix: str) -> None:
    path = _columnar(tmp_path, rows, suffix)
    assert [pair.hypothesis for pair in open_source(f"file:{path}").pairs()] == [f"h{k}" for k in range(rows)]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_limit_reads_only_the_first_rows(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asked = _columnar(tmp_path, 5000, suffix), []
    read = arrow._read_any

    def noted(path: Path, rows: int | None) -> pl.DataFrame:
        asked.append(rows)
        return read(path, rows)

    monkeypatch.setattr(arrow, "_read_any", noted)
    assert len(ids(f"file:{path}?limit=1")) == 1
    # A file with an ending that nliprobe writes is looked at once more: did nliprobe write it?
    assert asked == [1024] * (2 if suffix == ".parquet" else 1)


def _columnar(folder: Path, rows: int, suffix: str) -> Path:
    frame = pl.DataFrame(
        {"premise": ["p"] * rows, "hypothesis": [f"h{k}" for k in range(rows)], "label": ["entailment"] * rows}
    )
    path = folder / f"x{suffix}"
    if suffix == ".parquet":
        frame.write_parquet(path, row_group_size=500)
    else:
        frame.write_ipc(path)
    return path


def test_a_plugins_source_is_opened_and_viewed_like_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(NamedSource):
        """Numbers."""

        corpus_name = "counted"
        title, home, licence = "Numbers", "nowhere", "none"

        @classmethod
        def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Counted:
            return cls()

        @property
        def name(self) -> str:
            return "counted"

        def files(self) -> list[Path]:
            return []

        def digest(self) -> str:
            return "1"

        def pairs(self) -> Iterator[Pair]:
            for k in range(9):
                yield Pair(f"counted/{k}", "p", str(k), LabelSet.of("E"), facets=(Facet("odd", str(k % 2)),))

    monkeypatch.setattr(CORPORA, "_registered", dict(CORPORA._registered))
    CORPORA.register("counted")(Counted)
    assert ids("counted?where=odd:1&limit=2") == ["counted/1", "counted/3"]
    assert "counted" in CORPORA.names()


def test_all_sources_are_checked_counted_and_listed_alike(templates: str) -> None:
    for text in ("checklist?n=1", templates, f"{templates}&limit=4"):
        report = check_corpus(open_source(text))
        (stats,) = stats_document([open_source(text)])["corpora"]
        assert (report.problems, report.pairs) == ((), stats["pairs"])
    runner = CliRunner()
    listed = json.loads(runner.invoke(cli, ["ls", "corpora", "--format", "json"]).output)["corpora"]
    assert {"checklist", "checklist-all", "templates:PATH", "file:PATH", "snli"} <= {item["name"] for item in listed}
    assert all(item["about"] for item in listed)
    shown = runner.invoke(cli, ["data", "ls"]).output
    assert "checklist  The checklist: the core of the library of templates" in shown
    assert "templates:PATH  your own templates" in shown
    checked = runner.invoke(cli, ["validate", templates, "--format", "json"])
    assert json.loads(checked.output)["targets"][0]["facts"]["pairs"] == 30


def test_a_corpus_without_a_split_means_those_that_are_here(tmp_path: Path) -> None:
    assert split_names("builtin") == [f"builtin/{split}" for split in CORPORA.get("builtin").splits]
    assert split_names("checklist") == ["checklist"]
    assert split_names("snli/dev?limit=1") == ["snli/dev?limit=1"]
    with pytest.raises(NotFoundError, match="snli/train is not here"):
        open_source(split_names("snli", tmp_path)[0], tmp_path)
