"""``deid-adapter send``: sends released messages to an MLLP receiver."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from adapter.audit import Event, configure_logs, log
from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.send.folder import FolderSource
from adapter.send.receiver import Receiver
from adapter.send.sending import RefusedError, Sending, Source
from adapter.send.topics import TopicSource


def send(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
    ],
    once: Annotated[
        bool, typer.Option("--once", help="Exit when all existing messages are sent.")
    ] = False,
) -> None:
    """Send released messages to an MLLP receiver, in order, until stopped."""
    raise typer.Exit(asyncio.run(sent(load_settings(config), follow=not once)))


async def sent(settings: Settings, *, follow: bool) -> int:
    """Send until SIGTERM, SIGINT or the end; return 1 if the receiver refuses a message, else 0.

    Raises:
        RuleError: a setting is missing.
        TransportError: the broker does not answer, or a right is missing.
    """
    configure_logs(settings.log.level)
    if not settings.send.host:
        raise RuleError("send.host", "is not set; name the receiver")
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    receiver = Receiver(settings.send)
    sending = Sending(_source(settings, follow=follow), receiver, settings.send, stop)
    try:
        await sending.run()
    except RefusedError as refused:
        say(
            f"error: the receiver refused {refused.place}; set send.refused to a folder for"
            " such messages",
            err=True,
        )
        return 1
    log(Event.STOPPED, records=sending.delivered, held=sending.set_aside)
    return 0


def _source(settings: Settings, *, follow: bool) -> Source:
    told, kafka = settings.send, settings.kafka
    if told.source == "files":
        folder = told.folder or Path(settings.files.output)
        if not folder.is_dir():
            raise RuleError("send.folder", "is not a folder")
        return FolderSource(folder, told.position, follow=follow)
    topics = told.topics or tuple(map(kafka.released_to, kafka.topics))
    if not topics:
        raise RuleError("send.topics", "is empty, and so is kafka.topics; list the topics to send")
    return TopicSource(kafka, topics, told.name, follow=follow)
