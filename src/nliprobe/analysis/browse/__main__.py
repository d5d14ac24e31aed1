"""``python -m nliprobe.analysis.browse RUN``: makes the index of a run in a process of its own.

So it takes neither memory nor turns of whoever serves pages meanwhile. It writes a line of JSON per step.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from nliprobe.analysis.browse.building import Progress, build_index
from nliprobe.base.errors import NliprobeError


def main(folder: str) -> int:
    """Make the index; the last line says that it is made, or why not."""

    def report(progress: Progress) -> None:
        print(json.dumps(progress._asdict()), flush=True)

    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(5)
    try:
        build_index(Path(folder), report)
    except NliprobeError as error:
        print(json.dumps({"problem": str(error)}), flush=True)
        return 1
    print(json.dumps({"made": True}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
