"""The process of a crawl: options on standard input, progress and the result on standard output.

It ends when its standard input does, so it does not outlive the process that started it. Where it
is too busy to notice, `child_process` ends it.
"""

import json
import os
import sys
import threading
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources import child_process
from hookwright_documentation.sources.options import CrawlOptions, UnfinishedError

GRACE = 300.0  # seconds to write the result in, after the time limit
MAX_MEMORY = 3_000_000_000  # bytes, whatever a site sends or a compiler needs


def main() -> None:
    task = json.loads(sys.stdin.buffer.readline())
    options, folder = CrawlOptions(**task["options"]), Path(task["folder"])
    child_process.end_with_parent(task["parent"])
    child_process.limit_memory(MAX_MEMORY)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what else is printed is no message
    threading.Thread(target=end_with_input, daemon=True).start()
    parent = child_process.Parent(output, task["skipped"])
    try:
        with child_process.locking(folder):
            if not task["in_steps"]:
                child_process.end_when_stuck(options.time_limit + GRACE)
            report = import_module(task["module"]).take_in_child(options, folder, parent)
    except UnfinishedError as error:
        parent.tell("unfinished", str(error))
    except ReportedError as error:
        parent.tell("error", str(error))
    except OSError as error:
        parent.tell("error", f"{error.filename or folder}: {error.strerror}")
    else:
        parent.tell("report", asdict(report))
    os._exit(0)  # at once: a thread still reads standard input


def end_with_input() -> None:
    """Wait for the end of standard input, and end this process; its files are whole at any time."""
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
