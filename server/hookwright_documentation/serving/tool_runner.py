"""Run tools outside the event loop, so that a slow one does not delay other clients."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process, to_thread

from hookwright_console.runner import format_error
from hookwright_console.text import make_printable
from hookwright_documentation.serving import tools
from hookwright_documentation.serving.answers import format_passages, format_unknown_page
from hookwright_documentation.serving.lookup import UnknownPageError, list_manifests

if TYPE_CHECKING:
    from collections.abc import Mapping

THREADS = 4  # maximum number of concurrent searches
MAX_ERROR = 1_000  # maximum characters of an error
STOPPED = "the search ended early: try again"


@dataclass(frozen=True)
class ToolAnswer:
    """A tool's answer."""

    text: str
    failed: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict)  # data for programs, not shown to agents


class ToolRunner:
    """Runs tools for any number of clients, in threads or in processes.

    Threads share a core, and processes do not. Processes are started on demand; they import modules
    from their working folder first, so that folder must be trusted.
    """

    def __init__(self, processes: int = 0) -> None:
        """Prepare a number of processes; 0 means threads of this process."""
        self._processes = processes
        # The resident server's API has its own limiter.
        self._limiter = CapacityLimiter(processes or THREADS)

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Run a tool in TOOLS, or SHOW, and return its answer."""
        if not self._processes:
            return await to_thread.run_sync(
                answer_call, name, arguments, abandon_on_cancel=True, limiter=self._limiter
            )
        try:
            return await to_process.run_sync(
                answer_call, name, arguments, cancellable=True, limiter=self._limiter
            )
        except BrokenWorkerProcess:
            return ToolAnswer(STOPPED, failed=True)


def answer_call(name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return a tool's answer or an error.

    An error is one line, followed by any quoted URLs from sites. SHOW accepts the arguments of
    search_docs, returns the same text, and includes the passages in its meta.
    """
    try:
        if name == tools.SHOW:
            manifest, hits = tools.search(arguments)
            passages = [tools.describe_hit(hit) for hit in hits]
            return ToolAnswer(format_passages(manifest, hits), meta={tools.PASSAGES: passages})
        text = tools.call_tool(name, arguments)
        meta = tools.describe_databases(list_manifests()) if name == tools.LIST else {}
        return ToolAnswer(text, meta=meta)
    except UnknownPageError as error:
        return ToolAnswer(format_unknown_page(str(error), error.near), failed=True)
    except Exception as error:  # noqa: BLE001 - the agent receives each error as one line
        return ToolAnswer(make_printable(format_error(error))[:MAX_ERROR], failed=True)
