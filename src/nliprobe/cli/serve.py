"""``nliprobe serve``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._annotate_options import database_option
from nliprobe.cli._output import echo


@click.command("serve")
@options.config_option
@options.plugin_option
@click.argument("folder", default="runs", type=click.Path(path_type=Path, file_okay=False))
@database_option
@click.option(
    "--system", "systems", multiple=True, metavar="SYSTEM", shell_complete=complete.models,
    help="System that the owner can try, beside small. Repeatable.",
)  # fmt: skip
@options.train_option
@click.option(
    "--on", "corpora", multiple=True, callback=options._split, metavar="CORPUS,…",
    shell_complete=complete.in_list(complete.corpora),
    help="Corpus or templates that projects for raters can be made from, beside the runs. Repeatable.",
)  # fmt: skip
@click.option(
    "--queue", "queues", multiple=True, metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="Review queue that projects can be made from. Repeatable.",
)  # fmt: skip
@click.option(
    "--study", "studies", multiple=True, metavar="DIRECTORY", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of a study made by nliprobe study new. Repeatable.",
)  # fmt: skip
@options.from_option
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="Address to listen at. By default only this machine can reach the studio.",
)  # fmt: skip
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535),
    help="Port to listen at; 0 for any free one.",
)  # fmt: skip
@click.option(
    "--public-url", default="", metavar="URL",
    help="Beginning of the address under which others reach the studio, if a proxy with TLS stands before it.",
)  # fmt: skip
@click.option(
    "--ask-seconds", default=30.0, show_default=True, type=click.FloatRange(min=0.1),
    help="Longest time that a system may take for one question of the owner; then its process is ended.",
)  # fmt: skip
def command(
    folder: Path,
    database: str,
    systems: tuple[str, ...],
    train: tuple[str, ...],
    corpora: tuple[str, ...],
    queues: tuple[Path, ...],
    studies: tuple[Path, ...],
    root: Path | None,
    host: str,
    port: int,
    public_url: str,
    ask_seconds: float,
) -> None:
    """Open the studio in a browser: read runs, try models, annotate and run studies with a team.

    FOLDER holds the runs. The command prints a link for you, the owner; raters and participants come by invitations
    that you make in the studio. NLIPROBE_OWNER_TOKEN sets a token of your own instead of a new one at each start.
    Ctrl-C ends the server; nothing is lost.
    """
    import os

    from nliprobe.base.errors import MissingExtraError
    from nliprobe.studio.settings import Settings

    try:
        import itsdangerous  # noqa: F401
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"The studio needs {error.name}, which is not installed", "studio") from error
    from nliprobe.studio.serve import serve

    settings = Settings(
        folder=folder,
        database=database,
        systems=tuple(dict.fromkeys(["small", *systems])),
        train=train,
        corpora=corpora,
        queues=queues,
        studies=studies,
        root=root,
        host=host,
        port=port,
        public=public_url,
        ask_seconds=ask_seconds,
    )

    def started(address: str, link: str) -> None:
        echo(f"The studio is at {address}. Runs in '{folder}', people's work in '{_shown(database)}'.")
        if not folder.is_dir():
            echo(f"There is no folder '{folder}' yet: runs are shown as soon as they are written there.", err=True)
        echo(f"Your link, the owner's. It is shown once and lets in whoever has it:\n{link}")
        if not settings.is_local:
            echo("Others on the network can reach this address. Without TLS they can read what is sent.", err=True)
        echo("Ctrl-C ends the server.")

    serve(settings, started, os.environ.get("NLIPROBE_OWNER_TOKEN", ""))


def _shown(database: str) -> str:
    from nliprobe.base.urls import redact

    return redact(database)
