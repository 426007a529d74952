"""Run a project's hooks on many calls in one process, and return their traces.

A script for Python 3.9 or later: `python -I -S worker.py HOOK.py...`. Each line of stdin is a JSON
list of [event, numbers of the hooks to run]; the script answers with one line. It calls a hook's
`decide(event, trace)`, which saves and writes nothing.
"""

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Decide = Callable[[bytes, list[Any]], Any]


def import_hook(path: str) -> "Decide | None":
    """Return a hook's `decide`, or None if it is from an older version."""
    spec = importlib.util.spec_from_file_location("hook", path)
    if not spec or not spec.loader:
        raise ImportError(path)
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "decide", None)


def import_hooks(paths: "list[str]") -> "tuple[list[Decide], str]":
    hooks: list[Decide] = []
    for path in paths:
        name = Path(path).name
        try:
            decide = import_hook(path)
        except BaseException as error:  # noqa: BLE001 - a hook may even call sys.exit
            return [], f"cannot run {name}: {error!r}: restore it from git"
        if not decide:
            return [], f"{name} is from an older version: run hookwright update"
        hooks.append(decide)
    return hooks, ""


def answer(decide: "Decide", event: bytes) -> "dict[str, Any]":
    trace: list[Any] = []
    decision, raised = None, ""
    try:
        decision = decide(event, trace)
    except Exception as error:  # noqa: BLE001 - in the client, the call would go through
        raised = repr(error)
    return {"decision": decision, "trace": trace, "error": raised}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr  # hooks may print: reserve stdout for answers
    sys.dont_write_bytecode = True
    hooks, error = import_hooks(sys.argv[1:])
    for line in sys.stdin.buffer:
        asked = () if error else json.loads(line)
        answered = [
            [answer(hooks[number], event.encode()) for number in numbers]
            for event, numbers in asked
        ]
        print(json.dumps({"error": error, "answers": answered}), file=answers, flush=True)


if __name__ == "__main__":
    main()
