"""Tables to import from JSON, JSON lines and CSV."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.corpora.infobox.hypotheses import table_lines, template
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import read_tables
from nliprobe.corpora.infobox.single import read_table

_SEEDS = (
    '{"title": "Mira Voss", "Born": ["5 May 1965", "Tarn"], "Spouse": "Jonas Reld", "Height": 1.70}',
    '{"K2": {"Height": ["8,611 m"]}, "Tarn": {"Population": 12000}}',
    '{"id": "a", "title": "A", "category": "City", "section": "S", "rows": [["Area", ["1"]], ["Name", ["B"]]]}\n'
    '{"id": "b", "title": "B", "rows": [{"key": "Area", "values": ["1"]}]}\n',
    '{"title": "T", "columns": ["a", "b"], "rows": [["", ["1", "2"]], ["", ["3", "4"]]]}',
    '[["Team", "Points"], ["A", "1"], ["B", 2]]',
    '[{"Team": "A", "Points": 1}, {"Team": "B", "Points": null}]',
    '{"tables": [{"title": "x", "A": ["b\\u2028c"]}]}',
    "key,value\nBorn,5 May 1965\nBorn,Tarn\n",
    "Team,Home,Away\nA,1,2\nB,3,4\n",
)
_FORMS = ("", "?form=grid", "?form=infobox", "?header=2")


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.json", "x.jsonl", "x.csv", "x.tsv"):
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, f"{path}{form}") for form in _FORMS))
        attempt(partial(read_table, path, "cell"))


def _read(source: str) -> None:
    tables = read_tables([source], Notes())
    table_lines(tables).encode()
    template(tables).encode()


TARGET = Target("infobox_json", _seeds, _run)
