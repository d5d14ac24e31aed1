"""Start-up: importing the package and showing help, as multiples of an empty Python."""

from __future__ import annotations

import sys
from functools import partial

from measure import median_of, nliprobe, report, run_process

REPEATS = 9


def main() -> None:
    commands = {
        "pass": [sys.executable, "-c", "pass"],
        "import": [sys.executable, "-c", "import nliprobe"],
        "help": nliprobe("--help"),
    }
    for command in commands.values():
        run_process(command)  # once for the file cache
    seconds = {name: median_of(partial(run_process, command), REPEATS) for name, command in commands.items()}
    report(
        "startup",
        {
            "seconds": seconds,
            "import_ratio": seconds["import"] / seconds["pass"],
            "help_ratio": seconds["help"] / seconds["pass"],
            "must": {"import_ratio": 3, "help_ratio": 8},
        },
    )


if __name__ == "__main__":
    main()
