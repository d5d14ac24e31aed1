"""Projects to look at: a few raters, who agree, differ, skip, revise and remark."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.api.people import ProjectPlan, make_project, plan_project
from nliprobe.people.records import Content, Item
from nliprobe.people.store import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.raters import join_project
from nliprobe.studio.context import Studio, address
from nliprobe.task.source import PairSource

SCRIPT = "<script>alert(1)</script>"


def make(store: Database, name: str = "labels", task: str = "verify", **rules: object) -> str:
    """Make a project from the built-in tables, and return its address."""
    on: Sequence[str | PairSource] = rules.pop("on", ["builtin/tables-dev"])  # type: ignore[assignment]
    values: dict[str, object] = {"raters_per_item": 3, "most_items": 12, "lease_seconds": 600, **rules}
    plan = ProjectPlan(task=task, on=on, **values)  # type: ignore[arg-type]
    make_project(store, name, plan_project(plan))
    return f"/projects/{address(name)}"


def answer(task: str, item: Item, rater: int) -> Content:
    """What a rater says: the first says what is right, the others now and then something else."""
    gold = str(item.hidden.get("gold", "E")) or "E"
    wrong = {"E": "C", "N": "E", "C": "N"}[gold]
    differs = rater > 0 and int(item.name, 16) % (rater + 2) == 0
    if task == "evidence":
        return {"units": [0, 1] if differs else [0], "outside": differs}
    if task == "write":
        return {"true": f"True {rater}.", "false": f"False {rater}.", "undecided": f"Open {rater}."}
    return {"label": wrong if differs else gold}


def work(
    store: Database, name: str = "labels", task: str = "verify", raters: int = 3, most: int = 1000, first: int = 1
) -> None:
    """Let raters judge until nothing is left, or so many items each; one of them skips, flags, revises and remarks."""
    people = [f"rater-{number + first}" for number in range(raters)]
    for number, rater in enumerate(people):
        join_project(store, name, rater, external=f"worker-{number}")
        for count in range(most):
            offered = next_item(store, name, rater)
            if offered is None:
                break
            item = offered.item
            said = answer(task, item, number)
            if number == 1 and count == 0:
                skip_item(store, name, rater, item.name, f"odd {SCRIPT}", flag=True)
                continue
            remark = f"unsure {SCRIPT}" if count == 1 else ""
            judge_item(store, name, rater, item.name, said, request=f"{rater} {item.name}", remark=remark)
            if number == 2 and count == 2:
                other = {**said, "label": "N"} if "label" in said else said
                judge_item(store, name, rater, item.name, other, request=f"{rater} {item.name} again", revise=True)


def told(studio: Studio, name: str = "labels") -> list[str]:
    """Return what the log of a project says that its owner did."""
    return [entry.what for entry in read_log(studio.store, name) if entry.who == "owner"]
