"""Examples a second from templates, against the usual way, which draws and formats one example at a time.

The usual way is what CheckList's ``Editor.template`` and the generator of CheckListNLI do: for each example a draw from
every list, a dictionary, and ``str.format`` on premise and hypothesis. CheckList itself is asked where it is installed.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import median_of, nliprobe, report, run_process
from nliprobe.templates.parse import parse_templates
from nliprobe.templates.render import render

N = 100_000
REPEATS = 5
NAMES = [f"Name{number}" for number in range(200)]
JOBS = [f"job{number}" for number in range(80)]
TEMPLATE = f"""
capability: negation
lexicons:
  PERSON: [{", ".join(NAMES)}]
  JOB: [{", ".join(JOBS)}]
templates:
  - id: negation.but-not
    premise: "{{PERSON1}}, but not {{PERSON2}}, is {{a(JOB)}}."
    hypothesis: "{{PERSON2}} is {{a(JOB)}}."
    label: C
    because: it says so
"""
PREMISE, HYPOTHESIS = "{first}, but not {second}, is {article} {job}.", "{second} is {article} {job}."


def one_by_one() -> list[tuple[str, str, str]]:
    draw = random.Random(0)
    made = []
    for _ in range(N):
        first, second = draw.sample(NAMES, 2)
        job = draw.choice(JOBS)
        values = {"first": first, "second": second, "job": job, "article": "an" if job[0] in "aeiou" else "a"}
        made.append((PREMISE.format(**values), HYPOTHESIS.format(**values), "contradiction"))
    return made


def checklist() -> Callable[[], object] | None:
    try:
        from checklist.editor import Editor  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    editor = Editor()
    editor.add_lexicon("person", NAMES)
    editor.add_lexicon("job", JOBS)
    text = "{person1}, but not {person2}, is {a:job}. {person2} is {a:job}."
    return lambda: editor.template(text, nsamples=N, remove_duplicates=True)


def main() -> None:
    template = parse_templates(TEMPLATE).templates[0]
    assert len(render(template, N)) == N
    ours, naive = median_of(lambda: render(template, N), REPEATS), median_of(one_by_one, REPEATS)
    other = checklist()
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run_process([*nliprobe("--version")])
        empty = time.perf_counter() - start
        whole = run_process(nliprobe("generate", "checklist", "--n", "1000", "-o", str(Path(folder) / "suite.parquet")))
    report(
        "templates",
        {
            "examples": N,
            "ours_per_second": N / ours,
            "one_by_one_per_second": N / naive,
            "ratio": naive / ours,
            "checklist_per_second": N / median_of(other, REPEATS) if other is not None else None,
            "whole_suite_seconds": whole.seconds,
            "whole_suite_seconds_after_start": whole.seconds - empty,
            "whole_suite_peak_mb": whole.peak_mb,
            "must": {"ours_per_second": 5 * 48_000, "whole_suite_seconds_after_start": 1.5, "whole_suite_peak_mb": 300},
        },
    )


if __name__ == "__main__":
    main()
