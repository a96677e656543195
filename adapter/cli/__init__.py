"""The command ``deid-adapter``; each subcommand is one module (`adapter.cli.commands`)."""

from __future__ import annotations

import resource
import sys
import threading
import traceback
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated

import typer
from aiokafka.errors import KafkaError

from adapter.audit import configure_logs
from adapter.cli.commands import Commands
from adapter.cli.terminal import say
from adapter.errors import AdapterError, RuleError
from adapter.transports.kafka.failures import failure
from adapter.transports.protocol import TransportError

if TYPE_CHECKING:
    from collections.abc import Iterator


def _version(asked: bool) -> None:
    if asked:
        say(f"deid-adapter {version('clinical-deid-adapter')}")
        raise typer.Exit


app = typer.Typer(
    name="deid-adapter",
    cls=Commands,
    help="Streaming HL7 v2 and FHIR de-identification.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _program(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run a command; an error in rules, settings or input ends it with status 2.

    An unexpected exception ends it with status 1 and prints where it was raised, but not its text,
    which can quote a message. The same holds for other threads, finalizers and the logs of
    libraries. Neither this process nor one that it starts leaves a core dump, which would contain
    messages and keys.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.excepthook = sys.unraisablehook = _report
    configure_logs("warning")
    try:
        app()
    except (RuleError, AdapterError) as error:
        say(f"error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        say(f"error: {error.filename or 'system'}: {error.strerror}", err=True)
        sys.exit(2)
    except (TransportError, KafkaError) as error:  # the client's text can reveal more than its type
        say(f"error: {failure(error).described}", err=True)
        sys.exit(2)
    except Exception as error:  # noqa: BLE001 - its text, or its cause's, can quote a message
        _print(error)
        sys.exit(1)


def _report(failure: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
    """Report an exception that ends a thread or that a finalizer cannot raise."""
    if failure.exc_value is not None:
        _print(failure.exc_value)


def _print(error: BaseException) -> None:
    for line in _trace(error):
        say(line, err=True)


def _trace(error: BaseException) -> Iterator[str]:
    """Yield the types of an exception and of its causes, with the lines of their tracebacks."""
    for step in reversed(list(_chain(error))):
        for frame in traceback.extract_tb(step.__traceback__):
            yield f"  {frame.filename}:{frame.lineno} {frame.name}"
        for part in step.exceptions if isinstance(step, BaseExceptionGroup) else ():
            yield from _trace(part)
        yield f"error: unexpected {type(step).__name__}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    step: BaseException | None = error
    while step is not None:
        yield step
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
