"""The gallery shows real reports: what it says of them is what they say, and its pictures and links are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts import gallery
from scripts.gallery import PAGE, PICTURES, REPORTS, build, filled

from nliprobe.api.results import Run
from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.papers.blocks import block_pattern

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def infotabs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        open_source("infotabs/alpha1", data)
    except NotFoundError as error:
        pytest.skip(str(error))
    monkeypatch.setenv("NLIPROBE_DATA", str(data))


def check(name: str, kept: Path) -> None:
    page = build(kept, [name])[name]
    text = page.read_text(encoding="utf-8")
    assert "could not be built" not in text
    assert page.stat().st_size < 5_000_000
    answer = re.search(r"\*\*(.+?)\*\*", (kept / f"{name}.txt").read_text(encoding="utf-8"))
    assert answer is not None
    assert " ".join(re.sub(r"<[^>]+>", " ", text).split()).count(answer[1]) >= 1
    assert "/tmp" not in text
    assert str(kept) not in text
    assert filled(TEXT, kept) == TEXT, "python -m scripts.gallery --write"


def test_every_report_has_its_words_its_picture_and_its_link() -> None:
    assert [match[1] for match in block_pattern("gallery").finditer(TEXT)] == list(REPORTS)
    for match in block_pattern("gallery").finditer(TEXT):
        # A number, its interval, and what needs no premise.
        assert re.search(r"right \([\d.]+ to [\d.]+\)\. Without the premise", match[2])
    for name in REPORTS:
        assert f'<a href="gallery/{name}.html">' in TEXT
        assert f"images/gallery-{name}.png" in TEXT
        assert 10_000 < (PICTURES / f"gallery-{name}.png").stat().st_size < 150_000


@pytest.mark.results
def test_the_small_network_is_shown_as_it_is_and_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check("small", tmp_path)

    def again(out: Path) -> Run:
        raise AssertionError("the page was there")

    monkeypatch.setitem(gallery.REPORTS, "small", REPORTS["small"]._replace(make=again))
    build(tmp_path, ["small"])
    (tmp_path / "small.key").write_text("of another version", encoding="utf-8")
    with pytest.raises(AssertionError, match="was there"):
        build(tmp_path, ["small"])


@pytest.mark.results
def test_minilm_on_the_checklist_is_shown_as_it_is(tmp_path: Path) -> None:
    check("minilm-checklist", tmp_path)


@pytest.mark.results
def test_minilm_on_infotabs_is_shown_as_it_is(tmp_path: Path, infotabs: None) -> None:
    check("minilm-infotabs", tmp_path)


def test_a_report_without_its_corpus_says_what_is_missing_and_keeps_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLIPROBE_DATA", str(tmp_path / "nothing"))
    page = build(tmp_path, ["minilm-infotabs"])["minilm-infotabs"].read_text(encoding="utf-8")
    assert "could not be built" in page
    assert "infotabs" in page
    assert 'href="../gallery.html"' in page
    assert filled(TEXT, tmp_path) == TEXT
