"""``nliprobe data stats``, ``show --by`` and ``report --by`` as users type them."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.runs import Asked, write_run
from tests.analysis.schemas import validate
from tests.analysis.test_facets import ANSWERS, CASES
from tests.cli.helpers import nliprobe, nliprobe_json


def test_data_stats_in_all_forms(tmp_path: Path) -> None:
    words = ("data", "stats", "builtin/tables-dev", "--against", "builtin/tables-train")
    document = nliprobe_json(*words)
    validate("data-stats", document)
    assert document["against"] == "builtin/tables-train"
    page = tmp_path / "page.html"
    text = nliprobe(*words, "--html", str(page)).stdout
    assert "keys in a table" in text
    assert "shared with builtin/tables-train" in text
    content = page.read_text(encoding="utf-8")
    assert "https://" not in content
    assert "<svg" in content


def test_data_stats_of_a_corpus_without_split_takes_all() -> None:
    found = nliprobe_json("data", "stats", "builtin")["corpora"]
    assert {item["name"] for item in found} >= {"builtin/tables-dev", "builtin/sentences-dev"}


def test_data_stats_of_what_is_not_there() -> None:
    assert "Did you mean 'builtin'?" in nliprobe("data", "stats", "bultin/tables-dev", code=1).stderr


def test_show_and_report_by_a_facet(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    run = write_run(tmp_path / "runs", CASES, [Asked("m", ANSWERS)])
    document = nliprobe_json("show", str(run.path), "--by", "n:kind")
    validate("facets", document)
    assert document["values"] == ["1", "2"]
    assert "Accuracy, x/dev" in nliprobe("show", str(run.path), "--by", "kind").stdout
    assert "Did you mean 'kind'?" in nliprobe("show", str(run.path), "--by", "knd", code=1).stderr
    page = tmp_path / "page.html"
    nliprobe("report", str(run.path), "--by", "kind", "-o", str(page))
    assert '<h2 id="by-kind">' in page.read_text(encoding="utf-8")
    nliprobe("report", str(run.path), "--by", "kind", "-o", str(tmp_path / "page.md"), code=2)
