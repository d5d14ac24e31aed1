"""Measure the vectors of several trained folders on all transfer tasks, for ``nliprobe reproduce swap:table3``.

    python benchmarks/transfer_table.py 0%=models/infersent-0 25%=models/infersent-25 … OUT.json

Each folder holds one trained model, or one per seed (``seed-0``, ``seed-1`` …); what stands before ``=`` is its row in
the table, by default the folder's name. What was computed is kept in the cache, so that the same command continues
after an interruption and adds folders for the price of the new ones. OUT.json is written after each folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nliprobe
from nliprobe.api.transfer_documents import TransferDocument
from nliprobe.base.files import write_json
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.papers.swap.transfer_file import FORMAT, RowDocument


def main(arguments: list[str]) -> None:
    if len(arguments) < 2 or not arguments[-1].endswith(".json"):
        sys.exit(__doc__)
    *folders, out = arguments
    rows: list[RowDocument] = []
    systems: dict[str, str] = {}
    for text in folders:
        name, _, folder = text.rpartition("=")
        path = Path(folder)
        row = name or path.name
        for seed in sorted(path.glob("seed-*")) or [path]:
            system = f"{row} {seed.name}" if seed != path else row
            systems[system] = f"trained:{seed}"
            rows.append({"row": row, "system": system})
        document = nliprobe.transfer(systems, say=_say).document
        write_json(Path(out), {"format": FORMAT, "by": _by(systems), "rows": rows, "document": _told(document)})
        print(f"{out}: {len(rows)} models", file=sys.stderr)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _by(systems: dict[str, str]) -> str:
    """Say what was trained and on what; how pairs were swapped is in the names of rows."""
    record = TrainedRecord.read(Path(next(iter(systems.values())).partition(":")[2]))
    learnt = " and ".join(name.partition("?")[0] for name in record.train)
    return f"{record.spec.partition('?')[0]}, trained here on {learnt}"


def _told(document: TransferDocument) -> TransferDocument:
    """Leave out where the folders lie on this machine."""
    for system in document["systems"]:
        system["spec"] = system["spec"].partition(":")[0]
    return document


if __name__ == "__main__":
    main(sys.argv[1:])
