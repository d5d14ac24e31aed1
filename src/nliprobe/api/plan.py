"""Planning: what a run would ask, and its distinct inputs as JSON lines for a model that runs elsewhere."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nliprobe.api.resolve import Request
from nliprobe.base.files import writing
from nliprobe.engine.ask import open_cache
from nliprobe.engine.stages import SHARD_SIZE, read_shard, shards
from nliprobe.models.base import Estimate
from nliprobe.models.system import System
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import IDENTITY, Input


@dataclass
class Plan:
    """What a run would ask.

    ``expensive`` names the probes that declare to make many cases per pair. Of systems that are sent a prompt or cost
    money, ``prompts`` has what is sent for the first input, and ``estimates`` what the inputs not known yet cost.
    """

    suite: str
    expensive: list[str] = field(default_factory=list)
    cases: Counter[tuple[str, str]] = field(default_factory=Counter)
    skips: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    inputs: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    estimates: dict[str, Estimate] = field(default_factory=dict)


def plan(request: Request) -> Plan:
    """Count the cases of each corpus and probe, and for each system the distinct inputs and those known already."""
    suite = request.suite()
    systems = request.build_systems(request.training())
    planned = Plan(suite.hash, [probe.spec for probe in suite.probes if probe.expensive])
    seen: dict[str, set[str]] = {system.name: set() for system in systems}
    for system in systems:
        planned.known[system.name] = 0
    caches = {system.name: open_cache(system) for system in systems}
    for shard in shards(suite, SHARD_SIZE, pools=any(system.reader.needs_pool for system in systems)):
        planned.cases.update((corpus, case.probe) for corpus, case in zip(shard.corpora, shard.cases, strict=True))
        planned.skips.update(shard.skips)
        for system in systems:
            new = {item.id: item for item in read_shard(system, shard) if item.id not in seen[system.name]}
            seen[system.name] |= new.keys()
            cache = caches[system.name]
            known = cache.get(list(new)) if cache is not None else {}
            planned.known[system.name] += len(known)
            _count_cost(planned, system, new, known)
    planned.inputs = {name: len(ids) for name, ids in seen.items()}
    return planned


def in_words(estimate: Estimate) -> str:
    """Return an estimate of cost as a sentence."""
    cost = "" if estimate.cost is None else f", which cost about {estimate.cost:.2f} at the given prices"
    return (
        f"about {estimate.tokens_in:,} tokens to send in {estimate.requests:,} requests and {estimate.tokens_out:,} to "
        f"receive, without reasoning{cost}"
    )


def _count_cost(planned: Plan, system: System, new: Mapping[str, Input], known: Container[str]) -> None:
    first = next(iter(new.values()), None)
    if first is not None and system.name not in planned.prompts:
        prompt = system.model.preview(first)
        if prompt is not None:
            planned.prompts[system.name] = prompt
    estimate = system.model.estimate([item for item in new.values() if item.id not in known])
    if estimate is not None:
        before = planned.estimates.get(system.name)
        planned.estimates[system.name] = estimate if before is None else before.plus(estimate)


def distinct_inputs(request: Request, represent: str, control: Control) -> Iterator[Input]:
    """Yield each distinct input of a suite once, as a system with this representation and control would read it."""
    reader = Reader(build_representation(represent), control, seed=request.seed, keyed=False)
    seen: set[str] = set()
    for shard in shards(request.suite(), SHARD_SIZE, pools=reader.needs_pool):
        for item in read_shard(ReadingSystem(reader), shard):
            if item.id not in seen:
                seen.add(item.id)
                yield item


def write_inputs(request: Request, represent: str, control: Control, out: Path) -> int:
    """Write the distinct inputs as JSON lines (input_id, premise, hypothesis), and return their number."""
    return write_lines(distinct_inputs(request, represent, control), out)


def write_lines(inputs: Iterable[Input], out: Path) -> int:
    """Write inputs as JSON lines, compressed if the name ends in ``.gz``, and return their number."""
    records = ({"input_id": item.id, "premise": item.premise, "hypothesis": item.hypothesis} for item in inputs)
    return write_records(records, out)


def write_records(records: Iterable[Mapping[str, str]], out: Path) -> int:
    """Write records as JSON lines, compressed if the name ends in ``.gz``, and return their number."""
    count = 0
    with writing(out) as file, _compressing(file) if out.suffix == ".gz" else nullcontext(file) as stream:
        for line in records:
            stream.write((json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8"))
            count += 1
    return count


def write_examples(request: Request, represent: str, control: Control, out: Path) -> int:
    """Write the labelled pairs of a suite as JSON lines (premise, hypothesis, label, form), and return their number.

    A prompt can show them to a chat model with ``shots_from=``. Each pair is written once, as it is, without probes.
    """
    reader = Reader(build_representation(represent), control, seed=request.seed, keyed=False, told_form=True)
    return write_records(_examples(request, reader), out)


def _examples(request: Request, reader: Reader) -> Iterator[dict[str, str]]:
    seen: set[tuple[str, str]] = set()
    for shard in shards(request.suite(), SHARD_SIZE, pools=reader.needs_pool):
        for case, item in zip(shard.cases, read_shard(ReadingSystem(reader), shard), strict=True):
            key = (item.id, str(case.gold))
            if case.probe == IDENTITY and case.gold is not None and key not in seen:
                seen.add(key)
                form = {"form": item.form} if item.form else {}
                yield {"premise": item.premise, "hypothesis": item.hypothesis, "label": str(case.gold), **form}


def _compressing(file: BinaryIO) -> gzip.GzipFile:
    # Without the time, so that the same inputs are the same file.
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0)


def read_inputs(path: Path) -> list[Input]:
    """Read the inputs that :func:`write_inputs` wrote; the file may be compressed with gzip."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        lines = [json.loads(line) for line in stream]
    return [
        Input(line["input_id"], (line["premise"],) if line["premise"] else (), line["hypothesis"]) for line in lines
    ]


class ReadingSystem(System):
    """A system that makes inputs and is never asked."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
