"""The ``nliprobe`` command: finds the verb, imports only its file, and prints errors as sentences."""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING

import click

from nliprobe import __version__
from nliprobe.cli._variables import name_variables

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VARIABLES = "NLIPROBE"
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
_BY_CLICK = {"-h", "--help", "--version"}
# The verbs with the first words of their help, so that --help imports none of them.
VERBS = {
    "init": "Write a commented file of options for your own model and data.",
    "run": "Ask systems about a suite of cases and keep the answers in a run folder.",
    "plan": "Count what a run would ask, and write its inputs for a model that runs elsewhere.",
    "score": "Score a file of answers on a corpus.",
    "show": "Show the results of a run.",
    "compare": "Compare two or more systems case by case, of one run or of several.",
    "gate": "Let a run pass or fail against a contract or an earlier run.",
    "explain": "Explain single answers: the words, rows and sentences they rest on, and what a model finds similar.",
    "doctor": "Check on obvious pairs whether a system's labels are in order and whether it looks at the premise.",
    "check": "Compare every byte of a run with its records, for an archive or after a disk has failed.",
    "watch": "Show how far a run is while another process writes it.",
    "report": "Write the report of a run as one HTML page, Markdown or JSON.",
    "generate": "Draw examples from templates into a file.",
    "train": "Train a network or a simpler model and keep it in a folder.",
    "export": "Write a run, a suite or a model for other programs.",
    "demo": "Probe a network that comes with the package, and an SVM trained on the spot.",
    "ls": "List corpora, evidence, probes, models, representations, runs or templates.",
    "validate": "Check files of options, contracts, templates and corpora without running anything.",
    "data": "Find, list, check, describe and import corpora; measure how far raters agree.",
    "reproduce": "Compute tables and figures of the papers from the released data and compare them with the printed "
    "values.",
    "review": "Settle cases whose label no rule is sure of.",
    "annotate": "Let people judge examples: sheets for a few raters, projects in a store for many.",
    "study": "Let people foresee what systems answer: make a study, and measure how well they do.",
    "serve": "Open the studio in a browser: read runs, try models, annotate and run studies with a team.",
    "cache": "Show, check or clear what is kept between runs: answers, trained models, cases.",
}


class Verbs(click.Group):
    """A group whose commands live in files of their own, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all verbs, in the order in which they are used."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the file of a verb."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"nliprobe.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        name_variables(command, f"{VARIABLES}_{cmd_name.upper()}")
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer verbs without importing them, or the options of the command itself."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        return [CompletionItem(verb, help=line) for verb, line in VERBS.items() if verb.startswith(incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when one is mistyped."""
        # A shell that completes the words after a mistyped verb wants no message.
        if args and args[0] not in VERBS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from nliprobe.base.errors import did_you_mean

            ctx.fail(f"There is no verb '{args[0]}'. {did_you_mean(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": VARIABLES},
    epilog="You can also set every option in a YAML file (--config) or in an environment variable "
    "such as NLIPROBE_RUN_ON. Exit codes: 0 success, 1 error, 2 wrong usage, 3 a gate failed.",
)
@click.version_option(__version__, prog_name="nliprobe")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Tell whether a natural-language-inference model reasons or guesses."""
    from nliprobe.base.errors import command_line

    ctx.with_resource(command_line())


def main() -> None:
    """Run the command line; errors meant for users are printed as one sentence, without a traceback."""
    from nliprobe.base.errors import NliprobeError
    from nliprobe.base.output import claim_stdout, flush_stdout
    from nliprobe.cli._output import echo

    # Imports and corpora make many objects that stay: looking through them after every 700 takes 3 % of a short run.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # When the process ends there is nothing to collect: a look at every object that is left takes 0.2 s after a run.
    atexit.register(gc.freeze)
    # Click itself prints help, the version and what a shell completes.
    by_click = not _BY_CLICK.isdisjoint(sys.argv[1:]) or "_NLIPROBE_COMPLETE" in os.environ
    claim_stdout(for_prints=by_click)
    try:
        code = cli.main(standalone_mode=False)
        flush_stdout()
    except (click.exceptions.Abort, KeyboardInterrupt):
        echo("nliprobe: stopped. Repeat the command to continue.", err=True)
        code = 130
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        echo(shown.getvalue(), nl=False, err=True)
        code = error.exit_code
    except NliprobeError as error:
        if os.environ.get("NLIPROBE_TRACEBACK"):
            raise
        echo(f"nliprobe: {error}", err=True)
        code = error.exit_code
    except OSError as error:
        # The file system refused what no room expects it to; with its name this is all a user can act on.
        if os.environ.get("NLIPROBE_TRACEBACK") or error.errno is None:
            raise
        about = f" ({error.filename})" if error.filename else ""
        echo(f"nliprobe: The system refuses{about}: {error.strerror}.", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)
