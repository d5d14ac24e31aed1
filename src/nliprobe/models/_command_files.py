"""Find the files behind a command line: the program, the files among its arguments, and what its scripts import."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from nliprobe.models.checkpoint_files import checkpoint_files
from nliprobe.models.origin import module_files, script_files

# Where programs write what they have done: it changes with every start.
_WRITTEN = (".log", ".out", ".err", ".pid", ".lock", ".tmp")
# What shows that a folder holds a model, and not data or the user's home.
_MODEL_FILES = ("config.json", "trained.json", "*.safetensors", "*.bin", "*.pt", "*.pth", "*.onnx", "*.gguf")


def command_files(words: Sequence[str]) -> dict[str, Path]:
    """Return the files that decide what a program answers, by the words that name them.

    These are the program, each argument that is a file or the folder of a model (also as ``--model=PATH``), the module
    after ``-m``, and what Python files among them import from their own folder. The words inside an argument, such as
    that of ``sh -c``, are looked at, too. Files that a program opens without being told so are not seen.
    """
    files: dict[str, Path] = {}
    program = shutil.which(words[0]) if words else None
    if program is not None:
        files |= _named(words[0], Path(program))
    for before, word in pairwise(words):
        if before == "-m":
            files |= {f"-m {word}: {name}": path for name, path in module_files(word).items()}
        for piece in (word, word.partition("=")[2]):
            files |= _argument(piece)
        if " " in word:
            files |= {name: path for piece in _split(word) for name, path in _argument(piece).items()}
    return files


def _argument(word: str) -> dict[str, Path]:
    try:
        path = Path(word)
        if not word or path.suffix in _WRITTEN:
            return {}
        if path.is_file():
            return _named(word, path)
        if path.is_dir() and any(next(path.glob(kind), None) for kind in _MODEL_FILES):
            return {f"{word}: {name}": item for name, item in checkpoint_files(path).items()}
    except (OSError, ValueError):  # too long for a path, or with a character that no path has
        pass
    return {}


def _named(word: str, path: Path) -> dict[str, Path]:
    if path.suffix != ".py":
        return {word: path}
    imported = {name: item for name, item in script_files(path).items() if item != path.resolve()}
    return {word: path} | {f"{word}: {name}": item for name, item in imported.items()}


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []
