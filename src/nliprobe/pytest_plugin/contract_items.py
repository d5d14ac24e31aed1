"""Contracts as test files: an item per check, and the cases that speak against the system where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from nliprobe.analysis.compare.contract import Contract, read_contract
from nliprobe.base.errors import NliprobeError
from nliprobe.base.visible import visible
from nliprobe.pytest_plugin import CASES

if TYPE_CHECKING:
    from nliprobe.analysis.compare.contract_run import RunSource
    from nliprobe.analysis.compare.documents import GateCheck, GateDocument
    from nliprobe.api.results import Run


class CheckFailed(Exception):
    """A check of a contract is not met."""

    def __init__(self, check: GateCheck) -> None:
        super().__init__(check["reason"])
        self.check = check


class _Outcome(NamedTuple):
    """What a gate decided, and what there is to say beside it; or why it could not decide."""

    document: GateDocument | None
    said: tuple[str, ...]
    error: NliprobeError | None


_OUTCOMES = pytest.StashKey[dict[Path, _Outcome]]()


class ContractFile(pytest.File):
    """A contract; its checks are the tests."""

    def collect(self) -> Iterator[CheckItem]:
        """Yield an item per check, under names that differ."""
        try:
            contract = read_contract(self.path)
        except NliprobeError as error:
            raise self.CollectError(visible(str(error))) from None
        if contract.run is None:
            raise self.CollectError(
                f"{self.path} does not say which run it is about. Add the key 'run': the folder of a run, or a mapping "
                "with 'system' and 'on', from which the run is made."
            )
        names: dict[str, int] = {}
        for number, check in enumerate(contract.checks):
            name = " ".join(visible(check.name).split())
            names[name] = names.get(name, 0) + 1
            unique = name if names[name] == 1 else f"{name} #{names[name]}"
            yield CheckItem.from_parent(self, name=unique, contract=contract, number=number)


class CheckItem(pytest.Item):
    """One check of a contract."""

    def __init__(self, *, contract: Contract, number: int, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.contract = contract
        self.number = number

    def runtest(self) -> None:
        """Decide all checks of the contract, if that has not been done, and look at this one."""
        from nliprobe.report.junit import check_properties

        outcomes = self.config.stash.setdefault(_OUTCOMES, {})
        if self.path not in outcomes:
            outcomes[self.path] = self._decide()
        document, said, error = outcomes[self.path]
        if said:
            self.add_report_section("call", "nliprobe", visible("\n".join(said)))
        if error is not None:
            raise error
        assert document is not None
        check = document["checks"][self.number]
        self.user_properties += check_properties(check)
        if not check["passed"]:
            raise CheckFailed(check)

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None
    ) -> object:
        """Show why a check failed, and the cases; a traceback would only show this plugin."""
        error = excinfo.value
        if isinstance(error, CheckFailed):
            from nliprobe.report.gate_text import cases_text

            lines = [visible(f"{error.check['name']}: {error.check['reason']}")]
            if error.check["cases"]:
                lines += ["", cases_text(error.check["cases"])]
            return "\n".join(lines)
        if isinstance(error, NliprobeError):
            return visible(f"{self.path.name} could not be decided. {error}")
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the check where pytest names tests."""
        return self.path, self.number, self.name

    def _decide(self) -> _Outcome:
        from nliprobe.api.face import gate

        said: tuple[str, ...] = ()
        try:
            run, said = self._run()
            decided = gate(run, contract=self.contract, cases=max(0, int(self.config.getoption(CASES))))
        except NliprobeError as error:
            return _Outcome(None, said, error)
        document = decided.document
        return _Outcome(document, (*said, *document["notes"]), None)

    def _run(self) -> tuple[Run, tuple[str, ...]]:
        """Open the run that the contract names, or make the one that it describes; paths start at the contract."""
        from nliprobe.api.face import open_run
        from nliprobe.pytest_plugin.runs import make_run

        source = self.contract.run
        assert source is not None
        if source.folder:
            return open_run(self.path.parent / source.folder), ()
        texts = dict(source.texts)
        out = texts.pop("out", "")
        folder = (self.path.parent / out).resolve() if out else None
        with chdir(self.path.parent):
            made = make_run(self.config, f"{self.path.parent}\n{source!r}", _options(source, texts), folder)
        return made.run, made.said


def _options(source: RunSource, texts: dict[str, str]) -> dict[str, object]:
    return {
        "systems": list(source.system),
        "on": list(source.on),
        "probes": list(source.probes),
        "train": list(source.train),
        "seed": source.seed,
        "doctor": source.doctor,
        **texts,
    }
