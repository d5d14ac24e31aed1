"""Checks the wheel and the sdist in a folder: what must ship is in them, nothing else is, and the wheel works.

What must ship is every file below src/nliprobe that git tracks, beside the kinds of data that the package cannot do
without. The wheel is then installed into a fresh environment, away from the sources, and asked for its version and for
the demo.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
# One pattern per kind of data: forgetting a whole kind must be noticed even where git has forgotten it too.
NEEDED = (
    "nliprobe/py.typed",
    "nliprobe/language/lexicons/*.tsv",
    "nliprobe/language/wordnet_data/*.gz",
    "nliprobe/language/wordnet_data/LICENSE",
    "nliprobe/models/small_data/*.safetensors",
    "nliprobe/models/small_data/words.txt",
    "nliprobe/models/small_data/NOTICE",
    "nliprobe/templates/library/*.yaml",
    "nliprobe/templates/library/core.txt",
    "nliprobe/report/page/*.html",
    "nliprobe/report/page/*.css",
    "nliprobe/report/page/*.js",
    "nliprobe/corpora/builtin/tables/*.json",
    "nliprobe/corpora/builtin/sentences/*.jsonl",
    "nliprobe/corpora/builtin/passages/*.jsonl",
    "nliprobe/language/abbreviations.tsv",
    "nliprobe/engine/doctor/sentences.jsonl",
    "nliprobe/engine/doctor/tables.jsonl",
    "nliprobe/papers/*/*.csv",
    "nliprobe/papers/*/answers/*.json.gz",
    "nliprobe/papers/*/grid/*.json",
    "nliprobe/papers/*/transfer/*.json",
    "nliprobe/papers/*/zoo.json",
)
# The sdist holds what is needed to test and to build again.
NEEDED_IN_SDIST = ("pyproject.toml", "Makefile", "constraints.txt", "tests/conftest.py", "docs/conf.py", "CITATION.cff")


def tracked() -> set[str]:
    """Return the files of the package that git tracks, as they are named inside a wheel."""
    command = ["git", "ls-files", "-z", "src/nliprobe"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name.removeprefix("src/") for name in done.stdout.split("\0") if name}


def problems(names: Iterable[str], expected: set[str]) -> Iterator[str]:
    """Yield a sentence for each file of the wheel that is missing or should not be there."""
    inside = {name for name in names if ".dist-info/" not in name}
    for name in sorted(expected - inside):
        yield f"missing: {name}"
    for name in sorted(inside - expected):
        yield f"should not ship: {name}"
    for pattern in NEEDED:
        if not any(fnmatch(name, pattern) for name in inside):
            yield f"nothing of this kind ships: {pattern}"


def sdist_problems(names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each file that the sdist lacks."""
    inside = {name.partition("/")[2] for name in names}
    for name in NEEDED_IN_SDIST:
        if name not in inside:
            yield f"missing in the sdist: {name}"


def try_wheel(wheel: Path) -> None:
    """Install the wheel into a fresh environment and use it there, with nothing of the checkout in sight."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        inside = folder / "venv" / "bin"
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment |= {"NLIPROBE_DATA": "", "NLIPROBE_CACHE": str(folder / "cache")}
        pip = [str(inside / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        for command in (
            [*pip, "-c", str(ROOT / "constraints.txt"), str(wheel.resolve())],
            [str(inside / "nliprobe"), "--version"],
            [str(inside / "nliprobe"), "demo"],
        ):
            print("$", " ".join([Path(command[0]).name, *command[1:]]), flush=True)
            subprocess.run(command, cwd=folder, env=environment, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with one wheel and one sdist")
    options = parser.parse_args()
    [wheel] = options.folder.glob("*.whl")
    [sdist] = options.folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
    with tarfile.open(sdist) as source:
        sentences = [*problems(names, tracked()), *sdist_problems(source.getnames())]
    for path, count in ((wheel, len(names)), (sdist, None)):
        size = f"{path.stat().st_size / 1e6:.2f} MB"
        print(f"{path.name}: {size}" + (f", {count} files" if count is not None else ""))
    if sentences:
        print("\n".join(sentences))
        return 1
    try_wheel(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
