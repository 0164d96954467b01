"""The command line: one file a verb, each a thin call of a function that Python users have too.

Nothing here imports numpy, OpenCV or datasets: that happens inside the verb that needs them, so that ``provise
--help`` answers at once.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import NoReturn

import typer

from provise.cli import benchmark, compare, doctor, prompts, protocol, publish, read, report, run, score, sensitivity

__all__ = ["app", "main"]

app = typer.Typer(
    name="provise",
    help="Score what an image model draws: visual answers to spatial questions, scored by the benchmark's metric.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # drawing help with rich would more than double the time it takes to answer
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run.run)
app.command()(read.read)
app.command()(prompts.prompts)
app.command()(score.score)
app.command()(report.report)
app.command()(compare.compare)
app.command()(sensitivity.sensitivity)
app.command()(doctor.doctor)
app.add_typer(protocol.app, name="protocol")
app.add_typer(benchmark.app, name="benchmark")
app.add_typer(publish.app, name="publish")


def _version(show: bool) -> None:
    if show:
        from provise import __version__

        typer.echo(f"provise {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Score what an image model draws."""


def main() -> None:
    """Run the command line; a wrong call or input ends in one message and exit code 2, never in a traceback."""
    from provise.errors import ProviseError

    # A name of this machine may hold bytes that no UTF-8 has: it is shown escaped.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except SystemExit as end:
        _leave(end.code)
    except ProviseError as error:
        typer.echo(f"error: {error}", err=True)
        _leave(2)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; that is no failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # A full disk, no permission, a file in the way: the person's to put right, and named with its path.
        if error.filename is None:
            raise
        typer.echo(f"error: {error.filename}: {error.strerror}", err=True)
        _leave(2)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        _leave(130)


def _leave(code: int | str | None) -> NoReturn:
    """End now, also where a system still has requests in flight: Python would wait for them, for ever if need be."""
    if not isinstance(code, int) or all(
        thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()
    ):
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
