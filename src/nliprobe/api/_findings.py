"""What validation reports: errors and warnings as sentences, each with a code for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from nliprobe.base.errors import NliprobeError, NotFoundError

Level = Literal["error", "warning"]
Kind = Literal["config", "contract", "corpus", "templates"]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or looks wrong; ``place`` is the section and option, or empty."""

    level: Level
    code: str
    message: str
    place: str = ""


@dataclass
class Report:
    """What was found in one target; ``facts`` are the numbers of a corpus, empty for files of options."""

    target: str
    kind: Kind
    findings: list[Finding] = field(default_factory=list)
    facts: Mapping[str, object] = field(default_factory=dict)
    # Plugins that were not imported: a name that is not known may come from one of them.
    _plugins: Sequence[str] = field(default=(), repr=False)

    def error(self, code: str, message: str, place: str = "") -> None:
        """Note something that will not work."""
        self.findings.append(Finding("error", code, message, place))

    def warn(self, code: str, message: str, place: str = "") -> None:
        """Note something that works and should be looked at."""
        self.findings.append(Finding("warning", code, message, place))

    @contextmanager
    def noting(self, code: str, place: str = "") -> Iterator[None]:
        """Turn an error meant for users into a finding, and continue."""
        try:
            yield
        except NliprobeError as error:
            self.refused(code, error, place)

    def refused(self, code: str, error: NliprobeError, place: str = "") -> None:
        """Note an error; a name that a plugin may register, which was not imported, is only a warning."""
        if self._plugins and isinstance(error, NotFoundError):
            hint = f"It may come from {', '.join(self._plugins)}, which is not imported without --plugins."
            self.warn(code, f"{error} {hint}", place)
        else:
            self.error(code, str(error), place)

    @contextmanager
    def without_plugins(self, paths: Sequence[str]) -> Iterator[None]:
        """Remember inside a ``with`` block which plugins were not imported."""
        before, self._plugins = self._plugins, paths
        try:
            yield
        finally:
            self._plugins = before

    def count(self, level: Level) -> int:
        """Count the findings of a level."""
        return sum(finding.level == level for finding in self.findings)

    def to_json(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "target": self.target,
            "kind": self.kind,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "findings": [
                {"level": item.level, "code": item.code, "place": item.place, "message": item.message}
                for item in self.findings
            ],
            "facts": dict(self.facts) or None,
        }
