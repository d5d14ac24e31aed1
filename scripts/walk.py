"""Counts the files and functions of nliprobe that one pair passes on its way into a run.

How far a reader has to go to follow the path of the data is measured, not felt: the job behind `nliprobe run` asks one
InfoTabS pair (of the builtin corpus where InfoTabS is absent) with the probe `gold` of a model that is one Python
function. It is done once before, so that imports and caches of the process do not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

import nliprobe
from nliprobe.api.resolve import Request
from nliprobe.api.run import run

PACKAGE = Path(nliprobe.__file__).parent
MODEL = "def neutral(pairs):\n    return ['N' for _ in pairs]\n"
# Parts of a function that Python compiles apart; whoever reads the function has read them.
INNER = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>", "<module>"})


def source() -> str:
    """Return the corpus of one pair: InfoTabS if there is a folder of corpora that has it."""
    folder = os.environ.get("NLIPROBE_DATA", "")
    has_infotabs = bool(folder) and (Path(folder) / "infotabs").is_dir()
    return "infotabs/dev?limit=1" if has_infotabs else "builtin/tables-dev?limit=1"


def walk(folder: Path) -> set[CodeType]:
    """Return the code that ran between the request and the finished run."""
    model = folder / "one_answer.py"
    model.write_text(MODEL, encoding="utf-8")
    # The doctor asks pairs of its own, which are not on the way.
    request = Request(on=(source(),), systems=(f"python:{model}:neutral",), probes=("gold",), doctor=False)
    entered: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            entered.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        result = run(request, folder / "run")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert result.tally is not None
    assert result.tally.cases == 1
    return {code for code in entered if code.co_filename.startswith(f"{PACKAGE}{os.sep}")}


def report(entered: set[CodeType]) -> tuple[int, int]:
    """Print the files by room, with how many of their functions were entered; return files and functions."""
    files = sorted({code.co_filename for code in entered})
    functions = {(code.co_filename, code.co_qualname) for code in entered if code.co_name not in INNER}
    per_file = Counter(name for name, _ in functions)
    for name in files:
        print(f"{per_file[name]:4}  {Path(name).relative_to(PACKAGE)}")
    print(f"{len(files)} files, {len(functions)} functions ({source()}, gold)")
    return len(files), len(functions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--max-files", type=int, metavar="N", help="exit with 1 when more files are entered")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for attempt in ("first", "second"):
            folder = Path(name) / attempt
            folder.mkdir()
            os.environ["NLIPROBE_CACHE"] = str(folder / "cache")
            entered = walk(folder)
    files, _ = report(entered)
    if options.max_files is not None and files > options.max_files:
        print(f"More than {options.max_files} files are entered: look for detours.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
