"""The process that runs tools for a server: a call in a line of JSON, its answer in another."""

import json
import os
import sys
from contextlib import suppress

from hookwright_documentation.serving.open_databases import OpenDatabases
from hookwright_documentation.serving.tool_runner import answer_call


def main() -> None:
    """Answer calls until standard input is closed."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else is printed among them
    databases = OpenDatabases()
    with suppress(ModuleNotFoundError):  # which the first search tells
        import hookwright_documentation.index  # noqa: F401 - now, not at the first search
    with suppress(BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        for line in sys.stdin.buffer:
            answer = answer_call(databases, *json.loads(line))
            answers.write(json.dumps([answer.text, answer.failed, answer.meta]).encode() + b"\n")
            answers.flush()
