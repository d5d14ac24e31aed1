"""``nliprobe study``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo
from nliprobe.cli._values import Shares

if TYPE_CHECKING:
    from nliprobe.api.resolve import Request

_STUDY = click.Path(exists=True, path_type=Path)


@click.group("study")
def command() -> None:
    """Let people foresee what systems answer: make a study, and measure how well they do."""


@command.command("new")
@options.plugin_option
@click.argument("run", type=options.RUN, required=False)
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the study."
)
@click.option(
    "--system", "systems", multiple=True, metavar="SYSTEM", shell_complete=complete.models,
    help="System to foresee. With RUN: name of a system of the run, by default all. Repeatable: stages say which of "
    "them they are about.",
)  # fmt: skip
@options.train_option
@click.option(
    "--phase", "phases", multiple=True, default=("final",), show_default=True, metavar="PHASE",
    help="Which stages: 1 (bids from accuracies), 2 (templates, then examples) or final (answers to examples). "
    "Repeatable.",
)  # fmt: skip
@click.option(
    "--plan", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="YAML file with texts and stages of your own.",
)  # fmt: skip
@click.option(
    "--on", "on", default=None, metavar="TEMPLATES", shell_complete=complete.corpora,
    help="Templates to ask about. By default checklist?n=100, or those of RUN.",
)  # fmt: skip
@click.option(
    "--pool", metavar="CORPUS",
    help="Corpus of similar examples for stages that name one, instead of multinli/dev-matched.",
)  # fmt: skip
@click.option("--templates", type=click.IntRange(min=2), default=25, show_default=True, help="Templates to ask about.")
@click.option("--examples", type=click.IntRange(min=1), default=5, show_default=True, help="Examples of each.")
@click.option(
    "--neighbours", type=click.IntRange(min=1), default=5, show_default=True, help="Examples shown beside a question."
)
@click.option(
    "--per-template", type=click.IntRange(min=1), default=50, show_default=True,
    help="Similar examples come from at most so many examples per template.",
)  # fmt: skip
@click.option(
    "--masks", type=click.IntRange(min=2, max=100_000), default=100, show_default=True,
    help="How many edits of an example are asked to find the words that its answer rests on.",
)  # fmt: skip
@click.option(
    "--order", type=click.Choice(["none", "rotate", "latin"]), default="rotate", show_default=True,
    help="How the order of stages differs between participants.",
)  # fmt: skip
@options.represent_option
@options.labels_option
@click.option("--no-doctor", is_flag=True, help="Do not check the order of the labels. The key says so.")
@options.from_option
@options.seed_option
def new(
    run: Path | None,
    out: Path,
    systems: tuple[str, ...],
    train: tuple[str, ...],
    phases: tuple[str, ...],
    plan: Path | None,
    on: str | None,
    pool: str | None,
    templates: int,
    examples: int,
    neighbours: int,
    per_template: int,
    masks: int,
    order: str,
    represent: str | None,
    labels: str,
    no_doctor: bool,
    root: Path | None,
    seed: int,
) -> None:
    """Make a study: choose templates and examples, explain answers, and write what participants are shown.

    Two files are written: study.json may be shown to participants, key.json says what is right and must not. Answers,
    vectors and explanations are kept, so that the same command continues after Ctrl-C.
    """
    from nliprobe.api.resolve import Request
    from nliprobe.api.study import TEMPLATES, StudyOptions, new_study
    from nliprobe.base.errors import StoreError, UsageError
    from nliprobe.base.files import require_writable
    from nliprobe.cli._study_progress import StudyProgress
    from nliprobe.people.study.files import STUDY, write_study
    from nliprobe.people.study.orders import Counterbalance

    if (out / STUDY).exists():
        raise StoreError(f"{out} holds a study already, and people may have answered it: choose another folder.")
    require_writable(out / STUDY)
    wanted = StudyOptions(
        phases=phases,
        plan=plan,
        templates=templates,
        examples=examples,
        neighbours=neighbours,
        per_template=per_template,
        masks=masks,
        pool=pool,
        order=Counterbalance(order),
    )
    if run is not None:
        if train or represent or labels:
            raise UsageError(
                "--train, --represent and --labels cannot be used with a run: it says itself what was asked."
            )
        request = _of_run(run, systems, on, root, seed, doctor=not no_doctor)
    else:
        request = Request((on or TEMPLATES,), systems, (), train, root, seed, labels, represent, doctor=not no_doctor)
    said: list[str] = []
    with StudyProgress() as progress:

        def say(line: str) -> None:
            said.append(line)
            progress.say(line)

        made = new_study(request, wanted, tell=progress.tell, say=say)
    for path in write_study(out, made.study, made.key):
        echo(str(path))
    for note in made.key.notes:
        if note not in said:
            echo(note, err=True)
    echo(
        f"{out / STUDY} may be shown to participants, the key must not. With their answers: "
        f"nliprobe study results {out} ANSWERS.csv",
        err=True,
    )


def _of_run(
    run: Path, systems: tuple[str, ...], on: str | None, root: Path | None, seed: int, *, doctor: bool
) -> Request:
    from dataclasses import replace

    from nliprobe.api.face import open_run
    from nliprobe.api.study import run_request

    request = replace(run_request(open_run(run).folder, systems, root, seed), doctor=doctor)
    return request if on is None else replace(request, on=(on,))


@command.command("simulate")
@click.argument("study", type=_STUDY)
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="CSV file for the answers."
)
@click.option(
    "--participants", type=click.IntRange(min=1, max=1000), default=10, show_default=True,
    help="How many participants.",
)  # fmt: skip
@click.option(
    "--skill", "skills", type=Shares(), default="0.5", show_default=True, metavar="S,…",
    help="The chance with which a participant knows the answer; who does not know, guesses. With several, participants "
    "take them in turn.",
)  # fmt: skip
@click.option(
    "--spread", type=click.FloatRange(min=0, max=1), default=0.2, show_default=True,
    help="With one skill: skills lie evenly up to so far above and below.",
)  # fmt: skip
@options.seed_option
def simulate(study: Path, out: Path, participants: int, skills: tuple[float, ...], spread: float, seed: int) -> None:
    """Let simulated participants with known skill answer a study, to see what the analysis makes of it.

    The file says in every line that no person answered, and so do all results made from it.
    """
    from nliprobe.base.errors import StoreError
    from nliprobe.people.study.answers import write_answers
    from nliprobe.people.study.files import read_key, read_study
    from nliprobe.people.study.panel import even_skills, simulate_panel

    if out.exists():
        raise StoreError(f"{out} is there already and may hold answers of people: choose another name.")
    shown = read_study(study)
    key = read_key(study, shown)
    if len(skills) == 1:
        known = even_skills(participants, skills[0], spread)
    else:
        known = [skills[place % len(skills)] for place in range(participants)]
    panel = simulate_panel(shown, key, known, seed)
    write_answers(out, shown, panel.given, panel.feedback)
    echo(str(out))
    said = ", ".join(f"{name} {skill:.2f}" for name, skill in list(panel.skills.items())[:20])
    echo(f"SIMULATED answers; no person took part. Skills: {said}{', …' if len(panel.skills) > 20 else ''}", err=True)


@command.command("results")
@click.argument("study", type=_STUDY)
@click.argument("answers", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--responses", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Also write the answers together with what was right, as nliprobe reproduce --responses reads them.",
)  # fmt: skip
@options.format_option
def results(study: Path, answers: tuple[Path, ...], responses: Path | None, form: str) -> None:
    """Measure how well participants foresaw the systems of a study, and how far they agreed.

    ANSWERS are files with the columns participant, stage, item and answer. Beside every accuracy stands what simple
    rules would get. Intervals are over participants and templates: both could have been others.
    """
    from nliprobe.people.study.results import results_of

    document, shown, key, collected = results_of(study, answers)
    if responses is not None:
        from nliprobe.people.study.export import write_responses

        written = write_responses(responses, shown, key, collected)
        for path in written.files:
            echo(str(path), err=True)
        if written.left_out:
            echo(f"Not among the stages of the paper, and left out: {', '.join(written.left_out)}.", err=True)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.study import render_study
    from nliprobe.report.terminal import new_console

    new_console().print(render_study(document), highlight=False)
