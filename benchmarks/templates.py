"""Examples a second from templates, against the usual way, which draws and formats one example at a time.

The usual way is what CheckList's ``Editor.template`` and the generator of CheckListNLI do: for each example a draw from
every list, a dictionary, and ``str.format`` on premise and hypothesis. CheckList itself is asked where it is installed.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import MagicMock

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
    """CheckList's editor on the same template, where its source is: CHECKLIST_SOURCE names the unpacked package.

    It no longer installs; with munch beside it, and mocks in the place of its notebook widgets and languages, it runs.
    """
    source = os.environ.get("CHECKLIST_SOURCE")
    if not source:
        return None
    sys.path.insert(0, source)
    for name in ("checklist.viewer", "checklist.viewer.template_editor", "checklist.multilingual"):
        sys.modules.setdefault(name, MagicMock(get_language_code=lambda language: "en"))
    from checklist.editor import Editor  # type: ignore[import-not-found,unused-ignore]

    editor = Editor()
    editor.add_lexicon("person", NAMES)
    editor.add_lexicon("job", JOBS)
    text = {
        "premise": "{person1}, but not {person2}, is {a:job}.",
        "hypothesis": "{person2} is {a:job}.",
    }
    return lambda: editor.template(text, nsamples=N, remove_duplicates=True)


def main() -> None:
    template = parse_templates(TEMPLATE).templates[0]
    assert len(render(template, N)) == N
    ours, naive = median_of(lambda: render(template, N), REPEATS), median_of(one_by_one, REPEATS)
    editor = checklist()
    theirs = median_of(editor, REPEATS) if editor is not None else None
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
            "checklist_per_second": N / theirs if theirs is not None else None,
            "ratio_to_checklist": theirs / ours if theirs is not None else None,
            "whole_suite_seconds": whole.seconds,
            "whole_suite_seconds_after_start": whole.seconds - empty,
            "whole_suite_peak_mb": whole.peak_mb,
            "must": {
                "ratio_to_checklist": 5,
                "ours_per_second": 12 * 17_800,
                "whole_suite_seconds_after_start": 1.5,
                "whole_suite_peak_mb": 300,
            },
        },
    )


if __name__ == "__main__":
    main()
