"""Writes the pairs of corpora as texts in some representation, for a machine that cannot make it (``wmd-k`` needs POT).

``python benchmarks/gpu/write_texts.py wmd-1 OUT infotabs/train infotabs/dev …`` writes ``OUT/wmd-1-train.jsonl.gz`` and
so on. What is read from them has the input ids it has under the representation itself.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from nliprobe.api.sources import open_source
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation


def write(represent: str, out: Path, names: list[str]) -> None:
    reader = Reader(build_representation(represent), Control.FULL, seed=0, keyed=False)
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        with gzip.open(out / f"{represent}-{name.rpartition('/')[2]}.jsonl.gz", "wt", encoding="utf-8") as stream:
            for pair in open_source(name).pairs():
                item = reader.read_pair(pair)
                line = {"id": pair.id, "premise": item.premise, "hypothesis": item.hypothesis, "label": str(pair.gold)}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
