"""Two hundred raters in one process, which may be killed: run as a program by the tests of the store.

Every rater is a thread that asks for an item, judges it, and writes a line when the judgement was acknowledged. A
judgement whose acknowledgement was lost is sent again with the same key, as a browser does.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.raters import join_project


def rate(store: Database, name: str, acknowledged: int) -> None:
    """Judge until there is nothing left for this rater."""
    join_project(store, "p", name)
    while (offer := next_item(store, "p", name)) is not None:
        item = offer.item.name
        judge_item(store, "p", name, item, {"label": "ENC"[len(item + name) % 3]}, request=f"of {item}")
        # One write of one line: it is in the file, or not, even if the process is killed.
        os.write(acknowledged, (json.dumps([name, item]) + "\n").encode())


def main(place: str, acknowledged: Path, raters: int) -> None:
    """Let all raters work at once."""
    with open_store(place) as store, acknowledged.open("ab", buffering=0) as file:
        threads = [
            threading.Thread(target=rate, args=(store, f"r{number:03}", file.fileno())) for number in range(raters)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    started = time.time()
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    print(f"{time.time() - started:.1f}")
