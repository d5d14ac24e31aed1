"""Published template accuracies: the authors' own table, and tables that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.schemas import validate

from nliprobe.analysis.checklist.accuracies import read_template_accuracies, template_accuracies_document
from nliprobe.analysis.checklist.bins import bin_of, verdict
from nliprobe.base.errors import DataError

HEAD = "Capability\tTemplate\tLabel\tOne\tTwo\tFile\n"
GOOD = (
    HEAD
    + 'LEXICAL\tP: "{NAME1} is {ADJ}. H: {NAME1} is not {ADJ}.\tcontradiction\t80.00\t20.00\tlexical-1\n'
    + "WORLD\tP: {CITY}. H: {CITY.country}.\tentailment\t100\t0\tworld-1\n"
    + "\tTOTAL\t2\t90\t10\t\n1\tLEXICAL\t1\t80\t20\t\n"
)


def table(folder: Path, text: str) -> Path:
    path = folder / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_authors_table_gives_their_means(data: Path) -> None:
    path = data / "lonli" / "checklist_master.tsv"
    if not path.is_file():
        pytest.skip("the authors' table of templates is not there")
    document = template_accuracies_document("master", read_template_accuracies(path))
    validate("checklist", document)
    assert document["templates"] == 363
    means = {entry["system"]: round(100 * (entry["template_mean"] or 0), 1) for entry in document["overall"]}
    assert means == {
        "BERT": 53.4,
        "DistilBERT": 50.9,
        "RoBERTa-large": 66.5,
        "DeBERTa": 69.9,
        "RoBERTa-SNLI-MNLI-FEVER-ANLI": 70.2,
    }
    # The tallies at the end of the file have the means of capabilities, too.
    found = {(item["system"], item["capability"]): item for item in document["capabilities"]}
    for capability, templates, percent in (("temporal", 60, 44.33), ("implicature", 20, 24.65), ("causal", 10, 77.76)):
        entry = found["BERT", capability]
        assert entry["templates"] == templates
        assert 100 * (entry["template_mean"] or 0) == pytest.approx(percent, abs=0.006)
    assert sum(document["bins"][0]["bins"].values()) == 363
    assert len(document["surrogates"]) == 5
    assert {label: skew["templates"] for label, skew in document["labels"].items()} == {"E": 166, "N": 34, "C": 163}


def test_quotes_are_text_and_tallies_are_passed_over(tmp_path: Path) -> None:
    read = read_template_accuracies(table(tmp_path, GOOD))
    assert read.models == ("One", "Two")
    assert [(item.id, item.capability, item.label) for item in read.patterns] == [
        ("lexical-1", "lexical", "C"),
        ("world-1", "world", "E"),
    ]
    assert read.patterns[0].premise == '"{NAME1} is {ADJ}.'
    assert read.accuracies == ((0.8, 0.2), (1.0, 0.0))
    document = template_accuracies_document("t", read)
    validate("checklist", document)
    assert [entry["verdict"] for entry in document["template_table"]] == ["unsure", "passed", "unsure", "failed"]
    assert document["overall"][0]["balanced"] == pytest.approx(0.9)
    assert document["surrogates"] == []


def test_file_names_may_be_missing(tmp_path: Path) -> None:
    text = GOOD.replace("\tFile", "").replace("\tlexical-1", "").replace("\tworld-1", "").replace("\t\n", "\n")
    assert [item.id for item in read_template_accuracies(table(tmp_path, text)).patterns] == ["lexical-1", "world-2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no template"),
        (HEAD, "holds no template"),
        (HEAD + "\tTOTAL\t2\t90\t10\t\n", "holds no template"),
        ("Capability\tTemplate\tOne\nL\tP: a H: b\t1\n", "line 2: the header has no column 'Label'"),
        ("Capability\tTemplate\tLabel\tFile\nL\tP: a H: b\tE\tx\n", "no column of accuracies"),
        (GOOD.replace("80.00", "eighty"), "line 2: 'eighty' is no accuracy of One. Expected percent"),
        (GOOD.replace("80.00", "180"), "line 2: '180' is no accuracy of One"),
        (GOOD.replace("80.00", "nan"), "line 2: 'nan' is no accuracy of One"),
        (GOOD.replace("80.00", ""), "line 2: '' is no accuracy of One"),
        (GOOD.replace("P: {CITY}", "{CITY}"), "line 3: expected a template 'P: … H: …'"),
        (GOOD.replace("entailment", "perhaps so"), "line 3: unknown label 'perhaps so'"),
        (GOOD.replace("world-1", "lexical-1"), "two templates have the File 'lexical-1'"),
        (GOOD.replace("\tworld-1", "\tworld-1\tmore"), "line 3: 7 fields where the header has 6"),
    ],
)
def test_wrong_tables_are_told_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError) as found:
        read_template_accuracies(table(tmp_path, text))
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("share", "name", "word"),
    [
        (0.0, "0-20", "failed"),
        (0.1999, "0-20", "failed"),
        (0.2, "20-40", "unsure"),
        (0.4, "40-60", "unsure"),
        (0.6, "60-80", "unsure"),
        (800 / 1000, "60-80", "unsure"),
        (80.1 / 100, "80-100", "passed"),
        (1.0, "80-100", "passed"),
    ],
)
def test_bins_fit_together_with_passed_and_failed(share: float, name: str, word: str) -> None:
    assert (bin_of(share), verdict(share)) == (name, word)
