"""``data agreement`` as users call it."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json

CSV = """pair_id,worker,answer,truth
1,ann,E,E
1,bob,E,E
1,eve,N,E
2,ann,C,C
2,bob,C,C
2,bob,E,C
3,ann,N,
3,eve,C,
"""
COLUMNS = "?item=pair_id&rater=worker&label=answer&gold=truth"


def test_agreement_of_an_own_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(CSV)
    said = nliprobe("data", "agreement", f"r.csv{COLUMNS}", cwd=tmp_path).stdout
    for line in (
        "3 items, 7 ratings by 3 raters, labels E|N|C",
        " 66.67%  have a majority (more than half)",
        "100.00%  human accuracy",
        "2 raters agree on 2 items, 2 of 2 match gold",
        "no majority on 1 item",
        "note: 2 items with fewer than 3 ratings.",
        "note: 1 rating left out because the same rater had rated the item before.",
    ):
        assert line in said
    document = nliprobe_json("data", "agreement", f"r.csv{COLUMNS}", "--majority", "1", "--seed", "5", cwd=tmp_path)
    validate("agreement", document)
    assert document["files"][0]["ties"] == {"items": 1, "drawn": 1}


def test_agreement_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(CSV.replace("3,eve,C", "3,eve,perhaps"))
    done = nliprobe("data", "agreement", f"r.csv{COLUMNS}", cwd=tmp_path, code=1)
    assert done.stderr.startswith("nliprobe: r.csv, line 9: unknown label 'perhaps'")
    assert done.stderr.count("\n") == 1
    (tmp_path / "r.csv").write_text(CSV)
    done = nliprobe("data", "agreement", f"r.csv{COLUMNS}", "--raters", "2", "--majority", "3", cwd=tmp_path, code=2)
    assert "No majority can have 3 votes" in done.stderr


def test_agreement_of_a_corpus(data: Path) -> None:
    document = nliprobe_json("data", "agreement", "infotabs", "--from", str(data))
    validate("agreement", document)
    assert [entry["name"] for entry in document["files"]] == [
        f"infotabs/{split}" for split in ("dev", "alpha1", "alpha2", "alpha3")
    ]
    whole = nliprobe("data", "agreement", "infotabs/dev", "--from", str(data), "--raters", "10", "--majority", "3")
    assert "ratings beyond" not in whole.stdout
