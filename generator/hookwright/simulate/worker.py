"""Decide many calls by a project's hooks in one process, and return what each hook traces.

A script: `python -I -S worker.py HOOK.py...`, for Python 3.9 or later. Each line of its stdin is a
JSON list of [event, numbers of the hooks to ask], and is answered by a line with what they made of
it. A hook is asked by its `decide(event, trace)`, which remembers and writes nothing.
"""

import importlib.util
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Decide = Callable[[bytes, list[Any]], Any]


def import_hook(path: str) -> "Decide | None":
    """Return what decides in a hook, None for a hook of an older version; raise what it raises."""
    spec = importlib.util.spec_from_file_location("hook", path)
    if not spec or not spec.loader:
        raise ImportError(path)
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "decide", None)


def import_hooks(paths: "list[str]") -> "tuple[list[Decide], str]":
    """Return what decides in the hooks at these paths, or why one of them cannot be asked."""
    hooks: list[Decide] = []
    for path in paths:
        try:
            decide = import_hook(path)
        except BaseException as error:  # noqa: BLE001 - it may even end the process
            return [], f"{path} cannot be run: {error!r}: take it back from git"
        if not decide:
            return [], f"{path} is from an older version: run hookwright update"
        hooks.append(decide)
    return hooks, ""


def answer(decide: "Decide", event: bytes) -> "dict[str, Any]":
    """Return what a hook makes of an event, what it traces, and what it raises."""
    trace: list[Any] = []
    decision, raised = None, ""
    try:
        decision = decide(event, trace)
    except Exception as error:  # noqa: BLE001 - the call would go through
        raised = repr(error)
    return {"decision": decision, "trace": trace, "error": raised}


def main() -> None:
    """Answer each line of stdin."""
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is no answer
    sys.dont_write_bytecode = True
    hooks, error = import_hooks(sys.argv[1:])
    for line in sys.stdin.buffer:
        asked = () if error else json.loads(line)
        made = [
            [answer(hooks[number], event.encode()) for number in numbers]
            for event, numbers in asked
        ]
        print(json.dumps({"error": error, "made": made}), file=answers, flush=True)


if __name__ == "__main__":
    main()
