"""The ``nliprobe`` command: finds the verb, imports only its file, turns errors into sentences."""

from __future__ import annotations

import importlib
import os
import sys

import click

from nliprobe import __version__

# The verbs with their one-line help, so that --help imports none of them.
VERBS = {
    "run": "Ask a suite of systems and keep the answers in a run folder.",
    "plan": "Say what a run would ask; write its inputs for a model that runs elsewhere.",
    "score": "Score a file of answers on a corpus.",
    "show": "Show what a run found.",
    "compare": "Compare two systems case by case, of one run or of two.",
    "gate": "Let a run pass or fail against a contract or an earlier run.",
    "doctor": "Check the label order and the habits of a system on unmistakable pairs.",
    "report": "Write a run as one self-contained HTML page, Markdown or JSON.",
    "generate": "Draw examples from templates into a file.",
    "train": "Train a network or a simpler model and keep it in a folder.",
    "demo": "Train and probe a small model on the built-in corpus.",
    "ls": "List corpora, probes, models, representations or runs.",
    "validate": "Check files of options, contracts and corpora without running anything.",
    "data": "Find, list, check, describe and import corpora; measure how far raters agree.",
    "reproduce": "Lay tables and figures of the papers, computed from the released data, beside the printed values.",
    "annotate": "Have people judge examples: write sheets, read them back.",
    "cache": "Show or clear what is kept between runs.",
}


class Verbs(click.Group):
    """A group whose commands live in files of their own, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the work."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the file of a verb."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"nliprobe.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when one is mistyped."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from nliprobe.base.errors import did_you_mean

            ctx.fail(f"There is no verb '{args[0]}'. {did_you_mean(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "NLIPROBE"},
    epilog="Every option can also stand in a YAML file (--config) or in an environment variable "
    "such as NLIPROBE_RUN_ON. Exit codes: 0 fine, 1 error, 2 usage, 3 a gate failed.",
)
@click.version_option(__version__, prog_name="nliprobe")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Tell whether a natural-language-inference model reasons or guesses."""
    from nliprobe.base.errors import command_line

    ctx.with_resource(command_line())


def main() -> None:
    """The entry point: errors meant for users are printed as one sentence, without a traceback."""
    from nliprobe.base.errors import NliprobeError

    try:
        code = cli.main(standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("nliprobe: stopped. The same command continues where it was.", err=True)
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except NliprobeError as error:
        if os.environ.get("NLIPROBE_TRACEBACK"):
            raise
        click.echo(f"nliprobe: {error}", err=True)
        code = error.exit_code
    except BrokenPipeError:
        # The reader of our output went away (head, less): not an error; keep Python from saying so at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
