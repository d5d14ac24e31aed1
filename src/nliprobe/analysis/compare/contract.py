"""Contracts: what a run must reach, as a YAML file that people write or ``nliprobe gate --write`` makes.

    contract: 2
    system: svm?represent=para            # may be left out when the run has one system
    checks:
      - {corpus: infotabs/dev, probe: gold, metric: accuracy, at_least: 0.55}
      - {corpus: infotabs/dev, probe: gold, facet: reasoning=negation, metric: accuracy, at_least: 0.4, on: estimate}
      - {capability: negation, metric: balanced, at_least: 0.5}
      - {corpus: infotabs/dev, probe: rows.delete, metric: prohibited, non_inferior: 0.01}

A check is decided on the unfavourable bound of its interval: the lower one must reach ``at_least``, the upper one must
not exceed ``at_most``. So a pass is as certain as the data allow, and a small corpus passes less easily than a large
one. The intervals hold together for all checks (Holm), unless the contract says ``correction: none`` or has version 1,
whose checks stand alone. With ``on: estimate`` the number itself decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from nliprobe.analysis.compare.contract_run import RunSource, one_of, only, read_source, shown, text_of
from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.yaml_files import read_yaml

VERSION = 2
VERSIONS = (1, 2)
KEYS = {1: ("contract", "system", "checks"), 2: ("contract", "system", "run", "baseline", "correction", "checks")}
Kind = Literal["at_least", "at_most", "not_worse", "non_inferior", "better_by"]
On = Literal["bound", "estimate"]
Correction = Literal["holm", "none"]
ABSOLUTE: tuple[Kind, ...] = ("at_least", "at_most")
RELATIVE: tuple[Kind, ...] = ("not_worse", "non_inferior", "better_by")
_KINDS = {1: ABSOLUTE, 2: (*ABSOLUTE, *RELATIVE)}
_PLACE_KEYS = {1: ("corpus", "probe", "metric"), 2: ("corpus", "probe", "facet", "capability", "metric")}
METRICS = {
    1: ("accuracy", "macro_f1", "gain", "prohibited", "changed", "broken", "unanswered"),
    2: ("accuracy", "balanced", "macro_f1", "gain", "prohibited", "changed", "broken", "unanswered"),
}
# A share of changed answers is neither good nor bad; macro F1 and balanced accuracy are no sums over pairs of cases.
RELATIVE_METRICS = ("accuracy", "prohibited", "broken", "unanswered")
# Templates are labelled pairs, asked as they are: nothing is expected of them but their label.
CAPABILITY_METRICS = ("accuracy", "balanced", "macro_f1", "unanswered")


@dataclass(frozen=True)
class ContractCheck:
    """One line of a contract: a metric of a corpus and probe, or of a part of them, and its limit.

    A check of a capability has no probe, and no corpus unless the contract names one.
    """

    corpus: str
    probe: str
    metric: str
    kind: Kind
    limit: float
    on: On = "bound"
    facet: tuple[str, str] | None = None
    capability: str = ""

    @property
    def relative(self) -> bool:
        """Whether it compares with a baseline."""
        return self.kind in RELATIVE

    @property
    def name(self) -> str:
        """What reports call it, such as ``accuracy of gold on infotabs/dev, genre=fiction``."""
        if self.capability:
            return f"{self.metric} of the capability {self.capability}" + (f" on {self.corpus}" if self.corpus else "")
        part = "" if self.facet is None else f", {self.facet[0]}={self.facet[1]}"
        return f"{self.metric} of {self.probe} on {self.corpus}{part}"


@dataclass(frozen=True)
class Contract:
    """What a run must reach.

    Attributes:
        checks: its lines.
        system: which system of the run; the only one by default.
        name: where it was read.
        correction: whether the intervals of its checks hold together.
        baseline: the run that relative checks compare with, as the file names it.
        run: the run, or how to make it; the pytest plugin reads it.
        folder: the folder of the file, from which its paths start.
    """

    checks: tuple[ContractCheck, ...]
    system: str | None = None
    name: str = "contract"
    correction: Correction = "holm"
    baseline: str | None = None
    run: RunSource | None = None
    folder: Path = field(default_factory=Path, compare=False)

    @property
    def relative(self) -> bool:
        """Whether some check compares with a baseline."""
        return any(check.relative for check in self.checks)


def read_contract(path: Path) -> Contract:
    """Read a contract; errors name the file, the check and the key."""
    content = read_yaml(path)
    keys = KEYS[VERSION]
    if not isinstance(content, Mapping):
        raise DataError(f"{path} should hold a mapping with the keys {', '.join(keys)}, not {_kind(content)}.")
    version = content.get("contract")
    if version not in VERSIONS or type(version) is not int:
        raise DataError(f"{path}: the key 'contract' should say its version, 1 or {VERSION}, not {shown(version)}.")
    _known(content, keys, KEYS[version], version, str(path))
    texts = {key: text_of(content, key, str(path)) for key in ("system", "baseline") if key in content}
    checks = content.get("checks")
    if not isinstance(checks, list) or not checks:
        raise DataError(f"{path}: the key 'checks' should be a list of at least one check.")
    correction = one_of(content, "correction", ("holm", "none"), "holm" if version > 1 else "none", str(path))
    return Contract(
        tuple(_check(item, version, f"{path}, check {place}") for place, item in enumerate(checks, start=1)),
        texts.get("system"),
        path.name,
        cast(Correction, correction),
        texts.get("baseline"),
        read_source(content["run"], f"{path}, the key 'run'") if "run" in content else None,
        path.parent,
    )


def contract_text(contract: Contract) -> str:
    """Write a contract as YAML that :func:`read_contract` reads back."""
    import yaml

    head: dict[str, object] = {"contract": VERSION}
    head |= {} if contract.system is None else {"system": contract.system}
    head |= {} if contract.run is None else {"run": contract.run.content}
    head |= {} if contract.baseline is None else {"baseline": contract.baseline}
    head |= {} if contract.correction == "holm" else {"correction": contract.correction}
    parts = ((head, False), ({"checks": [_written(check) for check in contract.checks]}, None))
    # PyYAML writes rare line breaks such as U+0085 as they are, and reads them as spaces; escaped they survive.
    readable = all(text.isprintable() for text in _texts([part for part, _ in parts]))
    # Each check on a line of its own: a changed limit is a changed line.
    return "".join(
        yaml.safe_dump(part, sort_keys=False, allow_unicode=readable, default_flow_style=style, width=100_000)
        for part, style in parts
    )


def _written(check: ContractCheck) -> dict[str, object]:
    line: dict[str, object] = {} if check.capability and not check.corpus else {"corpus": check.corpus}
    line |= {"capability": check.capability} if check.capability else {"probe": check.probe}
    if check.facet is not None:
        name, value = check.facet
        line["facet"] = {name: value} if "=" in name else f"{name}={value}"
    line |= {"metric": check.metric, check.kind: check.limit}
    return line if check.on == "bound" else {**line, "on": check.on}


def _texts(content: object) -> list[str]:
    if isinstance(content, Mapping):
        return [text for pair in content.items() for item in pair for text in _texts(item)]
    if isinstance(content, list | tuple):
        return [text for item in content for text in _texts(item)]
    return [content] if isinstance(content, str) else []


def _check(item: object, version: int, place: str) -> ContractCheck:
    keys = {number: (*_PLACE_KEYS[number], *_KINDS[number], "on") for number in VERSIONS}
    if not isinstance(item, Mapping):
        raise DataError(f"{place} should be a mapping with the keys {', '.join(keys[version])}, not {_kind(item)}.")
    _known(item, keys[VERSION], keys[version], version, place)
    given = [kind for kind in _KINDS[version] if kind in item]
    if len(given) != 1:
        *others, last = _KINDS[version]
        raise DataError(f"{place} needs exactly one of {', '.join(others)} and {last}.")
    capability = text_of(item, "capability", place) if "capability" in item else ""
    if capability and (twice := [key for key in ("probe", "facet") if key in item]):
        raise DataError(f"{place} names a capability and a {twice[0]}. Name one of them.")
    corpus = text_of(item, "corpus", place) if "corpus" in item or not capability else ""
    probe = "" if capability else text_of(item, "probe", place)
    metric, kind = text_of(item, "metric", place), given[0]
    _check_metric(metric, kind, capability, version, place)
    limit = _limit(item, metric, kind, place)
    on = cast(On, one_of(item, "on", ("bound", "estimate"), "bound", place))
    return ContractCheck(corpus, probe, metric, kind, limit, on, _facet(item, place), capability)


def _check_metric(metric: str, kind: Kind, capability: str, version: int, place: str) -> None:
    if metric not in METRICS[version]:
        raise DataError(f"{place}: there is no metric '{metric}'. {did_you_mean(metric, METRICS[version])}")
    if capability and metric not in CAPABILITY_METRICS:
        raise DataError(f"{place}: a capability has no {metric}, but {', '.join(CAPABILITY_METRICS)}.")
    if kind in RELATIVE and metric not in RELATIVE_METRICS:
        raise DataError(
            f"{place}: {kind} compares case by case, and {metric} is not a share of cases that are better or worse. "
            f"Use one of {', '.join(RELATIVE_METRICS)}."
        )


def _limit(item: Mapping[object, object], metric: str, kind: Kind, place: str) -> float:
    limit = item[kind]
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
        raise DataError(f"{place}: the key '{kind}' should be a number such as 0.55, not {shown(limit)}.")
    lowest, highest = (-1 if metric == "gain" and kind in ABSOLUTE else 0), 1
    # Nobody can be worse or better by more than everything.
    if not lowest <= limit <= highest or (kind in ("non_inferior", "better_by") and limit == highest):
        raise DataError(
            f"{place}: {kind} {shown(limit)} can never be met or missed: {metric} is a fraction, not percent."
        )
    return float(limit)


def _facet(item: Mapping[object, object], place: str) -> tuple[str, str] | None:
    """Read ``name=value``, or a mapping of one name to a value for names with an equals sign."""
    if "facet" not in item:
        return None
    given = item["facet"]
    pair: tuple[object, object] = ("", "")
    if isinstance(given, str):
        name, _, value = given.partition("=")
        pair = name, value
    elif isinstance(given, Mapping) and len(given) == 1:
        [pair] = given.items()
    if all(isinstance(part, str) and part for part in pair):
        return str(pair[0]), str(pair[1])
    raise DataError(f"{place}: the key 'facet' should be a name and a value such as genre=fiction, not {shown(given)}.")


def _known(
    content: Mapping[object, object], known: Sequence[str], allowed: Sequence[str], version: int, place: str
) -> None:
    only(content, known, place)
    for key in content:
        if key not in allowed:
            raise DataError(f"{place}: the key '{key}' needs contract: {VERSION}, and this one says {version}.")


def _kind(content: object) -> str:
    return "nothing" if content is None else f"a {type(content).__name__}"
