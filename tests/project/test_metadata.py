"""What the project says of itself to pip, to readers and to those who cite it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import nliprobe

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_DEVELOPERS = {"harnesses", "test", "lint", "docs", "dist", "serving"}
# Where the name of a package is not the name that is imported.
IMPORTED_AS = {"mlflow-skinny": "mlflow", "pot": "ot", "python-multipart": "python_multipart"}


def requirements() -> list[Requirement]:
    lines = [*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)]
    return [Requirement(line) for line in lines]


def locked() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("#")[0].strip() for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, _, version in (pin.partition("==") for pin in pins)}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement in a tree, at any depth."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from statements(child)


@cache
def imported_in_package() -> frozenset[str]:
    names: set[str] = set()
    for path in (ROOT / "src" / "nliprobe").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        # Few files import by a call. Most nodes are parts of expressions, which need not be looked at in the others.
        whole = "import_module" in text or "_PACKAGES" in text
        for node in ast.walk(tree) if whole else statements(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
                names |= {str(word.value).partition(".")[0] for word in node.args if isinstance(word, ast.Constant)}
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PACKAGES":  # imported in a loop
                names |= set(ast.literal_eval(node.value))
    return frozenset(names)


def test_dependencies_have_lower_bounds_and_no_upper_ones() -> None:
    wrong = [
        str(requirement)
        for requirement in requirements()
        if any(part.operator != ">=" for part in requirement.specifier)
        or (not requirement.specifier and canonicalize_name(requirement.name) != "nliprobe")
    ]
    assert not wrong, f"these should read name>=version: {wrong}"


@pytest.mark.parametrize("extra", sorted(set(EXTRAS) - FOR_DEVELOPERS - {"all"}))
def test_every_extra_has_code_that_imports_it(extra: str) -> None:
    names = {canonicalize_name(Requirement(line).name) for line in EXTRAS[extra]}
    missing = {IMPORTED_AS.get(name, name) for name in names} - imported_in_package()
    assert not missing, f"no code of nliprobe imports {missing}"


def test_the_extra_all_has_every_extra_for_users() -> None:
    [whole] = [Requirement(line) for line in EXTRAS["all"]]
    assert whole.name == "nliprobe"
    assert whole.extras == set(EXTRAS) - FOR_DEVELOPERS - {"all", "testing"}


def test_pages_name_only_extras_that_exist() -> None:
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src").rglob("*.py"),
    ]
    named = {name for page in pages for name in re.findall(r"nliprobe\[([a-z,]+)\]", page.read_text(encoding="utf-8"))}
    assert {name for names in named for name in names.split(",")} <= set(EXTRAS)
    assert "torch" in {name for names in named for name in names.split(",")}


def test_the_lock_has_a_fitting_version_of_everything() -> None:
    pins = locked()
    for requirement in requirements():
        name = canonicalize_name(requirement.name)
        if name != "nliprobe":
            assert name in pins, f"{name} is not in constraints.txt: run `make lock`"
            assert requirement.specifier.contains(pins[name]), f"{requirement} and the lock differ: run `make lock`"


def test_the_lock_names_packages_and_versions_only() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*( +# via .+)?", line), line
        assert "://" not in line


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # The fields that version 1.2.0 of the format requires, and those of the project's metadata.
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == nliprobe.__version__
    # What is cited is the software; the other licence is that of the weights in the package.
    assert citation["license"] == PROJECT["license"].partition(" AND ")[0]
    assert citation["authors"] == PROJECT["authors"]
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
