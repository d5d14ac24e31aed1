"""Contracts: what a run must reach, as a YAML file that people write or ``nliprobe gate --write`` makes.

    contract: 1
    system: svm?represent=para            # may be left out when the run has one system
    checks:
      - {corpus: infotabs/dev, probe: gold, metric: accuracy, at_least: 0.55}
      - {corpus: infotabs/dev, probe: rows.delete, metric: prohibited, at_most: 0.05, on: estimate}

A check is decided on the unfavourable bound of the 95 % interval: the lower one must reach ``at_least``, the upper
one must not exceed ``at_most``. So a pass is as certain as the data allow, and a small corpus passes less easily than a
large one. With ``on: estimate`` the number itself decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.yaml_files import read_yaml

VERSION = 1
METRICS = ("accuracy", "macro_f1", "gain", "prohibited", "changed", "broken", "unanswered")
KEYS = ("contract", "system", "checks")
CHECK_KEYS = ("corpus", "probe", "metric", "at_least", "at_most", "on")
Kind = Literal["at_least", "at_most"]
On = Literal["bound", "estimate"]
_KINDS: tuple[Kind, ...] = ("at_least", "at_most")


@dataclass(frozen=True)
class ContractCheck:
    """One line of a contract: a metric of a corpus and probe, and its limit."""

    corpus: str
    probe: str
    metric: str
    kind: Kind
    limit: float
    on: On = "bound"


@dataclass(frozen=True)
class Contract:
    """What a run must reach; ``name`` says where it was read."""

    checks: tuple[ContractCheck, ...]
    system: str | None = None
    name: str = "contract"


def read_contract(path: Path) -> Contract:
    """Read a contract; errors name the file, the check and the key."""
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        raise DataError(f"{path} should hold a mapping with the keys {', '.join(KEYS)}, not {_kind(content)}.")
    _only(content, KEYS, str(path))
    version = content.get("contract")
    if version != VERSION or type(version) is not int:
        raise DataError(f"{path}: the key 'contract' should say its version, {VERSION}, not {_shown(version)}.")
    system = content.get("system")
    if "system" in content and (not isinstance(system, str) or not system):
        raise DataError(f"{path}: the key 'system' should name a system, not {_shown(system)}.")
    checks = content.get("checks")
    if not isinstance(checks, list) or not checks:
        raise DataError(f"{path}: the key 'checks' should be a list of at least one check.")
    return Contract(
        tuple(_check(item, f"{path}, check {place}") for place, item in enumerate(checks, start=1)),
        system,
        path.name,
    )


def contract_text(contract: Contract) -> str:
    """Write a contract as YAML that :func:`read_contract` reads back."""
    import yaml

    checks: list[dict[str, object]] = [
        {
            "corpus": check.corpus,
            "probe": check.probe,
            "metric": check.metric,
            check.kind: check.limit,
            **({} if check.on == "bound" else {"on": check.on}),
        }
        for check in contract.checks
    ]
    head = {"contract": VERSION, **({} if contract.system is None else {"system": contract.system})}
    # PyYAML writes rare line breaks such as U+0085 as they are, and reads them as spaces; escaped they survive.
    names = [contract.system or "", *(name for check in contract.checks for name in (check.corpus, check.probe))]
    readable = all(name.isprintable() for name in names)
    # Each check on a line of its own: a changed limit is a changed line.
    return "".join(
        yaml.safe_dump(part, sort_keys=False, allow_unicode=readable, default_flow_style=style, width=1000)
        for part, style in ((head, False), ({"checks": checks}, None))
    )


def _check(item: object, place: str) -> ContractCheck:
    if not isinstance(item, Mapping):
        raise DataError(f"{place} should be a mapping with the keys {', '.join(CHECK_KEYS)}, not {_kind(item)}.")
    _only(item, CHECK_KEYS, place)
    corpus, probe, metric = (_text(item, key, place) for key in ("corpus", "probe", "metric"))
    if metric not in METRICS:
        raise DataError(f"{place}: there is no metric '{metric}'. {did_you_mean(metric, METRICS)}")
    given = [kind for kind in _KINDS if kind in item]
    if len(given) != 1:
        raise DataError(f"{place} needs exactly one of at_least and at_most.")
    limit = item[given[0]]
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
        raise DataError(f"{place}: the key '{given[0]}' should be a number such as 0.55, not {_shown(limit)}.")
    if not (-1 if metric == "gain" else 0) <= limit <= 1:
        raise DataError(
            f"{place}: {given[0]} {_shown(limit)} can never be met or missed: {metric} is a fraction, not percent."
        )
    on = item.get("on", "bound")
    if on not in ("bound", "estimate"):
        raise DataError(f"{place}: the key 'on' should be bound or estimate, not {_shown(on)}.")
    return ContractCheck(corpus, probe, metric, given[0], float(limit), cast(On, on))


def _only(content: Mapping[object, object], known: Sequence[str], place: str) -> None:
    for key in content:
        if key not in known:
            raise DataError(f"{place} has an unknown key '{key}'. {did_you_mean(str(key), known)}")


def _text(item: Mapping[object, object], key: str, place: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise DataError(f"{place}: the key '{key}' is missing." if value is None else f"{place}: '{key}' is no text.")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _kind(content: object) -> str:
    return "nothing" if content is None else f"a {type(content).__name__}"
