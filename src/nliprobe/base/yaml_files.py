"""Read YAML in which ``on`` and ``no`` are words, and a key given twice is an error with its line."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, where

if TYPE_CHECKING:
    from yaml import SafeLoader


def read_yaml(path: Path) -> object:
    """Return the content of a YAML file; errors name the line."""
    import yaml

    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = None if mark is None else mark.line + 1
        raise DataError(f"{where(path, line)}: this is not YAML ({error.problem}).") from error
    except yaml.YAMLError as error:
        raise DataError(f"{path}: this is not YAML ({error}).") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error


@cache
def _loader() -> type[SafeLoader]:
    import yaml

    class Loader(yaml.SafeLoader):
        """Reads on, off, yes and no as words, not as truth values: ``on:`` is an option and ``no`` a label."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:  # noqa: FBT001
            """Read a mapping whose keys are all different."""
            seen: set[str] = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in seen:
                        raise yaml.constructor.ConstructorError(
                            None, None, f"the key '{key.value}' is given twice", key.start_mark
                        )
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    boolean = "tag:yaml.org,2002:bool"
    Loader.yaml_implicit_resolvers = {
        letter: [(tag, pattern) for tag, pattern in resolvers if tag != boolean]
        for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver(boolean, re.compile("^(?:true|True|false|False)$"), list("tTfF"))
    return Loader
